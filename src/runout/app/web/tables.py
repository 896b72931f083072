"""Practice tables of the server: the ones used last, by random ids."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass

from cachetools import LRUCache

from runout.app.web.errors import not_found
from runout.explorers.practice import Practice

MOST_TABLES = 200


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody who practises a solution."""

    id: str
    solution: str
    practice: Practice


class PracticeTables:
    """Tables by id; the least recently used are cleared."""

    def __init__(self) -> None:
        self._tables: LRUCache[str, SeatTaken] = LRUCache(MOST_TABLES)
        self._guard = threading.Lock()

    def add(self, solution: str, practice: Practice) -> SeatTaken:
        table = SeatTaken("p" + secrets.token_hex(6), solution, practice)
        with self._guard:
            self._tables[table.id] = table
        return table

    def get(self, name: str) -> SeatTaken:
        with self._guard:
            if name not in self._tables:
                raise not_found(f"no practice table {name[:100]!r}: start another one")
            return self._tables[name]
