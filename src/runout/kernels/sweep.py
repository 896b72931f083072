"""The sweep: one pass of the range solver down the streets and back up, for one updating player.

Of a board, all lines go together: reach of the opponent row by row (forward), values of all terminals in one pass
(`lane_values`), values back up the betting with regrets and averages on the way (backward). A row is one number a hand;
rows are padded to a multiple of LANES, so loops have no tails. Boards of the second street are tasks of their own:
each owns its storage, so threads need no locks, and the sum over them is taken in a fixed order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from runout.kernels.showdown import LANES, lane_values
from runout.kernels.simd import (
    add,
    flush_denormals,
    load16,
    maximum,
    mul,
    positive,
    reciprocal_or,
    restore_denormals,
    spread16,
    store16,
    sub,
    transpose16,
    where_positive,
)
from runout.kernels.team import barrier, next_task, restart_tasks

UPDATE = 0  # the opponent plays his current strategy; regrets and averages of the player are updated
BEST_RESPONSE = 1  # the opponent plays his average strategy; the player takes the best action with every hand
AVERAGE = 2  # both play their average strategies


class Plan(NamedTuple):
    """The betting of one street as the sweep for one player walks it: what is read and written where.

    E entries in G groups (one group but on the last street), N nodes, S slots. Rows are numbered within a group: reach
    rows (of the opponent) with the lanes first, value rows (of the player) with nodes first.
    """

    group_entry: np.ndarray  # int32 [G + 1]: entries of each group
    entry_node: np.ndarray  # int32 [E + 1]
    entry_row: np.ndarray  # int32 [E]: reach row of the entry
    parent_row: np.ndarray  # int32 [E]: reach row on the street before
    mine: np.ndarray  # uint8 [N]: 1 where the updating player acts
    first_slot: np.ndarray  # int32 [N + 1]
    node_row: np.ndarray  # int32 [N]: reach row in force
    node_value: np.ndarray  # int32 [N]: value row
    slot_row: np.ndarray  # int32 [S]: reach row after the action
    slot_store: np.ndarray  # int32 [S]: row in the acting player's storage of a board
    slot_value: np.ndarray  # int32 [S]: value row of what comes after
    show_end: np.ndarray  # int32 [G]: lanes 0 to show_end - 1 end in a showdown or run-out
    fold_first: np.ndarray  # int32 [G]: lanes fold_first to fold_end - 1 end in a fold
    fold_end: np.ndarray  # int32 [G]
    show_value: np.ndarray  # int32 [G]: value row of lane 0's showdown
    fold_value: np.ndarray  # int32 [G]: value row of lane 0's fold (lanes before fold_first have none)
    lane_first: np.ndarray  # int32 [G + 1]: where the group's lanes begin in `scales`; multiples of LANES
    scales: np.ndarray  # float32 [3 * lane_first[G]]: win, met-at-showdown, met-at-fold by lane
    chance_value: np.ndarray  # int32 [1]: value row of the next street's entry 0


class Boards(NamedTuple):
    """The boards of one street; B of them, hands in flat arrays padded a board and player."""

    count: np.ndarray  # int32 [2, B]: hands of each player that the board does not block
    stride: np.ndarray  # int32 [2, B]: the same, rounded up to a multiple of LANES
    hands: np.ndarray  # int64 [2, B]: where they begin in up, card_a, card_b and same
    up: np.ndarray  # int16: the hand's index on the board before
    card_a: np.ndarray  # uint8
    card_b: np.ndarray  # uint8
    same: np.ndarray  # int16: the opponent's index of the same combo, or his stride
    store: np.ndarray  # int64 [2, B]: where the board's regrets and averages begin
    child_first: np.ndarray  # int32 [B + 1]: boards of the next street
    weight: np.ndarray  # float32 [B]: cards it stands for over cards that can come
    group_first: np.ndarray  # int64 [B + 1]: strength groups (last street)
    ends: np.ndarray  # int16 [2, groups]: where each ends among the hands of each player
    image_count: np.ndarray  # int32 [B]: renamings of suits that leave the board as it is; 1 = only the identity
    image_first: np.ndarray  # int64 [2, B]
    images: np.ndarray  # int16: hand indices under each renaming, a padded row each
    matrix: np.ndarray  # int64 [B]: where its run-out matrix begins in `runouts`; rows of player 0, stride of player 1
    runouts: np.ndarray  # float32: mean of win minus lose over all run-outs; 0 for hands that share a card


class Game(NamedTuple):
    """Everything that the threads of a team share. Games of fewer than three streets have empty ones at the end."""

    streets: int
    weighed: bool  # whether averages are weighed by the player's own reach
    plans: tuple[tuple[Plan, ...], tuple[Plan, ...]]  # [player][street]
    boards: tuple[Boards, ...]  # [street]
    regrets: np.ndarray  # float32
    averages: np.ndarray  # float32
    ranges: np.ndarray  # float32 [2, stride]: weights at the root
    root_reach: np.ndarray  # float32: rows of the first street
    root_own: np.ndarray
    root_values: np.ndarray
    out: np.ndarray  # float32: what boards of the second street hand back, a row an entry
    out_first: np.ndarray  # int64 [2, boards of the second street]


class Team(NamedTuple):
    """A thread and its team."""

    state: np.ndarray  # int64 [TEAM_STATE]
    thread: int
    threads: int


class Scratch(NamedTuple):
    """Working memory of one thread."""

    reach: np.ndarray  # float32: rows of the last street
    own: np.ndarray  # float32: the updating player's own reach, where averages are weighed by it
    values: np.ndarray  # float32
    middle_reach: np.ndarray  # float32: rows of the street between first and last
    middle_own: np.ndarray
    middle_values: np.ndarray
    turned: np.ndarray  # float32 [(stride + 1) * LANES]
    sums: np.ndarray  # float64 [53 * LANES]
    show: np.ndarray  # float32 [stride * LANES]
    fold: np.ndarray  # float32 [stride * LANES]
    entry: np.ndarray  # float32: values of the entries of a last-street board


@njit(cache=True, nogil=True)
def forward(plan, group, stored, at, stride, reach):
    """Reach after every action of the acting opponent; his strategy is what is positive in `stored`, in proportion."""
    first, last = plan.entry_node[plan.group_entry[group]], plan.entry_node[plan.group_entry[group + 1]]
    for node in range(first, last):
        if plan.mine[node]:
            continue
        s0, s1 = plan.first_slot[node], plan.first_slot[node + 1]
        source = np.int64(plan.node_row[node]) * stride
        even = spread16(np.float32(1.0 / (s1 - s0)))
        zero = sub(even, even)
        for h in range(0, stride, LANES):
            total = zero
            for s in range(s0, s1):
                total = add(total, positive(load16(stored, at + np.int64(plan.slot_store[s]) * stride + h)))
            r = load16(reach, source + h)
            scale = mul(r, reciprocal_or(total, zero))
            share = mul(r, where_positive(total, zero, even))
            for s in range(s0, s1):
                part = positive(load16(stored, at + np.int64(plan.slot_store[s]) * stride + h))
                store16(reach, np.int64(plan.slot_row[s]) * stride + h, add(mul(part, scale), share))


@njit(cache=True, nogil=True)
def backward(plan, group, mode, regrets, averages, at, stride, values, weights, own_plan, own):
    """Values of the nodes, last first; in UPDATE mode with new regrets and averages for the player's nodes.

    weights float32 [3]: what old positive regrets, old negative regrets and the old average are multiplied by.
    own: reach of the player himself, rows of `own_plan`; empty where averages are not weighed by it.
    """
    first, last = plan.entry_node[plan.group_entry[group]], plan.entry_node[plan.group_entry[group + 1]]
    for back in range(last - first):
        node = last - 1 - back
        s0, s1 = plan.first_slot[node], plan.first_slot[node + 1]
        target = np.int64(plan.node_value[node]) * stride
        if not plan.mine[node]:
            for h in range(0, stride, LANES):
                total = load16(values, np.int64(plan.slot_value[s0]) * stride + h)
                for s in range(s0 + 1, s1):
                    total = add(total, load16(values, np.int64(plan.slot_value[s]) * stride + h))
                store16(values, target + h, total)
        elif mode == BEST_RESPONSE:
            for h in range(0, stride, LANES):
                best = load16(values, np.int64(plan.slot_value[s0]) * stride + h)
                for s in range(s0 + 1, s1):
                    best = maximum(best, load16(values, np.int64(plan.slot_value[s]) * stride + h))
                store16(values, target + h, best)
        elif mode == AVERAGE:
            _mix(plan, s0, s1, averages, at, stride, values, target)
        else:
            _mix_and_learn(plan, node, s0, s1, regrets, averages, at, stride, values, target, weights, own_plan, own)


@njit(cache=True, nogil=True)
def _mix(plan, s0, s1, stored, at, stride, values, target):
    """The value of a node at which the player plays what is stored, in proportion."""
    even = spread16(np.float32(1.0 / (s1 - s0)))
    zero = sub(even, even)
    for h in range(0, stride, LANES):
        total = zero
        for s in range(s0, s1):
            total = add(total, positive(load16(stored, at + np.int64(plan.slot_store[s]) * stride + h)))
        scale = reciprocal_or(total, zero)
        share = where_positive(total, zero, even)
        value = zero
        for s in range(s0, s1):
            part = positive(load16(stored, at + np.int64(plan.slot_store[s]) * stride + h))
            sigma = add(mul(part, scale), share)
            value = add(value, mul(sigma, load16(values, np.int64(plan.slot_value[s]) * stride + h)))
        store16(values, target + h, value)


@njit(cache=True, nogil=True)
def _mix_and_learn(plan, node, s0, s1, regrets, averages, at, stride, values, target, weights, own_plan, own):
    """`_mix` by regrets, then new regrets and averages while everything is at hand."""
    even = spread16(np.float32(1.0 / (s1 - s0)))
    zero = sub(even, even)
    keep_positive, keep_negative = spread16(weights[0]), spread16(weights[1])
    keep_average = spread16(weights[2])
    weighed = own.shape[0] > 0
    own_at = np.int64(own_plan.node_row[node]) * stride
    for h in range(0, stride, LANES):
        total = zero
        for s in range(s0, s1):
            total = add(total, positive(load16(regrets, at + np.int64(plan.slot_store[s]) * stride + h)))
        scale = reciprocal_or(total, zero)
        share = where_positive(total, zero, even)
        value = zero
        for s in range(s0, s1):
            part = positive(load16(regrets, at + np.int64(plan.slot_store[s]) * stride + h))
            sigma = add(mul(part, scale), share)
            value = add(value, mul(sigma, load16(values, np.int64(plan.slot_value[s]) * stride + h)))
        store16(values, target + h, value)
        if weighed:
            r = load16(own, own_at + h)
            scale = mul(scale, r)
            share = mul(share, r)
        for s in range(s0, s1):
            row = at + np.int64(plan.slot_store[s]) * stride + h
            regret = load16(regrets, row)
            sigma = add(mul(positive(regret), scale), share)
            store16(averages, row, add(mul(load16(averages, row), keep_average), sigma))
            gain = sub(load16(values, np.int64(plan.slot_value[s]) * stride + h), value)
            keep = where_positive(regret, keep_positive, keep_negative)
            store16(regrets, row, add(mul(regret, keep), gain))


@njit(cache=True, nogil=True)
def gather(plan, group, boards, player, board, source, source_stride, target):
    """Reach of the group's entries on a board, from the rows of the board before."""
    count, stride = boards.count[player, board], boards.stride[player, board]
    hands = boards.hands[player, board]
    for entry in range(plan.group_entry[group], plan.group_entry[group + 1]):
        a = np.int64(plan.parent_row[entry]) * source_stride
        b = np.int64(plan.entry_row[entry]) * stride
        for k in range(count):
            target[b + k] = source[a + boards.up[hands + k]]
        for k in range(count, stride):
            target[b + k] = np.float32(0.0)


