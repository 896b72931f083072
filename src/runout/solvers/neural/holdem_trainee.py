"""Neural solvers as `runout train` runs them: worker processes, the model buffer, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runout.errors import TrainingError
from runout.games.deals import DealPool
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import HoldemSettings, LimitHoldem
from runout.solutions.format import NETWORK, STATE, Bundle
from runout.solvers.neural.board_policies import BoardAverage, BoardPolicy
from runout.solvers.neural.board_shard import BoardProblem
from runout.solvers.neural.board_walk import holds_every_board
from runout.solvers.neural.fitting import FittingTeam
from runout.solvers.neural.flop_average import FlopAverage
from runout.solvers.neural.flop_shard import FlopProblem
from runout.solvers.neural.holdem_shard import HoldemProblem
from runout.solvers.neural.network_policies import BOARDS, FlopPolicy, NetworkPolicy
from runout.solvers.neural.preflop_table import preflop_table
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings, walks_boards, walks_ranges
from runout.solvers.neural.team import Build, Team, Workers, parts_of
from runout.solvers.neural.worker import TrainingProblem, Worker, beginning
from runout.solvers.torch_backend import pick_device
from runout.solvers.whole import uninterrupted

MEASURED_ROWS = 300_000  # hands times flops up to which Flop Hold'em is measured on the way
_SPARE = 4096  # numbers that processes add up besides gradients

MakeTeam = Callable[[Build, dict[str, Any]], Team]  # of what a process builds and its settings


class NeuralHoldem:
    """A `protocols.Trainee` of hold'em."""

    unit = "mbb/hand"

    def __init__(
        self,
        settings: HoldemSettings,
        problem: TrainingProblem,
        network: NetworkSettings,
        workers: int,
        team: MakeTeam | None = None,
    ) -> None:
        self.settings, self.problem, self.network = settings, problem, network
        self.iteration = 0
        self.kept: list[int] = []  # iterations of the model buffer
        self.buffer: list[list[np.ndarray]] = [[], []]  # their advantage networks, by player
        self.averages: list[np.ndarray] = []  # average networks (deep-cfr), by player
        self._workers = (team or self._here(workers))(_worker, {"problem": problem})
        self._played: list[np.ndarray] = self._weights()
        self._metrics: dict[str, float] = {}
        self._nodes = 0.0
        self._average: FlopAverage | BoardAverage | None = None
        self._added = 0
        self.curve: list[tuple[int, float]] = []
        self._new_average()

    def _here(self, workers: int) -> MakeTeam:
        """Processes of this machine."""
        problem, parts = self.problem, self.problem.memory.shards
        sizes = [sum(part.numel() for part in problem.network(player, "", 0).parameters()) for player in range(2)]
        return lambda build, settings: Workers(build, parts, min(workers, parts), max(sizes) + _SPARE, settings)

    def _weights(self) -> list[np.ndarray]:
        """Of the networks, which are the same in every process."""
        found: list[list[np.ndarray]] = self._workers.call("weights")
        for other in found[1:]:
            if not all(np.array_equal(*both, equal_nan=True) for both in zip(found[0], other, strict=True)):
                raise TrainingError(
                    "the networks of two processes differ: machines of different processors round differently; train "
                    "on machines of one kind"
                )
        return [np.array(own) for own in found[0]]  # those of a cluster are in its store, which is to stay small

    def _new_average(self) -> None:
        """Where the explicit average can be measured exactly, in seconds."""
        problem, self._added = self.problem, 0
        if isinstance(problem, FlopProblem) and len(problem.game.boards[1].cards) * 1176 < MEASURED_ROWS:
            self._average = FlopAverage(problem.settings, self.network, self._workers.processes)
        elif isinstance(problem, BoardProblem) and holds_every_board(problem.game):
            self._average = BoardAverage(self.settings.game(), self.network)

    def step(self, iterations: int) -> None:
        for _ in range(iterations):
            with uninterrupted():
                self._iterate(self.iteration + 1)

    def _iterate(self, t: int) -> None:
        if not self.problem.averages and (t - 1) % self.network.keep_every == 0:
            self.kept.append(t)
            for player in range(2):
                self.buffer[player].append(self._played[player])
        begun = time.perf_counter()
        found = self._workers.call("iterate", t)
        took = time.perf_counter() - begun
        self._played = self._weights()
        self.averages = self._played[2:]
        self.iteration = t
        self._tell(found, took)

    def _tell(self, found: list[dict[str, float]], took: float) -> None:
        means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
        nodes = sum(one["nodes"] for one in found)
        self._nodes += nodes
        rows = 2 * self.problem.sgd.steps * self.problem.sgd.batch_size
        self._metrics = {
            "loss": means["loss"],
            **({"explained": means["explained"]} if "explained" in means else {}),
            "fitted_loss": means["fitted_loss"],
            "samples": sum(one["samples"] for one in found),
            "nodes": self._nodes,
            "nodes_per_second": nodes / max(means["walking_seconds"], 1e-9),
            "rows_per_second": rows / max(means["fitting_seconds"], 1e-9),
            "walking_seconds": means["walking_seconds"],
            "fitting_seconds": means["fitting_seconds"],
            "iteration_seconds": took,
        }
        if sent := sum(one["sent"] for one in found):
            self._metrics["sent_mb_per_iteration"] = sent / 1e6

    def metrics(self) -> dict[str, float]:
        return dict(self._metrics)

    @property
    def measures(self) -> bool:
        return self._average is not None

    def measure(self) -> float | None:
        """Exact where it takes seconds (Flop Hold'em with few cards); `runout evaluate` measures what is larger."""
        if self._average is None or not self.kept:
            return None
        for part in range(self._added, len(self.kept)):
            self._average.add((self.buffer[0][part], self.buffer[1][part]), float(self.kept[part]))
        self._added = len(self.kept)
        found = self.settings.game().mbb(self._average.exploitability())
        self.curve.append((self.iteration, found))
        return found

    def part_weights(self) -> np.ndarray:
        """float64 [parts]: odds with which each network of the buffer is drawn, in proportion to its iteration."""
        weights = np.array(self.kept, np.float64)
        return np.asarray(weights / weights.sum()) if self.kept else weights

    def policy(self) -> NetworkPolicy | FlopPolicy | BoardPolicy:
        """The average strategy as networks play it."""
        if self.averages:
            parts = [own[None] for own in self.averages]
            return NetworkPolicy(self.settings.game(), self.network, parts, np.ones(1), True)
        parts = [np.stack(own) for own in self.buffer]
        if isinstance(self.problem, FlopProblem):
            assert isinstance(self.settings, LimitHoldem)
            kept = np.array(self.kept, np.int64)
            return FlopPolicy(self.settings, self.network, parts, self.part_weights(), kept)
        if isinstance(self.problem, BoardProblem):
            kept = np.array(self.kept, np.int64)
            return BoardPolicy(self.settings.game(), self.network, parts, self.part_weights(), kept)
        return NetworkPolicy(self.settings.game(), self.network, parts, self.part_weights(), False)

    def memory(self) -> int:
        """Bytes of the model buffer; memories are in the worker processes."""
        return sum(one.nbytes for own in self.buffer for one in own)

    def state(self) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {"iteration": np.array(self.iteration), "nodes": np.array(self._nodes)}
        for process in range(self._workers.processes):  # one after the other: they are large
            state = self._workers.call_one(process, "state")
            if process == 0:
                found |= {f"networks_{name}": array for name, array in state["networks"].items()}
            for n, part in enumerate(self._parts(process)):
                found |= {f"shard{part}_{name}": array for name, array in state[f"shard{n}"].items()}
        return found

    def _parts(self, process: int) -> range:
        return parts_of(process, self._workers.processes, self.problem.memory.shards)

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration, self._nodes = int(state["iteration"]), float(state["nodes"])
        networks, each = beginning(state, "networks_"), []
        for process in range(self._workers.processes):
            shards = {f"shard{n}": beginning(state, f"shard{part}_") for n, part in enumerate(self._parts(process))}
            each.append({"networks": networks, **shards})
        self._workers.call_each("restore", each)
        self._played = self._weights()
        self.averages = self._played[2:]

    def checkpoint(self, resumable: bool) -> Bundle:
        arrays: dict[str, np.ndarray] = {
            f"{NETWORK}advantages{player}": np.stack(own) if own else np.zeros((0, 0), np.float32)
            for player, own in enumerate(self.buffer)
        }
        arrays |= {f"{NETWORK}averages{player}": own[None] for player, own in enumerate(self.averages)}
        arrays["kept"], arrays["weights"] = np.array(self.kept, np.int64), self.part_weights()
        arrays["curve"] = np.array(self.curve, np.float64).reshape(-1, 2)
        if self.kept or self.averages:
            lines, table = preflop_table(self.settings.game(), self.policy())
            arrays |= {"preflop_lines": lines, "preflop": table}
        if resumable:
            arrays |= {f"{STATE}{name}": array for name, array in self.state().items()}
        walks: dict[str, Any] = {"walks": BOARDS} if isinstance(self.problem, BoardProblem) else {}
        return Bundle("neural", {}, {"networks": len(self.kept), **walks}, arrays)

    def begin_again(self) -> None:
        """With workers that know nothing."""
        self.iteration, self._nodes = 0, 0.0
        self.kept, self.buffer, self.curve = [], [[], []], []
        self._played, self.averages = self._weights(), []
        if self._average is not None:
            self._new_average()

    def restore_from(self, bundle: Bundle) -> None:
        self.restore(beginning(bundle.arrays, STATE))
        self.kept = bundle.arrays["kept"].tolist()
        self.buffer = [list(bundle.arrays[f"{NETWORK}advantages{player}"]) for player in range(2)]
        self.curve = [(int(t), float(x)) for t, x in bundle.arrays["curve"]]
        if self._average is not None:
            self._new_average()

    def close(self) -> None:
        """End the worker processes."""
        self._workers.close()


def _worker(team: FittingTeam, parts: range, problem: TrainingProblem) -> Worker:
    return Worker(team, parts, problem)


def make_problem(
    solver: str,
    game: HoldemSettings,
    *,
    network: NetworkSettings,
    sgd: SgdSettings,
    memory: MemorySettings,
    traversals: int,
    seed: int,
    device: str,
    pool: DealPool | None,
) -> TrainingProblem:
    """What a game of hold'em asks of its workers; Flop Hold'em under sd-cfr is walked range against range."""
    where = pick_device(device).type
    if walks_ranges(game, solver, memory):
        return FlopProblem(FlopHoldem.of_limit(game), network, sgd, memory, seed, device=where)
    if walks_boards(game, solver, memory) and pool is None:
        return BoardProblem(game, network, sgd, memory, traversals, seed, device=where)
    return HoldemProblem(game, network, sgd, memory, traversals, seed, pool, solver == "deep-cfr", where)
