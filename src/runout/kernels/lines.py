"""The lines of one board: reach down every action, values back up, regrets and averages on the way.

A row is one number per hand, padded to a multiple of LANES, so loops have no tails. `forward` and `backward` walk a
group of lines node by node; what is done at a node is one function each.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inner
from runout.kernels.simd import (
    LANES,
    absolute,
    add,
    is_packed,
    largest,
    load16,
    load_stored,
    maximum,
    mul,
    positive,
    prefetch,
    reciprocal_or,
    spread16,
    store16,
    store_packed,
    sub,
    where_positive,
)
from runout.kernels.tables import (
    EDGE_ROW,
    EDGE_STORE,
    EDGE_VALUE,
    FIRST_EDGE,
    FIRST_ENTRY,
    FIRST_NODE,
    LOCKED,
    MINE,
    NODE_ROW,
    NODE_VALUE,
    OWN,
    STORE,
    STORE_ROW,
    STRIDE,
    THEIRS,
)

UPDATE = 0  # the opponent plays the current strategy; regrets and averages of the player are updated
BEST_RESPONSE = 1  # the opponent plays the average strategy; the player takes the best action with every hand
AVERAGE = 2  # both play their average strategies
LEARN = 3  # UPDATE of the regrets alone: nothing is added to averages, and the player's own reach is not needed
LATER = 4  # BEST_RESPONSE + LATER * street: both play their averages before that street
ANSWER = -1  # ANSWER * street: UPDATE before that street; from it on the player takes the best action with every hand
# against the opponent's current strategy, and storage gets which ones they are. Only where there are buckets

KEEP_NOTHING = np.zeros(3, np.float32)  # `weights` of passes that keep no old numbers, or change none

AHEAD = 1024  # elements of storage to fetch ahead: rows are short, so the processor's own guesses come late


@inner()
def mode_on(mode, street):
    """What a mode means on a street."""
    if mode < 0:
        return np.int64(UPDATE if street + mode < 0 else ANSWER)
    return np.int64(AVERAGE) if mode // LATER > street else np.int64(mode % LATER)


@inner()
def plays_current(mode):
    """Whether the opponent plays what the regrets say, or whatever else stands in their place."""
    return mode in (UPDATE, LEARN, ANSWER)


@inner()
def node_range(plan, group):
    """First and last + 1 node of a group of lines."""
    first, last = plan.groups[group, FIRST_ENTRY], plan.groups[group + 1, FIRST_ENTRY]
    return plan.entries[first, FIRST_NODE], plan.entries[last, FIRST_NODE]


@inner()
def first_own_row(plan, first, last):
    """The row in storage of the first action of the player among some nodes; -1 where there is none."""
    for node in range(first, last):
        if plan.nodes[node, MINE] == OWN:
            return np.int64(plan.edges[plan.nodes[node, FIRST_EDGE], EDGE_STORE])
    return np.int64(-1)


@inner()
def forward(plan, group, storage, current, place, who, reach, sigma):
    """Reach of player `who` after each of that player's actions, by the current strategy or by the average one.

    Either strategy is what is positive in storage, in proportion. place: the board's row of Boards.table. The strategy
    itself goes to `sigma`, row by row as in storage, unless that is empty.
    """
    stored = storage.regrets if current else storage.averages
    scales = storage.regret_scales if current else storage.average_scales
    stride, at, row_at = place[STRIDE + who], place[STORE + who], place[STORE_ROW + who]
    keep = sigma.shape[0] > 0
    first, last = node_range(plan, group)
    done = np.int64(0)
    for node in range(first, last):
        if plan.nodes[node, MINE] != THEIRS:
            continue
        s0, s1 = np.int64(plan.nodes[node, FIRST_EDGE]), np.int64(plan.nodes[node + 1, FIRST_EDGE])
        source = plan.nodes[node, NODE_ROW] * stride
        row = np.int64(plan.edges[s0, EDGE_STORE])  # the actions of a node are neighbours
        rows, row = at + row * stride, row_at + row
        even = spread16(np.float32(1.0 / (s1 - s0)))
        zero = sub(even, even)
        for h in range(0, stride, LANES):
            total = zero
            for k in range(s1 - s0):
                cell = rows + k * stride + h
                prefetch(stored, cell + AHEAD)
                total = add(total, positive(load_stored(stored, cell, scales, row + k)))
            r = load16(reach, source + h)
            scale = reciprocal_or(total, zero)
            share = where_positive(total, zero, even)
            for k in range(s1 - s0):
                part = positive(load_stored(stored, rows + k * stride + h, scales, row + k))
                chance = add(mul(part, scale), share)
                store16(reach, plan.edges[s0 + k, EDGE_ROW] * stride + h, mul(chance, r))
                if keep:
                    store16(sigma, done + k * stride + h, chance)
        done += (s1 - s0) * stride


@inner()
def backward(plan, group, mode, storage, street, board, place, player, values, weights, own_plan, own, sigma, spare):
    """Values of the nodes, last first; in UPDATE mode with new regrets and averages for the player's nodes, in LEARN
    mode with new regrets.

    weights float32 [3]: what old positive regrets, old negative regrets and the old average are multiplied by.
    own, sigma: the player's own reach (rows of `own_plan`) and strategy, as `forward` left them.
    """
    stride, at, row_at = place[STRIDE + player], place[STORE + player], place[STORE_ROW + player]
    first, last = node_range(plan, group)
    first_row = first_own_row(plan, first, last)
    for back in range(last - first):
        node = last - 1 - back
        s0, s1 = np.int64(plan.nodes[node, FIRST_EDGE]), np.int64(plan.nodes[node + 1, FIRST_EDGE])
        target = plan.nodes[node, NODE_VALUE] * stride
        if plan.nodes[node, MINE] != OWN:
            add_up(plan, s0, s1, stride, values, target)
            continue
        row = np.int64(plan.edges[s0, EDGE_STORE])
        locked = find_lock(storage, street, board, node) if plan.nodes[node, LOCKED] else np.int64(-1)
        if mode == BEST_RESPONSE:
            if locked >= 0:
                _mix(plan, s0, s1, storage, at + row * stride, row_at + row, stride, values, target)
            take_best(plan, s0, s1, stride, values, target, storage.masks, locked)
        elif mode == AVERAGE:
            _mix(plan, s0, s1, storage, at + row * stride, row_at + row, stride, values, target)
        elif mode == LEARN:
            rows = at + row * stride
            if is_packed(storage.regrets):
                _learn_regrets_packed(
                    plan, s0, s1, storage, rows, row_at + row, stride, values, target, weights, spare, locked
                )  # fmt: skip
            else:
                _learn_regrets(
                    plan, s0, s1, storage.regrets, rows, stride, values, target, weights, storage.masks, locked
                )  # fmt: skip
        else:
            played = (row - first_row) * stride
            _weigh(plan, s0, s1, sigma, played, stride, values, target)
            if is_packed(storage.regrets):
                _learn_packed(
                    plan, s0, s1, storage, at + row * stride, row_at + row, stride, values, target, weights, own_plan,
                    own, spare, locked,
                )  # fmt: skip
            else:
                rows = at + row * stride
                _learn(
                    plan, s0, s1, storage.regrets, storage.averages, rows, rows, stride, values, target, weights,
                    own_plan, own, storage.masks, locked,
                )  # fmt: skip


@inner()
def find_lock(storage, street, board, node):
    """Where the mask of a node's lock on a board begins, or -1."""
    for i in range(storage.locks.shape[0]):
        lock = storage.locks[i]
        if lock[0] == street and lock[1] == board and lock[2] == node:
            return lock[3]
    return np.int64(-1)