@njit(cache=True, nogil=True)
def terminals(plan, group, boards, player, board, last, reach, values, scratch):
    """Values of every fold, showdown and run-out of a group of lines on a board."""
    other = 1 - player
    stride, their_stride = np.int64(boards.stride[player, board]), np.int64(boards.stride[other, board])
    show_end, fold_first, fold_end = plan.show_end[group], plan.fold_first[group], plan.fold_end[group]
    lanes = np.int64(plan.lane_first[plan.lane_first.shape[0] - 1])
    scale_at = np.int64(plan.lane_first[group])
    scales = plan.scales[scale_at:]
    for lane in range(0, max(show_end, fold_end), LANES):
        show, fold = lane < show_end, lane < fold_end and lane + LANES > fold_first
        lane_values(
            reach, their_stride, lane, show and last, fold or not last, boards.count[other, board],
            boards.count[player, board], stride, boards.hands[player, board], boards.hands[other, board], boards.card_a,
            boards.card_b, boards.same, boards.group_first[board], boards.group_first[board + 1], boards.ends[player],
            boards.ends[other], scales, lanes, scratch.turned, scratch.sums, scratch.show, scratch.fold,
        )  # fmt: skip
        if show and not last:
            run_outs(boards, player, board, lane, scales, lanes, scratch)
        for h in range(0, stride, LANES):
            if show:
                to = (np.int64(plan.show_value[group]) + lane) * stride + h
                transpose16(scratch.show, h * LANES, LANES, values, to, stride)
            if fold:
                to = (np.int64(plan.fold_value[group]) + lane) * stride + h
                transpose16(scratch.fold, h * LANES, LANES, values, to, stride)


