"""Pools of deals on disk: the game and the settings as config.yaml, deals, weights and classes as arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from runout.config import validated
from runout.errors import InputError, SolutionError
from runout.games.deals import CLASSES, DealPool, DealSettings
from runout.games.holdem import HoldemSettings, game_type, settings_of
from runout.games.holdem_game import DEAL_CARDS
from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solutions.output import Output
from runout.solutions.stored import require_range

KIND = "deals"


def pool_config(game: HoldemSettings, settings: DealSettings) -> dict[str, Any]:
    """The settings of a pool as its file has them."""
    return {
        "game_type": game_type(game),
        "game": game.model_dump(mode="json", exclude_none=True),
        "deals": settings.model_dump(mode="json"),
    }


def write_pool(path: str | Path | Output, pool: DealPool) -> None:
    """Save a pool as a directory."""
    config = pool_config(pool.game, pool.settings)
    reached = {"deals": len(pool), "rejections": pool.rejections}
    arrays = {"deals": pool.deals, "weights": pool.weights, "classes": pool.classes}
    write_bundle(path, Bundle(KIND, config, reached, arrays))


def read_pool(path: str | Path, game: HoldemSettings | None = None) -> DealPool:
    """The pool saved in `path`; one of another game than `game` is refused."""
    bundle = read_bundle(path, KIND)
    try:
        held = settings_of(str(bundle.config["game_type"]), bundle.config["game"])
        settings = validated(DealSettings, bundle.config["deals"])
        pool = DealPool(held, settings, **_arrays(bundle.arrays), rejections=int(bundle.reached["rejections"]))
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise SolutionError(f"{path} is not a complete pool of deals: {error}") from None
    if game is not None:
        require_same_pool(path, pool, game)
    return pool


def _arrays(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    deals, weights, classes = arrays["deals"], arrays["weights"], arrays["classes"]
    n = len(deals)
    kinds = deals.dtype == np.uint8 and weights.dtype == np.float64 and classes.dtype == np.uint8
    if not kinds or deals.shape != (n, DEAL_CARDS) or weights.shape != (n,) or classes.shape != (n,):
        raise ValueError("its arrays do not belong together")
    if n and (deals.max() >= 52 or (np.diff(np.sort(deals, axis=1), axis=1) == 0).any()):
        raise ValueError("a deal has a card that is none, or one card twice")
    require_range(weights, "weights", 0)
    if n and classes.max() >= CLASSES:
        raise ValueError(f"class {classes.max()} is none of {CLASSES}")
    return {"deals": deals, "weights": weights, "classes": classes}


def require_same_pool(path: str | Path, pool: DealPool, game: HoldemSettings) -> None:
    """Refuse a pool, named `path`, of another game."""
    held = pool.game
    if held == game:
        return
    if type(held) is not type(game):
        raise SolutionError(f"{path} holds deals of {game_type(held)}, not of {game_type(game)}: make a pool for it")
    theirs, ours = (settings.model_dump() for settings in (held, game))
    key: Any = next(name for name in ours if ours[name] != theirs[name])
    raise SolutionError(
        f"{path} holds deals of another game ({key} = {theirs[key]}, here {ours[key]}): make a pool for this one"
    )
