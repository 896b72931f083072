"""Hand strength against an independent evaluator, a slow twin and the known counts of every seven-card hand."""

from itertools import combinations

import eval7
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.evaluator import best_rank
from runout.cards import evaluator_tables
from runout.cards.cards import cards
from runout.cards.evaluator import _data, category, name, strength, strengths, tables
from runout.cards.suits import card_images
from runout.errors import InputError
from runout.kernels.evaluator import board_strengths, hand_strengths
from runout.kernels.threads import thread_map

hands_of = st.integers(5, 7).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True))

NAMED = [
    ("As Ks Qs Js Ts 2d 3c", "royal flush"),
    ("9h 8h 7h 6h 5h 5c 5d", "straight flush, nine high"),
    ("Ad 2d 3d 4d 5d Kd Kh", "straight flush, five high"),
    ("4c 4d 4h 4s 9c 9d 9h", "four of a kind, fours, nine kicker"),
    ("Kc Kd Kh 6c 6d 6h 2s", "full house, kings over sixes"),
    ("Jc Jd Jh 7c 7d 9s 9c", "full house, jacks over nines"),
    ("Ac 9c 7c 4c 2c As Ah", "flush, ace high"),
    ("Ts 9d 8h 7c 6s 6d 6h", "straight, ten high"),
    ("Ah 2c 3d 4s 5h Kd Kc", "straight, five high"),
    ("6c 6d 6h Ks 2d 9c 4h", "three of a kind, sixes, king kicker"),
    ("Kc Kd 4h 4s Ad 2c 2h", "two pair, kings and fours, ace kicker"),
    ("2c 2d 9h 8s Kd 4c Ah", "pair, twos, ace kicker"),
    ("Ac Kd 9h 8s 6d 4c 2h", "high card, ace"),
    ("7c 5d 4h 3s 2d", "high card, seven"),
]

SEVEN_CARD_COUNTS = {
    "high card": 23_294_460,
    "pair": 58_627_800,
    "two pair": 31_433_400,
    "three of a kind": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full house": 3_473_184,
    "four of a kind": 224_848,
    "straight flush": 41_584,
}


