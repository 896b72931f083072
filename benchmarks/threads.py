"""How far the work of a solve can be shared out: tasks, the longest, and the schedule of many threads, by arithmetic.

Nothing is timed but one thread, which says how long all of it takes. What a board costs is counted as the numbers that
are kept for it and all below it. Threads draw the boards of the second street in order, or from `MANY_THREADS` on first
parts of the boards below each and then these boards; one walks the first street.
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
from runout.solvers.range_memory import MANY_THREADS, PARTS
from runout.solvers.range_plan import storage_rows
from runout.solvers.ranges import RangeGame, RangeSolver

SPOTS = Path(__file__).parent.parent / "configs" / "spots"
THREADS = (2, 4, 8, 16, 32, 64)
ENTERED = 0.6  # of the work on a board: what is left to do when the boards below are done; a guess


def run(full: bool) -> None:
    """The turn and the community's benchmark; full: the large flops too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for name in ("turn", "community", *(("ah7h2h", "ks7h2d") if full else ())):
        _shares(name)


def _shares(name: str) -> None:
    game = RangeGame.of(Spot.load(SPOTS / f"{name}.yaml"))
    first, own, tasks = _work(game)
    everything = first + tasks.sum()
    parts = _parts(own, tasks, len(game.boards))
    print(f"{name}: {len(tasks)} tasks, of {MANY_THREADS} threads and more {len(parts)}", flush=True)
    longest = f"{tasks.max() / everything:.2%}, {parts.max() / everything:.2%}"
    line("first street, longest task, of all work", f"{first / everything:.2%}, {longest}")
    solver = RangeSolver(game, range_schedule("auto"), 1)
    solver.step(2)
    begun = time.perf_counter()
    solver.step(4)
    seconds = (time.perf_counter() - begun) / 4
    kept = 2 * 4 * everything / 1e9  # regrets and averages, float32
    for threads in THREADS:
        shared = threads >= MANY_THREADS and len(parts) > len(tasks)
        below = _longest(parts, threads) + _longest(own * ENTERED, threads) if shared else _longest(tasks, threads)
        times = everything / (first + below)
        speed = 2 * kept * times / seconds  # regrets read twice and written; averages every second time
        line(
            f"{threads} threads: times as fast as one, at best",
            f"{times:.1f} ({seconds / times * 1e3:.1f} ms an iteration, {speed:.0f} GB/s of memory)",
        )


def _work(game: RangeGame) -> tuple[float, np.ndarray, np.ndarray]:
    """Numbers kept for the first street; float64 [boards of the second street]: for each; and with all below it."""
    below = np.zeros(len(game.boards[-1].cards))
    own = below
    for street in range(len(game.boards) - 1, 0, -1):
        boards, rows = game.boards[street], np.array(storage_rows(game.tree.streets[street]))
        own = (boards.tables.stride.T * rows).sum(axis=1).astype(np.float64)
        below = below + own
        if street > 1:
            below = np.bincount(boards.parent, below, len(game.boards[street - 1].cards))
    rows = np.array(storage_rows(game.tree.streets[0]))
    return float((game.boards[0].tables.stride.T * rows).sum()), own, below


def _parts(own: np.ndarray, tasks: np.ndarray, streets: int) -> np.ndarray:
    """The tasks that many threads share: each board of the second street is entered for every part."""
    if streets < 3:
        return tasks
    return np.repeat((tasks - own) / PARTS + own * (1 - ENTERED), PARTS)


def _longest(tasks: np.ndarray, threads: int) -> float:
    """When the last thread is done, if each draws the next task as soon as it is free."""
    free = [0.0] * threads
    for task in tasks.tolist():
        heapq.heapreplace(free, free[0] + task)
    return max(free)
