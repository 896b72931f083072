"""Hand strength by two table look-ups.

A card's key adds up: the low 32 bits hold 5 ** rank, so that a sum tells how often each rank occurs (at most four
times), and the next 16 bits count the cards of each suit in nibbles. Of a sum of five to seven keys

1. a suit with five cards or more gives a flush: its 13-bit rank mask is the index of `flush`;
2. otherwise the rank part is hashed to a row and a column, and `strengths[column ^ displace[row]]` is the answer
   (a perfect hash: no two of the 73,775 rank multisets meet).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import kernel

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
ROW_SHIFT = np.uint64(51)  # 13 bits: rows
COLUMN_SHIFT = np.uint64(34)
COLUMN_MASK = np.uint64((1 << 17) - 1)
RANK_MASK = np.uint64(0xFFFFFFFF)
SUIT_SHIFT = np.uint64(32)
FIVE_OR_MORE = np.uint64(0x8888)  # a nibble of count + 3 has its top bit set from five on
PLUS_THREE = np.uint64(0x3333)


class EvaluatorTables(NamedTuple):
    """What the kernels look things up in."""

    card_key: np.ndarray  # uint64 [52]
    displace: np.ndarray  # uint32 [8192]
    strengths: np.ndarray  # uint16 [131072]
    flush: np.ndarray  # uint16 [8192], by rank mask


@kernel
def flush_suit(key):
    """The suit with five cards or more in a sum of keys, or -1."""
    found = ((key >> SUIT_SHIFT) + PLUS_THREE) & FIVE_OR_MORE
    if found == 0:
        return -1
    if found & np.uint64(0x0008):
        return 0
    if found & np.uint64(0x0080):
        return 1
    if found & np.uint64(0x0800):
        return 2
    return 3


@kernel
def rank_strength(key, tables):
    """The strength of a sum of keys without a flush."""
    mixed = (key & RANK_MASK) * MULTIPLIER
    column = (mixed >> COLUMN_SHIFT) & COLUMN_MASK
    return tables.strengths[column ^ np.uint64(tables.displace[mixed >> ROW_SHIFT])]


@kernel
def hand_strengths(cards, tables, out):
    """Strengths of many hands: cards uint8 [n, 5 to 7], out uint16 [n]."""
    n, width = cards.shape
    for i in range(n):
        key = np.uint64(0)
        for j in range(width):
            key += tables.card_key[cards[i, j]]
        suit = flush_suit(key)
        if suit < 0:
            out[i] = rank_strength(key, tables)
        else:
            mask = 0
            for j in range(width):
                if cards[i, j] & 3 == suit:
                    mask |= 1 << (cards[i, j] >> 2)
            out[i] = tables.flush[mask]


@kernel
def board_strengths(board, hands, tables, out):
    """Strengths of hands uint8 [n, 2] on one board uint8 [3 to 5]: out int32 [n], 0 = blocked."""
    base = np.uint64(0)
    taken = np.uint64(0)
    masks = np.zeros(4, np.int64)
    for c in board:
        base += tables.card_key[c]
        taken |= np.uint64(1) << np.uint64(c)
        masks[c & 3] |= 1 << (c >> 2)
    for i in range(hands.shape[0]):
        a, b = hands[i, 0], hands[i, 1]
        if (taken >> np.uint64(a)) & np.uint64(1) or (taken >> np.uint64(b)) & np.uint64(1):
            out[i] = 0
            continue
        key = base + tables.card_key[a] + tables.card_key[b]
        suit = flush_suit(key)
        if suit < 0:
            out[i] = rank_strength(key, tables)
        else:
            mask = masks[suit]
            if a & 3 == suit:
                mask |= 1 << (a >> 2)
            if b & 3 == suit:
                mask |= 1 << (b >> 2)
            out[i] = tables.flush[mask]
