"""One line that says how far a run is, for scripts and notebooks: what `progress=True` draws.

In a terminal and in a notebook the line is rewritten in place. Where output goes to a file or a pipe, a new line is
printed every ten seconds, so that a log stays short.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO, TypeAlias

from runout.protocols import Event, OnEvent

# What functions that take a while accept: True draws a line, a function hears every event, None and False are silent.
Progress: TypeAlias = bool | OnEvent | None

LOG_SECONDS = 10.0  # between two lines of a log
_ENDS = ("done", "interrupted")


def listener(progress: Progress) -> OnEvent | None:
    """Who hears the events of a run."""
    if callable(progress):
        return progress
    return ProgressLine() if progress else None


def event_text(event: Event) -> str:
    """An event in a few words: '120 iterations, 0.52% of the pot, 0:12, about 0:20 left'."""
    count = f"{event.iteration:,}" + (f" of {event.total:,}" if event.total is not None else "")
    parts = [f"{count} {event.counted}"]
    if event.kind == "save failed":
        return f"not saved: {event.note}"
    if event.kind == "preparing":
        return f"{event.note}: {parts[0]}"
    if event.exploitability is not None:
        space = "" if event.unit.startswith("%") else " "
        parts.append(f"{event.exploitability:.3g}{space}{event.unit}")
    parts.append(clock(event.elapsed))
    if event.kind not in _ENDS and event.remaining is not None:
        parts.append(f"about {clock(event.remaining)} left")
    return ("stopped: " if event.kind == "interrupted" else "") + ", ".join(parts)


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours before them from one hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class ProgressLine:
    """Draws events as one line: on standard error, or below the cell in a notebook."""

    def __init__(self, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic) -> None:
        notebook = "ipykernel" in sys.modules
        self._stream = stream or (sys.stdout if notebook else sys.stderr)  # notebooks paint standard error red
        self._in_place = notebook or self._stream.isatty()
        self._now, self._next, self._width = now, -float("inf"), 0

    def __call__(self, event: Event) -> None:
        if event.kind == "saved":
            return
        text, ends = event_text(event), event.kind in (*_ENDS, "save failed")
        if self._in_place:
            self._stream.write(f"\r{text:<{self._width}}" + ("\n" if ends else ""))
            self._width = len(text)
        elif ends or self._now() >= self._next:
            self._stream.write(text + "\n")
            self._next = self._now() + LOG_SECONDS
        self._stream.flush()
