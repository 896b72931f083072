"""A report as tables: a row a flop, a row a decision, a row a class of hands; Parquet, CSV, and Pio's columns.

Means over flops weigh a flop by how often it comes: its share of all flops times the pairs of hands that it leaves. At
a decision, they weigh it also by how often that is reached.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runout import files
from runout.cards.hands import CLASS_NAMES
from runout.cards.textures import texture
from runout.explorers.flop_record import DecisionRecord, FlopRecord
from runout.run.report_directory import ReportDirectory, ReportFlop, ReportPlan

if TYPE_CHECKING:
    import pandas
    import pyarrow

PLAYERS = ("oop", "ip")
TEXTURES = ("top", "suits", "pairing", "connectedness", "height")
FLOPS, DECISIONS, CLASSES, PIO = "flops", "decisions", "classes", "pio"
_TOGETHER = 64  # flops whose classes are written at a time

Row = dict[str, Any]
Found = Sequence[tuple[ReportFlop, FlopRecord]]


def flop_rows(plan: ReportPlan, found: Found) -> list[Row]:
    """A row for each flop and case: what it is, what the ranges are worth, and what the first decision does."""
    return [_flop_row(plan, flop, record) for flop, record in found]


def _flop_row(plan: ReportPlan, flop: ReportFlop, record: FlopRecord) -> Row:
    root, lies = record.root, texture(flop.cards)
    return {
        "flop": flop.cards,
        "weight": flop.share,
        "pairs": record.pairs,
        **plan.cases[record.case],
        **{name: getattr(lies, name) for name in TEXTURES},
        **_worth(root),
        "exploitability_pct": record.exploitability_pct,
        "iterations": record.iterations,
        "seconds": record.seconds,
        **dict(zip(root.actions, root.frequencies, strict=True)),
    }


def _worth(one: DecisionRecord) -> Row:
    return {
        f"{player}_{name}": getattr(one, name)[side]
        for name in ("ev", "equity", "eqr")
        for side, player in enumerate(PLAYERS)
    }


def decision_rows(plan: ReportPlan, found: Found) -> Iterator[Row]:
    """A row for each action of each first-street decision."""
    for flop, record in found:
        for one in record.decisions:
            same = {
                "flop": flop.cards, "weight": flop.share, "pairs": record.pairs, **plan.cases[record.case],
                "line": one.line, "player": one.player, "pot": one.pot, "reach": one.reach, **_worth(one),
            }  # fmt: skip
            for action, frequency, ev in zip(one.actions, one.frequencies, one.action_evs, strict=True):
                yield {**same, "action": action, "frequency": frequency, "action_ev": ev}


def class_rows(report: ReportDirectory, flop: ReportFlop, record: FlopRecord) -> Iterator[Row]:
    """A row for each action of each class that the player to act holds, at each first-street decision."""
    classes = report.classes(record.case, flop.cards)
    first = 0
    for number, one in enumerate(record.decisions):
        rows = slice(first, first + len(one.actions))
        first = rows.stop
        if classes is None:
            continue
        side = PLAYERS.index(one.player)
        held = np.flatnonzero(classes.weight[number, side] > 0)
        for place in held.tolist():
            same = {
                "flop": flop.cards, **report.plan.cases[record.case], "line": one.line, "player": one.player,
                "hand": CLASS_NAMES[place], "weight": float(classes.weight[number, side, place]),
                "ev": float(classes.ev[number, side, place]), "equity": float(classes.equity[number, side, place]),
            }  # fmt: skip
            for at, action in enumerate(one.actions, rows.start):
                frequency, ev = float(classes.strategy[at, place]), float(classes.action_ev[at, place])
                yield {**same, "action": action, "frequency": frequency, "action_ev": ev}


@dataclass(frozen=True, slots=True)
class Average:
    """Means of a decision over the flops of a report."""

    case: int
    line: str
    flops: int  # that have this decision
    reach: float
    ev: tuple[float, float]
    equity: tuple[float, float]
    eqr: tuple[float, float]
    actions: tuple[str, ...]
    frequencies: tuple[float, ...]


def averages(found: Found, shares: np.ndarray | None = None) -> list[Average]:
    """Means of every first-street decision of every case; `shares` of the flops other than their own, if wanted."""
    given = np.array([flop.share for flop, _ in found]) if shares is None else shares
    groups: dict[tuple[int, str], list[tuple[float, DecisionRecord]]] = {}
    whole: dict[int, float] = {}
    for share, (_, record) in zip(given.tolist(), found, strict=True):
        whole[record.case] = whole.get(record.case, 0.0) + share * record.pairs
        for one in record.decisions:
            groups.setdefault((record.case, one.line), []).append((share * record.pairs, one))
    return [_average(case, line, whole[case], rows) for (case, line), rows in sorted(groups.items(), key=_place)]


def _place(group: tuple[tuple[int, str], Any]) -> tuple[int, int, str]:
    (case, line), _ = group
    return case, len(line), line


def _average(case: int, line: str, whole: float, rows: list[tuple[float, DecisionRecord]]) -> Average:
    chance = np.array([weight for weight, _ in rows])
    reach = np.array([one.reach for _, one in rows])
    weights = chance * reach

    def mean(name: str) -> tuple[Any, ...]:
        values = np.array([getattr(one, name) for _, one in rows])
        known = ~np.isnan(values) & (weights > 0)[:, None]
        total = (weights[:, None] * known).sum(axis=0)
        sums = (weights[:, None] * np.where(known, values, 0.0)).sum(axis=0)
        return tuple(np.divide(sums, total, out=np.full(len(sums), np.nan), where=total > 0).tolist())

    ev, equity, pots = mean("ev"), mean("equity"), [one.pot for _, one in rows]
    held = [share * pots[0] for share in equity]
    eqr = tuple(value / part if part > 0 else float("nan") for value, part in zip(ev, held, strict=True))
    return Average(
        case=case,
        line=line,
        flops=len(rows),
        reach=float(weights.sum() / whole) if whole > 0 else float("nan"),
        ev=(ev[0], ev[1]),
        equity=(equity[0], equity[1]),
        eqr=(eqr[0], eqr[1]),
        actions=rows[0][1].actions,
        frequencies=mean("frequencies"),
    )


def frame(plan: ReportPlan, found: Found) -> pandas.DataFrame:
    """The rows of all flops as a pandas table."""
    import pandas

    return pandas.DataFrame(flop_rows(plan, found))


def write_tables(report: ReportDirectory) -> list[Path]:
    """Write everything that is there as Parquet and CSV, and in the columns of Pio's reports; the files."""
    found = list(report.records())
    if not found:
        return []
    plan, written = report.plan, []
    tables: list[tuple[str, Iterable[Row]]] = [
        (FLOPS, flop_rows(plan, found)),
        (DECISIONS, list(decision_rows(plan, found))),
    ]
    for name, rows in tables:
        written += [
            _write_csv(report.path / f"{name}.csv", rows),
            _write_parquet(report.path / f"{name}.parquet", rows),
        ]
    written.append(_write_classes(report, found))
    return written + write_pio(report, found)


