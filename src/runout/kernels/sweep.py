"""The sweep: one pass of the range solver down the streets and back up, for one updating player.

Of a board, all lines go together: reach of the opponent row by row (forward), values of all terminals in one pass
(`lane_values`), values back up the betting with regrets and averages on the way (backward). A row is one number a hand;
rows are padded to a multiple of LANES, so loops have no tails. Boards of the second street are tasks of their own:
each owns its storage, so threads need no locks, and the sum over them is taken in a fixed order.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.compiling import inner, kernel
from runout.kernels.lines import (
    AVERAGE,
    UPDATE,
    backward,
    forward,
)
from runout.kernels.showdown import BLOCK, lane_values, run_outs
from runout.kernels.simd import (
    LANES,
    flush_denormals,
    load16,
    restore_denormals,
    store16,
    transpose16,
)
from runout.kernels.tables import (
    CHANCE_VALUE,
    CHILD_FIRST,
    COUNT,
    ENTRY_ROW,
    FIRST_ENTRY,
    FIRST_LANE,
    FIRST_NODE,
    FIRST_SLOT,
    FOLD_END,
    FOLD_FIRST,
    FOLD_VALUE,
    HANDS,
    IMAGE_COUNT,
    IMAGE_FIRST,
    MINE,
    NODE_VALUE,
    PARENT_ROW,
    SHOW_END,
    SHOW_VALUE,
    SLOT_STORE,
    STORE,
    STRIDE,
)
from runout.kernels.team import barrier, next_task, restart_tasks


@inner()
def gather(plan, group, boards, player, board, source, source_stride, target):
    """Reach of the group's entries on a board, from the rows of the board before."""
    at = boards.table[board]
    count, stride = at[COUNT + player], at[STRIDE + player]
    up = boards.up[at[HANDS + player] : at[HANDS + player] + count]
    for entry in range(plan.groups[group, FIRST_ENTRY], plan.groups[group + 1, FIRST_ENTRY]):
        a = plan.entries[entry, PARENT_ROW] * source_stride
        b = plan.entries[entry, ENTRY_ROW] * stride
        row, out = source[a : a + source_stride], target[b : b + stride]
        for k in range(count):
            out[k] = row[up[k]]
        for k in range(count, stride):
            out[k] = np.float32(0.0)


