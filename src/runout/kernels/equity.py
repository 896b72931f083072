"""Equity by enumeration: hands in order of strength, one scan a board.

Of all hands weaker than h = (a, b), those that hold a or b cannot be dealt together with h. With running sums over the
hands seen so far, in all and by card, the weight of possible weaker hands is total - by_card[a] - by_card[b]. Read
before a group of equal hands is added it counts wins, after it wins and ties; h itself then went in once and out twice.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel
from runout.kernels.evaluator import board_strengths, flush_suit, rank_strength

_BLOCK = 64  # boards at once: their strengths stay in the cache, and sums of results fit 16 bits
_BLOCKED = 32767  # stronger than every hand, so that none beats or ties it


@kernel
def sort_by_strength(strength, order, spare):
    """Order int32 [n] of ascending strengths, or other keys of 14 bits: a radix sort in two passes; stable."""
    n = order.shape[0]
    counts = np.zeros(129, np.int32)
    for shift in (0, 7):
        for d in range(129):
            counts[d] = 0
        for i in range(n):
            counts[((strength[order[i]] >> shift) & 127) + 1] += 1
        for d in range(128):
            counts[d + 1] += counts[d]
        for i in range(n):
            digit = (strength[order[i]] >> shift) & 127
            spare[counts[digit]] = order[i]
            counts[digit] += 1
        for i in range(n):
            order[i] = spare[i]


@kernel
def opponents(hands, weights):
    """float64 [2, h]: the weight of the other side's hands that share no card with each of hands uint8 [h, 2].

    Plain sums, so that a weight is never lost in the difference of larger ones.
    """
    met = np.zeros(weights.shape)
    for i in range(hands.shape[0]):
        a, b = hands[i, 0], hands[i, 1]
        for j in range(i):
            c, d = hands[j, 0], hands[j, 1]
            if a != c and a != d and b != c and b != d:
                met[0, i] += weights[1, j]
                met[1, i] += weights[0, j]
                met[0, j] += weights[1, i]
                met[1, j] += weights[0, i]
    return met


@kernel
def range_equity(boards, counts, hands, weights, tables, share):
    """Add up, over boards, what each hand wins against the other side's range.

    boards uint8 [n, 5], counts int64 [n] (deals each stands for), hands uint8 [h, 2], weights float64 [2, h];
    share float64 [2, h]: the weight of the opponents that each hand beats, ties half.
    """
    h = hands.shape[0]
    strength = np.empty(h, np.int32)
    live = np.empty(h, np.int32)
    spare = np.empty(h, np.int32)
    total = np.zeros(2)
    by_card = np.zeros((2, 52))
    for index in range(boards.shape[0]):
        board_strengths(boards[index], hands, tables, strength)
        n = 0
        for i in range(h):
            if strength[i] > 0:
                live[n] = i
                n += 1
        sort_by_strength(strength, live[:n], spare)
        total[:] = 0.0
        by_card[:] = 0.0
        first = 0
        while first < n:
            last = first
            while last < n and strength[live[last]] == strength[live[first]]:
                last += 1
            _add_shares(live[first:last], hands, total, by_card, share, 0.5 * counts[index])
            for k in range(first, last):
                i = live[k]
                for p in range(2):
                    total[p] += weights[p, i]
                    by_card[p, hands[i, 0]] += weights[p, i]
                    by_card[p, hands[i, 1]] += weights[p, i]
                    share[1 - p, i] += 0.5 * counts[index] * weights[p, i]  # went out once too often below
            _add_shares(live[first:last], hands, total, by_card, share, 0.5 * counts[index])
            first = last


@kernel
def _add_shares(group, hands, total, by_card, share, scale):
    for i in group:
        a, b = hands[i, 0], hands[i, 1]
        share[0, i] += scale * (total[1] - by_card[1, a] - by_card[1, b])
        share[1, i] += scale * (total[0] - by_card[0, a] - by_card[0, b])


@kernel
def combo_scores(boards, counts, hands, tables, scores):
    """Add to scores int32 [h, h] twice the wins plus the ties of every hand against every other.

    boards uint8 [n, 5], counts int64 [n] (deals each stands for, at most 24), hands uint8 [h, 2]. Hands are compared
    whether they share a card or not: the caller knows which can meet.
    """
    h = hands.shape[0]
    strength = np.empty(h, np.int32)
    block = np.empty((_BLOCK, h), np.int16)
    row = np.empty(h, np.int16)
    for start in range(0, boards.shape[0], _BLOCK):
        size = min(_BLOCK, boards.shape[0] - start)
        for b in range(size):
            board_strengths(boards[start + b], hands, tables, strength)
            for i in range(h):
                block[b, i] = strength[i] if strength[i] > 0 else _BLOCKED
        for i in range(h):
            row[:] = 0
            for b in range(size):
                if block[b, i] != _BLOCKED:
                    _add_results(row, block[b, i], block[b], np.int16(counts[start + b]))
            for j in range(h):
                scores[i, j] += row[j]


@kernel
def _add_results(row, own, others, count):
    for j in range(row.shape[0]):
        row[j] += count * (np.int16(own > others[j]) + np.int16(own >= others[j]))


@kernel
def _random(state):
    """The next of a splitmix64 sequence in state uint64 [1], as a float in [0, 1)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def sampled_equity(samples, seed, board, taken, hands, chances, weights, tables, share, met):
    """Deal `samples` pairs of hands and boards; returns the sum and the sum of squares of the first side's results.

    board uint8 [0, 3, 4 or 5], taken uint64 (board and dead cards as bits), hands uint8 [h, 2] without taken cards,
    chances float64 [h]: of the first side's hands, up to a factor; weights float64 [h]: of the second side's hands;
    share and met float64 [2, h] count results and deals by hand.
    """
    state = np.array([seed], np.uint64)
    first, squares = 0.0, 0.0
    one = np.uint64(1)
    running_chances, running_weights = np.cumsum(chances), np.cumsum(weights)
    for _ in range(samples):
        i = _pick(running_chances, state)
        j = _opponent(i, hands, weights, running_weights, state)
        used = taken
        for c in (hands[i, 0], hands[i, 1], hands[j, 0], hands[j, 1]):
            used |= one << np.uint64(c)
        key = np.uint64(0)
        flushes = np.zeros(4, np.int64)
        for c in board:
            key += tables.card_key[c]
            flushes[c & 3] |= 1 << (c >> 2)
        for _ in range(5 - board.shape[0]):
            c = int(_random(state) * 52)
            while (used >> np.uint64(c)) & one:
                c = int(_random(state) * 52)
            used |= one << np.uint64(c)
            key += tables.card_key[c]
            flushes[c & 3] |= 1 << (c >> 2)
        mine_strength = _strength_with(key, flushes, hands[i], tables)
        theirs_strength = _strength_with(key, flushes, hands[j], tables)
        result = 1.0 if mine_strength > theirs_strength else 0.5 if mine_strength == theirs_strength else 0.0
        first += result
        squares += result * result
        share[0, i] += result
        share[1, j] += 1.0 - result
        met[0, i] += 1.0
        met[1, j] += 1.0
    return first, squares


