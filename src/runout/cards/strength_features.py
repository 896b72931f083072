"""How strong every hand is on a board, now and on all rivers: what value networks are shown of hands.

Strength is the share of all other hands that a hand beats, ties counted half. Spread over `HATS` points from 0 to 1,
closer to each other at the top: the strength now, and, as a histogram, the strengths on all rivers that can come (on a
river the two are the same). And the mean of those, and of their squares, which is higher for a draw than for a made
hand of the same mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.cards import DECK
from runout.cards.evaluator import strengths
from runout.cards.hands import COMBO_CARDS, COMBOS

HATS = 24
FEATURES = 2 * HATS + 2
HISTOGRAM = slice(HATS, 2 * HATS)  # of strengths on all rivers, among the features
_BLOCKED = 1 << 20  # above every strength


def strength_features(board: Sequence[int]) -> np.ndarray:
    """float32 [1326, FEATURES] on a turn or river; 0 for hands that the board blocks."""
    cards = np.array(board, np.uint8)
    live = np.flatnonzero(~np.isin(COMBO_CARDS, cards).any(axis=1))
    now = beaten_shares(cards[None], live)
    later = now
    if len(cards) < 5:
        left = np.setdiff1d(np.arange(DECK, dtype=np.uint8), cards)
        later = beaten_shares(np.column_stack([np.broadcast_to(cards, (len(left), len(cards))), left]), live)
    found = np.zeros((COMBOS, FEATURES), np.float32)
    found[live, :HATS] = _spread(now)
    found[live, HISTOGRAM] = _spread(later)
    found[live, 2 * HATS] = np.nanmean(later, axis=0)
    found[live, 2 * HATS + 1] = np.nanmean(later**2, axis=0)
    return found


def beaten_shares(boards: np.ndarray, combos: np.ndarray) -> np.ndarray:
    """float64 [boards, hands]: the share of the other hands that each beats, ties half; NaN where a board blocks it."""
    hands = COMBO_CARDS[combos]
    rows = np.empty((len(boards), len(hands), boards.shape[1] + 2), np.uint8)
    rows[:, :, :-2], rows[:, :, -2:] = boards[:, None], hands
    found = strengths(rows.reshape(-1, rows.shape[2])).reshape(rows.shape[:2]).astype(np.int64)
    blocked = (hands[None, :, :, None] == boards[:, None, None]).any(axis=(2, 3))
    found[blocked] = _BLOCKED
    # One sorted list for all boards: each has numbers of its own.
    found += np.arange(len(boards))[:, None] * (2 * _BLOCKED)
    order = np.sort(found, axis=1).ravel()
    below, upto = (np.searchsorted(order, found.ravel(), side) for side in ("left", "right"))
    first = np.arange(len(boards))[:, None] * len(hands)
    others = (~blocked).sum(axis=1, keepdims=True) - 1
    share = ((below + upto - 1).reshape(found.shape) / 2 - first) / others
    share[blocked] = np.nan
    return np.asarray(share)


def _spread(share: np.ndarray) -> np.ndarray:
    """float32 [hands, HATS]: mean over boards of shares [boards, hands], each spread over its two nearest points."""
    hands, here = share.shape[1], ~np.isnan(share)
    strong = np.where(here, share, 0.0)
    at = (strong + strong**4) / 2 * (HATS - 1)
    low = np.minimum(at.astype(np.int64), HATS - 2)
    place = np.arange(hands) * HATS + low
    found = np.bincount(place.ravel(), np.where(here, 1 - (at - low), 0.0).ravel(), hands * HATS)
    found += np.bincount((place + 1).ravel(), np.where(here, at - low, 0.0).ravel(), hands * HATS)
    return np.asarray((found.reshape(hands, HATS) / here.sum(axis=0)[:, None]).astype(np.float32))
