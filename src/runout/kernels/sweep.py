"""The sweep: one pass of the range solver down all streets and back up, for one updating player.

Words: a *board* is the cards on the table at one street; a *line* is a way of betting on a street, whatever the cards;
an *entry* is a way of betting up to a street; a *chance row* collects what the next street's boards are worth at one
entry. *Reach* is carried down (how much of each hand of a player gets here), *values* come up (what each hand wins,
summed over the opponent's reach).

1. `enter` a board: gather the opponent's reach from the board before and walk it down all lines (`forward`).
2. Sweep every board that can follow, and add the values of its entries to the chance rows of this one.
3. `leave` the board: value all terminals in one pass (`lane_values`), walk values back up the lines (`backward`), with
   regrets and averages on the way. Where strategies are kept by buckets, lines are walked by runs (`bucket_lines`).

`visit` does this for a board and all below it. The first street is entered and left by one thread; the boards of the
second street are tasks that threads draw. Every board owns its storage, so threads need no locks, and the sum over
boards is taken in a fixed order. A row has one number for each hand and is padded to a multiple of LANES, so loops have
no tails.
"""

from __future__ import annotations

import numpy as np

from runout.kernels.bucket_lines import backward_runs, forward_runs, load
from runout.kernels.compiling import inlined, inner, lent
from runout.kernels.gadget import come_in, learn_to_come_in
from runout.kernels.lines import (
    AVERAGE,
    LEARN,
    UPDATE,
    backward,
    forward,
    mode_on,
    plays_current,
)
from runout.kernels.showdown import BLOCK, lane_values, run_outs
from runout.kernels.simd import (
    LANES,
    add,
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
    EDGE_STORE,
    ENTRY_ROW,
    FIRST_EDGE,
    FIRST_ENTRY,
    FIRST_LANE,
    FIRST_NODE,
    FOLD_END,
    FOLD_FIRST,
    FOLD_VALUE,
    HANDS,
    IMAGE_COUNT,
    IMAGE_FIRST,
    MINE,
    NEXT_ENTRIES,
    NODE_VALUE,
    OWN,
    PARENT_ROW,
    SHOW_END,
    SHOW_VALUE,
    STORE,
    STRIDE,
)
from runout.kernels.team import barrier, next_task, restart_tasks

ENTER, ADD, LEAVE = range(3)  # steps of a visit
# Which part of the boards of the last street a visit walks: all, or none because threads have walked and added up all.
EVERY_PART, DONE_PARTS = -1, -2
# Stages of a sweep: the first street down, the boards of the second and all below them, the first street up.
DOWN, BELOW, UP, END = range(4)


@inner()
def enter(storage, ranges, plan, own_plan, boards, rows, above, above_at, street, board, group, player, mode):
    """The first step on a board: reach of the opponent and, where averages need it, of the player, down all lines.

    above, above_at: rows of the board before and its row of Boards.table; on the first street, anything.
    """
    at = boards.table[board]
    for side in range(2 if mode == UPDATE else 1):
        who = 1 - player if side == 0 else player
        walked = plan if side == 0 else own_plan
        target = rows.reach if side == 0 else rows.own
        if street == 0:
            start, stride = walked.entries[0, ENTRY_ROW] * at[STRIDE + who], at[STRIDE + who]
            for k in range(stride):
                target[start + k] = ranges[who, k]
        else:
            source = above.reach if side == 0 else above.own
            gather(walked, group, boards, who, at, source, above_at[STRIDE + who], target)
        current, keep = plays_current(mode), side == 1
        walk_down(walked, group, storage, current, at, boards.run_end, who, target, rows.sigma, keep)


@inner()
def walk_down(plan, group, storage, current, place, run_end, who, reach, sigma, keep):
    """Reach of a player's lines; strategies stay in `sigma` if they are to be kept.

    Numba leaves out the branch for None only of arguments: so `run_end` comes beside the rest, here and below.
    """
    if run_end is None:
        forward(plan, group, storage, current, place, who, reach, sigma if keep else sigma[:0])
    else:
        forward_runs(plan, group, storage, current, place, run_end, who, reach, sigma, keep)


