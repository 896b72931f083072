"""Solve Flop Hold'em from start to end: what `runout game flop-holdem` and `runout.solve_flop_holdem` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from runout import memory
from runout.analysis.flop_holdem import FlopSolution, load_flop_holdem
from runout.errors import InputError
from runout.games.flop_game import TwoStreets
from runout.games.flop_holdem import FlopHoldem
from runout.protocols import OnEvent
from runout.run.loop import Outcome, Stopping, run
from runout.solutions.format import check_writable
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver, range_game

UNIT = "mbb/hand"
EVERY = 10  # iterations between measurements
SAVE_SECONDS = 300.0  # a full deck is gigabytes


def solve_flop_holdem(
    settings: TwoStreets | None = None,
    *,
    resume: FlopSolution | str | Path | None = None,
    output: str | Path | None = None,
    progress: OnEvent | None = None,
    on_game: Callable[[RangeGame], None] | None = None,
) -> FlopSolution:
    """Solve Flop Hold'em, or the flop game, until the target or the iterations of its `solve` settings, or Ctrl-C.

    `resume` goes on from an earlier solution, in place where it is in memory, to the same numbers as a solve in one
    piece. `output` is a directory to save to, now and then and at the end. `on_game` sees the game before anything
    large is allocated; a game that does not fit in memory is refused.
    """
    if output is not None:
        check_writable(Path(output))
    if resume is None:
        chosen = settings or FlopHoldem.of({})
        schedule = range_schedule(chosen.solve.algorithm)
        _require_matrices(chosen)
        game = range_game(chosen)
        if on_game is not None:
            on_game(game)
        estimate(game.tree, game.boards).require(chosen.solve.storage, cut="give lower max_raises or fewer ranks")
        solver = RangeSolver(game, schedule, chosen.solve.threads, chosen.solve.storage)
        solution = FlopSolution(chosen, solver, str(schedule))
    else:
        threads = None if settings is None else settings.solve.threads
        solution = load_flop_holdem(resume, threads) if isinstance(resume, str | Path) else resume
        _take_up(solution, settings or solution.settings)
        if on_game is not None:
            on_game(solution.solver.game)
    _run(solution, progress, output)
    return solution


def _require_matrices(settings: TwoStreets) -> None:
    """Refuse run-outs that do not fit, before the minutes that they take."""
    memory.require(settings.matrices, "the run-outs of this game need", "give fewer flops")


def _take_up(solution: FlopSolution, settings: TwoStreets) -> None:
    """Go on with the `solve` settings asked for; another game, storage or algorithm is refused."""
    if solution.settings.kind != settings.kind:
        raise InputError(f"the solution is of {solution.settings.kind}, not of {settings.kind}")
    was, now = (one.model_dump(exclude={"solve"}) for one in (solution.settings, settings))
    if was != now:
        differs = next(key for key in was if was[key] != now[key])
        raise InputError(f"the solution is of another game: its {differs} is {was[differs]}, not {now[differs]}")
    if settings.solve.storage != solution.settings.solve.storage:
        kept = solution.settings.solve.storage
        raise InputError(f"cannot go on with {settings.solve.storage}: the solution has {kept} storage")
    wanted = settings.solve.algorithm
    if wanted != "auto" and str(range_schedule(wanted)) != solution.algorithm:  # auto is whatever it meant then
        raise InputError(f"cannot go on with {wanted}: the solution was made by {solution.algorithm}")
    solution.settings = settings


def _run(solution: FlopSolution, progress: OnEvent | None, output: str | Path | None) -> None:
    solver, settings, before = solution.solver, solution.settings, solution.seconds
    solver.step(0)  # compiles, or loads what was compiled before
    outcome = Outcome()

    def measure() -> float:
        solution.seconds = before + outcome.seconds
        found = solver.exploitability()
        solution.iterations = solver.iteration
        if not solution.curve or solution.curve[-1][0] != solver.iteration:
            solution.curve.append((solver.iteration, found))
        return settings.mbb(found)

    def save() -> None:
        if output is not None:
            solution.save(output)

    most = max(settings.solve.iterations, solver.iteration)
    stopping = Stopping(most, settings.solve.target, EVERY, save_seconds=SAVE_SECONDS)
    run(solver, measure, stopping, UNIT, progress, save if output is not None else None, outcome=outcome)
