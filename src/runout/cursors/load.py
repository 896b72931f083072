"""Open any solution by its path."""

from __future__ import annotations

from pathlib import Path

from runout.cursors.cursor import AnySolution
from runout.cursors.kinds import fetch, named
from runout.errors import SolutionError
from runout.solutions.format import read_meta, solution_path


def load(path: str | Path) -> AnySolution:
    """The solution in a directory, whatever its kind; of a training run, its latest checkpoint."""
    path = solution_path(path)
    name = read_meta(path)["kind"]
    kind = named(name)
    if kind is None:
        raise SolutionError(f"{path} is a {name} solution, which this Runout does not know: update Runout")
    found: AnySolution = fetch(kind.load)(path)
    return found
