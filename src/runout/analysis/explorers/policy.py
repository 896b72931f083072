"""Views of a trained hold'em policy, a table or networks: strategy and reach of every hand; no EVs, exact equities.

A policy that is a mixture is shown as an observer sees it: its parts weighed by their odds and by what the player's own
actions under each leave of the hand (`analysis.mixtures`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from runout.analysis.explorers.holdem_views import equities, free_combos, holdem_view
from runout.analysis.explorers.parts import combo_hands
from runout.analysis.hand_means import compatible
from runout.analysis.mixtures import first_reach, mixed, part_probabilities, public_deal
from runout.analysis.policy_solution import PolicySolution
from runout.analysis.view import DECISION, HandsView, NodeView, Summary
from runout.cards.hands import COMBO_CARDS
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.lines import POSITIONS
from runout.games.points import Point
from runout.protocols import HoldemPolicy

_KEPT = 128  # points whose ranges are remembered


@dataclass(frozen=True, eq=False)
class _Spot:
    """What the policy does at a point."""

    reach: np.ndarray  # float64 [2, parts, 1326], odds of parts included
    parts: np.ndarray | None  # float64 [parts, 1326, slots] of the player to act; None where nobody is


class PolicyExplorer:
    """A `view.Explorer` of a `PolicySolution`."""

    def __init__(self, solution: PolicySolution) -> None:
        self.solution = solution
        game = self.game
        self.lines = game.lines
        self._dealt = np.isin(COMBO_CARDS, game.deck).all(axis=1)  # bool [1326]: hands of the deck
        self._spots: OrderedDict[Point, _Spot] = OrderedDict()
        self._looking = threading.Lock()

    @property
    def game(self) -> HoldemGame:
        return self.solution.game

    @property
    def policy(self) -> HoldemPolicy:
        return self.solution.policy

    @property
    def summary(self) -> Summary:
        return policy_summary(self.solution)

    def at(self, line: str) -> NodeView:
        with self._looking:
            point = self.lines.at(line)
            reach = self._reach(point)
            met = compatible(reach)
            shares = equities(reach, met, point.board, self.game.board_cards, self.game.deck)
            strategy = self._strategy(point)
            hands = tuple(self._hands(point, side, reach, met, strategy, shares[side]) for side in range(2))
            return holdem_view(self.lines, point, hands, self._actor, self.game.board_cards)

    def _hands(
        self,
        point: Point,
        side: int,
        reach: np.ndarray,
        met: np.ndarray,
        strategy: np.ndarray | None,
        equity: np.ndarray | None = None,
    ) -> HandsView:
        held = np.flatnonzero(self._dealt & free_combos(point.board))[::-1]
        acts = point.kind == DECISION and point.state.player == side
        mix = strategy if acts else None
        return combo_hands(POSITIONS[side], held, point.board, reach[side], met[side], mix, equity=equity)

    def _actor(self, point: Point) -> HandsView | None:
        if point.kind != DECISION:
            return None
        reach = self._reach(point)
        return self._hands(point, point.state.player, reach, compatible(reach), self._strategy(point))

    def _reach(self, point: Point) -> np.ndarray:
        """float64 [2, 1326]."""
        return self._spot(point).reach.sum(axis=1)

    def _strategy(self, point: Point) -> np.ndarray | None:
        """float64 [actions, 1326] of the player to act; NaN for hands that do not get here."""
        spot = self._spot(point)
        if spot.parts is None:
            return None
        own = spot.reach[point.state.player]
        rows = mixed(own[None], spot.parts[None])[0][:, self._slots(point)].T
        return np.where(own.sum(axis=0) > 0, rows, np.nan)

    def _slots(self, point: Point) -> list[int]:
        return list(self.game.slots(point.state))

    def _spot(self, point: Point) -> _Spot:
        if point not in self._spots:
            self._spots[point] = self._found(point)
            if len(self._spots) > _KEPT:
                self._spots.popitem(last=False)
        self._spots.move_to_end(point)
        return self._spots[point]

    def _found(self, point: Point) -> _Spot:
        if point.before is None:
            own = first_reach(self.policy, 1)[0]
            reach = np.stack([own, own])
        else:
            before = self._spot(point.before)
            reach = before.reach.copy()
            if point.number >= 0 and before.parts is not None:
                slot = self._slots(point.before)[point.number]
                reach[point.before.state.player] *= before.parts[..., slot]
        reach = reach * (self._dealt & free_combos(point.board))
        if point.kind != DECISION:
            return _Spot(reach, None)
        asked = part_probabilities(self.policy, self._batch(point), reach[point.state.player][None])
        return _Spot(reach, asked[0])

    def _batch(self, point: Point) -> HoldemBatch:
        """One hand played to the point; its hole cards mean nothing."""
        batch = HoldemBatch(self.game, public_deal(self.game, point.board)[None])
        for at in point.path[1:]:
            if at.number >= 0 and at.before is not None:
                batch.act(np.array([self._slots(at.before)[at.number]]))
        return batch


def policy_summary(solution: PolicySolution) -> Summary:
    """What a trained policy is, from what its checkpoint says."""
    return Summary(
        title=solution.game.name,
        kind=solution.kind,
        settings=dict(solution.config),
        **solution.reached.values(),
    )
