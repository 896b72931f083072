"""Equity against known figures, a brute-force twin, and itself: exact, sampled, with and without suit symmetry."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reference.equity import brute_force_equity
from reference.evaluator import best_rank
from runout.cards import equity as equity_module
from runout.cards import equity169
from runout.cards.cards import cards, cards_text
from runout.cards.equity import Equity, equity
from runout.cards.equity169 import combo_equity_table, equity_table, equity_vs_random, pair_table
from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_NAMES, COMBO_CARDS, class_index, combo, disjoint_combos
from runout.cards.ranges import Range
from runout.cards.suits import combo_images
from runout.errors import InputError
from runout.kernels.equity import combo_scores, opponents

PREFLOP = [("AA", "KK", 0.819461), ("AKs", "QQ", 0.460485), ("AKo", "22", 0.473508)]
AGAINST_RANDOM = [("AA", 0.852037), ("72o", 0.345836), ("32o", 0.323032)]


@pytest.mark.parametrize(("first", "second", "expected"), PREFLOP + [(hand, "random", x) for hand, x in AGAINST_RANDOM])
def test_known_preflop_equities(first: str, second: str, expected: float) -> None:
    found = equity(first, second)
    assert found.equity == pytest.approx((expected, 1 - expected), abs=1e-6)
    assert found.exact
    assert found.standard_error == 0.0
    assert equity(second, first).equity == pytest.approx((1 - expected, expected), abs=1e-6)


def test_equities_against_a_random_hand() -> None:
    for hand, expected in AGAINST_RANDOM:
        assert equity_vs_random()[class_index(hand)] == pytest.approx(expected, abs=1e-6)


def test_a_known_flop() -> None:
    """The solver community's benchmark spot: Qs Jh 2h, 55.347% for the first player."""
    first = (
        "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,"
        "96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,"
        "42s:0.45,32s:0.45"
    )
    second = (
        "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,"
        "74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s"
    )
    assert equity(first, second, "Qs Jh 2h").equity[0] == pytest.approx(0.55347, abs=5e-6)


@pytest.mark.parametrize("board", ["", "Ah Kd 2c", "Ah Kh 2h", "Ah Kd 2c 2d", "Ah Kd 2c 2d 7s"])
def test_a_range_against_itself_is_even(board: str) -> None:
    found = equity("22+,A2s+,KTo+:0.3", "22+,A2s+,KTo+:0.3", board)
    assert found.equity == pytest.approx((0.5, 0.5), abs=1e-12)
    np.testing.assert_array_equal(found.hands[0], found.hands[1])


def test_a_river_by_hand() -> None:
    """Quads on the board play for nearly everyone: the kicker ace wins, all else ties."""
    found = equity("AsKh,QcJd", "Td9d,AdTc:0.5", "2c 2d 2h 2s Kc")
    assert found.hands[0][combo(*cards("As Kh"))] == pytest.approx((1.0 + 0.5 * 0.5) / 1.5)
    assert found.hands[0][combo(*cards("Qc Jd"))] == pytest.approx((0.5 * 1.0 + 0.0 * 0.5) / 1.5)
    assert found.equity[0] == pytest.approx((1.25 + 0.5) / 3.0)
    assert found.deals == 1
    assert np.isnan(found.hands[0]).sum() == 1324


# --- the brute-force twin


@st.composite
def spots(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, list[int], list[int]]:
    """Two small weighted ranges on a flop, turn or river, with dead cards; the more run-outs, the fewer hands."""
    size = draw(st.sampled_from([3, 4, 5]))
    known = draw(st.lists(st.integers(0, 51), min_size=size, max_size=size + 3, unique=True))
    most = {3: 2, 4: 4, 5: 8}[size]
    sides = []
    for _ in range(2):
        hands = draw(st.lists(st.integers(0, 1325), min_size=1, max_size=most, unique=True))
        weights = np.zeros(1326)
        weights[hands] = draw(
            st.lists(st.sampled_from([1.0, 0.5, 0.1, 0.37]), min_size=len(hands), max_size=len(hands))
        )
        weights[np.isin(COMBO_CARDS, known).any(axis=1)] = 0.0
        sides.append(weights)
    assume((np.outer(*sides)[disjoint_combos()] > 0).any())
    return sides[0], sides[1], known[:size], known[size:]


@settings(max_examples=50, deadline=None)
@given(spots())
def test_enumeration_agrees_with_brute_force(spot) -> None:
    first, second, board, dead = spot
    found = equity(Range(first), Range(second), board, dead)
    value, hands = brute_force_equity((first, second), board, dead)
    assert found.equity == pytest.approx((value, 1 - value), abs=1e-12)
    np.testing.assert_allclose(found.hands, hands, atol=1e-12)


