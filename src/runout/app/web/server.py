"""The app and the server that runs it."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

import runout
from runout.app.web import errors
from runout.app.web.connections import MOST, WebConnection, most_connections, quieted
from runout.app.web.logs import Logged
from runout.app.web.metrics import METRICS
from runout.app.web.pages import Pages
from runout.app.web.routes import charts, hands, library, play, practice, ranges, reports, runs, solutions, spots
from runout.app.web.security import HEALTH, Access, Gate
from runout.app.web.state import State
from runout.errors import InputError

STATIC = Path(str(resources.files("runout.app"))) / "static"


def make_app(state: State, access: Access | None = None) -> FastAPI:
    """The whole app over a state; starting and closing the state belongs to the app's lifespan."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.start()
        yield
        state.close()

    app = FastAPI(
        title="Runout",
        description="Set up, solve, look at and practise poker spots.",
        version=runout.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they load scripts from another host
        redoc_url=None,
        lifespan=lifespan,
        responses=errors.RESPONSES,
    )
    app.state.runout = state
    errors.install(app)
    app.add_middleware(Gate, access=access or Access())
    app.add_middleware(Logged)
    for module in (ranges, spots, runs, reports, practice, play, hands, charts, library, solutions):
        app.include_router(module.router, prefix="/api")

    pages = Pages(STATIC)

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        return pages.answer("index.html", request.scope)

    @app.get(HEALTH, include_in_schema=False)
    async def health() -> Response:
        """For whoever watches the server: it answers."""
        return PlainTextResponse("ok\n")

    @app.get("/metrics", include_in_schema=False)
    def metrics() -> Response:
        """For Prometheus; asks for the token where there is one."""
        jobs: Counter[str] = Counter(job.state for job in state.jobs.list())
        return PlainTextResponse(METRICS.text(jobs, sum(1 for _ in state.library.ids())))

    app.mount("/static", pages)
    return app


class _Server(uvicorn.Server):
    """Ends event streams first: they would keep it from going down."""

    def __init__(self, config: uvicorn.Config, state: State) -> None:
        super().__init__(config)
        self._state = state

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._state.events.close()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    """A socket on an address; an InputError where it cannot be had."""
    try:
        named = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = named[0]
        found = socket.socket(family, kind, protocol)  # asyncio sets TCP_NODELAY only where TCP is named
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port}: {why}; use another --host or --port") from None
    return found


def serve(state: State, access: Access, at: socket.socket, connections: int = MOST) -> None:
    """Run until Ctrl-C, with at most this many connections; a running solve is saved for the next start."""
    options: dict[str, Any] = {
        "ws": "none",
        "log_level": "warning",
        "access_log": False,
        "timeout_graceful_shutdown": 3,
        "http": WebConnection,
        "backlog": 128,
    }
    WebConnection.most = most_connections(connections)
    list(quieted())
    server = _Server(uvicorn.Config(make_app(state, access), server_header=False, **options), state)
    with suppress(KeyboardInterrupt):  # the way to end it: uvicorn has shut down and raises it again
        server.run(sockets=[at])
