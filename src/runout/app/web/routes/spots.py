"""Spots to be solved, and the queue of solves."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import yaml
from fastapi import APIRouter
from fastapi import Path as PathParameter
from fastapi.responses import StreamingResponse

from runout.app.web import models
from runout.app.web.errors import ApiError, one_line
from runout.app.web.job_record import JOB_PATTERN, SolveJob
from runout.app.web.state import Shared
from runout.app.web.turns import Turns
from runout.games.spot import Spot, example_spots
from runout.run.spot_check import check_spot

router = APIRouter(tags=["solve"])
CHECKS = Turns(2, 16, "spots are being checked")
JobId = Annotated[str, PathParameter(pattern=JOB_PATTERN)]


@router.get("/spots")
async def spots() -> list[models.Example]:
    """Spots to begin with."""
    return _examples()


@cache
def _examples() -> list[models.Example]:
    return [
        models.Example(name=name, yaml=yaml.safe_dump(settings, sort_keys=False, allow_unicode=True), spot=settings)
        for name, settings in example_spots().items()
    ]


@router.post("/spots/check")
def check(body: models.SpotRequest) -> models.SpotOut:
    """Every bad part of a spot by its place; tree size and memory where there is none."""
    with CHECKS:
        found = check_spot(body.spot)
    return models.SpotOut(
        ok=not found.problems,
        errors=[models.FieldProblem(field=one.field[:200], message=one_line(one.message)) for one in found.problems],
        nodes=found.nodes,
        memory_float_mb=found.float32 / 1e6,
        memory_int16_mb=found.int16 / 1e6,
        fits=found.fits,
        free_mb=found.free / 1e6,
        actions=list(found.actions),
        idle=[models.FieldProblem(field=one.field, message=one.message) for one in found.idle],
        canonical=None if found.spot is None else _plain(found.spot),
    )


@router.post("/jobs")
def add(state: Shared, body: models.SolveRequest) -> SolveJob:
    """Queue a solve; it is saved in the library."""
    return state.jobs.add(checked(body.spot), body.name, body.rivers)


@router.get("/jobs")
def jobs(state: Shared) -> list[SolveJob]:
    """All solves, the newest first."""
    return state.jobs.list()


@router.get("/jobs/{job}")
def job(state: Shared, job: JobId) -> SolveJob:
    return state.jobs.get(job)


@router.post("/jobs/{job}/pause")
def pause(state: Shared, job: JobId) -> SolveJob:
    """Save and give memory free; `asked` says that it will while it still runs."""
    return state.jobs.pause(job)


@router.post("/jobs/{job}/resume")
def resume(state: Shared, job: JobId) -> SolveJob:
    """Go on from what was saved."""
    return state.jobs.resume(job)


@router.post("/jobs/{job}/stop")
def stop(state: Shared, job: JobId) -> SolveJob:
    """Save and end."""
    return state.jobs.stop(job)


@router.get("/events", response_class=StreamingResponse)
async def events(state: Shared) -> StreamingResponse:
    """Server-sent events: {"type": "job", "job": ...} and {"type": "library"}."""
    return StreamingResponse(state.events.listen(), media_type="text/event-stream")


def checked(settings: dict[str, object]) -> Spot:
    """A spot that can be solved here; 422 with its first bad part, 409 where memory is short."""
    with CHECKS:
        found = check_spot(settings)
    if found.problems or found.spot is None:
        first = found.problems[0]
        raise ApiError(422, first.message, f"spot.{first.field}" if first.field else "spot")
    if not found.fits:
        needs = found.int16 if found.spot.solve.storage == "int16" else found.float32
        raise ApiError(
            409,
            f"this spot needs {needs / 1e9:.1f} GB and {found.free / 1e9:.1f} GB are free: give fewer sizes, a raise "
            f"cap, narrower ranges or storage int16 ({found.int16 / 1e9:.1f} GB)",
            "spot.betting",
        )
    return found.spot


def _plain(spot: Spot) -> dict[str, object]:
    return spot.model_dump(mode="json", by_alias=True, exclude_none=True)
