"""Worker processes that train together: each holds some parts of the memory and a copy of the networks.

Gradients are added up through shared memory, in the order of the parts, so every copy takes the very same step. A
worker ends by itself when the process that started it is gone. `network_team` adds up between machines instead.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any, Protocol

import numpy as np

from runout.errors import RunoutError, TrainingError
from runout.solvers.neural.fitting import FittingTeam, added

MALLOC = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 32)}  # bytes
_DIED = "a worker process died (out of memory?): resume from the last checkpoint"
PATIENCE = 600.0  # seconds that a process waits for the others

Build = Callable[..., Any]  # (team, parts of this process, **settings) -> an object whose methods are called


class Team(Protocol):
    """One object a process, on one machine or several; those that do something together wait for each other."""

    processes: int

    def call(self, method: str, *arguments: Any) -> list[Any]:
        """The results of a method of every object, in the order of the processes."""

    def call_one(self, number: int, method: str) -> Any:
        """The result of a method of one of them."""

    def call_each(self, method: str, arguments: list[Any]) -> list[Any]:
        """The results of all, with one argument for each."""

    def close(self) -> None:
        """End the processes."""


def parts_of(number: int, processes: int, parts: int) -> range:
    """Those of process `number`."""
    return range(number * parts // processes, (number + 1) * parts // processes)


class SharedTeam(FittingTeam):
    """Processes that add arrays up; `room` is the most numbers of one."""

    def __init__(self, number: int, processes: int, parts: int, memory: str, room: int, barrier: Any) -> None:
        self.processes, self.parts, self._barrier = processes, parts, barrier
        self._mine = parts_of(number, processes, parts)
        self._memory = SharedMemory(memory)
        # Two sheets in turn: who writes the next one cannot disturb those who still read the last.
        self._sheets = np.ndarray((2, parts, room), np.float32, self._memory.buf)
        self._turn = 0

    def add(self, rows: np.ndarray) -> np.ndarray:
        sheet = self._sheets[self._turn][:, : rows.shape[1]]
        self._turn = 1 - self._turn
        sheet[self._mine.start : self._mine.stop] = rows
        self._barrier.wait(PATIENCE)
        return added(sheet)

    def close(self) -> None:
        del self._sheets
        self._memory.close()


class Workers:
    """Objects of this machine, made by `build`; a `Team`."""

    def __init__(self, build: Build, parts: int, processes: int, room: int, settings: dict[str, Any]) -> None:
        self._pipes: list[Any] = []
        self._local: Any = None
        self.processes = max(1, processes)
        if processes <= 1:
            team = FittingTeam()
            team.parts = parts
            self._local = build(team, range(parts), **settings)
            return
        context = multiprocessing.get_context("spawn")
        self._memory = SharedMemory(create=True, size=2 * parts * room * 4)
        barrier = context.Barrier(processes)
        self._processes = []
        for number in range(processes):
            own, theirs = context.Pipe()
            mine = parts_of(number, processes, parts)
            arguments = (theirs, build, mine, (number, processes, parts, self._memory.name, room, barrier), settings)
            process = context.Process(target=_serve, args=arguments, daemon=True)
            with _kept_memory():
                process.start()
            theirs.close()
            self._pipes.append(own)
            self._processes.append(process)
        self._results(self._pipes)  # built, or what went wrong

    def call(self, method: str, *arguments: Any) -> list[Any]:
        if self._local is not None:
            return [getattr(self._local, method)(*arguments)]
        return self._asked(self._pipes, [(method, arguments)] * len(self._pipes))

    def call_one(self, number: int, method: str) -> Any:
        if self._local is not None:
            return getattr(self._local, method)()
        return self._asked(self._pipes[number : number + 1], [(method, ())])[0]

    def call_each(self, method: str, arguments: list[Any]) -> list[Any]:
        if self._local is not None:
            return [getattr(self._local, method)(arguments[0])]
        return self._asked(self._pipes, [(method, (argument,)) for argument in arguments])

    def _asked(self, pipes: list[Any], calls: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        try:
            for pipe, call in zip(pipes, calls, strict=True):
                pipe.send(call)
        except OSError:  # nobody is there to read it
            self.close()
            raise TrainingError(_DIED) from None
        return self._results(pipes)

    def _results(self, pipes: list[Any]) -> list[Any]:
        """One from each of these; the first that fails or dies ends them all, since the others wait for it."""
        found: dict[Any, Any] = {}
        while len(found) < len(pipes):
            for pipe in connection.wait([pipe for pipe in pipes if pipe not in found]):
                assert isinstance(pipe, connection.Connection)
                try:
                    good, result = pipe.recv()
                except (EOFError, OSError):
                    good, result = False, TrainingError(_DIED)
                if not good:
                    self.close()
                    raise result
                found[pipe] = result
        return [found[pipe] for pipe in pipes]

    def close(self) -> None:
        if self._local is not None or not self._pipes:
            return
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join(5)
        self._pipes = []
        self._memory.close()
        self._memory.unlink()

    def __del__(self) -> None:
        self.close()


@contextmanager
def _kept_memory() -> Iterator[None]:
    """Let the C library of processes started here keep what they free: they take the same large arrays over and over,
    and pages that are given back and taken again cost a fifth of the time."""
    before = {name: os.environ.get(name) for name in MALLOC}
    os.environ.update(MALLOC)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _serve(pipe: Any, build: Build, parts: range, team: tuple[Any, ...], settings: dict[str, Any]) -> None:
    """What a worker process does: build its object, then answer calls until nobody is there to ask."""
    import signal

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # to the whole group: they are for the process that asks, and saves
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.current_thread().name = f"worker-{team[0]}"
    try:
        shared = SharedTeam(*team)
        built = build(shared, parts, **settings)
        pipe.send((True, None))
        while True:
            method, arguments = pipe.recv()
            pipe.send((True, getattr(built, method)(*arguments)))
    except (EOFError, BrokenPipeError):
        return
    except RunoutError as error:
        pipe.send((False, error))
    except Exception:
        pipe.send((False, TrainingError(f"a worker process failed: {traceback.format_exc(limit=-1).splitlines()[-1]}")))
