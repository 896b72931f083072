"""Groups of boards that play alike: boards on which every class of hands is worth about the same.

A hand of a given strength is not played alike on every board: what it meets depends on which hands the board helps. So
a board is described by what it does to each of the 169 classes: the mean strength of the class, how far its combos lie
apart (flushes and their draws) and how much is still open (draws of all kinds). Boards are put in groups by k-means.

Descriptions are whole numbers small enough that all sums are exact, so groups come out the same on every machine.
"""

from __future__ import annotations

import numpy as np

from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CLASS

STEPS = 96  # of a described number: the squares of a description add up to less than 2 ** 23, exact in float32
_ROUNDS = 20
_PART = 4096  # boards that are compared with all centers at a time
_SPREAD = 2.0  # what a difference within a class counts for, beside one of its mean
_OPEN = 2.0  # the same of what is still open


def descriptions(strength: np.ndarray, square: np.ndarray | None, most: float) -> np.ndarray:
    """float32 [n, features], whole numbers, of boards with uint16 [n, 1326] strengths and, where cards come, mean
    squares: from 1 on in steps of 1 / `most`, 0 where the board blocks a hand."""
    by_class = np.zeros((len(COMBO_CLASS), CLASSES))
    by_class[np.arange(len(COMBO_CLASS)), COMBO_CLASS] = 1.0
    held = (strength > 0).astype(np.float64)
    values = np.maximum(strength.astype(np.float64) - 1.0, 0.0)
    count = held @ by_class  # whole numbers below 2 ** 53, as all products here
    mean = np.divide(values @ by_class, count * most, out=np.full(count.shape, 0.5), where=count > 0)
    second = np.divide((values * values) @ by_class, count * most * most, out=mean * mean, where=count > 0)
    parts = [mean, _SPREAD * np.sqrt(np.maximum(second - mean * mean, 0.0))]
    if square is not None:
        squares = np.maximum(square.astype(np.float64) - 1.0, 0.0) @ by_class
        later = np.divide(squares, count * most, out=second.copy(), where=count > 0)
        parts.append(_OPEN * np.sqrt(np.maximum(later - second, 0.0)))
    weight = np.sqrt(CLASS_COMBOS / CLASS_COMBOS.max())
    return np.concatenate([np.rint(np.minimum(part, 1.0) * weight * STEPS) for part in parts], axis=1).astype(
        np.float32
    )


def alike(points: np.ndarray, weights: np.ndarray, groups: int) -> np.ndarray:
    """int64 [n]: the group of each point [n, d] of whole numbers, by k-means; weights [n]: what each stands for."""
    if groups == 1:
        return np.zeros(len(points), np.int64)
    if groups >= len(points):
        return np.arange(len(points))
    centers = _begin(points, weights, groups)
    found = np.zeros(len(points), np.int64)
    for _ in range(_ROUNDS):
        found = _nearest(points, centers)
        order = np.argsort(found, kind="stable")
        first = np.searchsorted(found[order], np.arange(groups))
        held = np.bincount(found, weights, groups)
        full = np.flatnonzero(held > 0)
        sums = np.add.reduceat((points * weights[:, None])[order].astype(np.float64), first[full], axis=0)
        centers[full] = np.rint(sums / held[full, None])
    return found


def _begin(points: np.ndarray, weights: np.ndarray, groups: int) -> np.ndarray:
    """Points far from each other: each is drawn by its squared distance from those before (k-means++)."""
    random = np.random.Generator(np.random.PCG64(0))
    centers = np.empty((groups, points.shape[1]), np.float32)
    size = (points * points).sum(axis=1)
    distance = np.full(len(points), np.inf)
    odds = np.cumsum(weights, dtype=np.float64)
    for i in range(groups):
        at = min(int(np.searchsorted(odds, random.random() * odds[-1], side="right")), len(points) - 1)
        centers[i] = points[at]
        distance = np.minimum(distance, size - 2.0 * (points @ centers[i]) + size[at])
        odds = np.cumsum(distance * weights)
    return centers


def _nearest(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    half = (centers * centers).sum(axis=1)
    found = np.empty(len(points), np.int64)
    for first in range(0, len(points), _PART):
        part = points[first : first + _PART]
        found[first : first + _PART] = (half - 2.0 * (part @ centers.T)).argmin(axis=1)
    return found
