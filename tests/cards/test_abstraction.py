"""Buckets of hands: exact strengths against lists, equal shares, and suits that do not matter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import abstraction as reference
from runout.cards import bucket_cuts as module
from runout.cards.abstraction import Abstraction, AbstractionSettings, preflop_buckets
from runout.cards.bucket_cuts import part_ends, two_way_cuts
from runout.cards.evaluator import tables
from runout.cards.hands import COMBO_CARDS
from runout.cards.suits import card_images
from runout.games.deals import draw_deals
from runout.games.holdem import LimitHoldem
from runout.kernels import abstraction as kernel

DECK = [4 * rank + suit for rank in range(5) for suit in range(3)]  # fifteen cards
SMALL = LimitHoldem(ranks=5, suits=3)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Abstraction:
    return Abstraction(AbstractionSettings(flop=12, turn=9, river=7), DECK, cache=tmp_path_factory.mktemp("cache"))


@settings(max_examples=15, deadline=None)
@given(st.permutations(DECK), st.sampled_from([(3, 0), (3, 1), (3, 2), (4, 1), (5, 0)]))
def test_strengths_are_those_of_a_list(cards: list[int], sizes: tuple[int, int]) -> None:
    known, missing = sizes
    board, hole = cards[:known], cards[known : known + 2]
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, DECK).all(axis=1)])
    mean, square = np.empty(len(hands)), np.empty(len(hands))
    kernel.expected_strengths(
        np.array(board, np.uint8), missing, np.array(DECK, np.uint8), hands, tables(), mean, square
    )
    row = int(np.flatnonzero((np.sort(hands, axis=1) == sorted(hole)).all(axis=1))[0])
    assert (mean[row], square[row]) == pytest.approx(reference.expected(hole, board, missing, DECK))
    blocked = np.isin(hands, board).any(axis=1)
    assert (mean[blocked] == -1).all()
    assert ((mean[~blocked] >= 0) & (square[~blocked] <= mean[~blocked] + 1e-12)).all()


def test_shares_of_dealt_hands_are_those_of_a_list() -> None:
    deals = draw_deals(SMALL.game(), 30, np.array([1], np.uint64))
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, DECK).all(axis=1)])
    shares = np.empty((len(deals), 2))
    kernel.dealt_shares(deals, hands, tables(), shares)
    for cards, found in zip(deals.tolist(), shares, strict=True):
        for player in range(2):
            assert found[player] == pytest.approx(reference.share(cards[2 * player : 2 * player + 2], cards[4:9], DECK))


def test_renamed_suits_and_reordered_cards_share_buckets(small: Abstraction) -> None:
    deals = draw_deals(SMALL.game(), 2000, np.array([2], np.uint64))
    for permutation in range(24):
        image = card_images()[permutation]
        if set(image[DECK].tolist()) == set(DECK):
            renamed = image[deals]
            renamed[:, [0, 1, 4, 5, 6]] = renamed[:, [1, 0, 6, 4, 5]]
            np.testing.assert_array_equal(small.buckets(renamed), small.buckets(deals))


def test_every_bucket_is_used_and_none_is_large(small: Abstraction) -> None:
    found = small.buckets(draw_deals(SMALL.game(), 40_000, np.array([3], np.uint64)))
    for street, count in ((1, 12), (2, 9), (3, 7)):
        shares = np.bincount(found[:, :, street].ravel(), minlength=count) / found[:, :, street].size
        assert len(shares) == count
        assert shares.max() < 3.5 / count  # small decks have many equal hands
    assert found[:, :, 0].max() < 169


def test_better_hands_are_in_higher_buckets_on_the_river(small: Abstraction) -> None:
    deals = draw_deals(SMALL.game(), 300, np.array([4], np.uint64))
    shares = np.empty((len(deals), 2))
    kernel.dealt_shares(deals, small.tables.hands, tables(), shares)
    order = np.argsort(shares.ravel())
    assert (np.diff(small.buckets(deals)[:, :, 3].ravel()[order]) >= 0).all()


def test_tables_are_kept_and_a_damaged_one_is_made_again(
    tmp_path: Path, small: Abstraction, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    deals = draw_deals(SMALL.game(), 500, np.array([5], np.uint64))
    wanted = AbstractionSettings(flop=12, turn=9, river=7)
    Abstraction(wanted, DECK, cache=tmp_path)
    files = sorted(tmp_path.iterdir())
    assert [file.name.partition("-")[0] for file in files] == [
        "cuts",
        "cuts",
        "river",
        "strengths2",
        "strengths2",
    ]
    contents = [file.read_bytes() for file in files]
    for damage in (
        lambda _: b"",
        lambda _: b"nothing",
        lambda whole: whole[:-10],
        lambda w: w[:-1] + bytes([w[-1] ^ 1]),
    ):
        for file, whole in zip(files, contents, strict=True):
            file.write_bytes(damage(whole))
        np.testing.assert_array_equal(Abstraction(wanted, DECK, cache=tmp_path).buckets(deals), small.buckets(deals))
        assert [file.read_bytes() for file in files] == contents
    assert caplog.text.count("is damaged and is made again") == 4 * len(files)
    monkeypatch.setattr(module, "strengths", None)  # not called again
    np.testing.assert_array_equal(Abstraction(wanted, DECK, cache=tmp_path).buckets(deals), small.buckets(deals))


@pytest.mark.parametrize("count", [1, 2, 10, 50, 168, 169])
def test_preflop_groups_hold_about_as_many_combos_each(count: int) -> None:
    found = preflop_buckets(count)
    assert len(np.unique(found)) == (count if count in (1, 2, 10, 50, 169) else len(np.unique(found)))
    if count <= 50:
        assert np.bincount(found).max() <= 1326 / count + 24
        aces, trash = found[1325], found[4 * 3 // 2 + 1]  # AsAh, 3c2d
        assert aces == count - 1
        assert trash == 0


def test_two_way_buckets_cut_by_mean_first_and_then_by_square() -> None:
    rng = np.random.default_rng(0)
    mean = rng.integers(1, 65536, (40, 1326)).astype(np.uint16)
    square = rng.integers(1, 65536, (40, 1326)).astype(np.uint16)
    mean[:, :100] = square[:, :100] = 0  # blocked
    group, *cuts = two_way_cuts(mean, square, np.ones(40), 70, 1)
    rows = np.zeros(mean.shape, np.uint16)
    kernel.bucket_rows(mean, square, group, *cuts, part_ends(70), 70, rows)
    found = rows[:, 100:].ravel()
    shares = np.bincount(found, minlength=70) / found.size
    assert shares.min() > 0.8 / 70
    assert shares.max() < 1.2 / 70
    inner = 4  # half of the root of 70
    weakest = mean[:, 100:].ravel()[found < inner + 1].max()
    assert weakest <= mean[:, 100:].ravel()[found > inner].min()


def test_boards_that_are_met_one_by_one_have_the_buckets_of_all_boards(tmp_path: Path, small: Abstraction) -> None:
    """Without strengths in the cache, from cuts alone, and a board at a time."""
    deals = draw_deals(SMALL.game(), 60, np.array([6], np.uint64))
    alone = Abstraction(small.settings, DECK, cache=tmp_path, cuts=small.cuts)
    found = [alone.buckets(deal[None])[0] for deal in deals]
    np.testing.assert_array_equal(np.stack(found), small.buckets(deals))
    assert not list(tmp_path.iterdir())
    assert alone.fingerprint == small.fingerprint
