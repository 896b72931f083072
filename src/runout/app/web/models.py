"""What the API takes, and what it gives beside the records of explorers (`schemas.model_of`)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from runout.app.web.library import ID_PATTERN
from runout.app.web.schemas import Number, model_with
from runout.cursors.view import Summary
from runout.explorers.practice import PracticeTable
from runout.run.table import LEAST, MOST
from runout.run.table_view import TableView

Text = Annotated[str, StringConstraints(max_length=40_000)]
HandsText = Annotated[str, StringConstraints(max_length=400_000)]
Line = Annotated[str, StringConstraints(max_length=2_000)]
Point = Annotated[list[int | float | None], Field(min_length=2, max_length=2)]


class Request(BaseModel):
    """A body; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


# Library and solutions


class Notes(Request):
    """What somebody wrote about a solution, and the folder that it is in."""

    folder: Annotated[str, StringConstraints(max_length=120, strip_whitespace=True)] = ""  # 3-bet pots/100 bb
    name: Annotated[str, StringConstraints(max_length=120, strip_whitespace=True)] = ""
    notes: Annotated[str, StringConstraints(max_length=5000)] = ""
    tags: list[Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]] = Field(
        default_factory=list, max_length=20
    )


_SECONDS = Field(description="seconds since 1970")
_JOB = Field(description="the job that writes it, while there is one")
Entry = model_with(
    Summary, "Entry", without=("curve", "settings"), id=(str, ...), modified=(float, _SECONDS), job=(str | None, _JOB),
    bytes=(int, Field(description="on disk")), name=(str, ...), notes=(str, ...), tags=(list[str], ...),
    folder=(str, ...), details=(str, Field(description="what tells spots of one board apart")),
    rivers=(bool, Field(description="false: left out of the file")),
)  # fmt: skip


class Graph(BaseModel):
    """Equity over each range: (share of the range, equity), worst hands first."""

    players: list[str]
    curves: list[list[Point]]


class NodeLock(Request):
    """A strategy that is given at a node: by hand or class ('AsKh', 'AKs'), or '*' for all."""

    line: Line
    strategy: dict[Annotated[str, StringConstraints(max_length=20)], dict[str, float]] = Field(
        min_length=1, max_length=1326
    )


class LockRequest(NodeLock):
    """Strategies that are given at a node, or at several."""

    more: list[NodeLock] = Field(default_factory=list, max_length=50, description="locks at other nodes")
    name: Annotated[str, StringConstraints(max_length=60)] | None = None


SizesText = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class AddedBet(Request):
    line: Line = Field(description="address of the node")
    size: SizesText = Field(description="'33%', '2.5x', '100c', 'a'; several with spaces")


class TreeRequest(Request):
    """Bets to add and to take out."""

    add: list[AddedBet] = Field(default_factory=list, max_length=50)
    remove: list[Line] = Field(default_factory=list, max_length=50, description="lines whose last action goes")


class SizesRequest(Request):
    """Sizes to compare at a node."""

    line: Line = ""
    sizes: SizesText


Ids = Annotated[
    list[Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=400)]], Field(min_length=1, max_length=200)
]


class MoveRequest(Request):
    """Solutions to be put into a folder."""

    ids: Ids
    folder: Annotated[str, StringConstraints(max_length=120, strip_whitespace=True)]


class TagRequest(Request):
    """A tag for solutions."""

    ids: Ids
    tag: Annotated[str, StringConstraints(min_length=1, max_length=40, strip_whitespace=True)]


class Ready(BaseModel):
    """A solution that comes with Runout."""

    id: str
    name: str
    what: str


class Imported(BaseModel):
    ids: list[str] = Field(description="what the solutions are called in the library")


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
    rivers: bool = Field(True, description="false: rivers are left out of the file, and solved again to be looked at")


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
    idle: list[FieldProblem] = Field(description="sizes that nobody can ever bet, and why")
    canonical: dict[str, Any] | None


# Charts


class Chart(BaseModel):
    id: str
    title: str
    stack: float = Field(description="bb")
    shipped: bool = Field(description="comes with Runout; else a solution of the library")
    exploitability: Number
    unit: str


