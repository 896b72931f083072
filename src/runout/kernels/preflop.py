"""CFR before the flop: straight loops over the lines of one street, a row of hand classes at a time.

Reach is kept by *row*: row 0 of a player is the whole range, row `row[s]` what is left of it after edge s is taken. One
update of one player is four passes, with the matrix products that give the ends their values between 1 and 2:

1. rows of the opponent's reach, top down (`realise`);
2. values of all edges and nodes to the player, bottom up (`find_values`);
3. regrets and the next strategy (`learn`);
4. the player's own reach into the player's average (`add_average`, before 3).

A variant of CFR is four numbers an iteration, as in `runout.kernels.tabular`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import kernel

# Numbers that fade away are cut off long before they become denormal, which would make every loop many times slower.
TINY = 1e-30  # reach and probability
SMALLEST = 1e-200  # regret
# A gain that is nothing but rounding is none: else the order of additions would choose between equal actions.
ROUNDING = 1e-13  # times the values that were compared


class Lines(NamedTuple):
    """A street of betting, parents before children. N nodes, S edges."""

    player: np.ndarray  # int8 [N]: who acts
    first_edge: np.ndarray  # int32 [N + 1]: the edges of node n are first_edge[n] : first_edge[n + 1]
    child: np.ndarray  # int32 [S]: the node that a edge leads to, or -1 - terminal
    row: np.ndarray  # int32 [S]: reach row of the edge among those of its player
    node_row: np.ndarray  # int32 [2, N]: reach row of each player at a node


class Ends(NamedTuple):
    """What the terminals pay one player: base * products[base_row] + share * products[share_row]. T terminals."""

    base_row: np.ndarray  # int32 [T]
    base: np.ndarray  # float64 [T]: big blinds won or lost whatever the cards
    share_row: np.ndarray  # int32 [T]
    share: np.ndarray  # float64 [T]: big blinds that the cards divide; 0 after a fold


@kernel
def realise(lines: Lines, player: int, strategy: np.ndarray, rows: np.ndarray) -> None:
    """rows[r] = probability that the player himself plays to row r, for each class."""
    rows[0] = 1.0
    for node in range(lines.player.shape[0]):
        if lines.player[node] == player:
            above = rows[lines.node_row[player, node]]
            for edge in range(lines.first_edge[node], lines.first_edge[node + 1]):
                below, mix = rows[lines.row[edge]], strategy[edge]
                for i in range(above.shape[0]):
                    reach = above[i] * mix[i]
                    below[i] = reach if reach > TINY else 0.0


@kernel(fastmath={"contract"})
def multiply(reach: np.ndarray, picked: np.ndarray, matrix: np.ndarray, products: np.ndarray) -> None:
    """products[r] = reach[picked[r]] @ matrix. Classes without reach are skipped, and most have none: as fast as BLAS
    on one thread, and its threads wait for each other where the cores are busy."""
    classes = matrix.shape[1]
    live = np.empty(matrix.shape[0], np.int64)
    for r in range(picked.shape[0]):
        row, out = reach[picked[r]], products[r]
        out[:] = 0.0
        count = 0
        for k in range(row.shape[0]):
            if row[k] != 0.0:
                live[count] = k
                count += 1
        for j in range(0, count - 3, 4):
            k0, k1, k2, k3 = live[j], live[j + 1], live[j + 2], live[j + 3]
            a0, a1, a2, a3 = row[k0], row[k1], row[k2], row[k3]
            m0, m1, m2, m3 = matrix[k0], matrix[k1], matrix[k2], matrix[k3]
            for i in range(classes):
                out[i] += (a0 * m0[i] + a1 * m1[i]) + (a2 * m2[i] + a3 * m3[i])
        for j in range(count - count % 4, count):
            a, m = row[live[j]], matrix[live[j]]
            for i in range(classes):
                out[i] += a * m[i]


@kernel
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
    classes = products.shape[1]
    for node in range(lines.player.shape[0] - 1, -1, -1):
        first, last = lines.first_edge[node], lines.first_edge[node + 1]
        total = node_values[node]
        own = lines.player[node] == player
        total[:] = -np.inf if own and best else 0.0
        for edge in range(first, last):
            value = edge_values[edge]
            child = lines.child[edge]
            if child >= 0:
                value[:] = node_values[child]
            else:
                _end_value(ends, -1 - child, products, value)
            if not own:
                for i in range(classes):
                    total[i] += value[i]
            elif best:
                for i in range(classes):
                    total[i] = max(total[i], value[i])
            else:
                mix = strategy[edge]
                for i in range(classes):
                    total[i] += mix[i] * value[i]
        if own and best and given.shape[0] > 0:
            for i in range(classes):
                if given[node, i]:
                    total[i] = 0.0
                    for edge in range(first, last):
                        total[i] += strategy[edge, i] * edge_values[edge, i]


@kernel
def _end_value(ends: Ends, end: int, products: np.ndarray, value: np.ndarray) -> None:
    base, share = ends.base[end], ends.share[end]
    sure, divided = products[ends.base_row[end]], products[ends.share_row[end]]
    if share == 0.0:
        for i in range(value.shape[0]):
            value[i] = base * sure[i]
    else:
        for i in range(value.shape[0]):
            value[i] = base * sure[i] + share * divided[i]


@kernel
def add_average(lines: Lines, player: int, rows: np.ndarray, fade: float, average: np.ndarray) -> None:
    """The average fades and takes up the player's own reach of each edge."""
    for node in range(lines.player.shape[0]):
        if lines.player[node] == player:
            for edge in range(lines.first_edge[node], lines.first_edge[node + 1]):
                sums, reach = average[edge], rows[lines.row[edge]]
                for i in range(sums.shape[0]):
                    sums[i] = sums[i] * fade + reach[i]