@kernel
def _pick(running, state):
    """An index drawn by weight; `running` are the running sums of the weights."""
    below = min(_random(state) * running[-1], np.nextafter(running[-1], 0.0))  # a product can round up to the sum
    return np.searchsorted(running, below, side="right")


@kernel
def _opponent(i, hands, weights, running, state):
    """A hand drawn by weight among those that share no card with hand i."""
    for _ in range(50):
        j = _pick(running, state)
        if _disjoint(hands[i], hands[j]):
            return j
    left = weights.copy()  # hand i blocks nearly all of the weight: draw from the rest
    for j in range(hands.shape[0]):
        if not _disjoint(hands[i], hands[j]):
            left[j] = 0.0
    return _pick(np.cumsum(left), state)


@kernel
def _disjoint(first, second):
    return first[0] != second[0] and first[0] != second[1] and first[1] != second[0] and first[1] != second[1]


@kernel
def _strength_with(key, flushes, hand, tables):
    key = key + tables.card_key[hand[0]] + tables.card_key[hand[1]]
    suit = flush_suit(key)
    if suit < 0:
        return rank_strength(key, tables)
    mask = flushes[suit]
    for c in hand:
        if c & 3 == suit:
            mask |= 1 << (c >> 2)
    return tables.flush[mask]
