"""Where independent tasks run: here, one after the other, or in processes of their own.

`run.ray_cluster` has the same for the machines of a cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any

from runout.errors import RunoutError
from runout.protocols import Done, Result, Task

THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # of a process; torch goes by OMP's
ATTEMPTS = 3  # at a task whose process ends before the task does
_READY = None  # what a process says first


class Serial:
    """Runs tasks in this process, one after the other."""

    def completed(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[Done[Result]]:  # fmt: skip
        for number, task in enumerate(tasks):
            yield attempted(number, function, task)

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        return in_order(self.completed(function, tasks), on_result)


class Processes:
    """Runs tasks in fresh processes of one thread each; results do not depend on how many there are.

    `function` is one of a module, not a closure; tasks and results are copied between processes, so keep them small.
    A process that is killed is replaced and its task tried again, `ATTEMPTS` times in all.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def completed(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[Done[Result]]:  # fmt: skip
        waiting = deque(enumerate(tasks))
        failed_before: dict[int, int] = {}
        crew = [_Worker(function) for _ in range(min(self.workers, len(waiting)))]
        try:
            while crew:
                for one in _heard(crew):
                    said = one.hear()
                    if isinstance(said, Done):
                        yield said
                    elif said is not None:  # the process has ended, with this task in hand
                        number, task = said
                        failed_before[number] = failed_before.get(number, 0) + 1
                        if failed_before[number] < ATTEMPTS:
                            waiting.appendleft((number, task))
                        else:
                            yield Done(number, None, RunoutError(_ENDED))
                    if not one.alive:
                        crew.remove(one)
                        if waiting:
                            crew.append(_Worker(function))
                    elif waiting:
                        one.give(*waiting.popleft())
                    else:
                        crew.remove(one)
                        one.end()
        finally:
            for one in crew:
                one.end()

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        return in_order(self.completed(function, tasks), on_result)


_ENDED = (
    "a process ended before its task was done: memory ran out, it was killed, or this is a script that starts "
    "processes outside of `if __name__ == '__main__':`"
)


class _Worker:
    """A process that does one task after the other."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")  # threads of this process do not survive a fork
        self.link, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, function), daemon=True)
        self._task: tuple[int, Any] | None = None
        self._begun, self.alive = False, True
        with one_thread():  # read when a process starts
            self._process.start()
        other.close()

    def give(self, number: int, task: Any) -> None:
        self._task = number, task
        with suppress(OSError):  # it has ended: heard of next
            self.link.send((number, task))

    def hear(self) -> Done[Any] | tuple[int, Any] | None:
        """What it has done; where the process has ended, the task that it had in hand."""
        try:
            said = self.link.recv()
        except (EOFError, OSError):
            self.alive = False
            self._process.join()
            self.link.close()
            if not self._begun:
                raise RunoutError(_ENDED) from None
            return self._task
        self._begun, self._task = True, None
        return said if isinstance(said, Done) else None

    def end(self) -> None:
        """End it at once, whatever it does."""
        self.link.close()
        if self._task is not None:
            self._process.kill()
        self._process.join()


def _heard(crew: list[_Worker]) -> list[_Worker]:
    """Those that have something to say, or have ended."""
    ready = connection.wait([one.link for one in crew])
    return [one for one in crew if one.link in ready]


def _serve(link: connection.Connection, function: Callable[[Any], Any]) -> None:
    """What a process does; Ctrl-C is for the process that gives the tasks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # nobody gives tasks any more
        link.send(_READY)
        while True:
            number, task = link.recv()
            done = attempted(number, function, task)
            try:
                link.send(done)
            except (TypeError, AttributeError, ValueError) as error:  # a result that cannot be sent
                link.send(Done(number, None, RunoutError(f"what a task gave cannot be sent: {error}")))


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes that start in this block have one thread each."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def attempted(number: int, function: Callable[[Task], Result], task: Task) -> Done[Result]:
    """A task, done or failed."""
    try:
        return Done(number, function(task), None)
    except Exception as error:
        return Done(number, None, error)


def in_order(
    completed: Iterator[Done[Result]], on_result: Callable[[Result], None] | None = None
) -> list[Result]:  # fmt: skip
    """All results in the order of the tasks; the first error that is met is raised, and the rest dropped."""
    early: dict[int, Any] = {}
    found: list[Result] = []
    try:
        for done in completed:
            if done.error is not None:
                raise done.error
            early[done.number] = done.result
            while len(found) in early:
                found.append(early.pop(len(found)))
                if on_result is not None:
                    on_result(found[-1])
    finally:
        close = getattr(completed, "close", None)
        if close is not None:
            close()
    return found
