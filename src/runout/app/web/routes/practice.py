"""Practice: play a solution and be graded by it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter

from runout.app.web import models
from runout.app.web.plain import Json, plain
from runout.app.web.state import Shared
from runout.app.web.tables import SeatTaken
from runout.cursors.view import Explorer
from runout.explorers.practice import Drill, Practice

router = APIRouter(tags=["practice"])
Solution = Annotated[str | None, Query(max_length=400)]
TableId = Annotated[str, PathParameter(pattern=r"^p[0-9a-f]{12}$")]


@router.post("/practice", response_model=models.Seat)
async def sit(state: Shared, body: models.PracticeRequest) -> Response:
    """Sit down at a solution; the first hand is dealt."""

    def begin(explorer: Explorer) -> Response:
        drill = Drill(body.seat, body.line, tuple(body.streets), body.hands, body.close, body.single)
        practice = Practice(explorer, seed=body.seed, drill=drill)
        practice.deal()
        return _shown(state.tables.add(body.solution, practice))

    return await state.loaded.use(body.solution, begin)


@router.get("/practice/history", response_model=models.History)
def history(state: Shared, solution: Solution = None) -> Response:
    """What was practised, of one solution or of all."""
    log = state.practised
    sums = {f"{by}s": plain(log.sums(by, solution)) for by in ("street", "hand", "line", "day", "session")}
    return Json({**sums, "mistakes": plain(log.mistakes(solution))})


@router.post("/practice/{id}/again", response_model=models.Seat)
async def again(state: Shared, id: TableId, body: models.AgainRequest) -> Response:
    """Deal a decision again, as one that went wrong."""
    table = state.tables.get(id)

    def go(explorer: Explorer) -> Response:
        table.practice.use(explorer)
        table.practice.deal_at(body.line, body.hand)
        return _shown(table)

    return await state.loaded.use(table.solution, go)


@router.get("/practice/{id}", response_model=models.Seat)
def seen(state: Shared, id: TableId) -> Response:
    """The table as it is."""
    return _shown(state.tables.get(id))


@router.post("/practice/{id}/act", response_model=models.Seat)
async def act(state: Shared, id: TableId, body: models.ActRequest) -> Response:
    """Take an action; the opponent and the cards answer."""
    table = state.tables.get(id)

    def go(explorer: Explorer) -> Response:
        table.practice.use(explorer)
        seen = table.practice.act(body.action)
        if seen.last is not None:
            state.practised.add(table.solution, seen.seat, seen.last, table.id)
        return _shown(table)

    return await state.loaded.use(table.solution, go)


@router.post("/practice/{id}/next", response_model=models.Seat)
async def next_hand(state: Shared, id: TableId) -> Response:
    """Deal another hand."""
    table = state.tables.get(id)

    def go(explorer: Explorer) -> Response:
        table.practice.use(explorer)
        table.practice.deal()
        return _shown(table)

    return await state.loaded.use(table.solution, go)


def _shown(table: SeatTaken) -> Response:
    return Json({"id": table.id, "solution": table.solution, **plain(table.practice.table())})
