"""Deals drawn at random, and how often the better of two final hands falls in each class."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inlined, kernel
from runout.kernels.evaluator import board_strengths
from runout.kernels.holdem import strength

CARDS = 9
STEP = np.uint64(0x9E3779B97F4A7C15)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)  # two numbers of 32 bits in 64 random bits


@inlined
def mixed(z):
    """64 random bits of a state of a SplitMix64 generator."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def draw_one(generator, deck, flop, deals, i):
    """Row i of deals uint8 [n, 9]: cards of deck uint8 [cards], all alike; flop uint8 [0 or 3], none of deck, as it is.

    The first steps of a shuffle; it may start from any order, so the deck is left as it is for the next deal.
    """
    state, bits = generator[0], np.uint64(0)
    size, held = np.uint64(deck.shape[0]), np.uint64(CARDS - flop.shape[0])
    for k in range(held):
        if k & np.uint64(1):
            bits >>= _HALF
        else:
            state += STEP
            bits = mixed(state)
        other = k + (((bits & _LOW) * (size - k)) >> _HALF)
        card = deck[other]
        deck[other] = deck[k]
        deck[k] = card
        deals[i, k if k < 4 else k + np.uint64(flop.shape[0])] = card
    for k in range(flop.shape[0]):
        deals[i, 4 + k] = flop[k]
    generator[0] = state


@inlined
def _class(deals, i, shown, tables, category):
    """The class of the better of both hands."""
    return category[max(strength(deals, i, 0, shown, tables), strength(deals, i, 2, shown, tables))]


@kernel
def draw(generator, deck, flop, deals):
    """Fill deals uint8 [n, 9]; deck uint8 [cards] is shuffled."""
    for i in range(deals.shape[0]):
        draw_one(generator, deck, flop, deals, i)


@kernel
def first_bad(deals, flop):
    """The first of deals uint8 [n, 9] that holds a card twice, one that is none, or another flop; -1 where all do."""
    wanted = np.uint64(0)
    for card in flop:
        wanted |= np.uint64(1) << np.uint64(card)
    for i in range(deals.shape[0]):
        taken, shown, most = np.uint64(0), np.uint64(0), np.uint8(0)
        for j in range(CARDS):
            bit = np.uint64(1) << np.uint64(deals[i, j] & 63)
            most = max(most, deals[i, j])
            repeated = taken & bit
            taken |= bit
            if 4 <= j < 7:
                shown |= bit
            if repeated:
                return i
        if most >= 52 or (flop.shape[0] and shown != wanted):
            return i
    return -1


@kernel
def classes(deals, shown, tables, category, out):
    """The class of each deal: out uint8 [n]; category uint8 [strengths]."""
    for i in range(deals.shape[0]):
        out[i] = _class(deals, i, shown, tables, category)


@kernel
def draw_missing(generator, deck, flop, missing, most, shown, tables, category, deals):
    """Fill deals uint8 [sum of missing, 9] with deals of the classes that are missing int64 [classes], counted down.

    Others are thrown away, `most` of them at the most. Returns how many were found and how many thrown away.
    """
    found, rejected = 0, 0
    while found < deals.shape[0] and rejected < most:
        draw_one(generator, deck, flop, deals, found)
        drawn = _class(deals, found, shown, tables, category)
        if missing[drawn] > 0:
            missing[drawn] -= 1
            found += 1
        else:
            rejected += 1
    return found, rejected


@kernel
def count_classes(boards, counts, hands, tables, category, out):
    """Add up, over boards uint8 [b, 3 to 5] that stand for counts int64 [b], the ordered pairs of disjoint hands whose
    better one is of each class: out int64 [classes]."""
    n = hands.shape[0]
    values = np.empty(n, np.int32)
    total = np.zeros(out.shape[0], np.int64)
    by_card = np.zeros((out.shape[0], 52), np.int64)
    for b in range(boards.shape[0]):
        board_strengths(boards[b], hands, tables, values)
        total[:] = 0
        by_card[:] = 0
        for i in range(n):
            if values[i] > 0:
                c = category[values[i]]
                total[c] += 1
                by_card[c, hands[i, 0]] += 1
                by_card[c, hands[i, 1]] += 1
        below = 0  # pairs of which neither is better than the class before
        for c in range(out.shape[0]):
            if c > 0:
                total[c] += total[c - 1]
            pairs = total[c] * total[c] + total[c]  # a hand with itself is taken off twice, once a card
            for card in range(52):
                if c > 0:
                    by_card[c, card] += by_card[c - 1, card]
                pairs -= by_card[c, card] * by_card[c, card]
            out[c] += (pairs - below) * counts[b]
            below = pairs
