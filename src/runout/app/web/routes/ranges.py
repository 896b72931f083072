"""Ranges, cards and hand classes."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query
from fastapi import Path as PathParameter

from runout.app.web import models
from runout.app.web.errors import ApiError
from runout.app.web.shelf import NAME_PATTERN
from runout.app.web.state import Shared, State
from runout.cards.cards import card_name, cards
from runout.cards.hands import CLASS_NAMES, COMBO_CLASS, COMBOS, MATRIX, combo_name
from runout.cards.ranges import Range
from runout.errors import InputError

router = APIRouter(tags=["ranges"])
Name = Annotated[str, PathParameter(pattern=NAME_PATTERN)]


@router.post("/ranges/parse")
def parse(body: models.TextRequest) -> models.RangeOut:
    """What a text means as a range."""
    found = _range(body.text)
    return models.RangeOut(
        **_described(found),
        weights=np.round(found.classes, 6).tolist(),
        combos=found.weights.tolist(),
    )


@router.post("/ranges/format")
def format_(body: models.WeightsRequest) -> models.RangeText:
    """The shortest text of a range by classes."""
    try:
        return models.RangeText(**_described(Range(np.array(body.weights))))
    except InputError as error:
        raise ApiError(422, str(error), "weights") from None


@router.get("/ranges/top")
def top(percent: Annotated[float, Query(ge=0, le=100)]) -> models.RangeTop:
    """The best hands by equity against a random one."""
    share = round(percent, 4)
    found = _range(f"{share:.4f}%") if share else Range(np.zeros(COMBOS))
    return models.RangeTop(text=str(found), weights=np.round(found.classes, 6).tolist())


@router.get("/ranges/saved")
def saved(state: Shared) -> dict[str, str]:
    """Saved ranges by name."""
    return _saved(state)


@router.get("/ranges/saved/{name}")
def saved_one(state: Shared, name: Name) -> models.RangeOut:
    """One saved range."""
    return parse(models.TextRequest(text=str(state.library.ranges.get(name))))


@router.put("/ranges/saved/{name}")
def save(state: Shared, name: Name, body: models.TextRequest) -> dict[str, str]:
    """Keep a range under a name, in place of one that has it."""
    state.library.ranges.put(name, str(_range(body.text)))
    return _saved(state)


@router.delete("/ranges/saved/{name}")
def forget(state: Shared, name: Name) -> dict[str, str]:
    """Forget a saved range."""
    state.library.ranges.drop(name)
    return _saved(state)


@router.post("/cards/parse")
def parse_cards(body: models.TextRequest) -> models.Cards:
    """The cards of a text, as people paste them."""
    try:
        return models.Cards(cards=[card_name(one) for one in cards(body.text)])
    except InputError as error:
        raise ApiError(422, str(error), "text") from None


@router.get("/classes")
def classes() -> models.Classes:
    """The 169 classes, where they stand in the matrix, and their combos."""
    combos: list[list[str]] = [[] for _ in CLASS_NAMES]
    for index in range(COMBOS - 1, -1, -1):  # highest cards first
        combos[int(COMBO_CLASS[index])].append(combo_name(index))
    return models.Classes(names=list(CLASS_NAMES), matrix=MATRIX.tolist(), combos=combos)


def _saved(state: State) -> dict[str, str]:
    return {name: str(text) for name, text in state.library.ranges.all().items()}


def _range(text: str) -> Range:
    try:
        return Range(text) if text.strip() else Range(np.zeros(COMBOS))
    except InputError as error:
        raise ApiError(422, str(error), "text") from None


def _described(found: Range) -> dict[str, Any]:
    return {
        "text": str(found) if found.count else "",
        "count": round(found.combos(), 4),
        "percent": round(found.combos() / COMBOS * 100, 4),
    }
