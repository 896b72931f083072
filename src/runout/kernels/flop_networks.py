"""Between networks, whose rows are hands, and the range engine, whose rows are actions."""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import kernel


@kernel
def store_strategies(advantages, which, first, stride, start, out):
    """Regret matching of advantages float32 [m, columns], written where the engine keeps the hands' regrets.

    Hand i plays row which[i]. Columns first[k] to first[k + 1] are the actions of decision k; hand i's go to
    out[start[i] + column * stride]. Where no advantage is positive the best is played, exact ties sharing.
    """
    for i in range(which.shape[0]):
        row = advantages[which[i]]
        for k in range(first.shape[0] - 1):
            a, b = first[k], first[k + 1]
            total, best = np.float32(0.0), row[a]
            for c in range(a, b):
                total += max(row[c], np.float32(0.0))
                best = max(best, row[c])
            ties = 0
            if total <= 0.0:
                for c in range(a, b):
                    ties += row[c] == best
            for c in range(a, b):
                if total > 0.0:
                    share = max(row[c], np.float32(0.0)) / total
                else:
                    share = np.float32(1.0 / ties) if row[c] == best else np.float32(0.0)
                out[start[i] + c * stride] = share


@kernel
def gather_rows(table, start, stride, columns, out):
    """out float32 [n, columns]: row i is table[start[i] + column * stride]."""
    for i in range(start.shape[0]):
        for c in range(columns):
            out[i, c] = table[start[i] + c * stride]


@kernel
def add_regrets(table, newest, positive, negative):
    """table = table * (positive or negative, by its sign) + newest, all float32 [n]."""
    for i in range(table.shape[0]):
        old = table[i]
        table[i] = old * (positive if old > 0.0 else negative) + newest[i]