@inner()
def walk_up(
    plan, group, mode, storage, street, board, place, run_end, player, values, weights, own_plan, own, sigma, spare
):  # fmt: skip
    """Values of a player's lines, with regrets and averages."""
    if run_end is None:
        backward(plan, group, mode, storage, street, board, place, player, values, weights, own_plan, own, sigma, spare)
    else:
        backward_runs(plan, group, mode, storage, place, run_end, player, values, own_plan, own, sigma, spare)


@inner()
def gather(plan, group, boards, who, at, source, source_stride, target):
    """Reach of a group's entries on the board with the row `at`, from the rows of the board before."""
    count, stride = at[COUNT + who], at[STRIDE + who]
    up = boards.up[at[HANDS + who] : at[HANDS + who] + count]
    for entry in range(plan.groups[group, FIRST_ENTRY], plan.groups[group + 1, FIRST_ENTRY]):
        a = plan.entries[entry, PARENT_ROW] * source_stride
        b = plan.entries[entry, ENTRY_ROW] * stride
        row, out = source[a : a + source_stride], target[b : b + stride]
        for k in range(count):
            out[k] = row[up[k]]
        for k in range(count, stride):
            out[k] = np.float32(0.0)


@inner()
def leave(storage, plan, own_plan, boards, rows, last, street, board, group, player, mode, weights, lanes, packing):
    """The last step: terminals, then values back up the lines, with regrets and averages on the way."""
    shows = last and boards.runouts.size == 0
    terminals(plan, group, boards, player, board, shows, rows.reach, rows.values, lanes)
    walk_up(
        plan, group, mode, storage, street, board, boards.table[board], boards.run_end, player, rows.values, weights,
        own_plan, rows.own, rows.sigma, packing,
    )  # fmt: skip
    if plays_current(mode) and not last:
        unify(plan, storage, boards, player, board)


@inner()
def terminals(plan, group, boards, player, board, last, reach, values, space):
    """Values of every fold, showdown and run-out of a group of lines on a board."""
    stride = boards.table[board, STRIDE + player]
    places = plan.groups[group]
    show_end, fold_first, fold_end = places[SHOW_END], places[FOLD_FIRST], places[FOLD_END]
    lanes = np.int64(plan.groups[plan.groups.shape[0] - 1, FIRST_LANE])
    scales = plan.scales[places[FIRST_LANE] :]
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
    """Copy the values of a group's entries to `out`, one row per entry."""
    for entry in range(plan.groups[group, FIRST_ENTRY], plan.groups[group + 1, FIRST_ENTRY]):
        a = plan.nodes[plan.entries[entry, FIRST_NODE], NODE_VALUE] * stride
        b = out_at + entry * stride
        for h in range(0, stride, LANES):
            store16(out, b + h, load16(values, a + h))


@inner()
def chance_row(plan):
    """Where the chance rows of a street's boards begin."""
    return np.int64(plan.groups[0, CHANCE_VALUE])


@inner()
def add_child(first_row, boards, player, child, source, source_at, entries, values, stride):
    """Add the entries' values of a board of the next street to the chance rows of the board before, `values` from
    `first_row` on.

    `up` says which hand of the board before each hand is (boards block different hands, so the numbers differ), and
    `weight` how likely the board is, all boards included that it stands for.
    """
    at = boards.table[child]
    count, child_stride = at[COUNT + player], at[STRIDE + player]
    up = boards.up[at[HANDS + player] : at[HANDS + player] + count]
    weight = boards.weight[child]
    for entry in range(entries):
        a = source_at + entry * child_stride
        b = (first_row + entry) * stride
        row, total = source[a : a + count], values[b : b + stride]
        for k in range(count):
            total[up[k]] += weight * row[k]


@inner()
def clear_chance(plan, entries, values, stride):
    """Set the chance rows of a board to zero."""
    first = chance_row(plan) * stride
    for k in range(first, first + entries * stride):
        values[k] = np.float32(0.0)


@inner()
def add_rows(source, source_at, values, at, count):
    """values[at + k] += source[source_at + k]; count is a multiple of LANES."""
    for k in range(0, count, LANES):
        store16(values, at + k, add(load16(values, at + k), load16(source, source_at + k)))


@inner()
def copy_rows(source, values, at, count):
    """values[at + k] = source[k]; count is a multiple of LANES."""
    for k in range(0, count, LANES):
        store16(values, at + k, load16(source, k))


