"""Solve a small game from start to end: what `runout game` and `runout.solve_game` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from runout.cursors.game_solution import KIND, GameSolution, chip_unit, load_tabular
from runout.errors import InputError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.progress import Progress
from runout.run.holding import holds_output, require_replaceable
from runout.run.loop import Job, Stopping, run
from runout.run.resuming import require_same_algorithm
from runout.solutions.output import Output
from runout.solutions.reached import MILLIANTES, Reached
from runout.solvers.catalog import make_solver, parse_algorithm
from runout.solvers.game_response import exploitability
from runout.solvers.sampling import Scheme
from runout.solvers.schedules import Schedule

DEFAULT_ALGORITHM = "dcfr"
POINTS = 100  # measurements of a run without a target
LOOKS = 10_000  # and of one with a target, which should stop near it
SAVE_SECONDS = 60.0  # between saves
LONGEST = 50_000  # iterations between two looks at Ctrl-C


@holds_output
def solve_game(
    game: str | AnyGame | CompiledGame | None = None,
    algorithm: str | None = None,
    iterations: int | None = None,
    *,
    target: float | None = None,
    resume: GameSolution | str | Path | None = None,
    output: str | Path | Output | None = None,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
    alternating: bool = True,
    seed: int = 0,
    backend: str = "numba",
    device: str = "auto",
    save_seconds: float = SAVE_SECONDS,
) -> GameSolution:
    """Solve a small game, until the target, the iterations or Ctrl-C, whichever comes first.

        solution = runout.solve_game("kuhn", iterations=10_000)
        solution.exploitability, solution.probability("K", "bet")

    Args:
        game: "kuhn", "leduc", "openspiel:NAME" or rules of your own.
        algorithm: a variant of CFR, such as "dcfr(1.5,0,2)", or a sampling scheme.
        iterations: stop after this many iterations at the latest.
        target: stop at this exploitability, in thousandths of an ante per game (mA/g).
        resume: an earlier solution of the same game and algorithm, or its directory, to continue to the same numbers
            as a run in one piece.
        output: directory to save to, every `save_seconds` and at the end.
        progress: True draws one line; a function hears every event.
        interrupted: asked between iterations whether to stop.
        alternating: players take turns; False updates both at once.
        seed: seed of sampling schemes.
        backend: "numba" or "torch".
        device: torch device: "auto", "cpu", "cuda" or "mps".
    """
    compiled = None if game is None else compile_game(load_game(game) if isinstance(game, str) else game)
    earlier = load_tabular(resume, compiled) if isinstance(resume, str | Path) else resume
    if compiled is None:
        if earlier is None:
            raise InputError("name a game: kuhn, leduc or openspiel:NAME, or give rules of your own")
        compiled = earlier.game
    chosen = parse_algorithm(algorithm or (earlier.algorithm if earlier else DEFAULT_ALGORITHM))
    if earlier is not None:
        require_same_algorithm(_updated(earlier.algorithm, earlier.alternating), _updated(chosen, alternating))
    stopping = replace(_stopping(chosen, iterations, target), save_seconds=save_seconds)
    if earlier is not None and earlier.iterations > stopping.iterations:
        raise InputError(
            f"the solution has {earlier.iterations} iterations already: ask for more than {stopping.iterations}"
        )
    require_replaceable(output, KIND, lambda config: config.get("game") == compiled.name)
    solver = make_solver(compiled, chosen, alternating, seed, backend, device)
    if earlier is not None:
        solver.restore(earlier.state)
        seed = earlier.seed
    solver.step(0)  # compiles, or loads what was compiled before

    def result(reached: Reached) -> GameSolution:
        return GameSolution(compiled, reached, solver.policy(), alternating, seed, solver.state())

    job = Job(
        solver,
        lambda: exploitability(compiled, solver.policy()) * chip_unit(compiled).per_chip,
        Reached(unit=MILLIANTES, algorithm=str(chosen)) if earlier is None else earlier.reached,
        lambda reached: result(reached).bundle(),
    )
    return result(run(job, stopping, progress, output, interrupted).reached)


def _stopping(chosen: Schedule | Scheme, iterations: int | None, target: float | None) -> Stopping:
    """When to stop; by default after a second or so, or a minute for a target."""
    if iterations is None:
        iterations = 1000 if target is None else 1_000_000
        iterations *= 1000 if isinstance(chosen, Scheme) else 1  # a sampled iteration is that much cheaper
    looks = max(1, iterations // POINTS) if target is None else max(10, iterations // LOOKS)
    looks = min(looks, LONGEST)
    early = tuple(point for power in range(7) for point in (10**power, 2 * 10**power, 5 * 10**power) if point < looks)
    return Stopping(iterations, target, looks, early)


def _updated(algorithm: Schedule | Scheme | str, alternating: bool) -> str:
    return f"{algorithm} with {'alternating' if alternating else 'simultaneous'} updates"
