import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout import Range
from runout.cards.equity169 import equity_vs_random
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, COMBO_CARDS, class_index
from runout.errors import InputError

# PioSOLVER's "3betpotFAST" and the combos that postflop-solver counts on its board
OOP_3BET = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,"
    "96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,"
    "42s:0.45,32s:0.45"
)
IP_3BET = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,74s:0.5,"
    "64s+,63s:0.5,54s,53s:0.5,43s"
)
OOP_TURN = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP_TURN = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


@pytest.mark.parametrize(
    ("text", "board", "count"),
    [
        (OOP_3BET, "QsJh2h", 273),
        (IP_3BET, "QsJh2h", 416),
        (OOP_TURN, "Td9d6hQc", 167),
        (IP_TURN, "Td9d6hQc", 250),
    ],
)
def test_combos_of_known_spots(text: str, board: str, count: int) -> None:
    assert Range(text).without(board).count == count


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        (
            "22+,A2s+,K2s+,Q2s+,J3s+,T4s+,95s+,84s+,74s+,64s+,53s+,43s:.7107,A2o+,K2o+,Q7o+,J8o+,T8o+,97o+,87o,76o",
            58.284,
        ),
        ("22+,A2s+,K2s+,Q7s+,Q6s:.4028,J8s+,T9s,A2o+,K5o+,Q9o+,JTo", 37.376),
    ],
)
def test_shares_of_the_heads_up_push_and_call_at_ten_big_blinds(text: str, percent: float) -> None:
    assert Range(text).combos() / 13.26 == pytest.approx(percent, abs=1e-3)


def members(text: str) -> set[str]:
    """Classes of which every combo has weight 1, having checked that the others have none."""
    classes = Range(text).classes
    assert set(classes.tolist()) <= {0.0, 1.0}
    return {CLASS_NAMES[i] for i in np.flatnonzero(classes)}


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("TT+", "TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("98s+", "98s T9s JTs QJs KQs AKs"),
        ("AKo+", "AKo"),
        ("KJo+", "KJo KQo"),
        ("86s+", "86s 87s"),
        ("A9+", "A9s ATs AJs AQs AKs A9o ATo AJo AQo AKo"),
        ("QJ+", "QJs KQs AKs QJo KQo AKo"),
        ("AK", "AKs AKo"),
        ("ka", "AKs AKo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("77-44", "77 66 55 44"),
        ("44-77", "77 66 55 44"),
        ("T9s-65s", "T9s 98s 87s 76s 65s"),
        ("T8o-64o", "T8o 97o 86o 75o 64o"),
        ("K9s-K9s", "K9s"),
        ("A10s+", "ATs AJs AQs AKs"),
        ("AA, KK;QQ\nJJ TT", "AA KK QQ JJ TT"),
        ("A5s - A3s", "A5s A4s A3s"),
        ("A5s–A3s", "A5s A4s A3s"),
    ],
)
def test_groups(text: str, classes: str) -> None:
    assert members(text) == set(classes.split())


@pytest.mark.parametrize("text", ["100%", "random", "*", "Random", "top 100%", "100 %"])
def test_every_hand(text: str) -> None:
    assert Range(text) == Range.all()
    assert Range(text).combos() == 1326


def test_suits_given_by_name() -> None:
    assert Range("AsKh") == Range("KhAs") == Range("As Kh") == Range("aSkH")
    assert Range("AsKh").count == 1
    assert str(Range("AhTh+")) == "AhKh,AhQh,AhJh,AhTh"
    assert str(Range("AsAh-QsQh")) == str(Range("QhQs-AsAh")) == "AsAh,KsKh,QsQh"
    assert Range("As Kh, Qd Qc") == Range("AsKh,QdQc")


