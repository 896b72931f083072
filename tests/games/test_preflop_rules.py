"""The heads-up game before the flop: settings, what is legal, and action strings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games.betting import BETTING
from runout.games.points import HoldemLines
from runout.games.preflop import PRESETS, WORDING, Preflop, parse_raise
from runout.games.sizes import TO, Size

CONFIGS = Path(__file__).parents[2] / "configs" / "preflop"
STANDARD = Preflop.preset("standard")


def state_at(game: Preflop, line: str):
    return HoldemLines(game.start(), game.menu, WORDING).at(line).state


def names(game: Preflop, line: str = "") -> list[str]:
    return [WORDING.name(action) for action in game.menu(state_at(game, line))]


def test_blinds_are_posted_and_the_small_blind_acts_first() -> None:
    state = STANDARD.start()
    assert (state.spent, state.pot, state.player) == ((1000, 500), 1500, 1)


def test_the_presets_are_what_they_are_said_to_be() -> None:
    assert sorted(PRESETS) == ["aggressive", "standard", "tiny"]
    opens = ["2.5", "3", "6", "8", "10", "15", "20", "25", "50"]
    assert names(STANDARD) == ["fold", "call", *(f"raise to {size}" for size in opens), "all-in 100"]
    aggressive = names(Preflop.preset("aggressive"))
    assert aggressive == ["fold", "call", *(f"raise to {size}" for size in (3, 4, 10, 12, 25, 30, 60)), "all-in 100"]
    assert Preflop.preset("tiny").tree().nodes < 20


def test_raises_are_listed_sizes_that_the_minimum_raise_and_the_stack_allow() -> None:
    assert names(STANDARD, "SBr2.5")[:3] == ["fold", "call", "raise to 6"]  # 3 is below the smallest raise, 4
    assert names(STANDARD, "SBr6")[:3] == ["fold", "call", "raise to 15"]  # 8 and 10 are below 11
    assert names(STANDARD, "SBc")[:2] == ["check", "raise to 2.5"]
    assert names(STANDARD, "SBa") == ["fold", "call"]
    short = Preflop.preset("standard", stack_depth=7)
    assert names(short) == ["fold", "call", "raise to 2.5", "raise to 3", "raise to 6", "all-in 7"]


def test_sizes_as_multiples_and_by_raise_number() -> None:
    game = Preflop(stack_depth=60, raise_sizes=[[2, 2.5], ["3x", "4x"], ["2.2x"]])
    assert names(game)[2:] == ["raise to 2", "raise to 2.5", "all-in 60"]
    assert names(game, "SBr2.5")[2:] == ["raise to 7.5", "raise to 10", "all-in 60"]
    assert names(game, "SBr2.5 BBr10")[2:] == ["raise to 22", "all-in 60"]
    assert names(game, "SBr2.5 BBr10 SBr22")[2:] == ["raise to 48.4", "all-in 60"]  # the last list holds on


def test_limps_all_ins_and_caps_can_be_switched_off() -> None:
    game = Preflop(stack_depth=50, raise_sizes=[2.5, 8], limps=False, all_in=False, max_raises=2)
    assert names(game) == ["fold", "raise to 2.5", "raise to 8"]
    assert names(game, "SBr2.5") == ["fold", "call", "raise to 8"]
    assert names(game, "SBr2.5 BBr8") == ["fold", "call"]
    with pytest.raises(InputError, match="this game has no limps"):
        state_at(game, "SBc")


def test_antes_come_out_of_the_stack() -> None:
    game = Preflop.push_fold(10, ante=0.25)
    assert game.start().pot == 2000
    assert names(game) == ["fold", "all-in 9.75"]


def test_push_fold_has_two_decisions() -> None:
    game = Preflop.push_fold(10)
    assert game.tree().lines(0) == ["", "SBa"]
    assert game.is_push_fold
    assert not STANDARD.is_push_fold


def test_action_strings_are_read_whatever_their_case() -> None:
    found = WORDING.read("50bb SBr2.5 bbR8 sbC")
    assert found.stack == 50
    assert [word.text for word in found.streets[0]] == ["SBr2.5", "bbR8", "sbC"]
    state = state_at(Preflop.preset("standard", stack_depth=50), "50BB sbr2.5 BBr8 SBc")
    assert state.pot == 16000
    assert WORDING.ending(state) == "the pot is called and the flop comes"


def test_a_raise_of_the_stack_is_an_all_in() -> None:
    assert state_at(STANDARD, "SBr100").spent == state_at(STANDARD, "SBa").spent
    assert state_at(STANDARD, "SBa BBc").all_in


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("BBr3", "'BBr3' is out of turn: SB is to act"),
        ("SBr3 SBr8", "'SBr8' is out of turn: BB is to act"),
        ("UTGr3", "unknown position in 'UTGr3': begin each action with SB or BB"),
        ("SBr2.7", "cannot raise to 2.7 bb, it is not one of this game's sizes: use 2.5, 3"),
        ("SBr2.5 BBr3", "cannot raise to 3 bb, the smallest raise is to 4 bb: use 6, 8"),
        ("SBr200", "cannot raise to 200 bb, the stack is 100 bb"),
        ("SBr1", "the smallest raise is to 2 bb"),
        ("SBx", "cannot check, there are 0.5 bb to call"),
        ("SBc BBc", "there is no bet to call; check instead"),
        ("SBc BBf", "there is no bet to fold to; check instead"),
        ("SBa BBa", "cannot raise, the other player is all-in: fold or call"),
        ("SBf BBx", "'BBx' comes after the end: SB folded"),
        ("SBc BBx SBx", "'SBx' comes after the end: the pot is called and the flop comes"),
        ("SBr", "'SBr' has no size: use 2.5, 3"),
        ("SB", "'SB' has no action"),
        ("SBz", "unknown action 'z': use f (fold), x (check)"),
        ("SBr3 50bb", "stack '50bb' is not in front"),
    ],
)
def test_a_bad_action_is_named_in_one_line(line: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        state_at(STANDARD, line)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@given(st.data())
def test_every_line_of_the_tree_reads_back(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(LINES))
    point = FOLLOWER.at(line)
    assert point.line == line
    assert point.state.status == BETTING
    assert STANDARD.tree().line_of(*STANDARD.tree().node(line)) == line


LINES = STANDARD.tree().lines(0)
FOLLOWER = HoldemLines(STANDARD.start(), STANDARD.menu, WORDING)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"raise_sizes": [3]}, "missing key 'stack_depth'"),
        ({"stack_depth": 100}, "missing key 'raise_sizes'"),
        ({"stack_depth": 100, "raise_sizes": [3], "stak": 1}, "unknown key 'stak'"),
        ({"stack_depth": 100, "raise_size": [3]}, "unknown key 'raise_size': did you mean 'raise_sizes'?"),
        ({"stack_depth": 100, "raise_sizes": ["3z"]}, "unknown raise size '3z'"),
        ({"stack_depth": 100, "raise_sizes": [0.5]}, "'0.5' is not above the big blind"),
        ({"stack_depth": 100, "raise_sizes": ["0.5x"]}, "'0.5x' makes no legal bet"),
        ({"stack_depth": 100, "raise_sizes": ["e"]}, "unknown raise size 'e'"),
        ({"stack_depth": 100, "raise_sizes": []}, "sizes are missing"),
        ({"stack_depth": 100, "raise_sizes": {1: [3]}}, "a list of lists, as in [[2.5, 3]"),
        ({"stack_depth": 100, "raise_sizes": [2, [3]]}, "single sizes and lists are mixed"),
        ({"stack_depth": 100, "raise_sizes": [None]}, "unknown raise size None"),
        ({"stack_depth": 1, "raise_sizes": [3]}, "blind and ante alone take 1 bb"),
        ({"stack_depth": 10.00005, "raise_sizes": [3]}, "10.00005 bb is too fine"),
        ({"stack_depth": 100, "raise_sizes": [3], "blinds": [2, 1]}, "2 and 1 are no small and big blind"),
        ({"stack_depth": 100, "raise_sizes": [3], "leaf": "magic"}, "leaf = 'magic'"),
        ({"stack_depth": 100, "raise_sizes": [3], "realization": {"sb": {"AA": 0}, "bb": {}}}, "factor 0 of 'AA'"),
    ],
)
def test_bad_settings_are_named_in_one_line(settings: dict, reason: str) -> None:
    with pytest.raises(InputError) as error:
        Preflop(**settings)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_presets_are_named() -> None:
    with pytest.raises(InputError, match="unknown preset 'loose': use standard, aggressive, tiny"):
        Preflop.preset("loose")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_example_files_are_read(path: Path) -> None:
    game = Preflop.load(path)
    assert game.tree().nodes > 2
    assert Preflop(**game.model_dump(mode="json")) == game


def test_sizes_may_carry_their_unit() -> None:
    assert parse_raise("2.5bb") == parse_raise("2.5") == Size(Fraction(2500), TO)


def test_sizes_to_which_nobody_can_raise_are_told() -> None:
    game = Preflop(stack_depth=50, raise_sizes=[["2.5", "100"], ["2", "9"], ["a"]])
    assert game.unused_sizes() == ("100", "2")  # above the stack; below the least raise over 2.5
    assert Preflop(stack_depth=50, raise_sizes=[["2.5"], ["3x"], ["a"]]).unused_sizes() == ()
