"""How far the work of a solve can be shared out: tasks, the longest, and the schedule of many threads, by arithmetic.

Nothing is timed but one thread, which says how long all of it takes. What a board costs is counted as the numbers that
are kept for it and all below it. Threads draw the boards of the second street in order; one walks the first street.
"""

from __future__ import annotations

import heapq
import signal
import time
from pathlib import Path

import numpy as np

from benchmarks.report import line
from runout.games.spot import Spot
from runout.solvers.auto import range_schedule
from runout.solvers.range_plan import storage_rows
from runout.solvers.ranges import RangeGame, RangeSolver

SPOTS = Path(__file__).parent.parent / "configs" / "spots"
THREADS = (2, 4, 8, 16, 32, 64)


def run(full: bool) -> None:
    """The turn and the community's benchmark; full: the large flops too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for name in ("turn", "community", *(("ah7h2h", "ks7h2d") if full else ())):
        _shares(name)


def _shares(name: str) -> None:
    game = RangeGame.of(Spot.load(SPOTS / f"{name}.yaml"))
    first, tasks = _work(game)
    everything = first + tasks.sum()
    print(f"{name}: {len(tasks)} tasks", flush=True)
    line("first street, longest task, of all work", f"{first / everything:.2%}, {tasks.max() / everything:.2%}")
    solver = RangeSolver(game, range_schedule("auto"), 1)
    solver.step(2)
    begun = time.perf_counter()
    solver.step(4)
    seconds = (time.perf_counter() - begun) / 4
    kept = 2 * 4 * everything / 1e9  # regrets and averages, float32
    for threads in THREADS:
        times = everything / (first + _longest(tasks, threads))
        speed = 2 * kept * times / seconds  # regrets read twice and written; averages every second time
        line(
            f"{threads} threads: times as fast as one, at best",
            f"{times:.1f} ({seconds / times * 1e3:.1f} ms an iteration, {speed:.0f} GB/s of memory)",
        )


def _work(game: RangeGame) -> tuple[float, np.ndarray]:
    """Numbers kept for the first street, and float64 [boards of the second street]: for each and all below it."""
    below = np.zeros(len(game.boards[-1].cards))
    for street in range(len(game.boards) - 1, 0, -1):
        boards, rows = game.boards[street], np.array(storage_rows(game.tree.streets[street]))
        below = below + (boards.tables.stride.T * rows).sum(axis=1)
        if street > 1:
            below = np.bincount(boards.parent, below, len(game.boards[street - 1].cards))
    rows = np.array(storage_rows(game.tree.streets[0]))
    return float((game.boards[0].tables.stride.T * rows).sum()), below


def _longest(tasks: np.ndarray, threads: int) -> float:
    """When the last thread is done, if each draws the next task as soon as it is free."""
    free = [0.0] * threads
    for task in tasks.tolist():
        heapq.heapreplace(free, free[0] + task)
    return max(free)
