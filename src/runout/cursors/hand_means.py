"""Averages over hands: a hand weighs its own reach times the reach of the opponent's hands that it can meet."""

from __future__ import annotations

import numpy as np

from runout.cards.hands import COMBO_CARDS
from runout.kernels.equity import opponents


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
    return np.asarray(np.divide(sums, total, out=np.full(np.shape(sums), np.nan), where=total > 0))


def cell_means(values: np.ndarray, cell: np.ndarray, weights: np.ndarray, combos: np.ndarray, count: int) -> np.ndarray:
    """float64 [..., count]: means of values [..., h] over the hands of each cell that have one, by `weights` [h];
    by `combos` [h] where no hand of the cell with a weight has one. `cell` int64 [h] says which cell each is in."""
    rows = values.reshape(-1, values.shape[-1])
    found = np.empty((len(rows), count))
    for row, own in zip(rows, found, strict=True):
        known = ~np.isnan(row)
        held = np.bincount(cell, np.where(known, weights, 0.0), count)
        use = np.where(held[cell] > 0, weights, combos) * known
        total = np.bincount(cell, use, count)
        sums = np.bincount(cell, np.where(known, row, 0.0) * use, count)
        own[:] = np.divide(sums, total, out=np.full(count, np.nan), where=total > 0)
    return found.reshape(*values.shape[:-1], count)
