"""Look at any solution: one explorer for each kind, all giving the records of `cursors.view`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runout.cursors.kinds import fetch, kind_of
from runout.cursors.view import Explorer


def open_explorer(source: Any) -> Explorer:
    """Look at a solution in memory or in a directory (of a training run, at its latest checkpoint).

    `open_explorer(path).at("x-b94")` returns everything about a node as one record; see docs/explore.md.
    """
    solution = fetch("cursors.load:load")(source) if isinstance(source, str | Path) else source
    found: Explorer = fetch(kind_of(solution).explorer)(solution)
    return found
