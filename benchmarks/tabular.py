"""Full CFR+ iterations a second on Kuhn and Leduc, beside OpenSpiel's C++ solver in the same run; compile time.

A full iteration updates both players once. Rates are per second of CPU time of one thread, so that other work on the
machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pyspiel

from benchmarks.report import line, starts
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.protocols import Solver
from runout.solvers.catalog import make_solver

OPENSPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
BATCH = {"kuhn": {"numba": 200_000, "torch": 200}, "leduc": {"numba": 10_000, "torch": 50}}  # iterations a call
START = "import runout; runout.solve_game('leduc', 'cfr+', 10)"


def run(full: bool) -> None:
    """Print every figure; `full` measures for longer."""
    seconds = 5.0 if full else 1.0
    for name in OPENSPIEL:
        game = compile_game(load_game(name))
        theirs = _openspiel(name, seconds)
        ours = _rate(make_solver(game, "cfr+"), BATCH[name]["numba"], seconds)
        tensors = _rate(make_solver(game, "cfr+", backend="torch", device="cpu"), BATCH[name]["torch"], seconds)
        line(f"{name}: CFR+, numba", f"{ours:>12,.0f} iterations/s, {ours / theirs:,.0f} times OpenSpiel's")
        line(f"{name}: CFR+, torch on the CPU", f"{tensors:>12,.0f} iterations/s, {tensors / theirs:,.1f} times")
        line(f"{name}: CFR+, OpenSpiel (C++)", f"{theirs:>12,.0f} iterations/s")
        _sampling(name, game, seconds)
    starts("ten Leduc iterations", START)


def _openspiel(name: str, seconds: float) -> float:
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(OPENSPIEL[name]))
    return _per_second(solver.evaluate_and_update_policy, 1, seconds)


def _rate(solver: Solver, batch: int, seconds: float) -> float:
    return _per_second(lambda: solver.step(batch), batch, seconds)


def _sampling(name: str, game: CompiledGame, seconds: float) -> None:
    solver = make_solver(game, "external-sampling")
    rate = _rate(solver, 20_000, seconds)
    line(f"{name}: external sampling, numba", f"{rate:>12,.0f} iterations/s")


def _per_second(work: Callable[[], object], count: int, seconds: float) -> float:
    """`count` things a call, per second of CPU time, after one call that warms up; the best of three rounds."""
    work()
    best = 0.0
    for _ in range(3):
        started, calls = time.process_time(), 0
        while (spent := time.process_time() - started) < seconds / 3:
            work()
            calls += 1
        best = max(best, calls * count / spent)
    return best
