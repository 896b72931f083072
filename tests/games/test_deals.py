"""Pools of deals: drawn as asked, unbiased, saved, and refused where they belong to another game."""

from __future__ import annotations

from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from reference import showdown
from runout.cards.evaluator import category, strength, strengths
from runout.cards.evaluator_tables import CATEGORIES
from runout.config import validated
from runout.errors import InputError, SolutionError
from runout.games.deals import COUNTS, DealPool, DealSettings, class_odds, count_all, count_flop, make_pool
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.solutions.deals import read_pool, write_pool
from runout.solutions.format import Bundle, write_bundle

FLOP = LimitHoldem(num_streets=2)
STRAIGHT_FLUSH = 7462 - 9  # the weakest of ten


def pool(game: HoldemSettings = FLOP, **given: int) -> DealPool:
    return make_pool(game, DealSettings(**given))


def test_every_deal_has_nine_different_cards_and_every_card_comes_alike() -> None:
    found = pool(count=50_000).deals
    assert found.shape == (50_000, 9)
    ordered = np.sort(found, axis=1)
    assert (ordered[:, 1:] > ordered[:, :-1]).all()
    expected = 50_000 / 52
    for place in range(9):
        counts = np.bincount(found[:, place], minlength=52)
        chi = ((counts - expected) ** 2 / expected).sum()
        assert counts.shape == (52,)
        assert chi < 51 + 6 * np.sqrt(102)


def test_a_seed_gives_the_same_pool_and_another_seed_another() -> None:
    for settings in ({"count": 500}, {"count": 500, "min_per_class": 20}):
        first, again, other = pool(**settings, seed=1), pool(**settings, seed=1), pool(**settings, seed=2)
        assert (first.deals == again.deals).all()
        assert (first.weights == again.weights).all()
        assert (first.deals != other.deals).any()


def test_a_given_flop_is_dealt_every_time() -> None:
    game = NoLimitHoldem(board="Qs Jh 2h")
    for found in (pool(game, count=300), pool(game, count=900, min_per_class=30)):
        assert (found.deals[:, 4:7] == game.game().board).all()
        assert (np.sort(found.deals, axis=1)[:, 1:] > np.sort(found.deals, axis=1)[:, :-1]).all()


@pytest.mark.parametrize(("game", "shown"), [(FLOP, 3), (LimitHoldem(), 5), (NoLimitHoldem(num_streets=2), 5)])
def test_the_class_of_a_deal_is_that_of_its_better_hand(game: HoldemSettings, shown: int) -> None:
    found = pool(game, count=200)
    for deal, kind in zip(found.deals.tolist(), found.classes, strict=True):
        hands = [deal[0:2] + deal[4 : 4 + shown], deal[2:4] + deal[4 : 4 + shown]]
        better = max(hands, key=showdown.value)
        assert category(strength(better)) == CATEGORIES[kind]


def test_a_uniform_pool_weighs_every_deal_alike() -> None:
    found = pool(count=50_000)
    assert (found.weights == 1).all()
    assert found.rejections == 0
    counts = np.array([row.deals for row in found.histogram()])
    expected = class_odds(FLOP.game()) * len(found)
    assert counts.sum() == len(found)
    assert (np.abs(counts - expected) < 6 * np.sqrt(expected) + 1).all()


def test_the_odds_of_the_classes_are_counted_exactly() -> None:
    assert sum(COUNTS[3]) == comb(52, 3) * comb(49, 2) * comb(47, 2)
    assert sum(COUNTS[5]) == comb(52, 5) * comb(47, 2) * comb(45, 2)
    assert {shown: count_all(shown) for shown in COUNTS} == COUNTS


def test_the_odds_on_one_flop_agree_with_every_pair_of_hands() -> None:
    flop = (41, 38, 2)
    rest = [c for c in range(52) if c not in flop]
    hands = list(combinations(rest, 2))
    values = strengths(np.array([[*hand, *flop] for hand in hands], np.uint8))
    kinds = np.array([CATEGORIES.index(category(int(v))) for v in values])
    holds = np.array([[c in hand for c in rest] for hand in hands], np.int64)
    apart = holds @ holds.T == 0
    better = np.maximum(kinds[:, None], kinds[None, :])[apart]
    assert count_flop(flop, 3) == tuple(np.bincount(better, minlength=9))
    assert sum(count_flop(flop, 4)) == 49 * comb(48, 2) * comb(46, 2)


