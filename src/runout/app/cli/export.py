"""`runout export`: a node of a solution, or a line and below, as CSV or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

if TYPE_CHECKING:
    from runout.analysis.cursor import Node

FORMATS = ("csv", "json")


def export_command(
    bundle: Path = typer.Argument(help="A solution directory."),
    line: str = typer.Argument("", help="Address of a node, as in 'x-b94-c|Ah|x'; the root without one."),
    format_: str | None = typer.Option(None, "--format", "-f", help="csv or json; by the file's name otherwise."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File to write; standard output without one."),
    below: bool = typer.Option(False, "--below", help="Also every decision of the street below the node."),
) -> None:
    """Strategy, EV, equity and reach of every hand at a node of a postflop solution."""
    from runout.analysis.postflop import load_postflop
    from runout.analysis.reports import decisions_below
    from runout.errors import InputError

    chosen = format_ or (output.suffix[1:].lower() if output is not None and output.suffix else "csv")
    if chosen not in FORMATS:
        raise InputError(f"unknown format {chosen!r}: use {' or '.join(FORMATS)}")
    if output is not None and (output.is_dir() or not output.absolute().parent.is_dir()):
        raise InputError(f"cannot write {output}: name a file in a directory that exists")
    node = load_postflop(bundle).at(line)
    if below and node.kind != "decision":
        raise InputError(f"nobody acts after {line!r}, so there is nothing below it on this street")
    nodes = list(decisions_below(node)) if below else [node]
    write = _write_csv if chosen == "csv" else _write_json
    if output is None:
        import sys

        write(sys.stdout, nodes)
        return
    fresh = output.with_name(f".{output.name}.new")
    try:
        with open(fresh, "w", encoding="utf-8", newline="") as file:
            write(file, nodes)
        fresh.replace(output)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise InputError(f"cannot write {output}: {error.strerror or error}") from None
    print(f"wrote {len(nodes):,} node{'s' * (len(nodes) != 1)} to {output}")


def _write_csv(file: TextIO, nodes: list[Node]) -> None:
    """A row a hand; the frequencies and EVs of an action are empty where it cannot be taken."""
    import csv

    from runout.analysis.reports import hand_tables

    names = list(dict.fromkeys(name for node in nodes for name in node.actions))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        ["line", "board", "pot", "player", "hand", "reach", "ev", "equity", *names, *(f"ev {n}" for n in names)]
    )
    for node in nodes:
        where = [node.line, " ".join(node.board), node.pot]
        for table in hand_tables(node):
            columns: list[Any] = [table.reach, table.ev, table.equity]
            acts = len(table.strategy) > 0
            place = {name: i for i, name in enumerate(node.actions)} if acts else {}
            for part in (table.strategy, table.action_evs):
                columns += [part[place[name]] if name in place else None for name in names]
            cells = [[""] * len(table.hands) if column is None else _cells(column) for column in columns]
            writer.writerows([*where, table.player, hand, *row] for hand, *row in zip(table.hands, *cells, strict=True))


def _cells(column: Any) -> list[str]:
    return ["" if x != x else f"{x:.6g}" for x in column.tolist()]


def _write_json(file: TextIO, nodes: list[Node]) -> None:
    import json

    json.dump({"nodes": [_node_record(node) for node in nodes]}, file)
    file.write("\n")


def _node_record(node: Node) -> dict[str, Any]:
    from runout.analysis.reports import hand_tables

    sides = {}
    for table in hand_tables(node):
        sides[table.player] = {
            "hands": table.hands,
            "reach": _numbers(table.reach),
            "ev": _numbers(table.ev),
            "equity": _numbers(table.equity),
        }
        if len(table.strategy):
            sides[table.player]["strategy"] = [_numbers(row) for row in table.strategy]
            sides[table.player]["action_evs"] = [_numbers(row) for row in table.action_evs]
    return {
        "line": node.line,
        "kind": node.kind,
        "board": node.board,
        "pot": node.pot,
        "player": node.player,
        "resolved": node.resolved,
        "actions": node.actions,
        "frequencies": [_number(x) for x in node.frequencies],
        "ev": [_number(x) for x in node.evs],
        "equity": [_number(x) for x in node.equities],
        **sides,
    }


def _numbers(column: Any) -> list[float | None]:
    return [_number(x) for x in column.tolist()]


def _number(x: float) -> float | None:
    """Six figures; JSON has no NaN."""
    return None if x != x else float(f"{x:.6g}")
