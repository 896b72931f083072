"""The library and everything about one solution."""

from __future__ import annotations

import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from runout.app.web import models
from runout.app.web.errors import ApiError
from runout.app.web.job_record import SolveJob
from runout.app.web.plain import Json, plain
from runout.app.web.routes.spots import checked
from runout.app.web.schemas import list_of, model_of
from runout.app.web.state import Shared, SolutionId, State
from runout.app.words import spot_details
from runout.cursors.tables import write_csv
from runout.cursors.view import NodeView, Summary, hands_of
from runout.errors import RunoutError
from runout.explorers import node_reports
from runout.explorers.locking import locked_spot
from runout.explorers.tree_editing import SizeVariant, edited_spot, size_variants

router = APIRouter(tags=["solutions"])
LineAddress = Annotated[str, Query(max_length=2000, description="the address of a node, '' for the root")]
Player = Annotated[str | None, Query(max_length=20, description="whose hands; who acts, where none is named")]

MORE_ITERATIONS = 1000  # that continuing a solution may take at least


@router.get("/library", response_model=list_of(models.Entry))
def library(state: Shared) -> Response:
    """Every solution, the last saved first."""
    found, notes = [], state.notes.all()
    for name in state.library.ids():
        try:
            one, modified = state.library.summary(name)
        except RunoutError:
            continue  # deleted or damaged since
        entry = {field: getattr(one, field) for field in models.Entry.model_fields if hasattr(one, field)}
        more = {"modified": modified, "job": state.jobs.of_solution(name), "bytes": state.library.size(name)}
        more["details"] = spot_details(one.settings) if one.kind == "postflop" else ""
        more["rivers"] = one.kind != "postflop" or state.library.rivers(name)
        found.append({**entry, "id": name, **more, **notes.get(name, models.Notes()).model_dump()})
    return Json(sorted(found, key=lambda entry: -entry["modified"]))


@router.get("/solutions/{id:path}/node", response_model=model_of(NodeView))
async def node(state: Shared, id: SolutionId, line: LineAddress = "") -> Response:
    """Everything on screen about one node."""
    return await state.loaded.use(id, lambda explorer: Json(explorer.at(line)))


@router.get("/solutions/{id:path}/graph", response_model=models.Graph)
async def graph(state: Shared, id: SolutionId, line: LineAddress = "") -> Response:
    """Range against range: equity over the share of each range."""

    def drawn(view: NodeView) -> Response:
        curves = [node_reports.equity_curve(view, hands.player) for hands in view.hands]
        points = [list(zip(plain(one.share), plain(one.equity), strict=True)) for one in curves]
        return Json({"players": [one.player for one in curves], "curves": points})

    return await state.loaded.use(id, lambda explorer: drawn(explorer.at(line)))


@router.get("/solutions/{id:path}/runouts", response_model=list_of(node_reports.Runout))
async def runouts(state: Shared, id: SolutionId, line: LineAddress = "") -> Response:
    """What each next card does, at a chance node."""
    return await state.loaded.use(id, lambda explorer: Json(node_reports.runouts(explorer, line)))


@router.get("/solutions/{id:path}/lines", response_model=list_of(node_reports.CommonLine))
async def lines(state: Shared, id: SolutionId, line: LineAddress = "") -> Response:
    """The most common ways in which the betting of the street continues."""
    return await state.loaded.use(id, lambda explorer: Json(node_reports.common_lines(explorer, line)))


@router.get("/solutions/{id:path}/breakdown", response_model=list_of(node_reports.CategoryRow))
async def breakdown(
    state: Shared, id: SolutionId, line: LineAddress = "", player: Player = None, draws: bool = False
) -> Response:
    """A range by made hands or by draws."""

    def parts(view: NodeView) -> Response:
        return Json(node_reports.breakdown(view, player or view.player or view.players[0], draws))

    return await state.loaded.use(id, lambda explorer: parts(explorer.at(line)))


