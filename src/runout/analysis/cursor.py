"""A cursor over a solved postflop spot: what every hand does and is worth where the hand stands.

node.play("bet 94").play("call").deal("7c")      node.line == "b94-c|7c"
node.strategy("AsAh"), node.ev("AsAh"), node.equity("AsAh")

EVs at a node are shares of that node's pot in chips: the two add up to it, less rake.
"""

from __future__ import annotations

from functools import cached_property
from typing import overload

import numpy as np

from runout.analysis.hand_means import BY_CLASS, BY_COMBO, class_means, mean
from runout.analysis.position import CHANCE, DECISION, TERMINAL, Position
from runout.cards.equity import run_out_shares
from runout.cards.hands import hand_combos
from runout.errors import InputError
from runout.games.spot import PLAYER_NAMES

__all__ = ["CHANCE", "DECISION", "TERMINAL", "Node"]


class Node(Position):
    """A point of the hand, and what its hands do and are worth there."""

    # Strategy

    @overload
    def strategy(self, hand: str) -> dict[str, float]: ...
    @overload
    def strategy(self, hand: None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def strategy(self, hand: str | None = None, by: str = BY_COMBO) -> dict[str, float] | np.ndarray:
        """Probabilities by action of a hand ('AsAh', 'AKs'), or [actions, 1326] by combo or [actions, 169] by class."""
        if self.kind != DECISION:
            raise InputError(f"nobody acts after {self.line!r}: there is no strategy")
        found = self._gathered(self._strategy, self.player, hand, by)
        return dict(zip(self.actions, map(float, found), strict=True)) if hand is not None else found

    @cached_property
    def _strategy(self) -> np.ndarray:
        """float64 [actions, 1326] by combo on the table."""
        rows = self.place.strategy(self.index)
        return self.place.on_table(self.place.spread(self.state.player, rows))

    @property
    def frequencies(self) -> list[float]:
        """How often the player to act takes each action, over his whole range."""
        if self.kind != DECISION:
            return []
        return [float(x) for x in mean(self._strategy, self.weights(self.player))]

    # What hands are worth

    @overload
    def ev(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def ev(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def ev(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """Chips of this node's pot that a hand can expect; all hands by combo or class without one. NaN: not held."""
        return _plain(self._gathered(self._evs[self._side(player)], player, hand, by), hand)

    @overload
    def equity(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def equity(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def equity(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """Share of the pot when the hand is checked down from here, exact over all run-outs."""
        return _plain(self._gathered(self._equities[self._side(player)], player, hand, by), hand)

    @overload
    def eqr(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def eqr(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def eqr(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """Equity realised: EV over equity times the pot."""
        side = self._side(player)
        worth, share = (
            np.asarray(self._gathered(part[side], player, hand, by)) for part in (self._evs, self._equities)
        )
        return _plain(_ratio(worth, share * self.pot), hand)

    @overload
    def action_evs(self, hand: str) -> dict[str, float]: ...
    @overload
    def action_evs(self, hand: None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def action_evs(self, hand: str | None = None, by: str = BY_COMBO) -> dict[str, float] | np.ndarray:
        """EV after each action of the player to act, in chips of this node's pot; mixed as he plays it is `ev`."""
        if self.kind != DECISION:
            raise InputError(f"nobody acts after {self.line!r}: there are no actions")
        found = self._gathered(self._action_evs, self.player, hand, by)
        return dict(zip(self.actions, map(float, found), strict=True)) if hand is not None else found

    @property
    def evs(self) -> tuple[float, float]:
        """EV of OOP's and IP's whole ranges, in chips of this node's pot."""
        return self._both(self._evs)

    @property
    def equities(self) -> tuple[float, float]:
        """Equity of OOP's and IP's whole ranges."""
        return self._both(self._equities)

    @property
    def eqrs(self) -> tuple[float, float]:
        """Equity realised by OOP's and IP's whole ranges."""
        (first, second), (share, other) = self.evs, self.equities
        return float(_ratio(first, share * self.pot)), float(_ratio(second, other * self.pot))

    @cached_property
    def _evs(self) -> np.ndarray:
        """float64 [2, 1326] by combo on the table."""
        tree, found = self.tree, np.empty_like(self._reach)
        deciding = self.kind == DECISION
        slots = slice(int(tree.first_slot[self.index]), int(tree.first_slot[self.index + 1]))
        for side in range(2):
            if not deciding:
                rows = self.place.after(side, self.index, slice(self.slot, self.slot + 1))[0]
            else:
                rows = self.place.after(side, self.index, slots)
                mixed = rows * self.place.strategy(self.index) if side == self.state.player else rows
                rows = mixed.sum(axis=0, dtype=np.float64)
            found[side] = self._in_chips(side, rows)
        return found

    @cached_property
    def _action_evs(self) -> np.ndarray:
        first, last = int(self.tree.first_slot[self.index]), int(self.tree.first_slot[self.index + 1])
        rows = self.place.after(self.state.player, self.index, slice(first, last))
        return self._in_chips(self.state.player, rows)

    def _in_chips(self, side: int, rows: np.ndarray) -> np.ndarray:
        """Solver's values [..., h] as EVs by combo on the table: means over opponents, own chips in the pot counted."""
        gains = self.place.spread(side, rows)
        start = self.solution.spot.pot / 2 + self.state.spent[side]
        return self.place.on_table(_ratio(gains, self._met[side]) + start)

    @cached_property
    def _equities(self) -> np.ndarray:
        """float64 [2, 1326] by combo on the table."""
        possible = np.stack([self.possible(name) for name in PLAYER_NAMES])
        live = np.flatnonzero(possible.any(axis=0))
        share, deals, _ = run_out_shares(self.place.on_table(self._reach), live, self.cards)
        return np.where(possible, _ratio(share, self.place.on_table(self._met) * deals), np.nan)

    # How numbers are handed out

    def _both(self, values: np.ndarray) -> tuple[float, float]:
        first, second = (float(mean(values[side], self.weights(name))) for side, name in enumerate(PLAYER_NAMES))
        return first, second

    def _gathered(self, values: np.ndarray, player: str | None, hand: str | None, by: str) -> np.ndarray:
        """values [..., 1326] as they are asked for."""
        if hand is not None:
            combos = hand_combos(hand)
            return mean(values[..., combos], self.weights(player)[combos])
        if by not in (BY_COMBO, BY_CLASS):
            raise InputError(f"unknown grouping {by!r}: use 'combo' or 'class'")
        return values if by == BY_COMBO else class_means(values, self.weights(player))


def _plain(found: np.ndarray, hand: str | None) -> float | np.ndarray:
    return float(found) if hand is not None else found


def _ratio(above: np.ndarray | float, below: np.ndarray | float) -> np.ndarray:
    """NaN where there is nothing to divide by."""
    below = np.broadcast_to(below, np.broadcast_shapes(np.shape(above), np.shape(below)))
    return np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
