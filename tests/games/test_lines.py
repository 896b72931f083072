"""Lines and action names: what they say and that they read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Action
from runout.games.lines import action_name, join_line, parse_action, split_line, token

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


@pytest.mark.parametrize("text", ["", "b", "r", "bet", "q", "b-5", "x5", "raise to", "b9.5"])
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
