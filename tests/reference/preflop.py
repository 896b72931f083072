"""Preflop CFR+ and best responses as they are read in a textbook: a recursion over betting states, line by line.

Deals are counted combo by combo here, and nothing of the flat tree, the kernels or the class tables is used.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from runout.cards.equity169 import combo_equity_table
from runout.cards.hands import COMBO_CLASS, disjoint_combos
from runout.games.betting import BETTING, FOLDED, PREFLOP, Action, BettingState
from runout.games.preflop import BIG_BLIND, WORDING, Preflop

BB, SB = 0, 1


@cache
def deals() -> tuple[np.ndarray, np.ndarray]:
    """[169, 169] each: odds of two classes being dealt, and the row's equity times those odds."""
    member = (COMBO_CLASS[:, None] == np.arange(169)[None, :]).astype(float)
    apart = disjoint_combos().astype(float)
    odds = member.T @ apart @ member
    won = member.T @ (combo_equity_table() * apart) @ member
    return odds / apart.sum(), won / apart.sum()


def end_value(game: Preflop, state: BettingState, player: int, opponent: np.ndarray) -> np.ndarray:
    """[169]: what the end of a hand is worth to each class of `player`, opponent and chance weighed in."""
    odds, won = deals()
    if state.status == FOLDED:
        return state.returns()[player] / BIG_BLIND * (odds @ opponent)
    pot = state.pot / BIG_BLIND
    pot -= game.rake.of(pot)
    return pot * (won @ opponent) - state.spent[player] / BIG_BLIND * (odds @ opponent)


def extended(line: str, action: Action, player: int) -> str:
    return f"{line} {WORDING.token(action, PREFLOP, player)}".strip()


class Twin:
    """CFR+ with alternating updates and linear averages, big blind first."""

    def __init__(self, game: Preflop) -> None:
        self.game = game
        self.regrets: dict[str, np.ndarray] = {}
        self.sums: dict[str, np.ndarray] = {}
        self.t = 0

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            self.t += 1
            for player in (BB, SB):
                self._walk(self.game.start(), "", player, np.ones(169), np.ones(169))

    def current(self, line: str, actions: int) -> np.ndarray:
        positive = np.maximum(self.regrets.get(line, np.zeros((actions, 169))), 0)
        total = positive.sum(axis=0)
        return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / actions)

    def average(self, line: str) -> np.ndarray:
        sums = self.sums[line]
        total = sums.sum(axis=0)
        return np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / len(sums))

    def _walk(self, state: BettingState, line: str, player: int, own: np.ndarray, other: np.ndarray) -> np.ndarray:
        if state.status != BETTING:
            return end_value(self.game, state, player, other)
        menu = self.game.menu(state)
        mix = self.current(line, len(menu))
        after = [(state.act(action), extended(line, action, state.player)) for action in menu]
        if state.player != player:
            return sum(self._walk(*one, player, own, other * mix[a]) for a, one in enumerate(after))
        values = np.array([self._walk(*one, player, own * mix[a], other) for a, one in enumerate(after)])
        worth = (mix * values).sum(axis=0)
        self.regrets[line] = np.maximum(self.regrets.get(line, np.zeros_like(values)), 0) + values - worth
        self.sums[line] = self.sums.get(line, np.zeros_like(values)) + self.t * own * mix
        return worth


def value(game: Preflop, strategy: dict[str, np.ndarray], player: int, best: bool) -> float:
    """Value of the game to `player`, playing its part of `strategy` or a best response, in big blinds."""

    def walk(state: BettingState, line: str, other: np.ndarray) -> np.ndarray:
        if state.status != BETTING:
            return end_value(game, state, player, other)
        mix, menu = strategy[line], game.menu(state)
        after = [(state.act(action), extended(line, action, state.player)) for action in menu]
        if state.player != player:
            return sum(walk(*one, other * mix[a]) for a, one in enumerate(after))
        values = np.array([walk(*one, other) for one in after])
        return values.max(axis=0) if best else (mix * values).sum(axis=0)

    return float(walk(game.start(), "", np.ones(169)).sum())
