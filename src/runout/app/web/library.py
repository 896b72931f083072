"""The library folder: solutions by id, saved ranges, training runs. Nothing outside it is read or written through it.

    NAME/                 a solution; its id is NAME
    runs/NAME/            a training run; its checkpoints are solutions, runs/NAME/checkpoint_N
    reports/NAME/         a report over flops; solutions that it kept are reports/NAME/solutions/...
    .deleted/             solutions that were deleted in the last day
    .log/                 who asked what, and what became of solves
    .jobs/, .ranges.json, .setups.json, .notes.json, .practice.sqlite
                          what the server keeps for itself

An id is checked against a strict pattern, and what it leads to must be inside the folder after all links are followed.
Solutions named on the command line are read where they are, as open/NAME, and what comes with Runout as
charts/100bb and ready/NAME.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from runout.app.library_folder import CHARTS, OPEN, READY, REPORTS, RUNS, shipped, slug
from runout.app.web.errors import ApiError, not_found
from runout.app.web.shelf import Shelf
from runout.cursors.summaries import read_summary
from runout.cursors.view import Summary
from runout.errors import InputError, RunoutError, SolutionError
from runout.run.report_directory import ReportDirectory
from runout.run.training_directory import TrainingDirectory
from runout.solutions.format import read_meta, solution_path
from runout.solutions.output import Output, recover

SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}"
ID_PATTERN = rf"^{SEGMENT}(?:/{SEGMENT}){{0,3}}$"
RESERVED = {RUNS, REPORTS, OPEN, CHARTS, READY}
DELETED = ".deleted"
KEEP_SECONDS = 24 * 3600  # that a deleted solution can be brought back


class Library:
    """One folder, and the solutions opened beside it."""

    def __init__(self, folder: Path, opened: Sequence[Path] = ()) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot use {folder} as a library: {error.strerror or error}") from None
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise InputError(f"cannot use {folder} as a library: it cannot be written to")
        self.folder = folder.resolve()
        self.opened: dict[str, Path] = {}
        self.opened_reports: dict[str, Path] = {}
        self._summaries: dict[Path, tuple[tuple[int, int], Summary]] = {}
        self._naming = threading.Lock()
        self.ranges = Shelf(self.folder / ".ranges.json", "saved range")
        self.setups = Shelf(self.folder / ".setups.json", "saved pair")
        self.charts = {name: path for name, path in shipped().items() if name.startswith(f"{CHARTS}/")}
        self.ready = {name: path for name, path in shipped().items() if name.startswith(f"{READY}/")}
        for stray in self.folder.glob(".*.old"):  # of a server or solve that was killed while saving
            recover(self.folder / stray.name[1:-4])
        self.empty_bin()
        for stray in self.folder.glob(".incoming-*"):
            shutil.rmtree(stray, ignore_errors=True)
        for path in opened:
            if ReportDirectory(path).exists:
                name = _free(slug(path.resolve().name), self.opened_reports, OPEN)
                self.opened_reports[f"{OPEN}/{name}"] = path.resolve()
                continue
            found = solution_path(path)  # of a training run, its last checkpoint
            read_meta(found)
            self.opened[f"{OPEN}/{_free(slug(path.resolve().name), self.opened, OPEN)}"] = found.resolve()

    # Solutions

    def ids(self) -> Iterator[str]:
        """Everything that can be opened, checkpoints of training runs left out."""
        yield from self.opened
        for path in sorted(self.folder.iterdir(), key=lambda one: one.name):
            if path.name not in RESERVED and re.match(ID_PATTERN, path.name) and (path / "meta.json").is_file():
                try:
                    self.path(path.name)
                except ApiError:
                    continue  # a link that leads out
                yield path.name

    def path(self, solution: str) -> Path:
        """The directory of a solution; 404 for what is not there, 403 for what a link would take out of the folder."""
        if solution in self.opened:
            return self.opened[solution]
        if shipped := self.charts.get(solution) or self.ready.get(solution):
            return shipped
        path = self._inside(solution)
        if solution.startswith(f"{RUNS}/"):
            path = solution_path(path).resolve()  # of a training run, its last checkpoint
        if not (path / "meta.json").is_file() or not path.is_relative_to(self.folder):
            raise not_found(f"no solution {solution!r} in the library")
        for file in path.iterdir():
            if file.is_symlink() and not file.resolve().is_relative_to(self.folder):
                raise ApiError(403, f"{solution!r} has a link that leads out of the library")
        return path

    def _inside(self, name: str) -> Path:
        if not re.match(ID_PATTERN, name) or ".." in name:
            raise not_found(f"no solution {name[:100]!r} in the library")
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder):
            raise ApiError(403, f"{name!r} is a link that leads out of the library")
        return path

    def summary(self, solution: str) -> tuple[Summary, float]:
        """What a solution is, and when it was saved (seconds since 1970); nothing large is read."""
        path = self.path(solution)
        saved = self.saved(solution, path)
        key = (saved.st_mtime_ns, saved.st_ino)
        known = self._summaries.get(path)
        if known is None or known[0] != key:
            known = self._summaries[path] = key, read_summary(path)
        return known[1], saved.st_mtime

    def size(self, solution: str) -> int:
        """Bytes on disk."""
        with suppress(OSError):  # replaced at this moment
            return sum(file.stat().st_size for file in self.path(solution).iterdir())
        return 0

    def saved(self, solution: str, path: Path) -> os.stat_result:
        """Of meta.json, which is written with every save; 404 where the solution was deleted by hand."""
        try:
            return (path / "meta.json").stat()
        except OSError:
            raise not_found(f"{solution!r} is gone: {path} is no longer there") from None

    def new_name(self, wanted: str, taken: Sequence[str] = ()) -> str:
        """An id that is free, made of what somebody would like to call it."""
        used = {*taken, *(path.name.lower() for path in self.folder.iterdir())}
        return _free(slug(wanted), used)

    def rivers(self, solution: str) -> bool:
        """Whether the rivers of a postflop solution are in its file."""
        with suppress(RunoutError, OSError):
            return bool(read_meta(self.path(solution))["reached"].get("rivers", True))
        return True

    def take(self, path: Path) -> str:
        """Move a solution that was checked into the folder; the name that it has now."""
        with self._naming:
            name = self.new_name(path.name)
            path.rename(self.folder / name)
        return name

    def remove(self, solution: str) -> None:
        """Delete a solution of the library."""
        if solution in self.opened:
            raise ApiError(403, f"{solution!r} was opened from outside the library: delete it by hand")
        path = self.path(solution)
        if path.parent != self.folder or (self.folder / solution).is_symlink():
            raise ApiError(403, f"{solution!r} is not a solution of its own: delete it by hand")
        try:
            with Output(path) as held:  # not under the hands of somebody who writes it
                self.empty_bin()
                (self.folder / DELETED).mkdir(exist_ok=True)
                kept = self.folder / DELETED / f"{int(time.time())}-{secrets.token_hex(4)}-{solution}"
                held.place.rename(kept)
        except SolutionError as error:
            raise ApiError(409, f"cannot delete {solution!r}: {error}") from None
        except OSError as error:
            raise ApiError(409, f"cannot delete {solution!r}: {error.strerror or error}") from None
        self._summaries.pop(path, None)

    def restore(self, solution: str) -> str:
        """Bring back the last deleted solution of this name; the name that it has now."""
        found = [path for path in self._deleted() if path.name.split("-", 2)[2] == solution]
        if not found:
            raise not_found(f"no solution {solution[:100]!r} was deleted in the last day")
        name = solution if not (self.folder / solution).exists() else self.new_name(solution)
        try:
            found[-1].rename(self.folder / name)
        except OSError as error:
            raise ApiError(409, f"cannot bring {solution!r} back: {error.strerror or error}") from None
        return name

    def empty_bin(self) -> None:
        """Take away what was deleted a day ago."""
        for path in self._deleted():
            if int(path.name.split("-", 1)[0]) < time.time() - KEEP_SECONDS:
                shutil.rmtree(path, ignore_errors=True)

    def _deleted(self) -> list[Path]:
        """Deleted solutions that can be brought back, the last one last."""
        found = (self.folder / DELETED).glob("*-*-*") if (self.folder / DELETED).is_dir() else ()
        return sorted(path for path in found if path.name.split("-", 1)[0].isdecimal())

    # Training runs

    def runs(self) -> Iterator[str]:
        folder = self.folder / RUNS
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            name = f"{RUNS}/{path.name}"
            try:
                self.run(name)
            except ApiError:
                continue
            yield name

    def run(self, name: str) -> TrainingDirectory:
        """A training run of the library."""
        path = self._inside(name)
        if not name.startswith(f"{RUNS}/") or not (path / "config.yaml").is_file() or (path / "meta.json").exists():
            raise not_found(f"no training run {name[:100]!r} in the library")
        for file in path.iterdir():
            if not file.resolve().is_relative_to(self.folder):
                raise ApiError(403, f"{name!r} has a link that leads out of the library")
        return TrainingDirectory(path)

    # Reports over flops

    def reports(self) -> Iterator[str]:
        yield from self.opened_reports
        folder = self.folder / REPORTS
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            name = f"{REPORTS}/{path.name}"
            try:
                self.report(name)
            except ApiError:
                continue
            yield name

    def report(self, name: str) -> ReportDirectory:
        """A report of the library, or one that was named on the command line."""
        path = self.opened_reports.get(name) or self._inside(name)
        found = ReportDirectory(path)
        if not (name in self.opened_reports or name.startswith(f"{REPORTS}/")) or not found.exists:
            raise not_found(f"no report {name[:100]!r} in the library")
        return found


def _free(name: str, used: Sequence[str] | set[str] | dict[str, Path], folder: str = "") -> str:
    prefix = f"{folder}/" if folder else ""
    number, free = 1, name
    while prefix + free in used or free in RESERVED:
        number += 1
        free = f"{name}-{number}"
    return free
