"""Groups of boards that play alike: what describes a board, by hand and by lists, and the buckets of each group."""

from __future__ import annotations

import numpy as np
import pytest

from reference import abstraction as reference
from runout.cards.abstraction import Abstraction, AbstractionSettings
from runout.cards.board_groups import STEPS, alike, descriptions
from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CARDS, COMBO_CLASS
from runout.config import validated
from runout.errors import InputError
from runout.games.deals import draw_deals
from runout.games.holdem import LimitHoldem
from runout.kernels import abstraction as kernel

DECK = [4 * rank + suit for rank in range(5) for suit in range(3)]  # fifteen cards
GROUPED = AbstractionSettings(flop=24, flop_boards=4, turn=30, turn_boards=5, river=30, river_boards=3)


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> Abstraction:
    return Abstraction(GROUPED, DECK, cache=tmp_path_factory.mktemp("cache"))


def test_a_description_is_what_a_list_of_hands_gives() -> None:
    """The mean of a class, and how far its combos lie apart: hearts on a board of three hearts."""
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, DECK).all(axis=1)])
    board = np.array([[2, 6, 10, 12, 16]], np.uint8)
    found = np.zeros((1, 1326), np.uint16)
    kernel.river_shares(board, hands, tables(), found)
    described = descriptions(found, None, 2.0 * 28)[0].reshape(2, CLASSES)  # eight cards are left: 28 opponents
    for wanted in np.unique(COMBO_CLASS[found[0] > 0])[:6]:
        combos = [c for c in np.flatnonzero(wanted == COMBO_CLASS) if found[0, c]]
        shares = [reference.share(COMBO_CARDS[c].tolist(), board[0].tolist(), DECK) for c in combos]
        weight = STEPS * np.sqrt(CLASS_COMBOS[wanted] / 12)
        assert described[0, wanted] == pytest.approx(np.mean(shares) * weight, abs=0.5)
        assert described[1, wanted] == pytest.approx(min(2 * np.std(shares), 1) * weight, abs=0.5)


def test_points_that_lie_together_are_a_group() -> None:
    random = np.random.default_rng(1)
    centers = random.integers(0, STEPS, (6, 30))
    of = random.integers(0, 6, 500)
    points = np.clip(centers[of] + random.integers(-2, 3, (500, 30)), 0, STEPS).astype(np.float32)
    found = alike(points, np.ones(500, np.int64), 6)
    assert len({(a, b) for a, b in zip(of.tolist(), found.tolist(), strict=True)}) == 6
    np.testing.assert_array_equal(alike(points, np.ones(500, np.int64), 500), np.arange(500))


@pytest.mark.parametrize(("street", "groups", "buckets"), [(1, 4, 6), (2, 5, 6), (3, 3, 10)])
def test_every_group_has_buckets_of_its_own(grouped: Abstraction, street: int, groups: int, buckets: int) -> None:
    """All hands of one board are in the buckets of one group, and every group is used."""
    deals = draw_deals(LimitHoldem(ranks=5, suits=3).game(), 20_000, np.array([3], np.uint64))
    found = grouped.buckets(deals)[:, :, street]
    np.testing.assert_array_equal(found[:, 0] // buckets, found[:, 1] // buckets)
    assert set((found // buckets).ravel().tolist()) == set(range(groups))
    if street == 3:  # within a group, better hands are in higher buckets
        strong = np.empty((len(deals), 2))
        kernel.dealt_shares(deals, grouped.tables.hands, tables(), strong)
        for group in range(groups):
            own = found // buckets == group
            order = np.argsort(strong[own], kind="stable")
            assert (np.diff(found[own][order]) >= 0).all()


def test_what_cannot_be_shared_out_is_refused() -> None:
    for settings, text in (
        ({"flop": 10, "flop_boards": 11}, "too few"),
        ({"turn": "lossless", "turn_boards": 2}, "lossless"),
        ({"river": 100, "river_boards": 2, "river_by": "opponents"}, "strength"),
    ):
        with pytest.raises(InputError, match=text):
            validated(AbstractionSettings, settings)
