"""A few flops that stand for all 1,755, with the equities of every pair of hands on each.

1. Put the flops in order of suits, pairs and ranks and take every n-th by weight.
2. Change their weights as little as possible so that ranks, patterns of suits and pairs come as often as they should.
3. On each, the mean result of every pair of hands over all turns and rivers; before the flop, the mean of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from runout.cards.hands import COMBOS, disjoint_combos
from runout.cards.suits import canonical_boards, combo_images
from runout.games.boards import BoardStreet, board_tree, with_run_outs
from runout.kernels.tables import CHILD_FIRST, LANES, MATRIX

ALL_FLOPS = 1755
_LEAST = 0.2  # of the mean weight: no flop may count less
_ROUNDS = 50


@dataclass(frozen=True)
class FlopSet:
    """Flops and their shares of all flops."""

    cards: np.ndarray  # uint8 [n, 3]
    shares: np.ndarray  # float64 [n], adding up to one
    boards: tuple[BoardStreet, BoardStreet]  # the empty board and the flops, with run-outs
    coverage: tuple[
        float, float
    ]  # least and largest chance, over pairs of hands, that a flop of the set comes; exact: 1


def chosen_flops(count: int) -> tuple[np.ndarray, np.ndarray]:
    """int64 [count]: indices of flops among the canonical ones, and float64 [count]: their shares."""
    boards, copies = canonical_boards(3)
    if count >= len(boards):
        return np.arange(len(boards)), copies / copies.sum()
    features = _features(boards)
    ranks = np.sort(boards // 4, axis=1)[:, ::-1].astype(np.int64)
    suits, pairs = features[:, 13:16].argmax(axis=1), features[:, 16:19].argmax(axis=1)
    order = np.lexsort((ranks[:, 2], ranks[:, 1], ranks[:, 0], pairs, suits))
    ends = np.cumsum(copies[order]) / copies.sum()
    picked = order[np.searchsorted(ends, (np.arange(count) + 0.5) / count)]
    picked, times = np.unique(picked, return_counts=True)
    return picked, _balanced(features[picked], times / count, features.T @ copies / copies.sum())


def _features(boards: np.ndarray) -> np.ndarray:
    """float64 [n, 19]: how many cards of each rank; one, two or three suits; no pair, a pair, three of a kind."""
    counts = np.stack([(boards // 4 == rank).sum(axis=1) for rank in range(13)], axis=1).astype(np.float64)
    suits = np.array([len(set(row)) for row in (boards % 4).tolist()])
    kinds = counts.max(axis=1)
    return np.hstack([counts, suits[:, None] == [1, 2, 3], kinds[:, None] == [1, 2, 3]])


def _balanced(features: np.ndarray, shares: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Shares nearest to the given ones whose mean features are those wanted; small ones are held up on the way."""
    inverse = np.linalg.pinv(features.T)
    found = shares.copy()
    for _ in range(_ROUNDS):
        found += inverse @ (wanted - features.T @ found)
        found = np.maximum(found, _LEAST * shares)
    return np.asarray(found / found.sum())


def run_out_bytes(flops: int) -> int:
    """Memory of the matrices of this many flops."""
    hands = -(-comb(49, 2) // LANES) * LANES
    return 4 * flops * hands * hands


@lru_cache(maxsize=2)
def flop_set(count: int, threads: int = 0) -> FlopSet:
    """The set of this many flops; matrices of run-outs take 5.5 MB and some tenths of a second each."""
    picked, shares = chosen_flops(count)
    root, flops = board_tree((), np.ones((2, COMBOS)), (3,))
    boards, _ = canonical_boards(3)
    places = {tuple(row): i for i, row in enumerate(flops.cards.tolist())}
    rows = np.array([places[tuple(row)] for row in boards[picked].tolist()])
    tables = flops.tables._replace(
        table=np.concatenate([flops.tables.table[rows], flops.tables.table[-1:]]),
        weight=(shares * comb(52, 3) / comb(48, 3)).astype(np.float32),
    )
    tables = with_run_outs(tables, flops.cards[rows], np.arange(52), threads)
    kept = BoardStreet(flops.cards[rows], flops.parent[rows], flops.copies[rows], tables)
    first, coverage = _before_flop(root, kept)
    return FlopSet(kept.cards, shares, (first, kept), coverage)


def _before_flop(root: BoardStreet, flops: BoardStreet) -> tuple[BoardStreet, tuple[float, float]]:
    """The empty board with the mean results of all-ins, over the same flops; and how much of all flops a pair sees."""
    total, mass = np.zeros((COMBOS, COMBOS)), np.zeros((COMBOS, COMBOS))
    table = flops.tables
    for board, weight in enumerate(table.weight.astype(np.float64)):
        sides = [table.combos(player, board) for player in range(2)]
        width, at = int(table.stride[1, board]), int(table.table[board, MATRIX])
        matrix = table.runouts[at : at + len(sides[0]) * width].reshape(-1, width)[:, : len(sides[1])]
        place = np.ix_(*sides)
        total[place] += weight * matrix
        mass[place] += weight
    total, mass = (_over_suits(part) for part in (total, mass))
    meet = disjoint_combos()
    mean = np.divide(total, mass, out=np.zeros_like(total), where=meet & (mass > 0))
    own = root.tables
    width = int(own.stride[1, 0])
    runouts = np.zeros((int(own.stride[0, 0]), width), np.float32)
    runouts[:COMBOS, :COMBOS] = mean  # hands of the empty board stand in the order of combos
    changed = own.table.copy()
    changed[:, CHILD_FIRST] = [0, len(flops.cards)]
    changed[:, MATRIX] = [0, runouts.size]
    first = BoardStreet(
        root.cards, root.parent, root.copies, own._replace(table=changed, runouts=runouts.ravel())
    )  # fmt: skip
    return first, (float(mass[meet].min()), float(mass[meet].max()))


def _over_suits(values: np.ndarray) -> np.ndarray:
    """The mean over all renamings of suits."""
    images = combo_images().astype(np.int64)
    total = np.zeros_like(values)
    for image in images:
        total += values[np.ix_(image, image)]
    return total / len(images)
