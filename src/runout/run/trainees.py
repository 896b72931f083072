"""What `runout train` trains besides networks: small games and Flop Hold'em, each a `protocols.Trainee`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from runout.analysis.exploitability import exploitability
from runout.analysis.flop_holdem import FlopSolution
from runout.analysis.game_solution import GameSolution
from runout.games.compiled import CompiledGame
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem
from runout.protocols import Solver
from runout.solutions.flop_holdem import flop_bundle
from runout.solutions.format import STATE, Bundle
from runout.solutions.tabular import tabular_bundle
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeSolver, range_game


class Pace:
    """Seconds of the work done so far, for rates."""

    def __init__(self) -> None:
        self.seconds, self.iterations = 0.0, 0

    def add(self, seconds: float, iterations: int) -> None:
        self.seconds += seconds
        self.iterations += iterations

    def take_up(self, reached: Mapping[str, Any], iterations: int) -> None:
        """Go on from what an earlier run reached."""
        self.seconds, self.iterations = float(reached["seconds"]), iterations

    def rate(self, each: float = 1.0) -> float:
        """So many `each` iteration, a second."""
        return self.iterations * each / self.seconds if self.seconds > 0 else 0.0


@runtime_checkable
class Telling(Protocol):
    """A solver that says more of its iterations than how many there were."""

    def metrics(self) -> dict[str, float]: ...


class SmallGameTrainee:
    """A compiled game under any solver of it; an iteration takes `traversals` of the solver's own."""

    unit = "mA/g"

    def __init__(self, game: CompiledGame, solver: Solver, algorithm: str, seed: int, traversals: int = 1) -> None:
        self.game, self.solver, self.algorithm, self.seed, self.traversals = game, solver, algorithm, seed, traversals
        self.curve: list[tuple[int, float]] = []  # (iteration, exploitability in chips)
        self.pace = Pace()
        self.iteration = 0
        solver.step(0)  # compiles, or loads what was compiled before

    def step(self, iterations: int) -> None:
        begun = time.perf_counter()
        self.solver.step(iterations * self.traversals)
        self.iteration += iterations
        self.pace.add(time.perf_counter() - begun, iterations)

    def policy(self) -> np.ndarray:
        return self.solver.policy()

    def memory(self) -> int:
        return self.solver.memory()

    def state(self) -> dict[str, np.ndarray]:
        return self.solver.state()

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.solver.restore(state)
        self.iteration = self.solver.iteration // self.traversals

    def measure(self) -> float:
        found = exploitability(self.game, self.policy())
        if not self.curve or self.curve[-1][0] != self.iteration:
            self.curve.append((self.iteration, found))
        return found * 1000 / self.game.ante

    def metrics(self) -> dict[str, float]:
        if isinstance(self.solver, Telling):
            return self.solver.metrics()
        name, each = ("samples", 2 * self.traversals) if self.traversals > 1 else ("nodes", len(self.game.player))
        found = {f"{name}_per_second": self.pace.rate(each)}
        return {"samples": float(self.iteration * each), **found} if self.traversals > 1 else found

    def checkpoint(self, resumable: bool) -> Bundle:
        solution = GameSolution(
            game=self.game,
            algorithm=self.algorithm,
            alternating=True,
            seed=self.seed,
            iterations=self.solver.iteration,
            seconds=self.pace.seconds,
            curve=[(t * self.traversals, x) for t, x in self.curve],
            strategy=self.policy(),
            state=self.state() if resumable else {},
        )
        return tabular_bundle(solution.record(), self.game)

    def restore_from(self, bundle: Bundle) -> None:
        state = {name.removeprefix(STATE): a for name, a in bundle.arrays.items() if name.startswith(STATE)}
        self.restore(state)
        self.curve = [(int(t) // self.traversals, float(x)) for t, x in bundle.arrays["curve"]]
        self.pace.take_up(bundle.reached, self.iteration)


class FlopHoldemTrainee:
    """Flop Hold'em on the range engine."""

    unit = "mbb/hand"

    def __init__(self, settings: LimitHoldem, algorithm: str, threads: int) -> None:
        chosen = FlopHoldem.of_limit(settings, algorithm)
        schedule, game = range_schedule(algorithm), range_game(chosen)
        estimate(game.tree, game.boards).require("float32", cut="give lower raise caps or fewer ranks")
        self.solution = FlopSolution(chosen, RangeSolver(game, schedule, threads), str(schedule))
        self.solver = self.solution.solver
        self.pace = Pace()
        self.rows = sum(
            tree.nodes * len(boards.cards) for tree, boards in zip(game.tree.streets, game.boards, strict=True)
        )
        self.iteration = 0
        self.solver.step(0)

    def step(self, iterations: int) -> None:
        begun = time.perf_counter()
        self.solver.step(iterations)
        self.iteration = self.solver.iteration
        self.pace.add(time.perf_counter() - begun, iterations)

    def policy(self) -> Any:
        return self.solver.policy()

    def memory(self) -> int:
        return self.solver.memory()

    def state(self) -> dict[str, np.ndarray]:
        return self.solver.state()

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.solver.restore(state)
        self.iteration = self.solver.iteration

    def measure(self) -> float:
        found, curve = self.solver.exploitability(), self.solution.curve
        if not curve or curve[-1][0] != self.iteration:
            curve.append((self.iteration, found))
        return self.solution.settings.mbb(found)

    def metrics(self) -> dict[str, float]:
        return {"rows_per_second": self.pace.rate(self.rows)}

    def checkpoint(self, resumable: bool) -> Bundle:
        """Its arrays are the solver's own: written before the next step, or copied by the caller."""
        self.solution.iterations, self.solution.seconds = self.iteration, self.pace.seconds
        return flop_bundle(self.solution.record())

    def restore_from(self, bundle: Bundle) -> None:
        self.restore(bundle.arrays)
        self.solution.curve = [(int(t), float(x)) for t, x in bundle.arrays["curve"]]
        self.pace.take_up(bundle.reached, self.iteration)
