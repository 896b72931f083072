"""Public chance sampling on the range engine: a batch of boards, all hands and all lines of each, learnt by buckets.

1. Before the flop: what is known of every class of hands is loaded, and the reach of all lines walked down, once.
2. Threads draw the boards of the batch. Of each: list its hands street by street, find their buckets, and `visit` it;
   the changes of its regrets and averages stay in the board's own storage.
3. The values of the flops are added up in the order of the boards, most of their luck is taken out (`board_luck`), and
   the lines before the flop are left.
4. Threads draw actions. Of each: add the changes of all boards, in their order, to the numbers of its buckets.

Where an opponent *answers* from a street on, every board is visited twice: first for that opponent, who learns before
the street and from it on takes the best action with every hand against what the player plays now; then for the player,
against these actions.

No number depends on which thread did what, so results do not depend on how many there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.abstraction import BucketTables
from runout.kernels.board_buckets import find_buckets, list_hands, list_runs, side_by_side
from runout.kernels.board_luck import CheckedDown, take_luck_out
from runout.kernels.bucket_lines import load, run_width
from runout.kernels.compiling import inner, kernel, lent
from runout.kernels.evaluator import EvaluatorTables
from runout.kernels.lines import ANSWER, AVERAGE, KEEP_NOTHING, UPDATE, mode_on
from runout.kernels.simd import flush_denormals, restore_denormals
from runout.kernels.sweep import ENTER, EVERY_PART, add_child, chance_row, clear_chance, enter, leave, visit
from runout.kernels.tables import (
    CHANCE_VALUE,
    COUNT,
    HANDS,
    MOST_STREETS,
    NEXT_ENTRIES,
    RUNS,
    STORE,
    STRIDE,
)
from runout.kernels.team import barrier, next_task, restart_tasks

FLOP_CARDS = 3


class Dealing(NamedTuple):
    """The boards of a batch, and what is looked up for each: B flops, each with a turn and R rivers, one or all."""

    cards: np.ndarray  # uint8 [B * R, 5]: a canonical flop, a turn, a river; those with the same turn side by side
    flop: np.ndarray  # int64 [B]: the flop's number among the canonical ones
    store: np.ndarray  # int64 [3, MOST_STREETS]: where the storage of the boards begins, for the player who learns and
    # for an opponent who answers, and how much each board has
    answers_from: int  # the street from which on an opponent answers; MOST_STREETS: none does
    evaluator: EvaluatorTables
    buckets: BucketTables
    checked: CheckedDown  # to take out what the boards do to hands without any bets
    own: bool  # after the first street every hand of every board has numbers of its own: networks were asked for them


@inner()
def boards_of(game, street, board):
    """First and last + 1 of a street's boards that belong to a flop of the batch."""
    each = game.boards[street].weight.shape[0] // game.boards[1].weight.shape[0]
    return board * each, (board + 1) * each


