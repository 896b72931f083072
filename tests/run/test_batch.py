"""Many spots give what each gives alone, wherever they are solved."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from runout.errors import InputError
from runout.run.executors import Serial

SPOT = runout.Spot(
    board="Td 9d 6h Qc 2h",
    pot=100,
    stack=150,
    ranges={"oop": "99+,AJs,KJs", "ip": "TT-88,AQs,87s"},
    solve={"iterations": 20, "target": 0},
)
SPOTS = [SPOT, SPOT.replace(stack=60), SPOT.replace(river_bet="100%")]


def alike(first: runout.SpotSolution, second: runout.SpotSolution) -> bool:
    one, two = first.root.strategy(), second.root.strategy()
    return first.exploitability == second.exploitability and np.array_equal(one, two, equal_nan=True)


@pytest.fixture(scope="module")
def alone() -> list[runout.SpotSolution]:
    return [runout.solve(spot) for spot in SPOTS]


def test_they_come_in_order_and_are_what_each_is_alone(alone: list[runout.SpotSolution]) -> None:
    events: list[runout.Event] = []
    found = runout.solve_many(SPOTS, progress=events.append)
    assert all(map(alike, found, alone))
    assert not alike(found[0], found[1])
    assert [(event.kind, event.iteration, event.total) for event in events] == [
        ("progress", 1, 3), ("progress", 2, 3), ("done", 3, 3)
    ]  # fmt: skip


def test_other_executors_and_processes_give_the_same(alone: list[runout.SpotSolution]) -> None:
    assert all(map(alike, runout.solve_many(SPOTS, executor=Serial()), alone))
    events: list[runout.Event] = []
    found = runout.solve_many(SPOTS[:2], workers=2, progress=events.append)
    assert all(map(alike, found, alone[:2]))
    assert [event.exploitability for event in events] == [one.exploitability for one in alone[:2]]
    assert found[0].solver is not None


def test_settings_hold_for_all_of_them() -> None:
    found = runout.solve_many(SPOTS, iterations=10, algorithm="cfr+")
    assert [(one.iterations, one.algorithm) for one in found] == [(10, "cfr+")] * 3


def test_without_rivers_solutions_are_small() -> None:
    turn = SPOT.replace(board="Td 9d 6h Qc")
    (whole,), (small,) = runout.solve_many([turn]), runout.solve_many([turn], rivers=False)
    assert whole.rivers
    assert not small.rivers
    assert small.solver is None
    assert small.root.strategy("QQ") == pytest.approx(whole.root.strategy("QQ"), abs=1e-6)


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="workers = 0"):
        runout.solve_many(SPOTS, workers=0)
    assert runout.solve_many([]) == []
