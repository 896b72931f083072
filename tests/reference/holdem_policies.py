"""Policies of hold'em to test with: fixed at random by information set."""

from __future__ import annotations

import numpy as np

from runout.games.encoders import infoset_keys
from runout.games.holdem_batch import HoldemBatch


class RandomTable:
    """A behaviour strategy that is drawn once for every information set and part, as if from a table."""

    def __init__(self, weights: tuple[float, ...] = (1.0,), seed: int = 0, sparse: float = 0.0) -> None:
        self.weights = np.array(weights) / np.sum(weights)
        self.seed, self.sparse = seed, sparse  # `sparse`: share of the actions that are never taken

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        slots = batch.rules.slots
        keys = infoset_keys(batch)[:, None] + np.uint64(1000003 * (self.seed * 64 + part)) * np.uint64(slots)
        draws = _mixed(keys * np.uint64(slots) + np.arange(slots, dtype=np.uint64))
        draws = np.where(_mixed(keys + np.arange(77, 77 + slots, dtype=np.uint64)) < self.sparse, 0.0, draws) + 1e-12
        odds = np.where(batch.legal(), draws, 0.0)
        return odds / odds.sum(axis=1, keepdims=True)


def _mixed(keys: np.ndarray) -> np.ndarray:
    """Numbers in [0, 1) from uint64 keys, splitmix64."""
    with np.errstate(over="ignore"):
        z = keys + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) / (1 << 53)
