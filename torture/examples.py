"""A small solution of every kind in the registry: what 0.1.0 saved, or what the command of its row makes."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

from runout.cursors.kinds import KINDS
from runout.solutions.format import read_bundle, read_meta, solution_path, write_bundle

ROOT = Path(__file__).parents[1]
ARCHIVES = ROOT / "tests" / "data" / "v0.1.0"
LEAVE_OUT = {"flop-game"}  # its run-outs take half a minute each time that it is opened


def make_examples(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """A solution of each kind in today's format, by kind; and the kinds that have none."""
    found: dict[str, Path] = {}
    for archive in sorted(ARCHIVES.glob("*.tar.xz"), key=lambda one: one.stat().st_size):
        with tarfile.open(archive) as packed:
            packed.extractall(folder / "old", filter="data")
        old = solution_path(folder / "old" / archive.name.removesuffix(".tar.xz"))
        kind = read_meta(old)["kind"]
        if kind not in found and kind not in LEAVE_OUT:
            found[kind] = folder / kind
            write_bundle(found[kind], read_bundle(old))
    for row in KINDS:
        for name in row.names:
            if name not in found and name in row.examples:
                place = folder / f"run-{name}"
                command = [sys.executable, "-m", "runout", *row.examples[name], "-o", str(place), "-q"]
                subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
                found[name] = folder / name
                write_bundle(found[name], read_bundle(solution_path(place)))
    names = [name for row in KINDS for name in row.names]
    return found, [name for name in names if name not in found and name not in LEAVE_OUT]
