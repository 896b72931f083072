"""Work that takes a second or two and anybody may ask for: a few at a time, a few waiting, and the rest refused."""

from __future__ import annotations

import threading

from runout.app.web.errors import ApiError

WAIT_SECONDS = 20.0  # for a turn


class Turns:
    """`with turns:` waits for one; 429 where too many wait already, or it takes too long."""

    def __init__(self, running: int, waiting: int, what: str) -> None:
        self._free = threading.BoundedSemaphore(running)
        self._most, self._what = running + waiting, what
        self._there = 0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._there >= self._most:
                raise self._refused()
            self._there += 1
        if not self._free.acquire(timeout=WAIT_SECONDS):
            with self._lock:
                self._there -= 1
            raise self._refused()

    def __exit__(self, *_: object) -> None:
        self._free.release()
        with self._lock:
            self._there -= 1

    def _refused(self) -> ApiError:
        return ApiError(429, f"too many {self._what}: try again in a moment")
