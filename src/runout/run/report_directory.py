"""The directory of a report: what was asked, and a small record for each flop as soon as it is solved.

    DIR/report.json                 the spot, the grid, the flops and their shares
    DIR/flops/0-QsJh2h.json, .npz   what is kept of a flop in case 0 of the grid; the .json is written last and counts
    DIR/solutions/0-QsJh2h.runout   with `keep_solutions`: the solution, without rivers
    DIR/failures.json               flops that could not be solved, and why

Every file is written whole or not at all, so a report may be killed at any moment and gone on with.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from runout import files
from runout.cards.cards import cards_text
from runout.errors import InputError
from runout.explorers.flop_record import ClassRecord, FlopRecord
from runout.games.flop_choice import FlopChoice
from runout.games.spot import Spot

FORMAT = 1
HEAD = "report.json"


@dataclass(frozen=True, slots=True)
class ReportFlop:
    """A flop of a report."""

    cards: str  # "Qs Jh 2h"
    share: float  # of all flops that it stands for

    @property
    def short(self) -> str:
        return self.cards.replace(" ", "")


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """What a report is over: a spot with each combination of a grid, on each flop."""

    spot: Spot  # whose board plays no part
    cases: tuple[dict[str, Any], ...]  # settings that are changed; one empty case without a grid
    set_name: str  # "fitted-49", "all", "flops.txt"
    flops: tuple[ReportFlop, ...]

    @classmethod
    def of(cls, spot: Spot, cases: Sequence[Mapping[str, Any]], choice: FlopChoice) -> Self:
        flops = tuple(
            ReportFlop(cards_text(cards), float(share))
            for cards, share in zip(choice.cards.tolist(), choice.shares, strict=True)
        )
        return cls(spot, tuple(dict(one) for one in cases), choice.name, flops)

    @property
    def keys(self) -> tuple[str, ...]:
        """The settings that the grid changes."""
        return tuple(self.cases[0])

    def tasks(self) -> list[tuple[int, ReportFlop]]:
        """Every case on every flop, flop by flop."""
        return [(case, flop) for flop in self.flops for case in range(len(self.cases))]

    def spot_of(self, case: int, flop: str) -> Spot:
        return self.spot.replace(board=flop, **self.cases[case])

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "spot": self.spot.model_dump(mode="json", by_alias=True, exclude_none=True),
            "cases": list(self.cases),
            "set": self.set_name,
            "flops": [[flop.cards, flop.share] for flop in self.flops],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        flops = tuple(ReportFlop(str(cards), float(share)) for cards, share in data["flops"])
        return cls(Spot(**data["spot"]), tuple(data["cases"]), str(data["set"]), flops)


class ReportDirectory:
    """A report on disk; may be read while another process fills it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def exists(self) -> bool:
        return (self.path / HEAD).is_file()

    def make(self) -> None:
        """Make the directory; what is in it already is kept."""
        try:
            (self.path / "flops").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from None

    def begin(self, plan: ReportPlan) -> None:
        """Say what the report is over; what a killed process left half written goes."""
        files.drop_unfinished(self.path)
        files.drop_unfinished(self.path / "flops")
        files.write_text(self.path / HEAD, json.dumps(plan.to_dict(), indent=1))
        self.__dict__.pop("plan", None)

    @cached_property
    def plan(self) -> ReportPlan:
        try:
            data = json.loads((self.path / HEAD).read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                raise InputError(f"{self.path} is a report of another format ({data['format']}): use a newer Runout")
            return ReportPlan.from_dict(data)
        except FileNotFoundError:
            raise InputError(f"{self.path} is no report: `runout report SPOT.yaml -o {self.path}` makes one") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.path} is no report that can be read: {error}") from None

    def place(self, case: int, flop: str) -> Path:
        """The record of a flop, whether it is there or not."""
        return self.path / "flops" / f"{case}-{flop.replace(' ', '')}.json"

    def solution(self, case: int, flop: str) -> Path:
        """Where its solution is, if solutions are kept."""
        return self.path / "solutions" / f"{case}-{flop.replace(' ', '')}.runout"

    def has(self, case: int, flop: str, solution: bool = False) -> bool:
        """Whether a flop is done; with `solution`, whether that was kept too."""
        if solution and not (self.solution(case, flop) / "meta.json").is_file():
            return False
        return self.place(case, flop).is_file()

    def write(self, record: FlopRecord, classes: ClassRecord) -> None:
        """Keep a record; it counts when this returns."""
        place = self.place(record.case, record.flop)
        packed = io.BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **classes.arrays())
        with files.replacing(place.with_suffix(".npz"), binary=True) as file:
            file.write(packed.getvalue())
        files.write_text(place, json.dumps(record.to_dict()))

    def record(self, case: int, flop: str) -> FlopRecord | None:
        """The record of a flop; None where there is none yet, or none that can be read."""
        try:
            return FlopRecord.from_dict(json.loads(self.place(case, flop).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def classes(self, case: int, flop: str) -> ClassRecord | None:
        """The classes of a flop; None where there are none yet."""
        try:
            with np.load(self.place(case, flop).with_suffix(".npz"), allow_pickle=False) as found:
                return ClassRecord(**{name: found[name] for name in ClassRecord.__dataclass_fields__})
        except (OSError, ValueError, KeyError):
            return None

    def records(self) -> Iterator[tuple[ReportFlop, FlopRecord]]:
        """All records that are there, in the order of the plan."""
        for case, flop in self.plan.tasks():
            found = self.record(case, flop.cards)
            if found is not None:
                yield flop, found

    def done(self) -> int:
        """How many flops are solved, every case counted."""
        return sum(self.has(case, flop.cards) for case, flop in self.plan.tasks())

    def write_failures(self, failures: Sequence[Mapping[str, Any]]) -> None:
        place = self.path / "failures.json"
        if failures:
            files.write_text(place, json.dumps(list(failures), indent=1))
        else:
            place.unlink(missing_ok=True)

    def failures(self) -> list[dict[str, Any]]:
        try:
            return list(json.loads((self.path / "failures.json").read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return []
