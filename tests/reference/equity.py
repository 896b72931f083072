"""The slow, obvious twin of exact equity: every pair of hands, every run-out, one showdown at a time."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from reference.evaluator import best_rank
from runout.cards.hands import COMBO_CARDS


@lru_cache(maxsize=1 << 18)
def _rank(cards: frozenset[int]) -> tuple[int, list[int]]:
    return best_rank(cards)


def brute_force_equity(
    weights: tuple[np.ndarray, np.ndarray], board: list[int], dead: list[int]
) -> tuple[float, tuple[np.ndarray, np.ndarray]]:
    """The first side's equity and both sides' equity by combo (NaN where a hand meets no other)."""
    won = np.zeros((2, 1326))
    met = np.zeros((2, 1326))
    total = np.zeros(2)  # won by the first side, and dealt
    blocked = {*board, *dead}
    for i in np.flatnonzero(weights[0]):
        for j in np.flatnonzero(weights[1]):
            mine, theirs = {int(c) for c in COMBO_CARDS[i]}, {int(c) for c in COMBO_CARDS[j]}
            if mine & theirs or (mine | theirs) & blocked:
                continue
            deck = [c for c in range(52) if c not in blocked | mine | theirs]
            for more in combinations(deck, 5 - len(board)):
                shown = {*board, *more}
                a, b = _rank(frozenset(shown | mine)), _rank(frozenset(shown | theirs))
                result = 1.0 if a > b else 0.5 if a == b else 0.0
                won[0, i] += weights[1][j] * result
                won[1, j] += weights[0][i] * (1.0 - result)
                met[0, i] += weights[1][j]
                met[1, j] += weights[0][i]
                total += weights[0][i] * weights[1][j] * np.array([result, 1.0])
    hands = np.divide(won, met, out=np.full(won.shape, np.nan), where=met > 0)
    return total[0] / total[1], (hands[0], hands[1])
