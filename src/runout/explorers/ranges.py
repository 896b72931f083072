"""Views of what the range engine solved: postflop spots, Flop Hold'em, the flop game; any streets up to the river.

EVs of a spot are shares of the node's pot in chips; games that begin with the blinds count big blinds from the start of
the hand. Strategies and reach are kept by solved combo (`explorers.places`) and shown by the cards on the table.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.hands import COMBO_CARDS
from runout.cursors.exact_solution import ExactSolution
from runout.cursors.flop_solution import FlopSolution
from runout.cursors.hand_means import compatible
from runout.cursors.spot_solution import SpotSolution
from runout.cursors.view import DECISION, FROM_POT, HandsView, Summary
from runout.errors import InputError
from runout.explorers.holdem_views import HoldemExplorer, equities, free_combos
from runout.explorers.parts import combo_hands, ratio, settings_of, summary_of
from runout.explorers.places import SolvedBoard
from runout.explorers.remembered import Remembered
from runout.explorers.rivers import TARGET, TURN_TARGET, solved_river
from runout.games.betting import RIVER, STREET_NAMES
from runout.games.flop_holdem import FLOP_CARDS
from runout.games.holdem_game import HoldemDocument
from runout.games.points import BOARD_CARDS, Point
from runout.games.tree import TO_CHANCE, TO_NODE, StreetTree
from runout.solutions.reached import Reached
from runout.solvers.range_lines import LineSource, LiveLines

Ranged = SpotSolution | FlopSolution | ExactSolution

_KEPT = 256  # points whose ranges are remembered
_RIVERS = 64  # rivers solved again that are remembered


@dataclass(frozen=True, eq=False)
class Standing:
    """A point on the solved boards."""

    place: SolvedBoard
    index: int  # of the decision in the tree of its street; of the decision before where nobody is to act
    edge: int  # the action of that decision that led here, -1 at a decision
    entry: int  # of the next street, at a chance node; else -1
    reach: np.ndarray  # float64 [2, 1326] by solved combo

    @cached_property
    def met(self) -> np.ndarray:
        """float64 [2, 1326] by solved combo: the opponent's reach that each combo can meet."""
        return compatible(self.reach)

    @cached_property
    def strategy(self) -> np.ndarray:
        """float64 [actions, h] of the player to act."""
        return self.place.strategy(self.index)

    def held(self, side: int) -> np.ndarray:
        """int64: combos on the table that a player can hold, highest cards first; their reach may be 0."""
        possible = self.place.spread(side, np.ones(len(self.place.hands[side])), 0.0)
        return np.flatnonzero(self.place.on_table(possible))[::-1]


