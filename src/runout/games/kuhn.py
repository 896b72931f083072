"""Kuhn poker: three cards, one each, ante 1, one bet of 1. Value to the first player: -1/18.

Its equilibria are known in closed form: the first player bluffs the jack with some probability alpha of at most 1/3 and
bets the king three times as often; the second player has one strategy.
"""

from __future__ import annotations

from typing import NamedTuple

from runout.games.protocol import CHANCE, TERMINAL

RANKS = "JQK"
OVER = {"x-x", "x-b-f", "x-b-c", "b-f", "b-c"}
TOKENS = {"check": "x", "bet": "b", "fold": "f", "call": "c"}


class KuhnState(NamedTuple):
    """Cards dealt so far ("", "K", "KJ") and the line of betting ("x-b")."""

    cards: str
    line: str


class Kuhn:
    """The rules of Kuhn poker."""

    name = "kuhn"
    ante = 1.0

    def root(self) -> KuhnState:
        return KuhnState("", "")

    def player(self, state: KuhnState) -> int:
        if len(state.cards) < 2:
            return CHANCE
        if state.line in OVER:
            return TERMINAL
        return 1 if state.line in ("x", "b") else 0

    def actions(self, state: KuhnState) -> tuple[str, ...]:
        if len(state.cards) < 2:
            return tuple(rank for rank in RANKS if rank not in state.cards)
        return ("fold", "call") if state.line.endswith("b") else ("check", "bet")

    def chance(self, state: KuhnState) -> tuple[float, ...]:
        left = len(RANKS) - len(state.cards)
        return (1 / left,) * left

    def next(self, state: KuhnState, action: str) -> KuhnState:
        if len(state.cards) < 2:
            return KuhnState(state.cards + action, "")
        token = TOKENS[action]
        return KuhnState(state.cards, f"{state.line}-{token}" if state.line else token)

    def returns(self, state: KuhnState) -> tuple[float, float]:
        if state.line.endswith("f"):
            won = 1.0 if state.line == "b-f" else -1.0
        else:
            stake = 2.0 if state.line.endswith("c") else 1.0
            won = stake if RANKS.index(state.cards[0]) > RANKS.index(state.cards[1]) else -stake
        return won, -won

    def infoset(self, state: KuhnState) -> str:
        return f"{state.cards[self.player(state)]} {state.line}".rstrip()

    def describe(self, state: KuhnState) -> str:
        return self.infoset(state)
