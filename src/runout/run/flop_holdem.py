"""Solve Flop Hold'em from start to end: what `runout game flop-holdem` and `runout.solve_flop_holdem` share."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from runout import memory
from runout.config import read_yaml
from runout.cursors.flop_solution import FlopSolution, load_flop_holdem
from runout.games.flop_game import FlopGame
from runout.games.flop_holdem import FlopHoldem, TwoStreets
from runout.progress import Progress
from runout.run.holding import holds_output, require_replaceable, same_settings
from runout.run.loop import Job, Stopping, run
from runout.run.resuming import require_same_run, with_solve
from runout.solutions.output import Output
from runout.solutions.reached import MBB, Reached
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, make_range_solver, on_backend, range_game

EVERY = 10  # iterations between measurements
SAVE_SECONDS = 300.0  # a full deck is gigabytes


@holds_output
def solve_flop_holdem(
    game: TwoStreets | str | Path | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    resume: FlopSolution | str | Path | None = None,
    output: str | Path | Output | None = None,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
    on_game: Callable[[RangeGame], None] | None = None,
    save_seconds: float = SAVE_SECONDS,
    settings: TwoStreets | None = None,
    backend: str = "numba",
    device: str = "auto",
) -> FlopSolution:
    """Solve Flop Hold'em or the flop game, until the target, the iterations or Ctrl-C, whichever comes first.

    Args:
        game: a `FlopHoldem` or `FlopGame`, or the name of a YAML file; Flop Hold'em with a full deck by default.
        target: stop at this exploitability, in mbb per hand. What is not given is taken from the game's `solve`.
        iterations: stop after this many iterations at the latest.
        algorithm: a variant of CFR, such as "dcfr(1.5,0,2)".
        resume: an earlier solution, or its directory, to continue to the same numbers as a solve in one piece. A
            solution in memory is continued in place.
        output: directory to save to, every `save_seconds` and at the end.
        progress: True draws one line; a function hears every event.
        interrupted: asked between iterations whether to stop.
        on_game: sees the game before anything large is allocated. A game that does not fit in memory is refused.
        settings: the older name of `game`.
        backend: "numba", or "torch" for a graphics card.
        device: torch device: "auto", "cpu", "cuda" or "mps".
    """
    if settings is not None:
        warnings.warn("solve_flop_holdem(settings=...) is now solve_flop_holdem(game=...)", DeprecationWarning, 2)
        game = settings
    asked = _read(game) if isinstance(game, str | Path) else game
    earlier: FlopSolution | None = None
    if isinstance(resume, str | Path):
        earlier = load_flop_holdem(resume, None if asked is None else asked.solve.threads)
    elif resume is not None:
        earlier = resume
    chosen = asked or (FlopHoldem.of({}) if earlier is None else earlier.settings)
    chosen = with_solve(chosen, target=target, iterations=iterations, algorithm=algorithm)
    schedule = range_schedule(chosen.solve.algorithm)
    require_replaceable(output, chosen.kind, same_settings(chosen))
    if earlier is None:
        _require_matrices(chosen)
        ranged = range_game(chosen)
    else:
        require_same_run(earlier.settings, chosen, earlier.algorithm, range_schedule)
        ranged = earlier.solver.game
    if on_game is not None:
        on_game(ranged)
    if earlier is None:
        estimate(ranged.tree, ranged.boards).require(chosen.solve.storage, cut="give lower max_bets or fewer ranks")
        asked_for = chosen.solve
        solver = make_range_solver(ranged, schedule, asked_for.threads, asked_for.storage, backend, device)
        solution = FlopSolution(chosen, solver, Reached(unit=MBB, algorithm=str(schedule)))
    else:
        solution = replace(earlier, settings=chosen, solver=on_backend(earlier.solver, backend, device))
    solver = solution.solver
    solver.step(0)  # compiles, or loads what was compiled before
    job = Job(
        solver,
        lambda: chosen.mbb(solver.exploitability()),
        solution.reached,
        lambda reached: replace(solution, reached=reached).bundle(),
        size=solver.memory(),
    )
    most = max(chosen.solve.iterations, solver.iteration)
    stopping = Stopping(most, chosen.solve.target, EVERY, save_seconds=save_seconds)
    return replace(solution, reached=run(job, stopping, progress, output, interrupted).reached)


def _read(path: str | Path) -> TwoStreets:
    return FlopGame.load(path) if "preflop" in read_yaml(path) else FlopHoldem.load(path)


def _require_matrices(settings: TwoStreets) -> None:
    """Refuse run-outs that do not fit, before the minutes that they take."""
    memory.require(settings.matrices, "the run-outs of this game need", "give fewer flops")
