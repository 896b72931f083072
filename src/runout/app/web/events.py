"""Server-sent events: what happens is told to every page that listens, from whatever thread it happens in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from runout.app.web.errors import ApiError
from runout.app.web.plain import plain

MOST_LISTENERS = 32
_BACKLOG = 256  # events that a slow page may be behind before it is let go
_HEARTBEAT = 15.0  # seconds without an event after which one is sent that says nothing


class Events:
    """Who listens, and what they have not read yet."""

    def __init__(self) -> None:
        self._listeners: dict[asyncio.Queue[str | None], asyncio.AbstractEventLoop] = {}
        self._closed = False

    def tell(self, event: dict[str, Any]) -> None:
        """Send an event to everybody; may be called from any thread."""
        self._put(json.dumps(plain(event), separators=(",", ":")))

    def close(self) -> None:
        """End every stream, so that the server can go down; may be called from any thread."""
        self._closed = True
        self._put(None)

    def _put(self, text: str | None) -> None:
        for queue, loop in list(self._listeners.items()):
            try:
                loop.call_soon_threadsafe(self._hand, queue, text)
            except RuntimeError:  # its loop has ended
                self._listeners.pop(queue, None)

    def _hand(self, queue: asyncio.Queue[str | None], text: str | None) -> None:
        if queue.full():
            self._listeners.pop(queue, None)
            while not queue.empty():
                queue.get_nowait()
            text = None
        queue.put_nowait(text)

    def listen(self) -> AsyncIterator[str]:
        """The stream of one page, from now on; refused where too many listen already."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise ApiError(429, f"{MOST_LISTENERS} pages listen already: close one")
        queue: asyncio.Queue[str | None] = asyncio.Queue(_BACKLOG)
        self._listeners[queue] = asyncio.get_running_loop()
        return self._stream(queue)

    async def _stream(self, queue: asyncio.Queue[str | None]) -> AsyncIterator[str]:
        try:
            yield "retry: 2000\n\n"
            while not self._closed:
                try:
                    text = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if text is None:
                    return
                yield f"data: {text}\n\n"
        finally:
            self._listeners.pop(queue, None)
