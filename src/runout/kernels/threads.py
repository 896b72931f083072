"""Independent tasks on threads: kernels release the interpreter's lock, so plain threads use every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def thread_count(threads: int = 0) -> int:
    """`threads`, or the number of cores that this process may use when 0."""
    if threads > 0:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_map(function: Callable[[Task], Result], tasks: Iterable[Task], threads: int = 0) -> list[Result]:
    """Results in the order of the tasks, whatever the number of threads."""
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        return list(pool.map(function, tasks))


class Threads:
    """So many threads, started when they are first needed, and anew in a forked process, where none are left."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._kept: tuple[int, ThreadPoolExecutor | None] = (0, None)  # of which process

    def run(self, task: Callable[[int], None]) -> None:
        """task(0), task(1), ... side by side, one a thread."""
        if self.count == 1:
            task(0)
            return
        process, pool = self._kept
        if pool is None or process != os.getpid():
            pool = ThreadPoolExecutor(self.count)
            self._kept = os.getpid(), pool
        list(pool.map(task, range(self.count)))
