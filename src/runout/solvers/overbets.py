"""Bets far above all sizes of a tree, before subgames are solved anew: who makes them, and who calls.

A one-shot game in place of the rest of the hand: with every hand the bettor bets or takes a share of the pot, its
equity; the other folds or calls, and hands are checked down. Regret matching plus on both, averages weighed by the
iteration. Taking the pot's share is less than what good hands are worth with chips behind, so the bettor has more good
hands here than need be: calls are rather too few than too many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS, disjoint_combos
from runout.games.holdem_game import HoldemGame
from runout.games.showdowns import run_out_matrix

ITERATIONS = 60


def overbet(
    game: HoldemGame, board: Sequence[int], pot: int, bet: int, call: int, bettor: np.ndarray, caller: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """float64 [1326] each: how often every hand makes the bet, and calls it.

    pot: chips in the middle before the bet; bet, call: chips that each puts in; bettor, caller float64 [1326]: ranges.
    """
    live = np.flatnonzero((game.weights[0] > 0) & ~np.isin(COMBO_CARDS, board).any(axis=1))
    apart = disjoint_combos()[np.ix_(live, live)].astype(np.float32)
    share = apart * (run_out_matrix(board, live, game) + 1) / 2
    theirs, own = (side[live].astype(np.float32) / max(float(side[live].sum()), 1e-30) for side in (bettor, caller))
    total, out = float(pot + bet + call), pot * (share @ own)
    regrets, sums = np.zeros((2, 2, len(live)), np.float32), np.zeros((2, len(live)), np.float32)
    for t in range(1, ITERATIONS + 1):
        positive = np.maximum(regrets, 0)
        both = positive.sum(axis=1)
        bets, calls = np.where(both > 0, positive[:, 0] / np.maximum(both, 1e-30), 0.5)
        sums += t * np.stack([bets, calls])
        called = own * calls
        met = apart @ called
        gain = pot * (apart @ own - met) + total * (share @ called) - bet * met - out
        coming = theirs * bets
        worth = total * (share @ coming) - call * (apart @ coming)
        for side, (first, often) in enumerate(((gain, bets), (worth, calls))):
            regrets[side, 0] = np.maximum(regrets[side, 0] + (1 - often) * first, 0)
            regrets[side, 1] = np.maximum(regrets[side, 1] - often * first, 0)
    found = np.zeros((2, COMBOS))
    found[:, live] = sums / (ITERATIONS * (ITERATIONS + 1) / 2)
    return found[0], found[1]
