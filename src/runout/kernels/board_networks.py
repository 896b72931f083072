"""Between networks, which answer for a hand and an entry, and boards of the range engine, whose rows are actions."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel


@kernel
def play_entries(advantages, entry, rows, first, places, width, out):
    """Regret matching of advantages float32 [entries here, n, columns] from entry number `entry` on.

    What hand i plays at column c of entry e goes to out[rows[e, c] * width + places[i]]. Columns first[k] to
    first[k + 1] are the actions of decision k, those without a row are none. Where no advantage is positive the best
    is played, exact ties sharing.
    """
    for e in range(advantages.shape[0]):
        row = rows[entry + e]
        for k in range(first.shape[0] - 1):
            a, b = first[k], first[k + 1]
            for i in range(places.shape[0]):
                total, best = np.float32(0.0), np.float32(-np.inf)
                for c in range(a, b):
                    if row[c] >= 0:
                        total += max(advantages[e, i, c], np.float32(0.0))
                        best = max(best, advantages[e, i, c])
                ties = 0
                if total <= 0.0:
                    for c in range(a, b):
                        ties += row[c] >= 0 and advantages[e, i, c] == best
                for c in range(a, b):
                    if row[c] < 0:
                        continue
                    if total > 0.0:
                        share = max(advantages[e, i, c], np.float32(0.0)) / total
                    else:
                        share = np.float32(1.0 / ties) if advantages[e, i, c] == best else np.float32(0.0)
                    out[row[c] * width + places[i]] = share


@kernel
def gather_entries(changes, rows, board, entry, hand, out):
    """out float32 [n, columns]: changes[board, rows[entry, c], hand] of every sample; 0 where there is no row."""
    for i in range(board.shape[0]):
        for c in range(rows.shape[1]):
            row = rows[entry[i], c]
            out[i, c] = changes[board[i], row, hand[i]] if row >= 0 else np.float32(0.0)


@kernel
def row_squares(changes, counts, out):
    """out float64 [rows] += sums over hands of the squares of changes float32 [boards, rows, stride]."""
    for board in range(changes.shape[0]):
        for row in range(changes.shape[1]):
            total = 0.0
            for k in range(counts):
                value = changes[board, row, k]
                total += value * value
            out[row] += total
