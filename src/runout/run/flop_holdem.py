"""Solve Flop Hold'em from start to end: what `runout game flop-holdem` and `runout.solve_flop_holdem` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from runout import memory
from runout.cursors.flop_solution import FlopSolution, load_flop_holdem
from runout.games.flop_holdem import FlopHoldem, TwoStreets
from runout.protocols import OnEvent
from runout.run.holding import holds_output, require_replaceable, same_settings
from runout.run.loop import Job, Stopping, run
from runout.run.resuming import require_same_run, with_solve
from runout.solutions.output import Output
from runout.solutions.reached import MBB, Reached
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver, range_game

EVERY = 10  # iterations between measurements
SAVE_SECONDS = 300.0  # a full deck is gigabytes


@holds_output
def solve_flop_holdem(
    settings: TwoStreets | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    resume: FlopSolution | str | Path | None = None,
    output: str | Path | Output | None = None,
    progress: OnEvent | None = None,
    interrupted: Callable[[], bool] | None = None,
    on_game: Callable[[RangeGame], None] | None = None,
    save_seconds: float = SAVE_SECONDS,
) -> FlopSolution:
    """Solve Flop Hold'em, or the flop game, until `target` mbb/hand, `iterations` or Ctrl-C, whichever comes first.

    What is not given is as in the game's `solve` settings. `resume` continues an earlier solution, with its own arrays
    where it is in memory, to the same numbers as a solve in one piece. `output` is a directory to save to, every
    `save_seconds` and at the end. `on_game` sees the game before anything large is allocated; a game that does not fit
    in memory is refused. `interrupted` is asked whether to stop.
    """
    earlier: FlopSolution | None = None
    if isinstance(resume, str | Path):
        earlier = load_flop_holdem(resume, None if settings is None else settings.solve.threads)
    elif resume is not None:
        earlier = resume
    chosen = settings or (FlopHoldem.of({}) if earlier is None else earlier.settings)
    chosen = with_solve(chosen, target=target, iterations=iterations, algorithm=algorithm)
    schedule = range_schedule(chosen.solve.algorithm)
    require_replaceable(output, chosen.kind, same_settings(chosen))
    if earlier is None:
        _require_matrices(chosen)
        game = range_game(chosen)
    else:
        require_same_run(earlier.settings, chosen, earlier.algorithm, range_schedule)
        game = earlier.solver.game
    if on_game is not None:
        on_game(game)
    if earlier is None:
        estimate(game.tree, game.boards).require(chosen.solve.storage, cut="give lower max_bets or fewer ranks")
        solver = RangeSolver(game, schedule, chosen.solve.threads, chosen.solve.storage)
        solution = FlopSolution(chosen, solver, Reached(unit=MBB, algorithm=str(schedule)))
    else:
        solution = replace(earlier, settings=chosen)
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


def _require_matrices(settings: TwoStreets) -> None:
    """Refuse run-outs that do not fit, before the minutes that they take."""
    memory.require(settings.matrices, "the run-outs of this game need", "give fewer flops")
