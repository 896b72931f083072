"""What the API takes, and what it gives beside the records of explorers (`schemas.model_of`)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from runout.app.web.schemas import Number, model_with
from runout.cursors.view import Summary
from runout.explorers.practice import PracticeTable

Text = Annotated[str, StringConstraints(max_length=40_000)]
Line = Annotated[str, StringConstraints(max_length=2_000)]
Point = Annotated[list[int | float | None], Field(min_length=2, max_length=2)]


class Request(BaseModel):
    """A body; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


# Library and solutions


_SECONDS = Field(description="seconds since 1970")
_JOB = Field(description="the job that writes it, while there is one")
Entry = model_with(
    Summary, "Entry", without=("curve", "settings"), id=(str, ...), modified=(float, _SECONDS), job=(str | None, _JOB)
)


class Graph(BaseModel):
    """Equity over each range: (share of the range, equity), worst hands first."""

    players: list[str]
    curves: list[list[Point]]


class LockRequest(Request):
    """A strategy that is given at a node: by hand or class ('AsKh', 'AKs'), or '*' for all."""

    line: Line
    strategy: dict[Annotated[str, StringConstraints(max_length=20)], dict[str, float]] = Field(
        min_length=1, max_length=1326
    )
    name: Annotated[str, StringConstraints(max_length=60)] | None = None


class Restored(BaseModel):
    """A solution that was brought back."""

    id: str = Field(description="the name that it has now")


class ResumeRequest(Request):
    """How far to continue."""

    target: float = Field(ge=0, le=100, description="% of the pot, below what was reached")


# Ranges, cards, spots


class TextRequest(Request):
    text: Text


class WeightsRequest(Request):
    weights: list[float] = Field(min_length=169, max_length=169)


class RangeText(BaseModel):
    text: str
    count: float = Field(description="combos, each by its weight")
    percent: float


class RangeTop(BaseModel):
    text: str
    weights: list[float]


class RangeOut(RangeText):
    weights: list[float] = Field(description="169, by class")
    combos: list[float] = Field(description="1326, by combo")


class Cards(BaseModel):
    cards: list[str]


class Classes(BaseModel):
    names: list[str]
    matrix: list[list[int]]
    combos: list[list[str]]


class Example(BaseModel):
    name: str
    yaml: str
    spot: dict[str, Any] = Field(description="what the YAML says")


class SpotRequest(Request):
    spot: dict[str, Any]


class SolveRequest(SpotRequest):
    name: Annotated[str, StringConstraints(max_length=60)] | None = None


class FieldProblem(BaseModel):
    field: str
    message: str


class SpotOut(BaseModel):
    ok: bool
    errors: list[FieldProblem]
    nodes: int
    memory_float_mb: float
    memory_int16_mb: float
    fits: bool
    free_mb: float
    actions: list[str]
    canonical: dict[str, Any] | None


# Training runs


class Checkpoint(BaseModel):
    id: str
    iteration: int


class Run(BaseModel):
    id: str
    title: str
    solver: str
    iterations: int
    exploitability: Number
    unit: str
    running: bool
    checkpoints: list[Checkpoint]


class Metrics(BaseModel):
    rows: list[dict[str, Any]]


# Practice


class PracticeRequest(Request):
    solution: Annotated[str, StringConstraints(max_length=400)]
    seat: Annotated[str, StringConstraints(max_length=20)] | None = None
    seed: int | None = Field(None, ge=0, lt=2**63)
    line: Line = ""


class ActRequest(Request):
    action: Annotated[str, StringConstraints(max_length=40)]


Seat = model_with(PracticeTable, "PracticeTable", id=(str, ...), solution=(str, ...))
