"""Play: sit down against the bot, heads-up, at any depth."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi import Path as PathParameter

from runout.app.web import models
from runout.app.web.plain import Json, plain
from runout.app.web.playing import PlaySeat
from runout.app.web.state import Shared
from runout.app.web.turns import Turns

router = APIRouter(tags=["play"])
SeatId = Annotated[str, PathParameter(pattern=r"^t[0-9a-f]{12}$")]
_THINKING = Turns(2, 8, "hands are being played")
_GRADING = Turns(1, 16, "hands are being graded")


@router.get("/play", response_model=models.PlayPlaces)
def places(state: Shared) -> Response:
    """The blueprints that the bot can play."""
    return Json({"stacks": state.playing.stacks()})


@router.post("/play", response_model=models.Playing)
def sit(state: Shared, body: models.PlayRequest) -> Response:
    """Sit down; the first hand is dealt."""
    seat = state.playing.sit(body.stack, body.keep, body.seed)
    with _THINKING, seat.guard:
        seat.table.deal()
        return _shown(seat)


@router.get("/play/{id}", response_model=models.Playing)
def seen(state: Shared, id: SeatId) -> Response:
    """The table as it is."""
    seat = state.playing.get(id)
    with seat.guard:
        return _shown(seat)


@router.post("/play/{id}/act", response_model=models.Playing)
def act(state: Shared, id: SeatId, body: models.ActRequest) -> Response:
    """Act: f, x, c, a, a number of big blinds in all, or a share of the pot (75%); the bot and the cards answer."""
    seat = state.playing.get(id)
    with _THINKING, seat.guard:
        seat.table.act(body.action)
        return _shown(seat)


@router.post("/play/{id}/next", response_model=models.Playing)
def next_hand(state: Shared, id: SeatId) -> Response:
    """Deal the next hand, once this one is over."""
    seat = state.playing.get(id)
    with _THINKING, seat.guard:
        seat.table.deal()
        return _shown(seat)


@router.post("/play/{id}/grade", response_model=models.Playing)
def grade(state: Shared, id: SeatId) -> Response:
    """Grade the hands that are over, in seconds; the next one may be played meanwhile."""
    seat = state.playing.get(id)
    with _GRADING:
        seat.table.grade()
    with seat.guard:
        return _shown(seat)


def _shown(seat: PlaySeat) -> Response:
    saved = "" if seat.table.files is None else seat.table.files[0].name
    return Json({"id": seat.id, "saved": saved, **plain(seat.table.view())})
