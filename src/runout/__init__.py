"""Runout: a poker solver suite. The names below are the public Python surface; each loads on first use."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.2.0"

_PUBLIC = {
    "Equity": "runout.cards.equity",
    "Evaluation": "runout.evaluation.evaluate",
    "FlopHoldem": "runout.games.flop_holdem",
    "FlopSolution": "runout.cursors.flop_solution",
    "GameSolution": "runout.cursors.game_solution",
    "PolicySolution": "runout.cursors.policy_solution",
    "Preflop": "runout.games.preflop",
    "PreflopSolution": "runout.cursors.preflop_solution",
    "Range": "runout.cards.ranges",
    "RunoutError": "runout.errors",
    "Solution": "runout.cursors.spot_solution:SpotSolution",
    "Spot": "runout.games.spot",
    "TrainConfig": "runout.run.train_config",
    "check_game": "runout.games.check",
    "compile_game": "runout.games.compiled",
    "equity": "runout.cards.equity",
    "evaluate": "runout.evaluation.evaluate",
    "load": "runout.cursors.load",
    "load_game_solution": "runout.cursors.game_solution",
    "solve": "runout.run.postflop",
    "solve_flop_holdem": "runout.run.flop_holdem",
    "solve_game": "runout.run.tabular",
    "solve_preflop": "runout.run.preflop",
    "train": "runout.run.train",
}

__all__ = ["__version__", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'runout' has no attribute {name!r}")
    module, _, own = _PUBLIC[name].partition(":")
    return getattr(importlib.import_module(module), own or name)


def __dir__() -> list[str]:
    return __all__
