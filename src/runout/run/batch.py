"""Solve many spots, one after the other or in several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from runout.cursors.spot_solution import SpotSolution
from runout.errors import InputError
from runout.games.spot import Spot
from runout.progress import Progress, listener
from runout.protocols import Event, Executor
from runout.run.executors import Processes
from runout.run.postflop import solve
from runout.solutions.format import Bundle
from runout.solutions.reached import OF_POT


def solve_many(
    spots: Iterable[Spot | str | Path],
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    progress: Progress = None,
    threads: int | None = None,
    storage: str | None = None,
    rivers: bool = True,
    workers: int = 1,
    executor: Executor | None = None,
) -> list[SpotSolution]:
    """Solve several postflop spots; the solutions come in the order of the spots, and each is what `solve` gives.

        sizes = ["33%", "50%", "75%"]
        solutions = runout.solve_many([spot.replace(flop_bet=size) for size in sizes], target=0.5, workers=2)

    Args:
        spots: the spots, or names of YAML files.
        target: stop each at this exploitability; see `solve`, also for `iterations`, `algorithm`, `threads`, `storage`.
        progress: True draws one line; a function hears an event whenever a spot is solved.
        rivers: False drops the last street of each solution, which takes much less memory. Rivers are solved again when
            they are looked at, and such a solution cannot be resumed.
        workers: processes to solve in, with one thread each; 1 solves here, with all threads. A script that uses more
            has to call this below `if __name__ == "__main__":`.
        executor: where to run instead, such as `runout.run.executors.Processes`.
    """
    if workers < 1:
        raise InputError(f"workers = {workers}: use 1 or more")
    chosen = [Spot.load(spot) if isinstance(spot, str | Path) else spot for spot in spots]
    tell = _teller(progress, len(chosen))
    settings: dict[str, Any] = {"target": target, "iterations": iterations, "algorithm": algorithm, "storage": storage}
    if executor is None and workers == 1:
        found = []
        for spot in chosen:
            solution = solve(spot, threads=threads, **settings)
            found.append(solution if rivers else SpotSolution.from_bundle(solution.bundle(rivers=False)))
            tell(solution.exploitability)
        return found
    if executor is None:
        executor, threads = Processes(workers), threads or 1
    task = partial(_solved, settings=settings, threads=threads, rivers=rivers)
    bundles = executor.map(task, chosen, lambda bundle: tell(float(bundle.reached["exploitability"])))
    return [SpotSolution.from_bundle(bundle, threads) for bundle in bundles]


def _solved(spot: Spot, settings: Mapping[str, Any], threads: int | None, rivers: bool) -> Bundle:
    """A task for an executor."""
    return solve(spot, threads=threads, **settings).bundle(rivers)


def _teller(progress: Progress, total: int) -> Callable[[float], None]:
    """Hears the exploitability of each spot that is solved, and tells of it as an event."""
    hear, begun, done = listener(progress), time.perf_counter(), 0

    def tell(exploitability: float) -> None:
        nonlocal done
        done += 1
        if hear is not None:
            elapsed = time.perf_counter() - begun
            kind, left = "done" if done == total else "progress", elapsed / done * (total - done)
            hear(Event(kind, done, exploitability, OF_POT, elapsed, left, total=total, counted="spots"))

    return tell
