"""Solve a small game from start to end: what `runout game` and `runout.solve_game` share."""

from __future__ import annotations

from pathlib import Path

from runout.analysis.exploitability import exploitability
from runout.analysis.game_solution import GameSolution, load_game_solution
from runout.errors import InputError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.protocols import OnEvent
from runout.run.loop import Outcome, Stopping, run
from runout.solutions.format import check_writable
from runout.solvers.catalog import make_solver, parse_algorithm
from runout.solvers.sampling import Scheme
from runout.solvers.schedules import Schedule

UNIT = "mA/g"  # thousandths of an ante a game
DEFAULT_ALGORITHM = "dcfr"
POINTS = 100  # measurements of a run without a target
LOOKS = 10_000  # and of one with a target, which should stop near it
LONGEST = 50_000  # iterations between two looks at Ctrl-C


def solve_game(
    game: str | AnyGame | CompiledGame,
    algorithm: str | None = None,
    iterations: int | None = None,
    target: float | None = None,
    *,
    alternating: bool = True,
    seed: int = 0,
    backend: str = "numba",
    device: str = "auto",
    resume: GameSolution | str | Path | None = None,
    output: str | Path | None = None,
    progress: OnEvent | None = None,
) -> GameSolution:
    """Solve `game` ("kuhn", "leduc", "openspiel:NAME" or rules of your own) until `iterations` or `target`.

    `target` is an exploitability in thousandths of an ante (mA/g). `resume` goes on from an earlier solution of the
    same game and algorithm, to the same numbers as a run in one piece; `output` is a directory to save to.
    """
    compiled = compile_game(load_game(game) if isinstance(game, str) else game)
    earlier = load_game_solution(resume, compiled) if isinstance(resume, (str, Path)) else resume
    chosen = parse_algorithm(algorithm or (earlier.algorithm if earlier else DEFAULT_ALGORITHM))
    if earlier is not None:
        _require_same_run(earlier, chosen, alternating)
    stopping = _stopping(chosen, iterations, target)
    if earlier is not None and earlier.iterations > stopping.iterations:
        raise InputError(
            f"the solution has {earlier.iterations} iterations already: ask for more than {stopping.iterations}"
        )
    if output is not None:
        check_writable(Path(output))
    solver = make_solver(compiled, chosen, alternating, seed, backend, device)
    curve: list[tuple[int, float]] = []
    before = 0.0
    if earlier is not None:
        solver.restore(earlier.state)
        curve, before = list(earlier.curve), earlier.seconds
    solver.step(0)  # compiles, or loads what was compiled before
    outcome = Outcome()

    def measure() -> float:
        found = exploitability(compiled, solver.policy())
        if not curve or curve[-1][0] != solver.iteration:
            curve.append((solver.iteration, found))
        return found * 1000 / compiled.ante

    def result() -> GameSolution:
        return GameSolution(
            game=compiled,
            algorithm=str(chosen),
            alternating=alternating,
            seed=earlier.seed if earlier else seed,
            iterations=solver.iteration,
            seconds=before + outcome.seconds,
            curve=list(curve),
            strategy=solver.policy(),
            state=solver.state(),
        )

    def save() -> None:
        if output is not None:
            result().save(output)

    run(solver, measure, stopping, UNIT, progress, save if output is not None else None, outcome=outcome)
    return result()


def _stopping(chosen: Schedule | Scheme, iterations: int | None, target: float | None) -> Stopping:
    """When to stop; by default after a second or so, or a minute for a target."""
    if iterations is None:
        iterations = 1000 if target is None else 1_000_000
        iterations *= 1000 if isinstance(chosen, Scheme) else 1  # a sampled iteration is that much cheaper
    looks = max(1, iterations // POINTS) if target is None else max(10, iterations // LOOKS)
    looks = min(looks, LONGEST)
    early = tuple(point for power in range(7) for point in (10**power, 2 * 10**power, 5 * 10**power) if point < looks)
    return Stopping(iterations, target, looks, early)


def _require_same_run(earlier: GameSolution, chosen: Schedule | Scheme, alternating: bool) -> None:
    if (earlier.algorithm, earlier.alternating) != (str(chosen), alternating):
        updates = "alternating" if earlier.alternating else "simultaneous"
        raise InputError(
            f"cannot go on with {chosen}: the solution was made by {earlier.algorithm} with {updates} updates"
        )
