import math
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout import files
from runout.errors import InputError
from runout.protocols import Event
from runout.run.loop import Job, Outcome, Stopping, _remaining, run
from runout.solutions.format import read_bundle
from runout.solutions.reached import Reached


class Countdown:
    """A solver whose exploitability after t iterations is 1 / t; `during` runs inside a step."""

    def __init__(self, during: Callable[[int], None] = lambda iteration: None) -> None:
        self.iteration = 0
        self.during = during
        self.steps: list[int] = []

    def step(self, iterations: int) -> None:
        self.steps.append(iterations)
        for _ in range(iterations):
            self.iteration += 1
            self.during(self.iteration)

    def exploitability(self) -> float:
        return 1 / self.iteration if self.iteration else 1.0

    def policy(self) -> Any:
        return None

    def memory(self) -> int:
        return 0

    def state(self) -> dict[str, np.ndarray]:
        return {"iteration": np.array(self.iteration)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = int(state["iteration"])


def job(solver: Countdown, reached: Reached | None = None) -> Job:
    return Job(
        solver,
        solver.exploitability,
        reached or Reached(unit="mA/g"),
        lambda reached: reached.bundle("countdown", {}, solver.state()),
    )


def start(solver: Countdown, stopping: Stopping, **options: Any) -> tuple[Outcome, list[Event]]:
    events: list[Event] = []
    return run(job(solver), stopping, events.append, **options), events


def test_early_points_are_measured_besides_the_regular_ones() -> None:
    outcome, _ = start(Countdown(), Stopping(250, every=100, early=(1, 2, 5, 50, 500)))
    assert [t for t, _ in outcome.reached.curve] == [1, 2, 5, 50, 100, 200, 250]


def test_stops_at_the_target_when_it_is_measured() -> None:
    outcome, events = start(Countdown(), Stopping(1000, target=0.03, every=10))
    assert (outcome.reason, outcome.reached.iterations, outcome.reached.exploitability) == ("target", 40, 1 / 40)
    assert outcome.reached.curve == [(t, 1 / t) for t in (10, 20, 30, 40)]
    assert [event.kind for event in events] == ["progress"] * 4 + ["done"]
    assert {event.unit for event in events} == {"mA/g"}


def test_stops_at_the_iteration_limit_and_measures_there() -> None:
    solver = Countdown()
    outcome, _ = start(solver, Stopping(25, target=1e-9, every=10))
    assert (outcome.reason, outcome.reached.iterations) == ("iterations", 25)
    assert sum(solver.steps) == 25
    assert outcome.reached.curve == [(t, 1 / t) for t in (10, 20, 25)]


def test_no_iterations_at_all_still_measure_once() -> None:
    outcome, _ = start(Countdown(), Stopping(0))
    assert (outcome.reason, outcome.reached.iterations, outcome.reached.curve) == ("iterations", 0, [(0, 1.0)])


def test_a_restored_solver_goes_on_to_the_same_points() -> None:
    whole, _ = start(Countdown(), Stopping(50, every=10))
    first, second = Countdown(), Countdown()
    start(first, Stopping(23, every=10))
    second.restore(first.state())
    rest, _ = start(second, Stopping(50, every=10))
    assert rest.reached.curve == whole.reached.curve[2:]
    assert rest.reached.iterations == 50


def test_a_run_that_is_continued_keeps_its_seconds_and_curve_and_measures_no_iteration_twice() -> None:
    first = Countdown()
    part, _ = start(first, Stopping(20, every=10))
    again, events = start(first, Stopping(20, every=10))  # nothing left to do: measured once
    assert again.reached.curve == [(20, 1 / 20)]
    whole = run(job(first, part.reached), Stopping(40, every=10), events.append).reached
    assert whole.curve == [(t, 1 / t) for t in (10, 20, 30, 40)]
    assert part.reached.curve == [(10, 1 / 10), (20, 1 / 20)]  # records of earlier runs stay as they are
    assert whole.seconds >= part.reached.seconds
    assert events[-1].seconds == whole.seconds
    same = run(job(first, whole), Stopping(40, every=10)).reached
    assert (same.curve, same.seconds, same.iterations) == (whole.curve, whole.seconds, 40)


def test_what_was_reached_is_saved_and_read_back(tmp_path: Path) -> None:
    outcome, _ = start(Countdown(), Stopping(30, every=10), output=tmp_path / "run")
    assert Reached.of(read_bundle(tmp_path / "run")) == outcome.reached


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_after_the_step_under_way_with_everything_saved(number: signal.Signals) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("this process was told to ignore the signal, as nohup tells it")
    before = signal.getsignal(number)
    solver = Countdown(lambda iteration: os.kill(os.getpid(), number) if iteration == 13 else None)
    saved: list[int] = []
    outcome, events = start(
        solver, Stopping(1000, every=10), output=lambda bundle: saved.append(bundle.reached["iterations"])
    )
    assert outcome.reason == "interrupted"
    assert 13 <= outcome.reached.iterations <= 20
    assert saved == [outcome.reached.iterations] == [outcome.reached.curve[-1][0]]
    assert [event.kind for event in events] == ["progress", "progress", "saved", "interrupted"]
    assert events[-1].note == number.name
    assert signal.getsignal(number) is before


def test_the_caller_can_interrupt_and_other_threads_need_no_signals() -> None:
    outcomes: list[Outcome] = []
    solver = Countdown()

    def work() -> None:
        outcomes.append(start(solver, Stopping(1000, every=10), interrupted=lambda: solver.iteration >= 30)[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert (outcomes[0].reason, outcomes[0].reached.iterations) == ("interrupted", 30)


def test_saves_on_the_way_and_at_the_end() -> None:
    solver = Countdown()
    saved: list[int] = []
    start(
        solver,
        Stopping(30, every=10, save_seconds=0),
        output=lambda bundle: saved.append(bundle.reached["iterations"]),
    )
    assert saved == [10, 20, 30]


def test_signal_handlers_come_back_after_an_error() -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError):
        start(Countdown(fail), Stopping(10))
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": -1}, "iterations = -1: use 0 or more"),
        ({"iterations": 1, "every": 0}, "measuring every 0 iterations: use 1 or more"),
        ({"iterations": 1, "target": -0.1}, "target = -0.1: use a number of 0 or more"),
        ({"iterations": 1, "target": math.nan}, "target = nan"),
        ({"iterations": 1, "target": math.inf}, "target = inf"),
    ],
)
def test_bad_stopping_rules(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Stopping(**options)


def test_time_left_follows_the_pace_or_the_curve() -> None:
    curve = [(t, 1 / t) for t in (10, 20, 30, 40)]
    assert _remaining(curve, Stopping(100), 4.0, 40, 0) == pytest.approx(6.0)
    assert _remaining(curve, Stopping(1000, target=1 / 80), 4.0, 40, 0) == pytest.approx(4.0)  # 1 / t: 40 more
    assert _remaining(curve, Stopping(1000, target=0.5), 4.0, 40, 0) == 0
    assert _remaining([], Stopping(100), 0.0, 7, 7) is None


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=8), st.floats(0, 10))
def test_time_left_never_fails(values: list[float], target: float) -> None:
    curve = [(10 * (i + 1), value) for i, value in enumerate(values)]
    left = _remaining(curve, Stopping(1000, target=target), 1.0, curve[-1][0], 0)
    assert left is None or 0 <= left < math.inf


