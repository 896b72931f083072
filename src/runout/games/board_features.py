"""What a network is shown of a hand on a board: one row for a hand and three to five open cards.

Strength (the share of hands that it beats now), potential (the mean of its strength over all run-outs, and of its
square, which is higher for a draw than for a made hand), the category that it makes, ranks, how they pair the board,
and suits as far as a flush may come of them. Betting is not among the numbers. Every number is 0 to 1, kept in a byte.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.evaluator import strength_categories, strengths
from runout.cards.hand_strengths import HandStrengths
from runout.cards.hands import COMBO_CARDS
from runout.games.flop_features import HAND, HATS, RANKS, as_bytes, hand_columns, hat_columns

CATEGORIES, SUITED, HELD = 9, 5, 3
MORE_HATS = 17
BOARD_SIZE = HAND + 3 * RANKS + SUITED + HELD + CATEGORIES + (HATS + 1) + 2 * (MORE_HATS + 1)


class BoardFeatures:
    """Rows of one deck; the run-outs of its boards are worked out once and kept in the cache."""

    def __init__(self, deck: Sequence[int]) -> None:
        self._cards = np.array(sorted(deck), np.uint8)
        self._hands = np.flatnonzero(np.isin(COMBO_CARDS, self._cards).all(axis=1))
        self._potential = HandStrengths(deck)

    def rows(self, board: np.ndarray, combos: np.ndarray) -> np.ndarray:
        """uint8 [n, BOARD_SIZE] of a board uint8 [3 to 5] and hands int64 [n] that it does not block."""
        out = np.zeros((len(combos), BOARD_SIZE), np.float32)
        cards, each = COMBO_CARDS[combos].astype(np.int64), np.arange(len(combos))
        at = hand_columns(cards, out)
        counts = np.bincount(board // 4, minlength=RANKS)
        out[:, at : at + RANKS] = counts > 0
        out[:, at + RANKS : at + 2 * RANKS] = counts > 1
        at += 2 * RANKS
        for card in range(2):  # which of the hand's ranks pair the board
            out[each, at + cards[:, card] // 4] += (counts[cards[:, card] // 4] > 0) / 2
        at += RANKS
        suits = np.bincount(board % 4, minlength=4)
        out[:, at + suits.max() - 1] = 1
        at += SUITED
        most = int(suits.argmax())
        held = (cards % 4 == most).sum(axis=1) if suits[most] > 1 else np.zeros(len(cards), np.int64)
        out[each, at + held] = 1
        at += HELD
        strength = _on(board, cards)
        out[each, at + strength_categories()[strength]] = 1
        at += CATEGORIES
        free = self._hands[~np.isin(COMBO_CARDS[self._hands], board).any(axis=1)]
        order = np.sort(_on(board, COMBO_CARDS[free].astype(np.int64)))
        below, above = np.searchsorted(order, strength, "left"), np.searchsorted(order, strength, "right")
        share = (below + above) / (2 * len(order))
        mean, square = (share, share) if len(board) == 5 else self._potential.of(board, combos)
        for values, hats in ((share, HATS), (mean, MORE_HATS), (square, MORE_HATS)):
            at = hat_columns(values, hats, out, at)
            out[:, at] = values
            at += 1
        return as_bytes(out)


def _on(board: np.ndarray, cards: np.ndarray) -> np.ndarray:
    return strengths(np.concatenate([np.broadcast_to(board, (len(cards), len(board))), cards], axis=1).astype(np.uint8))