@inner()
def symmetrise(plan, boards, player, board, entries, values, spare):
    """Average the chance rows over all renamings of suits that leave this board as it is.

    Of the boards that differ only by such a renaming, one was walked for all of them. So a hand's value is right only
    in the mean over its images: 7h on a board of spades and clubs is worth what 7d is.
    """
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
    """Give hands that are images of each other the very same regrets and averages: those of the first image.

    They are equal but for rounding; where two actions tie, rounding would drive them apart over many iterations. Boards
    with buckets have no images: hands that differ by suits share a bucket.
    """
    at = boards.table[board]
    images = at[IMAGE_COUNT]
    if images == 1:
        return
    count, stride = at[COUNT + player], at[STRIDE + player]
    first = at[IMAGE_FIRST + player] + images * stride  # after the renamings: the first of each hand's images
    for node in range(plan.nodes.shape[0] - 1):
        if plan.nodes[node, MINE] == OWN:
            s0, s1 = plan.nodes[node, FIRST_EDGE], plan.nodes[node + 1, FIRST_EDGE]
            for k in range(s1 - s0):
                row = at[STORE + player] + (plan.edges[s0, EDGE_STORE] + k) * stride
                for h in range(count):
                    same = row + boards.images[first + h]
                    storage.regrets[row + h] = storage.regrets[same]
                    storage.averages[row + h] = storage.averages[same]


