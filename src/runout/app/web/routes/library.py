"""What is done with several solutions at once: folders, tags, one file out and in; and files without rivers."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import ValidationError

from runout import memory
from runout.app.web import models
from runout.app.web.errors import ApiError
from runout.app.web.library import ID_PATTERN
from runout.app.web.notes import NoteBook
from runout.app.web.security import BODY_SECONDS
from runout.app.web.state import Shared, SolutionId, State
from runout.errors import InputError, SolutionError
from runout.solutions.archive import packed, unpacked

router = APIRouter(tags=["library"])
MOST_PACKED = 200
NOTES = "notes.json"  # beside the solutions of an archive
SPARE = 1_000_000_000  # bytes of the disk that an import leaves free


@router.post("/library/move", status_code=204)
def move(state: Shared, body: models.MoveRequest) -> None:
    """Put solutions into a folder; '' takes them out of theirs."""
    folder = "/".join(part.strip() for part in body.folder.split("/") if part.strip())
    _rewrite(state, body.ids, {"folder": folder})


@router.post("/library/tag", status_code=204)
def tag(state: Shared, body: models.TagRequest) -> None:
    """Give solutions a tag, or take it away where all of them have it."""
    known = state.notes.all()
    has = [body.tag in known.get(name, models.Notes()).tags for name in body.ids]
    for name in body.ids:
        tags = [one for one in known.get(name, models.Notes()).tags if one != body.tag]
        _rewrite(state, [name], {"tags": tags if all(has) else [*tags, body.tag]})


WHOLE_GAME = "preflop to river, by buckets of hands; every spot on the way can be solved exactly"


@router.get("/ready")
def ready(state: Shared) -> list[models.Ready]:
    """Solutions that come with Runout."""
    found = []
    for name in state.library.ready:
        one, _ = state.library.summary(name)
        words = name.rpartition("/")[2].replace("-", " ").replace("4 bet", "4-bet").replace("3 bet", "3-bet")
        if one.exploitability is None:  # a whole game
            found.append(models.Ready(id=name, name=f"whole game, {words.replace('bb', ' bb')}", what=WHOLE_GAME))
            continue
        found.append(
            models.Ready(id=name, name=words, what=f"{one.title}, solved to {one.exploitability:.2g}% of the pot")
        )
    return found


@router.get("/archive", response_class=Response, responses={200: {"content": {"application/x-tar": {}}}})
def archive(
    state: Shared,
    id: Annotated[list[Annotated[str, Query(pattern=ID_PATTERN, max_length=400)]], Query(max_length=MOST_PACKED)],
) -> Response:
    """Solutions in one file, with their names, notes, tags and folders."""
    if not id:
        raise ApiError(422, "no solutions are named: give one id or more", "id")
    paths: dict[str, Path] = {}
    notes: dict[str, models.Notes] = {}
    known = state.notes.all()
    for one in id:
        name = one.rpartition("/")[2]
        while name in paths:
            name += "-2"
        paths[name] = state.library.path(one)
        if one in known:
            notes[name] = known[one]
    said = json.dumps({name: one.model_dump() for name, one in notes.items()}, ensure_ascii=False).encode()
    title = next(iter(paths)) if len(paths) == 1 else f"runout-{len(paths)}"
    headers = {"Content-Disposition": f'attachment; filename="{title}.runout.tar"'}
    return StreamingResponse(packed(paths, {NOTES: said}), media_type="application/x-tar", headers=headers)


@router.post(
    "/import",
    openapi_extra={
        "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
    },
)
async def import_(state: Shared, request: Request) -> models.Imported:
    """Put the solutions of such a file into the library, under names that are free; nothing is overwritten."""
    place = state.library.folder / f".incoming-{secrets.token_hex(6)}"
    place.mkdir()
    try:
        await _received(request, place / "file.tar", state)
        (place / "solutions").mkdir()
        ids = await run_in_threadpool(_imported, state, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    state.events.tell({"type": "library"})
    return models.Imported(ids=ids)


@router.post("/solutions/{id:path}/shrink", status_code=204)
def shrink(state: Shared, id: SolutionId) -> None:
    """Leave the rivers out of a solution's file: many times smaller; they are solved again when they are looked at."""
    from runout.cursors.spot_solution import load_postflop

    one, _ = state.library.summary(id)
    if one.kind != "postflop" or id in state.library.opened or "/" in id:
        raise ApiError(403, f"{id!r} is no postflop solution of the library: nothing can be left out of it")
    if state.jobs.of_solution(id) is not None:
        raise ApiError(409, f"a job is solving {id!r}: stop it first")
    if not state.library.rivers(id):
        return
    memory.require(2 * state.library.size(id), f"{id} needs")
    solution = load_postflop(state.library.path(id))
    try:
        solution.save(state.library.path(id), rivers=False)
    except SolutionError as error:
        raise ApiError(409, str(error)) from None
    state.loaded.drop(id)
    state.events.tell({"type": "library"})


def _rewrite(state: State, ids: list[str], changes: dict[str, object]) -> None:
    for name in ids:
        state.library.path(name)  # 404 before anything is written
    book: NoteBook = state.notes
    for name in ids:
        book.write(name, book.all().get(name, models.Notes()).model_copy(update=changes))
    state.events.tell({"type": "library"})


async def _received(request: Request, file: Path, state: State) -> None:
    """The body as a file; 413 where the disk has no room, 408 where it does not come."""
    room = shutil.disk_usage(state.library.folder).free - SPARE
    pieces, total = request.stream().__aiter__(), 0
    with file.open("wb") as out:
        while True:
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    piece = await pieces.__anext__()
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise ApiError(408, "the file stopped coming") from None
            total += len(piece)
            if 2 * total > room:  # it is unpacked beside itself
                raise ApiError(413, f"the disk of the library has no room for the file: {room / 1e9:.1f} GB are free")
            await run_in_threadpool(out.write, piece)


def _imported(state: State, place: Path) -> list[str]:
    try:
        found, extra = unpacked(place / "file.tar", place / "solutions")
        said = json.loads(extra.get(NOTES, b"{}"))
        notes = {name: models.Notes.model_validate(one) for name, one in said.items()} if isinstance(said, dict) else {}
    except SolutionError as error:
        raise InputError(str(error)) from None
    except (ValueError, ValidationError):
        raise InputError(f"{NOTES} in the file cannot be read") from None
    ids = []
    for path in found:
        name = state.library.take(path)
        ids.append(name)
        if path.name in notes:
            state.notes.write(name, notes[path.name])
    return ids
