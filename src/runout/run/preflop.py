"""Solve a game before the flop from start to end, and push/fold charts over many stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from runout.analysis.preflop import PreflopSolution, load_preflop
from runout.cards.hands import CLASSES
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.protocols import OnEvent, Solver
from runout.run.loop import Outcome, Stopping, run
from runout.solutions.format import check_writable
from runout.solvers.preflop import Sweep, assess, make_preflop_solver, preflop_schedule
from runout.solvers.preflop_game import PreflopGame, require_memory
from runout.solvers.preflop_leaves import LeafModel

UNIT = "mbb/hand"
EVERY = 25  # iterations between measurements
PLAYED = 0.5  # frequency from which on a chart says that a hand is played


def solve_preflop(
    game: Preflop | str | Path | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    backend: str = "numba",
    device: str = "auto",
    model: LeafModel | None = None,
    resume: PreflopSolution | str | Path | None = None,
    output: str | Path | None = None,
    progress: OnEvent | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> PreflopSolution:
    """Solve `game` (a YAML file's, or the preset `standard`) until `target` mbb/hand, `iterations` or Ctrl-C.

    What is not given is as in the game's `solve` settings. `model` says what called pots are worth in place of the
    game's `leaf`. `resume` goes on from an earlier solution, to the same numbers as a solve in one piece; `output` is
    a directory to save to.
    """
    earlier = load_preflop(resume) if isinstance(resume, str | Path) else resume
    chosen = _game(game, earlier)
    asked = chosen.solve.model_copy(update=_given(target=target, iterations=iterations, algorithm=algorithm))
    if earlier is not None:
        _require_same_run(earlier, chosen, asked.algorithm)
    schedule = preflop_schedule(asked.algorithm if earlier is None else earlier.algorithm)
    Stopping(asked.iterations, asked.target, EVERY)  # refuses bad numbers before any work is done
    if output is not None:
        check_writable(Path(output))
    arrays = earlier.game if earlier is not None else PreflopGame.of(chosen, model)
    arrays = replace(arrays, settings=chosen.model_copy(update={"solve": asked}))
    require_memory(arrays)
    solver = make_preflop_solver(arrays, schedule, backend, device)
    make_preflop_solver(arrays, schedule, backend, device).step(1)  # compiles, or loads what was compiled before
    if earlier is not None:
        solver.restore(earlier.state)
    most = max(asked.iterations, solver.iteration)
    solution = PreflopSolution(
        game=arrays,
        algorithm=str(schedule),
        iterations=solver.iteration,
        seconds=earlier.seconds if earlier is not None else 0.0,
        curve=list(earlier.curve) if earlier is not None else [],
        policy=solver.policy(),
    )
    return _run(solver, solution, Stopping(most, asked.target, EVERY), progress, output, interrupted)


def _run(
    solver: Solver,
    start: PreflopSolution,
    stopping: Stopping,
    progress: OnEvent | None,
    output: str | Path | None,
    interrupted: Callable[[], bool] | None,
) -> PreflopSolution:
    """Run `solver` from where `start` stands; what it is worth is measured and saved on the way."""
    curve, sweep = start.curve, Sweep(start.game)
    assess(start.game, start.policy, sweep)  # compiles, or loads what was compiled before
    outcome = Outcome()

    def result() -> PreflopSolution:
        seconds, policy, state = start.seconds + outcome.seconds, solver.policy(), solver.state()
        return replace(start, iterations=solver.iteration, seconds=seconds, policy=policy, state=state)

    def measure() -> float:
        reached = assess(start.game, solver.policy(), sweep).exploitability
        if not curve or curve[-1][0] != solver.iteration:
            curve.append((solver.iteration, reached))
        return reached

    def save() -> None:
        if output is not None:
            result().save(output)

    run(solver, measure, stopping, UNIT, progress, save if output is not None else None, interrupted, outcome)
    return result()


@dataclass(frozen=True, eq=False)
class PushFoldChart:
    """Push/fold over many stacks: the largest stack at which each class is played, 0 where at none."""

    stacks: list[float]  # bb, smallest first
    push: np.ndarray  # float64 [169]: of the small blind
    call: np.ndarray  # float64 [169]: of the big blind
    solutions: list[PreflopSolution]


def push_fold_chart(
    games: Iterable[Preflop | float],
    progress: Callable[[float], None] | None = None,
    *,
    backend: str = "numba",
    device: str = "auto",
) -> PushFoldChart:
    """Solve push/fold games, given as games or as stacks in big blinds; `progress` hears of each stack solved."""
    listed = [one if isinstance(one, Preflop) else Preflop.push_fold(one) for one in games]
    push, call, solutions = np.zeros(CLASSES), np.zeros(CLASSES), []
    ordered = sorted(listed, key=lambda game: game.stack_depth)
    for game in ordered:
        if not game.is_push_fold:
            raise InputError(f"{game.name} is no push/fold game: a chart needs games of all-in or fold")
        solution = solve_preflop(game, backend=backend, device=device)
        root = solution.root
        for chart, node in ((push, root), (call, root.play("all-in"))):
            chart[node.mix[1] >= PLAYED] = game.stack_depth
        solutions.append(solution)
        if progress is not None:
            progress(game.stack_depth)
    return PushFoldChart([game.stack_depth for game in ordered], push, call, solutions)


def _game(game: Preflop | str | Path | None, earlier: PreflopSolution | None) -> Preflop:
    if game is None:
        return earlier.settings if earlier is not None else Preflop.preset()
    return Preflop.load(game) if isinstance(game, str | Path) else game


def _given(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not None}


def _require_same_run(earlier: PreflopSolution, game: Preflop, algorithm: str) -> None:
    was, now = (one.model_dump(exclude={"solve", "name"}) for one in (earlier.settings, game))
    if was != now:
        differs = next(key for key in was if was[key] != now[key])
        raise InputError(f"the solution is of another game: its {differs} differs; resume it without changing the game")
    wanted = algorithm.strip().lower()
    if wanted != "auto" and str(preflop_schedule(wanted)) != earlier.algorithm:  # auto is whatever it meant then
        raise InputError(f"cannot go on with {algorithm}: the solution was made by {earlier.algorithm}")