@pytest.mark.parametrize(
    "text",
    ["AKs:0.5,AQs:0.5", "AKs@50,AQs@50", "[50]AKs,AQs[/50]", "[50.0] AQs+ [/50.00]", "AKs:50%,AQs: .5", "AQs+ @ 50%"],
)
def test_ways_to_write_a_weight(text: str) -> None:
    half = Range(text)
    assert half.count == 8
    assert half.weight("AKs") == half.weight("AQs") == 0.5


def test_the_first_group_wins_on_overlap() -> None:
    assert Range("AKs:0.25,AK").weight("AKs") == 0.25
    assert Range("AKs:0.25,AK").weight("AKo") == 1
    assert Range("AK,AKs:0.25") == Range("AK")
    assert Range("AsAh:0,AA").count == 5
    assert str(Range("[25]AA[/25]KK,[50]AA,QQ[/50]")) == "KK,QQ:0.5,AA:0.25"


@pytest.mark.parametrize("percent", [0.1, 3, 15, 22.5, 99.9])
def test_top_share_has_exactly_that_many_combos_and_is_cut_within_one_class(percent: float) -> None:
    top = Range(f"top {percent}%")
    assert top == Range(f"{percent}%")
    assert top.combos() == pytest.approx(13.26 * percent, abs=1e-9)
    equity = equity_vs_random()
    whole, part, out = (
        equity[mask] for mask in (top.classes == 1, (top.classes > 0) & (top.classes < 1), top.classes == 0)
    )
    assert len(part) <= 1
    assert min(whole, default=1) > max(part, default=max(out, default=0))
    assert min(part, default=min(whole, default=1)) > max(out, default=0)


def test_top_share_in_words_that_players_know() -> None:
    assert str(Range("15%")) == "55+,A7s+,A5s,K9s+,QJs,A9o+,KJo+,A6s:0.725"
    assert Range("TOP 7.%") == Range("7%")
    top = Range("top 5%")
    assert all(top.weight(hand) == 1 for hand in ("AA", "KK", "QQ", "JJ", "TT", "99", "AKs"))
    assert not any(top.weight(hand) for hand in ("22", "32o", "76s"))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("AA,KK,QQ", "QQ+"),
        ("AKs,AQs,AJs", "AJs+"),
        ("A2s,A3s,A4s,A5s", "A5s-A2s"),
        ("KQo,KJo", "KJo+"),
        ("KQs", "KQs"),
        ("AKs,AKo", "AK"),
        ("AT+", "AT+"),
        ("T9s,98s,87s,76s,65s", "T9s-65s"),
        ("AKs,KQs,QJs,JTs,T9s,98s", "98s+"),
        ("22+,A2s+,KJo+,AKs:0.5", "22+,A2s+,KJo+"),
        ("AKs:0.5,22+,A2s+,KJo+", "22+,AQs-A2s,KJo+,AKs:0.5"),
        ("AsKh,AhKs:0.5", "AsKh,AhKs:0.5"),
        ("KK,QQ,JJ,77,55,44,22", "KK-JJ,77,55-44,22"),
        ("*", "100%"),
        ("random:0.25", "100%:0.25"),
        ("none", "none"),
        ("AA:0", "none"),
        (IP_TURN, "QQ-22,AQs-A2s,K5s+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+,ATo+,KJo+"),
    ],
)
def test_printing(text: str, printed: str) -> None:
    assert str(Range(text)) == printed
    assert repr(Range(text)) == f"Range('{printed}')"


@pytest.mark.parametrize("text", [OOP_3BET, IP_3BET, OOP_TURN, IP_TURN, "AhTh+,99-66:0.125,T9s-65s@33"])
def test_printing_is_no_longer_than_what_a_person_wrote(text: str) -> None:
    assert Range(str(Range(text))) == Range(text)
    assert len(str(Range(text))) <= len(text) + 20


weight = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1))


