"""How far a strategy of a compiled game is from equilibrium, exactly.

A best response knows the opponent's strategy and only its own information sets: it maximises over sets, never over
deals. NashConv is what both players together could gain by it; exploitability is half of that.
"""

from __future__ import annotations

import numpy as np

from runout.games.compiled import CompiledGame
from runout.kernels import tabular as kernels
from runout.solvers.assessment import Assessment


def assess(game: CompiledGame, strategy: np.ndarray) -> Assessment:
    """Value and best responses of `strategy`, float64 [sequences]."""
    value = _root_value(game, strategy, 0, False)
    best = (_root_value(game, strategy, 0, True), _root_value(game, strategy, 1, True))
    return Assessment((value, -value), best)


def exploitability(game: CompiledGame, strategy: np.ndarray) -> float:
    """Mean gain of a best response, in chips."""
    return (_root_value(game, strategy, 0, True) + _root_value(game, strategy, 1, True)) / 2


def plan(game: CompiledGame, strategy: np.ndarray, player: int) -> np.ndarray:
    """Probability that `player` itself plays each of its sequences, float64 [its sequences]."""
    reach = np.empty(len(game.part(strategy, player)))
    kernels.realise(game.sides[player], game.part(strategy, player), reach)
    return reach


def backed_up(game: CompiledGame, strategy: np.ndarray, player: int, best: bool) -> tuple[np.ndarray, np.ndarray]:
    """Values to `player` of its sequences and of its information sets, weighed by the reach of chance and opponent."""
    side, own = game.sides[player], game.part(strategy, player)
    values, scratch = np.empty(len(own)), np.empty(len(own))
    kernels.end_values(side, plan(game, strategy, 1 - player), values, scratch)
    set_values = np.empty(len(side.parents))
    kernels.back_up(side, values, own, best, set_values)
    return values, set_values


def _root_value(game: CompiledGame, strategy: np.ndarray, player: int, best: bool) -> float:
    return float(backed_up(game, strategy, player, best)[0][0])
