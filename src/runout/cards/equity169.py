"""Exact all-in equity before the flop: every hand class against every combo, all boards and all card removal.

`scores[i, j]` is twice the wins plus the ties of the first combo of class i against combo j over all boards, a whole
number; 0 where the two share a card. Suits renamed, it holds every combo against every combo. Computed by
`runout tables equity` and shipped as data/equity169.npz.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import comb
from typing import IO

import numpy as np

from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS, disjoint_combos
from runout.cards.suits import canonical_boards, combo_images
from runout.kernels.equity import combo_scores
from runout.kernels.threads import thread_map

BOARDS = comb(48, 5)  # boards for a given pair of hands

_FIRST = np.unique(COMBO_CLASS, return_index=True)[1]  # [169] the first combo of each class


@cache
def _scores() -> np.ndarray:
    """int32 [169, 1326], see the module's docstring."""
    with resources.files("runout.cards").joinpath("data/equity169.npz").open("rb") as file:
        return np.asarray(np.load(file, allow_pickle=False)["scores"])


@cache
def combo_equity_table() -> np.ndarray:
    """float64 [1326, 1326]: the equity of the row's combo against the column's, 0 where they share a card."""
    to_first = np.argmax(combo_images() == _FIRST[COMBO_CLASS], axis=0)  # a renaming of each combo to its class's first
    return np.asarray(_scores()[COMBO_CLASS[:, None], combo_images()[to_first]] / (2.0 * BOARDS))


@cache
def equity_table() -> np.ndarray:
    """float64 [169, 169]: the equity of the row's class against the column's."""
    return _by_class(_scores()) / (2.0 * BOARDS * pair_table())


@cache
def pair_table() -> np.ndarray:
    """int64 [169, 169]: pairs of combos that share no card; two players can hold the same class."""
    return _by_class(disjoint_combos()[_FIRST])


@cache
def equity_vs_random() -> np.ndarray:
    """float64 [169]: the equity of each class against a random hand."""
    pairs = pair_table()
    return np.asarray((equity_table() * pairs).sum(axis=1) / pairs.sum(axis=1))


def compute(threads: int = 0) -> np.ndarray:
    """The scores from scratch, over the 134,459 canonical boards."""
    boards, counts = canonical_boards(5)
    parts = np.array_split(np.arange(len(boards)), 16)

    def scores_of(part: np.ndarray) -> np.ndarray:
        scores = np.zeros((COMBOS, COMBOS), np.int32)
        combo_scores(boards[part], counts[part], COMBO_CARDS, tables(), scores)
        return scores

    every = np.sum(thread_map(scores_of, parts, threads), axis=0)
    # a canonical board stands for its renamed copies: rename the hands instead
    scores = sum(every[images[_FIRST][:, None], images] for images in combo_images()) // len(combo_images())
    return np.where(disjoint_combos()[_FIRST], scores, 0).astype(np.int32)


def write(file: IO[bytes], threads: int = 0) -> None:
    """Compute the scores and write them in numpy's .npz format."""
    np.savez_compressed(file, scores=compute(threads))


def _by_class(rows: np.ndarray) -> np.ndarray:
    """int64 [169, 169]: sums over all pairs of combos of two classes, from rows [169, 1326] of each class's first."""
    sums = np.stack([np.bincount(COMBO_CLASS, row, CLASSES) for row in rows])
    return CLASS_COMBOS[:, None] * sums.astype(np.int64)