def _write_csv(path: Path, rows: Iterable[Row]) -> Path:
    listed = list(rows)
    columns = list(dict.fromkeys(key for row in listed for key in row))
    with files.replacing(path) as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: "" if value != value else value for key, value in row.items()} for row in listed)
    return path


def _write_parquet(path: Path, rows: Iterable[Row]) -> Path:
    import pyarrow.parquet

    with files.replacing(path, binary=True) as file:
        pyarrow.parquet.write_table(_arrow(list(rows)), file)
    return path


def _arrow(rows: list[Row]) -> pyarrow.Table:
    import pyarrow

    columns = list(dict.fromkeys(key for row in rows for key in row))
    return pyarrow.table({name: [row.get(name) for row in rows] for name in columns})


def _write_classes(report: ReportDirectory, found: Found) -> Path:
    """Flop by flop: in all they may be millions of rows."""
    import pyarrow.parquet

    path, writer = report.path / f"{CLASSES}.parquet", None
    with files.replacing(path, binary=True) as file:
        for first in range(0, len(found), _TOGETHER):
            part = found[first : first + _TOGETHER]
            table = _arrow([row for flop, record in part for row in class_rows(report, flop, record)])
            if writer is None:
                writer = pyarrow.parquet.ParquetWriter(file, table.schema)
            writer.write_table(table.cast(writer.schema))
        if writer is not None:
            writer.close()
    return path