def test_suited_spots_agree_with_brute_force() -> None:
    """A monotone flop and ranges that share cards: symmetry is at work, and blockers matter."""
    first, second, board, dead = Range("99:0.5,AsAd"), Range("88,AsKs"), cards("Ts 9s 8s 2s"), cards("2c")
    found = equity(first, second, board, dead)
    sides = [side.without([*board, *dead]).weights for side in (first, second)]
    value, hands = brute_force_equity((sides[0], sides[1]), board, dead)
    assert found.equity[0] == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(found.hands, hands, atol=1e-12)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True), st.sampled_from(["", "2c", "2c 2d 9h"]))
def test_symmetry_changes_nothing(flop: list[int], dead: str) -> None:
    assume(not set(flop) & set(cards(dead)))
    args = ("22+,A2s+:0.3,KJo+", "top 40%", flop, dead)
    by_symmetry = equity(*args)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equity_module, "symmetries", lambda known, weights: np.array([0]))
        one_by_one = equity(*args)
    assert by_symmetry.deals == one_by_one.deals
    assert by_symmetry.equity == pytest.approx(one_by_one.equity, abs=1e-12)
    np.testing.assert_allclose(by_symmetry.hands, one_by_one.hands, atol=1e-12)


def test_the_number_of_threads_changes_no_bit() -> None:
    one, two = (equity("top 33%", "22+,A2s+:0.37,K2o+:0.1", "Qs Jh 2h", threads=n) for n in (1, 2))
    assert one.equity == two.equity
    np.testing.assert_array_equal(one.hands, two.hands)


# --- the table of classes


def test_the_table_is_symmetric_and_complete() -> None:
    table, pairs = equity_table(), pair_table()
    np.testing.assert_allclose(table + table.T, 1.0, atol=1e-15)
    assert np.array_equal(pairs, pairs.T)
    assert pairs.sum() == 1326 * 1225
    assert pairs[class_index("AA"), class_index("AA")] == 6
    assert pairs[class_index("AKs"), class_index("AKs")] == 12
    assert pairs[class_index("AKo"), class_index("AKo")] == 12 * 7
    assert pairs[class_index("AA"), class_index("72o")] == 72


def enumerated(first: str, second: str) -> Equity:
    """Preflop equity without the table."""
    weights = np.stack([Range(first).weights, Range(second).weights])
    return equity_module._enumerated(weights, opponents(COMBO_CARDS, weights), [], [], 0)


@pytest.mark.parametrize(
    ("first", "second"), [("AKs", "AKs"), ("AKs", "QQ"), ("77", "77"), ("JTs", "A2o"), ("A5o", "A5s"), ("32o", "32o")]
)
def test_the_table_of_classes_agrees_with_enumeration(first: str, second: str) -> None:
    found = enumerated(first, second)
    assert equity_table()[class_index(first), class_index(second)] == pytest.approx(found.equity[0], abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second"),
    [("AsKh", "QsQh"), ("AsKs", "JTs,Ks9s:0.3"), ("AA:0.1,AKs,72o:0.7", "KK,AKo:0.3,72o"), ("5d4d,5c4c", "AcAd,5h4h")],
)
def test_the_table_of_combos_agrees_with_enumeration(first: str, second: str) -> None:
    by_table, found = equity(first, second), enumerated(first, second)
    assert by_table.equity == pytest.approx(found.equity, abs=1e-12)
    np.testing.assert_allclose(by_table.hands, found.hands, atol=1e-12)
    assert by_table.deals == found.deals == 2_598_960


def test_the_table_of_combos_is_complete_and_blind_to_the_names_of_suits() -> None:
    table = combo_equity_table()
    assert np.array_equal(table + table.T, disjoint_combos().astype(float))
    for images in combo_images():
        assert np.array_equal(table[images[:, None], images], table)


def test_scores_agree_with_one_comparison_at_a_time() -> None:
    rng = np.random.default_rng(5)
    boards = np.array([rng.choice(52, 5, replace=False) for _ in range(70)], np.uint8)  # more than one block
    counts = rng.integers(1, 25, 70)
    hands = COMBO_CARDS[rng.choice(1326, 9, replace=False)]
    scores = np.zeros((9, 9), np.int32)
    combo_scores(boards, counts, hands, tables(), scores)
    expected = np.zeros((9, 9), np.int32)
    for board, count in zip(boards.tolist(), counts.tolist(), strict=True):
        found = [None if set(hand) & set(board) else best_rank([*hand, *board]) for hand in hands.tolist()]
        for i, mine in enumerate(found):
            for j, theirs in enumerate(found):
                if mine is not None and theirs is not None:
                    expected[i, j] += count * ((mine > theirs) + (mine >= theirs))
    assert np.array_equal(scores, expected)


def test_opponents_are_the_weights_that_share_no_card() -> None:
    weights = np.random.default_rng(2).random((2, 1326))
    np.testing.assert_allclose(opponents(COMBO_CARDS, weights), weights[::-1] @ disjoint_combos(), rtol=1e-12)


