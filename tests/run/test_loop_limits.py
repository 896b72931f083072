"""The loop with what training adds: games that cannot be measured, saves by iteration, a time limit, metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runout.protocols import Event
from runout.run.loop import Job, Outcome, Stopping
from runout.run.loop import run as run_job
from runout.solutions.reached import Reached


class Counter:
    """A solver that only counts."""

    def __init__(self) -> None:
        self.iteration = 0

    def step(self, iterations: int) -> None:
        self.iteration += iterations

    def policy(self) -> Any:
        return None

    def memory(self) -> int:
        return 0

    def state(self) -> dict[str, np.ndarray]:
        return {}

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


def run(
    solver: Counter, measure: Any, stopping: Stopping, *heard: Any, metrics: Any = dict, output: Any = None
) -> Outcome:
    job = Job(solver, measure, Reached(unit="mA/g"), lambda reached: reached.bundle("counter", {}, {}), metrics)
    return run_job(job, stopping, *heard, output=output)


def test_what_cannot_be_measured_has_no_curve_and_no_target() -> None:
    events: list[Event] = []
    outcome = run(Counter(), lambda: None, Stopping(20, target=1.0, every=5), events.append)
    assert (outcome.reason, outcome.reached.exploitability, outcome.reached.curve) == ("iterations", None, [])
    assert [event.iteration for event in events if event.kind == "progress"] == [5, 10, 15, 20]


def test_saves_fall_on_their_iterations_and_on_the_last_one() -> None:
    solver, saved, measured = Counter(), [], []

    def measure() -> float:
        measured.append(solver.iteration)
        return 1.0

    run(
        solver,
        measure,
        Stopping(25, every=10, save_every=4),
        output=lambda bundle: saved.append(bundle.reached["iterations"]),
    )
    assert saved == [4, 8, 12, 16, 20, 24, 25]
    assert measured == [4, 8, 10, 12, 16, 20, 24, 25]


def test_no_saves_on_the_way_are_one_at_the_end() -> None:
    solver, saved = Counter(), []
    run(
        solver,
        lambda: 1.0,
        Stopping(25, every=10, save_every=0),
        output=lambda bundle: saved.append(bundle.reached["iterations"]),
    )
    assert saved == [25]


def test_the_time_limit_ends_the_run_after_an_iteration_at_least() -> None:
    solver = Counter()
    outcome = run(solver, lambda: 1.0, Stopping(10**9, every=10**9, seconds=1e-9))
    assert outcome.reason == "seconds"
    assert 0 < solver.iteration < 10**9


def test_metrics_come_with_every_event() -> None:
    events: list[Event] = []
    solver = Counter()
    run(solver, lambda: 1.0, Stopping(4, every=2), events.append, metrics=lambda: {"n": solver.iteration})
    assert [event.metrics for event in events] == [{"n": 2}, {"n": 4}, {"n": 4}]
