"""The lines of one board where strategies are kept by buckets: `lines.forward` and `lines.backward`, run by run.

Hands that follow each other and share a bucket are a *run*; a board has some fifty, where it has a thousand hands. All
hands of a run play alike, so a strategy has one number for each run, and what is learnt is added up over its hands: a
row of storage has a number for each run, in whole vectors. Reach and values stay rows of hands.

A vector begins where its run does and may go on behind its end: what it writes there is wrong, until the next run is
written. The end of a row, where nothing follows, is done hand by hand. Where every hand is a run, rows of runs are rows
of hands, and there is no need to look where runs end.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inner
from runout.kernels.lines import (
    ANSWER,
    AVERAGE,
    BEST_RESPONSE,
    add_up,
    first_own_row,
    node_range,
    plays_current,
    take_best,
)
from runout.kernels.simd import (
    LANES,
    add,
    first_lanes,
    load16,
    mul,
    positive,
    reciprocal_or,
    spread16,
    store16,
    sub,
    total16,
    where_positive,
)
from runout.kernels.tables import (
    COUNT,
    EDGE_ROW,
    EDGE_STORE,
    EDGE_VALUE,
    FIRST_EDGE,
    HANDS,
    MINE,
    NO_NUMBERS,
    NOBODYS,
    NODE_ROW,
    NODE_VALUE,
    OWN,
    RUNS,
    STORE,
    STRIDE,
    THEIRS,
)

_FEW = 4  # hands of a run that are added up one by one


@inner()
def run_width(place, who):
    """Numbers of a row in storage of the board with the row `place` of Boards.table: its runs, in whole vectors."""
    return (place[RUNS + who] + LANES - 1) // LANES * LANES


@inner()
def load(buckets, storage, plan, boards, run_bucket, street, board, group, player, mode):
    """Where strategies are kept by buckets: copy those of a board's runs to its place in storage.

    Regrets where the current strategy is played, otherwise averages; of the player who takes the best action with
    every hand, nothing; nor of one who has no numbers on the street, and plays what stands in storage.
    """
    if run_bucket is None:
        return
    at, width = boards.table[board], buckets.width[street]
    current = plays_current(mode)
    source = buckets.regrets if current else buckets.averages
    target = storage.regrets if current else storage.averages
    first, last = node_range(plan, group)
    for node in range(first, last):
        acts = plan.nodes[node, MINE]
        if acts == NOBODYS or (acts == OWN and mode == BEST_RESPONSE):
            continue
        who = player if acts == OWN else 1 - player
        if buckets.first[who, street] == NO_NUMBERS:
            continue
        runs, hands = run_width(at, who), at[HANDS + who]
        bucket = run_bucket[hands : hands + runs]
        for edge in range(plan.nodes[node, FIRST_EDGE], plan.nodes[node + 1, FIRST_EDGE]):
            row = np.int64(plan.edges[edge, EDGE_STORE])
            a, b = buckets.first[who, street] + row * width, at[STORE + who] + row * runs
            pick(source[a : a + width], bucket, target[b : b + runs])


@inner()
def pick(row, places, out):
    """out[k] = row[places[k]]."""
    for k in range(out.shape[0]):
        out[k] = row[np.uint32(places[k])]


@inner()
def forward_runs(plan, group, storage, current, place, run_end, who, reach, sigma, keep):
    """`lines.forward`; the strategies of all nodes go to `sigma` if they are to be kept, else only the last one's."""
    stored = storage.regrets if current else storage.averages
    count, stride, width = place[COUNT + who], place[STRIDE + who], run_width(place, who)
    ends = run_end[place[HANDS + who] : place[HANDS + who] + place[RUNS + who]]
    first, last = node_range(plan, group)
    done = np.int64(0)
    for node in range(first, last):
        if plan.nodes[node, MINE] != THEIRS:
            continue
        s0, s1 = np.int64(plan.nodes[node, FIRST_EDGE]), np.int64(plan.nodes[node + 1, FIRST_EDGE])
        rows = place[STORE + who] + np.int64(plan.edges[s0, EDGE_STORE]) * width
        _match(stored, rows, width, s1 - s0, sigma, done)
        source = plan.nodes[node, NODE_ROW] * stride
        for k in range(s1 - s0):
            target = plan.edges[s0 + k, EDGE_ROW] * stride
            _play(ends, count, stride, reach, source, target, sigma, done + k * width)
        if keep:
            done += (s1 - s0) * width


