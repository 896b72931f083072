"""A solve that was asked for: what pages see of it, and the small file in the library that outlives the server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from runout import files
from runout.app.web.models import Point

QUEUED, RUNNING, PAUSED, DONE, STOPPED, FAILED = "queued", "running", "paused", "done", "stopped", "failed"
State = Literal["queued", "running", "paused", "done", "stopped", "failed"]
MOST_POINTS = 500  # of a curve
JOB_PATTERN = r"^j[0-9a-f]{12}$"


class SolveJob(BaseModel):
    """A solve, as pages see it."""

    id: str = Field(pattern=JOB_PATTERN)
    title: str
    state: State = "queued"
    asked: Literal["pause", "stop"] | None = Field(
        default=None, description="what a running job will do as soon as it can"
    )
    iteration: int = 0
    exploitability: float | None = None
    target: float = Field(description="in `unit`")
    unit: str = "% of the pot"
    kind: Literal["postflop", "preflop"] = "postflop"
    elapsed: float = Field(default=0.0, description="seconds, all runs together")
    remaining: float | None = Field(default=None, description="seconds, estimated")
    curve: list[Point] = Field(default=[], description="(iteration, exploitability)")
    memory_mb: float | None = None
    phase: str | None = Field(default=None, description="what a running job does before it is first measured")
    solution: str | None = Field(default=None, description="id of what is saved, from the first save on")
    error: str | None = None


class JobRecord(SolveJob):
    """What is kept of a job."""

    output: str  # id that it is saved as
    spot: dict[str, Any]  # of a postflop job a spot, of a preflop one a game before the flop
    rivers: bool = True  # whether they are left in the file when all is solved
    number: int  # order of the queue, and of the list

    def seen(self) -> SolveJob:
        """What pages see."""
        return SolveJob.model_construct(**{name: getattr(self, name) for name in SolveJob.model_fields})


def thinned(curve: list[Point]) -> list[Point]:
    """A curve with every other point left out where it has grown too long to be sent; its last point stays."""
    while len(curve) > MOST_POINTS:
        curve = [*curve[0:-1:2], curve[-1]]
    return curve


def save_record(folder: Path, record: JobRecord) -> None:
    """Write the file of a job, whole or not at all."""
    files.write_text(folder / f"{record.id}.json", record.model_dump_json(indent=1))


def read_records(folder: Path) -> list[JobRecord]:
    """All jobs that can be read, in their order; files of anything else are left alone."""
    found = []
    for path in folder.glob("j*.json"):
        try:
            record = JobRecord.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, ValidationError):
            continue
        if re.match(JOB_PATTERN, record.id) and path.stem == record.id:
            found.append(record)
    return sorted(found, key=lambda one: one.number)
