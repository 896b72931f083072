"""Whole iterations: Ctrl-C inside a step is heard between two of them, so that a solver can always go on."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_ANSWER = 0.1  # seconds within which Ctrl-C should be heard, where an iteration is not longer


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep a Ctrl-C until the block is done, then raise it; where somebody else listens for it, nothing changes."""
    if not _raises():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            signal.default_int_handler(*came[0])


def in_pieces(iterations: int, do: Callable[[int], None]) -> None:
    """Do iterations, none inside which Ctrl-C is raised, by so many at a time that it is heard soon."""
    if not _raises():
        do(iterations)
        return
    piece = 1
    while True:
        begun, now = time.perf_counter(), min(piece, iterations)
        with uninterrupted():
            do(now)
        iterations -= now
        if iterations <= 0:
            return
        piece = max(1, piece // 2) if time.perf_counter() - begun > _ANSWER else 2 * piece


def _raises() -> bool:
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
