"""Limit hold'em with fewer ranks or suits: what is dealt, how often, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from runout.cards.evaluator import strength, strength_categories
from runout.errors import InputError
from runout.games.deals import DealSettings, class_odds, draw_deals, make_pool
from runout.games.holdem import LimitHoldem
from runout.games.holdem_batch import HoldemBatch

SMALL = LimitHoldem(num_streets=2, ranks=3, suits=3)


def test_deals_are_of_the_deck_and_every_card_comes_alike() -> None:
    game = LimitHoldem(ranks=6, suits=2).game()
    deals = draw_deals(game, 24_000, np.array([1], np.uint64))
    assert set(np.unique(deals)) == set(game.deck)
    for place in range(9):
        counts = np.bincount(deals[:, place], minlength=52)[list(game.deck)]
        assert abs(counts - 2000).max() < 5 * 2000**0.5


def test_the_odds_of_classes_are_those_of_a_list() -> None:
    game = SMALL.game()
    counts: Counter[int] = Counter()
    for board in combinations(game.deck, 3):
        left = [card for card in game.deck if card not in board]
        hands = {hand: strength([*hand, *board]) for hand in combinations(left, 2)}
        for first, second in permutations(hands, 2):
            if not set(first) & set(second):
                counts[int(strength_categories()[max(hands[first], hands[second])])] += 1
    total = sum(counts.values())
    np.testing.assert_allclose(class_odds(game), [counts[c] / total for c in range(9)])


def test_stratified_pools_weigh_classes_by_their_odds() -> None:
    pool = make_pool(SMALL, DealSettings(count=3000, min_per_class=100))
    by_class = np.bincount(pool.classes, pool.weights, 9) / len(pool)
    np.testing.assert_allclose(by_class, class_odds(SMALL.game()), atol=1e-9)


def test_cards_that_the_deck_does_not_have_are_refused() -> None:
    with pytest.raises(InputError, match=r"Flop Hold'em, 100 bb, 9 cards does not have As: its cards go up to 4h"):
        SMALL.game().deal("As3c 2c2d 2h3d3h 4c4d")
    deal = (*SMALL.game().deck[:8], 51)
    with pytest.raises(InputError, match="does not have As"):
        HoldemBatch(SMALL.game(), np.array([deal], np.uint8))


@pytest.mark.parametrize(("ranks", "suits"), [(2, 4), (4, 2), (8, 1)])
def test_decks_too_small_for_a_deal_are_refused(ranks: int, suits: int) -> None:
    with pytest.raises(InputError, match="8 cards: a deal takes 9"):
        LimitHoldem(ranks=ranks, suits=suits)
