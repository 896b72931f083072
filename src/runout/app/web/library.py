"""The library folder: solutions by id, saved ranges, training runs. Nothing outside it is read or written through it.

    NAME/                 a solution; its id is NAME
    runs/NAME/            a training run; its checkpoints are solutions, runs/NAME/checkpoint_N
    .deleted/             solutions that were deleted in the last day
    .log/                 who asked what, and what became of solves
    .jobs/, .ranges.json  what the server keeps for itself

An id is checked against a strict pattern, and what it leads to must be inside the folder after all links are followed.
Solutions named on the command line are read where they are, as open/NAME.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from runout import files
from runout.app.web.errors import ApiError, not_found
from runout.cursors.summaries import read_summary
from runout.cursors.view import Summary
from runout.errors import InputError, SolutionError
from runout.run.training_directory import TrainingDirectory
from runout.solutions.format import read_meta, solution_path
from runout.solutions.output import Output, recover

SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}"
ID_PATTERN = rf"^{SEGMENT}(?:/{SEGMENT}){{0,3}}$"
NAME_PATTERN = r"^[^\x00-\x1f\x7f/\\]{1,60}$"
MOST_SAVED_RANGES = 1000
RUNS, OPEN = "runs", "open"
RESERVED = {RUNS, OPEN}
DELETED = ".deleted"
KEEP_SECONDS = 24 * 3600  # that a deleted solution can be brought back


def default_folder() -> Path:
    """$RUNOUT_LIBRARY, or a folder of the user's."""
    named = os.environ.get("RUNOUT_LIBRARY")
    if named:
        return Path(named).expanduser()
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "runout" / "library"


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
        self._summaries: dict[Path, tuple[tuple[int, int], Summary]] = {}
        self._writing = threading.Lock()
        for stray in self.folder.glob(".*.old"):  # of a server or solve that was killed while saving
            recover(self.folder / stray.name[1:-4])
        self.empty_bin()
        for path in opened:
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

    def remove(self, solution: str) -> None:
        """Delete a solution of the library."""
        if solution in self.opened:
            raise ApiError(403, f"{solution!r} was opened from outside the library: delete it by hand")
        path = self.path(solution)
        if (self.folder / solution).is_symlink() or path.parent != self.folder:
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

    # Saved ranges

    def ranges(self) -> dict[str, str]:
        """Saved ranges by name."""
        try:
            found = json.loads((self.folder / ".ranges.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise ApiError(409, "the saved ranges cannot be read: look at .ranges.json in the library") from None
        return {str(name): str(text) for name, text in found.items()} if isinstance(found, dict) else {}

    def save_range(self, name: str, text: str | None) -> None:
        """Keep a range, or forget it (None)."""
        if not re.match(NAME_PATTERN, name):
            raise ApiError(422, "a name has 1 to 60 characters, no slashes", "name")
        with self._writing:
            found = self.ranges()
            if text is None:
                if name not in found:
                    raise not_found(f"no saved range {name!r}")
                del found[name]
            else:
                found[name] = text
            if len(found) > MOST_SAVED_RANGES:
                raise ApiError(409, f"there are {MOST_SAVED_RANGES} saved ranges: delete one first")
            files.write_text(self.folder / ".ranges.json", json.dumps(found, ensure_ascii=False, indent=1))


def slug(text: str) -> str:
    """A text as a directory's name: letters, digits and single dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-") or "solution"


def _free(name: str, used: Sequence[str] | set[str] | dict[str, Path], folder: str = "") -> str:
    prefix = f"{folder}/" if folder else ""
    number, free = 1, name
    while prefix + free in used or free in RESERVED:
        number += 1
        free = f"{name}-{number}"
    return free
