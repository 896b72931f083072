"""What value networks are shown of hands, against counting hand by hand."""

from __future__ import annotations

import numpy as np
import pytest

from runout.cards.cards import cards
from runout.cards.evaluator import strength
from runout.cards.hands import COMBO_CARDS, COMBOS, combo
from runout.cards.strength_features import FEATURES, HATS, HISTOGRAM, beaten_shares, strength_features


def counted(board: list[int], hand: int) -> float:
    """The share of the other hands that a hand beats, ties half, one by one."""
    own, won, met = strength([*board, *COMBO_CARDS[hand].tolist()]), 0.0, 0
    for other in range(COMBOS):
        pair = COMBO_CARDS[other].tolist()
        if other == hand or set(pair) & set(board):
            continue
        theirs = strength([*board, *pair])
        won += (own > theirs) + (own == theirs) / 2
        met += 1
    return won / met


@pytest.mark.parametrize("board", ["2c 7d 9h Ks 3d", "As Ks Qs Js Ts", "8c 8d 8h 2s"])
def test_shares_are_those_that_are_counted(board: str) -> None:
    table = cards(board)
    live = np.flatnonzero(~np.isin(COMBO_CARDS, table).any(axis=1))
    found = beaten_shares(np.array([table], np.uint8), live)[0]
    for place in (0, 17, 400, len(live) - 1):
        assert found[place] == pytest.approx(counted(table, int(live[place])))


def test_a_turn_is_the_mean_over_its_rivers() -> None:
    table, hand = cards("2c 7d 9h Ks"), combo(*cards("Qh Jh"))
    shown = strength_features(table)
    rivers = [card for card in range(52) if card not in table and card not in COMBO_CARDS[hand]]
    shares = np.array([counted([*table, card], hand) for card in rivers[::9]])
    some = beaten_shares(np.array([[*table, card] for card in rivers], np.uint8), np.array([hand, *range(900, 1000)]))
    assert shown[hand, 2 * HATS] == pytest.approx(
        np.mean([strength_features([*table, card])[hand, 2 * HATS] for card in rivers]), abs=1e-5
    )
    assert np.isfinite(some[:, 0]).all()
    assert shares == pytest.approx(
        [strength_features([*table, card])[hand, 2 * HATS] for card in rivers[::9]], abs=1e-6
    )


def test_every_hand_is_spread_once_and_blocked_ones_are_empty() -> None:
    table = cards("2c 7d 9h Ks")
    shown = strength_features(table)
    blocked = np.isin(COMBO_CARDS, table).any(axis=1)
    assert shown.shape == (COMBOS, FEATURES)
    assert not shown[blocked].any()
    for part in (slice(0, HATS), HISTOGRAM):
        assert shown[~blocked, part].sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (shown[:, 2 * HATS + 1] <= shown[:, 2 * HATS] + 1e-6).all()