def test_a_stratified_pool_has_enough_of_every_class() -> None:
    found = pool(count=2000, min_per_class=50)
    counts = [row.deals for row in found.histogram()]
    assert len(found) == 2000
    assert min(counts) >= 50
    assert found.rejections > 0
    assert found.weights.mean() == pytest.approx(1)
    by_class = [found.weights[found.classes == c].sum() / len(found) for c in range(9)]
    assert by_class == pytest.approx(class_odds(FLOP.game()).tolist())
    assert found.missing() == []


def test_weights_make_stratified_expectations_unbiased() -> None:
    """Expectations that are known: how often a player's first card is an ace, and his hand a straight flush."""
    pools = [pool(LimitHoldem(), count=900, min_per_class=90, seed=seed) for seed in range(60)]
    aces = np.array([(p.weights * (p.deals[:, 0] >= 48)).mean() for p in pools])
    assert abs(aces.mean() - 4 / 52) < 5 * _error(aces)
    made = [strengths(p.deals[:, [0, 1, 4, 5, 6, 7, 8]]) >= STRAIGHT_FLUSH for p in pools]
    shares = np.array([(p.weights * mine).mean() for p, mine in zip(pools, made, strict=True)])
    truth = 41_584 / comb(52, 7)
    assert abs(shares.mean() - truth) < 5 * _error(shares)
    assert _error(shares) < truth / 20
    assert np.mean(made) > 100 * truth  # without weights it is far off


def _error(estimates: np.ndarray) -> float:
    return float(estimates.std(ddof=1) / np.sqrt(len(estimates)))


def test_a_search_that_is_cut_short_says_what_is_missing() -> None:
    found = pool(count=90, min_per_class=10, max_rejections=5)
    assert found.rejections == 5
    assert "straight flush" in found.missing()
    assert len(found) == 90
    assert found.weights.mean() == pytest.approx(1)


def test_a_pool_is_saved_with_its_game_and_read_back(tmp_path: Path) -> None:
    found = pool(count=300, min_per_class=10, seed=4)
    write_pool(tmp_path / "pool", found)
    again = read_pool(tmp_path / "pool", FLOP)
    assert (again.game, again.settings, again.rejections) == (found.game, found.settings, found.rejections)
    for name in ("deals", "weights", "classes"):
        assert (getattr(again, name) == getattr(found, name)).all()
    assert again.histogram() == found.histogram()


def test_a_pool_of_another_game_is_refused_in_one_line(tmp_path: Path) -> None:
    write_pool(tmp_path / "pool", pool(count=10))
    for other, message in (
        (LimitHoldem(), r"pool holds deals of another game \(num_streets = 2, here 4\): make a pool for this one"),
        (NoLimitHoldem(), "pool holds deals of limit_holdem, not of no_limit_holdem: make a pool for it"),
    ):
        with pytest.raises(SolutionError, match=message) as caught:
            read_pool(tmp_path / "pool", other)
        assert "\n" not in str(caught.value)


def test_what_is_no_pool_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SolutionError, match="does not exist"):
        read_pool(tmp_path / "nothing")
    write_bundle(tmp_path / "other", Bundle("tabular", {"game": "kuhn"}, {}, {}))
    with pytest.raises(SolutionError, match="is a tabular solution; a deals solution is needed here"):
        read_pool(tmp_path / "other")
    config = {"game_type": "limit_holdem", "game": {}, "deals": {}}
    arrays = {"deals": np.zeros((3, 9), np.uint8), "weights": np.ones(2), "classes": np.zeros(3, np.uint8)}
    write_bundle(tmp_path / "odd", Bundle("deals", config, {"rejections": 0}, arrays))
    with pytest.raises(SolutionError, match="odd is not a complete pool of deals: its arrays do not belong together"):
        read_pool(tmp_path / "odd")
    write_bundle(tmp_path / "bare", Bundle("deals", {"game_type": "omaha", "game": {}}, {}, {}))
    with pytest.raises(SolutionError, match="unknown game type 'omaha'"):
        read_pool(tmp_path / "bare")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"count": 0}, "count = 0"),
        (
            {"count": 100, "min_per_class": 12},
            "min_per_class = 12 of 9 classes is more than count = 100: use at most 11",
        ),
        ({"min_per_class": -1}, "min_per_class = -1"),
        ({"seed": -1}, "seed = -1"),
        ({"counts": 5}, "unknown key 'counts': did you mean 'count'"),
    ],
)
def test_bad_settings_of_pools_are_named(given: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        validated(DealSettings, given, "deals")
