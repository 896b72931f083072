"""From advantages to a strategy: regret matching as Deep CFR plays it.

Positive advantages are played in proportion. Where no legal one is positive, the best is played; exact ties share, so
that a network that says nothing yet (all zero) plays uniformly. Illegal slots are never played, whatever they say.
"""

from __future__ import annotations

import numpy as np


def matched(advantages: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Probabilities [n, slots] of advantages [n, slots]; every row of legal bool [n, slots] has at least one."""
    positive = np.where(legal, np.maximum(advantages, 0), 0)
    total = positive.sum(axis=1, keepdims=True)
    best = np.where(legal, advantages, -np.inf)
    ties = best == best.max(axis=1, keepdims=True)
    shared = ties / ties.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), shared)
