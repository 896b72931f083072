"""Look at any solution: one explorer for each kind, all giving the records of `cursors.view`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runout.cursors.kinds import fetch, kind_of
from runout.cursors.load import load
from runout.cursors.view import Explorer


def open_explorer(source: Any) -> Explorer:
    """The explorer of a solution, or of the one saved in a directory; a training run opens at its last checkpoint."""
    solution = load(source) if isinstance(source, str | Path) else source
    found: Explorer = fetch(kind_of(solution).explorer)(solution)
    return found
