"""The boards of a game, street by street: cards dealt, hands left, and renamings of suits that make boards equal.

`board_tree` lists every canonical board once. A board of the next street carries the weight of all that it stands for;
what is computed on it is handed to its renamed copies by the board before (`symmetrise` in the sweep).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from runout.cards.cards import DECK
from runout.cards.equity169 import combo_equity_table
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CARDS, disjoint_combos
from runout.cards.suits import canonical_subsets, card_images, symmetries
from runout.kernels.board_hands import count_hands, fill_hands, image_hands, run_out_matrix
from runout.kernels.tables import (
    BOARD_COLUMNS,
    CHILD_FIRST,
    COUNT,
    HANDS,
    IMAGE_COUNT,
    IMAGE_FIRST,
    LANES,
    MATRIX,
    STRENGTH_FIRST,
    STRIDE,
    Boards,
)
from runout.kernels.threads import thread_map


@dataclass(frozen=True, slots=True)
class BoardStreet:
    """The boards of one street, as the kernels take them and as people name them."""

    cards: np.ndarray  # uint8 [B, c]: all cards, in the order of the streets they came on
    parent: np.ndarray  # int32 [B]: the board before
    copies: np.ndarray  # int32 [B]: cards (or flops) that its last deal stands for
    tables: Boards


def board_tree(
    board: Sequence[int],
    weights: np.ndarray,
    deals: Sequence[int],
    runouts: Sequence[bool] = (),
    isomorphism: bool = True,
    threads: int = 0,
    deck: Sequence[int] = range(52),
) -> list[BoardStreet]:
    """The boards from `board` on; deals: how many cards come at once before each further street.

    weights float64 [2, 1326]; runouts: for each street but the last, whether lines are all-in there.
    """
    unseen = np.array([c for c in deck if c not in set(board)])
    group = symmetries([board, [int(c) for c in unseen]], weights) if isomorphism else np.array([0])
    cards = np.array([board], np.uint8).reshape(1, len(board))
    live = [np.flatnonzero(side) for side in weights]
    hands = np.concatenate([COMBO_CARDS[side] for side in live])
    before = (np.array([[0], [len(live[0])]]), np.array([[len(side)] for side in live], np.int32), hands)
    found: list[BoardStreet] = []
    dealt, parent, groups = np.zeros((1, 0), np.uint8), np.zeros(1, np.int32), [group]
    copies, weight = np.ones(1, np.int32), np.ones(1, np.float32)
    for street in range(len(deals) + 1):
        last = street == len(deals)
        boards = _filled(cards, dealt, parent, before, last)._replace(weight=weight)
        if not last:
            boards = _with_images(boards, groups)
            next_ = _deal(cards, groups, unseen, deals[street])
            boards.table[:, CHILD_FIRST] = next_.first
            if street < len(runouts) and runouts[street]:
                boards = with_run_outs(boards, cards, unseen, threads)
        found.append(BoardStreet(cards, parent, copies, boards))
        if not last:
            before = (boards.hands, boards.count, np.stack([boards.card_a, boards.card_b], axis=1))
            cards, dealt, parent, groups = next_.cards, next_.dealt, next_.parent, next_.groups
            copies, dealing = next_.copies, deals[street]
            left = len(unseen) + len(board) - cards.shape[1] + dealing - 4  # for a pair of hands, before this deal
            weight = (copies / comb(left, dealing)).astype(np.float32)
    return found


def restricted(streets: Sequence[BoardStreet], rows: np.ndarray, scale: float) -> list[BoardStreet]:
    """The first and the last street of two, with only these boards of the last, their weights times `scale`."""
    root, last = streets
    before = (root.tables.hands, root.tables.count, np.stack([root.tables.card_a, root.tables.card_b], axis=1))
    cards, parent = last.cards[rows], last.parent[rows]
    kept = _filled(cards, cards[:, root.cards.shape[1] :], parent, before, True)
    kept = kept._replace(weight=(last.tables.weight[rows] * scale).astype(np.float32))
    table = root.tables.table.copy()
    table[:, CHILD_FIRST] = [0, len(rows)]
    first = BoardStreet(root.cards, root.parent, root.copies, root.tables._replace(table=table))
    return [first, BoardStreet(cards, parent, last.copies[rows], kept)]


def flop_street(root: BoardStreet, flops: np.ndarray, weight: np.ndarray, last: bool) -> BoardStreet:
    """Flops uint8 [n, 3] below the empty board, with these weights and, for now, no boards below them."""
    before = (root.tables.hands, root.tables.count, np.stack([root.tables.card_a, root.tables.card_b], axis=1))
    parent = np.zeros(len(flops), np.int32)
    tables = _filled(np.ascontiguousarray(flops), np.ascontiguousarray(flops), parent, before, last)
    return BoardStreet(flops, parent, np.ones(len(flops), np.int32), tables._replace(weight=weight.astype(np.float32)))


def below_flop(
    root: Boards,
    flop: Sequence[int],
    weights: np.ndarray,
    deals: Sequence[int],
    runouts: Sequence[bool] = (),
    threads: int = 0,
    deck: Sequence[int] = range(52),
) -> list[BoardStreet]:
    """One flop and all boards that can follow it, as a part of the boards that begin with the empty one, `root`.

    weights, deals, runouts: as of `board_tree` from the flop on.
    """
    left = weights * ~np.isin(COMBO_CARDS, flop).any(axis=1)
    streets = board_tree(flop, left, deals, runouts, threads=threads, deck=deck)
    first = streets[0].tables
    up = first.up.copy()  # where each hand of the flop stands among those of the empty board
    for player in range(2):
        start, count = int(first.hands[player, 0]), int(first.count[player, 0])
        up[start : start + count] = np.searchsorted(root.combos(player, 0), first.combos(player, 0))
    flops = BoardStreet(streets[0].cards, streets[0].parent, streets[0].copies, first._replace(up=up))
    return [flops, *streets[1:]]


@dataclass(frozen=True, slots=True)
class _Deal:
    cards: np.ndarray
    dealt: np.ndarray
    parent: np.ndarray
    copies: np.ndarray
    first: np.ndarray
    groups: list[np.ndarray]


def _deal(cards: np.ndarray, groups: list[np.ndarray], unseen: np.ndarray, size: int) -> _Deal:
    """So many more cards on every board, a class of equal deals once."""
    rows, dealt, parent, copies, next_groups, first = [], [], [], [], [], [0]
    for index, board in enumerate(cards):
        left = np.setdiff1d(unseen, board)
        choices, sizes = canonical_subsets(left, size, groups[index])
        for choice, count in zip(choices, sizes, strict=True):
            rows.append(np.concatenate([board, choice]))
            dealt.append(choice)
            parent.append(index)
            copies.append(count)
            images = np.sort(card_images()[groups[index]][:, choice], axis=1)
            next_groups.append(groups[index][(images == choice).all(axis=1)])  # `choice` is ascending
        first.append(len(rows))
    return _Deal(
        np.array(rows, np.uint8),
        np.array(dealt, np.uint8),
        np.array(parent, np.int32),
        np.array(copies, np.int32),
        np.array(first, np.int32),
        next_groups,
    )


def _filled(
    cards: np.ndarray, dealt: np.ndarray, parent: np.ndarray, before: tuple[np.ndarray, ...], last: bool
) -> Boards:
    """Boards with their hands and, on the last street, the groups of equal strength."""
    parent_hands, parent_count = (np.ascontiguousarray(part, np.int64) for part in before[:2])
    parent_a, parent_b = (np.ascontiguousarray(before[2][:, i]) for i in range(2))
    total = len(cards)
    count = np.zeros((2, total), np.int64)
    count_hands(dealt, parent, parent_hands, parent_count, parent_a, parent_b, count)
    stride = (count + LANES - 1) // LANES * LANES
    ends = np.cumsum(stride.T.ravel())
    hands = np.ascontiguousarray((ends - stride.T.ravel()).reshape(total, 2).T)
    size = int(ends[-1])
    up, same = np.empty(size, np.int16), np.empty(size, np.int16)
    card_a, card_b = np.empty(size, np.uint8), np.empty(size, np.uint8)
    group_first, groups = np.zeros(total + 1, np.int64), np.zeros((2, 0), np.int16)
    arguments = (cards, dealt, parent, parent_hands, parent_count, parent_a, parent_b, last, tables(), count, stride,
                 hands, up, card_a, card_b, same, group_first)  # fmt: skip
    found = fill_hands(*arguments, groups)
    if last:
        groups = np.empty((2, found), np.int16)
        fill_hands(*arguments, groups)
    table = np.zeros((total + 1, BOARD_COLUMNS), np.int64)
    table[:, IMAGE_COUNT] = 1
    table[:, STRENGTH_FIRST] = group_first
    for column, values in ((COUNT, count), (STRIDE, stride), (HANDS, hands)):
        table[:-1, column : column + 2] = values.T
    none = np.zeros(0, np.int16), np.zeros(0, np.float32), np.zeros(0, np.int32)
    return Boards(table, np.ones(total, np.float32), up, same, card_a, card_b, groups, *none)


def _with_images(boards: Boards, groups: list[np.ndarray]) -> Boards:
    """The same boards with where each hand goes under each renaming that leaves its board, and the first it can go."""
    rows: list[np.ndarray] = []
    at = 0
    for board, group in enumerate(groups):
        boards.table[board, IMAGE_COUNT] = len(group)
        for player in range(2):
            boards.table[board, IMAGE_FIRST + player] = at
            if len(group) > 1:
                start, count = boards.hands[player, board], boards.count[player, board]
                found = np.zeros((len(group) + 1, boards.stride[player, board]), np.int16)
                for row, g in zip(found, group, strict=False):
                    image_hands(boards.card_a, boards.card_b, start, count, card_images()[g], row)
                found[-1] = found[:-1].min(axis=0)
                rows.append(found.ravel())
                at += found.size
    return boards._replace(images=np.concatenate([*rows, np.zeros(0, np.int16)]))


def with_run_outs(boards: Boards, cards: np.ndarray, unseen: np.ndarray, threads: int) -> Boards:
    """The same boards with the matrices of their all-ins."""
    sizes = boards.stride[0] * boards.stride[1]
    first = np.concatenate([[0], np.cumsum(sizes)])
    runouts = np.zeros(first[-1], np.float32)

    def fill(index: int) -> None:
        board = cards[index]
        left = np.setdiff1d(unseen, board)
        if len(left) == DECK:  # two and a half million boards: counted once and for all
            matrix = runouts.reshape(int(boards.stride[0, index]), -1)
            pairs = np.ix_(boards.combos(0, index), boards.combos(1, index))
            results = np.where(disjoint_combos()[pairs], 2 * combo_equity_table()[pairs] - 1, 0.0)
            matrix[: results.shape[0], : results.shape[1]] = results
            return
        completions, _ = canonical_subsets(left, 5 - len(board), np.array([0]))
        deals = comb(len(left) - 4, 5 - len(board))
        sides = []
        for player in range(2):
            at = boards.hands[player, index]
            part = slice(at, at + boards.count[player, index])
            sides.append(np.stack([boards.card_a[part], boards.card_b[part]], axis=1))
        out = runouts[first[index] : first[index + 1]]
        run_out_matrix(board, completions, float(deals), *sides, tables(), int(boards.stride[1, index]), out)

    thread_map(fill, range(len(cards)), threads)
    boards.table[:, MATRIX] = first
    return boards._replace(runouts=runouts)
