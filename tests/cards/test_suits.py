"""Suit isomorphism against brute force: canonical boards, symmetries and equivalent next cards."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS, COMBO_CLASS, combo
from runout.cards.ranges import Range
from runout.cards.suits import (
    SUIT_PERMUTATIONS,
    canonical_boards,
    canonical_subsets,
    card_images,
    combo_images,
    next_cards,
    symmetries,
)

renamings = st.integers(0, 23)
boards = st.sampled_from([3, 4]).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True))


def renamed(some_cards, renaming: int) -> frozenset[int]:
    suits = SUIT_PERMUTATIONS[renaming].tolist()
    return frozenset(4 * (c // 4) + suits[c % 4] for c in some_cards)


def orbit(some_cards, group=range(24)) -> set[frozenset[int]]:
    return {renamed(some_cards, int(g)) for g in group}


@pytest.mark.parametrize(("size", "classes", "total"), [(2, 169, 1_326), (3, 1_755, 22_100), (5, 134_459, 2_598_960)])
def test_numbers_of_canonical_boards(size: int, classes: int, total: int) -> None:
    found, weights = canonical_boards(size)
    assert found.shape == (classes, size)
    assert weights.sum() == total


def test_every_flop_belongs_to_exactly_one_canonical_flop() -> None:
    found, weights = canonical_boards(3)
    owner = {}
    for index, flop in enumerate(found.tolist()):
        images = orbit(flop)
        assert len(images) == weights[index]
        for image in images:
            assert image not in owner
            owner[image] = index
    assert owner.keys() == {frozenset(flop) for flop in combinations(range(52), 3)}


@given(st.lists(st.integers(0, 51), min_size=1, max_size=4, unique=True), st.integers(0, 3))
def test_subsets_of_what_a_board_leaves_are_sorted_into_orbits(known: list[int], size: int) -> None:
    group = symmetries([known])
    deck = np.array([c for c in range(16) if c not in known])  # four ranks; the group maps it to itself
    found, weights = canonical_subsets(deck, size, group)
    orbits = [orbit(subset, group) for subset in found.tolist()]
    assert [len(images) for images in orbits] == weights.tolist()
    every = [image for images in orbits for image in images]
    assert len(every) == len(set(every))
    assert set(every) == {frozenset(subset) for subset in combinations(deck.tolist(), size)}


def test_more_cards_than_the_deck_holds() -> None:
    found, weights = canonical_subsets(np.arange(2), 3, np.arange(1))
    assert found.shape == (0, 3)
    assert weights.shape == (0,)


@given(renamings)
def test_renamings_permute_cards_and_combos(g: int) -> None:
    assert sorted(card_images()[g].tolist()) == list(range(52))
    assert sorted(combo_images()[g].tolist()) == list(range(1326))
    assert np.array_equal(COMBO_CLASS[combo_images()[g]], COMBO_CLASS)
    for index in (0, 77, 700, 1325):
        a, b = card_images()[g, COMBO_CARDS[index]].tolist()
        assert combo_images()[g, index] == combo(a, b)


@given(renamings, renamings)
def test_renamings_of_combos_compose(g: int, h: int) -> None:
    both = SUIT_PERMUTATIONS[g][SUIT_PERMUTATIONS[h]].tolist()  # first h, then g
    index = SUIT_PERMUTATIONS.tolist().index(both)
    assert np.array_equal(combo_images()[g][combo_images()[h]], combo_images()[index])


def test_the_identity_comes_first() -> None:
    assert np.array_equal(card_images()[0], np.arange(52))
    assert np.array_equal(combo_images()[0], np.arange(1326))


@pytest.mark.parametrize(
    ("board", "count"),
    [("", 24), ("Ah Kd 2c", 1), ("Ah Kh 2c", 2), ("Ah Kh 2h", 6), ("Ah Ad 2h", 2), ("Ah Ad 2c", 2), ("Ah Ad Ac", 6)],
)
def test_symmetries_of_a_board(board: str, count: int) -> None:
    group = symmetries([cards(board)])
    assert len(group) == count
    assert group[0] == 0


def test_cards_of_one_set_may_trade_places_but_not_those_of_two() -> None:
    assert len(symmetries([cards("Ah Ad")])) == 4
    assert len(symmetries([cards("Ah"), cards("Ad")])) == 2


@given(boards)
def test_symmetries_are_those_that_leave_the_board_as_it_is(board: list[int]) -> None:
    assert symmetries([board]).tolist() == [g for g in range(24) if renamed(board, g) == frozenset(board)]


def test_ranges_break_symmetry() -> None:
    flop = cards("Ah Kh 2h")
    assert len(symmetries([flop], [Range("QQ+,AK").weights, Range("random").weights])) == 6
    assert len(symmetries([flop], [Range("QcQd").weights])) == 2
    assert len(symmetries([flop], [Range("QcJc").weights])) == 2
    assert len(symmetries([flop], [Range("QcJc").weights, Range("QdJd").weights])) == 1
    assert len(symmetries([flop], [Range("QcJd").weights])) == 1
    assert len(symmetries([flop], [Range("QcJc:0.5,QQ").weights])) == 2


@pytest.mark.parametrize(
    ("board", "classes"),
    [("Ah Kd 2c", 49), ("Ah Kh 2c", 36), ("Ah Kh 2h", 23), ("Ah Ad 2c", 37), ("Ah Kd 2c 3s", 48), ("Ah Kh 2h 3h", 22)],
)
def test_numbers_of_next_cards(board: str, classes: int) -> None:
    ids = cards(board)
    assert len(next_cards(ids, symmetries([ids]))) == classes


@given(boards, st.sampled_from(["random", "QQ+,AKs", "AsKs", "AcKd,7h7s:0.5"]))
def test_next_cards_are_each_dealt_once_and_copies_map(board: list[int], text: str) -> None:
    weights = Range(text).weights
    group = symmetries([board], [weights])
    classes = next_cards(board, group)
    dealt = [c for each in classes for c in each.cards]
    assert sorted(dealt) == [c for c in range(52) if c not in board]
    for each in classes:
        assert each.copies[0] == 0
        assert each.cards[0] == each.card
        for renaming, copy in zip(each.copies, each.cards, strict=True):
            assert renamed([each.card], renaming) == {copy}
            assert renamed([*board, each.card], renaming) == {*board, copy}
            assert np.array_equal(weights[combo_images()[renaming]], weights)
        assert orbit([each.card], group) == {frozenset([c]) for c in each.cards}
