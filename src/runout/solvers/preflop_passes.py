"""The passes of `kernels.preflop` that value a strategy, in NumPy: a row of all classes at a time.

In a small game they are done before compiled code would be loaded, so whoever opens a chart does not wait for it.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.preflop import TINY, Ends, Lines

FEW_EDGES = 1000  # up to here these passes are the quicker ones


def realise(lines: Lines, player: int, strategy: np.ndarray, rows: np.ndarray) -> None:
    """rows[r] = probability that the player himself plays to row r, for each class."""
    rows[0] = 1.0
    for node in np.flatnonzero(lines.player == player):
        edges = slice(lines.first_edge[node], lines.first_edge[node + 1])
        below = rows[lines.node_row[player, node]] * strategy[edges]
        rows[lines.row[edges]] = np.where(below > TINY, below, 0.0)


def multiply(reach: np.ndarray, picked: np.ndarray, matrix: np.ndarray, products: np.ndarray) -> None:
    """products[r] = reach[picked[r]] @ matrix."""
    np.matmul(reach[picked], matrix, out=products)


def find_values(
    lines: Lines,
    ends: Ends,
    products: np.ndarray,
    player: int,
    strategy: np.ndarray,
    best: bool,
    given: np.ndarray,
    edge_values: np.ndarray,
    node_values: np.ndarray,
) -> None:
    """Values to `player`, weighed by chance and the opponent's reach: under `strategy`, or under the best reply.

    given bool [nodes, 169]: classes whose strategy at a node is given, which have no better reply; empty: none.
    """
    sure, divided = products[ends.base_row], products[ends.share_row]
    paid = ends.base[:, None] * sure + np.where(ends.share[:, None] == 0.0, 0.0, ends.share[:, None] * divided)
    over = lines.child < 0
    edge_values[over] = paid[-1 - lines.child[over]]
    for node in range(len(lines.player) - 1, -1, -1):
        edges = slice(lines.first_edge[node], lines.first_edge[node + 1])
        below, values = lines.child[edges], edge_values[edges]
        values[below >= 0] = node_values[below[below >= 0]]
        if lines.player[node] != player:
            node_values[node] = values.sum(axis=0)
            continue
        played = (strategy[edges] * values).sum(axis=0)
        if best:
            kept = given[node] if len(given) else False
            played = np.where(kept, played, values.max(axis=0))
        node_values[node] = played
