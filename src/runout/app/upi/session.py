"""One client: lines in, answers out, in order. `stop` is heard at once, whatever is being done.

A thread reads lines; the commands run one after the other in another. Solving has a thread of its own (`solving`), so
nothing but a command itself keeps the next one waiting.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TextIO

import runout
from runout.app.upi import building, filing, general, locks, reading, running, subsets  # noqa: F401 (tables of commands)
from runout.app.upi.channel import Channel
from runout.app.upi.commands import find
from runout.app.upi.engine import Engine
from runout.errors import RunoutError

LONGEST = 1 << 25  # bytes of a line
CHUNK = 1 << 16  # bytes that are read at once
WAITING = 1000  # lines that are read ahead
SOON = 0.25  # seconds: a `stop` that comes this soon after a wait began was sent before it
_WORD = re.compile(r'"([^"]*)"|(\S+)')


def split(line: str) -> list[str]:
    """The words of a line; one with spaces stands in double quotes."""
    return [match[1] if match[1] is not None else match[2] for match in _WORD.finditer(line)]


def answer_line(engine: Engine, line: str) -> list[str] | None:
    """The lines that answer a line; None where it asks for nothing."""
    words = split(line)
    if not words or words[0].startswith("#"):
        return None
    name, *arguments = words
    try:
        found = find(name).run(engine, arguments)
    except RunoutError as error:
        return [f"ERROR: {' '.join(str(error).split())}"]
    except MemoryError:
        return ["ERROR: memory ran out"]
    except OSError as error:
        return [f"ERROR: {error.strerror or error}"]
    except Exception as error:  # a client must not lose its engine, nor wait for an answer for ever
        return [f"ERROR: internal error in {name}: {error!r}".replace("\n", " ")]
    return [f"{name} ok!"] if found is None else list(found)


class Session:
    """Reads from one stream, answers on another."""

    def __init__(self, read: Callable[[int], bytes], out: TextIO) -> None:
        self._more = read  # bytes as they come, at most so many; none at the end
        self.engine = Engine(Channel(out))
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self._waiting_since: float | None = None  # of `wait_for_solver` and reports

    def run(self) -> None:
        """Until `exit` or the end of the input."""
        engine = self.engine
        engine.channel.report(banner())
        threading.Thread(target=self._read, daemon=True).start()
        while not engine.leaving and (raw := self._lines.get()) is not None:
            line = raw.decode("utf-8", errors="replace").strip("\r\n")
            self._waiting_since = time.perf_counter()
            answer = (
                ["ERROR: the line is too long"] if len(raw) >= LONGEST else answer_line(engine, line)
            )  # fmt: skip
            self._waiting_since = None
            if answer is not None:
                engine.channel.answer(answer)
            engine.answered()
        if engine.solving is not None:
            engine.solving.end()
        engine.channel.redirect(None)

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # the other side is gone
            for line in self._each_line():
                if line.strip() == b"stop" and self._long_since():
                    self.engine.stop()
                    self.engine.stop_report.set()
                self._lines.put(line)
        self._lines.put(None)

    def _each_line(self) -> Iterator[bytes]:
        """Lines of the input; of one that is too long, the beginning."""
        parts: list[bytes] = []
        size = 0
        while chunk := self._more(CHUNK):
            *whole, rest = chunk.split(b"\n")
            for end in whole:
                yield b"".join([*parts, end])[:LONGEST]
                parts, size = [], 0
            if rest and size < LONGEST:
                parts.append(rest)
                size += len(rest)
        if parts:
            yield b"".join(parts)[:LONGEST]

    def _long_since(self) -> bool:
        """Whether a command has been running for a while, so that a `stop` is meant for it."""
        since = self._waiting_since
        return since is not None and time.perf_counter() - since > SOON


def banner() -> list[str]:
    """What a client reads and throws away when the engine starts."""
    return [
        f"Runout {runout.__version__}",
        "An open-source poker solver that speaks PioSOLVER's Universal Poker Interface",
        "Type help for the list of commands",
    ]
