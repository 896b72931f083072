"""The solve under way: a thread that can be stopped at once and that lets readers in between two steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from runout.cursors.spot_solution import SpotSolution
from runout.errors import InputError, RunoutError
from runout.protocols import Event
from runout.run.postflop import solve
from runout.solvers.assessment import Assessment
from runout.solvers.range_values import assess_ranges

ENDINGS = {
    "target": "required accuracy reached",
    "iterations": "number of steps reached",
    "seconds": "time limit reached",
    "requested": "requested",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """When a solve ends by itself."""

    target: float  # exploitability, in % of the pot
    iterations: int  # in all
    seconds: float | None = None


class Turnstile:
    """One thread computes, another is let in between two steps of it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy, self._readers = False, 0

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Around all that the computing thread does."""
        self._take()
        try:
            yield
        finally:
            self._leave()

    def pause(self) -> None:
        """Between two steps: whoever waits is let in."""
        if self._readers:
            self._leave()
            self._take()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around a look at what is computed."""
        with self._changed:
            self._readers += 1
            self._changed.wait_for(lambda: not self._busy)
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    def _take(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._readers)
            self._busy = True

    def _leave(self) -> None:
        with self._changed:
            self._busy = False
            self._changed.notify_all()


class Solving:
    """A solution and the thread that makes it better."""

    def __init__(self, solution: SpotSolution, report: Callable[[list[str]], None]) -> None:
        self.solution, self._report = solution, report
        self.gate = Turnstile()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._results: tuple[tuple[int, int], Assessment] | None = None
        self._begun: float | None = None  # of the solve under way

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether the end was asked for."""
        return self._stop.is_set()

    def prepare(self) -> None:
        """Wait for the end of a solve that was stopped; refused where one runs, or nothing can be solved."""
        if self.running:
            if not self.stopping:
                raise InputError("the solver is running: send stop first")
            self.wait()
        if self.solution.solver is None:
            raise InputError("the tree was loaded without rivers, so it cannot be solved further: build it again")

    def go(self, limits: Limits, every: int) -> None:
        """Solve on, with a report every so many iterations."""
        self._stop.clear()
        self._report(["SOLVER: started"])
        self._thread = threading.Thread(target=self._run, args=(limits, every), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask for the end; it comes with the iteration under way."""
        self._stop.set()

    def wait(self) -> None:
        """Until the solver has ended."""
        if self._thread is not None:
            self._thread.join()

    def end(self) -> None:
        """Stop and wait."""
        self.stop()
        self.wait()

    def changed(self) -> None:
        """A strategy was given: what was measured before is of another game."""
        self.solution = replace(self.solution, reached=replace(self.solution.reached, exploitability=None))

    def results(self) -> Assessment:
        """EVs and best responses of both players, in chips over half of the pot; kept until the solver moves on."""
        solver = self.solution.solver
        if solver is None:
            raise InputError("the tree was loaded without rivers, so results cannot be computed")
        if self._results is None or self._results[0] != solver.version:
            self._results = solver.version, assess_ranges(solver)
        return self._results[1]

    @property
    def seconds(self) -> float:
        """Of solving, so far."""
        begun = self._begun
        return self.solution.seconds + (0.0 if begun is None else time.perf_counter() - begun)

    def result_lines(self) -> list[str]:
        """The six lines of a report."""
        found, half = self.results(), self.solution.spot.pot / 2
        return [
            f"running time: {self.seconds:.3f}",
            f"EV OOP: {found.values[0] + half:.6f}",
            f"EV IP: {found.values[1] + half:.6f}",
            f"OOP's MES: {found.best_responses[0] + half:.6f}",
            f"IP's MES: {found.best_responses[1] + half:.6f}",
            f"Exploitable for: {max(found.exploitability, 0.0):.6f}",
        ]

    def _run(self, limits: Limits, every: int) -> None:
        self._begun = begun = time.perf_counter()
        ending, told = "requested", self.solution.iterations

        def enough() -> bool:
            self.gate.pause()
            late = limits.seconds is not None and time.perf_counter() - begun >= limits.seconds
            return late or self._stop.is_set()

        def hear(event: Event) -> None:
            nonlocal ending, told
            if event.kind == "progress" and event.iteration - told >= every:
                told = event.iteration
                self._report(["SOLVER:", *self.result_lines(), "END"])
            elif event.kind == "done":
                ending = event.note
            elif event.kind == "interrupted":
                ending = "requested" if self._stop.is_set() else "seconds"

        try:
            with self.gate.computing():
                self.solution = solve(
                    self.solution.spot,
                    target=limits.target,
                    iterations=limits.iterations,
                    resume=self.solution,
                    progress=hear,
                    interrupted=enough,
                )
                self._begun = None
                self._report(["SOLVER:", *self.result_lines(), "END"])
            why = ENDINGS[ending]
        except (RunoutError, MemoryError) as error:
            why = " ".join(str(error).split()) or "memory ran out"
        except Exception as error:  # a client that waits for the end must hear of it
            why = f"internal error: {error!r}"
        self._begun = None
        self._report([f"SOLVER: stopped ({why})"])
