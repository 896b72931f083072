"""Objects that keep what they hold on the machines of a Ray cluster: the shards behind `train --cluster`.

Each is an actor with a core of its own. Its memory is asked for when it is placed, so a machine takes no more than it
has. Actors end with the process that made them.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from runout.errors import InputError, RunoutError, ShardLost
from runout.memory import size
from runout.run.ray_cluster import RayCluster, differing, first_line, ray_module, versions
from runout.run.shards import Holder, Make, result

_LOOK = 5.0  # seconds without an answer after which to see how many machines are left
_PATIENCE = 120.0  # seconds to wait for room that a machine which went away leaves


class RayShards:
    """One actor for each task; a `protocols.Shards`.

    Args:
        cluster: where they live.
        make: of a task, the object that is asked.
        needs: bytes that each takes, reserved on its machine.
        together: they wait for each other, so one that is lost or fails ends them all.
        environment: variables that their processes start with, besides those of the cluster.
    """

    def __init__(
        self,
        cluster: RayCluster,
        make: Make,
        tasks: Sequence[Any],
        needs: Sequence[int],
        together: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._cluster, self._make, self._tasks, self._needs = cluster, make, list(tasks), list(needs)
        self._held: list[Any] = [None] * len(self._tasks)
        self._together, self._environment = together, dict(environment or {})
        self._require_room()
        try:
            self.revive()
        except BaseException:
            self.close()
            raise

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        return self._asked(range(len(self._held)), method, arguments)

    def ask_one(self, number: int, method: str, *arguments: Any) -> Any:
        return self._asked([number], method, arguments)[0]

    def _asked(self, numbers: Sequence[int], method: str, arguments: tuple[Any, ...]) -> list[Any]:
        ray = ray_module()
        given = ray.put(arguments)  # once for each machine
        calls = [None if self._held[n] is None else self._held[n].answer.remote(method, given) for n in numbers]
        if self._together:
            self._wait_for_all(calls)
        found, lost = [], []
        for number, call in zip(numbers, calls, strict=True):
            try:
                if call is None:
                    raise ShardLost("it is not there")
                found.append(ray.get(call))
            except (ray.exceptions.RayError, ShardLost) as error:  # of all, also where one fails: they stay in step
                lost.append(f"shard {number + 1} ({first_line(error)})")
                self._drop(number)
        if lost:
            raise ShardLost(f"{', '.join(lost)} has gone")
        return [result(one) for one in found]

    def _wait_for_all(self, calls: Sequence[Any]) -> None:
        """Until all have answered; the first that fails ends the others, which would wait for it."""
        ray = ray_module()
        waiting = [call for call in calls if call is not None]
        try:
            while waiting:
                ready, waiting = ray.wait(waiting, num_returns=1)
                for one in ready:
                    result(ray.get(one))
        except ray.exceptions.RayError as error:
            self.close()
            raise ShardLost(f"a shard has gone ({first_line(error)})") from None
        except BaseException:
            self.close()
            raise

    def revive(self) -> None:
        ray = ray_module()
        share = 1 / max(1, -(-len(self._tasks) // self._cluster.cores))  # of a core, where there are fewer than shards
        fresh = [number for number, one in enumerate(self._held) if one is None]
        for number in fresh:
            options: dict[str, Any] = {
                "num_cpus": share,
                "memory": self._needs[number],
                "scheduling_strategy": "SPREAD",
            }
            if self._environment:
                options["runtime_env"] = {"env_vars": self._environment}
            actor = ray.remote(_RayHolder).options(max_restarts=0, **options)
            self._held[number] = actor.remote(self._make, self._tasks[number], versions())
        begun = {self._held[number].answer.remote("", ()): number for number in fresh}
        waited = time.monotonic()
        while begun:
            ready, _ = ray.wait(list(begun), num_returns=1, timeout=_LOOK)
            if not ready and time.monotonic() - waited > _PATIENCE:
                self._require_room()
                waiting = sum(self._needs[number] for number in begun.values())
                raise RunoutError(
                    f"{len(begun)} shards that need {size(waiting)} found no place within {_PATIENCE:.0f} seconds: "
                    "other programs hold the cluster's cores or memory"
                )
            for one in ready:
                number = begun.pop(one)
                try:
                    result(ray.get(one))
                except ray.exceptions.RayError as error:
                    self._drop(number)
                    raise ShardLost(f"shard {number + 1} has gone: {first_line(error)}") from None
                waited = time.monotonic()

    def close(self) -> None:
        for number, one in enumerate(self._held):
            if one is not None:
                self._drop(number)

    def _drop(self, number: int) -> None:
        ray = ray_module()
        one, self._held[number] = self._held[number], None
        if one is not None and ray.is_initialized():
            ray.kill(one)

    def _require_room(self) -> None:
        """Refuse what the machines that are there cannot hold, before anything is taken."""
        nodes = self._cluster.nodes()
        free = [int(node["Resources"].get("memory", 0)) for node in nodes]
        for need in sorted(self._needs, reverse=True):
            if not free or max(free) < need:
                held = ", ".join(size(int(node["Resources"].get("memory", 0))) for node in nodes) or "none"
                total, largest = sum(self._needs), max(self._needs)
                raise InputError(
                    f"{len(self._needs)} shards that need {size(total)}, the largest {size(largest)}, do not fit the "
                    f"machines of the cluster ({held} of memory): add machines, or give fewer flops or bet sizes, or "
                    "storage int16"
                )
            free[free.index(max(free))] -= need


class _RayHolder:
    """An actor."""

    def __init__(self, make: Make, task: Any, asked: dict[str, str]) -> None:
        own = deepcopy(task)  # what Ray hands over lies in its store, where kernels may not write
        self._wrong, self._holder = differing(asked), Holder(make, own)

    def answer(self, method: str, arguments: Sequence[Any]) -> tuple[bool, Any]:
        if self._wrong:
            return False, InputError(f"{platform.node()} is asked for {self._wrong}")
        good, found = self._holder.answer(method, arguments)
        return good, found if good else type(found)(f"{platform.node()}: {found}")
