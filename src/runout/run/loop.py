"""The one loop: step, measure, save, stop.

1. step the solver by the number of iterations to the next point of the measuring schedule;
2. measure its exploitability and emit an event;
3. save when the time has come;
4. stop at the target, the iteration limit, the time limit or Ctrl-C, whichever comes first, and save once more.

A save that fails is told, put in a second place, tried again with the next one, and never ends the run.

Iterations, seconds and the curve are kept here and nowhere else. A solver that is restored and run again comes to the
same numbers: nothing here depends on the clock but events.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

from runout.errors import InputError, SolutionError
from runout.progress import Progress, listener
from runout.protocols import Event, OnEvent, Solver
from runout.solutions.format import Bundle, read_meta, write_bundle
from runout.solutions.output import Output, SecondPlace, held
from runout.solutions.reached import Reached


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
        if not 0 <= self.save_seconds < float("inf"):
            raise InputError(f"saving every {self.save_seconds} seconds: use a number of 0 or more")

    def due(self, iteration: int) -> int:
        """The next iteration to stop and look at."""
        periods = [period for period in (self.every, self.save_every) if period]
        points = [point for point in self.early if point > iteration]
        return min(self.iterations, *((iteration // period + 1) * period for period in periods), *points)

    def saves_at(self, iteration: int, since: float) -> bool:
        """Whether to save in the middle of a run, `since` seconds after the last time."""
        if self.save_every is None:
            return since >= self.save_seconds
        return self.save_every > 0 and iteration % self.save_every == 0


_ANSWER = 0.5  # seconds within which Ctrl-C should be heard, where an iteration is not longer
_SILENCE = 1.0  # seconds after which a front end hears of iterations that are not measured


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be run."""

    solver: Solver
    measure: Callable[[], float | None]  # exploitability in the unit of `reached`; None where the game is too large
    reached: Reached  # before this run: unit and algorithm at least
    bundle: Callable[[Reached], Bundle]  # the file to save once the run has reached this
    metrics: Callable[[], Mapping[str, float]] = dict  # what else the solver says of itself, passed on with events
    size: int = 0  # bytes that a save takes, about


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    reached: Reached  # earlier runs that it continues included
    reason: str  # "target", "iterations", "seconds", "interrupted"
    rescued: Path | None = None  # where the result is, because it could not be saved where it should be


