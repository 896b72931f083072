"""Connections: how many there may be, how long one may take to ask, and who goes when there are too many.

A connection that has not asked anything yet, or has its answer and asks nothing more, is idle. One that is idle for too
long is closed; where a new one would be too many, the one that has been idle longest goes in its place. So a thousand
half-open connections keep nobody out.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from runout.app.web.metrics import METRICS

try:
    import resource
except ImportError:  # Windows: no limit of open files that could be asked for
    resource = None  # type: ignore[assignment]

ASK_SECONDS = 10.0  # from the first byte, or the opening, to a complete request
MOST, MOST_EACH = 1500, 64  # connections in all, and from one other machine; a proxy on this one counts for many
_OTHER_FILES = 128  # that the server itself may have open
_HERE = ("127.0.0.1", "::1")


def most_connections(wanted: int = MOST) -> int:
    """How many connections there may be: this many, or what the limit of open files leaves."""
    if resource is None:
        return wanted
    most = wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + _OTHER_FILES
    if soft < wanted and (hard == resource.RLIM_INFINITY or soft < hard):
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(16, min(most, soft - _OTHER_FILES if soft > 2 * _OTHER_FILES else soft // 2))


class WebConnection(H11Protocol):
    """One connection of a browser."""

    most = MOST
    _late: asyncio.TimerHandle | None = None
    _since = 0.0  # when it became idle

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        METRICS.connections = len(self.connections)
        self._wait()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._asked()
        super().connection_lost(exc)
        METRICS.connections = len(self.connections)

    def data_received(self, data: bytes) -> None:
        if self.idle and self._late is None:
            self._wait()
        super().data_received(data)
        if not self.idle:
            self._asked()

    def on_response_complete(self) -> None:
        self._since = time.monotonic()
        super().on_response_complete()

    @property
    def idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._since = time.monotonic()
        self._late = self.loop.call_later(ASK_SECONDS, self._close)

    def _asked(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close(self) -> None:
        self._asked()
        METRICS.closed += 1
        self.transport.abort()

    def _make_room(self) -> None:
        """Close whoever is idle longest where this connection is one too many, or itself where nobody is idle."""
        everybody = [one for one in self.connections if isinstance(one, WebConnection)]
        here = self.client[0] if self.client else ""
        same = [one for one in everybody if one.client and one.client[0] == here]
        for group, most in ((everybody, self.most), (same, self.most if here in _HERE else MOST_EACH)):
            if len(group) > most:
                idle = [one for one in group if one.idle and one is not self and not one.transport.is_closing()]
                min(idle, key=lambda one: one._since, default=self)._close()
                return


class Quiet(logging.Filter):
    """Lets a few messages a minute through and counts the rest: an attack does not fill the disk with its traces."""

    def __init__(self, each_minute: int = 10) -> None:
        super().__init__()
        self.most, self._left, self._until, self._held = each_minute, each_minute, 0.0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now > self._until:
            if self._held:
                record.msg = f"{record.getMessage()} ({self._held:,} more messages in the last minute were left out)"
                record.args = ()
            self._until, self._left, self._held = now + 60, self.most, 0
        if self._left > 0:
            self._left -= 1
            return True
        self._held += 1
        return False


def quieted() -> Iterator[logging.Logger]:
    """The loggers that strangers can make talk, each with a filter."""
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, Quiet) for one in logger.filters):
            logger.addFilter(Quiet())
        yield logger
