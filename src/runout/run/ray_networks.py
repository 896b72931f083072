"""Networks of hold'em that the machines of a Ray cluster train together: `train --solver sd-cfr --cluster`.

Every actor is a `Worker` as in a process of one machine, with shards of the walks and of the memory and a copy of the
networks. The actors send each other gradients (`NetworkTeam`); this process asks for iterations, keeps the networks and
writes checkpoints. Where one is lost all begin anew, go back to the last checkpoint and do the iterations since again.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from runout.errors import InputError, ShardLost
from runout.games.holdem import HoldemSettings
from runout.run.going_back import GoingBack
from runout.run.ray_cluster import RayCluster, ray_module
from runout.run.ray_shards import RayShards
from runout.run.training_directory import TrainingDirectory
from runout.solutions.format import Bundle
from runout.solvers.neural.holdem_trainee import NeuralHoldem
from runout.solvers.neural.network_team import NetworkTeam
from runout.solvers.neural.settings import NetworkSettings
from runout.solvers.neural.team import MALLOC, Build, parts_of
from runout.solvers.neural.worker import TrainingProblem


@dataclass(frozen=True, eq=False)
class MemberTask:
    """What an actor is to be."""

    number: int
    processes: int
    parts: int
    build: Build
    settings: dict[str, Any]
    torch: str  # the version that all must have


class NetworkMember:
    """What an actor holds: a team's place on its machine, and the object that was built there."""

    def __init__(self, task: MemberTask) -> None:
        if version("torch") != task.torch:
            wrong = f"torch {version('torch')} where the process that asks has {task.torch}"
            raise InputError(f"{platform.node()} has {wrong}: install the same versions on every machine")
        self._task, self._host = task, str(ray_module().util.get_node_ip_address())
        self._team = NetworkTeam(task.number, task.processes, task.parts, self._host)
        self._built: Any = None

    def meeting(self) -> tuple[str, int]:
        """Of number 0: where all are to meet."""
        return self._host, self._team.port()

    def begin(self, host: str, port: int) -> None:
        """Meet the others and build the object."""
        task = self._task
        self._team.join(host, port)
        self._built = task.build(self._team, parts_of(task.number, task.processes, task.parts), **task.settings)

    def call(self, method: str, *arguments: Any) -> Any:
        return getattr(self._built, method)(*arguments)

    def call_each(self, method: str, arguments: list[Any]) -> Any:
        return getattr(self._built, method)(arguments[self._task.number])


class RayTeam:
    """Actors that train together; a `Team`. `needs` is what all parts take, in bytes."""

    def __init__(self, cluster: RayCluster, build: Build, parts: int, needs: int, settings: dict[str, Any]) -> None:
        self.processes = max(1, min(parts, cluster.cores))
        mine = [parts_of(number, self.processes, parts) for number in range(self.processes)]
        tasks = [
            MemberTask(number, self.processes, parts, build, settings, version("torch"))
            for number in range(self.processes)
        ]
        room = [needs * len(own) // parts for own in mine]
        self._shards = RayShards(cluster, NetworkMember, tasks, room, together=True, environment=MALLOC)
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        self._shards.ask("begin", *self._shards.ask_one(0, "meeting"))

    def revive(self) -> None:
        """All anew, with nothing learnt: those that are left wait for one that is gone."""
        self._shards.close()
        self._shards.revive()
        self._begin()

    def call(self, method: str, *arguments: Any) -> list[Any]:
        return self._shards.ask("call", method, *arguments)

    def call_one(self, number: int, method: str) -> Any:
        return self._shards.ask_one(number, "call", method)

    def call_each(self, method: str, arguments: list[Any]) -> list[Any]:
        return self._shards.ask("call_each", method, arguments)

    def close(self) -> None:
        self._shards.close()


class ClusterNetworks(NeuralHoldem):
    """A `protocols.Trainee` whose workers are actors of a cluster; `folder` is the directory of the run, if any."""

    _workers: RayTeam

    def __init__(
        self,
        settings: HoldemSettings,
        problem: TrainingProblem,
        network: NetworkSettings,
        cluster: RayCluster,
        needs: int,
        folder: str | Path | None,
    ) -> None:
        self._directory = None if folder is None else TrainingDirectory(folder)
        self._again = GoingBack(lambda: self.iteration, self._step, self._go_back)
        parts = problem.memory.shards

        def team(build: Build, given: dict[str, Any]) -> RayTeam:
            return RayTeam(cluster, build, parts, needs, given)

        super().__init__(settings, problem, network, 1, team)

    def step(self, iterations: int) -> None:
        self._again.after(self.iteration + iterations, lambda: None)

    def _step(self) -> None:
        super().step(1)

    def checkpoint(self, resumable: bool) -> Bundle:
        return self._again.after(self.iteration, partial(super().checkpoint, resumable))

    def restore_from(self, bundle: Bundle) -> None:
        try:
            super().restore_from(bundle)
        except ShardLost:
            self._again.go_back()

    def _go_back(self) -> None:
        """Everything as in the last checkpoint that is on disk; what was measured since stays true."""
        curve = self.curve
        self._workers.revive()
        last = None if self._directory is None else self._directory.last()
        if last is None:
            self.begin_again()
        else:
            super().restore_from(last)
        self.curve = curve

    def metrics(self) -> dict[str, float]:
        lost = {"workers_lost": float(self._again.lost)} if self._again.lost else {}
        return {**super().metrics(), "workers": float(self._workers.processes), **lost}
