"""Tables of the server at which people play the bot: the ones used last, by random ids."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from cachetools import LRUCache

from runout.app.web.errors import not_found
from runout.app.web.library import Library
from runout.run.depths import find_blueprints
from runout.run.sitting import Sitting
from runout.run.table import PlayTable
from runout.solvers.bot import BotSettings

MOST_TABLES = 50
FOLDER = ".played"  # of the library: the hands, as PHH and PokerStars text


@dataclass(frozen=True, slots=True)
class PlaySeat:
    """Somebody who plays; one request at a time."""

    id: str
    table: PlayTable
    guard: threading.Lock = field(default_factory=threading.Lock)


class PlayTables:
    """Tables by id; blueprints are those of the library, those that were opened, and those that come with Runout."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._seats: LRUCache[str, PlaySeat] = LRUCache(MOST_TABLES)
        self._guard = threading.Lock()
        self._sitting: Sitting | None = None

    def stacks(self) -> list[float]:
        """Big blinds of the blueprints that there are."""
        places = [*self._library.opened.values(), self._library.folder, self._library.folder / "runs"]
        return list(find_blueprints(places, strict=False))

    def sit(self, stack: float, keep: bool, seed: int | None) -> PlaySeat:
        """A new table; an InputError where there is no blueprint to play."""
        with self._guard:
            if self._sitting is None:
                places = [*self._library.opened.values(), self._library.folder, self._library.folder / "runs"]
                self._sitting = Sitting(find_blueprints(places, strict=False), BotSettings(mode="turn"))
        table = PlayTable(self._sitting, stack, seed, keep, self._library.folder / FOLDER)
        seat = PlaySeat("t" + secrets.token_hex(6), table)
        with self._guard:
            self._seats[seat.id] = seat
        return seat

    def get(self, name: str) -> PlaySeat:
        with self._guard:
            if name not in self._seats:
                raise not_found(f"no table {name[:100]!r}: sit down again")
            return self._seats[name]