@inner()
def add_up(plan, s0, s1, stride, values, target):
    """The value of a node at which the opponent acts, whose strategy is in the reach already, or nobody does."""
    for h in range(0, stride, LANES):
        total = load16(values, plan.edges[s0, EDGE_VALUE] * stride + h)
        for s in range(s0 + 1, s1):
            total = add(total, load16(values, plan.edges[s, EDGE_VALUE] * stride + h))
        store16(values, target + h, total)


@inner()
def take_best(plan, s0, s1, stride, values, target, masks, locked):
    """The best action's value for every hand; hands whose strategy is given (mask at `locked`) keep what is there."""
    for h in range(0, stride, LANES):
        best = load16(values, plan.edges[s0, EDGE_VALUE] * stride + h)
        for s in range(s0 + 1, s1):
            best = maximum(best, load16(values, plan.edges[s, EDGE_VALUE] * stride + h))
        if locked >= 0:
            best = where_positive(load16(masks, locked + h), load16(values, target + h), best)
        store16(values, target + h, best)


@inner()
def _mix(plan, s0, s1, storage, rows, row, stride, values, target):
    """The value of a node at which the player plays the average strategy."""
    stored, scales = storage.averages, storage.average_scales
    even = spread16(np.float32(1.0 / (s1 - s0)))
    zero = sub(even, even)
    for h in range(0, stride, LANES):
        total = zero
        for k in range(s1 - s0):
            total = add(total, positive(load_stored(stored, rows + k * stride + h, scales, row + k)))
        scale = reciprocal_or(total, zero)
        share = where_positive(total, zero, even)
        value = zero
        for k in range(s1 - s0):
            part = positive(load_stored(stored, rows + k * stride + h, scales, row + k))
            after = load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h)
            value = add(value, mul(add(mul(part, scale), share), after))
        store16(values, target + h, value)


@inner()
def _weigh(plan, s0, s1, sigma, played, stride, values, target):
    """The value of a node at which the player plays `sigma`, rows from `played` on."""
    for h in range(0, stride, LANES):
        value = mul(load16(sigma, played + h), load16(values, plan.edges[s0, EDGE_VALUE] * stride + h))
        for k in range(1, s1 - s0):
            after = load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h)
            value = add(value, mul(load16(sigma, played + k * stride + h), after))
        store16(values, target + h, value)