@given(st.lists(weight, min_size=1, max_size=40), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_any_weights_by_combo_read_back_to_the_bit(values: list[float], random) -> None:
    whole = Range(np.array([random.choice(values) for _ in range(1326)]))
    assert Range(str(whole)) == whole


@given(
    st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0]), min_size=169, max_size=169), st.sets(st.integers(0, 51), max_size=3)
)
@settings(deadline=None, max_examples=60)
def test_any_weights_by_class_with_dead_cards_read_back(values: list[float], dead: set[int]) -> None:
    by_class = Range(np.array(values))
    assert by_class.classes.tolist() == values
    assert Range(str(by_class)) == by_class
    assert Range(str(by_class.without(dead))) == by_class.without(dead)


ranks = st.sampled_from("23456789TJQKA")
hands = st.tuples(ranks, ranks, st.sampled_from(["", "s", "o"])).map(
    lambda hand: hand[0] + hand[1] + (hand[2] if hand[0] != hand[1] else "")
)


@given(st.lists(st.tuples(hands, st.sampled_from(["", "+", ":0.5", "+:0.3"])), min_size=1, max_size=12))
@settings(deadline=None)
def test_written_ranges_read_back(groups: list[tuple[str, str]]) -> None:
    written = Range(",".join(hand + ending for hand, ending in groups))
    assert Range(str(written)) == written
    assert written.weight(groups[0][0]) == {"": 1, "+": 1, ":0.5": 0.5, "+:0.3": 0.3}[groups[0][1]]


@given(st.text(alphabet="AKQ92soch+-:@[]/%.,50 topn", max_size=14))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        read = Range(text)
    except InputError as refused:
        message = str(refused)
    else:
        message = str(read)
        assert Range(message) == read
    assert message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty range: use hands"),
        (" , ", "empty range: use hands"),
        ("AX", "cannot read 'AX' in a range: use hands"),
        ("22+,AAA", "cannot read 'AAA' in a range"),
        ("As", "cannot read 'As' in a range"),
        ("A5s-", "cannot read 'A5s-' in a range"),
        ("AKs:1.5", "weight 1.5 in 'AKs:1.5' is out of range: use 0 to 1$"),
        ("AKs:-1", "weight -1 in 'AKs:-1' is out of range"),
        ("AKs:x", "cannot read the weight 'x' in 'AKs:x': use a number"),
        ("AKs:", "cannot read the weight '' in 'AKs:'"),
        ("AKs:nan", "cannot read the weight 'nan'"),
        ("AKs@150", "weight 150 in 'AKs@150' is out of range: use 0 to 100 percent"),
        ("[150]AKs[/150]", r"weight 150 in '\[150\]' is out of range: use 0 to 100 percent"),
        ("[50]AKs", r"\[50\] is never closed: end it with \[/50\]"),
        ("AKs[/50]", r"\[/50\] closes nothing"),
        ("[50]AKs[/60]", r"\[50\] is closed by \[/60\]: close it with \[/50\]"),
        ("[50]AA[20]KK[/20][/50]", r"\[20\] stands inside \[50\]"),
        ("[50]AKs:0.2[/50]", r"'AKs:0.2' has a weight of its own inside \[50\]"),
        ("[50AKs", r"cannot read '\[50AKs'"),
        ("A5s-K2s", "'A5s-K2s' is no span: use pairs"),
        ("22-AK", "'22-AK' is no span"),
        ("AA-A2", "'AA-A2' is no span"),
        ("A5s-A2o", "the ends of 'A5s-A2o' differ in suits"),
        ("AsAs", "hand 'AsAs' holds As twice"),
        ("AAs", "'AAs' is a pair and takes no suffix: use AA"),
        ("top 0%", "cannot be the top 0%: use a share above 0% and up to 100%"),
        ("101%", "cannot be the top 101%"),
    ],
)
def test_bad_text_is_named_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Range(text)
    assert "\n" not in str(caught.value)


