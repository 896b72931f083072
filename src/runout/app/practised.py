"""What was practised in browser and terminal, kept in the library as SQLite: every graded decision, sums over them,
mistakes to repeat."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runout.cards.hands import CLASS_NAMES, COMBO_CLASS, hand_combos
from runout.errors import InputError
from runout.explorers.practice import GRADES, Graded

FILE = ".practice.sqlite"
_MISTAKES = GRADES[2:]  # inaccuracies, wrong ones, blunders
_TABLE = """
CREATE TABLE IF NOT EXISTS decisions (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, solution TEXT NOT NULL, seat TEXT NOT NULL, line TEXT NOT NULL,
    street TEXT NOT NULL, hand TEXT NOT NULL, class TEXT NOT NULL, category TEXT NOT NULL, action TEXT NOT NULL,
    best TEXT NOT NULL, grade TEXT NOT NULL, lost REAL, lost_pot REAL, lost_bb REAL, unit TEXT NOT NULL,
    again INTEGER NOT NULL DEFAULT 0, session TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS by_solution ON decisions (solution, at);
"""  # `again`: a mistake that was made good since; `session`: one sitting, "" in files that did not have it
_LATER = "ALTER TABLE decisions ADD COLUMN session TEXT NOT NULL DEFAULT ''"
_DAY = "date(at, 'unixepoch', 'localtime')"
_BY = {"street": "street", "hand": "CASE category WHEN '' THEN class ELSE category END", "line": "line",
       "day": _DAY, "session": f"CASE session WHEN '' THEN {_DAY} ELSE session END"}  # fmt: skip
_IN_TIME = ("day", "session")


@dataclass(frozen=True, slots=True)
class Practised:
    """Decisions of one kind, and what they lost on average; None where EVs are not known. Sessions are named by when
    they began."""

    name: str
    decisions: int
    mistakes: int
    lost_bb: float | None  # a decision
    lost_pot: float | None  # a decision, as a share of the pot


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that lost something."""

    id: int
    at: float  # seconds since 1970
    solution: str
    seat: str
    line: str
    street: str
    hand: str
    action: str
    best: str
    grade: str
    lost_bb: float | None
    lost_pot: float | None


class PracticeLog:
    """The file of a library; asked from several threads."""

    def __init__(self, folder: Path) -> None:
        self._path, self._guard = folder / FILE, threading.Lock()

    def add(self, solution: str, seat: str, last: Graded, session: str = "") -> None:
        """Keep a decision of a session; a good one strikes earlier mistakes of the same hand at the same node."""
        best = max(last.mix, key=lambda one: one.ev if one.ev is not None else one.frequency).name
        action = next(one.name for one in last.mix if one.token == last.action)
        kind = CLASS_NAMES[COMBO_CLASS[hand_combos(last.hand)[0]]]
        in_pots = None if last.ev_lost is None or not last.pot else last.ev_lost / last.pot
        in_blinds = None if last.ev_lost is None or not last.big_blind else last.ev_lost / last.big_blind
        row = (time.time(), solution, seat, last.line, last.street, last.hand, kind, last.category, action, best,
               last.grade, last.ev_lost, in_pots, in_blinds, last.unit, session)  # fmt: skip
        with self._open() as file:
            if last.grade not in _MISTAKES:
                where = "solution = ? AND line = ? AND hand = ?"
                file.execute(f"UPDATE decisions SET again = 1 WHERE {where}", (solution, last.line, last.hand))
            names = (
                "at, solution, seat, line, street, hand, class, category, action, best, grade, lost, lost_pot, lost_bb"
            )
            file.execute(f"INSERT INTO decisions ({names}, unit, session) VALUES ({', '.join('?' * len(row))})", row)

    def sums(self, by: str, solution: str | None = None) -> list[Practised]:
        """Decisions by 'street', 'hand', 'line', 'day' or 'session': days and sessions in order, of the others those
        with the largest losses in all first."""
        began = "strftime('%Y-%m-%d %H:%M', min(at), 'unixepoch', 'localtime')"
        order = "min(at) DESC" if by in _IN_TIME else "total(lost_pot) DESC, count(*) DESC"
        marks = ", ".join("?" * len(_MISTAKES))
        asked = (
            f"SELECT {began if by == 'session' else 'kind'}, count(*), sum(grade IN ({marks})), avg(lost_bb), "
            f"avg(lost_pot) FROM (SELECT *, {_BY[by]} AS kind FROM decisions) WHERE ? IS NULL OR solution = ? "
            f"GROUP BY kind ORDER BY {order} LIMIT 60"
        )
        with self._open() as file:
            rows = [Practised(*row) for row in file.execute(asked, (*_MISTAKES, solution, solution))]
        return rows[::-1] if by in _IN_TIME else rows

    def mistakes(self, solution: str | None = None, most: int = 50) -> list[Mistake]:
        """What was not made good yet, the largest losses first."""
        marks = ", ".join("?" * len(_MISTAKES))
        names = "id, at, solution, seat, line, street, hand, action, best, grade, lost_bb, lost_pot"
        asked = (
            f"SELECT {names} FROM decisions WHERE grade IN ({marks}) AND again = 0 AND (? IS NULL OR solution = ?) "
            "GROUP BY solution, line, hand ORDER BY max(lost_pot) DESC LIMIT ?"
        )
        with self._open() as file:
            return [Mistake(*row) for row in file.execute(asked, (*_MISTAKES, solution, solution, most))]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._guard:
            try:
                file = self._connected()
            except (sqlite3.OperationalError, OSError) as error:
                raise InputError(f"cannot keep what is practised in {self._path}: {error}") from None
            except sqlite3.DatabaseError:  # damaged: set aside, and begun again
                self._path.rename(self._path.with_suffix(".damaged"))
                file = self._connected()
            try:
                with file:
                    yield file
            finally:
                file.close()

    def _connected(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self._path, timeout=10)
        file.executescript(_TABLE)
        if "session" not in {row[1] for row in file.execute("PRAGMA table_info(decisions)")}:
            file.execute(_LATER)
        return file
