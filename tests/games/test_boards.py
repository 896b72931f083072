"""Tables of boards against what a person would write down: hands left, their order, renamings, weights, run-outs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.postflop import meet, results
from reference.showdown import value
from runout.cards.cards import cards
from runout.cards.equity169 import combo_equity_table
from runout.cards.hands import COMBO_CARDS, combo
from runout.cards.ranges import Range
from runout.cards.suits import card_images, combo_images, symmetries
from runout.games.boards import BoardStreet, board_tree
from runout.kernels.tables import CHILD_FIRST, IMAGE_COUNT, IMAGE_FIRST, LANES, MATRIX, NO_CARD, STRENGTH_FIRST

OOP, IP = "AA,KQs,T9s:0.5,7h6h", "KK,QQ,A5s,T9s,7d6d:0.1"
BOARDS = ["AhTh4h", "7c7d2s", "Ks8h3d", "AhTh4h2h", "KsQs8h3d"]


def tree_of(board: str, oop: str = OOP, ip: str = IP, isomorphism: bool = True) -> tuple[list[BoardStreet], np.ndarray]:
    ids = cards(board)
    weights = np.stack([Range(side).without(ids).weights for side in (oop, ip)])
    return board_tree(ids, weights, (1,) * (5 - len(ids)), [True] * (5 - len(ids)), isomorphism), weights


def combos(street: BoardStreet, player: int, board: int) -> list[int]:
    """Hands of a player on a board, in the order of its rows."""
    table = street.tables
    first, count = int(table.hands[player, board]), int(table.count[player, board])
    pairs = zip(table.card_a[first : first + count].tolist(), table.card_b[first : first + count].tolist(), strict=True)
    return [a * (a - 1) // 2 + b for a, b in pairs]


def every_board(streets: list[BoardStreet]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for number, street in enumerate(streets):
        for index, row in enumerate(street.cards.tolist()):
            yield number, index, tuple(row)


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("board", BOARDS)
def test_hands_are_those_that_the_board_leaves(board: str, isomorphism: bool) -> None:
    streets, weights = tree_of(board, isomorphism=isomorphism)
    for number, index, row in every_board(streets):
        table = streets[number].tables
        for player in range(2):
            left = [c for c in np.flatnonzero(weights[player]) if not set(COMBO_CARDS[c].tolist()) & set(row)]
            hands = combos(streets[number], player, index)
            assert sorted(hands) == left
            first, stride = int(table.hands[player, index]), int(table.stride[player, index])
            assert len(hands) <= stride < len(hands) + LANES
            assert stride % LANES == 0
            assert (table.card_a[first + len(hands) : first + stride] == NO_CARD).all()


@pytest.mark.parametrize("board", BOARDS)
def test_hands_know_themselves_on_the_board_before_and_on_the_other_side(board: str) -> None:
    streets, _ = tree_of(board)
    for number, index, _ in every_board(streets):
        table = streets[number].tables
        for player in range(2):
            hands, theirs = combos(streets[number], player, index), combos(streets[number], 1 - player, index)
            first = int(table.hands[player, index])
            stride = int(table.stride[1 - player, index])
            same = table.same[first : first + len(hands)].tolist()
            assert same == [theirs.index(hand) if hand in theirs else stride for hand in hands]
            if number:
                before = combos(streets[number - 1], player, int(streets[number].parent[index]))
                assert [before[up] for up in table.up[first : first + len(hands)]] == hands


@pytest.mark.parametrize("board", ["AhTh4h2h", "KsQs8h3d", "7c7d2s2hKh", "AsKsQsJsTs"])
def test_on_the_river_hands_stand_in_order_of_strength(board: str) -> None:
    streets, _ = tree_of(board)
    river = streets[-1]
    for index, row in enumerate(river.cards.tolist()):
        strengths = [[value([*row, *COMBO_CARDS[c]]) for c in combos(river, player, index)] for player in range(2)]
        assert all(side == sorted(side) for side in strengths)
        first, last = river.tables.table[index : index + 2, STRENGTH_FIRST]
        ends = river.tables.ends[:, first:last].T.tolist()
        levels = sorted({*strengths[0], *strengths[1]})
        assert ends == [[sum(s <= level for s in side) for side in strengths] for level in levels]


@pytest.mark.parametrize("board", BOARDS)
def test_boards_stand_for_every_card_that_can_come(board: str) -> None:
    """Each class once; its copies add up to the cards left, and its weight is its share of those a pair leaves."""
    folded, weights = tree_of(board)
    full, _ = tree_of(board, isomorphism=False)
    group = symmetries([cards(board)], weights)
    for number in range(1, len(folded)):
        street, before = folded[number], folded[number - 1]
        left = 52 - before.cards.shape[1]
        children = before.tables.table[:, CHILD_FIRST]
        for parent in range(len(before.cards)):
            below = slice(int(children[parent]), int(children[parent + 1]))
            assert (street.parent[below] == parent).all()
            assert (street.cards[below, :-1] == before.cards[parent]).all()
            assert street.copies[below].sum() == left
        assert street.tables.weight == pytest.approx(street.copies / (left - 4))
        covered = {_ordered(card_images()[g, row], board) for row in street.cards for g in group}
        assert covered == {_ordered(row, board) for row in full[number].cards}
        assert (full[number].copies == 1).all()


def _ordered(row: np.ndarray, board: str) -> tuple[frozenset[int], tuple[int, ...]]:
    """Cards of the first board in any order, then those that were dealt, in theirs."""
    first = len(cards(board))
    return frozenset(row[:first].tolist()), tuple(row[first:].tolist())


@pytest.mark.parametrize("board", BOARDS)
def test_images_follow_the_renamings_that_leave_a_board_as_it_is(board: str) -> None:
    streets, weights = tree_of(board, "AA,KQs", "KK,T9s:0.5")
    some = False
    for number, index, row in every_board(streets[:-1]):
        table = streets[number].tables
        dealt = [[card] for card in row[len(cards(board)) :]]
        group = symmetries([cards(board), *dealt], weights)
        assert table.table[index, IMAGE_COUNT] == len(group)
        for player in range(2) if len(group) > 1 else ():
            some = True
            hands, stride = combos(streets[number], player, index), int(table.stride[player, index])
            at = int(table.table[index, IMAGE_FIRST + player])
            for k, renaming in enumerate(group):
                images = table.images[at + k * stride :][: len(hands)]
                assert [hands[i] for i in images] == combo_images()[renaming, hands].tolist()
    assert some == (board not in ("Ks8h3d", "KsQs8h3d"))  # three suits told apart leave nothing to rename


@pytest.mark.parametrize("board", ["7c7d2s", "AhTh4h2h", "KsQs8h3d"])
def test_run_outs_are_win_minus_lose(board: str) -> None:
    """All boards of the turn; of the flop the one there is."""
    streets, _ = tree_of(board, "AsAc,KdQd,Tc9c", "KhKs,Tc9c,6h5h")
    for number, index, row in every_board(streets[:-1]):
        table = streets[number].tables
        first, second = combos(streets[number], 0, index), combos(streets[number], 1, index)
        at, width = int(table.table[index, MATRIX]), int(table.stride[1, index])
        if number and index % 8:  # every eighth turn will do
            continue
        for i, hand in enumerate(first):
            for j, other in enumerate(second):
                wins, _, losses = results(row, hand, other) if meet(hand, other) else (0.0, 0.0, 0.0)
                assert table.runouts[at + i * width + j] == pytest.approx(wins - losses, abs=1e-6)


def test_a_river_is_one_board() -> None:
    (river,), _ = tree_of("7c7d2s2hKh")
    assert river.cards.tolist() == [cards("7c7d2s2hKh")]
    assert river.tables.weight.tolist() == [1]


def test_a_card_can_take_every_hand() -> None:
    streets, _ = tree_of("KsQs8h3d", "AhAd,AhJh", "TsTc", isomorphism=False)
    ace = streets[1].cards[:, -1].tolist().index(cards("Ah")[0])
    assert combos(streets[1], 0, ace) == []
    assert streets[1].tables.stride[0, ace] == 0
    assert len(combos(streets[1], 1, ace)) == 1


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(52)), st.integers(1, 30), st.integers(1, 30))
def test_random_rivers(deck: list[int], first: int, second: int) -> None:
    board, weights = deck[:5], np.zeros((2, 1326))
    left = np.flatnonzero(~np.isin(COMBO_CARDS, board).any(axis=1))
    weights[0, left[:: len(left) // first][:first]] = 1
    weights[1, left[:: len(left) // second][:second]] = 0.5
    (river,) = board_tree(board, weights, ())
    for player in range(2):
        hands = combos(river, player, 0)
        assert sorted(hands) == np.flatnonzero(weights[player]).tolist()
        strengths = [value([*board, *COMBO_CARDS[c]]) for c in hands]
        assert strengths == sorted(strengths)


def test_all_ins_before_the_flop_go_by_the_exact_table() -> None:
    """AA against KK, over all boards; blocked pairs are 0."""
    weights = np.stack([Range("AA,72o").weights, Range("KK,AhKh").weights])
    root, _ = board_tree((), weights, (3,), (True, False))
    table = root.tables
    width = int(table.stride[1, 0])
    results = table.runouts.reshape(-1, width)
    rows, columns = (list(table.combos(player, 0)) for player in range(2))
    aces, kings = combo(*cards("AsAc")), combo(*cards("KsKc"))
    assert (1 + results[rows.index(aces), columns.index(kings)]) / 2 == pytest.approx(
        combo_equity_table()[aces, kings], abs=1e-6
    )
    assert results[rows.index(combo(*cards("AhAc"))), columns.index(combo(*cards("AhKh")))] == 0
