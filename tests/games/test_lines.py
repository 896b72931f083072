"""The line language: what actions and lines say, that they read back, and how people may write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Action
from runout.games.lines import (
    IN_CHIPS,
    Word,
    action_name,
    in_big_blinds,
    join_line,
    parse_action,
    read_stack,
    split_line,
    token,
)

BB = in_big_blinds(1000)

ACTIONS = st.one_of(
    st.sampled_from([Action(FOLD), Action(CHECK), Action(CALL), Action(ALL_IN)]),
    st.builds(Action, st.sampled_from([BET, RAISE]), st.integers(1, 10**9)),
)


@given(ACTIONS)
def test_tokens_and_names_read_back(action: Action) -> None:
    assert parse_action(token(action)) == action
    assert parse_action(action_name(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Check", Action(CHECK)),
        ("raise to 210", Action(RAISE, 210)),
        ("RAISE 210", Action(RAISE, 210)),
        ("all in", Action(ALL_IN)),
        ("allin", Action(ALL_IN)),
        ("all-in 900", Action(ALL_IN, 900)),
        (" b94 ", Action(BET, 94)),
    ],
)
def test_people_may_write_it_their_way(text: str, action: Action) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize("text", ["", "b", "r", "bet", "q", "b-5", "x5", "raise to"])
def test_unknown_actions_are_named(text: str) -> None:
    with pytest.raises(InputError, match="unknown action"):
        parse_action(text)


@pytest.mark.parametrize(
    ("line", "streets", "cards"),
    [
        ("", [[]], []),
        ("x-b94-c", [["x", "b94", "c"]], []),
        ("x-b94-c|Ah", [["x", "b94", "c"], []], ["Ah"]),
        ("x-b94-c|Ah|x-x|2c|b300", [["x", "b94", "c"], ["x", "x"], ["b300"]], ["Ah", "2c"]),
    ],
)
def test_lines_split_and_join(line: str, streets: list[list[str]], cards: list[str]) -> None:
    assert split_line(line) == (streets, cards)
    assert join_line(streets, cards) == line


def test_lines_without_cards() -> None:
    assert join_line([["x", "x"], ["b9"]]) == "x-x|?|b9"


@pytest.mark.parametrize("line", ["x--x", "x-", "x-x||b9"])
def test_broken_lines_are_refused(line: str) -> None:
    with pytest.raises(InputError):
        split_line(line)


def words(text: str) -> list[tuple[int | None, int, int | None]]:
    return [(word.player, word.kind, word.amount) for street in BB.read(text).streets for word in street]


SMALL, BIG = 1, 0


@pytest.mark.parametrize(
    "text",
    [
        "SBr2.5 BBr8 SBc",
        "sbR2.5 bbr8 sbC",
        "SBr2.5BBr8SBc",
        "SBr2.5,BBr8,SBc",
        "SBr2.5bb BBr8bb SBc",
        "SBr2.5bbBBr8bbSBc",
        "SB raise to 2.5 BB raise to 8 SB call",
        "SB raise 2.5bb, BB raise 8 bb, SB limp",
        "SB r 2.5  BB r8 SB  call",
        "50bb SBr2.5 BBr8 SBc",
        "50 bb SBr2.5BBr8SBc",
        "50bbSBr2.5 BBr8 SBc",
    ],
)
def test_action_strings_are_read_as_people_write_them(text: str) -> None:
    assert words(text) == [(SMALL, RAISE, 2500), (BIG, RAISE, 8000), (SMALL, CALL, None)]
    assert BB.read(text).stack == (50 if text.startswith("50") else None)


@pytest.mark.parametrize("text", ["SBa", "SBall", "SB all", "SBallin", "SB all-in", "sb All In", "SBALL IN"])
def test_all_ins_have_many_names(text: str) -> None:
    assert words(text) == [(SMALL, ALL_IN, None)]


def test_positions_may_be_left_out() -> None:
    assert words("r2.5 r8 c") == [(None, RAISE, 2500), (None, RAISE, 8000), (None, CALL, None)]
    assert words("r2.5r8c") == words("r2.5-r8-c") == words("r2.5 r8 c")
    assert words("20 bb r3") == [(None, RAISE, 3000)]


def test_a_line_has_streets_and_cards() -> None:
    line = BB.read("SBr2.5 BBc|Qs Jh 2h|x-b2-all-in|?|")
    assert line.cards == ["Qs Jh 2h", "?"]
    assert [[word.text for word in street] for street in line.streets] == [["SBr2.5", "BBc"], ["x", "b2", "all-in"], []]
    assert IN_CHIPS.read("x - bet 94 - call|Ah").streets[0][1] == Word("bet 94", BET, 94)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SBr2.50005", "too fine: use steps of 0.001 bb"),
        ("SBr3 50bb", "stack '50bb' is not in front"),
        ("UTGr3", "unknown position in 'UTGr3'"),
        ("SBz", "unknown action 'z'"),
        ("SB", "'SB' has no action"),
        ("SBr94chips", "'SBr94chips' is in chips: amounts of this game are in bb"),
        ("SBc BBx|Qs Jh 2h|x--x", "empty action"),
        ("8", "unknown action '8'"),
        ("SBf3", "unknown action 'SBf3'"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(text: str, why: str) -> None:
    with pytest.raises(InputError) as error:
        BB.read(text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_stack_stands_in_front() -> None:
    assert read_stack("12.5bb SBa") == (12.5, "SBa")
    assert read_stack(" 20 BB ") == (20, "")
    assert read_stack("SBa") == (None, "SBa")


@given(st.integers(1, 10**9), st.sampled_from([1, 2, 3, 7, 100, 1000]))
def test_amounts_read_back_in_every_unit(chips: int, unit: int) -> None:
    wording = in_big_blinds(unit)
    assert wording.words(f"r{wording.amount(chips)}")[0].amount == chips
