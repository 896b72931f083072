"""Independent tasks on the machines of a Ray cluster: the executor behind `--cluster`.

Tasks are handed out a window at a time, so that neither the driver nor the object store fills up. A task whose worker
or machine dies is tried again elsewhere by Ray; results come back to this process, which keeps them. Nothing is stored
in the cluster: it may go away at any moment.
"""

from __future__ import annotations

import logging
import os
import platform
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from runout.errors import InputError, RunoutError
from runout.memory import size
from runout.protocols import Done, Result, Task
from runout.run.executors import ATTEMPTS, THREADS, attempted, in_order

AUTO = "auto"  # the cluster that this machine is part of
ANSWER = 3.0  # seconds within which a machine has to answer
_STARTING = 60.0  # seconds for a node to start its first worker and say its versions
_WINDOW = 2  # tasks in flight for each core
_LOOK = 10.0  # seconds without a result after which to see whether a machine is left
# What Ray reads when it is imported, where the user has not said it: how often it tries, a second each, where something
# that is no Ray accepts the connection; and what it is not to write to the standard output, in the midst of results.
_ASKED_OF_RAY = {"RAY_NUM_REDIS_GET_RETRIES": "3", "RAY_DEDUP_LOGS_SKIP_REGEX": "."}


class RayCluster:
    """Runs tasks on the machines of a Ray cluster, with one thread each; results do not depend on how many there are.

    Args:
        address: 'HOST:PORT' of the head node (`ray start --head` prints it), or 'auto' for the cluster that this
            machine is part of.
        memory: bytes that a task needs; a machine gets no more tasks at a time than its memory holds.

    Connects when it is made, and refuses a cluster that does not answer or has other versions of Runout or NumPy on one
    of its machines. `close` ends the connection; the cluster goes on.
    """

    def __init__(self, address: str = AUTO, memory: int = 0) -> None:
        ray = ray_module()
        self.address, self.memory = address, memory
        self._own = not ray.is_initialized()
        if self._own:
            _require_answer(address)
            environment = {"env_vars": dict.fromkeys(THREADS, "1")}
            try:
                with _silence():
                    ray.init(
                        address=address, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR,
                        configure_logging=True,
                    )  # fmt: skip
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                raise InputError(_no_cluster(address, error)) from None
        try:
            self._require_room()
            self._require_same_versions()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the connection; tasks that are under way are dropped."""
        if self._own:
            ray_module().shutdown()

    def __enter__(self) -> RayCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def cores(self) -> int:
        """Cores of all machines that are there now."""
        return max(1, int(ray_module().cluster_resources().get("CPU", 1)))

    def nodes(self) -> list[dict[str, Any]]:
        """The machines that are there now and can run a task, as Ray describes them."""
        found = [node for node in ray_module().nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        return [node for node in found if node["Resources"].get("memory", 0) >= self.memory]

    def completed(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Done[Result]]:
        ray = ray_module()
        remote = ray.remote(_run).options(num_cpus=1, max_retries=ATTEMPTS, **self._reserved())
        mine = ray.put((function, versions()))  # once for each machine
        waiting = deque(enumerate(tasks))
        under_way: dict[Any, int] = {}
        try:
            while waiting or under_way:
                while waiting and len(under_way) < _WINDOW * self.cores:
                    number, task = waiting.popleft()
                    under_way[remote.remote(mine, number, task)] = number
                ready, _ = ray.wait(list(under_way), num_returns=1, timeout=_LOOK)
                if not ready:
                    self._require_room()
                for one in ready:
                    number = under_way.pop(one)
                    try:
                        yield ray.get(one)
                    except ray.exceptions.RayError as error:
                        yield Done(number, None, RunoutError(_lost(error)))
        except (ConnectionError, ray.exceptions.RaySystemError) as error:
            raise RunoutError(f"the cluster at {self.address} went away: {first_line(error)}") from None
        finally:
            for one in under_way:
                ray.cancel(one, force=True)

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        return in_order(self.completed(function, tasks), on_result)

    def _reserved(self) -> dict[str, int]:
        return {"memory": self.memory} if self.memory else {}

    def _require_room(self) -> None:
        """Refuse to wait for a machine that is not there."""
        if not self.nodes():
            needs = f" and {size(self.memory)} of memory" if self.memory else ""
            raise InputError(
                f"the cluster at {self.address} has no machine with a core{needs} for a task: add one by `ray start`, "
                "or give fewer sizes or narrower ranges"
            )

    def _require_same_versions(self) -> None:
        """Ask every machine before anything is solved; those that come later are asked with each task."""
        ray = ray_module()
        asked = {}
        for node in self.nodes():
            here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = ray.remote(_versions).options(num_cpus=0, scheduling_strategy=here, max_retries=1)
            asked[task.remote()] = str(node["NodeManagerAddress"])
        deadline = time.monotonic() + _STARTING
        while asked:
            ready, _ = ray.wait(list(asked), num_returns=1, timeout=max(0.0, deadline - time.monotonic()))
            if not ready:
                raise InputError(f"{', '.join(asked.values())} did not start a worker within {_STARTING:.0f} seconds")
            place = asked.pop(ready[0])
            try:
                theirs = ray.get(ready[0])
            except (ray.exceptions.RayTaskError, ray.exceptions.RuntimeEnvSetupError) as error:
                raise InputError(f"{place} cannot run tasks ({first_line(error)}): is Runout there?") from None
            except ray.exceptions.RayError:
                continue  # it has gone away meanwhile
            wrong = differing(theirs)
            if wrong:
                raise InputError(f"{place} has {wrong}: install the same versions on every machine")


def versions() -> dict[str, str]:
    """What has to be the same on every machine for results to be the same."""
    import numba
    import numpy

    own = sys.modules[__name__.partition(".")[0]].__version__
    found = {"runout": own, "numpy": numpy.__version__, "numba": numba.__version__}
    return found | {"python": ".".join(platform.python_version_tuple()[:2])}


def differing(theirs: dict[str, str]) -> str:
    """'numpy 2.1.0 where this machine has 2.4.6', or ''."""
    ours = versions()
    wrong = [
        f"{name} {theirs.get(name)} where this machine has {version}"
        for name, version in ours.items()
        if theirs.get(name) != version
    ]
    return ", ".join(wrong)


def _versions() -> dict[str, str]:
    """A task: what a machine has."""
    return versions()


def _run(mine: tuple[Callable[[Any], Any], dict[str, str]], number: int, task: Any) -> Done[Any]:
    """A task of a worker: refused where a machine that came later has other versions."""
    function, asked = mine
    wrong = differing(asked)
    if wrong:
        return Done(number, None, InputError(f"{platform.node()} is asked for {wrong}"))
    return attempted(number, function, task)


def ray_module() -> Any:
    """Ray, which nothing else here imports."""
    for name, value in _ASKED_OF_RAY.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray.exceptions
        import ray.util.scheduling_strategies
    except ImportError:
        raise InputError("a cluster needs Ray: pip install 'runout[cluster]'") from None
    return ray


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing on the standard error: Ray's own library writes a line there for each time that nobody answers."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _require_answer(address: str) -> None:
    """Refuse an address at which nobody answers, within seconds; Ray itself tries for a minute."""
    if address == AUTO:
        return
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or "/" in host:
        raise InputError(f"cluster {address!r}: use HOST:PORT of the head node, as in 10.0.0.1:6379, or auto")
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER).close()
    except (OSError, OverflowError) as error:
        raise InputError(_no_cluster(address, error)) from None


def _no_cluster(address: str, error: Exception) -> str:
    if address == AUTO:
        return "no Ray cluster runs on this machine: start one by `ray start --head`, or give its address"
    return f"no Ray cluster answers at {address} ({first_line(error)}): start one there by `ray start --head`"


def _lost(error: Exception) -> str:
    """Why a task was given up that Ray tried several times."""
    return f"its worker ended each of {ATTEMPTS + 1} times, or ran out of memory: {first_line(error)}"


def first_line(error: Exception) -> str:
    """What is said of an error in one line."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
