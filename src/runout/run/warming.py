"""Compile the kernels of a solve once on a machine, however many processes begin at the same moment."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from runout import files
from runout.games.spot import Spot
from runout.run.postflop import solve

_SMALL = {"oop": "AA,KQs", "ip": "QQ,JTs"}


@cache
def warm(storage: str = "float32") -> None:
    """Solve something tiny, one process of this machine after the other: the first compiles, the others load."""
    spot = Spot.default(ranges=_SMALL, solve={"storage": storage, "iterations": 1, "target": 0, "threads": 1})
    with files.FileLock(Path(tempfile.gettempdir()) / "runout-compiling.lock"):
        solve(spot)
