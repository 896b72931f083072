"""Played hands: read them, and grade one by a solution of its spot."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from runout.app.web import models
from runout.app.web.errors import not_found
from runout.app.web.plain import Json
from runout.app.web.schemas import list_of
from runout.app.web.state import Shared
from runout.cards.cards import card_name
from runout.cursors.view import Explorer
from runout.errors import InputError
from runout.hands.read import HandsRead, read_hands_text
from runout.hands.record import PlayedHand
from runout.hands.replay import Replay
from runout.run.review import TARGET, after_the_flop
from runout.run.review_files import ReviewedDecision
from runout.run.review_ranges import chart_sources, ranges_for
from runout.run.review_spots import hand_spot, has_spot

router = APIRouter(tags=["hands"])
MOST_HANDS = 500


@router.post("/hands", response_model=models.HandsOut)
def read(body: models.HandsRequest) -> Response:
    """Read hands of PokerStars, GG or PHH; those that can be graded come with the spot to solve."""
    found = _read(body.text)
    rows = [_row(hand, again) for hand, again in zip(found.hands, found.replays, strict=True)]
    failures = [{"hand": one.number, "line": one.line, "why": one.why} for one in found.failures]
    return Json({"found": found.found, "hands": rows, "failures": failures})


@router.post("/hands/grade", response_model=list_of(ReviewedDecision))
async def grade(state: Shared, body: models.GradeRequest) -> Response:
    """What each decision of a hand lost, by the solution of its spot."""
    found = _read(body.text)
    pairs = zip(found.hands, found.replays, strict=True)
    hand, again = next((pair for pair in pairs if pair[0].number == body.hand), (None, None))
    if hand is None or again is None:
        raise not_found(f"no hand {body.hand} that can be read in this text")
    if why := _why_not(hand, again):
        raise InputError(f"hand {body.hand} cannot be graded: {why}")
    ranges = ranges_for(hand, again, chart_sources())
    made = hand_spot(hand, again, ranges)

    def go(explorer: Explorer) -> Response:
        settings = explorer.summary.settings
        if any(settings.get(key) != getattr(made.spot, key) for key in ("board", "pot", "stack")):
            raise InputError(f"{body.solution} is no solution of hand {body.hand}: solve its spot first")
        return Json(after_the_flop(explorer, hand, again, made, ranges, _known(hand, again)))

    return await state.loaded.use(body.solution, go)


def _read(text: str) -> HandsRead:
    found = read_hands_text(text)
    if found.found > MOST_HANDS:
        raise InputError(f"{found.found} hands are too many for a page: use {MOST_HANDS}, or `runout review`")
    return found


def _known(hand: PlayedHand, again: Replay) -> list[int]:
    """Seats of the heads-up part whose cards are known."""
    return [seat for seat in again.heads_up.seats if hand.seats[seat].cards] if again.heads_up is not None else []


def _why_not(hand: PlayedHand, again: Replay) -> str:
    """Why a hand cannot be graded; nothing where it can."""
    if again.heads_up is None:
        return "more than two players see the flop, or none"
    if not _known(hand, again):
        return "no cards of either player are known"
    return "" if has_spot(hand, again) else "nobody acts after the flop, or a stack is not told"


def _row(hand: PlayedHand, again: Replay) -> dict[str, Any]:
    why = _why_not(hand, again)
    spot, where = None, ""
    if not why:
        ranges = ranges_for(hand, again, chart_sources())
        made, where = hand_spot(hand, again, ranges), ranges.where
        asked = made.spot.replace(solve={"target": TARGET, "storage": "int16"})
        spot = asked.model_dump(mode="json", by_alias=True, exclude_none=True)
    players = [
        {
            "name": seat.name,
            "cards": [card_name(card) for card in seat.cards],
            "stack_bb": hand.big_blinds(seat.stack) if seat.known else None,
        }
        for seat in hand.seats
    ]
    return {
        "number": hand.number,
        "line": hand.line,
        "id": hand.id,
        "big_blind": hand.currency + hand.text(hand.big_blind),
        "players": players,
        "board": [card_name(card) for card in hand.board],
        "pot_bb": hand.big_blinds(again.pot),
        "why_not": why,
        "ranges": where,
        "spot": spot,
    }
