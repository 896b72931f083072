"""Points and the follower of lines: every line that is printed reads back, in games from preflop to the river."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.holdem_games import SETTINGS, random_hand
from runout.cards.cards import cards_text
from runout.errors import InputError
from runout.games.betting import FLOP, RAISE, Action, Rules, start
from runout.games.holdem import HoldemSettings
from runout.games.lines import IN_CHIPS
from runout.games.points import CHANCE, DECISION, TERMINAL, HoldemLines, Point
from runout.games.preflop import WORDING, Preflop
from runout.games.spot import Betting

TINY = Preflop.preset("tiny")
BEFORE_FLOP = HoldemLines(TINY.start(), TINY.menu, WORDING)
SPOT = HoldemLines(start(Rules.postflop(180, 910, FLOP)), Betting().by_sizes, IN_CHIPS, (0, 5, 10))


def walked(lines: HoldemLines, data: st.DataObject) -> Point:
    """A random point of a game."""
    point = lines.root
    for _ in range(data.draw(st.integers(0, 14))):
        if point.kind == DECISION:
            number = data.draw(st.integers(0, len(point.menu) - 1))
            point = lines.play(point, data.draw(st.sampled_from([lines.token, lines.name]))(point, number))
        elif point.kind == CHANCE:
            left = [card for card in lines.deck if card not in point.board]
            size = point.deal_count
            dealt = data.draw(st.lists(st.sampled_from(left), min_size=size, max_size=size, unique=True))
            point = lines.deal(point, cards_text(dealt))
    return point


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_lines_of_random_games_read_back(data: st.DataObject) -> None:
    game = data.draw(SETTINGS).game()
    lines = game.lines
    point = walked(lines, data)
    for text in (point.line, point.line.lower(), point.line.replace(" ", "") if "|" not in point.line else point.line):
        again = lines.at(text)
        assert (again.line, again.state, again.board) == (point.line, point.state, point.board)
    assert [one.line for one in again.path] == [one.line for one in point.path]


@settings(max_examples=60, deadline=None)
@given(SETTINGS, st.integers(0, 10**6))
def test_dealt_hands_say_their_line(chosen: HoldemSettings, seed: int) -> None:
    game = chosen.game()
    for state in random_hand(game, seed):
        assert game.lines.at(state.line()).state == state.betting


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_lines_of_spots_read_back(data: st.DataObject) -> None:
    point = walked(SPOT, data)
    assert SPOT.at(point.line).state == point.state
    assert SPOT.at(point.line).player in (None, "oop", "ip")


def test_several_actions_in_one_entry_are_all_followed_or_refused() -> None:
    root = BEFORE_FLOP.root
    assert BEFORE_FLOP.play(root, "SBr2.5 BBr8").line == "SBr2.5 BBr8"
    assert BEFORE_FLOP.play(root, "r2.5 r8 c").line == "SBr2.5 BBr8 SBc"
    with pytest.raises(InputError, match="'BBr999' is not possible: cannot raise to 999 bb, the stack is 20 bb"):
        BEFORE_FLOP.play(root, "SBr2.5 BBr999")
    with pytest.raises(InputError, match="no action ''"):
        BEFORE_FLOP.play(root, "")


def test_an_entry_may_deal_cards_on_its_way() -> None:
    assert SPOT.play(SPOT.root, "x x|Ah|bet 90").line == "x-x|Ah|b90"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("b95", "'b95' is not possible: cannot bet 95 chips, it is not one of this game's sizes: use 90"),
        ("b90-r95", "cannot raise to 95 chips, the smallest raise is to 180 chips: use 306"),
        ("x-x-x", "'x' comes too soon: deal the turn first"),
        ("x|Ah", "no cards 'Ah' can come after 'x': betting is not over"),
        ("x-x|2c", "card 2c is on the board already"),
        ("x-x|Ah Kh", "1 card comes"),
        ("c", "there is no bet to call; check instead"),
        ("b90-x", "cannot check, there are 90 chips to call"),
        ("b90-f-x", "'x' comes after the end: ip folded"),
        ("x-b9bb", "'b9bb' is in bb: amounts of this game are in chips"),
    ],
)
def test_a_wrong_step_is_named(line: str, why: str) -> None:
    with pytest.raises(InputError) as error:
        SPOT.at(line)
    assert why in str(error.value)


def test_a_size_may_be_left_out_where_there_is_one() -> None:
    assert SPOT.at("bet-raise").line == "b90-r306"
    assert BEFORE_FLOP.play(BEFORE_FLOP.root, "all in").state.facing == 20_000


def test_the_stack_in_front_must_be_that_of_the_game() -> None:
    assert BEFORE_FLOP.at("20bb SBr2.5").line == "SBr2.5"
    with pytest.raises(InputError, match="this game is 20 bb deep, the line 50 bb"):
        BEFORE_FLOP.at("50bb SBr2.5")


def test_the_same_address_gives_the_same_point() -> None:
    assert SPOT.at("x-b90") is SPOT.play(SPOT.at("x"), "bet 90")
    assert SPOT.at("b90-c").kind == CHANCE
    assert SPOT.at("b90-f").kind == TERMINAL
    assert SPOT.at("b90").menu[2] == Action(RAISE, 306)
