"""The preflop solver: iterations a second on both backends, seconds to a target, push/fold and its chart."""

from __future__ import annotations

import time

from benchmarks.report import line, starts
from runout.games.preflop import PRESETS, Preflop
from runout.protocols import Solver
from runout.run.preflop import push_fold_chart, solve_preflop
from runout.solvers.preflop import make_preflop_solver, preflop_schedule
from runout.solvers.preflop_game import PreflopGame

START = "import runout; runout.solve_preflop(runout.Preflop.preset('standard'), target=1).value"
ALGORITHMS = ("auto", "dcfr", "cfr+", "pdcfr+", "hs-dcfr")


def run(full: bool) -> None:
    """Rates and the standard game to 1 mbb/hand; full: every preset, tighter targets, several algorithms."""
    for name in PRESETS if full else ("standard", "tiny"):
        _rates(Preflop.preset(name), 3.0 if full else 1.0)
    for target in (1.0, 0.1, 0.01) if full else (1.0,):
        _target(Preflop.preset("standard"), target)
    for algorithm in ALGORITHMS if full else ():
        _target(Preflop.preset("standard"), 1.0, algorithm)
    for stack in (5, 10):
        _target(Preflop.push_fold(stack), 0.01)
    started = time.perf_counter()
    push_fold_chart(range(2, 26))
    line("push/fold chart, 2 to 25 bb, each to 0.0001 mbb/hand", f"{time.perf_counter() - started:.2f} s")
    starts("standard to 1 mbb/hand", START)


def _rates(game: Preflop, seconds: float) -> None:
    arrays = PreflopGame.of(game)
    schedule = preflop_schedule("auto")
    for backend in ("numba", "torch"):
        rate = _rate(make_preflop_solver(arrays, schedule, backend, "cpu"), seconds)
        line(f"{game.name}, {arrays.nodes} decisions: {backend}", f"{rate:>10,.0f} iterations/s")


def _rate(solver: Solver, seconds: float) -> float:
    """Iterations per second of CPU time, after some that warm up."""
    solver.step(50)
    started, done = time.process_time(), 0
    while (spent := time.process_time() - started) < seconds:
        solver.step(10)
        done += 10
    return done / spent


def _target(game: Preflop, target: float, algorithm: str = "auto") -> None:
    found = solve_preflop(game, target=target, algorithm=algorithm)
    line(
        f"{game.name} {game.stack_depth:g} bb to {target:g} mbb/hand, {found.algorithm}",
        f"{found.seconds:.3g} s, {found.iterations:,} iterations, value to SB {found.value:+.6f} bb",
    )
