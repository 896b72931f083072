"""Views in big blinds and in % of the pot, worked out by hand from the chips."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from runout.errors import InputError
from runout.explorers import open_explorer
from runout.explorers.units import InUnits, in_units


@pytest.fixture(scope="module")
def view() -> runout.cursors.view.NodeView:  # type: ignore[name-defined]
    spot = runout.Spot(
        board="Qs Jh 2h 3c 7d",
        pot=100,
        stack=200,
        big_blind=4,
        ranges={"oop": "QQ+,AKs", "ip": "JJ-99,AQs"},
        betting={"river": {"bet": "50%", "raise": "60%"}},
    )
    return open_explorer(runout.solve(spot, iterations=20)).at("b50")


def test_big_blinds(view) -> None:  # type: ignore[no-untyped-def]
    found = in_units(view, "bb")
    assert (found.pot, found.to_call, found.stacks, found.unit) == (37.5, 12.5, (37.5, 50.0), "bb")
    assert [action.token for action in found.actions] == [action.token for action in view.actions]
    assert found.actions[2].name == f"raise to {float(view.actions[2].name.split()[-1]) / 4:g}"
    assert np.allclose(found.hands[1].ev * 4, view.hands[1].ev, equal_nan=True)
    assert [step.pot for step in found.strip] == [25.0, 37.5]


def test_shares_of_the_pot(view) -> None:  # type: ignore[no-untyped-def]
    found = in_units(view, "pot")
    assert (found.pot, found.unit) == (100, "% of pot")
    assert found.to_call == pytest.approx(100 / 3)
    assert found.strip[0].actions[1].name == "bet 50%"  # of the pot when it was made
    assert sum(found.evs) == pytest.approx(100)


def test_units_are_cycled_and_unknown_ones_refused(view) -> None:  # type: ignore[no-untyped-def]
    cycle = InUnits(None)  # type: ignore[arg-type]
    assert [cycle.next() for _ in range(3)] == ["bb", "pot", "own"]
    assert in_units(view, "own") is view
    with pytest.raises(InputError, match="unknown units"):
        in_units(view, "euros")