@inner()
def _learn(
    plan, s0, s1, regrets, averages, rows, average_rows, stride, values, target, weights, own_plan, own, masks, locked
):
    """New regrets and averages of a node; the averages are weighed by the player's own reach."""
    keep_positive, keep_negative = spread16(weights[0]), spread16(weights[1])
    keep_average = spread16(weights[2])
    for k in range(s1 - s0):
        after, reached = plan.edges[s0 + k, EDGE_VALUE] * stride, own_plan.edges[s0 + k, EDGE_ROW] * stride
        for h in range(0, stride, LANES):
            cell, average_cell = rows + k * stride + h, average_rows + k * stride + h
            prefetch(regrets, cell - AHEAD)
            prefetch(averages, average_cell - AHEAD)
            average = add(mul(load16(averages, average_cell), keep_average), load16(own, reached + h))
            store16(averages, average_cell, average)
            regret = load16(regrets, cell)
            gain = sub(load16(values, after + h), load16(values, target + h))
            fresh = add(mul(regret, where_positive(regret, keep_positive, keep_negative)), gain)
            if locked >= 0:
                fresh = where_positive(load16(masks, locked + h), regret, fresh)
            store16(regrets, cell, fresh)


@inner()
def _learn_regrets(plan, s0, s1, regrets, rows, stride, values, target, weights, masks, locked):
    """The value of a node at which the player plays what its regrets say, and its new regrets, in one pass."""
    keep_positive, keep_negative = spread16(weights[0]), spread16(weights[1])
    even = spread16(np.float32(1.0 / (s1 - s0)))
    zero = sub(even, even)
    for h in range(0, stride, LANES):
        total = zero
        for k in range(s1 - s0):
            cell = rows + k * stride + h
            prefetch(regrets, cell - AHEAD)
            total = add(total, positive(load16(regrets, cell)))
        scale = reciprocal_or(total, zero)
        share = where_positive(total, zero, even)
        value = zero
        for k in range(s1 - s0):
            part = positive(load16(regrets, rows + k * stride + h))
            after = load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h)
            value = add(value, mul(add(mul(part, scale), share), after))
        store16(values, target + h, value)
        for k in range(s1 - s0):
            cell = rows + k * stride + h
            regret = load16(regrets, cell)
            gain = sub(load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h), value)
            fresh = add(mul(regret, where_positive(regret, keep_positive, keep_negative)), gain)
            if locked >= 0:
                fresh = where_positive(load16(masks, locked + h), regret, fresh)
            store16(regrets, cell, fresh)


@inner()
def _learn_regrets_packed(plan, s0, s1, storage, rows, row, stride, values, target, weights, spare, locked):
    """`_learn_regrets` for int16, in `spare` as in `_learn_packed`."""
    regrets, scales = storage.regrets, storage.regret_scales
    for k in range(s1 - s0):
        for h in range(k * stride, (k + 1) * stride, LANES):
            prefetch(regrets, rows + h - 2 * AHEAD)
            store16(spare, h, load_stored(regrets, rows + h, scales, row + k))
    _learn_regrets(plan, s0, s1, spare, np.int64(0), stride, values, target, weights, storage.masks, locked)
    for k in range(s1 - s0):
        scales[row + k] = _pack(spare, k * stride, stride, regrets, rows + k * stride)


@inner()
def _learn_packed(plan, s0, s1, storage, rows, row, stride, values, target, weights, own_plan, own, spare, locked):
    """`_learn` for int16: the new rows stand in `spare` until their largest numbers, and so their scales, are known."""
    regrets, averages = storage.regrets, storage.averages
    regret_scales, average_scales = storage.regret_scales, storage.average_scales
    half = (s1 - s0) * stride
    for k in range(s1 - s0):
        for h in range(k * stride, (k + 1) * stride, LANES):
            prefetch(regrets, rows + h - 2 * AHEAD)
            prefetch(averages, rows + h - 2 * AHEAD)
            store16(spare, h, load_stored(regrets, rows + h, regret_scales, row + k))
            store16(spare, half + h, load_stored(averages, rows + h, average_scales, row + k))
    _learn(
        plan, s0, s1, spare, spare, np.int64(0), half, stride, values, target, weights, own_plan, own, storage.masks,
        locked,
    )  # fmt: skip
    for k in range(s1 - s0):
        regret_scales[row + k] = _pack(spare, k * stride, stride, regrets, rows + k * stride)
        average_scales[row + k] = _pack(spare, half + k * stride, stride, averages, rows + k * stride)


@inner()
def _pack(source, at, stride, target, to):
    """Write a row as int16 of which the largest is 32767; returns the scale."""
    most = spread16(np.float32(0.0))
    for h in range(0, stride, LANES):
        most = maximum(most, absolute(load16(source, at + h)))
    top = largest(most)
    factor = spread16(np.float32(32767.0) / top if top > 0 else np.float32(0.0))
    for h in range(0, stride, LANES):
        store_packed(target, to + h, mul(load16(source, at + h), factor))
    return top / np.float32(32767.0)
