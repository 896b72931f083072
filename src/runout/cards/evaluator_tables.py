"""Builds the evaluator's tables from the rules of poker; the result ships as data/evaluator.npz.

1. Score every five-card hand by (category, ranks that decide); the 7,462 different scores in order are the strengths.
2. Six and seven cards are worth the best hand that is left when one card is taken away.
3. Place every rank multiset in a perfect hash: rows by size, each with the first displacement at which it fits.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import IO

import numpy as np

from runout.kernels import evaluator as kernel

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_FIVE_HIGH_STRAIGHT = (12, 3, 2, 1, 0)

Ranks = tuple[int, ...]  # card ranks 0 to 12, highest first
Score = tuple[int, Ranks]  # category and the ranks that decide


def score(ranks: Ranks, flush: bool) -> Score:
    """Category and deciding ranks of five cards: most frequent rank first, then the higher one."""
    order = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    top = max(ranks)
    straight = len(counts) == 5 and top - min(ranks) == 4
    if tuple(order) == _FIVE_HIGH_STRAIGHT:
        straight, order = True, [3, 2, 1, 0, 12]
    if straight:
        return (8 if flush else 4), tuple(order)
    if flush:
        return 5, tuple(order)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return kinds[tuple(counts)], tuple(order)


def build() -> dict[str, np.ndarray]:
    """All tables: those of `kernels.evaluator.EvaluatorTables` and, by strength, category and deciding ranks."""
    flushes: dict[Ranks, Score] = {ranks: score(ranks, True) for ranks in combinations(range(12, -1, -1), 5)}
    others = {ranks: score(ranks, False) for ranks in _multisets(5)}
    ordered = sorted({*flushes.values(), *others.values()})
    strength = {found: index + 1 for index, found in enumerate(ordered)}

    by_ranks = {ranks: strength[found] for ranks, found in others.items()}
    by_mask = {ranks: strength[found] for ranks, found in flushes.items()}
    for size in (6, 7):
        by_ranks |= {ranks: _best_without_one(ranks, by_ranks) for ranks in _multisets(size)}
        by_mask |= {ranks: _best_without_one(ranks, by_mask) for ranks in combinations(range(12, -1, -1), size)}

    flush = np.zeros(1 << 13, np.uint16)
    for ranks, value in by_mask.items():
        flush[sum(1 << rank for rank in ranks)] = value
    card_key = np.array([5 ** (c // 4) + (1 << (32 + 4 * (c % 4))) for c in range(52)], np.uint64)
    displace, strengths = _perfect_hash({sum(5**rank for rank in ranks): v for ranks, v in by_ranks.items()})
    return {
        "card_key": card_key,
        "displace": displace,
        "strengths": strengths,
        "flush": flush,
        "category": np.array([0] + [category for category, _ in ordered], np.uint8),  # [7463]
        "ranks": np.array([(0,) * 5] + [ranks for _, ranks in ordered], np.uint8),  # [7463, 5]
    }


def write(file: IO[bytes]) -> None:
    """Compute the tables and write them in numpy's .npz format."""
    np.savez_compressed(file, **build())  # type: ignore[arg-type]


def _multisets(size: int) -> list[Ranks]:
    every = combinations_with_replacement(range(12, -1, -1), size)
    return [ranks for ranks in every if all(ranks[i] != ranks[i + 4] for i in range(size - 4))]


def _best_without_one(ranks: Ranks, smaller: dict[Ranks, int]) -> int:
    return max(smaller[ranks[:i] + ranks[i + 1 :]] for i in range(len(ranks)))


def _perfect_hash(values: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    keys = np.array(list(values), np.uint64)
    mixed = keys * kernel.MULTIPLIER
    rows = (mixed >> kernel.ROW_SHIFT).astype(np.int64)
    columns = ((mixed >> kernel.COLUMN_SHIFT) & kernel.COLUMN_MASK).astype(np.int64)
    found = np.array(list(values.values()), np.uint16)
    displace = np.zeros(1 << 13, np.uint32)
    strengths = np.zeros(1 << 17, np.uint16)
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange((1 << 13) + 1))
    sizes = np.diff(starts)
    for row in np.argsort(-sizes, kind="stable"):
        members = order[starts[row] : starts[row + 1]]
        if len(set(columns[members])) < len(members):
            raise AssertionError("two keys of a row share a column: the multiplier must change")
        shift = next(d for d in range(1 << 17) if not strengths[columns[members] ^ d].any())
        displace[row] = shift
        strengths[columns[members] ^ shift] = found[members]
    return displace, strengths