@njit(cache=True, nogil=True)
def run_outs(boards, player, board, lane, scales, lanes, scratch):
    """All-ins before the last street: the matrix of mean results times the reach of sixteen lines, into scratch.show."""
    mine, theirs = boards.count[player, board], boards.count[1 - player, board]
    width = np.int64(boards.stride[1, board])
    start = boards.matrix[board]
    win, met = load16(scales, lane), load16(scales, lanes + lane)
    factor = spread16(np.float32(1.0 - 2.0 * player))  # the matrix is player 0's
    my_step, their_step = (width, np.int64(1)) if player == 0 else (np.int64(1), width)
    turned = scratch.turned
    for k in range(0, mine, 4):
        total0 = sub(win, win)
        total1, total2, total3 = total0, total0, total0
        row = start + k * my_step
        for j in range(theirs):
            r = load16(turned, j * LANES)
            at = row + j * their_step
            total0 = add(total0, mul(r, spread16(boards.runouts[at])))
            total1 = add(total1, mul(r, spread16(boards.runouts[at + my_step])))
            total2 = add(total2, mul(r, spread16(boards.runouts[at + 2 * my_step])))
            total3 = add(total3, mul(r, spread16(boards.runouts[at + 3 * my_step])))
        for part in range(min(4, mine - k)):
            total = total0 if part == 0 else total1 if part == 1 else total2 if part == 2 else total3
            at = (k + part) * LANES
            pairs = load16(scratch.show, at)  # lane_values left the reach that can be met here
            store16(scratch.show, at, add(mul(mul(total, factor), win), mul(pairs, met)))


