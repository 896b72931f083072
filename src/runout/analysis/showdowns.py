"""What hands win of each other when nobody bets any more: shares of a pot, on any board of any game of hold'em."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from runout.cards.equity169 import combo_equity_table
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CARDS, COMBOS, disjoint_combos
from runout.cards.suits import canonical_boards, combo_images
from runout.kernels.board_hands import run_out_matrix
from runout.kernels.equity import combo_scores
from runout.kernels.evaluator import board_strengths
from runout.kernels.policies import hand_shares
from runout.kernels.threads import thread_map


@cache
def first_shares(shown: int) -> np.ndarray:
    """float64 [1326, 1326]: share of the row's hand against the column's before any card is open, 0 where they clash.

    `shown` board cards come: 5, or 3 in Flop Hold'em.
    """
    if shown == 5:
        return combo_equity_table()
    boards, counts = canonical_boards(shown)

    def scores_of(part: np.ndarray) -> np.ndarray:
        scores = np.zeros((COMBOS, COMBOS), np.int32)
        combo_scores(boards[part], counts[part], COMBO_CARDS, tables(), scores)
        return scores

    every = np.sum(thread_map(scores_of, np.array_split(np.arange(len(boards)), 4)), axis=0)
    images = combo_images()
    total = np.zeros((COMBOS, COMBOS))
    for image in images:  # a canonical board stands for its renamed copies: rename the hands instead
        total += every[image[:, None], image]
    return np.where(disjoint_combos(), total / (len(images) * 2.0 * comb(48, shown)), 0.0)


def shares(hole: Sequence[int], board: Sequence[int], shown: int) -> np.ndarray:
    """float64 [1326]: mean share of one hand against every other, given the open cards; 0 where they clash."""
    held = np.array(hole, np.uint8)
    high, low = max(hole), min(hole)
    if not len(board):
        return first_shares(shown)[int(high) * (int(high) - 1) // 2 + int(low)]
    out = np.empty(COMBOS)
    hand_shares(held, np.array(board, np.uint8), shown - len(board), COMBO_CARDS, tables(), out)
    return out


def showdown_matrix(board: Sequence[int], live: np.ndarray, shown: int) -> np.ndarray:
    """float32 [h, h]: mean of win minus lose of each of the `live` combos against each other, 0 where they clash."""
    apart = disjoint_combos()[np.ix_(live, live)]
    if not len(board):
        return np.where(apart, 2 * first_shares(shown)[np.ix_(live, live)] - 1, 0).astype(np.float32)
    hands, cards = np.ascontiguousarray(COMBO_CARDS[live]), np.array(board, np.uint8)
    missing = shown - len(board)
    if missing == 0:
        strength = np.empty(len(live), np.int32)
        board_strengths(cards, hands, tables(), strength)
        return np.sign(strength[:, None] - strength[None, :]).astype(np.float32) * apart
    left = [c for c in range(52) if c not in set(board)]
    completions = np.array(list(combinations(left, missing)), np.uint8)
    out = np.zeros(len(live) * len(live), np.float32)
    deals = float(comb(len(left) - 4, missing))
    run_out_matrix(cards, completions, deals, hands, hands, tables(), len(live), out)
    return out.reshape(len(live), len(live))
