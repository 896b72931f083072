"""What hands win of each other when nobody bets any more: shares of a pot, on any board of any game of hold'em."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from runout.cards.equity169 import combo_equity_table
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CARDS, COMBOS, combo, disjoint_combos
from runout.cards.suits import canonical_subsets, combo_images, symmetries
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.kernels import board_hands as kernel
from runout.kernels.equity import combo_scores
from runout.kernels.evaluator import board_strengths
from runout.kernels.range_deals import hand_shares
from runout.kernels.threads import thread_map


@cache
def first_shares(shown: int, deck: tuple[int, ...] = FULL_DECK) -> np.ndarray:
    """float64 [1326, 1326]: share of the row's hand against the column's before any card is open, 0 where they clash.

    `shown` board cards come: 5, or 3 in Flop Hold'em.
    """
    if shown == 5 and deck == FULL_DECK:
        return combo_equity_table()
    group = symmetries([deck])
    boards, counts = canonical_subsets(np.array(deck), shown, group)
    held = np.flatnonzero(np.isin(COMBO_CARDS, deck).all(axis=1))
    hands = np.ascontiguousarray(COMBO_CARDS[held])

    def scores_of(part: np.ndarray) -> np.ndarray:
        scores = np.zeros((len(held), len(held)), np.int32)
        combo_scores(boards[part], counts[part], hands, tables(), scores)
        return scores

    every = np.zeros((COMBOS, COMBOS))
    every[np.ix_(held, held)] = np.sum(thread_map(scores_of, np.array_split(np.arange(len(boards)), 4)), axis=0)
    total = np.zeros((COMBOS, COMBOS))
    for image in combo_images()[group]:  # a canonical board stands for its renamed copies: rename the hands instead
        total += every[image[:, None], image]
    return np.where(disjoint_combos(), total / (len(group) * 2.0 * comb(len(deck) - 4, shown)), 0.0)


def shares(hole: Sequence[int], board: Sequence[int], game: HoldemGame) -> np.ndarray:
    """float64 [1326]: mean share of one hand against every other, given the open cards; 0 where they clash."""
    if not len(board):
        return np.asarray(first_shares(game.board_cards, game.deck)[combo(*hole)])
    out = np.empty(COMBOS)
    deck = np.array(game.deck, np.uint8)
    missing = game.board_cards - len(board)
    hand_shares(np.array(hole, np.uint8), np.array(board, np.uint8), missing, deck, COMBO_CARDS, tables(), out)
    return out


def by_strength(board: Sequence[int], hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int64 [h]: hands uint8 [h, 2] in ascending order of their strength on a board; and the strengths int32 [h]."""
    strength = np.empty(len(hands), np.int32)
    board_strengths(np.array(board, np.uint8), hands, tables(), strength)
    return np.argsort(strength, kind="stable"), strength


def run_out_matrix(board: Sequence[int], live: np.ndarray, game: HoldemGame) -> np.ndarray:
    """float32 [h, h]: mean of win minus lose over the cards to come of each of the `live` combos against each other.

    0 where they clash.
    """
    if not len(board):
        apart = disjoint_combos()[np.ix_(live, live)]
        table = first_shares(game.board_cards, game.deck)
        return np.where(apart, 2 * table[np.ix_(live, live)] - 1, 0).astype(np.float32)
    hands = np.ascontiguousarray(COMBO_CARDS[live])
    left = [c for c in game.deck if c not in set(board)]
    missing = game.board_cards - len(board)
    completions = np.array(list(combinations(left, missing)), np.uint8)
    out = np.zeros(len(live) * len(live), np.float32)
    deals = float(comb(len(left) - 4, missing))
    kernel.run_out_matrix(np.array(board, np.uint8), completions, deals, hands, hands, tables(), len(live), out)
    return out.reshape(len(live), len(live))
