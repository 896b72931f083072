"""Rivers that a file left out, solved again when one looks.

The ranges are those that reach the river in the solution; betting, pot and rake are the spot's. Such a river is an
equilibrium of its own: strategies of hands that are indifferent can differ from those that the whole solve ended with.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from runout.analysis.hand_means import pair_weight
from runout.analysis.places import Place
from runout.cards.hands import COMBO_CARDS
from runout.games.betting import BettingState
from runout.games.boards import board_tree
from runout.games.spot import Spot
from runout.games.tree import build
from runout.solvers.auto import AUTO, range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.ranges import RangeGame, RangeSolver

TARGET = 0.05  # exploitability at which a river is good enough to look at, in % of its pot
MOST = 2000  # iterations
_EVERY = 50
_KEPT = 64  # rivers


class Rivers:
    """Solves rivers of a spot by itself, and keeps the latest."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self._kept: OrderedDict[str, LiveLines] = OrderedDict()

    def at(self, line: str, cards: Sequence[int], state: BettingState, reach: np.ndarray) -> LiveLines:
        """The river that `line` leads to, where betting stands at `state`; reach float64 [2, 1326] on the table."""
        if line not in self._kept:
            self._kept[line] = self._solved(cards, state, reach)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(line)
        return self._kept[line]

    def _solved(self, cards: Sequence[int], state: BettingState, reach: np.ndarray) -> LiveLines:
        free = ~np.isin(COMBO_CARDS, cards).any(axis=1)
        weights = np.empty_like(reach)
        for player, side in enumerate(reach):  # a line that a player never takes is shown for the range he began with
            weights[player] = np.where(free, side if (side * free).any() else self.spot.range(player).weights, 0.0)
        tree = build(state, self.spot.menu)
        game = RangeGame(tree, board_tree(cards, weights, (), isomorphism=False), weights, self.spot.rake.of)
        solver = RangeSolver(game, range_schedule(AUTO), threads=1)
        if pair_weight(*weights) > 0:
            while solver.iteration < MOST:
                solver.step(_EVERY)
                if solver.exploitability() * 100 <= TARGET * state.pot:
                    break
        return LiveLines(solver)


def river_place(source: LiveLines, first_node: int, first_slot: int) -> Place:
    """The place of a river that was solved by itself; it begins at this node and slot of the whole tree."""
    return Place(source, 0, 0, first_node=first_node, first_slot=first_slot, resolved=True)