# The layout of PioSOLVER's aggregation reports: a folder for each line, with a row for each flop.


def write_pio(report: ReportDirectory, found: Found) -> list[Path]:
    """`pio/Root/CHECK/report.csv` and so on; with a grid below a folder for each case."""
    cases = range(len(report.plan.cases))
    written: list[Path] = []
    for case in cases:
        own = [(flop, record) for flop, record in found if record.case == case]
        if not own:
            continue
        top = report.path / PIO if len(cases) == 1 else report.path / PIO / case_name(report.plan, case)
        means = {one.line: one for one in averages(own)}
        names = _folder_names(own)
        for line, folder in names.items():
            place = top.joinpath(*folder, "report.csv")
            place.parent.mkdir(parents=True, exist_ok=True)
            rows = [(flop.cards, record.by_line[line]) for flop, record in own if line in record.by_line]
            with files.replacing(place) as file:
                _pio_table(csv.writer(file, lineterminator="\n"), report, folder, rows, means[line])
            written.append(place)
    return written


def case_name(plan: ReportPlan, case: int) -> str:
    """'stack=500, flop_bet=33%', of a combination of the grid."""
    return ", ".join(f"{key}={value}" for key, value in plan.cases[case].items()).replace("/", "|")


def _folder_names(found: Found) -> dict[str, tuple[str, ...]]:
    """The folders of every line: 'x-b94' is Root/CHECK/BET 94."""
    names: dict[str, tuple[str, ...]] = {"": ("Root",)}
    for _, record in found:
        for one in record.decisions:
            for token, action in zip(one.tokens, one.actions, strict=True):
                names.setdefault(f"{one.line}-{token}" if one.line else token, (*names[one.line], action.upper()))
    held = {one.line for _, record in found for one in record.decisions}
    return {line: folder for line, folder in names.items() if line in held}


def _pio_table(
    writer: Any, report: ReportDirectory, folder: Sequence[str], rows: list[tuple[str, DecisionRecord]], mean: Average
) -> None:
    actions = mean.actions[::-1]  # bets first, as there
    writer.writerow(["Aggregation analysis", "Runout", " EV in chips"])
    writer.writerow(["File", f" {report.path}"])
    writer.writerow(["Action Line", " ".join(folder)])
    sides = [f"{player.upper()} {name}" for player in PLAYERS for name in ("Equity", "EV", "EQR")]
    writer.writerow(["Flop", "Global %", *sides, *(f"{action.upper()} freq" for action in actions)])
    shown: list[tuple[str, DecisionRecord | Average]] = [*rows, ("  ", mean)]
    for name, one in shown:
        frequencies = dict(zip(one.actions, one.frequencies, strict=True))
        cells: list[tuple[float, Callable[[float], str]]] = [(100 * one.reach, _six)]
        for side in range(2):
            cells += [(100 * one.equity[side], _two), (one.ev[side], _six), (100 * one.eqr[side], _six)]
        cells += [(100 * frequencies.get(action, float("nan")), _two) for action in actions]
        writer.writerow([name, *("" if value != value else text(value) for value, text in cells)])


def _six(value: float) -> str:
    return f"{value:.6g}"


def _two(value: float) -> str:
    return f"{value:.2f}"
