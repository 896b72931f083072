"""What `runout train` trains besides networks: small games and Flop Hold'em, each a `protocols.Trainee`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from runout.cards.abstraction import AbstractionSettings
from runout.cursors.flop_solution import FlopSolution
from runout.cursors.game_solution import GameSolution, chip_unit
from runout.games.betting import FLOP
from runout.games.compiled import CompiledGame
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.protocols import Solver
from runout.run.train_config import BlueprintSettings
from runout.solutions.format import STATE, Bundle
from runout.solutions.reached import MBB, MILLIANTES, Reached
from runout.solvers.auto import blueprint_schedule, range_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.flop_choice import flop_choice
from runout.solvers.game_response import exploitability
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeSolver, range_game


@runtime_checkable
class Telling(Protocol):
    """A solver that says more of its iterations than how many there were."""

    def metrics(self) -> dict[str, float]: ...


class SolverTrainee:
    """A solver of a small tree; an iteration takes `traversals` of the solver's own."""

    def __init__(self, solver: Solver, algorithm: str, traversals: int = 1) -> None:
        self.solver, self.algorithm, self.traversals = solver, algorithm, traversals
        self.iteration, self.seconds = 0, 0.0
        solver.step(0)  # compiles, or loads what was compiled before

    def step(self, iterations: int) -> None:
        begun = time.perf_counter()
        self.solver.step(iterations * self.traversals)
        self.iteration += iterations
        self.seconds += time.perf_counter() - begun

    def policy(self) -> Any:
        return self.solver.policy()

    def memory(self) -> int:
        return self.solver.memory()

    def state(self) -> dict[str, np.ndarray]:
        return self.solver.state()

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.solver.restore(state)
        self.iteration = self.solver.iteration // self.traversals

    def restore_from(self, bundle: Bundle) -> None:
        own = {name.removeprefix(STATE): array for name, array in bundle.arrays.items() if name.startswith(STATE)}
        self.restore(own or bundle.arrays)
        self.seconds = float(bundle.reached["seconds"])

    def rate(self, each: float) -> float:
        """What is done a second, `each` of it an iteration."""
        return self.iteration * each / self.seconds if self.seconds > 0 else 0.0

    def counted(self) -> Reached:
        """How many iterations of its own the solver did; the loop knows the rest."""
        return Reached(self.solver.iteration, algorithm=self.algorithm)


class SmallGameTrainee(SolverTrainee):
    """A compiled game under any solver of it."""

    unit = MILLIANTES

    def __init__(self, game: CompiledGame, solver: Solver, algorithm: str, seed: int, traversals: int = 1) -> None:
        super().__init__(solver, algorithm, traversals)
        self.game, self.seed = game, seed

    def measure(self) -> float:
        return exploitability(self.game, self.policy()) * chip_unit(self.game).per_chip

    def metrics(self) -> dict[str, float]:
        if isinstance(self.solver, Telling):
            return self.solver.metrics()
        if self.traversals == 1:
            return {"nodes_per_second": self.rate(len(self.game.player))}
        each = 2 * self.traversals
        return {"samples": float(self.iteration * each), "samples_per_second": self.rate(each)}

    def checkpoint(self, resumable: bool) -> Bundle:
        state = self.state() if resumable else {}
        return GameSolution(self.game, self.counted(), self.policy(), seed=self.seed, state=state).bundle()


class FlopHoldemTrainee(SolverTrainee):
    """Flop Hold'em on the range engine."""

    unit = MBB
    solver: RangeSolver

    def __init__(self, settings: LimitHoldem, algorithm: str, threads: int) -> None:
        self.settings = FlopHoldem.of_limit(settings, algorithm)
        schedule, game = range_schedule(algorithm), range_game(self.settings)
        estimate(game.tree, game.boards).require("float32", cut="give lower raise caps or fewer ranks")
        super().__init__(RangeSolver(game, schedule, threads), str(schedule))
        self.rows = sum(
            tree.nodes * len(boards.cards) for tree, boards in zip(game.tree.streets, game.boards, strict=True)
        )

    def measure(self) -> float:
        return self.settings.mbb(self.solver.exploitability())

    def metrics(self) -> dict[str, float]:
        return {"rows_per_second": self.rate(self.rows)}

    def checkpoint(self, resumable: bool) -> Bundle:
        """Its arrays are the solver's own: written before the next step, or copied by the caller."""
        return FlopSolution(self.settings, self.solver, self.counted()).bundle()


class BlueprintTrainee(SolverTrainee):
    """A game of hold'em from before the flop on, learnt by buckets; an iteration updates both players."""

    unit = MBB
    solver: BlueprintSolver

    def __init__(
        self,
        game: HoldemGame,
        algorithm: str,
        abstraction: AbstractionSettings | None,
        asked: BlueprintSettings,
        seed: int,
        threads: int,
    ) -> None:
        what = BlueprintGame.of(game, abstraction)
        schedule = blueprint_schedule(algorithm)
        solver = BlueprintSolver(what, schedule, asked.boards, asked.epoch, seed, threads)
        super().__init__(solver, str(schedule), traversals=2)
        self.game, self.boards, self.threads = game, asked.boards, threads
        self.flops = asked.measure_flops

    def measure(self) -> float | None:
        """Exact over all flops where the deck is small or two streets are played, else on the flops asked for."""
        small = len(self.game.deck) < len(FULL_DECK) or self.game.rules.last_street == FLOP
        if not small and not self.flops:
            return None
        flops = flop_choice(self.solver.what.abstraction, "all" if small else str(self.flops))
        found = measure_flops(self.solver.what, self.solver.buckets, flops, self.threads)
        return self.game.mbb(found.exploitability)

    def metrics(self) -> dict[str, float]:
        each = 2.0 * self.boards
        return {"boards": self.iteration * each, "boards_per_second": self.rate(each)}

    def checkpoint(self, resumable: bool) -> Bundle:
        """Its arrays are the solver's own: written before the next step, or copied by the caller."""
        state = self.solver.state()
        arrays = {"averages": state.pop("averages")}
        kept = {STATE + name: array for name, array in state.items()} if resumable else {}
        fingerprint = self.solver.what.abstraction.fingerprint
        reached = {"abstraction": fingerprint, "boards": 2 * self.boards * self.iteration, "seconds": self.seconds}
        return Bundle("blueprint", {}, reached, {**arrays, **kept})

    def restore_from(self, bundle: Bundle) -> None:
        if bundle.reached.get("abstraction") != self.solver.what.abstraction.fingerprint:
            raise ValueError("it was learnt with other buckets of hands than this Runout makes")
        state = {name.removeprefix(STATE): array for name, array in bundle.arrays.items()}
        self.restore(state)
        self.seconds = float(bundle.reached["seconds"])