def test_aces_are_best_and_the_table_has_every_class() -> None:
    assert CLASS_NAMES[int(np.argmax(equity_vs_random()))] == "AA"
    assert CLASS_NAMES[int(np.argmin(equity_vs_random()))] == "32o"
    assert equity_table().shape == (169, 169)


@pytest.mark.slow
def test_the_shipped_table_is_the_one_that_is_computed() -> None:
    assert np.array_equal(equity169._scores(), equity169.compute())


# --- sampling


@pytest.mark.parametrize(
    ("first", "second", "board", "dead"),
    [
        ("AA", "KK", "", ""),
        ("QQ+,AK:0.5", "22+,AsKs", "Ah Kd 2c", "2d"),
        ("AsKs", "AsQs,7h6h:0.001,2c2d:0.003", "Th 9h 2s 3d", ""),  # nearly every draw is blocked
    ],
)
def test_samples_agree_with_enumeration(first: str, second: str, board: str, dead: str) -> None:
    exact = equity(first, second, board, dead)
    sampled = equity(first, second, board, dead, samples=200_000, seed=11)
    assert not sampled.exact
    assert sampled.deals == 200_000
    assert 0 < sampled.standard_error < 0.002
    assert abs(sampled.equity[0] - exact.equity[0]) < 5 * sampled.standard_error
    for side in range(2):
        assert np.array_equal(np.isnan(sampled.hands[side]), np.isnan(exact.hands[side]))
        np.testing.assert_allclose(sampled.hands[side], exact.hands[side], atol=0.06)


def test_the_standard_error_is_the_spread_of_estimates() -> None:
    runs = [equity("AKs", "QQ", "Kh 7d 2c", samples=500, seed=seed) for seed in range(300)]
    spread = np.std([run.equity[0] for run in runs], ddof=1)
    assert np.mean([run.standard_error for run in runs]) == pytest.approx(spread, rel=0.2)


def test_the_seed_decides_the_samples() -> None:
    first, again, other = (equity("AA", "random", samples=1000, seed=seed).equity for seed in (1, 1, 2))
    assert first == again
    assert first != other


# --- what is refused


def test_no_deal_is_possible() -> None:
    with pytest.raises(InputError, match="no hands of the two sides can be dealt together: both need As; add"):
        equity("AsKs", "AsQs,AsJs")
    with pytest.raises(InputError, match="both need Ks As; add"):
        equity("AsKs", "AsQs,KsQd")
    with pytest.raises(InputError, match="both need As"):
        equity("AsKs", "AsQs", "2c 3d 4h", samples=100)


def test_tiny_weights_are_weights() -> None:
    found = equity("AA", "KK:1e-13", "2c 7d 9h")
    assert found.equity == pytest.approx(equity("AA", "KK", "2c 7d 9h").equity, abs=1e-12)
    assert not np.isnan(found.hands[0][combo(*cards("As Ah"))])
    rare = equity("AsKs", "AsQs,2c2d:1e-12", "2h 7d 9h", samples=100)  # must find the one hand that can be held
    assert np.isnan(rare.hands[1][combo(*cards("As Qs"))])


def test_a_hand_that_meets_no_other_has_no_equity() -> None:
    found = equity("AsKs,QQ", "AsJs", "2c 7d 9h")
    assert np.isnan(found.hands[0][combo(*cards("As Ks"))])
    assert found.equity == pytest.approx(equity("QQ", "AsJs", "2c 7d 9h").equity, abs=1e-12)


def test_a_deck_that_is_nearly_used_up() -> None:
    left = cards("As Ah Ks Kh 2c 3d 7h 9s Td")
    dead = [c for c in range(52) if c not in left]
    found = equity("AsAh", "KsKh", dead=dead)
    assert found.equity == (1.0, 0.0)
    assert equity("AsAh", "KsKh", dead=cards_text(dead), samples=10).equity == (1.0, 0.0)
    with pytest.raises(InputError, match="44 dead cards leave too few for two hands and a board: use at most 43"):
        equity("AsAh", "KsKh", dead=[*dead, cards("2c")[0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"board": "Ah Kd"}, "board 'Ah Kd' has 2 cards: use 3"),
        ({"board": [52, 1, 2]}, "no card has the id 52"),
        ({"dead": [-1]}, "no card has the id -1"),
        ({"board": "Ah Kd 2c", "dead": "Kd"}, "card Kd is given twice among board and dead cards"),
        ({"dead": "As Ah Ad"}, "range 'AA' has no hand left: all are blocked by As Ah Ad"),
        ({"samples": 1}, "samples = 1: use 2 or more"),
        ({"samples": 10, "seed": -1}, "seed = -1: use 0 to"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InputError) as refused:
        equity("AA", "KK", **arguments)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(InputError, match="range is empty: give at least one hand a weight above 0"):
        equity("AA:0", "KK")
