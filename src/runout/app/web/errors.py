"""Errors as {"error": one clear line, "field": where}: bad input 422, unknown ids 404, and what else goes wrong."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from runout.errors import MemoryRefused, RunoutError

MOST_TEXT = 600  # characters of an error


class ErrorBody(BaseModel):
    """What is wrong with a request."""

    error: str  # one line
    field: str | None = None  # the key it is about, "ranges.oop"


class ApiError(RunoutError):
    """An answer with a status of its own."""

    def __init__(self, status: int, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status, self.field = status, field


def not_found(what: str) -> ApiError:
    """404 with one line."""
    return ApiError(404, what)


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": text}
    for status, text in {
        400: "not JSON",
        401: "the token is missing or wrong",
        403: "another site asks",
        404: "no such thing",
        409: "not in this state",
        413: "too large",
        421: "another host is meant",
        422: "bad input",
        429: "too many",
    }.items()
}


def one_line(message: str) -> str:
    """A message on one line, its middle left out where somebody's own input makes it long."""
    line = " ".join(message.split())
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT // 2]} … {line[-MOST_TEXT // 2 :]}"


def answer(status: int, message: str, field: str | None = None, headers: Any = None) -> JSONResponse:
    """A refusal."""
    return JSONResponse({"error": one_line(message), "field": field and field[:200]}, status, headers)


def install(app: FastAPI) -> None:
    """Make every error of the app an `ErrorBody`."""

    @app.exception_handler(ApiError)
    async def _own(_: Request, error: ApiError) -> JSONResponse:
        return answer(error.status, str(error), error.field)

    @app.exception_handler(RunoutError)
    async def _input(_: Request, error: RunoutError) -> JSONResponse:
        return answer(409 if isinstance(error, MemoryRefused) else 422, str(error))

    @app.exception_handler(RequestValidationError)
    async def _request(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
        if first["type"] == "json_invalid":
            return answer(422, "the body is not JSON")
        name = ".".join(place)
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "string_pattern_mismatch":
            message = f"{str(first['input'])[:100]!r} cannot be one"
        return answer(422, f"{name}: {message}" if name else f"the body: {message}", name or None)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        text = f"nothing is at {request.url.path}" if error.status_code == 404 else str(error.detail)
        return answer(error.status_code, text, None, error.headers)
