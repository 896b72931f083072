"""Sizes that nobody can ever bet are found, and only those: the tree without them is the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.games.holdem import NoLimitHoldem
from runout.games.idle_sizes import idle_sizes
from runout.games.preflop import Preflop
from runout.games.spot import Spot

STREETS = ("flop", "turn", "river")
SIZES = st.sampled_from(["", "50%", "a", "33%, 100%"])


def _edges(spot: Spot) -> int:
    return sum(street.edges for street in spot.tree().streets)


def _without(betting: dict[str, Any], setting: str) -> dict[str, Any]:
    _, street, *place = setting.split(".")
    sizes = {**betting[street]}
    if len(place) == 2:
        sizes[place[0]] = {**sizes[place[0]], place[1]: ""}
    else:
        sizes[place[0]] = ""
    return {**betting, street: sizes}


@settings(max_examples=40, deadline=None)
@given(
    board=st.sampled_from(["Qs Jh 2h", "Qs Jh 2h 3d", "Qs Jh 2h 3d 4c"]),
    stack=st.sampled_from([10, 60, 400]),
    cap=st.sampled_from([0, 1, 2]),
    sizes=st.tuples(*[st.tuples(SIZES, SIZES, SIZES)] * 3),
)
def test_a_list_is_idle_where_the_tree_without_it_is_the_same(
    board: str, stack: int, cap: int, sizes: tuple[tuple[str, str, str], ...]
) -> None:
    betting: dict[str, Any] = {"max_bets": cap}
    for street, (bet, raise_, own) in zip(STREETS, sizes, strict=True):
        betting[street] = {"bet": bet, "raise": raise_, "oop": {"raise": own}}
    spot = Spot.default(board=board, pot=100, stack=stack, betting=betting)
    idle = idle_sizes(spot)
    for street, name in (
        (street, name) for street in STREETS[spot.street - 1 :] for name in ("bet", "raise", "oop.raise")
    ):
        setting = f"betting.{street}.{name}"
        own = betting[street]["oop"]["raise"] if name == "oop.raise" else betting[street][name]
        less = Spot.default(board=board, pot=100, stack=stack, betting=_without(betting, setting))
        same = less.tree().nodes == spot.tree().nodes and _edges(less) == _edges(spot)
        assert (setting in idle) == (bool(own) and same), setting


def test_the_reason_is_told() -> None:
    spot = Spot.default(betting={"flop": {"bet": "50%", "raise": "60%"}, "max_bets": 1})
    assert idle_sizes(spot) == {"betting.flop.raise": "max_bets = 1 leaves no such raise on the flop"}
    assert idle_sizes(Spot.default(betting={"max_bets": 1})) == {}  # sizes that nobody gave


def test_raises_before_the_flop_after_the_last_one() -> None:
    lists = {"stack_depth": 100, "raise_sizes": [["2.5"], ["4x"], ["2.3x"], ["a"]], "all_in": False}
    assert Preflop(**lists).unused_sizes() == ()
    assert Preflop(**lists, max_bets=2).unused_sizes() == ("2.3x", "a")
    assert Preflop(stack_depth=20, raise_sizes=["2.5", "25"]).unused_sizes() == ("25",)
    game = {"preflop_raises": [[2.5], [4], [2.3]], "raise_sizes": [0.9], "stack_depth": 100}
    assert idle_sizes(NoLimitHoldem(**game, max_bets=(3, 2, 2, 2))) == {}
    found = idle_sizes(NoLimitHoldem(**game, max_bets=(2, 1, 1, 1)))
    assert set(found) == {"preflop_raises[2]", "raise_sizes"}


@pytest.mark.parametrize("board", ["", "Qs Jh 2h"])
def test_usual_games_have_no_idle_sizes(board: str) -> None:
    assert idle_sizes(NoLimitHoldem(stack_depth=20, raise_sizes=[0.7], turn_bet_sizes=[0.5], board=board)) == {}
