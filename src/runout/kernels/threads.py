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