def random_hands(count: int, width: int) -> np.ndarray:
    """uint8 [count, width]: distinct cards, by the first steps of a shuffle."""
    rng = np.random.default_rng(7 * width)
    decks = np.tile(np.arange(52, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for place in range(width):
        other = rng.integers(place, 52, count)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place]
    return np.ascontiguousarray(decks[:, :width])


def assert_same_order(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Both number the same classes of hands in the same order: sorted by one, the other never falls, and ties agree."""
    order = np.lexsort((theirs, ours))
    up_ours, up_theirs = np.diff(ours[order].astype(np.int64)), np.diff(theirs[order].astype(np.int64))
    assert (up_theirs >= 0).all()
    assert np.array_equal(up_ours > 0, up_theirs > 0)


def order_agrees_with_eval7(count: int, width: int) -> None:
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = random_hands(count, width)
    theirs = np.array([eval7.evaluate([deck[c] for c in row]) for row in hands.tolist()])
    assert_same_order(strengths(hands), theirs)


@pytest.mark.parametrize("width", [5, 6])
def test_order_of_random_five_and_six_card_hands(width: int) -> None:
    order_agrees_with_eval7(100_000, width)


def test_order_of_a_million_random_seven_card_hands() -> None:
    order_agrees_with_eval7(1_000_000, 7)


@given(hands_of, hands_of)
def test_order_agrees_with_the_slow_twin(first: list[int], second: list[int]) -> None:
    a, b = best_rank(first), best_rank(second)
    assert (strength(first) > strength(second)) == (a > b)
    assert (strength(first) == strength(second)) == (a == b)
    assert evaluator_tables.CATEGORIES.index(category(strength(first))) == a[0]


def test_order_within_one_suit_agrees_with_the_slow_twin() -> None:
    """Flushes and straight flushes are rare in random hands: here is every one of five to seven hearts."""
    hands = [[4 * rank + 2 for rank in ranks] for size in (5, 6, 7) for ranks in combinations(range(13), size)]
    ranks = [best_rank(hand) for hand in hands]
    places = {str(rank): place for place, rank in enumerate(sorted(ranks))}
    assert_same_order(
        np.array([strength(hand) for hand in hands]),
        np.array([places[str(rank)] for rank in ranks]),
    )


@given(hands_of, st.integers(0, 23), st.randoms(use_true_random=False))
def test_suits_may_be_renamed_and_cards_shuffled(hand: list[int], renaming: int, random) -> None:
    renamed = [int(card_images()[renaming, c]) for c in hand]
    random.shuffle(renamed)
    assert strength(renamed) == strength(hand)


@pytest.mark.parametrize(("hand", "words"), NAMED)
def test_names(hand: str, words: str) -> None:
    assert name(strength(cards(hand))) == words


def test_planted_hands_are_in_order() -> None:
    found = [strength(cards(hand)) for hand, _ in NAMED]
    assert found == sorted(found, reverse=True)


def test_strengths_run_from_seven_high_to_the_royal_flush() -> None:
    assert strength(cards("7c 5d 4h 3s 2d")) == 1
    assert strength(cards("As Ks Qs Js Ts")) == 7462
    reached = {*tables().strengths.tolist(), *tables().flush.tolist()}
    assert reached == set(range(7463))  # 0 marks what is no hand


@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
def test_hands_on_a_board_are_as_strong_as_all_their_cards(seven: list[int]) -> None:
    hands = np.array([seven[:2], [seven[0], seven[2]]], np.uint8)
    for size in (3, 4, 5):
        board = seven[2 : 2 + size]
        out = np.empty(2, np.int32)
        board_strengths(np.array(board, np.uint8), hands, tables(), out)
        assert out.tolist() == [strength([*seven[:2], *board]), 0]


def test_the_shipped_tables_are_those_that_are_built() -> None:
    built = evaluator_tables.build()
    assert _data().keys() == built.keys()
    for key, values in built.items():
        assert _data()[key].dtype == values.dtype
        assert np.array_equal(_data()[key], values), key


def test_bad_hands_are_named() -> None:
    with pytest.raises(InputError, match=r"hands of shape \(1, 4\): use rows of 5, 6 or 7 cards"):
        strength([0, 1, 2, 3])
    with pytest.raises(InputError, match="card 2c is given twice"):
        strength([0, 1, 2, 3, 0])
    with pytest.raises(InputError, match=r"card ids 0 to 52: use 0 \(2c\) to 51 \(As\)"):
        strength([0, 1, 2, 3, 52])
    with pytest.raises(InputError, match="card ids -1 to 3"):
        strengths(np.array([[0, 1, 2, 3, -1]]))


def test_no_hands_have_no_strengths() -> None:
    assert strengths(np.empty((0, 7), np.uint8)).shape == (0,)


@numba.njit(nogil=True)
def _count_strengths(first, second, evaluator, counts):
    """Add to counts [7463] every seven-card hand whose lowest two cards are `first` and `second`."""
    hands = np.empty((52, 7), np.uint8)
    found = np.empty(52, np.uint16)
    hands[:, 0], hands[:, 1] = first, second
    for c in range(second + 1, 52):
        for d in range(c + 1, 52):
            for e in range(d + 1, 52):
                for f in range(e + 1, 52):
                    n = 0
                    for g in range(f + 1, 52):
                        hands[n, 2], hands[n, 3], hands[n, 4], hands[n, 5], hands[n, 6] = c, d, e, f, g
                        n += 1
                    hand_strengths(hands[:n], evaluator, found[:n])
                    for k in range(n):
                        counts[found[k]] += 1


def test_categories_of_all_seven_card_hands() -> None:
    def count(lowest: tuple[int, int]) -> np.ndarray:
        counts = np.zeros(7463, np.int64)
        _count_strengths(*lowest, tables(), counts)
        return counts

    counts = np.sum(thread_map(count, [(a, b) for a in range(52) for b in range(a + 1, 52)]), axis=0)
    by_category = np.bincount(_data()["category"], counts, 9).astype(np.int64)
    assert counts[0] == 0
    assert dict(zip(evaluator_tables.CATEGORIES, by_category.tolist(), strict=True)) == SEVEN_CARD_COUNTS
    assert counts.sum() == 133_784_560
