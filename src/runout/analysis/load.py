"""Open any solution by its path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from runout.errors import SolutionError
from runout.solutions.format import read_meta

if TYPE_CHECKING:
    from runout.analysis.flop_holdem import FlopSolution
    from runout.analysis.game_solution import GameSolution
    from runout.analysis.policy_solution import PolicySolution
    from runout.analysis.postflop import Solution
    from runout.analysis.preflop import PreflopSolution

    AnySolution = Solution | GameSolution | FlopSolution | PreflopSolution | PolicySolution


def load(path: str | Path) -> AnySolution:
    """The solution in a directory, whatever its kind."""
    kind = read_meta(Path(path))["kind"]
    if kind == "postflop":
        from runout.analysis.postflop import load_postflop

        return load_postflop(path)
    if kind == "tabular":
        from runout.analysis.game_solution import load_game_solution

        return load_game_solution(path)
    if kind in ("flop-holdem", "flop-game"):
        from runout.analysis.flop_holdem import load_flop_holdem

        return load_flop_holdem(path)
    if kind == "preflop":
        from runout.analysis.preflop import load_preflop

        return load_preflop(path)
    if kind in ("mccfr", "neural"):
        from runout.analysis.policy_solution import load_policy_solution

        return load_policy_solution(path)
    raise SolutionError(f"{path} is a {kind} solution, which this Runout does not know: update Runout")
