"""Runout: a poker solver suite. The names below are the public Python surface; each loads on first use."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.2.0"

_PUBLIC = {
    "Equity": "runout.cards.equity",
    "Evaluation": "runout.analysis.evaluation",
    "FlopHoldem": "runout.games.flop_holdem",
    "FlopSolution": "runout.analysis.flop_holdem",
    "GameSolution": "runout.analysis.game_solution",
    "PolicySolution": "runout.analysis.policy_solution",
    "Preflop": "runout.games.preflop",
    "PreflopSolution": "runout.analysis.preflop",
    "Range": "runout.cards.ranges",
    "RunoutError": "runout.errors",
    "Solution": "runout.analysis.postflop",
    "Spot": "runout.games.spot",
    "TrainConfig": "runout.run.train_config",
    "check_game": "runout.games.check",
    "compile_game": "runout.games.compiled",
    "equity": "runout.cards.equity",
    "evaluate": "runout.analysis.evaluation",
    "load": "runout.analysis.load",
    "load_game_solution": "runout.analysis.game_solution",
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
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__
