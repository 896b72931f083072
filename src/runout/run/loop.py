"""The one loop: step, measure, save, stop.

1. step the solver by the number of iterations to the next point of the measuring schedule;
2. measure its exploitability and emit an event;
3. save when the time has come;
4. stop at the target, the iteration limit, the time limit or Ctrl-C, whichever comes first, and save once more.

A solver that is restored and run again goes on to the same numbers: nothing here depends on the clock but events.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import log

from runout.errors import InputError
from runout.protocols import Event, OnEvent, Solver


@dataclass(frozen=True, slots=True)
class Stopping:
    """When a run ends, and how often it looks."""

    iterations: int  # in all, those of an earlier run included
    target: float | None = None  # exploitability at which to stop, in the unit of the measure
    every: int = 10  # iterations between measurements; the last iteration is always measured
    early: tuple[int, ...] = ()  # further iterations to measure, for curves that start at the beginning
    save_seconds: float = 60.0  # seconds between saves of a run that saves
    save_every: int | None = None  # iterations between saves, instead; measured there too. 0: only at the end
    seconds: float | None = None  # of solving and measuring, after which to stop

    def __post_init__(self) -> None:
        if self.iterations < 0:
            raise InputError(f"iterations = {self.iterations}: use 0 or more")
        if self.every < 1:
            raise InputError(f"measuring every {self.every} iterations: use 1 or more")
        if self.target is not None and not 0 <= self.target < float("inf"):
            raise InputError(f"target = {self.target}: use a number of 0 or more")

    def due(self, iteration: int) -> int:
        """The next iteration to stop and look at."""
        periods = [period for period in (self.every, self.save_every) if period]
        points = [point for point in self.early if point > iteration]
        return min(self.iterations, *((iteration // period + 1) * period for period in periods), *points)

    def saves_at(self, iteration: int, since: float) -> bool:
        """Whether to save in the middle of a run, `since` seconds after the last time."""
        if self.save_every is None:
            return since > self.save_seconds
        return self.save_every > 0 and iteration % self.save_every == 0


_ANSWER = 0.5  # seconds within which Ctrl-C should be heard, where an iteration is not longer
_SILENCE = 1.0  # seconds after which a front end hears of iterations that are not measured


@dataclass(slots=True)
class Outcome:
    """How far a run is, and how it ended."""

    exploitability: float | None = None  # None when nothing was measured
    iterations: int = 0
    seconds: float = 0.0  # solving alone, without measuring or saving
    reason: str = "iterations"  # "target", "iterations", "seconds", "interrupted"
    curve: list[tuple[int, float]] = field(default_factory=list)  # (iteration, exploitability)


def run(
    solver: Solver,
    measure: Callable[[], float | None],
    stopping: Stopping,
    unit: str,
    on_event: OnEvent | None = None,
    save: Callable[[], None] | None = None,
    interrupted: Callable[[], bool] | None = None,
    outcome: Outcome | None = None,
    metrics: Callable[[], Mapping[str, float]] | None = None,
) -> Outcome:
    """Run `solver` until `stopping` says so; Ctrl-C ends the run after the iterations under way, with all saved.

    `outcome` is filled on the way, so that `measure` and `save` can say how far the run is. Where a game is too large
    to measure, `measure` gives None. `metrics` are passed on with events.
    """
    started = saved = told = time.perf_counter()
    outcome = outcome or Outcome()

    def emit(kind: str) -> None:
        nonlocal told
        told = time.perf_counter()
        if on_event is not None:
            elapsed = told - started
            left = _remaining(outcome.curve, stopping, elapsed, solver.iteration, first)
            said = metrics() if metrics is not None else {}
            on_event(Event(kind, solver.iteration, outcome.exploitability, unit, elapsed, left, said))

    def late() -> bool:
        return stopping.seconds is not None and time.perf_counter() - started >= stopping.seconds

    first, stride = solver.iteration, 1
    with _interrupts() as stopped:
        halt = stopped if interrupted is None else (lambda: stopped() or interrupted())
        while True:
            due = stopping.due(solver.iteration)
            while solver.iteration < due and not (outcome.seconds and (halt() or late())):
                begun, batch = time.perf_counter(), min(stride, due - solver.iteration)
                solver.step(batch)
                outcome.seconds += (took := time.perf_counter() - begun)
                if took < _ANSWER / 2 and batch == stride:
                    stride *= 2
                elif took > _ANSWER:
                    stride = max(1, stride // 2)
                if solver.iteration < due and time.perf_counter() - told > _SILENCE:
                    emit("step")
            outcome.iterations = solver.iteration
            outcome.exploitability = measure()
            found = outcome.exploitability
            if found is not None:
                outcome.curve.append((solver.iteration, found))
            emit("progress")
            if stopping.target is not None and found is not None and found <= stopping.target:
                outcome.reason = "target"
            elif solver.iteration < stopping.iterations:
                if not (halt() or late()):
                    if save is not None and stopping.saves_at(solver.iteration, time.perf_counter() - saved):
                        save()
                        saved = time.perf_counter()
                        emit("saved")
                    continue
                outcome.reason = "interrupted" if halt() else "seconds"
            break
        if save is not None:
            save()
            emit("saved")
    emit("interrupted" if outcome.reason == "interrupted" else "done")
    return outcome


def _remaining(
    curve: list[tuple[int, float]], stopping: Stopping, elapsed: float, iteration: int, first: int
) -> float | None:
    """Seconds to the end, going by the pace so far and, for a target, a power law through the recent curve."""
    if iteration == first:
        return None
    pace = elapsed / (iteration - first)
    left = float(max(0, stopping.iterations - iteration))
    if stopping.seconds is not None:
        left = min(left, max(0.0, stopping.seconds - elapsed) / pace if pace > 0 else 0.0)
    if stopping.target and len(curve) >= 3:
        (t0, e0), (t1, e1) = curve[len(curve) // 2], curve[-1]
        if e1 <= stopping.target:
            left = 0.0
        elif 0 < t0 < t1 and e0 / e1 > 1:
            power = log(e0 / e1) / log(t1 / t0)
            left = min(left, t1 * (min((e1 / stopping.target), 1e6) ** min(1 / power, 50) - 1))
    return left * pace


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM set a flag instead of raising, so that an iteration is never left half done."""
    flag = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield flag.is_set
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: flag.set()) for number in numbers]
    try:
        yield flag.is_set
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
