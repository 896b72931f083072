"""Where a cursor stands in a solved spot: line, board, chips and ranges, and the moves from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from runout.analysis.hand_means import class_means, compatible
from runout.analysis.places import Place
from runout.cards.cards import card, card_name
from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.betting import IP, OOP, STREET_NAMES, Action, BettingState
from runout.games.lines import action_name, join_line, parse_action, same_action, token
from runout.games.spot import PLAYER_NAMES
from runout.games.tree import TO_CHANCE, TO_FOLD, TO_NODE, TO_RUNOUT, StreetTree

if TYPE_CHECKING:
    from runout.analysis.postflop import Solution

DECISION, CHANCE, TERMINAL = "decision", "chance", "terminal"


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """Where a hand stands: a decision, a deal to come, or the end. Immutable; moves give a new one."""

    solution: Solution
    place: Place
    state: BettingState
    cards: tuple[int, ...]  # on the table, in the order in which they came
    child_kind: int = TO_NODE  # TO_NODE, TO_CHANCE, TO_FOLD, ...
    index: int = 0  # decision: its number in the street's tree; else that of the decision before
    slot: int = -1  # the action of the decision before that led here; -1 where a street begins
    words: tuple[tuple[str, ...], ...] = ((),)  # tokens by street
    dealt: tuple[str, ...] = ()
    before: Self | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.line!r}, {self.kind} on {' '.join(self.board)}, pot {self.pot})"

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

    def play(self, action: str) -> Self:
        """The node after an action: 'bet 94', 'b94', 'call', 'c', 'all-in', ..."""
        if self.kind != DECISION:
            what = "deal a card first" if self.kind == CHANCE else "the hand is over"
            raise InputError(f"nobody can {action!r} after {self.line!r}: {what}")
        wanted = parse_action(action)
        for number, own in enumerate(self.menu):
            if same_action(own, wanted):
                return self._after(number)
        raise InputError(f"no action {action!r} after {self.line or 'the start'!r}: use {', '.join(self.actions)}")

    def _after(self, number: int) -> Self:
        tree, action = self.tree, self.menu[number]
        slot = int(tree.first_slot[self.index]) + number
        kind = int(tree.child_kind[slot])
        index = int(tree.child[slot]) if kind == TO_NODE else self.index
        words = (*self.words[:-1], (*self.words[-1], token(action)))
        return replace(
            self, state=self.state.act(action), child_kind=kind, index=index, slot=slot, words=words, before=self
        )

    def deal(self, name: str) -> Self:
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

    def back(self) -> Self:
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

    def _side(self, player: str | None) -> int:
        if player is None:
            if self.player is None:
                raise InputError(f"nobody acts after {self.line!r}: say which player is meant, 'oop' or 'ip'")
            return self.state.player
        if player not in PLAYER_NAMES:
            raise InputError(f"unknown player {player!r}: use 'oop' or 'ip'")
        return PLAYER_NAMES.index(player)
