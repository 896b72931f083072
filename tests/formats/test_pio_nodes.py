"""PioSOLVER's names and numbers of lines: examples, and trees built from their own printed lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout import Spot
from runout.errors import InputError
from runout.formats.pio_nodes import (
    betting_by_lines,
    edge_names,
    line_numbers,
    line_text,
    node_name,
    point_at,
    tree_numbers,
)
from runout.games.betting import Rules, start
from runout.games.tree import BettingTree, StreetTree

BOARDS = ("Qs Jh 2h", "Qs Jh 2h 7c", "Qs Jh 2h 7c 3d")
RANGES = {"oop": "AA,KQs", "ip": "QQ,AKs"}
NO_SIZES: dict[str, Any] = {"flop": {}, "turn": {}, "river": {}}


def spot(board: str, pot: int, stack: int, **betting: Any) -> Spot:
    return Spot(board=board, pot=pot, stack=stack, ranges=RANGES, betting=betting)


def same(one: BettingTree, other: BettingTree) -> bool:
    """Whether two trees are equal array by array."""
    fields = [name for name in StreetTree.__dataclass_fields__ if name != "street"]
    pairs = zip(one.streets, other.streets, strict=True)
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b in pairs for name in fields)


sizes = st.sampled_from(["", "33%", "50%, a", "75%, 150%", "e", "2e, a", "13c", "100%"])
raises = st.sampled_from(["", "60%", "2.5x", "45%, a", "100c"])
streets = st.fixed_dictionaries({"bet": sizes, "raise": raises, "donk": st.none() | sizes})


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    pot, stack = draw(st.integers(2, 400)), draw(st.integers(1, 1500))
    board = draw(st.sampled_from(BOARDS))
    betting = {name: draw(streets) for name in ("flop", "turn", "river")}
    more = {"max_bets": draw(st.integers(1, 3)), "add_all_in": draw(st.sampled_from([0, 1.5])),
            "force_all_in": draw(st.sampled_from([0, 0.2])), "merge": draw(st.sampled_from([0, 0.1]))}  # fmt: skip
    return spot(board, pot, stack, **betting, **more)


@settings(max_examples=60, deadline=None)
@given(spots())
def test_a_tree_from_its_own_lines_is_the_same_tree(made: Spot) -> None:
    game = made.game()
    numbers = tree_numbers(game.start(), game.menu)
    lines = betting_by_lines(game.start(), numbers)
    again = spot(made.board, made.pot, made.stack, **NO_SIZES, lines=lines)
    assert same(again.tree(), made.tree())


@settings(max_examples=15, deadline=None)
@given(spots())
def test_a_tree_from_the_names_of_all_its_lines_is_the_same_tree(made: Spot) -> None:
    names = [name for street in edge_names(made.tree()) for name in street]
    if len(names) > 3000:
        return
    lines = betting_by_lines(made.game().start(), map(line_numbers, names))
    again = spot(made.board, made.pot, made.stack, **NO_SIZES, lines=lines)
    assert same(again.tree(), made.tree())


@settings(max_examples=30, deadline=None)
@given(spots(), st.data())
def test_a_name_leads_to_its_node_and_back(made: Spot, data: st.DataObject) -> None:
    lines = made.game().lines
    point = lines.root
    while point.kind != "terminal":
        if point.kind == "chance":
            card = data.draw(st.sampled_from([card for card in lines.deck if card not in point.board]))
            point = lines.deal(point, f"{'23456789TJQKA'[card // 4]}{'cdhs'[card % 4]}")
        else:
            number = data.draw(st.integers(0, len(point.menu) - 1))
            point = lines.play(point, lines.token(point, number))
        assert point_at(lines, node_name(point)).line == point.line


def test_the_examples_of_the_protocol() -> None:
    flop = start(Rules.postflop(40, 230, 1))
    assert line_text(flop, [0, 0, 0, 0, 0, 26, 230]) == "x-x|?|x-x|?|x-b26-a"
    assert line_text(flop, [12, 12, 12, 31, 72, 146, 230]) == "b12-c|?|x-b19-r60-r134-a"
    assert line_text(flop, [0, 0, 0, 0]) == ""
    assert line_numbers("r:0:c:c:b300:b850:c") == [0, 0, 300, 850, 850]
    lines = spot("Qs Jh 2h", 40, 230, **NO_SIZES, lines=["b12-c|?|x-b19-r60"]).game().lines
    assert point_at(lines, "r:0:b12:c:8h:c:b31:b72").line == "b12-c|8h|x-b19-r60"
    assert node_name(lines.at("b12-c|8h|x-b19-r60")) == "r:0:b12:c:8h:c:b31:b72"
    assert point_at(lines, "r") is point_at(lines, "r:0") is lines.root


@pytest.mark.parametrize(
    ("numbers", "word"),
    [([100, 50], "are in already"), ([500], "number 1"), ([0, 0, 0, 0, 0, 0, 0], "goes on after the end"),
     ([100, 120], "number 2")],
)  # fmt: skip
def test_numbers_that_cannot_be_played_are_named(numbers: list[int], word: str) -> None:
    with pytest.raises(InputError, match=word):
        line_text(start(Rules.postflop(40, 230, 1)), numbers)


@pytest.mark.parametrize("name", ["", "x", "r:1", "r:0:b", "r:0:c:c:c", "r:0:c:c:Qs", "r:0:f", "r:0:c:c:9h:b1"])
def test_names_of_nothing_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        point_at(spot("Qs Jh 2h", 40, 230, **NO_SIZES).game().lines, name)
