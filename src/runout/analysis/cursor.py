"""A cursor over a solved postflop spot: where the hand stands, and what every hand does and is worth there.

node.play("bet 94").play("call").deal("7c")      node.line == "b94-c|7c"
node.strategy("AsAh"), node.ev("AsAh"), node.equity("AsAh")

EVs at a node are shares of that node's pot in chips: the two add up to it, less rake.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from runout.analysis.hand_means import BY_CLASS, BY_COMBO, class_means, compatible, mean
from runout.analysis.places import Place
from runout.cards.cards import card, card_name
from runout.cards.equity import run_out_shares
from runout.cards.hands import COMBO_CARDS, COMBOS, hand_combos
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.betting import IP, OOP, STREET_NAMES, Action, BettingState
from runout.games.lines import action_name, join_line, parse_action, token
from runout.games.spot import PLAYER_NAMES
from runout.games.tree import TO_CHANCE, TO_FOLD, TO_NODE, TO_RUNOUT, StreetTree, same_action

if TYPE_CHECKING:
    from runout.analysis.postflop import Solution

DECISION, CHANCE, TERMINAL = "decision", "chance", "terminal"


@dataclass(frozen=True, eq=False, repr=False)
class Node:
    """A point of the hand: a decision, a deal to come, or the end. Immutable; moves give a new one."""

    solution: Solution
    place: Place
    state: BettingState
    cards: tuple[int, ...]  # on the table, in the order in which they came
    child_kind: int = TO_NODE  # TO_NODE, TO_CHANCE, TO_FOLD, ...
    index: int = 0  # decision: its number in the street's tree; else that of the decision before
    slot: int = -1  # the action of the decision before that led here; -1 where a street begins
    words: tuple[tuple[str, ...], ...] = ((),)  # tokens by street
    dealt: tuple[str, ...] = ()
    before: Node | None = None

    def __repr__(self) -> str:
        return f"Node({self.line!r}, {self.kind} on {' '.join(self.board)}, pot {self.pot})"

    # Where it is

    @property
    def kind(self) -> str:
        """'decision', 'chance' (a card is to come) or 'terminal'."""
        return {TO_NODE: DECISION, TO_CHANCE: CHANCE}.get(self.child_kind, TERMINAL)

    @property
    def ending(self) -> str | None:
        """How the hand ended: 'fold', 'showdown' or 'run-out' (all-in before the river); None elsewhere."""
        if self.kind != TERMINAL:
            return None
        return {TO_FOLD: "fold", TO_RUNOUT: "run-out"}.get(self.child_kind, "showdown")

    @property
    def line(self) -> str:
        """The address of this node, `x-b94-c|Ah|x`; a deal to come is not part of it."""
        return join_line(self.words, self.dealt)

    @property
    def board(self) -> list[str]:
        """The cards on the table."""
        return [card_name(c) for c in self.cards]

    @property
    def street(self) -> str:
        return STREET_NAMES[self.state.street]

    @property
    def player(self) -> str | None:
        """Who is to act, 'oop' or 'ip'; None where nobody is."""
        return PLAYER_NAMES[self.state.player] if self.kind == DECISION else None

    @property
    def pot(self) -> int:
        """Chips in the middle, bets of this street included."""
        return self.state.pot

    @property
    def stacks(self) -> tuple[int, int]:
        """Chips that OOP and IP have behind."""
        return self.state.behind(OOP), self.state.behind(IP)

    @property
    def to_call(self) -> int:
        return self.state.to_call if self.kind == DECISION else 0

    @property
    def resolved(self) -> bool:
        """Whether this is a river that was left out of the file and has been solved again to be looked at."""
        return self.place.resolved

    @property
    def tree(self) -> StreetTree:
        return self.solution.game.tree.streets[len(self.words) - 1]

    @cached_property
    def menu(self) -> list[Action]:
        """The actions as kinds and amounts."""
        return self.tree.actions(self.index) if self.kind == DECISION else []

    @property
    def actions(self) -> list[str]:
        """What the player to act can do: ['check', 'bet 94']."""
        return [action_name(action) for action in self.menu]

    @property
    def deals(self) -> list[str]:
        """The cards that can come; empty but at a chance node."""
        return [card_name(c) for c in range(52) if c not in self.cards] if self.kind == CHANCE else []

    # Moves

    def play(self, action: str) -> Node:
        """The node after an action: 'bet 94', 'b94', 'call', 'c', 'all-in', ..."""
        if self.kind != DECISION:
            what = "deal a card first" if self.kind == CHANCE else "the hand is over"
            raise InputError(f"nobody can {action!r} after {self.line!r}: {what}")
        wanted = parse_action(action)
        for number, own in enumerate(self.menu):
            if same_action(own, wanted):
                return self._after(number)
        raise InputError(f"no action {action!r} after {self.line or 'the start'!r}: use {', '.join(self.actions)}")

    def _after(self, number: int) -> Node:
        tree, action = self.tree, self.menu[number]
        slot = int(tree.first_slot[self.index]) + number
        kind = int(tree.child_kind[slot])
        index = int(tree.child[slot]) if kind == TO_NODE else self.index
        words = (*self.words[:-1], (*self.words[-1], token(action)))
        return replace(
            self, state=self.state.act(action), child_kind=kind, index=index, slot=slot, words=words, before=self
        )

    def deal(self, name: str) -> Node:
        """The node after a card comes."""
        if self.kind != CHANCE:
            why = "betting is not over" if self.kind == DECISION else "the hand is over"
            raise InputError(f"no card {name!r} can come after {self.line or 'the start'!r}: {why}")
        dealt = card(name)
        if dealt in self.cards:
            raise InputError(
                f"card {card_name(dealt)} is on the board {' '.join(self.board)} already: deal another one"
            )
        return self.solution.after_deal(self, dealt)

    def back(self) -> Node:
        """The node before the last action or deal; the root itself at the root."""
        return self.before or self

    # Reach

    @cached_property
    def _reach(self) -> np.ndarray:
        """float64 [2, 1326] by solved combo."""
        if self.before is None:
            return self.solution.game.weights
        if self.before.kind == CHANCE:
            reach = self.before._reach
            if self.resolved:
                reach, new = self.before.place.on_table(reach), self.cards[-1]
            else:
                new = int(self.place.game.boards[self.place.street].cards[self.place.board, -1])
            return np.where(np.isin(COMBO_CARDS, new).any(axis=1), 0.0, reach)
        actor, reach = self.before.state.player, self.before._reach.copy()
        number = self.slot - int(self.tree.first_slot[self.before.index])
        reach[actor] *= self.place.spread(actor, self.place.strategy(self.before.index)[number], 0.0)
        return reach

    @cached_property
    def _met(self) -> np.ndarray:
        """float64 [2, 1326] by solved combo: the opponent's reach that each combo can meet."""
        return compatible(self._reach)

    def reach(self, player: str | None = None) -> np.ndarray:
        """float64 [1326]: weight in the starting range times the probability of the player's own actions so far."""
        return self.place.on_table(self._reach[self._side(player)])

    def range(self, player: str | None = None) -> Range:
        """The player's range here."""
        return Range(np.clip(self.reach(player), 0.0, 1.0))

    def possible(self, player: str | None = None) -> np.ndarray:
        """bool [1326]: hands of the starting range that the board leaves; their reach may have come down to 0."""
        side = self._side(player)
        return self.place.on_table(self.place.spread(side, np.ones(len(self.place.hands[side])), 0.0)) > 0

    def class_reach(self, player: str | None = None) -> np.ndarray:
        """float64 [169]: the mean reach of the combos of each class that the board leaves; NaN where it leaves none."""
        blocked = np.isin(COMBO_CARDS, self.cards).any(axis=1)
        return class_means(np.where(blocked, np.nan, self.reach(player)), np.zeros(COMBOS))

    def weights(self, player: str | None = None) -> np.ndarray:
        """float64 [1326]: what each hand weighs in means over the range, its reach times what it can meet."""
        side = self._side(player)
        return self.place.on_table(self._reach[side] * self._met[side])

    @cached_property
    def deal_weight(self) -> float:
        """The weight of all pairs of hands here; over that of the root it is the probability of the line's actions."""
        return float(self._reach[0] @ self._met[0])

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

    def _side(self, player: str | None) -> int:
        if player is None:
            if self.player is None:
                raise InputError(f"nobody acts after {self.line!r}: say which player is meant, 'oop' or 'ip'")
            return self.state.player
        if player not in PLAYER_NAMES:
            raise InputError(f"unknown player {player!r}: use 'oop' or 'ip'")
        return PLAYER_NAMES.index(player)

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