def test_union_intersection_and_difference() -> None:
    a, b = Range("AA,KK:0.5"), Range("KK:0.75,QQ")
    assert a | b == Range("AA,KK:0.75,QQ")
    assert a & b == Range("KK:0.5")
    assert b - a == Range("KK:0.25,QQ")
    assert str(a - a) == "none"
    assert Range("22+") - Range("TT+") == Range("99-22")


@given(st.lists(weight, min_size=169, max_size=169), st.lists(weight, min_size=169, max_size=169))
def test_set_operations_keep_their_laws(first: list[float], second: list[float]) -> None:
    a, b = Range(np.array(first)), Range(np.array(second))
    assert a | b == b | a
    assert a & b == b & a
    assert (a | b) & a == a
    assert ((a - b).weights <= a.weights).all()
    assert ((a - b).weights >= 0).all()


def test_dead_cards() -> None:
    left = Range("AA,KQs").without("As Kd")
    assert left.count == 3 + 3
    assert not left.weights[(COMBO_CARDS == 51).any(axis=1)].any()
    assert Range("AA").without([]) == Range("AA")
    assert Range("AA").require_some("Kd") == Range("AA")
    with pytest.raises(
        InputError, match="OOP range 'AA' has no hand left: all are blocked by As Ah Ad; add other hands"
    ):
        Range("AA").require_some("As Ah Kd Ad", "OOP range")
    with pytest.raises(InputError, match="range is empty: give at least one hand a weight above 0"):
        Range("none").require_some()
    with pytest.raises(InputError, match="no card has the id 52"):
        Range("AA").without([52])


def test_counts_and_views() -> None:
    mixed = Range("AA,AKs:0.5,KsQh")
    assert mixed.count == 6 + 4 + 1
    assert mixed.combos() == 6 + 2 + 1
    assert mixed.classes[class_index("KQo")] == pytest.approx(1 / 12)
    assert (mixed.classes * CLASS_COMBOS).sum() == pytest.approx(9)
    assert mixed.matrix[0, 0] == 1
    assert mixed.matrix[0, 1] == 0.5
    assert mixed.matrix[1, 0] == 0
    assert mixed.weight("AK") == pytest.approx(2 / 16)


def test_other_sources() -> None:
    assert Range({"AA": 1, "AKs": 0.5}) == Range("AA,AKs:0.5") == Range.parse("AA,AKs:0.5")
    assert Range(Range("AA")) == Range("AA")
    assert Range(Range("AA,72o:0.1").classes) == Range("AA,72o:0.1")
    with pytest.raises(InputError, match="weight 2 of 'AA' is out of range"):
        Range({"AA": 2})
    with pytest.raises(InputError, match="needs 1326 weights by combo or 169 by class, not 13 × 13"):
        Range(np.zeros((13, 13)))
    with pytest.raises(InputError, match="weight nan of 2d2c is out of range"):
        Range(np.full(1326, np.nan))


def test_ranges_are_values() -> None:
    source = np.zeros(1326)
    made = Range(source)
    source[0] = 1
    assert made.count == 0
    with pytest.raises(ValueError, match="read-only"):
        made.weights[0] = 1
    assert len({Range("AA"), Range("AcAd,AA"), Range("KK"), Range(np.full(1326, -0.0)), Range("none")}) == 3
    copy = pickle.loads(pickle.dumps(Range("AA")))
    assert copy == Range("AA")
    assert not copy.weights.flags.writeable
    assert Range("AA") != "AA"


def test_a_range_is_a_collection_of_combos_with_weights() -> None:
    found = Range("AA,AKs:0.5")
    assert len(found) == found.count == 10
    assert dict(found)["AsAh"] == 1.0
    assert dict(found)["AsKs"] == 0.5
    assert sum(weight for _, weight in found) == found.combos()
    assert Range(dict(found)) == found
    assert "AK" in found
    assert "AKo" not in found
    assert 7 not in found
    assert found
    assert not Range(np.zeros(1326))