@kernel
def learn(
    lines: Lines,
    player: int,
    weights: np.ndarray,
    edge_values: np.ndarray,
    node_values: np.ndarray,
    regrets: np.ndarray,
    strategy: np.ndarray,
) -> None:
    """Regrets and the next strategy; weights is float64 [2, 4], of this iteration and of the next."""
    positive, negative, predict = weights[0, 0], weights[0, 1], weights[0, 3]
    next_positive, next_negative = weights[1, 0], weights[1, 1]
    total = np.empty(regrets.shape[1])
    for node in range(lines.player.shape[0]):
        if lines.player[node] != player:
            continue
        first, last = lines.first_edge[node], lines.first_edge[node + 1]
        worth = node_values[node]
        total[:] = 0.0
        for edge in range(first, last):
            value, regret, mix = edge_values[edge], regrets[edge], strategy[edge]
            for i in range(total.shape[0]):
                gain = value[i] - worth[i]
                if abs(gain) <= ROUNDING * (abs(value[i]) + abs(worth[i])):
                    gain = 0.0
                old = regret[i]
                new = old * (positive if old > 0.0 else negative) + gain
                regret[i] = new if abs(new) > SMALLEST else 0.0
                mix[i] = max(new * (next_positive if new > 0.0 else next_negative) + predict * gain, 0.0)
            for i in range(total.shape[0]):
                total[i] += mix[i]
        _divide(strategy, first, last, total)


@kernel
def normalise(lines: Lines, sums: np.ndarray, strategy: np.ndarray) -> None:
    """Sums over the edges of a node to probabilities; uniform where they are all zero."""
    total = np.empty(sums.shape[1])
    for node in range(lines.player.shape[0]):
        first, last = lines.first_edge[node], lines.first_edge[node + 1]
        total[:] = 0.0
        for edge in range(first, last):
            strategy[edge] = sums[edge]
            total += sums[edge]
        _divide(strategy, first, last, total)


@kernel
def _divide(strategy: np.ndarray, first: int, last: int, total: np.ndarray) -> None:
    uniform = 1.0 / (last - first)
    for edge in range(first, last):
        mix = strategy[edge]
        for i in range(total.shape[0]):
            share = mix[i] / total[i] if total[i] > 0.0 else uniform
            mix[i] = share if share > TINY else 0.0
