"""What `runout train` trains besides networks of hold'em: small games, Flop Hold'em and blueprints, each a
`protocols.Trainee`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from runout.cards.abstraction import AbstractionSettings
from runout.cards.bucket_cuts import cut_arrays
from runout.cursors.flop_solution import FlopSolution
from runout.cursors.game_solution import GameSolution, chip_unit
from runout.cursors.network_game_solution import NetworkGameSolution
from runout.errors import InputError
from runout.games.betting import FLOP
from runout.games.compiled import CompiledGame
from runout.games.flop_choice import flop_choice
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem, settings_of
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.protocols import Shards, Solver
from runout.run.shards import ShardsHere
from runout.run.train_config import BlueprintSettings
from runout.solutions.format import NETWORK, STATE, Bundle, read_bundle, solution_path
from runout.solutions.reached import MBB, MILLIANTES, Reached
from runout.solutions.stored import fitting
from runout.solvers.auto import blueprint_schedule, range_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import load_blueprint
from runout.solvers.blueprint_shards import HeldRounds, RoundTask, ShardedBlueprint, spread
from runout.solvers.game_response import exploitability
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeSolver, make_range_solver, range_game

if TYPE_CHECKING:  # torch is imported by runs that need it, Ray by those on a cluster
    from runout.run.ray_cluster import RayCluster
    from runout.solvers.neural.small_games import NeuralSmallGame

_BUFFER = "buffer"  # state of a neural solver that a checkpoint has as networks


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

    @property
    def measures(self) -> bool:
        return True

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


class NetworkGameTrainee(SmallGameTrainee):
    """Networks of a small game; what is measured and saved is what the networks that are kept play."""

    solver: NeuralSmallGame

    def __init__(self, solver: NeuralSmallGame, seed: int, config: Mapping[str, Any]) -> None:
        super().__init__(solver.game, solver, solver.solver, seed)
        self.config = dict(config)

    def checkpoint(self, resumable: bool) -> Bundle:
        solver = self.solver
        arrays = {"kept": np.array(solver.kept, np.int64), "weights": solver.part_weights()}
        if solver.deep:
            arrays["weights"] = np.ones(1)
            arrays |= {f"{NETWORK}averages{player}": own[None] for player, own in enumerate(solver.averages())}
        else:
            for player, own in enumerate(solver.networks):
                arrays[f"{NETWORK}advantages{player}"] = np.array(own, np.float32).reshape(len(own), -1)
        state = (
            {name: array for name, array in self.state().items() if not name.startswith(_BUFFER)} if resumable else {}
        )
        return NetworkGameSolution(
            self.game, self.counted(), self.policy(), True, self.seed, state, self.config, arrays
        ).bundle()  # fmt: skip

    def restore_from(self, bundle: Bundle) -> None:
        own = {name.removeprefix(STATE): array for name, array in bundle.arrays.items() if name.startswith(STATE)}
        for player in range(2):  # files of 0.1.0 have them among the state
            networks = bundle.arrays.get(f"{NETWORK}advantages{player}", np.zeros((0, 0), np.float32))
            own.setdefault(f"{_BUFFER}{player}", networks)
        self.restore(own)
        self.seconds = float(bundle.reached["seconds"])


class FlopHoldemTrainee(SolverTrainee):
    """Flop Hold'em on the range engine."""

    unit = MBB
    solver: RangeSolver

    def __init__(
        self, settings: LimitHoldem, algorithm: str, threads: int, backend: str = "numba", device: str = "auto"
    ) -> None:
        self.settings = FlopHoldem.of_limit(settings, algorithm)
        schedule, game = range_schedule(algorithm), range_game(self.settings)
        estimate(game.tree, game.boards).require("float32", cut="give lower raise caps or fewer ranks")
        solver = make_range_solver(game, schedule, threads, backend=backend, device=device)
        super().__init__(solver, str(schedule))
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
        cluster: RayCluster | None = None,
    ) -> None:
        answers, after = asked.answers, game.rules.last_street
        if answers > after:
            raise InputError(f"blueprint.answers = {answers}: {game.name} has {after} street after the first")
        if (answers or asked.keep_preflop) and (cluster is not None or asked.shards > 1):
            name = "answers" if answers else "keep_preflop"
            raise InputError(f"blueprint.{name} is for one machine and one shard (blueprint.shards: 1)")
        what = BlueprintGame.of(game, abstraction)
        schedule = blueprint_schedule(algorithm)
        if cluster is None and asked.shards == 1:
            solver = BlueprintSolver(
                what, schedule, asked.boards, asked.epoch, seed, threads, answers=answers,
                keep_preflop=asked.keep_preflop,
            )  # fmt: skip
        else:
            held = spread(asked.shards, 1 if cluster is None else cluster.cores)
            tasks = [
                RoundTask(what, schedule, asked.boards, seed, asked.local, tuple(mine), threads, cluster is not None)
                for mine in held
            ]
            shards = _rounds_held(tasks, cluster)
            solver = ShardedBlueprint(what, schedule, asked.boards, asked.epoch, seed, shards, held)
        super().__init__(solver, str(schedule), traversals=2)
        self.game, self.boards, self.threads = game, asked.boards * asked.shards * asked.local, threads
        self.flops, self.asked = asked.measure_flops, asked

    def step(self, iterations: int) -> None:
        if self.solver.iteration == 0 and self.asked.begin_from is not None and iterations:
            self._begin(self.asked.begin_from)
        super().step(iterations)

    def _begin(self, run: str) -> None:
        bundle = read_bundle(solution_path(run), "blueprint")
        try:
            game = settings_of(str(bundle.config["game_type"]), bundle.config.get("game") or {}).game()
            policy = load_blueprint(game, bundle)
            regrets = fitting(bundle.arrays, f"{STATE}regrets", (policy.what.numbers,), np.float32)
            asked = BlueprintSettings.model_validate(bundle.config.get("blueprint") or {})
            epochs = int(bundle.arrays[f"{STATE}iteration"]) // (2 * asked.epoch)
            epochs += int(bundle.arrays.get(f"{STATE}epochs_before", 0))
            scale = _paces(policy.what, self.asked) / _paces(policy.what, asked)
            self.solver.begin_from(policy.what, regrets, policy.buckets.averages, epochs, scale.tolist())
        except (KeyError, ValueError) as error:  # a compact one has no regrets
            raise InputError(f"blueprint.begin_from: {run} is no run that training can go on from ({error})") from None

    @property
    def small(self) -> bool:
        return len(self.game.deck) < len(FULL_DECK) or self.game.rules.last_street == FLOP

    @property
    def measures(self) -> bool:
        return self.small or self.flops > 0

    def measure(self) -> float | None:
        """Exact over all flops where the deck is small or two streets are played, else on the flops asked for."""
        if not self.measures:
            return None
        flops = flop_choice("all" if self.small else str(self.flops), self.solver.what.game.deck)
        found = measure_flops(self.solver.what, self.solver.buckets, flops, self.threads)
        return self.game.mbb(found.exploitability)

    def metrics(self) -> dict[str, float]:
        each = 2.0 * self.boards
        found = {"boards": self.iteration * each, "boards_per_second": self.rate(each)}
        if isinstance(self.solver, ShardedBlueprint) and self.solver.rounds:
            found["sent_mb_per_iteration"] = self.solver.sent / self.solver.rounds / 1e6
        return found

    def close(self) -> None:
        """End what learns for it elsewhere."""
        if isinstance(self.solver, ShardedBlueprint):
            self.solver.shards.close()

    def checkpoint(self, resumable: bool) -> Bundle:
        """Its arrays are the solver's own: written before the next step, or copied by the caller."""
        state = self.solver.state()
        arrays = {"averages": state.pop("averages"), **cut_arrays(self.solver.what.abstraction.cuts)}
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


def _paces(what: BlueprintGame, asked: BlueprintSettings) -> np.ndarray:
    """float64 [streets]: boards of each street in an epoch, for each player; before the flop, iterations."""
    found = np.full(what.streets, float(asked.epoch * asked.local * asked.boards))
    found[0] = asked.epoch * asked.local
    if asked.answers > 1:
        found[-1] *= what.rivers
    return found


def _rounds_held(tasks: list[RoundTask], cluster: RayCluster | None) -> Shards:
    """Who does the rounds: this process, or actors of a cluster, which ask for their memory."""
    if cluster is None:
        return ShardsHere(HeldRounds, tasks)
    from runout.run.ray_shards import RayShards

    tables = [8 * task.what.numbers * (1 + len(task.shards)) for task in tasks]
    needs = [table + task.what.sweep_bytes(task.batch, 1) for table, task in zip(tables, tasks, strict=True)]
    return RayShards(cluster, HeldRounds, tasks, needs)