class PreflopRequest(Request):
    game: dict[str, Any] = Field(description="keys of a preflop file")
    name: Annotated[str, StringConstraints(max_length=60)] | None = None


class PreflopOut(BaseModel):
    ok: bool
    errors: list[FieldProblem]
    nodes: int = Field(description="decisions of the whole tree")
    first: list[str] = Field(description="what the small blind can do")
    unused: list[str] = Field(description="sizes of raises that nobody can ever make")


class RangePair(Request):
    """A pair of ranges that somebody keeps, with what they are played for."""

    oop: Text
    ip: Text
    pot: float | None = Field(None, gt=0, le=10**9)
    stack: float | None = Field(None, gt=0, le=10**9)
    big_blind: float | None = Field(None, gt=0, le=10**9)
    positions: str | None = Field(None, max_length=20)  # "BB, SB"


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


# Reports over flops


class Report(BaseModel):
    id: str
    title: str
    set: str = Field(description="the flops: fitted-49, all, the name of a file")
    done: int = Field(description="flops that are solved, every combination of the grid counted")
    total: int
    failed: int
    running: bool


class ReportTable(BaseModel):
    keys: list[str] = Field(description="settings that the grid changes")
    settings: dict[str, Any] = Field(description="the spot; its board plays no part")
    rows: list[dict[str, Any]] = Field(description="a flop each, as in flops.csv")
    failures: list[dict[str, Any]]


# Practice


class PracticeRequest(Request):
    solution: Annotated[str, StringConstraints(max_length=400)]
    seat: Annotated[str, StringConstraints(max_length=20)] | None = None
    seed: int | None = Field(None, ge=0, lt=2**63)
    line: Line = ""
    streets: list[Annotated[str, StringConstraints(max_length=20)]] = Field(default_factory=list, max_length=4)
    hands: Text = Field("", description="a range that yours are dealt from")
    close: bool = Field(False, description="only decisions at which the solution mixes")
    single: bool = Field(False, description="one decision a hand")


class AgainRequest(Request):
    """A decision to be taken again."""

    line: Line
    hand: Annotated[str, StringConstraints(min_length=4, max_length=4)]


class ActRequest(Request):
    action: Annotated[str, StringConstraints(max_length=40)]


class History(BaseModel):
    """What was practised, in sums, and mistakes that were not made good yet."""

    streets: list[dict[str, Any]]
    hands: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    days: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    mistakes: list[dict[str, Any]]


Seat = model_with(PracticeTable, "PracticeTable", id=(str, ...), solution=(str, ...))


# Play


class PlayRequest(Request):
    """A table to sit down at."""

    stack: float = Field(100.0, ge=LEAST, le=MOST, description="big blinds that both begin with")
    keep: bool = Field(False, description="stacks are carried from hand to hand")
    seed: int | None = Field(None, ge=0, lt=2**63)


Playing = model_with(TableView, "PlayTable", id=(str, ...), saved=(str, Field(description="file of the hands")))


class PlayPlaces(BaseModel):
    """What can be played against."""

    stacks: list[float] = Field(description="big blinds of the blueprints that there are")


# Played hands


class HandsRequest(Request):
    text: HandsText


class GradeRequest(HandsRequest):
    hand: int = Field(ge=1, le=10**6, description="number of the hand in the text")
    solution: Annotated[str, StringConstraints(max_length=400)]


class HandPlayer(BaseModel):
    name: str
    cards: list[str] = Field(description="two, or none where they are not known")
    stack_bb: Number = Field(description="before the hand; null where it is not told")


class HandRow(BaseModel):
    """A hand that was read."""

    number: int = Field(description="in the text, from 1")
    line: int
    id: str
    big_blind: str
    players: list[HandPlayer] = Field(description="in the order of acting after the flop")
    board: list[str]
    pot_bb: float
    why_not: str = Field(description="why it cannot be graded; empty where it can")
    ranges: str = Field(description="where the ranges of the spot come from")
    spot: dict[str, Any] | None


class HandProblem(BaseModel):
    hand: int
    line: int
    why: str


class HandsOut(BaseModel):
    found: int
    hands: list[HandRow]
    failures: list[HandProblem]
