"""Solve a postflop spot from start to end: what `runout solve` and `runout.solve` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from runout.analysis.postflop import Solution, load_postflop
from runout.errors import InputError
from runout.games.spot import Spot
from runout.protocols import OnEvent
from runout.run.loop import Outcome, Stopping, run
from runout.solutions.format import check_writable
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.range_locks import apply_locks, suits_alike
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver

UNIT = "% of the pot"
EVERY = 10  # iterations between measurements


def solve(
    spot: Spot | str | Path | None = None,
    target: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    *,
    algorithm: str | None = None,
    storage: str | None = None,
    isomorphism: bool = True,
    resume: Solution | str | Path | None = None,
    output: str | Path | None = None,
    river: bool = True,
    progress: OnEvent | None = None,
    on_game: Callable[[RangeGame], None] | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Solution:
    """Solve `spot` (or the YAML file of that name) until `target`, `iterations` or Ctrl-C, whichever comes first.

    What is not given is as in the spot's `solve` settings; `target` is in % of the pot (or in their unit). `resume`
    goes on from an earlier solution, in place where it is in memory, to the same numbers as a solve in one piece.
    `output` is a directory to save to, now and then and at the end, with rivers or without. `on_game` sees the game
    before anything large is allocated; `interrupted` is asked now and then whether to stop.
    """
    earlier = load_postflop(resume, threads) if isinstance(resume, str | Path) else resume
    chosen = _spot(spot, earlier)
    chosen = with_solve(
        chosen, target=target, iterations=iterations, threads=threads, algorithm=algorithm, storage=storage
    )
    check_settings(chosen)
    if output is not None:
        check_writable(Path(output))
    if earlier is not None:
        solution = _taken_up(earlier, chosen)
        if on_game is not None:
            on_game(solution.game)
    else:
        isomorphism = isomorphism and suits_alike(chosen)
        game = RangeGame.of(chosen, isomorphism, chosen.solve.threads)
        if on_game is not None:
            on_game(game)
        solver = make_solver(game, chosen)
        solution = Solution(
            chosen, LiveLines(solver), str(solver.schedule), isomorphism, 0, float("inf"), 0.0, [], solver
        )
    return _run(solution, progress, output, river, interrupted)


def with_solve(spot: Spot, **changes: Any) -> Spot:
    """The spot with some of its `solve` settings replaced, those that are not None."""
    given = {name: value for name, value in changes.items() if value is not None}
    if not given:
        return spot
    data = spot.model_dump(by_alias=True)
    return Spot(**(data | {"solve": data["solve"] | given}))


def check_settings(spot: Spot) -> None:
    """Refuse what cannot be solved as it is asked for, before any work is done."""
    range_schedule(spot.solve.algorithm)


def make_solver(game: RangeGame, spot: Spot) -> RangeSolver:
    """The solver that the spot's `solve` settings ask for; refused where this machine has too little memory for it."""
    estimate(game.tree, game.boards).require(spot.solve.storage)
    solver = RangeSolver(game, range_schedule(spot.solve.algorithm), spot.solve.threads, spot.solve.storage)
    apply_locks(solver, spot)
    return solver


def _run(
    solution: Solution,
    progress: OnEvent | None,
    output: str | Path | None,
    river: bool,
    interrupted: Callable[[], bool] | None,
) -> Solution:
    before, solver = solution.seconds, solution.solver
    assert solver is not None
    solver.step(0)  # compiles, or loads what was compiled before
    outcome = Outcome()

    def measure() -> float:
        solution.seconds = before + outcome.seconds
        reached = solver.exploitability() / solution.spot.pot * 100
        solution.iterations, solution.exploitability = solver.iteration, reached
        if not solution.curve or solution.curve[-1][0] != solver.iteration:
            solution.curve.append((solver.iteration, reached))
        return reached

    def save() -> None:
        if output is not None:
            solution.save(output, river)

    most = max(solution.spot.solve.iterations, solver.iteration)
    stopping = Stopping(most, solution.spot.target_percent, EVERY)
    run(solver, measure, stopping, UNIT, progress, save if output else None, interrupted, outcome)
    return solution


def _spot(spot: Spot | str | Path | None, earlier: Solution | None) -> Spot:
    if spot is None:
        return earlier.spot if earlier is not None else Spot.default()
    return Spot.load(spot) if isinstance(spot, str | Path) else spot


def _taken_up(earlier: Solution, spot: Spot) -> Solution:
    """A solution that goes on from `earlier`; another spot or algorithm is refused, and what cannot be gone on with."""
    if earlier.solver is None:
        raise InputError("the solution was saved without rivers, so it cannot be resumed: solve the spot again")
    was, now = (one.model_dump(exclude={"solve", "big_blind"}) for one in (earlier.spot, spot))
    if was != now:
        differs = next(key for key in was if was[key] != now[key])
        raise InputError(f"the solution is of another spot: its {differs} differs; resume it without changing the spot")
    if spot.solve.storage != earlier.spot.solve.storage:
        raise InputError(
            f"cannot go on with {spot.solve.storage}: the solution has {earlier.spot.solve.storage} storage"
        )
    wanted = spot.solve.algorithm
    if wanted != "auto" and str(range_schedule(wanted)) != earlier.algorithm:  # auto is whatever it meant then
        raise InputError(f"cannot go on with {wanted}: the solution was made by {earlier.algorithm}")
    return replace(earlier, spot=spot, source=LiveLines(earlier.solver), curve=list(earlier.curve))
