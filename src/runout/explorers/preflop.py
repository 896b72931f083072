"""Views of a solved game before the flop: hands are the 169 classes, amounts big blinds.

EVs are won or lost from the start of the hand, so folding the small blind costs 0.5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.cards.equity169 import equity_table, pair_table
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, CLASSES
from runout.cursors.preflop_solution import PreflopSolution
from runout.cursors.view import DECISION, HandsView, Summary
from runout.explorers.holdem_views import HoldemExplorer
from runout.explorers.parts import ratio, settings_of, summary_of
from runout.explorers.remembered import Remembered
from runout.games.points import Point
from runout.games.tree import TO_NODE
from runout.solutions.reached import Reached

_KEPT = 512  # points whose ranges are remembered
CHECKED_DOWN = "called pots are checked down in this model (leaf equity), so it is no advice on how to play"


@dataclass(frozen=True, eq=False)
class _Standing:
    """A point in the arrays of the solution."""

    index: int  # of the decision; of no use where betting is over
    edges: slice  # actions of the decision; where betting is over the one that ended it
    reach: np.ndarray  # float64 [2, 169]: how much of each class both players still hold


class PreflopExplorer(HoldemExplorer):
    """A `view.Explorer` of a `PreflopSolution`."""

    def __init__(self, solution: PreflopSolution) -> None:
        self.solution = solution
        self._standing = Remembered(self._found, _KEPT)
        super().__init__(solution.settings.game())

    @property
    def summary(self) -> Summary:
        return summary_of("preflop", settings_of(self.solution.settings), self.solution.reached)

    def _reached(self) -> Reached:
        return self.solution.reached

    def _ending(self, point: Point) -> str | None:
        if point.kind == DECISION:
            return None
        if point.state.folder >= 0:
            return "fold"
        return "run-out" if point.state.all_in else "flop"

    def _more_notes(self, point: Point) -> tuple[str, ...]:
        called = f"the pot is called and the flop comes: worth what the leaf model {self.solution.leaf!r} says"
        said = (called if self._ending(point) == "flop" else None, self.warning)
        return tuple(note for note in said if note is not None)

    @property
    def warning(self) -> str | None:
        return CHECKED_DOWN if self.solution.leaf == "equity" and self.solution.game.tables else None

    def _locked(self, point: Point) -> bool:
        given = self.solution.game.given
        return point.kind == DECISION and len(given) > 0 and bool(given[self._standing(point).index].any())

    def _found(self, point: Point) -> _Standing:
        street = self.solution.game.street
        if point.before is None:
            return _Standing(0, self._edges(0), np.ones((2, CLASSES)))
        before = self._standing(point.before)
        edge = before.edges.start + point.number
        reach = before.reach.copy()
        reach[point.before.state.player] *= self.solution.policy[edge]
        if street.child_kind[edge] == TO_NODE:
            index = int(street.child[edge])
            return _Standing(index, self._edges(index), reach)
        return _Standing(-1, slice(edge, edge + 1), reach)

    def _edges(self, index: int) -> slice:
        first = self.solution.game.street.first_edge
        return slice(int(first[index]), int(first[index + 1]))

    def _hands(self, point: Point) -> tuple[HandsView, HandsView]:
        return self._side(point, 0), self._side(point, 1)

    def _actor(self, point: Point) -> HandsView:
        return self._side(point, point.state.player)

    def _side(self, point: Point, side: int) -> HandsView:
        standing, unit = self._standing(point), self.lines.wording.chips
        own, other = standing.reach[side], standing.reach[1 - side]
        met = other @ pair_table() / CLASS_COMBOS  # combos of the opponent for each own combo
        odds = other @ self.solution.game.weights
        values = self.solution.edge_values[side][standing.edges]
        acts = point.kind == DECISION and point.state.player == side
        mix = self.solution.policy[standing.edges].copy() if acts else np.zeros((0, CLASSES))
        ev = ratio((mix * values if acts else values).sum(axis=0), odds)
        equity = ratio((equity_table() * pair_table()) @ other, met * CLASS_COMBOS)
        return HandsView(
            player=self.lines.wording.players[side],
            names=list(CLASS_NAMES),
            cell=np.arange(CLASSES),
            weight=own.copy(),
            combos=CLASS_COMBOS.astype(np.float64),
            met=met,
            strategy=mix,
            action_evs=ratio(values, odds) if acts else np.zeros((0, CLASSES)),
            ev=ev,
            equity=equity,
            eqr=ratio(ev + self.put_in(point)[side], equity * point.state.pot / unit),
        )
