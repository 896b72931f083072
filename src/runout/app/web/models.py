"""What the API takes and gives; the records of a node are those of `analysis.view`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(max_length=40_000)]
Line = Annotated[str, StringConstraints(max_length=2_000)]
Number = float | None  # null where it is not known
Point = Annotated[list[int | float | None], Field(min_length=2, max_length=2)]


class Request(BaseModel):
    """A body; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


# Library and solutions


class Entry(BaseModel):
    """A solution in the library."""

    id: str
    title: str
    kind: str
    algorithm: str
    iterations: int
    exploitability: Number
    unit: str
    seconds: float
    modified: float = Field(description="seconds since 1970")
    job: str | None = Field(description="the job that writes it, while there is one")


class SummaryOut(BaseModel):
    """What a solution is."""

    title: str
    kind: str
    algorithm: str
    iterations: int
    exploitability: Number
    unit: str
    seconds: float
    curve: list[Point] = Field(description="(iteration, exploitability)")
    settings: dict[str, Any]


class ActionOut(BaseModel):
    token: str
    name: str
    kind: str
    size: Number
    frequency: Number
    ev: Number


class HandsOut(BaseModel):
    """A player's hands; every list in their order, `strategy` and `action_evs` by action first."""

    player: str
    names: list[str]
    cell: list[int]
    weight: list[Number]
    combos: list[Number]
    met: list[Number]
    strategy: list[list[Number]]
    action_evs: list[list[Number]]
    ev: list[Number]
    equity: list[Number]
    eqr: list[Number]
    categories: list[str]
    draws: list[str]


class StepOut(BaseModel):
    line: str
    kind: str
    player: str | None
    street: str
    pot: float
    actions: list[ActionOut]
    taken: str | None
    cards: list[str]


class NodeOut(BaseModel):
    """Everything on screen about one node."""

    line: str
    kind: Literal["decision", "chance", "terminal"]
    player: str | None
    players: tuple[str, str]
    street: str
    board: list[str]
    pot: float
    stacks: tuple[float, float] | None
    to_call: float
    unit: str
    layout: Literal["matrix", "list"]
    actions: list[ActionOut]
    hands: list[HandsOut]
    evs: tuple[Number, Number] | None
    equities: tuple[Number, Number] | None
    strip: list[StepOut]
    ending: str | None
    deals: list[str]
    deal_count: int
    notes: list[str]
    locked: bool
    boards: list[str] = Field(description="the only deals that were solved, where that is not all of them")
    ev_from: str


class Graph(BaseModel):
    """Equity over each range: (share of the range, equity), worst hands first."""

    players: list[str]
    curves: list[list[Point]]


class RunoutOut(BaseModel):
    card: str
    line: str
    share: Number
    evs: tuple[Number, Number] | None
    equities: tuple[Number, Number] | None
    player: str | None
    actions: list[str]
    frequencies: list[Number]


class LineOut(BaseModel):
    line: str
    actions: list[str]
    share: Number
    pot: float
    ending: str


class CategoryOut(BaseModel):
    """Hands of one kind in a range."""

    name: str
    share: Number
    combos: Number
    frequencies: list[Number]
    parts: list[Number] = Field(description="of all that take each action, how much is of this kind")
    ev: Number
    equity: Number


class LockRequest(Request):
    """A strategy that is given at a node: by hand or class ('AsKh', 'AKs'), or '*' for all."""

    line: Line
    strategy: dict[Annotated[str, StringConstraints(max_length=20)], dict[str, float]] = Field(
        min_length=1, max_length=1326
    )
    name: Annotated[str, StringConstraints(max_length=60)] | None = None


class ResumeRequest(Request):
    """How far to go on."""

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


class Choice(BaseModel):
    token: str
    name: str
    kind: str
    size: Number


class MixOut(Choice):
    frequency: Number
    ev: Number


class Moment(BaseModel):
    who: str
    action: str
    line: str


class Grade(BaseModel):
    action: str
    mix: list[MixOut]
    ev_lost: Number
    grade: Literal["best", "correct", "inaccuracy", "wrong", "blunder"]
    unit: str


class Result(BaseModel):
    shown: str
    won: Number
    board: list[str]


class Score(BaseModel):
    hands: int
    decisions: int
    ev_lost: Number = Field(description="null where no EV was known of any decision")
    by_grade: dict[str, int]


class Table(BaseModel):
    id: str
    solution: str
    hand: str
    seat: str
    line: str
    board: list[str]
    pot: float
    stacks: list[float] | None
    to_act: Literal["you", "over"]
    actions: list[Choice]
    history: list[Moment]
    last: Grade | None
    result: Result | None
    score: Score