@njit(cache=True, nogil=True)
def walk_last(
    plan, own_plan, boards, player, board, mode, weighed, regrets, averages, weights,
    parent_reach, parent_stride, parent_own, own_parent_stride, scratch, out, out_at,
):  # fmt: skip
    """All lines of a board of the last street; values of its entries go to `out`, a row of the board's stride each."""
    other = 1 - player
    stride, their_stride = np.int64(boards.stride[player, board]), np.int64(boards.stride[other, board])
    mine_at, theirs_at = boards.store[player, board], boards.store[other, board]
    theirs = regrets if mode == UPDATE else averages
    own = scratch.own[:0]
    for group in range(plan.group_entry.shape[0] - 1):
        gather(plan, group, boards, other, board, parent_reach, parent_stride, scratch.reach)
        forward(plan, group, theirs, theirs_at, their_stride, scratch.reach)
        if weighed and mode == UPDATE:
            own = scratch.own
            gather(own_plan, group, boards, player, board, parent_own, own_parent_stride, own)
            forward(own_plan, group, regrets, mine_at, stride, own)
        terminals(plan, group, boards, player, board, True, scratch.reach, scratch.values, scratch)
        backward(plan, group, mode, regrets, averages, mine_at, stride, scratch.values, weights, own_plan, own)
        for entry in range(plan.group_entry[group], plan.group_entry[group + 1]):
            a = np.int64(plan.node_value[plan.entry_node[entry]]) * stride
            b = out_at + entry * stride
            for h in range(0, stride, LANES):
                store16(out, b + h, load16(scratch.values, a + h))


