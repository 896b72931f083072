"""`runout export`: a node of a solution, or a line and below, as CSV or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import typer

FORMATS = ("csv", "json")


def export_command(
    bundle: Path = typer.Argument(help="A solution directory."),
    line: str = typer.Argument("", help="Address of a node, as in 'x-b94-c|Ah|x'; the root without one."),
    format_: str | None = typer.Option(None, "--format", "-f", help="csv or json; by the file's name otherwise."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File to write; standard output without one."),
    below: bool = typer.Option(False, "--below", help="Also every decision of the street below the node."),
) -> None:
    """Strategy, EV, equity and reach of every hand at a node of any solution."""
    import json

    from runout import files
    from runout.cursors.tables import acting_first, decisions_below, node_record, write_csv
    from runout.errors import InputError
    from runout.explorers import open_explorer

    chosen = format_ or (output.suffix[1:].lower() if output is not None and output.suffix else "csv")
    if chosen not in FORMATS:
        raise InputError(f"unknown format {chosen!r}: use {' or '.join(FORMATS)}")
    if output is not None:
        files.check_place(output)
    explorer = open_explorer(bundle)
    nodes = list(decisions_below(explorer, line)) if below else [explorer.at(line)]
    if not nodes:
        raise InputError(f"nobody acts after {line!r}, so there is nothing below it on this street")

    def write(file: TextIO) -> None:
        if chosen == "csv":
            write_csv(file, ((node, hands) for node in nodes for hands in acting_first(node)))
        else:
            file.write(json.dumps({"nodes": [node_record(node) for node in nodes]}) + "\n")

    if output is None:
        import sys

        write(sys.stdout)
        return
    with files.replacing(output) as file:
        write(file)
    print(f"wrote {len(nodes):,} node{'s' * (len(nodes) != 1)} to {output}")