@inner()
def deal(game, dealing, board, player, notes):
    """Hands and buckets of one board of the batch, on every street after the first; an opponent who answers has every
    hand by itself there."""
    for street in range(1, game.streets):
        boards, before = game.boards[street], game.boards[street - 1]
        last, row = street == game.streets - 1, np.int64(0) if street == 1 else board
        first, end = boards_of(game, street, board)
        for here in range(first, end):
            at, cards = boards.table[here], dealing.cards[here * (dealing.cards.shape[0] // boards.weight.shape[0])]
            dealt = cards[:FLOP_CARDS] if street == 1 else cards[FLOP_CARDS + street - 2 : FLOP_CARDS + street - 1]
            shown = cards[: FLOP_CARDS + street - 1]
            list_hands(boards, here, before, row, dealt, shown, last, dealing.evaluator, notes)
            if dealing.own:
                for k in range(at[COUNT]):
                    boards.bucket[at[HANDS] + k] = at[HANDS] + k
            else:
                find_buckets(boards, here, street, shown, dealing.flop[board], dealing.buckets, notes)
                if not dealing.buckets.lossless[street]:
                    side_by_side(boards, here, last, notes)
            list_runs(boards, here)
            if street >= dealing.answers_from:
                at[RUNS + 1 - player] = at[COUNT + 1 - player]


@inner()
def place(game, dealing, board, player, answering, notes):
    """Where the rows of both players are while one is swept: what is learnt in the board's own place; what is only
    read, and answers, in the thread's."""
    for street in range(1, game.streets):
        first, end = boards_of(game, street, board)
        for here in range(first, end):
            at, size = game.boards[street].table[here], dealing.store[2, street]
            for who in range(2):
                at[STORE + who] = notes.store[who, street] + (here - first) * size
            if not answering or street < dealing.answers_from:
                at[STORE + player] = dealing.store[answering, street] + here * size


@kernel()
def list_boards(game, dealing, player, notes):
    """Hands and buckets of all boards of a batch, without a sweep: what networks are asked about before one."""
    for board in range(dealing.flop.shape[0]):
        deal(game, dealing, board, player, notes)


@inner()
def add_changes(buckets, storage, boards, street, row, player):
    """Add what changed on all boards of a street, one after the other, to the numbers of one action."""
    base = buckets.first[player, street] + row * buckets.width[street]
    regrets = buckets.regrets[base : base + buckets.width[street]]
    averages = buckets.averages[base : base + buckets.width[street]]
    for board in range(boards.weight.shape[0]):
        at = boards.table[board]
        source, hands, runs = at[STORE + player] + row * run_width(at, player), at[HANDS + player], at[RUNS + player]
        bucket, end = boards.run_bucket[hands : hands + runs], source + runs
        add_to(regrets, averages, bucket, storage.regrets[source:end], storage.averages[source:end])


@inner()
def add_to(regrets, averages, places, gains, reaches):
    """regrets[places[k]] += gains[k], averages[places[k]] += reaches[k]."""
    for k in range(places.shape[0]):
        place = np.uint32(places[k])
        regrets[place] += gains[k]
        averages[place] += reaches[k]


@inner()
def begin(game, player, mode, scratch):
    """The first street down: what is known of every class of hands, and the reach of all lines."""
    root, plan, own_plan = game.boards[0], game.plans[player][0], game.plans[1 - player][0]
    top, zero = scratch.rows[0], np.int64(0)
    load(game.buckets, game.storage, plan, root, root.run_bucket, zero, zero, zero, player, mode)
    enter(
        game.storage, game.ranges, plan, own_plan, root, top, top, root.table[0], zero, zero, zero, player, mode
    )  # fmt: skip
    clear_chance(plan, np.int64(plan.groups[0, NEXT_ENTRIES]), top.values, root.table[0, STRIDE + player])


@inner()
def visit_board(game, dealing, board, player, mode, scratch, notes):
    """All lines of a board that was dealt; values of the flop's entries go to `game.out`."""
    place(game, dealing, board, player, np.int64(mode < 0), notes)
    scratch.path[0] = 0
    visit(
        game, np.int64(1), board, ENTER, -1, EVERY_PART, player, mode, KEEP_NOTHING, scratch, game.out,
        game.out_first[player, board],
    )  # fmt: skip


@inner()
def add_flops(game, dealing, player, scratch):
    """The values of the flops of all boards, in their order, with most of their luck taken out."""
    plan, top, stride = game.plans[player][0], scratch.rows[0], game.boards[0].table[0, STRIDE + player]
    entries = np.int64(plan.groups[0, NEXT_ENTRIES])
    for board in range(dealing.flop.shape[0]):
        at = game.out_first[player, board]
        add_child(chance_row(plan), game.boards[1], player, board, game.out, at, entries, top.values, stride)
    take_luck_out(game, dealing.checked, player, top.reach, top.values)


@inner()
def finish(game, dealing, player, scratch):
    """The first street up."""
    add_flops(game, dealing, player, scratch)
    zero = np.int64(0)
    leave(
        game.storage, game.plans[player][0], game.plans[1 - player][0], game.boards[0], scratch.rows[0],
        np.bool_(False), zero, zero, zero, player, np.int64(UPDATE), KEEP_NOTHING, scratch.lanes, scratch.packing,
    )  # fmt: skip


@lent()
def learn_batch(team, game, dealing, rows, player, scratch, answering, notes):
    """One iteration for one player; all threads of the team call this.

    rows int64 [2, MOST_STREETS]: actions about which is learnt, of the player and of an opponent who answers.
    answering: working memory of that opponent, with a first street of its own; not used where none answers.
    """
    mode_before = flush_denormals()
    boards, opponent, mode = dealing.flop.shape[0], 1 - player, np.int64(UPDATE)
    answered, answer = dealing.answers_from < MOST_STREETS, np.int64(ANSWER * dealing.answers_from)
    if team.thread == 0:
        restart_tasks(team.state)
        if answered:
            begin(game, opponent, mode, answering)
        begin(game, player, mode, scratch)
    barrier(team.state, team.threads)
    board = next_task(team.state)
    while board < boards:
        deal(game, dealing, board, player, notes)
        if answered:
            visit_board(game, dealing, board, opponent, answer, answering, notes)
        visit_board(game, dealing, board, player, mode, scratch, notes)
        if answered:  # what it learnt stands where it was placed then
            for street in range(1, dealing.answers_from):  # one board a street there
                store = dealing.store[1, street] + board * dealing.store[2, street]
                game.boards[street].table[board, STORE + opponent] = store
        board = next_task(team.state)
    barrier(team.state, team.threads)
    if team.thread == 0:
        if answered:
            finish(game, dealing, opponent, answering)
        if rows[0, 0] > 0:
            finish(game, dealing, player, scratch)
        restart_tasks(team.state)
    barrier(team.state, team.threads)
    task = next_task(team.state)
    first = 0
    for side in range(2):
        who = player if side == 0 else opponent
        for street in range(game.streets):
            while task < first + rows[side, street]:
                add_changes(game.buckets, game.storage, game.boards[street], street, task - first, who)
                task = next_task(team.state)
            first += rows[side, street]
    barrier(team.state, team.threads)
    restore_denormals(mode_before)


@lent()
def value_batch(game, dealing, player, scratch, notes):
    """What the lines that see a flop are worth to a player's hands over these boards when both play their averages; it
    is left in the chance rows of the first street."""
    mode_before = flush_denormals()
    mode = np.int64(AVERAGE)
    begin(game, player, mode, scratch)
    for board in range(dealing.flop.shape[0]):
        deal(game, dealing, board, player, notes)
        visit_board(game, dealing, board, player, mode, scratch, notes)
    add_flops(game, dealing, player, scratch)
    restore_denormals(mode_before)


@lent()
def discount(regrets, averages, positive, negative, average):
    """Weigh what was learnt so far: regrets above zero, those below, and averages."""
    for i in range(regrets.shape[0]):
        regrets[i] *= positive if regrets[i] > 0 else negative
        averages[i] *= average


@lent()
def flop_values(game, player, mode, scratch):
    """Values of one flop's entries, in the rows `out` of its street: of the one board below the first street."""
    before = flush_denormals()
    begin(game, player, mode_on(mode, 0), scratch)
    zero, scratch.path[0] = np.int64(0), 0
    visit(
        game, np.int64(1), zero, ENTER, -1, EVERY_PART, player, mode, KEEP_NOTHING, scratch, scratch.rows[1].out, zero
    )
    restore_denormals(before)


@lent()
def root_values(game, player, mode, chance, scratch):
    """Values of a player's hands at the start, left in the rows of the first street; chance float32 [entries, hands]:
    what the entries of the flop are worth to them."""
    plan, own_plan, root, top = game.plans[player][0], game.plans[1 - player][0], game.boards[0], scratch.rows[0]
    zero = np.int64(0)
    stride = root.table[0, STRIDE + player]
    first = mode_on(mode, 0)
    begin(game, player, first, scratch)
    for entry in range(chance.shape[0]):
        row = np.int64(plan.groups[0, CHANCE_VALUE] + entry) * stride
        for hand in range(chance.shape[1]):
            top.values[row + hand] = chance[entry, hand]
    leave(
        game.storage, plan, own_plan, root, top, np.bool_(False), zero, zero, zero, player, first, KEEP_NOTHING,
        scratch.lanes, scratch.packing,
    )  # fmt: skip


class Decisions(NamedTuple):
    """The decisions of a tree, those of all streets in one list."""

    first_edge: np.ndarray  # int64 [N + 1]: actions of a decision
    row: np.ndarray  # int64 [N]: row of the first action in what its player and street have learnt
    slot: np.ndarray  # int64 [edges]: what the action is called in every state of the game
    street: np.ndarray  # int64 [N]
    player: np.ndarray  # int64 [N]


@kernel()
def average_strategies(buckets, decisions, decision, bucket, out):
    """Average strategies out float64 [n, slots] of hands in a bucket at a decision, int64 [n] each."""
    out[:] = 0.0
    for i in range(decision.shape[0]):
        d = decision[i]
        street, player = decisions.street[d], decisions.player[d]
        width = buckets.width[street]
        at = buckets.first[player, street] + decisions.row[d] * width + bucket[i]
        first, last = decisions.first_edge[d], decisions.first_edge[d + 1]
        total = 0.0
        for k in range(last - first):
            total += max(buckets.averages[at + k * width], 0.0)
        for k in range(last - first):
            part = max(buckets.averages[at + k * width], 0.0)
            out[i, decisions.slot[first + k]] = part / total if total > 0 else 1.0 / (last - first)