@njit(cache=True, nogil=True)
def add_child(plan, boards, player, child, source, source_at, entries, values, stride):
    """Add the entries' values of a board of the next street to the chance rows of the board before."""
    count, child_stride = boards.count[player, child], np.int64(boards.stride[player, child])
    hands, weight = boards.hands[player, child], boards.weight[child]
    for entry in range(entries):
        a = source_at + entry * child_stride
        b = np.int64(plan.chance_value[0] + entry) * stride
        for k in range(count):
            values[b + boards.up[hands + k]] += weight * source[a + k]


@njit(cache=True, nogil=True)
def clear_chance(plan, entries, values, stride):
    """Set the chance rows of a board to zero."""
    first = np.int64(plan.chance_value[0]) * stride
    for i in range(first, first + entries * stride):
        values[i] = np.float32(0.0)


@njit(cache=True, nogil=True)
def symmetrise(plan, boards, player, board, entries, values, spare):
    """Each child stood for its class with its weight; averaging over renamings of suits gives every hand its own share."""
    images = boards.image_count[board]
    if images == 1:
        return
    count, stride = boards.count[player, board], np.int64(boards.stride[player, board])
    first = boards.image_first[player, board]
    share = np.float32(1.0 / images)
    for entry in range(entries):
        row = np.int64(plan.chance_value[0] + entry) * stride
        for k in range(count):
            total = np.float32(0.0)
            for g in range(images):
                total += values[row + boards.images[first + g * stride + k]]
            spare[k] = total * share
        for k in range(count):
            values[row + k] = spare[k]


@njit(cache=True, nogil=True)
def walk_middle(
    plan, own_plan, boards, next_plan, next_own_plan, next_boards, player, board, mode, weighed, regrets, averages,
    weights, parent_reach, parent_stride, parent_own, own_parent_stride, scratch, out, out_at,
):  # fmt: skip
    """All lines of a board between the first and the last street, with every board that can follow it."""
    other = 1 - player
    stride, their_stride = np.int64(boards.stride[player, board]), np.int64(boards.stride[other, board])
    mine_at, theirs_at = boards.store[player, board], boards.store[other, board]
    reach, values, own = scratch.middle_reach, scratch.middle_values, scratch.middle_own[:0]
    gather(plan, 0, boards, other, board, parent_reach, parent_stride, reach)
    forward(plan, 0, regrets if mode == UPDATE else averages, theirs_at, their_stride, reach)
    if weighed and mode == UPDATE:
        own = scratch.middle_own
        gather(own_plan, 0, boards, player, board, parent_own, own_parent_stride, own)
        forward(own_plan, 0, regrets, mine_at, stride, own)
    entries = next_plan.entry_row.shape[0]
    clear_chance(plan, entries, values, stride)
    if entries > 0:
        for child in range(boards.child_first[board], boards.child_first[board + 1]):
            walk_last(
                next_plan, next_own_plan, next_boards, player, child, mode, weighed, regrets, averages, weights,
                reach, their_stride, own, stride, scratch, scratch.entry, 0,
            )  # fmt: skip
            add_child(plan, next_boards, player, child, scratch.entry, 0, entries, values, stride)
        symmetrise(plan, boards, player, board, entries, values, scratch.show)
    terminals(plan, 0, boards, player, board, False, reach, values, scratch)
    backward(plan, 0, mode, regrets, averages, mine_at, stride, values, weights, own_plan, own)
    for entry in range(plan.entry_row.shape[0]):
        a = np.int64(plan.node_value[plan.entry_node[entry]]) * stride
        b = out_at + entry * stride
        for h in range(0, stride, LANES):
            store16(out, b + h, load16(values, a + h))


