"""`runout convert`: files of other programs into each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer


def convert_command(
    source: Path = typer.Argument(
        metavar="IN", help="A spot, a solution, a script, settings, a range, a chart, hands."
    ),
    target: Path = typer.Argument(metavar="OUT", help="The file to write."),
    from_: str = typer.Option("", "--from", help="Format of IN; found by its name and contents otherwise."),
    to: str = typer.Option(
        "",
        "--to",
        help="Format of OUT; by its name otherwise. library: OUT is the folder of `runout web`, for its ranges.",
    ),
    board: str = typer.Option("", "--board", "-b", help="Board, where IN has none."),
    oop: str = typer.Option("", "--oop", help="Range of the player who acts first, where IN has none."),
    ip: str = typer.Option("", "--ip", help="Range of the player who acts last, where IN has none."),
    name: str = typer.Option("", "--name", help="Which of several ranges or configurations in IN."),
) -> None:
    """Convert between Runout, PioSOLVER, TexasSolver and WASM Postflop; ranges of GTO+, Monker, HRC; played hands."""
    from runout.formats.convert import convert

    if to == "library":
        print(_into_library(source, target, name))
        return
    others: dict[str, Any] = {"board": board, "ranges": {"oop": oop, "ip": ip} if oop and ip else None}
    print(convert(source, target, from_, to, others, name))


def _into_library(source: Path, folder: Path, name: str) -> str:
    """Keep the ranges of a chart, or of a folder of charts, among those that the browser's spot page offers."""
    from runout.app.web.library import Library
    from runout.errors import InputError
    from runout.formats.charts import read_ranges

    found = read_ranges(source)
    if name and name not in found:
        raise InputError(f"{source} has no range {name!r}: it has {', '.join(found)}")
    kept = {one: range_ for one, range_ in found.items() if not name or one == name}
    library = Library(folder)
    for one, range_ in kept.items():
        library.ranges.put(one.replace("/", " ").replace("\\", " ")[:60], str(range_))
    return f"{len(kept)} range{'s' * (len(kept) != 1)} in the library {folder}: {', '.join(kept)}"
