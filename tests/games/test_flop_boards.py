"""Flops dealt at once, and Flop Hold'em's deck and betting, against counts that a person can check."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.showdown import value
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS
from runout.cards.suits import card_images, symmetries
from runout.errors import InputError
from runout.games.betting import start
from runout.games.boards import board_tree
from runout.games.flop_holdem import FlopHoldem
from runout.kernels.tables import IMAGE_COUNT, STRENGTH_FIRST


def test_all_flops_of_a_full_deck() -> None:
    """1,755 up to suits; each stands for as many as there are renamings of it, 22,100 in all."""
    root, flops = FlopHoldem().game().boards()
    assert (len(root.cards), root.tables.count.tolist()) == (1, [[1326], [1326]])
    assert len(flops.cards) == 1755
    assert flops.copies.sum() == comb(52, 3) == 22_100
    assert (flops.tables.count == comb(49, 2)).all()
    classes = [{tuple(sorted(image)) for image in card_images()[:, row].tolist()} for row in flops.cards]
    assert [len(one) for one in classes] == flops.copies.tolist()
    assert len(set().union(*classes)) == 22_100
    assert flops.tables.weight == pytest.approx(flops.copies / comb(48, 3))
    assert root.tables.table[0, IMAGE_COUNT] == 24


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1325), st.integers(0, 1325))
def test_chances_of_the_flops_that_a_pair_of_hands_leaves_add_up_to_one(first: int, second: int) -> None:
    taken = {*COMBO_CARDS[first].tolist(), *COMBO_CARDS[second].tolist()}
    if len(taken) < 4:
        return
    total = 0.0
    for row, copies, weight in zip(*_full_deck(), strict=True):
        images = {tuple(sorted(image)) for image in card_images()[:, row].tolist()}
        total += weight / copies * sum(not taken & set(image) for image in images)
    assert total == pytest.approx(1, abs=1e-5)


@cache
def _full_deck() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    flops = FlopHoldem().game().boards()[1]
    return flops.cards, flops.copies, flops.tables.weight


@pytest.mark.parametrize(("ranks", "suits"), [(7, 1), (4, 2), (3, 3), (2, 4), (5, 4)])
@pytest.mark.parametrize("isomorphism", [True, False])
def test_small_decks(ranks: int, suits: int, isomorphism: bool) -> None:
    game = FlopHoldem(ranks=ranks, suits=suits)
    deck = game.game().deck
    assert len(deck) == ranks * suits
    assert game.weights[0].sum() == comb(len(deck), 2)
    _, flops = game.game().boards(isomorphism)
    group = symmetries([deck]) if isomorphism else [0]
    every = {frozenset(flop) for flop in combinations(deck, 3)}
    covered = {frozenset(card_images()[g, row].tolist()) for row in flops.cards for g in group}
    assert covered == every
    assert flops.copies.sum() == len(every)
    assert flops.tables.weight == pytest.approx(flops.copies / comb(len(deck) - 4, 3))
    assert (flops.tables.count == comb(len(deck) - 3, 2)).all()
    for index, row in enumerate(flops.cards.tolist()):
        table = flops.tables
        first, count = int(table.hands[0, index]), int(table.count[0, index])
        pairs = np.stack([table.card_a, table.card_b], axis=1)[first : first + count].tolist()
        assert not {c for pair in pairs for c in pair} & set(row)
        strengths = [value([*row, *pair]) for pair in pairs]
        assert strengths == sorted(strengths)
        begin, end = table.table[index : index + 2, STRENGTH_FIRST]
        assert end - begin == len(set(strengths))


def test_a_flop_then_a_turn() -> None:
    """Deals of several cards and of one follow each other; a turn's classes leave the flop as it is, as a set."""
    game = FlopHoldem(ranks=3, suits=3)
    _, flops, turns = board_tree((), game.weights, (3, 1), deck=game.game().deck)
    whole = board_tree((), game.weights, (3, 1), (), False, deck=game.game().deck)
    for street, all_boards in ((flops, whole[1]), (turns, whole[2])):
        assert street.copies.sum() >= len(street.cards)
        dealt = street.copies * (flops.copies[street.parent] if street is turns else 1)
        assert dealt.sum() == len(all_boards.cards)
    assert turns.tables.weight == pytest.approx(turns.copies / (9 - 3 - 4))


def test_betting_is_limit_with_caps() -> None:
    game = FlopHoldem()
    tree = game.tree()
    before, flop = tree.streets
    assert (before.entries, before.nodes, flop.entries, flop.nodes) == (1, 8, 7, 56)
    assert before.player[0] == 1  # the small blind opens
    assert (flop.player[flop.entry_node[:-1]] == 0).all()  # the big blind bets first on the flop
    assert tree.action_names(0, 0) == ["fold", "call", "raise to 2"]
    assert sorted(set((flop.entry_pot // 2).tolist())) == [2, 4, 6, 8]
    assert max(int(c.max()) for c in (before.contribution, flop.contribution)) == 2 + 3 * 2 + 3 * 2
    assert start(game.rules()).spent == (2, 1)


def test_a_short_stack_ends_betting_on_the_flop() -> None:
    tree = FlopHoldem(stack=9).tree()
    assert max(int(street.contribution.max()) for street in tree.streets) == 9


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ranks": 3, "suits": 2}, "a deck of 3 ranks and 2 suits has 6 cards: two hands and a flop take 7"),
        ({"stack": 8}, "8 chips can go in before the flop, and nobody may be all-in there: use 9 or more"),
        ({"small_blind": 3}, "small_blind 3 is above big_blind 2"),
        ({"bets": (0, 2)}, "bets are at least 1 chip"),
        ({"blinds": (1, 2)}, "unknown key 'blinds'"),
        ({"solve": {"storage": "int8"}}, "solve.storage = 'int8'"),
    ],
)
def test_what_cannot_be_played_is_named(settings: dict, message: str) -> None:
    with pytest.raises(InputError, match="^.*" + message.replace("(", r"\(")):
        FlopHoldem(**settings)


def test_cards_of_a_small_deck_are_the_lowest() -> None:
    assert FlopHoldem(ranks=4, suits=2).game().deck == tuple(cards("2c 2d 3c 3d 4c 4d 5c 5d"))
