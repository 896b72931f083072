"""Bets that are added and taken out at nodes: worked out by hand on one spot, and there and back for any of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout import Spot
from runout.errors import InputError
from runout.explorers.tree_editing import edited_spot, size_variants

SPOT: dict[str, Any] = {
    "board": "Td 9d 6h",
    "pot": 200,
    "stack": 900,
    "ranges": {"oop": "99+,AK", "ip": "JJ-44"},
    "betting": {"flop": {"bet": "75%", "raise": "60%"}, "turn": {"bet": "50%"}},
}


def actions(settings: dict[str, Any], line: str) -> list[str]:
    game = Spot(**settings).game()
    point = game.lines.at(line)
    return [game.lines.token(point, number) for number in range(len(point.menu))]


def test_a_size_is_added_and_another_one_taken_out() -> None:
    found = edited_spot(SPOT, [("x", "33%")], ["b150"])
    assert actions(SPOT, "") == ["x", "b150"]
    assert actions(found, "") == ["x"]
    assert actions(found, "x") == ["x", "b66", "b150"]  # a third of 200
    assert actions(found, "x-b66") == ["f", "c", "r265"]  # the sizes hold below: 66 + 60% of 200 + 2 * 66, halves up


def test_cards_of_an_address_do_not_matter() -> None:
    found = edited_spot(SPOT, [("x-x|2c|", "100%")])
    assert actions(found, "x-x|2c|") == ["x", "b100", "b200"]
    assert actions(found, "x-x|Ah|") == ["x", "b100", "b200"]
    assert actions(edited_spot(found, remove=["x-x|Kh|b100"]), "x-x|2c|") == ["x", "b200"]


def test_streets_that_were_left_out_keep_the_usual_sizes() -> None:
    found = edited_spot(SPOT, [("", "20%")])
    assert Spot(**found).betting.river == Spot(**SPOT).betting.river


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["", "x", "b150", "x-x|2c|"]), st.integers(10, 300))
def test_what_is_added_and_taken_out_again_leaves_the_tree_as_it_was(line: str, percent: int) -> None:
    added = edited_spot(SPOT, [(line, f"{percent}%")])
    new = [token for token in actions(added, line) if token not in actions(SPOT, line)]
    assert len(new) <= 1
    if new:
        join = "" if line.endswith("|") or not line else "-"
        back = edited_spot(added, remove=[f"{line}{join}{new[0]}"])
        assert (back["betting"]["lines"], back["betting"]["remove_lines"]) == ([], [])
        assert actions(back, line) == actions(SPOT, line)


def test_variants_have_one_size_each() -> None:
    found = size_variants(SPOT, "x", "25 75 75.1 a")
    assert [(one.size, one.token) for one in found] == [("25%", "b50"), ("75%", "b150"), ("a", "a")]  # 75.1% is 150 too
    for one in found:
        assert actions(one.spot, "x") == ["x", one.token]
        assert actions(one.spot, "") == ["x", "b150"]


@pytest.mark.parametrize(
    ("add", "remove", "why"),
    [
        ([("x", "2x")], [], "no bet yet to multiply"),
        ([("x-x", "33%")], [], "nobody acts"),
        ([("x", "big")], [], "unknown bet size"),
        ([("b900", "50%")], [], "b900"),
        ([], ["x"], "folds, calls and checks stay"),
        ([], [""], "folds, calls and checks stay"),
    ],
)
def test_what_cannot_be_is_refused(add: list[tuple[str, str]], remove: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        edited_spot(SPOT, add, remove)
    with pytest.raises(InputError, match="give 1 to"):
        size_variants(SPOT, "", "10 20 30 40 50 60 70 80 90")