def run(
    job: Job,
    stopping: Stopping,
    progress: Progress = None,
    output: str | Path | Output | Callable[[Bundle], None] | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Outcome:
    """Run a job until `stopping` says so; Ctrl-C ends the run after the iterations under way, with all saved.

    `output` is a directory to save to, or something that saves a bundle; `interrupted` is asked between
    steps whether to stop.
    """
    with nullcontext(output) if callable(output) else held(output) as place:
        if isinstance(place, Output):
            place.require_room(job.size)
        return _run(job, stopping, listener(progress), place, interrupted)


def _run(
    job: Job,
    stopping: Stopping,
    hear: OnEvent | None,
    output: Output | Callable[[Bundle], None] | None,
    interrupted: Callable[[], bool] | None,
) -> Outcome:
    solver, reached = job.solver, replace(job.reached, curve=list(job.reached.curve))
    started = saved = told = time.perf_counter()
    first, stride, spent = solver.iteration, 1, 0.0

    second = SecondPlace(output.place.name if isinstance(output, Output) else "run")

    def emit(kind: str, note: str = "") -> None:
        nonlocal told
        told = time.perf_counter()
        if hear is not None:
            elapsed, at = told - started, solver.iteration
            left = _remaining(reached.curve, stopping, elapsed, at, first)
            found, seconds = reached.exploitability, job.reached.seconds + spent
            hear(Event(kind, at, found, reached.unit, elapsed, left, job.metrics(), seconds, note))

    def save() -> None:
        nonlocal saved
        if output is None:
            return
        try:
            bundle = job.bundle(reached)
        except (SolutionError, OSError) as error:  # parts that are written elsewhere: no room there
            emit("save failed", f"{error}; what was saved before is kept")
            saved = time.perf_counter()
            return
        try:
            if isinstance(output, Output):
                write_bundle(output, bundle)
            else:
                output(bundle)
        except (SolutionError, InputError, OSError) as error:  # no room, no permission, a disk that is gone
            kept = second.save(lambda place: write_bundle(place, bundle))
            instead = "nothing could be saved elsewhere" if kept is None else f"saved to {kept} instead"
            emit("save failed", f"{error}; {instead}")
        else:
            second.clear()
            emit("saved", str(output.path) if isinstance(output, Output) else "")
        saved = time.perf_counter()

    def late() -> bool:
        return stopping.seconds is not None and time.perf_counter() - started >= stopping.seconds

    with _interrupts() as stopped:

        def halt() -> bool:
            return bool(stopped()) or (interrupted is not None and interrupted())

        reason = "target" if first and _met(job.reached, stopping) else ""  # there already: nothing is done
        while not reason:
            due = stopping.due(solver.iteration)
            while solver.iteration < due and not (spent and (halt() or late())):
                begun, batch = time.perf_counter(), min(stride, due - solver.iteration)
                solver.step(batch)
                spent += (took := time.perf_counter() - begun)
                if took < _ANSWER / 2 and batch == stride:
                    stride *= 2
                elif took > _ANSWER:
                    stride = max(1, stride // 2)
                if solver.iteration < due and time.perf_counter() - told > _SILENCE:
                    emit("step")
            reached = _measured(reached, solver.iteration, job.reached.seconds + spent, job.measure())
            emit("progress")
            if _met(reached, stopping):
                reason = "target"
            elif solver.iteration >= stopping.iterations:
                reason = "iterations"
            elif halt() or late():
                reason = "interrupted" if halt() else "seconds"
            elif stopping.saves_at(solver.iteration, time.perf_counter() - saved):
                save()
        if solver.iteration > first or not _holds(output, reached):
            save()
    emit("interrupted", stopped()) if reason == "interrupted" else emit("done", reason)
    return Outcome(reached, reason, second.kept)


def _met(reached: Reached, stopping: Stopping) -> bool:
    found = reached.exploitability
    return stopping.target is not None and found is not None and found <= stopping.target


def _holds(output: Output | Callable[[Bundle], None] | None, reached: Reached) -> bool:
    """Whether a directory has a run that is as far: one that was only taken up to be looked at is not written again."""
    if not isinstance(output, Output):
        return False
    try:
        held = read_meta(output.place)["reached"]
    except SolutionError:
        return False
    return bool(reached.iterations and held.get("iterations") == reached.iterations)


def _measured(before: Reached, iterations: int, seconds: float, found: float | None) -> Reached:
    """What is reached after a measurement; the curve grows in place and has one point an iteration."""
    curve = before.curve
    if found is not None:
        if curve and curve[-1][0] == iterations:
            curve.pop()
        curve.append((iterations, found))
    return replace(before, iterations=iterations, seconds=seconds, exploitability=found)


_ENOUGH = 4  # measurements before a time left is told


def _remaining(
    curve: list[tuple[int, float]], stopping: Stopping, elapsed: float, iteration: int, first: int
) -> float | None:
    """Seconds to the end, going by the pace so far and, for a target, a power law through the later half of the curve;
    None while there is too little to go by."""
    if iteration == first:
        return None
    pace = elapsed / (iteration - first)
    left = float(max(0, stopping.iterations - iteration))
    if stopping.seconds is not None:
        left = min(left, max(0.0, stopping.seconds - elapsed) / pace if pace > 0 else 0.0)
    if stopping.target:
        known = [(t, e) for t, e in curve if t > 0 and e > 0]
        if known and known[-1][1] <= stopping.target:
            return 0.0
        if len(known) < _ENOUGH:
            return None
        power = _falling(known[len(known) // 2 - 1 :])
        if power > 0:
            (t1, e1) = known[-1]
            left = min(left, t1 * (min(e1 / stopping.target, 1e6) ** min(1 / power, 50) - 1))
    return left * pace


def _falling(curve: list[tuple[int, float]]) -> float:
    """The power k of the law e ~ t**-k that fits a curve best; 0 where it does not fall."""
    xs, ys = [log(t) for t, _ in curve], [log(e) for _, e in curve]
    middle, level = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    return max(0.0, -sum((x - middle) * (y - level) for x, y in zip(xs, ys, strict=True)) / spread) if spread else 0.0


@contextmanager
def _interrupts() -> Iterator[Callable[[], str]]:
    """Ctrl-C, SIGTERM and a terminal that goes away are noted instead of raised, so that no iteration is half done.

    Gives the name of the signal that came first, "" before one has.
    """
    came: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: ""
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if numbers[2:] and signal.getsignal(numbers[2]) is signal.SIG_IGN:
        numbers.pop()  # nohup: the run outlives its terminal
    before = [signal.signal(number, lambda number, _: came.append(signal.Signals(number).name)) for number in numbers]
    try:
        yield lambda: came[0] if came else ""
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
