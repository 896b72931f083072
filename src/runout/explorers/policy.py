"""Views of a trained hold'em policy, a table or networks: strategy and reach of every hand; no EVs, exact equities.

A policy that is a mixture is shown as an observer sees it: its parts weighed by their odds and by what the player's own
actions under each leave of the hand (`cursors.mixtures`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.cursors.hand_means import compatible
from runout.cursors.mixtures import deck_hands, first_reach, mixed, part_probabilities, public_deal
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.view import DECISION, HandsView, Summary
from runout.explorers.holdem_views import HoldemExplorer, equities, free_combos
from runout.explorers.parts import combo_hands, summary_of
from runout.explorers.remembered import Remembered
from runout.games.holdem_batch import HoldemBatch
from runout.games.points import Point
from runout.solutions.reached import Reached

_KEPT = 128  # points whose ranges are remembered


@dataclass(frozen=True, eq=False)
class _Standing:
    """What the policy does at a point."""

    reach: np.ndarray  # float64 [2, parts, 1326], odds of parts included
    parts: np.ndarray | None  # float64 [parts, 1326, slots] of the player to act; None where nobody is


class PolicyExplorer(HoldemExplorer):
    """A `view.Explorer` of a `PolicySolution`."""

    def __init__(self, solution: PolicySolution) -> None:
        self.solution, self.policy = solution, solution.policy
        self._dealt = deck_hands(solution.game)
        self._standing = Remembered(self._found, _KEPT)
        super().__init__(solution.game)

    @property
    def summary(self) -> Summary:
        one = self.solution
        return summary_of(one.kind, dict(one.config), one.reached, one.game.name)

    def _reached(self) -> Reached:
        return self.solution.reached

    def _hands(self, point: Point) -> tuple[HandsView, HandsView]:
        reach = self._reach(point)
        met = compatible(reach)
        live = self._dealt & free_combos(point.board)
        shares = equities(reach, met, live, point.board, self.shown, self.lines.deck)
        return self._side(point, 0, reach, met, shares[0]), self._side(point, 1, reach, met, shares[1])

    def _actor(self, point: Point) -> HandsView:
        reach = self._reach(point)
        return self._side(point, point.state.player, reach, compatible(reach))

    def _side(
        self, point: Point, side: int, reach: np.ndarray, met: np.ndarray, equity: np.ndarray | None = None
    ) -> HandsView:
        held = np.flatnonzero(self._dealt & free_combos(point.board))[::-1]
        acts = point.kind == DECISION and point.state.player == side
        mix = self._strategy(point) if acts else None
        player = self.lines.wording.players[side]
        return combo_hands(player, held, point.board, reach[side], met[side], mix, equity=equity)

    def _reach(self, point: Point) -> np.ndarray:
        """float64 [2, 1326]."""
        return np.asarray(self._standing(point).reach.sum(axis=1))

    def _strategy(self, point: Point) -> np.ndarray | None:
        """float64 [actions, 1326] of the player to act; NaN for hands that do not get here."""
        standing = self._standing(point)
        if standing.parts is None:
            return None
        own = standing.reach[point.state.player]
        rows = mixed(own[None], standing.parts[None])[0][:, self._slots(point)].T
        return np.where(own.sum(axis=0) > 0, rows, np.nan)

    def _slots(self, point: Point) -> list[int]:
        return list(self.game.slots(point.state))

    def _found(self, point: Point) -> _Standing:
        if point.before is None:
            own = first_reach(self.policy, 1)[0]
            reach = np.stack([own, own])
        else:
            before = self._standing(point.before)
            reach = before.reach.copy()
            if point.number >= 0 and before.parts is not None:
                slot = self._slots(point.before)[point.number]
                reach[point.before.state.player] *= before.parts[..., slot]
        reach = reach * (self._dealt & free_combos(point.board))
        if point.kind != DECISION:
            return _Standing(reach, None)
        asked = part_probabilities(self.policy, self._batch(point), reach[point.state.player][None])
        return _Standing(reach, asked[0])

    def _batch(self, point: Point) -> HoldemBatch:
        """One hand played to the point; its hole cards mean nothing."""
        batch = HoldemBatch(self.game, public_deal(self.game, point.board)[None])
        for at in point.path[1:]:
            if at.number >= 0 and at.before is not None:
                batch.act(np.array([self._slots(at.before)[at.number]]))
        return batch
