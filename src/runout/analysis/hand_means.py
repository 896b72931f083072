"""Averages over hands: a hand weighs its own reach times the reach of the opponent's hands that it can meet."""

from __future__ import annotations

import numpy as np

from runout.cards.hands import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS
from runout.kernels.equity import opponents

BY_COMBO, BY_CLASS = "combo", "class"


def compatible(reach: np.ndarray) -> np.ndarray:
    """float64 [2, 1326]: the reach of the other side's hands that share no card with each combo; reach [2, 1326]."""
    held = np.flatnonzero(reach.any(axis=0))
    met = _compatible_by_card(reach)  # right but for rounding: exact sums where somebody is there to ask
    met[:, held] = opponents(COMBO_CARDS[held], np.ascontiguousarray(reach[:, held]))
    return met


def pair_weight(first: np.ndarray, second: np.ndarray) -> float:
    """The weight of all pairs of hands that can be dealt together; float64 [1326] each."""
    return float(first @ np.maximum(_compatible_by_card(np.stack([first, second]))[0], 0.0))


def _compatible_by_card(reach: np.ndarray) -> np.ndarray:
    met = np.empty(reach.shape)
    for side in range(2):
        other = reach[1 - side]
        by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(other, 2), 52)
        met[side] = other.sum() - by_card[COMBO_CARDS].sum(axis=1) + other  # the same hand was taken off twice
    met[met < 1e-12 * reach.sum(axis=1)[::-1, None]] = 0.0
    return met


def mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of values [..., 1326] over hands that have one; plain where no hand with a weight has."""
    known = ~np.isnan(values)
    held = np.where(known, weights, 0.0)
    held = np.where(held.sum(axis=-1, keepdims=True) > 0, held, known)
    total = held.sum(axis=-1)
    sums = (np.where(known, values, 0.0) * held).sum(axis=-1)
    return np.divide(sums, total, out=np.full(np.shape(sums), np.nan), where=total > 0)


def class_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """float64 [..., 169]: `mean` over the combos of each class."""
    rows = values.reshape(-1, COMBOS)
    found = np.empty((len(rows), CLASSES))
    for row, own in zip(rows, found, strict=True):
        known = ~np.isnan(row)
        plain = np.bincount(COMBO_CLASS, known, CLASSES)
        held = np.bincount(COMBO_CLASS, np.where(known, weights, 0.0), CLASSES)
        use = np.where(held[COMBO_CLASS] > 0, weights, 1.0) * known
        total = np.where(held > 0, held, plain)
        sums = np.bincount(COMBO_CLASS, np.where(known, row, 0.0) * use, CLASSES)
        own[:] = np.divide(sums, total, out=np.full(CLASSES, np.nan), where=total > 0)
    return found.reshape(*values.shape[:-1], CLASSES)
