"""Rivers that a file left out, solved again when they are looked at.

The ranges are those that reach the river in the solution; betting and rake are the game's. Such a river is an
equilibrium of its own: hands that are indifferent can mix differently than in the whole solve.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.hands import COMBO_CARDS
from runout.cursors.hand_means import pair_weight
from runout.games.betting import BettingState
from runout.games.boards import board_tree
from runout.games.menus import Menu
from runout.games.tree import build
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.ranges import RangeGame, RangeSolver

TARGET = 0.05  # exploitability at which a river is good enough to look at, in % of its pot
MOST = 2000  # iterations
_EVERY = 50
_ALGORITHM = "dcfr(1.3,0.4,4)"  # the same river says the same, whatever `auto` means


def solved_river(
    game: RangeGame,
    menu: Menu,
    cards: Sequence[int],
    state: BettingState,
    reach: np.ndarray,
    target: float = TARGET,
) -> LiveLines:
    """The river on which betting stands at `state`; reach float64 [2, 1326] by combo on the table."""
    free = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    weights = np.empty_like(reach)
    for player, side in enumerate(reach):  # a line that a player never takes is shown for the range at the start
        weights[player] = np.where(free, side if (side * free).any() else game.weights[player], 0.0)
    river = RangeGame(build(state, menu), board_tree(cards, weights, (), isomorphism=False), weights, game.rake)
    solver = RangeSolver(river, range_schedule(_ALGORITHM), threads=1)
    if pair_weight(*weights) > 0:
        while solver.iteration < MOST:
            solver.step(_EVERY)
            if solver.exploitability() * 100 <= target * state.pot:
                break
    return LiveLines(solver)
