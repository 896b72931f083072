"""What every request goes through first: host, origin, token, size; and what every response says to the browser.

Without a token the server listens on this machine alone, and the two ways in from outside are pages of other sites:
by a request of their own (Origin, Sec-Fetch-Site) or under a name that they point here (Host). With a token, the token
decides.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from runout.app.web.errors import answer

BODY_LIMIT = 1_000_000  # bytes
BODY_SECONDS = 30.0  # within which a body has to be here
LARGE = "/api/import"  # takes its body piece by piece, as large as the disk allows
COOKIE = "runout_token"
HEALTH = "/healthz"  # anybody may ask it
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS = frozenset({"", "0.0.0.0", "::"})

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who may talk to the server."""

    host: str = "127.0.0.1"  # that it listens on
    token: str | None = None  # needed where it is not this machine
    public: str | None = None  # name that a proxy on this machine serves it under

    def __post_init__(self) -> None:
        if (self.host not in LOCAL or self.public) and not self.token:
            raise ValueError("a server for other machines needs a token")

    def knows(self, name: str) -> bool:
        """Whether a host name may be meant for this server; behind a token any may, it stands for no right."""
        return name in LOCAL or name in (self.host, self.public) or self.host in WILDCARDS


class Gate:
    """The middleware."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = None if scope["path"] == HEALTH else self._refused(scope)
        if refused is not None:
            await refused(scope, receive, guarded)
            return
        if scope["path"] == LARGE and scope["method"] == "POST":
            await self.app(scope, receive, guarded)
            return
        body = await _read(scope, receive)
        if body is None:
            await answer(413, f"the body is above {BODY_LIMIT:,} bytes or too slow")(scope, receive, guarded)
            return
        await self.app(scope, _replayed(body, receive), guarded)

    def _refused(self, scope: Scope) -> ASGIApp | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.access.knows(_name(host)):
            return answer(421, f"this server is not {host[:100]!r}: open it as http://{self.access.host}")
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return answer(403, "a page of another site may not use this server")
        if scope["path"].startswith("/api") and headers.get("sec-fetch-site") == "cross-site":
            return answer(403, "a page of another site may not use this server")
        return None if self.access.token is None else self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Ask for the token; one in the address is moved to a cookie so that it does not stay there."""
        assert self.access.token is not None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), None)
        if given is not None and _same(given, self.access.token) and scope["method"] in ("GET", "HEAD"):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + scope["path"].lstrip("/\\")  # never another host
            moved = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            secure = headers.get("x-forwarded-proto") == "https"
            moved.set_cookie(COOKIE, self.access.token, httponly=True, samesite="strict", secure=secure)
            return moved
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        shown = [bearer.strip()] if kind.lower() == "bearer" else []
        shown.append(_cookie(headers.get("cookie", "")))
        if any(_same(one, self.access.token) for one in shown):
            return None
        return answer(401, "a token is needed: open the address that `runout web` printed, or send it as Bearer")


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # 'http://['
        return None


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _name(host: str) -> str:
    """The host without its port, in lower case and without brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


async def _read(scope: Scope, receive: Receive) -> list[Message] | None:
    """The whole body as messages; None where it is too large or too slow."""
    length = Headers(scope=scope).get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > BODY_LIMIT:
        return None
    messages: list[Message] = []
    total = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                messages.append(message)
                total += len(message.get("body", b""))
                if total > BODY_LIMIT:
                    return None
                if message["type"] != "http.request" or not message.get("more_body"):
                    return messages
    except TimeoutError:
        return None


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def again() -> Message:
        message = next(waiting, None)
        return message if message is not None else await receive()

    return again
