"""What a saved solution is, from its two small files alone: enough to list a folder of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runout.analysis.view import Summary
from runout.config import read_yaml
from runout.errors import RunoutError
from runout.games.catalog import GAMES, load_game
from runout.games.holdem import settings_of
from runout.solutions.flop_holdem import KINDS
from runout.solutions.format import read_meta


def read_summary(path: Path) -> Summary:
    """What a solution directory says of itself, as explorers say it, without its curve."""
    meta, config = read_meta(path), read_yaml(path / "config.yaml")
    kind, reached = meta["kind"], meta["reached"]
    named = _NAMED.get(kind)
    try:
        title, unit = named(config) if named is not None else (kind, None)
    except (RunoutError, ValueError, TypeError):  # settings that this Runout does not know
        title, unit = kind, None
    exploitability = _number(reached.get("exploitability"))
    if unit is not None and exploitability is not None and reached.get("unit") == "chips":
        exploitability *= unit.of_chip
    return Summary(
        title=title,
        kind=kind,
        algorithm=str(reached.get("algorithm") or config.get("algorithm") or reached.get("solver") or ""),
        iterations=int(_number(reached.get("iterations")) or 0),
        exploitability=exploitability,
        unit=unit.name if unit is not None and reached.get("unit") == "chips" else str(reached.get("unit") or ""),
        seconds=_number(reached.get("seconds")) or 0.0,
        curve=[],
        settings=config,
    )


@dataclass(frozen=True, slots=True)
class _Unit:
    """What explorers say chips in."""

    name: str
    of_chip: float


def _postflop(config: dict[str, Any]) -> tuple[str, _Unit | None]:
    board = str(config.get("board", "")).replace(" ", "")
    return f"{board}, pot {config.get('pot')}, stack {config.get('stack')}", None


def _preflop(config: dict[str, Any]) -> tuple[str, _Unit | None]:
    return f"{config.get('name', 'preflop')}, {float(config.get('stack_depth', 'nan')):g} bb", None


def _flop_game(config: dict[str, Any], kind: str) -> tuple[str, _Unit | None]:
    game = KINDS[kind](**config)
    return game.describe().split(";")[0], _Unit("mbb/hand", game.mbb(1))


def _small_game(config: dict[str, Any]) -> tuple[str, _Unit | None]:
    name = str(config.get("game"))
    known = name in GAMES  # others would have to be loaded from elsewhere
    return name, _Unit("mA/g", 1000 / load_game(name).ante) if known else None


def _policy(config: dict[str, Any]) -> tuple[str, _Unit | None]:
    return settings_of(str(config.get("game_type")), config.get("game") or {}).game().name, None


_NAMED: dict[str, Callable[[dict[str, Any]], tuple[str, _Unit | None]]] = {
    "postflop": _postflop,
    "preflop": _preflop,
    "tabular": _small_game,
    **{kind: partial(_flop_game, kind=kind) for kind in KINDS},
    **dict.fromkeys(("mccfr", "neural"), _policy),
}


def _number(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number else None