@inner()
def terminals(plan, group, boards, player, board, last, reach, values, scratch):
    """Values of every fold, showdown and run-out of a group of lines on a board."""
    stride = boards.table[board, STRIDE + player]
    places = plan.groups[group]
    show_end, fold_first, fold_end = places[SHOW_END], places[FOLD_FIRST], places[FOLD_END]
    lanes = np.int64(plan.groups[plan.groups.shape[0] - 1, FIRST_LANE])
    scales = plan.scales[places[FIRST_LANE] :]
    space = scratch.lanes
    wide = np.int64(space.shape[0] // BLOCK - 54) // 3
    for lane in range(0, max(show_end, fold_end), BLOCK):
        show = lane < show_end
        two = lane + LANES < max(show_end, fold_end)
        lane_values(boards, player, board, reach, lane, two, show and last, scales, lanes, space, wide)
        for half in range(0, BLOCK, LANES):
            here = lane + half
            if here < show_end:
                if not last:
                    run_outs(boards, player, board, lane, half, scales, lanes, space, wide)
                to = (np.int64(places[SHOW_VALUE]) + here) * stride
                for h in range(0, stride, LANES):
                    transpose16(space, h * BLOCK + half, BLOCK, values, to + h, stride)
            if here < fold_end and here + LANES > fold_first:
                to = (np.int64(places[FOLD_VALUE]) + here) * stride
                for h in range(0, stride, LANES):
                    transpose16(space, (wide + h) * BLOCK + half, BLOCK, values, to + h, stride)


@inner()
def hand_back(plan, group, values, stride, out, out_at):
    """Copy the values of a group's entries to `out`, a row an entry."""
    for entry in range(plan.groups[group, FIRST_ENTRY], plan.groups[group + 1, FIRST_ENTRY]):
        a = plan.nodes[plan.entries[entry, FIRST_NODE], NODE_VALUE] * stride
        b = out_at + entry * stride
        for h in range(0, stride, LANES):
            store16(out, b + h, load16(values, a + h))


@inner()
def walk_last(
    game,
    street,
    player,
    board,
    mode,
    weights,
    parent_reach,
    parent_stride,
    parent_own,
    own_stride,
    scratch,
    out,
    out_at,
):
    """All lines of a board of the last street; values of its entries go to `out`, a row of the board's stride each."""
    other = 1 - player
    plan, own_plan, boards = game.plans[player][street], game.plans[other][street], game.boards[street]
    at = boards.table[board]
    stride = at[STRIDE + player]
    none = scratch.sigma[:0]
    for group in range(plan.groups.shape[0] - 1):
        gather(plan, group, boards, other, board, parent_reach, parent_stride, scratch.reach)
        forward(plan, group, game.storage, mode == UPDATE, at, other, scratch.reach, none)
        if mode == UPDATE:
            gather(own_plan, group, boards, player, board, parent_own, own_stride, scratch.own)
            forward(own_plan, group, game.storage, True, at, player, scratch.own, scratch.sigma)
        terminals(plan, group, boards, player, board, boards.runouts.size == 0, scratch.reach, scratch.values, scratch)
        backward(
            plan, group, mode, game.storage, street, board, at, player, scratch.values, weights, own_plan,
            scratch.own, scratch.sigma, scratch.rows,
        )  # fmt: skip
        hand_back(plan, group, scratch.values, stride, out, out_at)


@inner()
def add_child(plan, boards, player, child, source, source_at, entries, values, stride):
    """Add the entries' values of a board of the next street to the chance rows of the board before."""
    at = boards.table[child]
    count, child_stride = at[COUNT + player], at[STRIDE + player]
    up = boards.up[at[HANDS + player] : at[HANDS + player] + count]
    weight = boards.weight[child]
    for entry in range(entries):
        a = source_at + entry * child_stride
        b = np.int64(plan.groups[0, CHANCE_VALUE] + entry) * stride
        row, total = source[a : a + count], values[b : b + stride]
        for k in range(count):
            total[up[k]] += weight * row[k]


@inner()
def clear_chance(plan, entries, values, stride):
    """Set the chance rows of a board to zero."""
    first = np.int64(plan.groups[0, CHANCE_VALUE]) * stride
    values[first : first + entries * stride] = np.float32(0.0)


@inner()
def symmetrise(plan, boards, player, board, entries, values, spare):
    """Each child stood for its class; averaging over renamings of suits gives every hand its own share."""
    at = boards.table[board]
    images = at[IMAGE_COUNT]
    if images == 1:
        return
    count, stride, first = at[COUNT + player], at[STRIDE + player], at[IMAGE_FIRST + player]
    share = np.float32(1.0 / images)
    for entry in range(entries):
        row = np.int64(plan.groups[0, CHANCE_VALUE] + entry) * stride
        for k in range(count):
            total = np.float32(0.0)
            for g in range(images):
                total += values[row + boards.images[first + g * stride + k]]
            spare[k] = total * share
        for k in range(count):
            values[row + k] = spare[k]


@inner()
def unify(plan, storage, boards, player, board):
    """Give hands that differ by suits alone the very same numbers: rounding would let ties drive them apart."""
    at = boards.table[board]
    images = at[IMAGE_COUNT]
    if images == 1:
        return
    count, stride = at[COUNT + player], at[STRIDE + player]
    first = at[IMAGE_FIRST + player] + images * stride  # after the renamings: the first of each hand's images
    for node in range(plan.nodes.shape[0] - 1):
        if plan.nodes[node, MINE]:
            s0, s1 = plan.nodes[node, FIRST_SLOT], plan.nodes[node + 1, FIRST_SLOT]
            for k in range(s1 - s0):
                row = at[STORE + player] + (plan.slots[s0, SLOT_STORE] + k) * stride
                for h in range(count):
                    same = row + boards.images[first + h]
                    storage.regrets[row + h] = storage.regrets[same]
                    storage.averages[row + h] = storage.averages[same]


@inner()
def walk_middle(
    game, player, board, mode, weights, parent_reach, parent_stride, parent_own, own_stride, scratch, out, out_at
):
    """All lines of a board between the first and the last street, with every board that can follow it."""
    other = 1 - player
    plan, own_plan, boards = game.plans[player][1], game.plans[other][1], game.boards[1]
    at = boards.table[board]
    stride, their_stride = at[STRIDE + player], at[STRIDE + other]
    reach, values, own = scratch.middle_reach, scratch.middle_values, scratch.middle_own
    gather(plan, 0, boards, other, board, parent_reach, parent_stride, reach)
    forward(plan, 0, game.storage, mode == UPDATE, at, other, reach, scratch.sigma[:0])
    if mode == UPDATE:
        gather(own_plan, 0, boards, player, board, parent_own, own_stride, own)
        forward(own_plan, 0, game.storage, True, at, player, own, scratch.middle_sigma)
    entries = game.plans[player][2].entries.shape[0] - 1
    clear_chance(plan, entries, values, stride)
    if entries > 0:
        for child in range(at[CHILD_FIRST], boards.table[board + 1, CHILD_FIRST]):
            walk_last(
                game, 2, player, child, mode, weights, reach, their_stride, own, stride, scratch, scratch.entry, 0
            )
            add_child(plan, game.boards[2], player, child, scratch.entry, 0, entries, values, stride)
        symmetrise(plan, boards, player, board, entries, values, scratch.lanes)
    terminals(plan, 0, boards, player, board, False, reach, values, scratch)
    backward(
        plan, 0, mode, game.storage, 1, board, at, player, values, weights, own_plan, own, scratch.middle_sigma,
        scratch.rows,
    )  # fmt: skip
    if mode == UPDATE:
        unify(plan, game.storage, boards, player, board)
    hand_back(plan, 0, values, stride, out, out_at)


@inner()
def _open_root(game, player, mode):
    """Reach of the opponent (and, where averages need it, of the player) over the first street."""
    other = 1 - player
    root = game.boards[0].table[0]
    for side in range(2):
        if side == 1 and mode != UPDATE:
            break
        who = other if side == 0 else player
        plan, reach = game.plans[1 - who][0], game.root_reach if side == 0 else game.root_own
        stride = root[STRIDE + who]
        start = plan.entries[0, ENTRY_ROW] * stride
        reach[start : start + stride] = game.ranges[who, :stride]
        sigma = game.root_sigma if side == 1 else game.root_sigma[:0]
        forward(plan, 0, game.storage, mode == UPDATE, root, who, reach, sigma)


@inner()
def _close_root(game, player, mode, weights, scratch):
    """Values of the first street, from what its boards handed back."""
    plan, own_plan, boards = game.plans[player][0], game.plans[1 - player][0], game.boards[0]
    root = boards.table[0]
    stride, values = root[STRIDE + player], game.root_values
    if game.streets > 1:
        entries = game.plans[player][1].entries.shape[0] - 1
        clear_chance(plan, entries, values, stride)
        for board in range(game.boards[1].weight.shape[0]):
            add_child(
                plan, game.boards[1], player, board, game.out, game.out_first[player, board], entries, values, stride
            )
        symmetrise(plan, boards, player, 0, entries, values, scratch.lanes)
    terminals(plan, 0, boards, player, 0, game.streets == 1, game.root_reach, values, scratch)
    backward(
        plan, 0, mode, game.storage, 0, 0, root, player, values, weights, own_plan, game.root_own, game.root_sigma,
        scratch.rows,
    )  # fmt: skip
    if mode == UPDATE:
        unify(plan, game.storage, boards, player, 0)


@inner()
def _sweep(team, game, player, mode, weights, scratch):
    """One pass for one player; `game.root_values` holds the values of the first street's rows after it."""
    root = game.boards[0].table[0]
    own_stride, their_stride = root[STRIDE + player], root[STRIDE + 1 - player]
    reach, own = game.root_reach, game.root_own
    if team.thread == 0:
        _open_root(game, player, mode)
        restart_tasks(team.state)
    if game.streets > 1:
        barrier(team.state, team.threads)
        while True:
            board = next_task(team.state)
            if board >= game.boards[1].weight.shape[0]:
                break
            at = game.out_first[player, board]
            if game.streets == 2:
                walk_last(
                    game, 1, player, board, mode, weights, reach, their_stride, own, own_stride, scratch, game.out, at
                )
            else:
                walk_middle(
                    game, player, board, mode, weights, reach, their_stride, own, own_stride, scratch, game.out, at
                )
        barrier(team.state, team.threads)
    if team.thread == 0:
        _close_root(game, player, mode, weights, scratch)
    barrier(team.state, team.threads)


@kernel()
def sweeps(team, game, first_player, last_player, mode, schedule, scratch):
    """A sweep for each player named, for each row of schedule float32 [n, 3]; every thread of the team calls this."""
    before = flush_denormals()
    for t in range(schedule.shape[0]):
        for player in range(first_player, last_player + 1):
            _sweep(team, game, player, mode, schedule[t], scratch)
    restore_denormals(before)


@kernel()
def probe(game, player, second, third, group, scratch):
    """Average-strategy reach and values of the lines of one board below the first street, left in `scratch`.

    `second` and `third` are the boards of those streets on the way; third is -1 where the second street is meant, and
    `group` is the group of lines where the board is of the last street.
    """
    other = 1 - player
    street, board = (2, third) if third >= 0 else (1, second)
    weights = np.ones(3, np.float32)
    none = scratch.sigma[:0]
    _open_root(game, player, AVERAGE)
    above, above_stride = game.root_reach, game.boards[0].table[0, STRIDE + other]
    if street == 1 and game.streets == 3:
        walk_middle(game, player, second, AVERAGE, weights, above, above_stride, none, 0, scratch, game.out, 0)
        return
    if street == 2:
        at = game.boards[1].table[second]
        stride, reach = at[STRIDE + other], scratch.middle_reach
        gather(game.plans[player][1], 0, game.boards[1], other, second, above, above_stride, reach)
        forward(game.plans[player][1], 0, game.storage, False, at, other, reach, none)
        above, above_stride = reach, stride
    plan, boards = game.plans[player][street], game.boards[street]
    at = boards.table[board]
    stride = at[STRIDE + player]
    gather(plan, group, boards, other, board, above, above_stride, scratch.reach)
    forward(plan, group, game.storage, False, at, other, scratch.reach, none)
    terminals(plan, group, boards, player, board, boards.runouts.size == 0, scratch.reach, scratch.values, scratch)
    backward(
        plan, group, AVERAGE, game.storage, street, board, at, player, scratch.values, weights,
        game.plans[other][street], none, none, scratch.rows,
    )  # fmt: skip
