"""Spots looked over before they are solved: bad parts by place, and the sizes that a solve really has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.spots import published
from runout.cards.hands import combo_name
from runout.errors import InputError
from runout.games.spot import Spot, default_settings, example_spots
from runout.run.spot_check import MOST_LOCKS, check_spot
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame


def settings_of(spot: Spot) -> dict[str, Any]:
    return spot.model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.mark.parametrize("name", ["river", "turn", "turn-donk", "community"])
def test_memory_and_size_are_those_of_the_game(name: str) -> None:
    spot = published(name)
    found = check_spot(settings_of(spot))
    game = RangeGame.of(spot)
    full = estimate(game.tree, game.boards)
    assert found.spot == spot
    assert found.nodes == spot.tree().nodes
    for storage, said in (("float32", found.float32), ("int16", found.int16)):
        assert 0.95 * full.bytes(storage) <= said <= full.bytes(storage)  # tables of run-outs are left out
    assert found.actions == tuple(game.tree.action_names(0, 0))


def test_examples_are_sound() -> None:
    for name, example in example_spots().items():
        found = check_spot(example)
        assert not found.problems, name
        assert found.fits, name


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"board": "Ah Ah 2c"}, "board"),
        ({"pot": 0}, "pot"),
        ({"stack": 10**10}, "stack"),
        ({"solve": {"algorithm": "magic"}}, "solve.algorithm"),
        ({"ranges": {"oop": "AA"}}, "ranges.ip"),
        ({"betting": {"turn": {"raise": "0.5q"}}}, "betting.turn.raise"),
        ({"locks": [{"line": "x", "strategy": {"x": 0.4}}]}, "locks.0"),
        (
            {"locks": [{"line": "x", "strategy": {"x": 1}, "hands": combo_name(i)} for i in range(MOST_LOCKS + 1)]},
            "locks",
        ),
        ({"locks": [{"line": "x-x", "strategy": {"x": 1}}]}, "locks.0"),
        ({"solve": {"unit": "mbb"}, "big_blind": None}, ""),
    ],
)
def test_problems_are_named_where_they_are(change: dict[str, Any], field: str) -> None:
    found = check_spot(default_settings() | change)
    assert [problem.field for problem in found.problems] == [field]
    assert found.problems[0].message
    assert "\n" not in found.problems[0].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted([*default_settings(), "rake", "solve", "locks", "spr"])), JSON)
def test_anything_is_answered_as_the_spot_itself_answers(key: str, value: Any) -> None:
    given_ = {**default_settings(), key: value}
    found = check_spot(given_)
    try:
        spot: Spot | None = Spot(**given_)
    except InputError:
        spot = None
    if spot is None:
        assert found.problems
    elif not found.problems:
        assert found.spot == spot


def test_a_tree_without_end_is_given_up() -> None:
    sizes = {"bet": "10%, 20%, 30%, 40%, 50%", "raise": "2x, 3x, 4x"}
    betting = dict.fromkeys(("flop", "turn", "river"), sizes)
    found = check_spot(default_settings() | {"stack": 10**8, "betting": betting})
    assert [problem.field for problem in found.problems] == ["betting"]
    assert "50,000 nodes" in found.problems[0].message
