"""Where independent tasks run: here, one after the other, or in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from runout.errors import RunoutError
from runout.protocols import Result, Task

_THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # of a process; torch goes by OMP's


class Serial:
    """Runs tasks in this process, one after the other."""

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        return [_heard(function(task), on_result) for task in tasks]


class Processes:
    """Runs tasks in fresh processes of one thread each; results do not depend on how many there are.

    `function` is one of a module, not a closure; tasks and results are copied between processes, so keep them small.
    An error that a task raises is raised here, and tasks that have not begun are dropped.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        listed = list(tasks)
        if not listed:
            return []
        context = multiprocessing.get_context("spawn")  # threads of this process do not survive a fork
        before = {name: os.environ.get(name) for name in _THREADS}
        os.environ.update(dict.fromkeys(_THREADS, "1"))  # read when a process starts
        try:
            with ProcessPoolExecutor(min(self.workers, len(listed)), context) as pool:
                futures = [pool.submit(function, task) for task in listed]
                try:
                    return [_heard(future.result(), on_result) for future in futures]
                except BrokenProcessPool:
                    raise RunoutError(
                        "a process ended before its task was done: memory ran out, or this is a script that starts "
                        "processes outside of `if __name__ == '__main__':`"
                    ) from None
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def _heard(result: Result, on_result: Callable[[Result], None] | None) -> Result:
    if on_result is not None:
        on_result(result)
    return result
