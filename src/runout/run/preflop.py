"""Solve a game before the flop from start to end, and push/fold charts over many stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from runout.cards.hands import CLASSES
from runout.cursors.preflop_solution import KIND, PreflopSolution, load_preflop
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.progress import Progress
from runout.protocols import Executor
from runout.run.holding import holds_output, require_replaceable, same_settings
from runout.run.loop import Job, Stopping, run
from runout.run.resuming import require_same_run, with_solve
from runout.solutions.format import Bundle
from runout.solutions.output import Output
from runout.solutions.reached import MBB, Reached
from runout.solvers.preflop import Sweep, assess, make_preflop_solver, preflop_schedule
from runout.solvers.preflop_game import PreflopGame, require_memory
from runout.solvers.preflop_leaves import LeafModel

EVERY = 25  # iterations between measurements
SAVE_SECONDS = 60.0  # between saves
PLAYED = 0.5  # frequency from which on a chart says that a hand is played


@holds_output
def solve_preflop(
    game: Preflop | str | Path | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    resume: PreflopSolution | str | Path | None = None,
    output: str | Path | Output | None = None,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
    backend: str = "numba",
    device: str = "auto",
    model: LeafModel | None = None,
    save_seconds: float = SAVE_SECONDS,
) -> PreflopSolution:
    """Solve a game before the flop, until the target, the iterations or Ctrl-C, whichever comes first.

        solution = runout.solve_preflop(runout.Preflop.push_fold(10))
        solution.root.strategy("A5o")

    Args:
        game: the game, or the name of a YAML file; the preset `standard` by default.
        target: stop at this exploitability, in mbb per hand. What is not given is taken from the game's `solve`.
        iterations: stop after this many iterations at the latest.
        algorithm: a variant of CFR, such as "dcfr(1.5,0,2)".
        resume: an earlier solution, or its directory, to continue to the same numbers as a solve in one piece.
        output: directory to save to, every `save_seconds` and at the end.
        progress: True draws one line; a function hears every event.
        interrupted: asked between iterations whether to stop.
        backend: "numba" or "torch".
        device: torch device: "auto", "cpu", "cuda" or "mps".
        model: says what called pots are worth, in place of the game's `leaf`.
    """
    earlier = load_preflop(resume) if isinstance(resume, str | Path) else resume
    chosen = with_solve(_game(game, earlier), target=target, iterations=iterations, algorithm=algorithm)
    if earlier is not None:
        require_same_run(earlier.settings, chosen, earlier.algorithm, preflop_schedule, free=("name",))
    schedule = preflop_schedule(chosen.solve.algorithm if earlier is None else earlier.algorithm)
    require_replaceable(output, KIND, same_settings(chosen, ("name",)))
    arrays = earlier.game if earlier is not None else PreflopGame.of(chosen, model)
    arrays = replace(arrays, settings=chosen)
    require_memory(arrays)
    solver = make_preflop_solver(arrays, schedule, backend, device)
    make_preflop_solver(arrays, schedule, backend, device).step(1)  # compiles, or loads what was compiled before
    if earlier is not None:
        solver.restore(earlier.state)
    sweep = Sweep(arrays)
    assess(arrays, solver.policy(), sweep)  # compiles as well

    def result(reached: Reached) -> PreflopSolution:
        return PreflopSolution(arrays, reached, solver.policy(), solver.state())

    job = Job(
        solver,
        lambda: 1000 * assess(arrays, solver.policy(), sweep).exploitability,
        Reached(unit=MBB, algorithm=str(schedule)) if earlier is None else earlier.reached,
        lambda reached: result(reached).bundle(),
    )
    most = max(chosen.solve.iterations, solver.iteration)
    return result(
        run(
            job, Stopping(most, chosen.solve.target, EVERY, save_seconds=save_seconds), progress, output, interrupted
        ).reached
    )


@dataclass(frozen=True, eq=False, repr=False)
class PushFoldChart:
    """Push/fold over many stacks: at which of them each class is played."""

    stacks: list[float]  # bb, smallest first
    pushed: np.ndarray  # bool [stacks, 169]: by the small blind
    called: np.ndarray  # bool [stacks, 169]: by the big blind
    solutions: list[PreflopSolution]

    @property
    def push(self) -> np.ndarray:
        """float64 [169]: the largest stack at which the small blind pushes, 0 where at none."""
        return np.asarray((self.pushed * np.array(self.stacks)[:, None]).max(axis=0))

    @property
    def call(self) -> np.ndarray:
        """float64 [169]: the largest stack at which the big blind calls, 0 where at none."""
        return np.asarray((self.called * np.array(self.stacks)[:, None]).max(axis=0))

    def runs(self, played: np.ndarray) -> list[tuple[float, float]]:
        """First and last stack of every run of stacks at which a class is played; played bool [stacks]."""
        ends = np.flatnonzero(np.diff(np.concatenate([[False], played, [False]]).astype(np.int8)))
        return [(self.stacks[a], self.stacks[b - 1]) for a, b in ends.reshape(-1, 2)]

    def __repr__(self) -> str:
        return f"PushFoldChart({len(self.stacks)} stacks, {self.stacks[0]:g} to {self.stacks[-1]:g} bb)"


def push_fold_chart(
    games: Iterable[Preflop | float],
    progress: Callable[[float], None] | None = None,
    *,
    backend: str = "numba",
    device: str = "auto",
    executor: Executor | None = None,
) -> PushFoldChart:
    """Solve push/fold games, given as games or as stacks in big blinds; `progress` hears of each stack solved.

    With an `executor` they are solved by it, to the same numbers, and `progress` hears of them when all are done.
    """
    listed = [one if isinstance(one, Preflop) else Preflop.push_fold(one) for one in games]
    ordered = sorted(listed, key=lambda game: game.stack_depth)
    pushed, called, solutions = (*np.zeros((2, len(ordered), CLASSES), bool), [])
    for game in ordered:
        if not game.is_push_fold:
            raise InputError(f"{game.name} is no push/fold game: a chart needs games of all-in or fold")
    solved: Iterable[PreflopSolution] = (solve_preflop(game, backend=backend, device=device) for game in ordered)
    if executor is not None:
        bundles = executor.map(partial(_solved_bundle, backend=backend, device=device), ordered)
        solved = map(PreflopSolution.from_bundle, bundles)
    for row, (game, solution) in enumerate(zip(ordered, solved, strict=True)):
        root = solution.root
        for chart, node in ((pushed, root), (called, root.play("all-in"))):
            chart[row] = node.strategy(by="class")[1] >= PLAYED
        solutions.append(solution)
        if progress is not None:
            progress(game.stack_depth)
    return PushFoldChart([game.stack_depth for game in ordered], pushed, called, solutions)


def _solved_bundle(game: Preflop, backend: str, device: str) -> Bundle:
    """A task for an executor."""
    return solve_preflop(game, backend=backend, device=device).bundle()


def _game(game: Preflop | str | Path | None, earlier: PreflopSolution | None) -> Preflop:
    if game is None:
        return earlier.settings if earlier is not None else Preflop.preset()
    return Preflop.load(game) if isinstance(game, str | Path) else game
