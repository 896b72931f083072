"""Menus: bets and raises by sizes, by lines, or both; and caps under their new and their old names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.errors import InputError
from runout.games.betting import FLOP, PREFLOP, RIVER, TURN, BettingState
from runout.games.flop_game import FlopGame
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.preflop import Preflop
from runout.games.spot import Betting, Spot
from runout.games.tree import BettingTree, build

BOARDS = {FLOP: "Qs Jh 2h", TURN: "Qs Jh 2h 7c", RIVER: "Qs Jh 2h 7c 3d"}
RANGES = {"oop": "QQ+,AKs", "ip": "TT+,AQs+"}
ARRAYS = ("entry_pot", "entry_edge", "player", "parent_edge", "first_edge", "action", "amount", "child_kind", "child")


def spot(betting: dict, street: int = RIVER, pot: int = 40, stack: int = 230) -> Spot:
    return Spot(board=BOARDS[street], pot=pot, stack=stack, ranges=RANGES, betting=betting)


def assert_same(first: BettingTree, second: BettingTree) -> None:
    for one, other in zip(first.streets, second.streets, strict=True):
        for name in ARRAYS:
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def all_lines(tree: BettingTree) -> list[str]:
    return [line for street in range(len(tree.streets)) for line in tree.lines(street)]


SIZES = st.sampled_from(["", "50%", "33%, 100%", "a", "60%, a"])


@settings(max_examples=25, deadline=None)
@given(bet=SIZES, raises=SIZES, donk=SIZES, pot=st.integers(20, 200), stack=st.integers(10, 300), cap=st.integers(0, 3))
def test_a_tree_of_sizes_is_the_union_of_its_lines(
    bet: str, raises: str, donk: str, pot: int, stack: int, cap: int
) -> None:
    street = {"bet": bet, "raise": raises, "donk": donk}
    whole = spot({"turn": street, "river": street, "max_bets": cap}, TURN, pot, stack).tree()
    assert_same(whole, spot({"lines": all_lines(whole), "max_bets": cap}, TURN, pot, stack).tree())


def test_pio_lines() -> None:
    """`add_line 0 0 0 0 0 26 230` of a script with pot 40 and stack 230: flop x-x, turn x-x, river x-b26-a."""
    tree = spot({"lines": ["x-x|?|x-x|?|x-b26-a"]}, FLOP).tree()
    assert all_lines(tree) == [
        "", "x", "x-x|?", "x-x|?|x", "x-x|?|x-x|?", "x-x|?|x-x|?|x", "x-x|?|x-x|?|x-b26", "x-x|?|x-x|?|x-b26-a",
    ]  # fmt: skip
    assert tree.action_names(2, 2) == ["fold", "call", "all-in 230"]
    more = spot({"lines": ["x-x|?|x-x|?|x-b26-a", "b12-c|?|x-b19-r60-r134-a"]}, FLOP).tree()
    assert more.action_names(0, 0) == ["check", "bet 12"]
    assert more.action_names(*more.node("b12-c|?|x-b19-r60-r134")) == ["fold", "call", "all-in 218"]


def test_lines_come_on_top_of_sizes() -> None:
    tree = spot({"river": {"bet": "50%", "raise": "a"}, "lines": ["x-b33", "b20-r77"]}).tree()
    assert tree.action_names(0, 0) == ["check", "bet 20"]
    assert tree.action_names(*tree.node("x")) == ["check", "bet 20", "bet 33"]
    assert tree.action_names(*tree.node("b20")) == ["fold", "call", "raise to 77", "all-in 230"]
    assert tree.action_names(*tree.node("x-b33")) == ["fold", "call", "all-in 230"]


def test_lines_are_taken_out_with_everything_below() -> None:
    sizes = {"river": {"bet": "50%", "raise": "a"}}
    whole = spot(sizes).tree()
    tree = spot({**sizes, "remove_lines": "x-b20-a"}).tree()
    assert tree.action_names(*tree.node("x-b20")) == ["fold", "call"]
    assert tree.action_names(*tree.node("b20")) == ["fold", "call", "all-in 230"]
    assert sorted(all_lines(whole)) == sorted([*all_lines(tree), "x-b20-a"])
    none = spot({**sizes, "remove_lines": ["b20", "x-b20"]}).tree()
    assert all_lines(none) == ["", "x"]


def test_lines_hold_where_a_tree_begins_in_mid_hand() -> None:
    """As where a river that was left out of a file is solved again."""
    chosen = spot({"lines": ["x-b20-c|?|x-b44-r120", "x-x|?|b10"], "remove_lines": ["x-x|?|b10"]}, TURN)
    whole, state = chosen.tree(), chosen.start()
    for word in ("x", "b20", "c"):
        menu = chosen.menu(state)
        state = state.act(menu[whole.wording.choose(state, menu, whole.wording.words(word)[0])])
    later = build(state.next_street(), chosen.menu)
    first = whole.find("x-b20-c").index
    assert later.lines(0) == [line.partition("|?")[2].strip("|") for line in whole.lines(1) if "b20" in line]
    assert later.streets[0].nodes == whole.streets[1].entry_node[first + 1] - whole.streets[1].entry_node[first]
    assert all_lines(whole).count("x-x|?|b10") == 0


@pytest.mark.parametrize(
    ("betting", "why"),
    [
        ({"lines": ["x-b999"]}, "lines: line 'x-b999': 'b999' is not possible: cannot bet 999 chips, the stack is 230"),
        ({"lines": ["b20-r30"]}, "the smallest raise is to 40 chips"),
        ({"lines": ["b20-c-x"]}, "'x' comes after the end"),
        ({"lines": ["x-x|?|b9"]}, "cards come before the betting of a street is over"),
        ({"lines": ["x-q"]}, "unknown action 'q'"),
        ({"lines": ["b"]}, "'b' has no size"),
        ({"lines": ["f"]}, "there is no bet to fold to"),
        ({"lines": ["b20-r60-r200"], "max_bets": 2}, "no more raises are allowed"),
        ({"remove_lines": ["b33"]}, "remove_lines: line 'b33': 'b33' is not possible"),
        ({"remove_lines": ["x"]}, "remove_lines: 'x' ends with no bet or raise"),
        ({"remove_lines": [""]}, "remove_lines: '' ends with no bet or raise"),
    ],
)
def test_lines_that_cannot_be_played_are_refused_by_name(betting: dict, why: str) -> None:
    with pytest.raises(InputError) as error:
        spot(betting)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_cards_in_lines_are_any() -> None:
    with pytest.raises(InputError, match="write '\\?' for Ah"):
        spot({"lines": ["x-x|Ah|b20"]}, TURN)


def test_lines_before_the_flop_are_in_big_blinds() -> None:
    game = Preflop(stack_depth=50, raise_sizes=[2.5], all_in=False, lines=["SBr2.5 BBr9.5 SBa", "SBr3 BBr8"])
    assert game.tree().action_names(0, 0) == ["fold", "call", "raise to 2.5", "raise to 3"]
    assert game.tree().action_names(*game.tree().node("SBr2.5 BBr9.5")) == ["fold", "call", "all-in 50"]
    cut = Preflop(stack_depth=50, raise_sizes=[2.5, 8], all_in=False, remove_lines=["SBr2.5 BBr8"])
    assert cut.tree().action_names(*cut.tree().node("SBr2.5")) == ["fold", "call"]
    with pytest.raises(InputError, match="this game has no limps"):
        Preflop(stack_depth=50, raise_sizes=[2.5], limps=False, lines=["SBc BBr3"])
    both = FlopGame(preflop=game, flop={"bet": "50%"}, lines=["SBr3 BBc|?|x-b2.25"])
    assert both.tree().action_names(*both.tree().node("SBr3 BBc|?|x")) == ["check", "bet 2.25", "bet 3"]


def test_settings_with_lines_read_back() -> None:
    first = spot({"lines": ["x-b33"], "turn": {"bet": "50%"}}, TURN)
    assert first.betting.river.bet == ""
    again = Spot(**first.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert again == first
    assert_same(again.tree(), first.tree())


def caps(model: type, **data: object) -> object:
    return model(**data).rules().caps


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (caps(Preflop, stack_depth=9, raise_sizes=["3x"], max_bets=2), {"of": Preflop, "max_raises": 2}),
        (caps(FlopGame, max_bets=2), {"of": FlopGame, "max_raises": 1}),
        (caps(FlopHoldem, max_bets=(1, 2)), {"of": FlopHoldem, "max_raises": (1, 2)}),
        (caps(LimitHoldem, max_bets=(1, 2, 3, 4)), {"of": LimitHoldem, "max_raises": (1, 2, 3, 4)}),
        (
            caps(LimitHoldem, max_bets_early=1, max_bets_late=2),
            {"of": LimitHoldem, "max_raises_early": 1, "max_raises_late": 2},
        ),
        (caps(NoLimitHoldem, max_bets=2), {"of": NoLimitHoldem, "max_raises_per_street": 2}),
    ],
)
def test_caps_under_their_old_names_mean_what_they_did(new: object, old: dict) -> None:
    model = old.pop("of")
    needed = {"stack_depth": 9, "raise_sizes": ["3x"]} if model is Preflop else {}
    assert caps(model, **needed, **old) == new


def test_the_old_cap_of_a_spot_does_not_count_the_first_bet() -> None:
    assert Betting(max_raises=2) == Betting(max_bets=3)
    assert Betting(max_raises=None) == Betting()
    assert Betting(max_raises=2, max_bets=3).max_bets == 3
    with pytest.raises(ValueError, match="max_bets = 2 and max_raises = 2 are both given and differ"):
        Betting(max_raises=2, max_bets=2)


def test_every_bet_counts_alike() -> None:
    """A cap of two: a bet and a raise after the flop, two raises before it."""

    def most(state: BettingState, menu) -> int:
        while larger := [action for action in menu(state) if action.amount > state.facing]:
            state = state.act(larger[0])
        return state.raises

    after = spot({"river": {"bet": "20%", "raise": "20%"}, "max_bets": 2})
    before = Preflop(stack_depth=100, raise_sizes=["2x"], max_bets=2)
    assert most(after.start(), after.menu) == most(before.start(), before.menu) == 2
    assert before.rules().first_street == PREFLOP
