"""Views of a solved Flop Hold'em or no-limit flop game, before the flop and on any flop that was solved.

Amounts are big blinds and EVs are won or lost from the start of the hand. A flop on the table is the renaming of suits
of the one that was solved for it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from runout.analysis.explorers.holdem_views import equities, free_combos, holdem_view
from runout.analysis.explorers.parts import combo_hands, ratio
from runout.analysis.explorers.postflop import settings_of
from runout.analysis.flop_holdem import FlopSolution
from runout.analysis.hand_means import compatible
from runout.analysis.places import Place
from runout.analysis.view import DECISION, HandsView, NodeView, Summary
from runout.cards.cards import cards_text
from runout.cards.suits import card_images
from runout.errors import InputError
from runout.games.flop_game import FlopGame
from runout.games.lines import POSITIONS
from runout.games.points import Point
from runout.games.tree import TO_CHANCE, TO_NODE, StreetTree
from runout.solvers.range_lines import LiveLines

_KEPT = 256  # points whose ranges are remembered


@dataclass(frozen=True, eq=False)
class _Spot:
    """A point on the solved boards."""

    place: Place
    index: int  # of the decision; of the decision before where nobody is to act
    slot: int  # the action of that decision that led here, -1 at a decision
    entry: int  # of the next street, at a chance node; else -1
    reach: np.ndarray  # float64 [2, 1326] on the table


class FlopExplorer:
    """A `view.Explorer` of a `FlopSolution`."""

    def __init__(self, solution: FlopSolution) -> None:
        self.solution = solution
        game = solution.settings.game()
        self.lines, self.shown = game.lines, game.board_cards
        self._source = LiveLines(solution.solver)
        self._spots: OrderedDict[Point, _Spot] = OrderedDict()
        self._iteration = solution.solver.iteration
        self._looking = threading.Lock()

    @property
    def summary(self) -> Summary:
        one = self.solution
        return Summary(
            title=one.settings.describe().split(";")[0],
            kind=one.settings.kind,
            settings=settings_of(one.settings),
            **one.reached.values(),
        )

    @cached_property
    def _flops(self) -> dict[tuple[int, ...], int]:
        cards = self.solution.solver.game.boards[1].cards
        return {tuple(sorted(int(c) for c in row)): board for board, row in enumerate(cards)}

    def at(self, line: str) -> NodeView:
        with self._looking:
            point = self.lines.at(line)
            spot = self._spot(point)
            shares = equities(spot.reach, compatible(spot.reach), point.board, self.shown, self.lines.deck)
            hands = self._hands(point, 0, shares), self._hands(point, 1, shares)
            view = holdem_view(self.lines, point, hands, self._actor, self.shown)
            if not point.deal_count or not isinstance(self.solution.settings, FlopGame):
                return view
            boards = self._solved_flops() if self.solution.settings.flops else ()
            return replace(view, notes=(*view.notes, self.solution.settings.accuracy()), boards=boards)

    def _solved_flops(self) -> tuple[str, ...]:
        return tuple(cards_text(sorted(flop, reverse=True)) for flop in self._flops)

    def _spot(self, point: Point) -> _Spot:
        if self._iteration != self.solution.solver.iteration:  # what was worked out is out of date
            self._spots.clear()
            self._iteration = self.solution.solver.iteration
        if point not in self._spots:
            self._spots[point] = self._found(point)
            if len(self._spots) > _KEPT:
                self._spots.popitem(last=False)
        return self._spots[point]

    def _found(self, point: Point) -> _Spot:
        if point.before is None:
            return _Spot(Place(self._source, 0, 0), 0, -1, -1, self.solution.settings.weights)
        before = self._spot(point.before)
        if point.number < 0:
            place = self._dealt(point)
            index = int(self._tree(1).entry_node[before.entry])
            return _Spot(place, index, -1, -1, np.where(free_combos(point.board), before.reach, 0.0))
        tree, place = self._tree(before.place.street), before.place
        slot = int(tree.first_slot[before.index]) + point.number
        kind, child = int(tree.child_kind[slot]), int(tree.child[slot])
        actor, reach = int(tree.player[before.index]), before.reach.copy()
        row = place.strategy(before.index)[point.number]
        reach[actor] *= place.on_table(place.spread(actor, row, 0.0))
        if kind == TO_NODE:
            return _Spot(place, child, -1, -1, reach)
        return _Spot(place, before.index, slot, child if kind == TO_CHANCE else -1, reach)

    def _tree(self, street: int) -> StreetTree:
        return self.solution.solver.game.tree.streets[street]

    def _dealt(self, point: Point) -> Place:
        """The solved flop that the cards on the table are."""
        images = np.sort(card_images()[:, list(point.board)].astype(np.int64), axis=1)
        for renaming, image in enumerate(images):
            board = self._flops.get(tuple(image.tolist()))
            if board is not None:
                return Place(self._source, 1, board, renaming)
        near = min(self._flops, key=lambda flop: _distance(flop, point.board))
        raise InputError(
            f"flop {cards_text(point.board)} is none of the {len(self._flops):,} that were solved up to suits: "
            f"the nearest is {cards_text(sorted(near, reverse=True))}"
        )

    def _actor(self, point: Point) -> HandsView | None:
        """What the strip shows: strategy and weights, no EVs."""
        if point.kind != DECISION:
            return None
        side, spot = point.state.player, self._spot(point)
        return self._plain(point, side, compatible(spot.reach)[side], self._strategy(spot, side))

    def _strategy(self, spot: _Spot, side: int) -> np.ndarray:
        """float64 [actions, 1326] on the table."""
        return spot.place.on_table(spot.place.spread(side, spot.place.strategy(spot.index)))

    def _plain(self, point: Point, side: int, met: np.ndarray, strategy: np.ndarray | None, **more: Any) -> HandsView:
        held = np.flatnonzero((self.solution.settings.weights[side] > 0) & free_combos(point.board))[::-1]
        reach = self._spot(point).reach[side]
        return combo_hands(POSITIONS[side], held, point.board, reach, met, strategy, **more)

    def _hands(self, point: Point, side: int, shares: np.ndarray) -> HandsView:
        spot, unit = self._spot(point), self.lines.big_blind
        met, acts = compatible(spot.reach)[side], point.kind == DECISION and point.state.player == side
        strategy = self._strategy(spot, side) if acts else None
        after = self._values(spot, side) / unit
        ev = ratio((after if strategy is None else after * strategy).sum(axis=0), met)
        equity = shares[side]
        own = ev + point.state.spent[side] / unit  # of the pot
        eqr = ratio(own, equity * point.state.pot / unit)
        action_evs = ratio(after, met) if acts else None
        return self._plain(point, side, met, strategy, action_evs=action_evs, ev=ev, equity=equity, eqr=eqr)

    def _values(self, spot: _Spot, side: int) -> np.ndarray:
        """float64 [slots, 1326] on the table: the solver's values after each action, or after the last one taken."""
        first = self._tree(spot.place.street).first_slot
        at_decision = slice(int(first[spot.index]), int(first[spot.index + 1]))
        slots = at_decision if spot.slot < 0 else slice(spot.slot, spot.slot + 1)
        rows = spot.place.after(side, spot.index, slots).astype(np.float64)
        return spot.place.on_table(spot.place.spread(side, rows))


def _distance(flop: Sequence[int], other: Sequence[int]) -> int:
    """How unlike two flops are: another pattern of suits or pairs, then ranks."""
    ranks = [sorted(card // 4 for card in cards) for cards in (flop, other)]
    suits, kinds = ([len({f(card) for card in cards}) for cards in (flop, other)] for f in (_suit, _rank))
    apart = sum(abs(a - b) for a, b in zip(*ranks, strict=True))
    return apart + 4 * abs(suits[0] - suits[1]) + 8 * abs(kinds[0] - kinds[1])


def _suit(card: int) -> int:
    return card % 4


def _rank(card: int) -> int:
    return card // 4