def test_time_left_on_a_flat_curve() -> None:
    just_below = math.nextafter(2.0, 0)
    curve = [(10, 3.0), (20, 2.0), (30, 2.0), (40, just_below)]
    assert _remaining(curve, Stopping(1000, target=0.1), 4.0, 40, 0) == pytest.approx(96.0)  # what iterations leave


def test_no_time_left_is_told_from_a_few_measurements_and_noise_does_not_swing_it() -> None:
    assert _remaining([(1, 90.0)], Stopping(1000, target=0.3), 30.0, 1, 0) is None  # it was 'about 9 hours left'
    noise = (1.1, 0.9, 1.05, 0.95)
    curve = [(t, noise[t // 10 % 4] / t) for t in range(10, 210, 10)]
    told = []
    for upto in range(8, 21):
        left = _remaining(
            curve[:upto], Stopping(10**6, target=1 / 1000), float(curve[upto - 1][0]), curve[upto - 1][0], 0
        )
        assert left is not None
        told.append(left + curve[upto - 1][0])
    assert max(told) / min(told) < 2.5  # the end is at 1000


def test_a_save_that_fails_is_told_and_kept_elsewhere_and_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    full = [True]
    exchange = files.flush_names

    def no_room(folder: Path) -> None:
        if full[0] and folder == tmp_path / "disk":
            raise OSError(28, "No space left on device")
        exchange(folder)

    monkeypatch.setattr(files, "flush_names", no_room)
    solver = Countdown()
    outcome, events = start(solver, Stopping(30, every=10, save_seconds=0), output=tmp_path / "disk" / "run")
    assert outcome.reached.iterations == 30
    failed = [event.note for event in events if event.kind == "save failed"]
    assert len(failed) == 3
    assert outcome.rescued is not None
    assert f"No space left on device; saved to {outcome.rescued} instead" in failed[-1]
    assert read_bundle(outcome.rescued).reached["iterations"] == 30

    solver.during = lambda iteration: full.__setitem__(0, iteration < 45)
    outcome, events = start(solver, Stopping(50, every=10, save_seconds=0), output=tmp_path / "disk" / "run")
    assert [event.kind for event in events if "save" in event.kind] == ["save failed", "saved"]
    assert outcome.rescued is None
    assert len(list((tmp_path / "temporary").iterdir())) == 1, "what the second run put there is taken away again"


def test_a_run_that_has_its_target_already_is_left_as_it_is(tmp_path: Path) -> None:
    solver = Countdown()
    outcome, _ = start(solver, Stopping(100, target=0.02, every=10), output=tmp_path / "run")
    before = (tmp_path / "run" / "meta.json").stat().st_mtime_ns
    events: list[Event] = []
    again = run(job(solver, outcome.reached), Stopping(200, target=0.02, every=10), events.append, tmp_path / "run")
    assert (again.reason, solver.iteration) == ("target", 50)
    assert (tmp_path / "run" / "meta.json").stat().st_mtime_ns == before
    run(job(solver, outcome.reached), Stopping(200, target=0.02, every=10), None, tmp_path / "copy")
    assert read_bundle(tmp_path / "copy").reached["iterations"] == 50
