"""Solve a postflop spot from start to end: what `runout solve` and `runout.solve` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from runout.cursors.spot_solution import KIND, SpotSolution, load_postflop
from runout.errors import InputError
from runout.games.spot import Spot
from runout.progress import Progress
from runout.run.holding import holds_output, require_replaceable, same_settings
from runout.run.loop import Job, Outcome, Stopping, run
from runout.run.resuming import require_same_run, with_solve
from runout.solutions.output import Output
from runout.solutions.reached import OF_POT, Reached
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines, StoredLines, stored_rows
from runout.solvers.range_locks import apply_locks, suits_alike
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver, first_street, make_range_solver, on_backend

EVERY = 10  # iterations between measurements
SAVE_SECONDS = 60.0  # between saves


@holds_output
def solve(
    spot: Spot | str | Path | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    resume: SpotSolution | str | Path | None = None,
    output: str | Path | Output | None = None,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
    threads: int | None = None,
    storage: str | None = None,
    isomorphism: bool = True,
    rivers: bool = True,
    on_game: Callable[[RangeGame], None] | None = None,
    save_seconds: float = SAVE_SECONDS,
    backend: str = "numba",
    device: str = "auto",
) -> SpotSolution:
    """Solve a postflop spot, until the target, the iterations or Ctrl-C, whichever comes first.

        solution = runout.solve(runout.Spot.default(board="2c 3h 4d"), target=0.5)
        solution.root.strategy("AsAh")

    Args:
        spot: the spot, or the name of a YAML file; an embedded example by default.
        target: stop at this exploitability, in % of the pot (or in the unit of the spot's `solve`). What is not given
            is taken from the spot's `solve`.
        iterations: stop after this many iterations at the latest.
        algorithm: a variant of CFR, such as "dcfr(1.5,0,2)".
        resume: an earlier solution, or its directory, to continue to the same numbers as a solve in one piece. A
            solution in memory is continued in place.
        output: directory to save to, every `save_seconds` and at the end.
        progress: True draws one line; a function hears every event. Solving is silent by default.
        interrupted: asked between iterations whether to stop.
        threads: threads to use; 0: one for each core. Results do not depend on it.
        storage: "float32", or "int16" for half the memory.
        isomorphism: False solves boards that differ only by suits separately.
        rivers: False leaves the last street out of what `output` saves, which makes it much smaller.
        on_game: sees the game before anything large is allocated.
        backend: "numba", or "torch" for a graphics card.
        device: torch device: "auto", "cpu", "cuda" or "mps".
    """
    earlier = load_postflop(resume, threads) if isinstance(resume, str | Path) else resume
    chosen = with_solve(
        _spot(spot, earlier),
        target=target, iterations=iterations, threads=threads, algorithm=algorithm, storage=storage,
    )  # fmt: skip
    check_settings(chosen)
    require_replaceable(output, KIND, _replaceable(chosen))
    stopping = Stopping(chosen.solve.iterations, chosen.target_percent, EVERY, save_seconds=save_seconds)
    if chosen.solve.leaf == "network":
        if earlier is not None or backend != "numba":
            raise InputError("leaf = network cannot be resumed, nor solved on another backend: leave that out")
        return _valued(chosen, isomorphism, on_game, lambda job: run(job, stopping, progress, output, interrupted))
    if earlier is None:
        solution = prepared(chosen, isomorphism, on_game, backend, device)
    else:
        taken = _taken_up(earlier, chosen, backend, device)
        if on_game is not None:
            on_game(earlier.game)
        solution = replace(earlier, spot=chosen, source=LiveLines(taken), solver=taken)
    solver = solution.solver
    assert solver is not None
    solver.step(0)  # compiles, or loads what was compiled before
    job = Job(
        solver,
        lambda: solver.exploitability() / chosen.pot * 100,
        solution.reached,
        lambda reached: replace(solution, reached=reached).bundle(rivers),
        size=solver.memory() if rivers else 0,
    )
    stopping = replace(stopping, iterations=max(stopping.iterations, solver.iteration))
    outcome = run(job, stopping, progress, output, interrupted)
    return replace(solution, reached=outcome.reached)


def _replaceable(spot: Spot) -> Callable[[dict[str, Any]], bool]:
    """Whether a solution with such settings may be replaced: of the same spot, an exact one by an exact one alone."""
    same = same_settings(spot, ("big_blind",))
    exact = spot.solve.leaf == "none"
    return lambda config: same(config) and (exact or (config.get("solve") or {}).get("leaf") == "network")


def _valued(
    spot: Spot,
    isomorphism: bool,
    on_game: Callable[[RangeGame], None] | None,
    run_job: Callable[[Job], Outcome],
) -> SpotSolution:
    """The first street of a spot, later ones valued by a network; those are solved when they are looked at."""
    from runout.solvers.neural.network_leaf import LeafSolver
    from runout.solvers.neural.value_networks import load_network

    game = RangeGame.of(spot, isomorphism, spot.solve.threads)
    first = first_street(spot, game)
    if on_game is not None:
        on_game(first)
    estimate(first.tree, first.boards).require(spot.solve.storage)
    network, _ = load_network(len(spot.cards) + 1)
    solver = LeafSolver(first, range_schedule(spot.solve.algorithm), network, spot.solve.threads)
    reached = Reached(unit=OF_POT, algorithm=str(solver.schedule))

    def solution(reached: Reached) -> SpotSolution:
        source = StoredLines(game, stored_rows(LiveLines(solver)))
        return SpotSolution(spot, source, reached, isomorphism)

    job = Job(
        solver,
        lambda: solver.exploitability() / spot.pot * 100,
        reached,
        lambda reached: solution(reached).bundle(rivers=False),
    )
    return solution(run_job(job).reached)


def prepared(
    spot: Spot,
    isomorphism: bool = True,
    on_game: Callable[[RangeGame], None] | None = None,
    backend: str = "numba",
    device: str = "auto",
) -> SpotSolution:
    """A spot with its tree, boards and memory in place and nothing solved: `solve(resume=...)` goes on from it."""
    if spot.solve.leaf == "network":
        raise InputError("leaf = network is solved in one piece: leave it out here")
    isomorphism = isomorphism and suits_alike(spot)
    game = RangeGame.of(spot, isomorphism, spot.solve.threads)
    if on_game is not None:
        on_game(game)
    solver = make_solver(game, spot, backend, device)
    reached = Reached(unit=OF_POT, algorithm=str(solver.schedule))
    return SpotSolution(spot, LiveLines(solver), reached, isomorphism, solver)


def check_settings(spot: Spot) -> None:
    """Refuse what cannot be solved as it is asked for, before any work is done."""
    range_schedule(spot.solve.algorithm)


def make_solver(game: RangeGame, spot: Spot, backend: str = "numba", device: str = "auto") -> RangeSolver:
    """The solver that the spot's `solve` settings ask for; refused where this machine has too little memory for it."""
    estimate(game.tree, game.boards).require(spot.solve.storage)
    asked = spot.solve
    schedule = range_schedule(asked.algorithm)
    solver = make_range_solver(game, schedule, asked.threads, asked.storage, backend, device)
    apply_locks(solver, spot)
    return solver


def _spot(spot: Spot | str | Path | None, earlier: SpotSolution | None) -> Spot:
    if spot is None:
        return earlier.spot if earlier is not None else Spot.default()
    return Spot.load(spot) if isinstance(spot, str | Path) else spot


def _taken_up(earlier: SpotSolution, spot: Spot, backend: str, device: str) -> RangeSolver:
    """The solver of an earlier solution; refused where that is of another run or cannot be continued."""
    if earlier.solver is None:
        raise InputError("the solution was saved without rivers, so it cannot be resumed: solve the spot again")
    require_same_run(earlier.spot, spot, earlier.algorithm, range_schedule, "spot", free=("big_blind",))
    return on_backend(earlier.solver, backend, device)
