"""Bet sizes: grammar, rounding, clamping and the three thresholds, each against figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, FLOP, RAISE, RIVER, TURN, Action, BettingState, Rules, start
from runout.games.lines import parse_action
from runout.games.sizes import (
    Size,
    Thresholds,
    bets_and_raises,
    parse_bet_sizes,
    parse_size,
    parse_sizes,
    sizes_text,
)

OFF = Thresholds()


def at(pot: int, stack: int, street: int, line: str = "") -> BettingState:
    state = start(Rules.postflop(pot, stack, street))
    for word in filter(None, line.split("-")):
        state = state.act(parse_action(word))
    return state


def totals(state: BettingState, sizes: str, thresholds: Thresholds = OFF) -> list[int]:
    return [action.amount for action in bets_and_raises(state, parse_sizes(sizes), thresholds)]


def test_a_turn_with_every_threshold() -> None:
    found = bets_and_raises(at(200, 900, TURN), parse_sizes("60%, e, a"), Thresholds(1.5, 0.15, 0.1))
    assert found == [Action(BET, 120), Action(BET, 216), Action(ALL_IN, 900)]


@pytest.mark.parametrize(
    ("pot", "line", "size", "total"),
    [
        (180, "", "52%", 94),  # 93.6
        (125, "", "50%", 63),  # 62.5: halves up
        (45, "", "70%", 32),  # 31.5 exactly, though 45 × 0.7 is not in binary
        (100, "", "100c", 100),
        (180, "b94", "45%", 260),  # 94 + 45% of 368, 165.6
        (100, "b20", "2.5x", 50),
        (100, "b20-r50", "2.5x", 125),  # the total bet faced, not the raise
        (100, "b20", "100c", 120),  # on top of the bet faced
        (100, "", "a", 1000),
        (100, "b20", "a", 1000),
        (100, "", "1%", 1),
        (40, "", "1%", 1),  # 0.4 rounds to 0: the smallest bet is one chip
        (100, "b20", "1.1x", 40),  # 22 is below the smallest raise
        (100, "", "5000%", 1000),
    ],
)
def test_one_size(pot: int, line: str, size: str, total: int) -> None:
    assert totals(at(pot, 1000, FLOP, line), size) == [total]


def test_geometric_bets_end_all_in() -> None:
    assert totals(at(100, 1300, FLOP), "e") == [100]  # the pot triples three times: 100 → 2700
    assert totals(at(100, 400, TURN), "e") == totals(at(100, 400, FLOP), "2e") == [100]
    assert totals(at(100, 400, RIVER), "e") == totals(at(100, 400, FLOP), "1e") == [400]
    assert totals(at(100, 400, RIVER), "2e") == [100]
    assert totals(at(50, 425, TURN, "b25"), "e") == [125]  # 100 after calling, 400 behind: a bet of 100 on top of 25


@given(st.integers(1, 500), st.integers(1, 5000), st.integers(FLOP, RIVER))
def test_geometric_bets_are_a_constant_share_of_the_pot(pot: int, stack: int, street: int) -> None:
    state = at(pot, stack, street)
    streets = RIVER - street + 1
    share = ((1 + 2 * stack / pot) ** (1 / streets) - 1) / 2
    assert abs(parse_size("e").total(state) - share * pot) <= 0.5 + 1e-6


def test_add_all_in() -> None:
    assert totals(at(100, 150, FLOP), "50%", Thresholds(add_all_in=1.5)) == [50, 150]
    assert totals(at(100, 151, FLOP), "50%", Thresholds(add_all_in=1.5)) == [50]
    # Facing a bet, both are counted on top of the call: 200 more into a pot of 200.
    assert totals(at(100, 250, FLOP, "b50"), "50%", Thresholds(add_all_in=1.0)) == [150, 250]


def test_force_all_in() -> None:
    # A bet of 100 into 100, called, leaves a pot of 300.
    assert totals(at(100, 145, FLOP), "100%", Thresholds(force_all_in=0.15)) == [145]
    assert totals(at(100, 146, FLOP), "100%", Thresholds(force_all_in=0.15)) == [100]


def test_merge_keeps_the_larger_of_two_close_sizes() -> None:
    sizes = "50%, 60%, 100%"
    assert totals(at(100, 900, FLOP), sizes) == [50, 60, 100]
    assert totals(at(100, 900, FLOP), sizes, Thresholds(merge=0.05)) == [50, 60, 100]  # 1.6 / 1.5 is 1.067
    assert totals(at(100, 900, FLOP), sizes, Thresholds(merge=0.1)) == [60, 100]
    assert totals(at(100, 900, FLOP), sizes, Thresholds(merge=0.25)) == [60, 100]  # 2 / 1.6 is 1.25, not below it
    assert totals(at(100, 900, FLOP), sizes, Thresholds(merge=0.3)) == [50, 100]  # 50 is measured against 100


def test_equal_sizes_are_one_action_and_none_is_made_where_none_is_legal() -> None:
    assert totals(at(100, 60, FLOP), "60%, 75%, a") == [60]
    assert totals(at(100, 60, FLOP, "a"), "60%") == []
    assert totals(at(100, 60, FLOP), "") == []


def test_reads_and_prints() -> None:
    assert parse_sizes("60%, e ,A,2.5X,100c, 2e") == (
        Size(Fraction(60), "%"),
        Size(Fraction(0), "e"),
        Size(Fraction(0), "a"),
        Size(Fraction(5, 2), "x"),
        Size(Fraction(100), "c"),
        Size(Fraction(2), "e"),
    )
    assert sizes_text(parse_sizes("33.30%,E,2.50x")) == "33.3%, e, 2.5x"
    assert parse_sizes("  ") == ()


SIZES = st.one_of(
    st.sampled_from(["a", "e", "1e", "2e", "3e"]),
    st.builds(lambda n, unit: f"{n / 100:.2f}{unit}", st.integers(101, 100000), st.sampled_from("%xc")),
)


@given(st.lists(SIZES, max_size=6))
def test_printed_sizes_read_back(words: list[str]) -> None:
    sizes = parse_sizes(",".join(words))
    assert parse_sizes(sizes_text(sizes)) == sizes


@given(
    st.lists(SIZES, max_size=4),
    st.integers(1, 300),
    st.integers(1, 1000),
    st.sampled_from(["", "x", "a", "x-a"]),
    st.tuples(*[st.floats(0, 2)] * 3),
)
def test_every_action_is_legal_and_sizes_rise(
    words: list[str], pot: int, stack: int, line: str, thresholds: tuple[float, float, float]
) -> None:
    state = at(pot, stack, FLOP, line)
    actions = bets_and_raises(state, parse_sizes(",".join(words)), Thresholds(*thresholds))
    assert [action.amount for action in actions] == sorted({action.amount for action in actions})
    for action in actions:
        assert state.verify(action) == action
        assert action.kind in (BET, RAISE, ALL_IN)
    if words and state.legal().bet_or_raise:
        assert actions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("52p", "unknown bet size '52p': use a percentage (52%), a multiple (2.5x), chips"),
        ("5", "unknown bet size '5'"),
        ("-5%", "unknown bet size '-5%'"),
        ("50%, 1,5x", "unknown bet size '1'"),
        ("50%,,a", "empty bet size in '50%,,a'"),
        ("0%", "bet size '0%' makes no legal bet: use a number above 0"),
        ("1x", "bet size '1x' makes no legal bet: use a multiple above 1"),
        ("0e", "bet size '0e' spreads over 0 streets"),
        ("nan%", "unknown bet size 'nan%'"),
    ],
)
def test_errors_name_the_bad_part(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_sizes(text)
    assert str(caught.value).startswith(message)


def test_a_first_bet_cannot_be_a_multiple() -> None:
    with pytest.raises(InputError, match=r"bet size '2.5x' makes no legal bet: there is no bet yet to multiply"):
        parse_bet_sizes("50%, 2.5x")
