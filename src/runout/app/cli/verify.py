"""`runout verify`: read solutions whole and say whether they are as they were saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

DEEPEST = 4  # folders down: a library of projects of runs of checkpoints


def verify_command(
    bundles: list[Path] = typer.Argument(
        metavar="DIR...", help="Solutions, pools of deals, training runs, or folders of them, four deep."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Check every byte against its checksum, and every array against the settings of its game."""
    import json

    from runout.errors import RunoutError

    found: dict[str, dict[str, str | bool]] = {}
    for given in bundles:
        for path in _solutions(given):
            try:
                found[str(path)] = {"good": True, "says": _verified(path)}
            except (RunoutError, OSError) as error:
                found[str(path)] = {"good": False, "says": str(error)}
            if not as_json:
                one = found[str(path)]
                typer.echo(f"{path}: {one['says']}" if one["good"] else f"{one['says']}", err=not one["good"])
    if as_json:
        print(json.dumps(found))
    if not all(one["good"] for one in found.values()):
        raise typer.Exit(2)


def _verified(path: Path) -> str:
    """What is there, once it has been read and opened; SolutionError where it is damaged."""
    from runout.cursors.load import load
    from runout.solutions.deals import KIND, read_pool
    from runout.solutions.format import FLOP_PART, read_meta, verify

    says = verify(path)
    kind = read_meta(path)["kind"]
    if kind == KIND:
        read_pool(path)
    elif kind != FLOP_PART:
        load(path)
    return says


def _solutions(given: Path) -> Iterator[Path]:
    """The solutions in a directory: itself, the checkpoints of a run, or what a folder holds; itself where nothing."""
    from runout.solutions.format import CHECKPOINT

    if (given / "meta.json").exists() or not given.is_dir():
        yield given
        return
    below = sorted(_found(given))
    runs = [one for one in given.glob(f"{CHECKPOINT}*") if not (one / "meta.json").exists()]
    yield from below
    yield from runs  # half a checkpoint is told too
    if not below and not runs:
        yield given


def _found(given: Path) -> Iterator[Path]:
    """Solutions at most DEEPEST folders down, but for hidden ones and links: `verify /` reads no whole disk."""
    import os

    top = len(given.parts)
    for folder, names, files in os.walk(given):
        here = Path(folder)
        if "meta.json" in files:
            yield here
        deep = len(here.parts) - top >= DEEPEST
        names[:] = [] if deep else [name for name in names if not name.startswith(".")]
