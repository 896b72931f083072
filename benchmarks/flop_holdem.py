"""Flop Hold'em with the full deck: seconds an iteration, memory and its traffic, exploitability by time.

Exploitability is the mean over both players; published neural results on this game (37 to 78 mbb/hand) are summed over
both, so the sum stands beside it.
"""

from __future__ import annotations

import time

from benchmarks import machine
from benchmarks.report import line
from runout.games.flop_holdem import FlopHoldem
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver, range_game

GAME = FlopHoldem()
TARGETS = (50.0, 20.0, 10.0, 5.0)  # mbb/hand
MINUTES = (1, 2, 5, 10)
PACE = 10  # iterations that a pace is taken over
ALGORITHMS = ("auto", "dcfr(1.5,0,2)", "dcfr(1.5,0,5)", "dcfr+", "cfr+", "lcfr")


def run(full: bool) -> None:
    """Paces on one and two threads and seconds to 5 mbb/hand; full: schedules, and how far ten minutes get."""
    started = time.perf_counter()
    game = range_game(GAME)
    size = estimate(game.tree, game.boards)
    line("tables of 1,755 flops", f"{time.perf_counter() - started:.2f} s")
    line("memory as float32 (int16)", f"{size.bytes() / 1e9:.2f} GB ({size.bytes('int16') / 1e9:.2f})")
    _, copy = machine.calibrate()
    # Both players' sweeps together read the regrets three times and the averages once, and write each once.
    traffic = 6 * (size.bytes() - size.tables) / 2
    for threads, storage in ((1, "float32"), (2, "float32"), (2, "int16")):
        pace = _pace(RangeSolver(game, range_schedule("auto"), threads, storage))
        share = f", {traffic / pace / copy / 1e7:.0f}% of the copy speed" if storage == "float32" else ""
        line(f"an iteration, {threads} thread{'s'[: threads - 1]}, {storage}", f"{pace:.3f} s{share}")
    if full:
        for algorithm in ALGORITHMS:
            _after(game, algorithm, 100)
        _minutes(game)
    else:
        _targets(game)


def _pace(solver: RangeSolver) -> float:
    """Seconds an iteration, once memory has been touched."""
    solver.step(2)
    begun = time.perf_counter()
    solver.step(PACE)
    return (time.perf_counter() - begun) / PACE


def _targets(game: RangeGame) -> None:
    solver, seconds = RangeSolver(game, range_schedule("auto"), 2), 0.0
    for target in TARGETS:
        while (found := _mbb(solver)) > target:
            begun = time.perf_counter()
            solver.step(5)
            seconds += time.perf_counter() - begun
        line(f"to {target:g} mbb/hand, 2 threads", f"{seconds:.1f} s, {solver.iteration} iterations ({_both(found)})")


def _after(game: RangeGame, algorithm: str, iterations: int) -> None:
    solver = RangeSolver(game, range_schedule(algorithm), 2)
    solver.step(iterations)
    line(f"{solver.schedule} after {iterations} iterations", _both(_mbb(solver)))


def _minutes(game: RangeGame) -> None:
    solver, seconds = RangeSolver(game, range_schedule("auto"), 2), 0.0
    for minutes in MINUTES:
        while seconds < 60 * minutes:
            begun = time.perf_counter()
            solver.step(2)
            seconds += time.perf_counter() - begun
        line(f"after {minutes} min, 2 threads", f"{_both(_mbb(solver))}, {solver.iteration} iterations")


def _mbb(solver: RangeSolver) -> float:
    return GAME.mbb(solver.exploitability())


def _both(exploitability: float) -> str:
    return f"{exploitability:.3g} mbb/hand, {2 * exploitability:.3g} summed"