@inlined()
def visit(game, street, board, step, only, part, player, mode, weights, scratch, out, out_at):
    """All lines of a board and of every board that can follow it; values of the board's entries go to `out`.

    Boards are walked depth first: `scratch.path` has the board of each street, `scratch.child` the next one below it.
    1. ENTER a board: reach of its lines; its chance rows begin at zero.
    2. Every board below it is visited and adds its entries' values to the chance rows (ADD).
    3. LEAVE the board when all below it are done, and hand the values of its entries back to the board before.
    Boards of the last street are entered and left one after the other, by groups of lines whose rows stay in the cache.
    Of the first of several streets, whose boards below are shared out among threads, one call does the first `step` and
    another one the last. `only`: the one group of the last street to walk, or -1.

    What the boards of the last street come to is added up in `game.parts` parts, and then part after part. `part`: the
    one to walk, whose sums go to `game.partial`; or EVERY_PART; or DONE_PARTS: add up what stands there. So threads can
    share the boards below one board, and sums do not depend on whether they do.
    """
    top, last, zero = street, game.streets - 1, np.int64(0)
    path, child = scratch.path, scratch.child
    path[street] = board
    # Taking a street's records out of their tuples costs as much as a tenth of a river: not once for each river.
    last_plan, last_own, last_boards = game.plans[player][last], game.plans[1 - player][last], game.boards[last]
    last_rows, last_mode = scratch.rows[last], mode_on(mode, last)
    walking = True
    while walking:
        alone = street == last  # a board of the last street by itself, seen from the street before
        # Where `alone`, `plan` and `rows` are those of the street before: that is where its reach comes from.
        at_street = street - 1 if alone else street
        plan, own_plan, boards = (
            game.plans[player][at_street],
            game.plans[1 - player][at_street],
            game.boards[at_street],
        )
        rows, here, mode_here = scratch.rows[at_street], path[at_street], mode_on(mode, at_street)
        at, entries = boards.table[here], np.int64(plan.groups[0, NEXT_ENTRIES])
        stride = at[STRIDE + player]
        first, end = np.int64(0), np.int64(0)  # boards of the last street to walk now
        if alone:
            first, end = np.int64(board), np.int64(board + 1)
        elif step == ENTER:  # step 1; where the last street follows, all its boards are walked in the loop below
            above = max(street - 1, 0)
            above_at = game.boards[above].table[path[above]]
            load(
                game.buckets, game.storage, plan, boards, boards.run_bucket, street, here, np.int64(0), player,
                mode_here,
            )  # fmt: skip
            enter(
                game.storage, game.ranges, plan, own_plan, boards, rows, scratch.rows[above], above_at, street, here,
                np.int64(0), player, mode_here,
            )  # fmt: skip
            clear_chance(plan, entries, rows.values, stride)
            child[street] = at[CHILD_FIRST]
            if entries > 0 and street > 0 and street + 1 == last:
                first, end = np.int64(at[CHILD_FIRST]), np.int64(boards.table[here + 1, CHILD_FIRST])
                child[street] = end
        elif step == ADD:  # step 2: the board below has just been left
            below = scratch.rows[street + 1].out
            add_child(
                chance_row(plan), game.boards[street + 1], player, path[street + 1], below, zero, entries, rows.values,
                stride,
            )  # fmt: skip
        parts = np.int64(game.parts) if street + 1 == last else np.int64(1)
        chance, size = chance_row(plan), entries * stride
        sums, sums_row = (rows.values, chance) if parts == 1 else (rows.part, zero)
        # Of the sums of all parts of all boards, where those of this one begin, and how long those of a part are.
        each = np.int64(game.partial.shape[0] // max(game.boards[1].weight.shape[0] * parts, 1))
        partial = here * parts * each
        for one in range(max(part, 0), part + 1 if part >= 0 else (0 if part == DONE_PARTS else parts)):
            if parts > 1:
                for k in range(size):
                    sums[k] = np.float32(0.0)
            for board_below in range(first + (end - first) * one // parts, first + (end - first) * (one + 1) // parts):
                last_stride = last_boards.table[board_below, STRIDE + player]
                to, to_at = (out, out_at) if alone else (last_rows.out, np.int64(0))
                for group in range(max(only, 0), only + 1 if only >= 0 else last_plan.groups.shape[0] - 1):
                    load(
                        game.buckets, game.storage, last_plan, last_boards, last_boards.run_bucket, last, board_below,
                        group, player, last_mode,
                    )  # fmt: skip
                    enter(
                        game.storage, game.ranges, last_plan, last_own, last_boards, last_rows, rows, at, last,
                        board_below, group, player, last_mode,
                    )  # fmt: skip
                    leave(
                        game.storage, last_plan, last_own, last_boards, last_rows, np.bool_(True), last, board_below,
                        group, player, last_mode, weights, scratch.lanes, scratch.packing,
                    )  # fmt: skip
                    hand_back(last_plan, group, last_rows.values, last_stride, to, to_at)
                if not alone:
                    add_child(sums_row, last_boards, player, board_below, last_rows.out, zero, entries, sums, stride)
            if part >= 0:
                copy_rows(sums, game.partial, partial + one * each, size)
            elif parts > 1:
                add_rows(sums, zero, rows.values, chance * stride, size)
        if part == DONE_PARTS:
            for one in range(parts):
                add_rows(game.partial, partial + one * each, rows.values, chance * stride, size)
        # Where to next: stop, down to the next board, or (step 3) leave this one and go up.
        if alone or part >= 0 or (step == ENTER and street == 0):
            walking = False
        elif step != LEAVE and entries > 0 and child[street] < boards.table[here + 1, CHILD_FIRST]:
            path[street + 1] = child[street]
            child[street] += 1
            street += 1
            step = ENTER
        else:
            symmetrise(plan, boards, player, here, entries, rows.values, scratch.lanes)
            leave(
                game.storage, plan, own_plan, boards, rows, np.bool_(False), street, here, np.int64(0), player,
                mode_here, weights, scratch.lanes, scratch.packing,
            )  # fmt: skip
            if street > 0:
                to, to_at = (out, out_at) if street == top else (rows.out, np.int64(0))
                hand_back(plan, np.int64(0), rows.values, stride, to, to_at)
            if street == top:
                walking = False
            else:
                street -= 1
                step = ADD


@inner()
def gather_values(game, player, scratch):
    """Fill the chance rows of the first street with what the boards of the second street handed back."""
    plan, values = game.plans[player][0], scratch.rows[0].values
    stride, entries = game.boards[0].table[0, STRIDE + player], np.int64(plan.groups[0, NEXT_ENTRIES])
    for board in range(game.boards[1].weight.shape[0]):
        at = game.out_first[player, board]
        add_child(chance_row(plan), game.boards[1], player, board, game.out, at, entries, values, stride)


@inlined()
def _sweep(team, game, player, mode, weights, scratch, first_stage, end_stage):
    """One pass for one player; the rows of the first street hold its values after it.

    Where there is room for the sums of parts, the boards below those of the second street are shared out too: first
    every part is a task, then every board of the second street.
    """
    boards, shared = game.boards[1].weight.shape[0], game.partial.shape[0] > 0
    if team.thread == 0:
        restart_tasks(team.state)
        if game.streets == 1:
            plan, own_plan, root, rows = (
                game.plans[player][0],
                game.plans[1 - player][0],
                game.boards[0],
                scratch.rows[0],
            )
            start = np.int64(0)
            enter(
                game.storage, game.ranges, plan, own_plan, root, rows, rows, root.table[0], start, start, start, player,
                mode,
            )  # fmt: skip
            leave(
                game.storage, plan, own_plan, root, rows, np.bool_(True), start, start, start, player, mode, weights,
                scratch.lanes, scratch.packing,
            )  # fmt: skip
    for half in range(2 * first_stage, 2 * end_stage if game.streets > 1 else 2 * first_stage):
        stage, sharing = half // 2, shared and half == 2 * BELOW
        alone = stage != BELOW
        # Each stage has two halves; the second is for nothing but boards whose parts were shared out in the first.
        again = half % 2 == 1 and not (shared and stage == BELOW)
        working = not again and (not alone or team.thread == 0)
        tasks = boards * game.parts if sharing else boards
        while working:
            task = np.int64(0) if alone else next_task(team.state)
            working = not alone and task < tasks
            if alone or working:
                if stage == UP:
                    gather_values(game, player, scratch)
                street, step = (0, LEAVE if stage == UP else ENTER) if alone else (1, ENTER)
                board = task // game.parts if sharing else task
                below = task % game.parts if sharing else np.int64(DONE_PARTS if shared and not alone else EVERY_PART)
                at = np.int64(0) if alone else game.out_first[player, board]
                scratch.path[0] = 0
                visit(game, street, board, step, -1, below, player, mode, weights, scratch, game.out, at)
        if not again:
            barrier(team.state, team.threads)
        if sharing:
            if team.thread == 0:
                restart_tasks(team.state)
            barrier(team.state, team.threads)
    if game.streets == 1:
        barrier(team.state, team.threads)


@lent()
def sweeps(team, game, first_player, last_player, mode, schedule, scratch, first_stage, end_stage):
    """A sweep for each player named, for each row of schedule float32 [n, 3]; every thread of the team calls this.

    In UPDATE mode a row whose weight of averages is below zero leaves the averages as they are: LEARN.
    Of games of several streets, the stages from `first_stage` to before `end_stage`; DOWN to END is a whole sweep.
    """
    before = flush_denormals()
    choosing = mode == UPDATE and game.gadget.weight.shape[0] > 0 and team.thread == 0  # the others wait for the root
    for t in range(schedule.shape[0]):
        mode_now = np.int64(LEARN) if mode == UPDATE and schedule[t, 2] < 0 else np.int64(mode)
        for player in range(first_player, last_player + 1):
            if choosing:
                come_in(game.gadget, game.ranges)
            _sweep(team, game, player, mode_now, schedule[t], scratch, first_stage, end_stage)
            if choosing and player == game.gadget.player:
                at = game.plans[player][0].nodes[0, NODE_VALUE] * game.boards[0].table[0, STRIDE + player]
                learn_to_come_in(game.gadget, game.ranges, scratch.rows[0].values[at:], schedule[t])
    restore_denormals(before)


@lent()
def probe(game, player, path, group, weights, scratch):
    """Average-strategy reach and values of the lines of one board below the first street, left in `scratch.rows`.

    path int64 [streets to it]: the boards on the way, that board the last. `group`: as `only` of `visit`.
    """
    street = path.shape[0] - 1
    for above in range(street + 1):
        scratch.path[above] = path[above]
        if above < street:
            plan, own_plan, boards = game.plans[player][above], game.plans[1 - player][above], game.boards[above]
            before = max(above - 1, 0)
            before_at = game.boards[before].table[path[before]]
            enter(
                game.storage, game.ranges, plan, own_plan, boards, scratch.rows[above], scratch.rows[before], before_at,
                above, path[above], np.int64(0), player, AVERAGE,
            )  # fmt: skip
    visit(
        game, street, path[street], ENTER, group, EVERY_PART, player, AVERAGE, weights, scratch,
        scratch.rows[street].out, 0,
    )  # fmt: skip
