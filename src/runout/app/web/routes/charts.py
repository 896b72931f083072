"""Charts before the flop: those that come with Runout, own ones, new trees, and the way from a line to the flop."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter
from pydantic import ValidationError

from runout.app.web import models
from runout.app.web.errors import ApiError, one_line
from runout.app.web.job_record import SolveJob
from runout.app.web.plain import Json
from runout.app.web.routes.solutions import LineAddress
from runout.app.web.schemas import list_of
from runout.app.web.shelf import NAME_PATTERN
from runout.app.web.state import Shared, SolutionId, State
from runout.cards.cards import board as board_cards
from runout.cards.ranges import Range
from runout.config import explain_all
from runout.cursors.cursor import Node
from runout.cursors.view import Explorer
from runout.errors import InputError, RunoutError
from runout.explorers.situations import Situation, situations
from runout.games.preflop import Preflop
from runout.run.line_spots import line_spot

router = APIRouter(tags=["charts"])
Name = Annotated[str, PathParameter(pattern=NAME_PATTERN)]
MOST_NODES = 10_000  # decisions of a game before the flop that a page solves


@router.get("/charts", response_model=list[models.Chart])
def charts(state: Shared) -> Response:
    """All solved games before the flop: the shipped charts by stack, then those of the library."""
    own = [name for name in state.library.ids() if _is_preflop(state, name)]
    return Json([_described(state, name) for name in (*state.library.charts, *own)])


@router.get("/solutions/{id:path}/situations", response_model=list_of(Situation))
async def situations_of(state: Shared, id: SolutionId) -> Response:
    """The lines of a game before the flop that players have names for."""
    return await state.loaded.use(id, lambda explorer: Json(situations(explorer)))


@router.get("/solutions/{id:path}/spot")
async def spot(
    state: Shared, id: SolutionId, line: LineAddress = "", board: Annotated[str, Query(max_length=40)] = ""
) -> dict[str, Any]:
    """What is left of the hand after a line, as the settings of a spot: both ranges, pot, stack and sizes that fit."""

    def go(explorer: Explorer) -> dict[str, Any]:
        board_cards(board)  # bad cards are named before anything is worked out
        return line_spot(Node(explorer, line), board)

    return await state.loaded.use(id, go)


@router.post("/preflop/check")
def check(body: models.PreflopRequest) -> models.PreflopOut:
    """Every bad part of a game before the flop by its place, and how many decisions it has."""
    try:
        game, nodes = _game(body.game)
    except _Refused as refused:
        errors = [models.FieldProblem(field=field[:200], message=one_line(text)) for field, text in refused.problems]
        return models.PreflopOut(ok=False, errors=errors, nodes=0, first=[], unused=[])
    return models.PreflopOut(
        ok=True, errors=[], nodes=nodes, first=list(game.tree().action_names(0, 0)), unused=list(game.unused_sizes())
    )


@router.post("/preflop/solve")
def solve(state: Shared, body: models.PreflopRequest) -> SolveJob:
    """Queue a solve of a game before the flop, whose called pots are worth what they are in the charts."""
    try:
        game, _ = _game(body.game)
    except _Refused as refused:
        field, message = refused.problems[0]
        raise ApiError(422, message, f"game.{field}" if field else "game") from None
    return state.jobs.add_preflop(game, body.name)


# Pairs of ranges that people keep, with pot and stack


@router.get("/setups")
def setups(state: Shared) -> dict[str, models.RangePair]:
    """Saved pairs of ranges by name."""
    return {name: models.RangePair.model_validate(one) for name, one in state.library.setups.all().items()}


@router.put("/setups/{name}")
def keep(state: Shared, name: Name, body: models.RangePair) -> dict[str, models.RangePair]:
    """Keep a pair of ranges with pot and stack, in place of one that has the name."""
    for side, text in (("oop", body.oop), ("ip", body.ip)):
        try:
            Range(text)
        except InputError as error:
            raise ApiError(422, str(error), side) from None
    state.library.setups.put(name, body.model_dump(exclude_none=True))
    return setups(state)


@router.delete("/setups/{name}")
def forget(state: Shared, name: Name) -> dict[str, models.RangePair]:
    """Forget a saved pair."""
    state.library.setups.drop(name)
    return setups(state)


class _Refused(Exception):
    """A game that cannot be solved here: its bad parts by their place."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__()
        self.problems = problems


def _game(settings: dict[str, Any]) -> tuple[Preflop, int]:
    """A game before the flop and how many decisions it has."""
    try:
        found: Preflop = Preflop.__pydantic_validator__.validate_python(
            dict(settings), self_instance=Preflop.__new__(Preflop)
        )
        nodes = found.game().tree(MOST_NODES).nodes
    except ValidationError as error:
        raise _Refused(explain_all(Preflop, error)) from None
    except InputError as error:
        raise _Refused([("raise_sizes", str(error))]) from None
    return found, nodes


def _is_preflop(state: State, name: str) -> bool:
    try:
        return state.library.summary(name)[0].kind == "preflop"
    except RunoutError:
        return False  # deleted or damaged since


def _described(state: State, name: str) -> dict[str, Any]:
    one, _ = state.library.summary(name)
    return {
        "id": name,
        "title": one.title,
        "stack": one.settings["stack_depth"],
        "shipped": name in state.library.charts,
        "exploitability": one.exploitability,
        "unit": one.unit,
    }