@router.get("/solutions/{id:path}/csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def table(state: Shared, id: SolutionId, line: LineAddress = "", player: Player = None) -> Response:
    """The table of hands as CSV."""

    def written(view: NodeView) -> str:
        out = io.StringIO()
        write_csv(out, [(view, hands_of(view, player or view.player or view.players[0]))])
        return out.getvalue()

    text = await state.loaded.use(id, lambda explorer: written(explorer.at(line)))
    name = id.rpartition("/")[2]
    return Response(text, media_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}.csv"'})


@router.put("/solutions/{id:path}/notes")
def write_notes(state: Shared, id: SolutionId, body: models.Notes) -> models.Notes:
    """Name a solution, tag it, and say something about it."""
    state.library.path(id)
    state.notes.write(id, body)
    state.events.tell({"type": "library"})
    return body


@router.post("/solutions/{id:path}/lock")
def lock(state: Shared, id: SolutionId, body: models.LockRequest) -> SolveJob:
    """Solve again with strategies given at one node or several, as a new solution."""
    locked = _postflop(state, id)
    for each in (body, *body.more):
        locked = locked_spot(locked, each.line, each.strategy)
    base = id.rpartition("/")[2]
    return state.jobs.add(checked(locked), body.name or f"{base} locked")


@router.post("/solutions/{id:path}/tree")
def tree(state: Shared, id: SolutionId, body: models.TreeRequest) -> models.SpotRequest:
    """The spot of a solution with bets added and taken out at its nodes, to be checked and solved."""
    added = [(one.line, one.size) for one in body.add]
    return models.SpotRequest(spot=edited_spot(_postflop(state, id), added, body.remove))


@router.post("/solutions/{id:path}/sizes", response_model=list_of(SizeVariant))
def sizes(state: Shared, id: SolutionId, body: models.SizesRequest) -> Response:
    """For each size the spot in which the player to act at a node has that bet and no other."""
    return Json(size_variants(_postflop(state, id), body.line, body.sizes))


@router.post("/solutions/{id:path}/resume")
def resume(state: Shared, id: SolutionId, body: models.ResumeRequest) -> SolveJob:
    """Go on solving to a lower target; the solution in the library is replaced by the better one."""
    one, _ = state.library.summary(id)
    if one.kind != "postflop":
        raise ApiError(422, f"a {one.kind} solution cannot be gone on with here: open a postflop one")
    if dict(one.settings.get("solve") or {}).get("leaf") == "network":
        raise ApiError(422, "later streets were valued by a network: solve the spot without `leaf` to get closer")
    if id in state.library.opened or "/" in id:
        raise ApiError(403, f"{id!r} is not in the library: copy it there, or use `runout solve --resume`")
    if one.exploitability is not None and body.target >= one.exploitability:
        had = f"{one.exploitability:.3g}"
        raise ApiError(422, f"target: {had}% of the pot is reached already: give a lower one", "target")
    settings = dict(one.settings)
    solve = dict(settings.get("solve") or {})
    more = max(int(solve.get("iterations") or 0), MORE_ITERATIONS)
    settings["solve"] = solve | {"target": body.target, "unit": "%", "iterations": one.iterations + more}
    return state.jobs.go_on(id, checked(settings), one)


def _postflop(state: State, id: str) -> dict[str, Any]:
    """The settings of a solved spot; 422 of any other solution."""
    one, _ = state.library.summary(id)
    if one.kind != "postflop":
        raise ApiError(422, f"the tree of a {one.kind} solution cannot be changed here: open a postflop one")
    return one.settings


@router.get("/solutions/{id:path}", response_model=model_of(Summary))
async def summary(state: Shared, id: SolutionId) -> Response:
    """What a solution is and what it reached."""
    return await state.loaded.use(id, lambda explorer: Json(explorer.summary))


@router.post("/solutions/{id:path}/restore")
def restore(state: Shared, id: SolutionId) -> models.Restored:
    """Bring back a solution that was deleted in the last day."""
    found = state.library.restore(id)
    state.events.tell({"type": "library"})
    return models.Restored(id=found)


@router.delete("/solutions/{id:path}", status_code=204)
def remove(state: Shared, id: SolutionId) -> None:
    """Delete a solution of the library, for a day with a way back; never one that was opened from elsewhere."""
    state.library.path(id)
    if id not in state.library.opened:
        state.jobs.forget(id)
    state.library.remove(id)
    state.loaded.drop(id)
    state.events.tell({"type": "library"})
