"""Solutions in memory: the ones looked at last, as many as fit, each used by one thread at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from cachetools import LRUCache

from runout import memory
from runout.app.web.errors import ApiError
from runout.app.web.library import Library
from runout.cursors.view import Explorer
from runout.explorers import open_explorer

Answer = TypeVar("Answer")

_THREADS = 4  # requests about solutions that are worked on at the same time
KEPT = 2_000_000_000  # bytes of solutions that stay open, where nothing else is asked for
MOST_WAITING = 2000  # requests about solutions that wait


@dataclass(eq=False)
class _Entry:
    """A solution that is open, or is being opened by whoever holds its lock."""

    saved: tuple[int, int]  # what its meta.json was when it was opened
    size: int  # bytes on disk, about what it takes in memory
    lock: threading.Lock = field(default_factory=threading.Lock)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # who waits here takes no thread
    explorer: Explorer | None = None


class Loaded:
    """Explorers by id; the least recently used go when all of them take more than `limit` bytes."""

    def __init__(self, library: Library, limit: int | None = None) -> None:
        self.library = library
        self.limit = min(KEPT if limit is None else limit, memory.available() // 2)  # bytes
        self._entries: LRUCache[str, _Entry] = LRUCache(self.limit, self._weight)
        self._guard = threading.Lock()
        self._pool = ThreadPoolExecutor(_THREADS, "solution")
        self._waiting = 0

    async def use(self, solution: str, ask: Callable[[Explorer], Answer]) -> Answer:
        """What `ask` gives of a solution, which is opened first where it is not open."""
        if self._waiting >= MOST_WAITING:
            raise ApiError(429, "too many requests wait: try again")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            entry = await loop.run_in_executor(None, self._entry, solution)
            async with entry.turn:
                return await loop.run_in_executor(self._pool, self._ask, solution, entry, ask)
        finally:
            self._waiting -= 1

    @property
    def open(self) -> set[str]:
        """Ids of the solutions that are in memory."""
        with self._guard:
            return set(self._entries)

    def drop(self, solution: str) -> None:
        """Forget a solution, because it was deleted."""
        with self._guard:
            self._entries.pop(solution, None)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _entry(self, solution: str) -> _Entry:
        path = self.library.path(solution)
        stat = self.library.saved(solution, path)
        saved = (stat.st_mtime_ns, stat.st_ino)
        with self._guard:
            entry = self._entries.get(solution)
            if entry is None or entry.saved != saved:
                entry = self._entries[solution] = _Entry(saved, _size(path))
            return entry

    def _weight(self, entry: _Entry) -> int:
        """Bytes; a solution that is larger than all room takes all of it."""
        return min(entry.size, self.limit)

    def _ask(self, solution: str, entry: _Entry, ask: Callable[[Explorer], Answer]) -> Answer:
        with entry.lock:  # a request that was given up may still be at work
            if entry.explorer is None:
                memory.require(entry.size, f"{solution} needs")
                opened = open_explorer(self.library.path(solution))
                opened.at("")  # what is shown first is worked out with the opening
                entry.explorer = opened
            return ask(entry.explorer)


def _size(path: Path) -> int:
    try:
        return sum(file.stat().st_size for file in path.iterdir() if file.is_file())
    except OSError:  # being replaced
        return 0