@inner()
def backward_runs(
    plan, group, mode, storage, place, run_end, player, values, own_plan, own, sigma, spare
):  # fmt: skip
    """`lines.backward`, without locks; in UPDATE mode storage gets what changed, and its old numbers are forgotten. The
    other modes are BEST_RESPONSE, AVERAGE and ANSWER, in which every hand is a run."""
    count, stride, width = place[COUNT + player], place[STRIDE + player], run_width(place, player)
    ends = run_end[place[HANDS + player] : place[HANDS + player] + place[RUNS + player]]
    first, last = node_range(plan, group)
    first_row = first_own_row(plan, first, last)
    for back in range(last - first):
        node = last - 1 - back
        s0, s1 = np.int64(plan.nodes[node, FIRST_EDGE]), np.int64(plan.nodes[node + 1, FIRST_EDGE])
        target = plan.nodes[node, NODE_VALUE] * stride
        if plan.nodes[node, MINE] != OWN:
            add_up(plan, s0, s1, stride, values, target)
        elif mode == BEST_RESPONSE:
            take_best(plan, s0, s1, stride, values, target, storage.masks, np.int64(-1))
        else:
            row = np.int64(plan.edges[s0, EDGE_STORE])
            rows = place[STORE + player] + row * width
            if mode == AVERAGE:
                _match(storage.averages, rows, width, s1 - s0, spare, np.int64(0))
                _weigh(plan, s0, s1, ends, count, stride, width, spare, np.int64(0), values, target)
            elif mode == ANSWER:
                take_best(plan, s0, s1, stride, values, target, storage.masks, np.int64(-1))
                _note_best(plan, s0, s1, stride, values, target, storage.regrets, rows)
            else:
                sigma_at = (row - first_row) * width
                _weigh(plan, s0, s1, ends, count, stride, width, sigma, sigma_at, values, target)
                reached = own_plan.nodes[node, NODE_ROW] * stride
                _learn(
                    plan,
                    s0,
                    s1,
                    ends,
                    count,
                    stride,
                    width,
                    storage,
                    rows,
                    sigma,
                    sigma_at,
                    values,
                    own,
                    reached,
                    spare,
                )


@inner()
def _note_best(plan, s0, s1, stride, values, target, regrets, rows):
    """1 in the place of the regret of each hand's best action, and of those that are as good; 0 of the others."""
    one = spread16(np.float32(1.0))
    zero = sub(one, one)
    for k in range(s1 - s0):
        after = plan.edges[s0 + k, EDGE_VALUE] * stride
        for h in range(0, stride, LANES):
            lost = sub(load16(values, target + h), load16(values, after + h))
            store16(regrets, rows + k * stride + h, where_positive(lost, zero, one))


@inner()
def _match(stored, rows, width, actions, out, to):
    """What is positive in storage, in proportion: a row of `width` numbers for each action, from `to` on."""
    even = spread16(np.float32(1.0 / actions))
    zero = sub(even, even)
    for r in range(0, width, LANES):
        total = zero
        for k in range(actions):
            total = add(total, positive(load16(stored, rows + k * width + r)))
        scale = reciprocal_or(total, zero)
        share = where_positive(total, zero, even)
        for k in range(actions):
            part = positive(load16(stored, rows + k * width + r))
            store16(out, to + k * width + r, add(mul(part, scale), share))