class RangeExplorer(HoldemExplorer):
    """A `view.Explorer` of what the range engine solved."""

    def __init__(self, solution: Ranged) -> None:
        self.solution, self._solver = solution, solution.solver
        self._document, self._source = _parts(solution)
        self._standing = Remembered(self._found, _KEPT)
        self._shares = Remembered(self._equities, _KEPT)
        self._river = Remembered(self._solved_again, _RIVERS)
        self.river_target = TARGET  # of rivers that a file left out, in % of their pots
        super().__init__(self._document.game())

    @property
    def summary(self) -> Summary:
        if isinstance(self.solution, ExactSolution):
            return summary_of("exact", self.solution.config, self.solution.reached)
        kind = "postflop" if isinstance(self.solution, SpotSolution) else self.solution.settings.kind
        return summary_of(kind, settings_of(self._document), self.solution.reached)

    @property
    def turns_on_sight(self) -> bool:
        """Whether streets after the first were valued by a network, so each is solved when it is looked at."""
        return isinstance(self.solution, SpotSolution) and self.solution.spot.solve.leaf == "network"

    def _reached(self) -> Reached:
        return self.solution.reached

    def _now(self) -> Hashable:
        """The iteration and the locks of the solver."""
        return None if self._solver is None else self._solver.version

    def _forget(self) -> None:
        super()._forget()
        self._standing.clear()
        self._shares.clear()
        self._river.clear()

    # Parts of a view, for programs that ask for one thing at a time

    def playing(self, line: str) -> HandsView:
        """The hands of the player to act, with strategy and reach alone."""
        with self._looking:
            point = self._point(line)
            if point.kind != DECISION:
                raise InputError(f"nobody is to act after {line or 'the start'!r}")
            return self._actor(point)

    def reach(self, line: str) -> tuple[np.ndarray, np.ndarray]:
        """float64 [2, 1326] each, by combo on the table: the reach of both players, and the opponent's that each hand
        can meet."""
        with self._looking:
            standing = self._standing(self._point(line))
            return standing.place.on_table(standing.reach), standing.place.on_table(standing.met)

    def standing(self, line: str) -> Standing:
        """Where a line stands on the solved boards."""
        with self._looking:
            return self._standing(self._point(line))

    def worth(self, line: str, side: int) -> HandsView:
        """The hands of a player with EVs, without equities: much quicker than `at` before the river."""
        with self._looking:
            return self._side(self._point(line), side, np.full(len(COMBO_CARDS), np.nan))

    def equities(self, line: str) -> np.ndarray:
        """float64 [2, 1326] by combo on the table: shares of the pot when the hand is checked down; NaN where none."""
        with self._looking:
            return self._shares(self._point(line))

    # Where a point stands

    def _tree(self, point: Point) -> StreetTree:
        return self._source.game.tree.streets[len(point.words) - 1]

    def _found(self, point: Point) -> Standing:
        if point.before is None:
            return Standing(SolvedBoard(self._source, 0, 0), 0, -1, -1, self._source.game.weights)
        before = self._standing(point.before)
        if point.number < 0:
            return self._dealt(point, before)
        tree, place = self._tree(point), before.place
        edge = int(tree.first_edge[before.index]) + point.number
        kind, child = int(tree.child_kind[edge]), int(tree.child[edge])
        actor, reach = int(tree.player[before.index]), before.reach.copy()
        reach[actor] *= place.spread(actor, before.strategy[point.number], 0.0)
        if kind == TO_NODE:
            return Standing(place, child, -1, -1, reach)
        return Standing(place, before.index, edge, child if kind == TO_CHANCE else -1, reach)

    def _dealt(self, point: Point, before: Standing) -> Standing:
        assert point.before is not None
        tree, street = self._tree(point), len(point.words) - 1
        first, cards = int(tree.entry_node[before.entry]), point.board[len(point.before.board) :]
        if street < self._source.streets:
            place = before.place.deal(cards)
            reach, cards = before.reach, tuple(place.cards[-len(cards) :])
        else:
            river, first_edge = self._river(point), int(tree.first_edge[first])
            place = SolvedBoard(river, 0, 0, first_node=first, first_edge=first_edge, resolved=True)
            reach = before.place.on_table(before.reach)
        return Standing(place, first, -1, -1, np.where(free_combos(cards), reach, 0.0))

    def _solved_again(self, point: Point) -> LineSource:
        assert point.before is not None
        before = self._standing(point.before)
        reach = before.place.on_table(before.reach)
        return solved_river(self._source.game, self.game.menu, point.board, point.state, reach, self.river_target)

    # What hands do and are worth

    def _hands(self, point: Point) -> tuple[HandsView, HandsView]:
        shares = self._shares(point)
        return self._side(point, 0, shares[0]), self._side(point, 1, shares[1])

    def _equities(self, point: Point) -> np.ndarray:
        """float64 [2, 1326] by combo on the table."""
        standing, live = self._standing(point), np.zeros(len(COMBO_CARDS), bool)
        live[np.concatenate([standing.held(side) for side in range(2)])] = True
        reach, met = (standing.place.on_table(part) for part in (standing.reach, standing.met))
        return equities(reach, met, live, point.board, self.shown, self.lines.deck)

    def _side(self, point: Point, side: int, equity: np.ndarray) -> HandsView:
        standing, unit = self._standing(point), self.lines.wording.chips
        acts = point.kind == DECISION and point.state.player == side
        after = self._values(point, standing, side) / unit
        strategy = standing.place.spread(side, standing.strategy) if acts else None
        total = (after if strategy is None else after * strategy).sum(axis=0)
        met, start_pot = standing.met[side], point.state.rules.pot / 2 + point.state.spent[side]
        counted = start_pot / unit if self.ev_from == FROM_POT else 0.0  # values are gains over what was put in
        on_table = standing.place.on_table
        ev = on_table(ratio(total, met) + counted)
        return self._plain(
            point,
            side,
            action_evs=on_table(ratio(after, met) + counted) if acts else None,
            ev=ev,
            equity=equity,
            eqr=ratio(ev + self.put_in(point)[side], equity * point.state.pot / unit),
        )

    def _plain(self, point: Point, side: int, **more: Any) -> HandsView:
        standing = self._standing(point)
        acts, on_table = point.kind == DECISION and point.state.player == side, standing.place.on_table
        return combo_hands(
            self.lines.wording.players[side],
            standing.held(side),
            point.board,
            on_table(standing.reach[side]),
            on_table(standing.met[side]),
            on_table(standing.place.spread(side, standing.strategy)) if acts else None,
            **more,
        )

    def _actor(self, point: Point) -> HandsView:
        return self._plain(point, point.state.player)

    def _values(self, point: Point, standing: Standing, side: int) -> np.ndarray:
        """float64 [edges, 1326] by solved combo: the solver's values after each action, or after the last one taken."""
        first = self._tree(point).first_edge
        at_decision = slice(int(first[standing.index]), int(first[standing.index + 1]))
        edges = at_decision if standing.edge < 0 else slice(standing.edge, standing.edge + 1)
        return standing.place.spread(side, standing.place.after(side, standing.index, edges))

    # What else is said of a node

    def _locked(self, point: Point) -> bool:
        standing = self._standing(point)
        return point.kind == DECISION and standing.place.locked(standing.index)

    def _resolved(self, point: Point) -> bool:
        return self._standing(point).place.resolved

    def _more_notes(self, point: Point) -> tuple[str, ...]:
        if self._resolved(point):
            street = STREET_NAMES[point.state.street]
            to = max(self.river_target, TURN_TARGET) if point.state.street < RIVER else self.river_target
            was = "has been solved" if self.turns_on_sight else "was left out of the file and has been solved again"
            return (f"this {street} {was} by itself, to {to:g}% of its pot",)
        if isinstance(self.solution, ExactSolution) and point.deal_count == FLOP_CARDS:
            return (self.solution.accuracy(),)
        runs_out = point.deal_count and self.shown > BOARD_CARDS[self.game.rules.last_street]
        return (self.game.accuracy(),) if runs_out else ()

    def _boards(self, point: Point) -> tuple[str, ...]:
        some = self.game.flops or (isinstance(self.solution, ExactSolution) and not self.solution.split.choice.all)
        if point.deal_count != FLOP_CARDS or not some:
            return ()
        flops = np.sort(self._source.game.boards[1].cards, axis=1)[:, ::-1]
        return tuple(cards_text(flop) for flop in flops.tolist())


def _parts(solution: Ranged) -> tuple[HoldemDocument, LineSource]:
    """The settings of what was solved, and where strategies and values come from."""
    if isinstance(solution, SpotSolution):
        return solution.spot, solution.source
    if isinstance(solution, ExactSolution):
        return solution.settings, solution.source
    return solution.settings, LiveLines(solution.solver)
