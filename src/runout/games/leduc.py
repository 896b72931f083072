"""Leduc hold'em as OpenSpiel plays it: six cards, ante 1, two rounds, bets of 2 and 4, two raises a round.

Value to the first player: -0.0856064241. Player 0 acts first in both rounds; between them one card is turned up. A pair
with it wins, then the higher rank. Cards that differ only in suit are different cards: 936 information sets.
"""

from __future__ import annotations

from typing import NamedTuple

from runout.games.protocol import CHANCE, TERMINAL

DECK = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
BET = (2, 4)  # chips, by round
MAX_RAISES = 2  # a round, the opening bet included
ANTE = 1


class LeducState(NamedTuple):
    """Cards in the order dealt (player 0, player 1, board) and the tokens of each round, `("x", "b2", "c")`."""

    cards: tuple[str, ...]
    rounds: tuple[tuple[str, ...], ...]


class Leduc:
    """The rules of Leduc hold'em."""

    name = "leduc"
    ante = float(ANTE)

    def root(self) -> LeducState:
        return LeducState((), ((),))

    def player(self, state: LeducState) -> int:
        betting = state.rounds[-1]
        if betting and betting[-1] == "f":
            return TERMINAL
        closed = _closed(betting)
        if closed and len(state.rounds) == 2:
            return TERMINAL
        if len(state.cards) < 2 or closed:
            return CHANCE
        return len(betting) % 2

    def actions(self, state: LeducState) -> tuple[str, ...]:
        if self.player(state) == CHANCE:
            return tuple(card for card in DECK if card not in state.cards)
        size = BET[len(state.rounds) - 1]
        raises = _raises(state.rounds[-1])
        passive = ("fold", "call") if raises else ("check",)
        if raises == MAX_RAISES:
            return passive
        return (*passive, f"{'raise' if raises else 'bet'} {size * (raises + 1)}")

    def chance(self, state: LeducState) -> tuple[float, ...]:
        left = len(DECK) - len(state.cards)
        return (1 / left,) * left

    def next(self, state: LeducState, action: str) -> LeducState:
        if self.player(state) == CHANCE:
            rounds = state.rounds if len(state.cards) < 2 else (*state.rounds, ())
            return LeducState((*state.cards, action), rounds)
        token = {"check": "x", "call": "c", "fold": "f"}.get(action) or action[0] + action.split()[1]
        return LeducState(state.cards, (*state.rounds[:-1], (*state.rounds[-1], token)))

    def returns(self, state: LeducState) -> tuple[float, float]:
        paid = [ANTE, ANTE]
        for betting in state.rounds:
            street = [0, 0]
            for turn, token in enumerate(betting):
                if token == "c":
                    street[turn % 2] = max(street)
                elif token[0] in "br":
                    street[turn % 2] = int(token[1:])
            paid = [paid[0] + street[0], paid[1] + street[1]]
        last = state.rounds[-1]
        if last[-1] == "f":
            loser = (len(last) - 1) % 2
            won = float(paid[1] if loser == 1 else -paid[0])
        else:
            mine, theirs = (_strength(card, state.cards[2]) for card in state.cards[:2])
            won = float(paid[0] * ((mine > theirs) - (mine < theirs)))
        return won, -won

    def infoset(self, state: LeducState) -> str:
        return _text(state, self.player(state), 2)

    def describe(self, state: LeducState) -> str:
        return _text(state, self.player(state), 1)


def _raises(betting: tuple[str, ...]) -> int:
    return sum(token[0] in "br" for token in betting)


def _closed(betting: tuple[str, ...]) -> bool:
    return betting[-1:] == ("c",) or betting == ("x", "x")


def _strength(card: str, board: str) -> int:
    return "JQK".index(card[0]) + (3 if card[0] == board[0] else 0)


def _text(state: LeducState, player: int, width: int) -> str:
    """Own card and line, `Kh x-b2-c|Qs|x`; with `width` 1 without suits."""
    line = "-".join(state.rounds[0])
    if len(state.rounds) == 2:
        line += f"|{state.cards[2][:width]}|{'-'.join(state.rounds[1])}"
    return f"{state.cards[player][:width]} {line}".rstrip()
