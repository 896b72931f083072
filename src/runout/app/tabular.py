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
from runout.run import Stopping, run
from runout.solutions.format import check_writable
from runout.solvers.catalog import make_solver, parse_algorithm

UNIT = "mA/g"  # thousandths of an ante a game
DEFAULT_ALGORITHM = "dcfr"
DEFAULT_ITERATIONS = 1000
POINTS = 100  # measurements in a run


def solve_game(
    game: str | AnyGame | CompiledGame,
    algorithm: str = DEFAULT_ALGORITHM,
    iterations: int = DEFAULT_ITERATIONS,
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

    `target` is an exploitability in thousandths of an ante (mA/g). `resume` goes on from an earlier solution of the same
    game and algorithm, to the same numbers as a run in one piece; `output` is a directory to save to.
    """
    every = max(1, iterations // POINTS)
    stopping = Stopping(iterations, target, every)
    chosen = parse_algorithm(algorithm)
    compiled = compile_game(load_game(game) if isinstance(game, str) else game)
    if output is not None:
        check_writable(Path(output))
    solver = make_solver(compiled, chosen, alternating, seed, backend, device)
    before: list[tuple[int, float]] = []
    seconds = 0.0
    if resume is not None:
        earlier = resume if isinstance(resume, GameSolution) else load_game_solution(resume, compiled)
        if (earlier.algorithm, earlier.alternating) != (str(chosen), alternating):
            kind = "alternating" if earlier.alternating else "simultaneous"
            raise InputError(f"cannot go on with {chosen}: the solution was made by {earlier.algorithm}, {kind} updates")
        if earlier.iterations > iterations:
            raise InputError(f"the solution has {earlier.iterations} iterations already: ask for more than {iterations}")
        solver.restore(earlier.state)
        before, seconds = earlier.curve, earlier.seconds
    scale = 1000 / compiled.ante
    curve: list[tuple[int, float]] = []

    def measure() -> float:
        found = exploitability(compiled, solver.policy())
        curve.append((solver.iteration, found))
        return found * scale

    def result(spent: float) -> GameSolution:
        known = {t for t, _ in before}
        return GameSolution(
            game=compiled,
            algorithm=str(chosen),
            alternating=alternating,
            seed=seed,
            iterations=solver.iteration,
            seconds=seconds + spent,
            curve=[*before, *(point for point in curve if point[0] not in known)],
            strategy=solver.policy(),
            state=solver.state(),
        )

    outcome = run(solver, measure, stopping, UNIT, progress, None)
    solution = result(outcome.seconds)
    if output is not None:
        solution.save(output)
    return solution
