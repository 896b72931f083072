"""Logs in the library, `.log/access.log` and `.log/jobs.log`: one line a request, one line a change of a solve."""

from __future__ import annotations

import logging
import time
from logging.handlers import RotatingFileHandler
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runout.app.web.metrics import METRICS

_SIZE, _KEPT = 5_000_000, 3  # bytes of a log, and older ones that are kept
ACCESS, JOBS = "runout.web.access", "runout.web.jobs"


class _Rotating(RotatingFileHandler):
    """Says nothing if the disk is full: the server keeps running."""

    def handleError(self, record: logging.LogRecord) -> None: ...


def open_logs(library: Path) -> None:
    """Write the logs of this process below a library."""
    folder = library / ".log"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:  # nothing is logged then
        return
    for name, file in ((ACCESS, "access.log"), (JOBS, "jobs.log")):
        logger = logging.getLogger(name)
        close_log(logger)
        logger.propagate = False
        logger.setLevel(logging.INFO)
        handler = _Rotating(folder / file, maxBytes=_SIZE, backupCount=_KEPT, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        logger.addHandler(handler)


def close_log(logger: logging.Logger) -> None:
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


class Logged:
    """The outermost middleware: counts answers and writes a line about each, without the query (it may be a token)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, started = 0, time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            METRICS.answered(method, status, seconds)
            client = scope["client"][0] if scope.get("client") else "-"
            path = scope["path"][:200].encode("unicode_escape").decode("ascii")
            logging.getLogger(ACCESS).info("%s %s %s %d %.1f ms", client, method, path, status, 1000 * seconds)


_METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}
