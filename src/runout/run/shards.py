"""Objects that keep what they hold, asked together: in this process, or each in a process of its own.

`run.ray_shards` has the same for the machines of a cluster. An object that is lost is told of (`ShardLost`), made anew
when it is asked for (`revive`), and then knows nothing: who asks keeps what it held in files.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import connection
from typing import Any

from runout.errors import RunoutError, ShardLost
from runout.run.executors import one_thread

Make = Callable[[Any], Any]  # of a task: the object to be asked


class ShardsHere:
    """Objects of this process, asked one after the other; a `protocols.Shards`."""

    def __init__(self, make: Make, tasks: Sequence[Any]) -> None:
        self._held = [make(task) for task in tasks]

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        return [getattr(one, method)(*arguments) for one in self._held]

    def ask_one(self, number: int, method: str, *arguments: Any) -> Any:
        return getattr(self._held[number], method)(*arguments)

    def revive(self) -> None:
        """Nothing to do: they go where this process goes."""

    def close(self) -> None:
        self._held.clear()


class ShardProcesses:
    """Each object in a process of one thread; a `protocols.Shards`. `make` is a function or class of a module."""

    def __init__(self, make: Make, tasks: Sequence[Any]) -> None:
        self._make, self._tasks = make, list(tasks)
        self._held: list[_Process | None] = [None] * len(self._tasks)
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
        for number in numbers:
            self._tell(number, (method, arguments))
        found = [self._heard(number) for number in numbers]  # of all, also where one fails: they stay in step
        lost = [number for number in numbers if self._held[number] is None]
        if lost:
            raise ShardLost(f"shard {', '.join(str(number + 1) for number in lost)} ended: memory ran out, or a kill")
        return [result(one) for one in found]

    def _tell(self, number: int, call: Any) -> None:
        one = self._held[number]
        if one is not None:
            with suppress(OSError):  # it has ended: heard of next
                one.link.send(call)

    def _heard(self, number: int) -> Any:
        one = self._held[number]
        if one is not None:
            with suppress(EOFError, OSError):
                return one.link.recv()
            one.end()
            self._held[number] = None
        return None

    def revive(self) -> None:
        fresh = [number for number, one in enumerate(self._held) if one is None]
        for number in fresh:
            self._held[number] = _Process(self._make, self._tasks[number])
        self._asked(fresh, "", ())

    def pids(self) -> list[int]:
        """The processes that hold them now."""
        return [int(one.process.pid or 0) for one in self._held if one is not None]

    def close(self) -> None:
        for one in self._held:
            if one is not None:
                one.end()
        self._held = [None] * len(self._tasks)

    def __del__(self) -> None:
        self.close()


class _Process:
    """A process that holds an object."""

    def __init__(self, make: Make, task: Any) -> None:
        context = multiprocessing.get_context("spawn")  # threads of this process do not survive a fork
        self.link, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, make, task), daemon=True)
        with one_thread():
            self.process.start()
        other.close()

    def end(self) -> None:
        self.link.close()
        self.process.kill()
        self.process.join()


def _serve(link: connection.Connection, make: Make, task: Any) -> None:
    """What such a process does; Ctrl-C is for the process that asks. The first answer says that it has begun."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    holder = Holder(make, task)
    with suppress(EOFError, OSError):  # nobody asks any more
        while True:
            method, arguments = link.recv()
            link.send(holder.answer(method, arguments))


class Holder:
    """An object that is made when it is first asked; answers are results or errors, to be sent back."""

    def __init__(self, make: Make, task: Any) -> None:
        self._make, self._task, self._held = make, task, None

    def answer(self, method: str, arguments: Sequence[Any]) -> tuple[bool, Any]:
        """Of a method by name; of '', nothing but that it is there."""
        try:
            if self._held is None:
                self._held = self._make(self._task)
            return True, getattr(self._held, method)(*arguments) if method else None
        except Exception as error:
            known = error if isinstance(error, RunoutError) else RunoutError(f"{type(error).__name__}: {error}")
            return False, known


def result(answer: tuple[bool, Any]) -> Any:
    """What a `Holder` answered; raises what went wrong there."""
    good, found = answer
    if not good:
        raise found
    return found
