"""The exact all-in equity of every hand class against every other, all boards and all card removal.

`scores[i, j]` is twice the wins plus the ties of class i over all deals, and `pairs[i, j]` the number of combo pairs
that share no card; both are whole numbers. Computed by `runout tables equity` and shipped as data/equity169.npz.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import comb
from pathlib import Path

import numpy as np

from runout.cards.evaluator import tables
from runout.cards.hands import CLASSES, COMBO_CARDS, COMBO_CLASS, disjoint_combos
from runout.cards.suits import canonical_boards
from runout.kernels.equity import class_scores
from runout.kernels.threads import thread_map

BOARDS = comb(48, 5)  # boards for a given pair of hands


@cache
def _data() -> dict[str, np.ndarray]:
    with resources.files("runout.cards").joinpath("data/equity169.npz").open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


@cache
def equity_table() -> np.ndarray:
    """float64 [169, 169]: the equity of the row's class against the column's."""
    return _data()["scores"] / (2.0 * BOARDS * pair_table())


@cache
def pair_table() -> np.ndarray:
    """int64 [169, 169]: pairs of combos that share no card; two players can hold the same class."""
    return _data()["pairs"]


@cache
def equity_vs_random() -> np.ndarray:
    """float64 [169]: the equity of each class against a random hand."""
    pairs = pair_table()
    return (equity_table() * pairs).sum(axis=1) / pairs.sum(axis=1)


def compute(threads: int = 0) -> dict[str, np.ndarray]:
    """Both tables from scratch, over the 134,459 canonical boards."""
    boards, counts = canonical_boards(5)
    parts = np.array_split(np.arange(len(boards)), 16)

    def scores_of(part: np.ndarray) -> np.ndarray:
        scores = np.zeros((CLASSES, CLASSES), np.int64)
        class_scores(boards[part], counts[part], COMBO_CARDS, COMBO_CLASS, tables(), scores)
        return scores

    scores = np.sum(thread_map(scores_of, parts, threads), axis=0)
    member = np.eye(CLASSES, dtype=np.int64)[COMBO_CLASS]  # [1326, 169]
    return {"scores": scores, "pairs": member.T @ disjoint_combos().astype(np.int64) @ member}


def write(path: Path, threads: int = 0) -> None:
    """Compute the tables and write them as an .npz file."""
    np.savez_compressed(path, **compute(threads))  # type: ignore[arg-type]
