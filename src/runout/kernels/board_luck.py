"""Less noise from boards that are drawn: what they do to hands without any bets is known, and taken out.

The value of a line that sees a flop is the mean over a few boards. What the same boards give each hand where nobody
bets again is subtracted from it, and what all boards give is added: the mean stays the same, most of the luck is gone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import kernel
from runout.kernels.tables import CHANCE_VALUE, COUNT, HANDS, PARENT_ROW, STRENGTH_FIRST, STRIDE


class CheckedDown(NamedTuple):
    """Pots that are checked down."""

    half: np.ndarray  # float64 [entries of the flop]: half of the pot; empty: nothing is taken out
    shares: np.ndarray  # float64 [buckets, buckets]: wins less losses over all boards of a hand of the row's bucket
    # before the flop, added up over the hands of the column's that it can meet


@kernel
def take_luck_out(game, checked, player, reach, values):
    """Change the chance rows of the first street, which hold the values of the boards of a batch.

    reach, values: rows of the first street, the opponent's and the player's.
    """
    root, last = game.boards[0], game.boards[game.streets - 1]
    stride, their_stride = root.table[0, STRIDE + player], root.table[0, STRIDE + 1 - player]
    first = np.int64(game.plans[player][0].groups[0, CHANCE_VALUE])
    entries = game.plans[player][1].entries
    met = np.zeros((checked.half.shape[0], root.table[0, COUNT + 1 - player]))
    for entry in range(checked.half.shape[0]):
        at = entries[entry, PARENT_ROW] * their_stride
        for k in range(met.shape[1]):
            met[entry, k] = reach[at + k]
        row = (first + entry) * stride
        _add_all_boards(root, checked, player, checked.half[entry], met[entry], values[row : row + stride])
    source = np.zeros(last.table[0, COUNT], np.int64)
    for board in range(last.weight.shape[0]):
        weight = 1.0
        for k in range(source.shape[0]):
            source[k] = k
        for street in range(game.streets - 1, 0, -1):
            boards = game.boards[street]
            here = board * boards.weight.shape[0] // last.weight.shape[0]  # that the last one belongs to
            at = boards.table[here, HANDS]
            weight *= boards.weight[here]
            for k in range(source.shape[0]):
                source[k] = boards.up[at + source[k]]
        for entry in range(checked.half.shape[0]):
            row = (first + entry) * stride
            _take_board_off(last, board, weight * checked.half[entry], source, met[entry], values[row : row + stride])


@kernel
def _add_all_boards(root, checked, player, half, met, values):
    """Add what hands get over all boards; hands of a bucket of the opponent are met equally often."""
    buckets = checked.shares.shape[0]
    theirs = root.bucket[root.table[0, HANDS + 1 - player] :]
    own = root.bucket[root.table[0, HANDS + player] :]
    held, worth = np.zeros(buckets), np.zeros(buckets)
    for k in range(met.shape[0]):
        held[theirs[k]] = met[k]
    for i in range(buckets):
        for j in range(buckets):
            worth[i] += checked.shares[i, j] * held[j]
    for k in range(root.table[0, COUNT + player]):
        values[k] += np.float32(half * worth[own[k]])


@kernel
def _take_board_off(boards, board, scale, source, met, values):
    """Subtract what hands get on one board, by groups of equal strength: from the weakest up what they win, from the
    strongest down what they lose. source int64 [n]: which hands of the first street those of the board are."""
    at, n = boards.table[board, HANDS], source.shape[0]
    for losing in range(2):
        total, by_card = 0.0, np.zeros(52)
        start = n if losing else 0
        group, end = boards.table[board, STRENGTH_FIRST], boards.table[board + 1, STRENGTH_FIRST]
        while (start > 0) if losing else (start < n):
            if losing:
                end -= 1
                first = np.int64(boards.ends[0, end - 1]) if end > group else 0
                low, high = first, start
            else:
                low, high = start, np.int64(boards.ends[0, group])
                group += 1
            for k in range(low, high):
                beaten = total - by_card[boards.card_a[at + k]] - by_card[boards.card_b[at + k]]
                values[source[k]] -= np.float32(-scale * beaten if losing else scale * beaten)
            for k in range(low, high):
                reach = met[source[k]]
                total += reach
                by_card[boards.card_a[at + k]] += reach
                by_card[boards.card_b[at + k]] += reach
            start = low if losing else high
