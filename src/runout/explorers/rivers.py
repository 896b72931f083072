"""Streets that a file left out, solved when they are looked at: rivers, and turns that a network valued.

The ranges are those that reach the street in the solution; betting and rake are the game's. Such a street is an
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
from runout.games.tree import RUNOUT, build
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LineSource, LiveLines, StoredLines, stored_rows
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver

TARGET = 0.05  # exploitability at which a river is good enough to look at, in % of its pot
TURN_TARGET = 0.5  # the same of a turn with all its rivers
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
) -> LineSource:
    """The river (or turn) on which betting stands at `state`; reach float64 [2, 1326] by combo on the table."""
    free = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    weights = np.empty_like(reach)
    for player, side in enumerate(reach):  # a line that a player never takes is shown for the range at the start
        weights[player] = np.where(free, side if (side * free).any() else game.weights[player], 0.0)
    later = 5 - len(cards)
    tree = build(state, menu).with_streets(later + 1)
    runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
    boards = board_tree(cards, weights, (1,) * later, runouts, isomorphism=later > 0)
    if later:
        estimate(tree, boards).require("float32")
    solver = RangeSolver(
        RangeGame(tree, boards, weights, game.rake), range_schedule(_ALGORITHM), threads=0 if later else 1
    )
    if pair_weight(*weights) > 0:
        while solver.iteration < MOST:
            solver.step(_EVERY if later == 0 else _EVERY // 5)
            if solver.exploitability() * 100 <= (max(target, TURN_TARGET) if later else target) * state.pot:
                break
    source = LiveLines(solver)
    # Of a turn its own lines are kept and the solver is not; its rivers are solved when they are looked at.
    return StoredLines(solver.game, stored_rows(source)) if later else source
