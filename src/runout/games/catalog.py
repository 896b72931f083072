"""The small games that Runout knows by name."""

from __future__ import annotations

from collections.abc import Callable

from runout.errors import InputError
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.games.protocol import AnyGame

GAMES: dict[str, Callable[[], AnyGame]] = {"kuhn": Kuhn, "leduc": Leduc}
OPENSPIEL = "openspiel:"


def load_game(name: str) -> AnyGame:
    """The game called `name`: kuhn, leduc, or openspiel:NAME for one of OpenSpiel's."""
    if name in GAMES:
        return GAMES[name]()
    if name.startswith(OPENSPIEL):
        from runout.games.openspiel import OpenSpielGame

        return OpenSpielGame(name.removeprefix(OPENSPIEL))
    if name in ("flop-holdem", "flop-game"):
        raise InputError(f"{name} is no small game: use runout.solve_flop_holdem or `runout game {name}`")
    raise InputError(f"unknown game {name!r}: use {', '.join(GAMES)}, flop-holdem, flop-game or openspiel:NAME")
