"""Fills the tables of a street's boards: which hands each leaves, in which order, and how strong they are."""

from __future__ import annotations

import numpy as np

from runout.kernels.combos import combo_number
from runout.kernels.compiling import kernel
from runout.kernels.equity import sort_by_strength
from runout.kernels.evaluator import board_strengths
from runout.kernels.tables import NO_CARD


@kernel
def _blocked(cards, a, b):
    for c in cards:  # noqa: SIM110 (a generator does not compile)
        if c in (a, b):
            return True
    return False


@kernel
def count_hands(dealt, parents, parent_hands, parent_count, card_a, card_b, count):
    """count int64 [2, B]: hands of the board before that the cards dealt uint8 [B, k] leave."""
    for board in range(dealt.shape[0]):
        for player in range(2):
            first = parent_hands[player, parents[board]]
            left = 0
            for i in range(first, first + parent_count[player, parents[board]]):
                if not _blocked(dealt[board], card_a[i], card_b[i]):
                    left += 1
            count[player, board] = left


@kernel
def fill_hands(
    cards, dealt, parents, parent_hands, parent_count, parent_a, parent_b, last, tables, count, stride, hands,
    up, card_a, card_b, same, group_first, ends,
):  # fmt: skip
    """Hands of every board in the order of the board before, or (last) by strength with its groups; returns groups.

    cards uint8 [B, c]: whole boards; an empty `ends` only counts the groups.
    """
    where = np.empty((2, 1326), np.int32)
    pair = np.empty((2, 1326, 2), np.uint8)
    strength = np.zeros((2, 1326), np.int32)
    order = np.empty((2, 1326), np.int32)
    source = np.empty((2, 1326), np.int32)
    spare = np.empty(1326, np.int32)
    groups = np.int64(0)
    for board in range(dealt.shape[0]):
        where[:] = -1
        for player in range(2):
            first = parent_hands[player, parents[board]]
            n = 0
            for i in range(parent_count[player, parents[board]]):
                a, b = parent_a[first + i], parent_b[first + i]
                if not _blocked(dealt[board], a, b):
                    pair[player, n, 0], pair[player, n, 1] = a, b
                    source[player, n] = i
                    order[player, n] = n
                    n += 1
            if last:
                board_strengths(cards[board], pair[player, :n], tables, strength[player])
                sort_by_strength(strength[player], order[player, :n], spare)
            at = hands[player, board]
            for k in range(n):
                i = order[player, k]
                a, b = np.int64(pair[player, i, 0]), np.int64(pair[player, i, 1])
                up[at + k] = source[player, i]
                card_a[at + k], card_b[at + k] = a, b
                where[player, combo_number(a, b)] = k
            for k in range(n, stride[player, board]):
                up[at + k] = 0
                card_a[at + k], card_b[at + k] = NO_CARD, NO_CARD
        for player in range(2):
            at = hands[player, board]
            for k in range(stride[player, board]):
                same[at + k] = stride[1 - player, board]
                if k < count[player, board]:
                    a, b = np.int64(card_a[at + k]), np.int64(card_b[at + k])
                    found = where[1 - player, combo_number(a, b)]
                    if found >= 0:
                        same[at + k] = found
        group_first[board] = groups
        if last:
            groups = _group(strength, order, count[0, board], count[1, board], groups, ends)
    group_first[dealt.shape[0]] = groups
    return groups


@kernel
def _group(strength, order, n0, n1, groups, ends):
    """Walk both players' sorted hands in step; each strength is a group that ends at (i, j)."""
    i, j = 0, 0
    while i < n0 or j < n1:
        lowest = 1 << 20
        if i < n0:
            lowest = strength[0, order[0, i]]
        if j < n1:
            lowest = min(lowest, strength[1, order[1, j]])
        while i < n0 and strength[0, order[0, i]] == lowest:
            i += 1
        while j < n1 and strength[1, order[1, j]] == lowest:
            j += 1
        if ends.shape[1] > 0:
            ends[0, groups], ends[1, groups] = i, j
        groups += 1
    return groups


@kernel
def image_hands(card_a, card_b, first, count, card_image, out):
    """out int16 [>= count]: where each hand of a board goes when its cards become card_image uint8 [52]."""
    where = np.full(1326, -1, np.int32)
    for k in range(count):
        a, b = np.int64(card_a[first + k]), np.int64(card_b[first + k])
        where[combo_number(a, b)] = k
    for k in range(count):
        x, y = np.int64(card_image[card_a[first + k]]), np.int64(card_image[card_b[first + k]])
        out[k] = where[combo_number(max(x, y), min(x, y))]


_BLOCK = 30_000  # completions whose results an int16 can count


@kernel
def _count_results(row, above, below, strength):
    """Add 1 for each hand that is beaten and take 1 off for each that wins; int16, so that many go side by side."""
    for j in range(row.shape[0]):
        row[j] = row[j] + np.int16(strength > above[j]) - np.int16(strength < below[j])


@kernel
def _add_totals(totals, width, out):
    """Add the counts of a block of completions to `out`, and begin again."""
    for i in range(totals.shape[0]):
        for j in range(totals.shape[1]):
            out[i * width + j] += np.float32(totals[i, j])
            totals[i, j] = np.int16(0)


@kernel
def run_out_matrix(board, completions, deals, hands0, hands1, tables, width, out):
    """Mean of win minus lose of every hand of player 0 (rows of `width`) against every hand of player 1.

    board uint8 [c], completions uint8 [n, 5 - c], of which `deals` are possible for any one pair of hands; hands
    uint8 [h, 2]; pairs that share a card are 0.
    """
    n0, n1 = hands0.shape[0], hands1.shape[0]
    full = np.empty(5, np.uint8)
    full[: board.shape[0]] = board
    first, second = np.empty(n0, np.int32), np.empty(n1, np.int32)
    above, below = np.empty(n1, np.int16), np.empty(n1, np.int16)
    totals = np.zeros((n0, n1), np.int16)
    out[:] = np.float32(0.0)
    for index in range(completions.shape[0]):
        if index > 0 and index % _BLOCK == 0:
            _add_totals(totals, width, out)
        full[board.shape[0] :] = completions[index]
        board_strengths(full, hands0, tables, first)
        board_strengths(full, hands1, tables, second)
        for j in range(n1):  # a blocked hand neither wins nor loses
            above[j] = second[j] if second[j] > 0 else np.int16(32767)
            below[j] = second[j] if second[j] > 0 else np.int16(-1)
        for i in range(n0):
            if first[i] > 0:
                _count_results(totals[i], above, below, np.int16(first[i]))
    _add_totals(totals, width, out)
    scale = np.float32(1.0 / deals)
    for i in range(n0):
        for j in range(n1):
            a, b = hands0[i, 0], hands0[i, 1]
            c, d = hands1[j, 0], hands1[j, 1]
            blocked = a in (c, d) or b in (c, d)
            out[i * width + j] = np.float32(0.0) if blocked else out[i * width + j] * scale
