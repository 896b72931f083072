"""What a network is shown of a hand in Flop Hold'em: one row for a hand and a flop, or for a hand before the flop.

Betting is not among the numbers: the network answers for every betting node at once, so a board needs one row per hand.
Since no card follows the flop, the numbers say outright how strong the hand is among all hands there; ranks and suits
say which hands the players are likely to hold and which are blocked. Every number is 0 to 1, kept in a byte.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.equity169 import equity_vs_random
from runout.cards.evaluator import strength_categories, strengths
from runout.cards.hands import CLASS_NAMES, COMBO_CARDS, COMBO_CLASS

RANKS = 13
HATS = 33  # hat functions over the share of hands that are weaker
PREFLOP_HATS = 17
HAND = 2 * RANKS + 2  # high and low rank, suited, pair
FLOP_SIZE = HAND + 3 * RANKS + RANKS + 3 + 3 + 9 + HATS + 1
PREFLOP_SIZE = HAND + PREFLOP_HATS + 1
FULL = 255.0


def flop_rows(flop: np.ndarray, combos: np.ndarray, deck: Sequence[int] = range(52)) -> np.ndarray:
    """uint8 [n, FLOP_SIZE] of one flop uint8 [3] and hands int64 [n] of the deck that it does not block."""
    out = np.zeros((len(combos), FLOP_SIZE), np.float32)
    cards = COMBO_CARDS[combos].astype(np.int64)
    at = hand_columns(cards, out)
    ranks = np.sort(flop.astype(np.int64) // 4)[::-1]
    for rank in ranks:
        out[:, at + rank] = 1
        at += RANKS
    for rank in ranks:  # which of the hand's ranks pair the board, and how often
        out[:, at + rank] += (cards // 4 == rank).sum(axis=1) / 2
    at += RANKS
    suits = np.bincount(flop % 4, minlength=4)
    out[:, at + suits.max() - 1] = 1
    at += 3
    held = (cards % 4 == int(suits.argmax())).sum(axis=1) if suits.max() > 1 else np.zeros(len(cards), np.int64)
    out[np.arange(len(cards)), at + held] = 1
    at += 3
    strength = _strengths(flop, cards)
    out[np.arange(len(cards)), at + strength_categories()[strength]] = 1
    at += 9
    held_by = COMBO_CARDS[np.isin(COMBO_CARDS, [c for c in deck if c not in set(flop.tolist())]).all(axis=1)]
    order = np.sort(_strengths(flop, held_by))
    below, above = np.searchsorted(order, strength, "left"), np.searchsorted(order, strength, "right")
    share = (below + above) / (2 * len(order))
    at = hat_columns(share, HATS, out, at)
    out[:, at] = share
    return as_bytes(out)


def _strengths(flop: np.ndarray, cards: np.ndarray) -> np.ndarray:
    return strengths(np.concatenate([np.broadcast_to(flop, (len(cards), 3)), cards], axis=1).astype(np.uint8))


def preflop_rows(classes: np.ndarray | None = None) -> np.ndarray:
    """uint8 [n, PREFLOP_SIZE] of classes int64 [n]; of all 169 without them."""
    classes = np.arange(len(CLASS_NAMES)) if classes is None else classes
    out = np.zeros((len(classes), PREFLOP_SIZE), np.float32)
    first = np.unique(COMBO_CLASS, return_index=True)[1]
    at = hand_columns(COMBO_CARDS[first[classes]].astype(np.int64), out)
    equity = equity_vs_random()[classes]
    order = np.sort(equity_vs_random())
    share = np.searchsorted(order, equity, "left") / (len(order) - 1)
    at = hat_columns(share, PREFLOP_HATS, out, at)
    out[:, at] = share
    return as_bytes(out)


def hand_columns(cards: np.ndarray, out: np.ndarray) -> int:
    """Ranks, suited and pair of hole cards [n, 2]; the column after them."""
    ranks, rows = np.sort(cards // 4, axis=1), np.arange(len(cards))
    out[rows, ranks[:, 1]] = 1
    out[rows, RANKS + ranks[:, 0]] = 1
    out[:, 2 * RANKS] = cards[:, 0] % 4 == cards[:, 1] % 4
    out[:, 2 * RANKS + 1] = ranks[:, 0] == ranks[:, 1]
    return HAND


def hat_columns(share: np.ndarray, count: int, out: np.ndarray, at: int) -> int:
    """Hat functions at even distances, of which at most two are not zero: a piecewise linear scale."""
    out[:, at : at + count] = np.maximum(0, 1 - np.abs(share[:, None] * (count - 1) - np.arange(count)))
    return at + count


def as_bytes(rows: np.ndarray) -> np.ndarray:
    return np.rint(rows * FULL).astype(np.uint8)
