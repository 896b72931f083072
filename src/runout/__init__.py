"""Runout: a poker solver suite. The names below are the public Python surface; each loads on first use.

spot = runout.Spot(board="Qs Jh 2h", pot=180, stack=910, ranges={"oop": "88+,AJs+", "ip": "99-22,KQs"})
solution = runout.solve(spot, target=0.3)
solution.root.strategy("AsAh")                  # {'check': 0.31, 'bet 90': 0.69}
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:  # the same names as in _PUBLIC, for type checkers and editors
    from runout.cards.equity import Equity, equity
    from runout.cards.ranges import Range
    from runout.cursors.cursor import AnySolution, Node
    from runout.cursors.exact_solution import ExactSolution
    from runout.cursors.flop_solution import FlopSolution
    from runout.cursors.game_solution import GameSolution
    from runout.cursors.load import load, load_game_solution
    from runout.cursors.policy_solution import PolicySolution
    from runout.cursors.preflop_solution import PreflopSolution, open_chart
    from runout.cursors.spot_solution import SpotSolution
    from runout.cursors.spot_solution import SpotSolution as Solution
    from runout.errors import RunoutError
    from runout.evaluation.evaluate import Evaluation, evaluate
    from runout.explorers import open_explorer
    from runout.games.check import check_game
    from runout.games.compiled import compile_game
    from runout.games.flop_game import FlopGame
    from runout.games.flop_holdem import FlopHoldem
    from runout.games.holdem import LimitHoldem, NoLimitHoldem
    from runout.games.preflop import Preflop
    from runout.games.spot import Spot
    from runout.hands.read import read_hands
    from runout.protocols import Event
    from runout.run.batch import solve_many
    from runout.run.flop_holdem import solve_flop_holdem
    from runout.run.postflop import solve
    from runout.run.preflop import solve_preflop
    from runout.run.report import report
    from runout.run.review import Review, review
    from runout.run.tabular import solve_game
    from runout.run.train import TrainResult, train
    from runout.run.train_config import TrainConfig

_PUBLIC = {
    "AnySolution": "runout.cursors.cursor",
    "Equity": "runout.cards.equity",
    "Evaluation": "runout.evaluation.evaluate",
    "Event": "runout.protocols",
    "ExactSolution": "runout.cursors.exact_solution",
    "FlopGame": "runout.games.flop_game",
    "FlopHoldem": "runout.games.flop_holdem",
    "FlopSolution": "runout.cursors.flop_solution",
    "GameSolution": "runout.cursors.game_solution",
    "LimitHoldem": "runout.games.holdem",
    "NoLimitHoldem": "runout.games.holdem",
    "Node": "runout.cursors.cursor",
    "PolicySolution": "runout.cursors.policy_solution",
    "Preflop": "runout.games.preflop",
    "PreflopSolution": "runout.cursors.preflop_solution",
    "Range": "runout.cards.ranges",
    "Review": "runout.run.review",
    "RunoutError": "runout.errors",
    "Solution": "runout.cursors.spot_solution:SpotSolution",  # its name in 0.1.0
    "Spot": "runout.games.spot",
    "SpotSolution": "runout.cursors.spot_solution",
    "TrainConfig": "runout.run.train_config",
    "TrainResult": "runout.run.train",
    "check_game": "runout.games.check",
    "compile_game": "runout.games.compiled",
    "equity": "runout.cards.equity",
    "evaluate": "runout.evaluation.evaluate",
    "load": "runout.cursors.load",
    "load_game_solution": "runout.cursors.load",
    "open_chart": "runout.cursors.preflop_solution",
    "open_explorer": "runout.explorers",
    "read_hands": "runout.hands.read",
    "review": "runout.run.review",
    "report": "runout.run.report",
    "solve": "runout.run.postflop",
    "solve_flop_holdem": "runout.run.flop_holdem",
    "solve_game": "runout.run.tabular",
    "solve_many": "runout.run.batch",
    "solve_preflop": "runout.run.preflop",
    "train": "runout.run.train",
}

__all__ = [
    "AnySolution",
    "Equity",
    "Evaluation",
    "Event",
    "ExactSolution",
    "FlopGame",
    "FlopHoldem",
    "FlopSolution",
    "GameSolution",
    "LimitHoldem",
    "NoLimitHoldem",
    "Node",
    "PolicySolution",
    "Preflop",
    "PreflopSolution",
    "Range",
    "Review",
    "RunoutError",
    "Solution",
    "Spot",
    "SpotSolution",
    "TrainConfig",
    "TrainResult",
    "__version__",
    "check_game",
    "compile_game",
    "equity",
    "evaluate",
    "load",
    "load_game_solution",
    "open_chart",
    "open_explorer",
    "read_hands",
    "report",
    "review",
    "solve",
    "solve_flop_holdem",
    "solve_game",
    "solve_many",
    "solve_preflop",
    "train",
]


if not TYPE_CHECKING:  # type checkers would take any name for good

    def __getattr__(name: str) -> Any:
        if name not in _PUBLIC:
            raise AttributeError(f"module 'runout' has no attribute {name!r}")
        module, _, own = _PUBLIC[name].partition(":")
        return getattr(importlib.import_module(module), own or name)


def __dir__() -> list[str]:
    return __all__