@inner()
def _play(ends, hands, stride, reach, source, target, sigma, sigma_at):
    """Reach after an action: that before it, times what the run of each hand plays."""
    if ends.shape[0] == hands:
        for h in range(0, stride, LANES):
            store16(reach, target + h, mul(load16(reach, source + h), load16(sigma, sigma_at + h)))
        return
    h = np.int64(0)
    for run in range(ends.shape[0]):
        end, share = np.int64(ends[run]), sigma[sigma_at + run]
        shares = spread16(share)
        while h < end and h + LANES <= stride:
            store16(reach, target + h, mul(load16(reach, source + h), shares))
            h += LANES
        while h < end:
            reach[target + h] = reach[source + h] * share
            h += 1
        h = end


@inner()
def _weigh(plan, s0, s1, ends, hands, stride, width, sigma, sigma_at, values, target):
    """The value of a node at which the player plays `sigma`."""
    if ends.shape[0] == hands:
        for h in range(0, stride, LANES):
            value = mul(load16(sigma, sigma_at + h), load16(values, plan.edges[s0, EDGE_VALUE] * stride + h))
            for k in range(1, s1 - s0):
                after = load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h)
                value = add(value, mul(load16(sigma, sigma_at + k * width + h), after))
            store16(values, target + h, value)
        return
    h = np.int64(0)
    for run in range(ends.shape[0]):
        end = np.int64(ends[run])
        while h < end and h + LANES <= stride:
            value = mul(spread16(sigma[sigma_at + run]), load16(values, plan.edges[s0, EDGE_VALUE] * stride + h))
            for k in range(1, s1 - s0):
                after = load16(values, plan.edges[s0 + k, EDGE_VALUE] * stride + h)
                value = add(value, mul(spread16(sigma[sigma_at + k * width + run]), after))
            store16(values, target + h, value)
            h += LANES
        while h < end:
            worth = np.float32(0.0)
            for k in range(s1 - s0):
                worth += sigma[sigma_at + k * width + run] * values[plan.edges[s0 + k, EDGE_VALUE] * stride + h]
            values[target + h] = worth
            h += 1
        h = end


@inner()
def _learn(plan, s0, s1, ends, hands, stride, width, storage, rows, sigma, sigma_at, values, own, reached, spare):
    """Regrets and averages of a node.

    Hands of a run play alike, so sums over them are enough: of the values after each action, from which that of the
    node follows, and of the player's own reach.
    """
    reaches = (s1 - s0) * width
    for k in range(s1 - s0):
        _sums(ends, hands, stride, values, plan.edges[s0 + k, EDGE_VALUE] * stride, spare, k * width)
    _sums(ends, hands, stride, own, reached, spare, reaches)
    for r in range(0, width, LANES):
        worth = mul(load16(sigma, sigma_at + r), load16(spare, r))
        for k in range(1, s1 - s0):
            worth = add(worth, mul(load16(sigma, sigma_at + k * width + r), load16(spare, k * width + r)))
        reach = load16(spare, reaches + r)
        for k in range(s1 - s0):
            at = k * width + r
            store16(storage.regrets, rows + at, sub(load16(spare, at), worth))
            store16(storage.averages, rows + at, mul(load16(sigma, sigma_at + at), reach))


@inner()
def _sums(ends, hands, stride, source, at, out, to):
    """The sum of a row over each run."""
    if ends.shape[0] == hands:
        for h in range(0, stride, LANES):
            store16(out, to + h, load16(source, at + h))
        return
    start = np.int64(0)
    for run in range(ends.shape[0]):
        end, total, h = np.int64(ends[run]), np.float32(0.0), start
        if end - start >= _FEW:
            sums = spread16(total)
            while h + LANES <= stride and h < end:
                sums = add(sums, first_lanes(load16(source, at + h), end - h))
                h += LANES
            total = total16(sums)
        while h < end:
            total += source[at + h]
            h += 1
        out[to + run] = total
        start = end