@njit(cache=True, nogil=True)
def _sweep(team, game, player, mode, weights, scratch):
    """One pass for one player; `game.root_values` holds the values of the first street's rows after it."""
    other = 1 - player
    plans, own_plans, boards = game.plans[player], game.plans[other], game.boards
    plan, own_plan, root = plans[0], own_plans[0], boards[0]
    regrets, averages, weighed, streets = game.regrets, game.averages, game.weighed, game.streets
    stride, their_stride = np.int64(root.stride[player, 0]), np.int64(root.stride[other, 0])
    own = game.root_own if weighed and mode == UPDATE else game.root_own[:0]
    reach, values = game.root_reach, game.root_values
    if team.thread == 0:
        at = plan.entry_row[0] * their_stride
        reach[at : at + their_stride] = game.ranges[other, :their_stride]
        forward(plan, 0, regrets if mode == UPDATE else averages, root.store[other, 0], their_stride, reach)
        if weighed and mode == UPDATE:
            at = own_plan.entry_row[0] * stride
            own[at : at + stride] = game.ranges[player, :stride]
            forward(own_plan, 0, regrets, root.store[player, 0], stride, own)
        restart_tasks(team.state)
    if streets > 1:
        barrier(team.state, team.threads)
        while True:
            board = next_task(team.state)
            if board >= boards[1].weight.shape[0]:
                break
            at = game.out_first[player, board]
            if streets == 2:
                walk_last(
                    plans[1], own_plans[1], boards[1], player, board, mode, weighed, regrets, averages, weights,
                    reach, their_stride, own, stride, scratch, game.out, at,
                )  # fmt: skip
            else:
                walk_middle(
                    plans[1], own_plans[1], boards[1], plans[2], own_plans[2], boards[2], player, board, mode, weighed,
                    regrets, averages, weights, reach, their_stride, own, stride, scratch, game.out, at,
                )  # fmt: skip
        barrier(team.state, team.threads)
    if team.thread == 0:
        entries = plans[1].entry_row.shape[0]
        clear_chance(plan, entries, values, stride)
        for board in range(boards[1].weight.shape[0] if streets > 1 else 0):
            add_child(plan, boards[1], player, board, game.out, game.out_first[player, board], entries, values, stride)
        symmetrise(plan, root, player, 0, entries, values, scratch.show)
        terminals(plan, 0, root, player, 0, streets == 1, reach, values, scratch)
        backward(plan, 0, mode, regrets, averages, root.store[player, 0], stride, values, weights, own_plan, own)
    barrier(team.state, team.threads)


@njit(cache=True, nogil=True)
def sweeps(team, game, first_player, last_player, mode, schedule, scratch):
    """A sweep for each player named, for each row of schedule float32 [n, 3]; every thread of the team calls this."""
    before = flush_denormals()
    for t in range(schedule.shape[0]):
        for player in range(first_player, last_player + 1):
            _sweep(team, game, player, mode, schedule[t], scratch)
    restore_denormals(before)


@njit(cache=True, nogil=True)
def probe(game, player, second, third, group, scratch):
    """Average-strategy reach and values of the lines of one board below the first street, left in `scratch`.

    `second` and `third` are the boards of those streets on the way; third is -1 where the second street is meant, and
    `group` is the group of lines where the board is of the last street.
    """
    other = 1 - player
    plans, own_plans, boards, averages = game.plans[player], game.plans[other], game.boards, game.averages
    weights = np.ones(3, np.float32)
    none = scratch.own[:0]
    stride, their_stride = np.int64(boards[0].stride[player, 0]), np.int64(boards[0].stride[other, 0])
    at = plans[0].entry_row[0] * their_stride
    game.root_reach[at : at + their_stride] = game.ranges[other, :their_stride]
    forward(plans[0], 0, averages, boards[0].store[other, 0], their_stride, game.root_reach)
    if game.streets == 3 and third < 0:
        walk_middle(
            plans[1], own_plans[1], boards[1], plans[2], own_plans[2], boards[2], player, second, AVERAGE, False,
            game.regrets, averages, weights, game.root_reach, their_stride, none, stride, scratch, game.out, 0,
        )  # fmt: skip
        return
    if game.streets == 2:
        street, board, above, above_stride = 1, second, game.root_reach, their_stride
    else:
        street, board, above, above_stride = 2, third, scratch.middle_reach, np.int64(boards[1].stride[other, second])
        gather(plans[1], 0, boards[1], other, second, game.root_reach, their_stride, above)
        forward(plans[1], 0, averages, boards[1].store[other, second], above_stride, above)
    plan, table = plans[street], boards[street]
    stride, their_stride = np.int64(table.stride[player, board]), np.int64(table.stride[other, board])
    gather(plan, group, table, other, board, above, above_stride, scratch.reach)
    forward(plan, group, averages, table.store[other, board], their_stride, scratch.reach)
    terminals(plan, group, table, player, board, True, scratch.reach, scratch.values, scratch)
    at = table.store[player, board]
    backward(plan, group, AVERAGE, game.regrets, averages, at, stride, scratch.values, weights, own_plans[street], none)
