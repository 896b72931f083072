"""Strategies that are given hand by hand, as locks of a spot; and what a folder of solutions is said to hold."""

from __future__ import annotations

import pytest

from reference.web import RIVER
from runout.errors import InputError
from runout.explorers.locking import locked_spot
from runout.games.spot import Spot
from runout.run.postflop import solve


def test_hands_with_the_same_mix_share_a_lock() -> None:
    strategy = {"AKs": {"x": 1.0}, "*": {"x": 0.5, "b50": 0.5}, "QdQc": {"x": 1.0}}
    locked = locked_spot(RIVER, "", strategy)
    assert locked["locks"] == [
        {"line": "", "strategy": {"b50": 0.5, "x": 0.5}},
        {"line": "", "strategy": {"x": 1.0}, "hands": "AKs,QdQc"},
    ]
    again = locked_spot(locked, "x", {"*": {"x": 1.0}})
    assert len(again["locks"]) == 3
    assert "locks" not in RIVER


def test_a_locked_spot_plays_what_was_given() -> None:
    spot = Spot(**locked_spot(RIVER, "", {"*": {"x": 0.25, "b50": 0.75}, "AhKh": {"x": 1.0}}))
    root = solve(spot, target=2).root
    assert root.strategy("QdQc") == {"check": pytest.approx(0.25), "bet 50": pytest.approx(0.75)}
    assert root.strategy("AhKh")["check"] == pytest.approx(1)


def test_rounding_is_made_good_and_nothing_else() -> None:
    thirds = locked_spot(RIVER, "", {"*": {"x": 0.333, "b50": 0.666}})["locks"][0]["strategy"]
    assert sum(thirds.values()) == pytest.approx(1, abs=1e-12)
    for bad in ({"x": 0.5}, {"x": 1.5, "b50": -0.5}, {}):
        with pytest.raises(InputError, match="add up to"):
            locked_spot(RIVER, "", {"*": bad})
