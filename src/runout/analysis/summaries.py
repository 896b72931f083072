"""What a saved solution is, from its two small files alone: enough to list a folder of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runout.analysis.view import Summary
from runout.config import read_yaml
from runout.games.catalog import GAMES, load_game
from runout.solutions.format import read_meta


def read_summary(path: Path) -> Summary:
    """What a solution directory says of itself, as explorers say it, without its curve."""
    meta, config = read_meta(path), read_yaml(path / "config.yaml")
    reached = meta["reached"]
    exploitability, unit = _number(reached.get("exploitability")), str(reached.get("unit") or "")
    ante = _ante(str(config.get("game"))) if unit == "chips" and exploitability is not None else None
    if ante is not None and exploitability is not None:
        exploitability, unit = exploitability / ante * 1000, "mA/g"
    return Summary(
        title=_title(meta["kind"], config),
        kind=meta["kind"],
        algorithm=str(reached.get("algorithm") or config.get("algorithm") or config.get("solver") or ""),
        iterations=int(_number(reached.get("iterations")) or 0),
        exploitability=exploitability,
        unit=unit,
        seconds=_number(reached.get("seconds")) or 0.0,
        curve=[],
        settings=config,
    )


def _title(kind: str, config: dict[str, Any]) -> str:
    if kind == "postflop":
        board = str(config.get("board", "")).replace(" ", "")
        return f"{board}, pot {config.get('pot')}, stack {config.get('stack')}"
    if kind == "preflop":
        return f"{config.get('name', 'preflop')}, {config.get('stack_depth', '?')} bb"
    game = config.get("game")
    name = game.get("name") or game.get("kind") if isinstance(game, dict) else game
    return str(name or config.get("name") or kind)


def _ante(game: str) -> float | None:
    """Of a small game that Runout knows itself; others would have to be loaded from elsewhere."""
    return float(load_game(game).ante) if game in GAMES else None


def _number(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number else None
