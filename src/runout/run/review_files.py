"""What a review keeps in its directory, so that it can be taken up again.

graded.jsonl    a line for each hand that was graded, added as it is done: what is there is not solved again
review.csv      every graded decision, those that lost most first
review.json     the counts, the failures, and the hands by what they lost
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from runout import files
from runout.errors import InputError

GRADED, TABLE, SUMMARY, LOCK = "graded.jsonl", "review.csv", "review.json", ".review.lock"


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A decision of a played hand beside what the solution does with the hand that was held."""

    street: str
    player: str  # the name at the table
    seat: str  # its position: "BB", "BTN"
    hand: str  # "AsKh"
    line: str  # of the node, in the solution
    action: str  # what was done, in big blinds: "raise to 32 bb"
    best: str  # what would have been best: the largest EV; without EVs, what is done most
    frequency: float  # with which the solution does it
    ev_lost_bb: float | None  # None where the solution knows no EVs
    ev_lost_pct: float | None  # of the pot at the node
    grade: str  # of explorers.practice.GRADES
    rare: bool  # the opponent's range hardly ever comes here: not counted
    off_range: bool  # the hand is not in the range that was taken


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """A graded hand."""

    file: str
    number: int  # in the file
    line: int  # of the file
    id: str
    big_blind: str  # with its currency: "$2"
    board: str
    players: tuple[str, ...]  # in the order of acting after the flop
    pot_bb: float  # in the end
    ranges: str  # where they come from
    spot: dict[str, Any] | None  # settings of the spot that was solved; None where only preflop was graded
    exploitability_pct: float | None  # of the solution
    seconds: float  # of solving
    decisions: tuple[ReviewedDecision, ...]

    @property
    def ev_lost_bb(self) -> float:
        """What all its decisions lost, the rare ones not counted."""
        return sum(one.ev_lost_bb or 0.0 for one in self.decisions if not one.rare)

    @property
    def worst(self) -> ReviewedDecision | None:
        """The decision that lost most."""
        counted = [one for one in self.decisions if not one.rare]
        return max(counted, key=lambda one: one.ev_lost_bb or 0.0, default=None)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """What `asdict` gave, as it comes back from JSON."""
        decisions = tuple(ReviewedDecision(**one) for one in record["decisions"])
        return cls(**{**record, "decisions": decisions, "players": tuple(record["players"])})


COLUMNS = ("file", "number", "file_line", "id", "big_blind", "board", *(one.name for one in fields(ReviewedDecision)))


class ReviewFolder:
    """The directory of a review; one writer at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from None
        try:
            self._lock = files.FileLock(self.path / LOCK, wait=False)
        except files.Held as held:
            raise InputError(f"{path} is being written by {held}: wait until that is done, or choose another") from None
        self.done: dict[str, ReviewedHand] = {}
        self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _read(self) -> None:
        """What was graded before; a line that a crash cut short is left out."""
        file = self.path / GRADED
        if not file.exists():
            return
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError, TypeError, KeyError):
                record = json.loads(line)
                key = record.pop("key")
                self.done[key] = ReviewedHand.of(record)

    def add(self, key: str, hand: ReviewedHand) -> None:
        """Keep a graded hand."""
        self.done[key] = hand
        try:
            with open(self.path / GRADED, "a+", encoding="utf-8") as file:
                file.seek(0, 2)
                if file.tell():
                    file.seek(file.tell() - 1)
                    if file.read(1) != "\n":  # what was cut short stays by itself
                        file.write("\n")
                file.write(json.dumps({"key": key, **asdict(hand)}) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {self.path / GRADED}: {error.strerror or error}") from None

    def finish(self, hands: Iterable[ReviewedHand], summary: Mapping[str, Any]) -> None:
        """Write the table and the summary."""
        listed = list(hands)
        rows = [(hand, one) for hand in listed for one in hand.decisions]
        rows.sort(key=lambda pair: (pair[1].rare, -(pair[1].ev_lost_bb or 0.0)))
        with files.replacing(self.path / TABLE) as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(hand) | asdict(one) | {"file_line": hand.line} for hand, one in rows)
        hands_in_order = [asdict(hand) | {"ev_lost_bb": hand.ev_lost_bb} for hand in listed]
        with files.replacing(self.path / SUMMARY) as file:
            file.write(json.dumps({**summary, "list": hands_in_order}, indent=1) + "\n")
