"""Look at any solution: one explorer for each kind, all giving the records of `analysis.view`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from runout.analysis.view import Explorer
from runout.errors import InputError

LATEST = "latest"  # link to the newest checkpoint of a training run


def open_explorer(source: Any) -> Explorer:
    """The explorer of a solution, or of the one saved in a directory; a training run opens at its last checkpoint."""
    if isinstance(source, str | Path):
        from runout.analysis.load import load

        return open_explorer(load(solution_path(source)))
    for kind, explorer in _kinds():
        if isinstance(source, kind):
            return explorer(source)
    raise InputError(f"no explorer for a {type(source).__name__}: open a solution or a directory that holds one")


def _kinds() -> list[tuple[type, Callable[[Any], Explorer]]]:
    """Kinds of solutions and their explorers."""
    from runout.analysis.explorers.flop_holdem import FlopExplorer
    from runout.analysis.explorers.policy import PolicyExplorer
    from runout.analysis.explorers.postflop import PostflopExplorer
    from runout.analysis.explorers.preflop import PreflopExplorer
    from runout.analysis.explorers.small_games import GameExplorer
    from runout.analysis.flop_holdem import FlopSolution
    from runout.analysis.game_solution import GameSolution
    from runout.analysis.policy_solution import PolicySolution
    from runout.analysis.postflop import Solution
    from runout.analysis.preflop import PreflopSolution

    return [
        (Solution, PostflopExplorer),
        (PreflopSolution, PreflopExplorer),
        (GameSolution, GameExplorer),
        (FlopSolution, FlopExplorer),
        (PolicySolution, PolicyExplorer),
    ]


def solution_path(path: str | Path) -> Path:
    """`path` itself, or the newest checkpoint where it is the directory of a training run."""
    path = Path(path)
    if not (path / "meta.json").exists() and (path / LATEST / "meta.json").exists():
        return path / LATEST
    return path
