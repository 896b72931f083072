"""The directory that a run saves to: one writer at a time, and replaced as a whole.

1. It is looked at before any work: what could not be replaced at the end is refused at the start.
2. Its lock, `.NAME.lock` beside it, is held for as long as the run takes; a second writer is told who has it.
3. A save is written as `.NAME.new` beside it and swapped in. Where the system cannot swap two names in one step the old
   one is called `.NAME.old` for a moment: readers look for it there, and `recover` brings it back after a crash.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Self

from runout import files, memory
from runout.errors import SolutionError


class Output:
    """A directory to save to, `path`; links are followed. Hold it (`with output:`) for as long as a run takes.

    With `force` a run may replace a solution of another game.
    """

    def __init__(self, path: str | Path, force: bool = False) -> None:
        self.path, self.force = Path(path), force
        self.place = Path(os.path.realpath(path))
        self._lock: files.FileLock | None = None
        self._made: list[Path] = []  # directories above it that were not there

    def __enter__(self) -> Self:
        self._refuse_unmovable()
        try:
            self._make_folder()
            self._lock = files.FileLock(sibling(self.place, "lock"), wait=False)
            self._clean()
            self._try_renaming()
        except BaseException as error:
            self.close()
            if isinstance(error, files.Held):
                raise SolutionError(
                    f"{self.path} is being written by {error}: wait until that is done, or choose another name"
                ) from None
            if isinstance(error, OSError):
                raise self._failed(error) from None
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others write here."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        for folder in reversed(self._made):
            with suppress(OSError):  # something is in it
                folder.rmdir()
        self._made = []

    def require_room(self, needed: int) -> None:
        """Refuse a save of `needed` bytes that the disk has no room for; it is written beside what is there."""
        try:
            free = shutil.disk_usage(self.place.parent).free
        except OSError:
            return
        if needed > free:
            raise SolutionError(
                f"cannot write {self.path}: a save takes {memory.size(needed)} and {memory.size(free)} are free on "
                "its disk: make room, or choose another place"
            )

    @contextmanager
    def replacing(self) -> Iterator[Path]:
        """A new directory to fill, which takes the place of what is here when the block ends; not after an error."""
        fresh, old = sibling(self.place, "new"), sibling(self.place, "old")
        try:
            fresh.mkdir()
            yield fresh
            if not self.place.exists():
                fresh.rename(self.place)
            elif not files.exchange(fresh, self.place):
                self.place.rename(old)
                fresh.rename(self.place)
            files.flush_names(self.place.parent)
        except OSError as error:  # no room, no permission
            raise self._failed(error) from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)  # of an error, or what was replaced
        shutil.rmtree(old, ignore_errors=True)

    def _failed(self, error: OSError) -> SolutionError:
        return SolutionError(f"cannot write {self.path}: {error.strerror or error}")

    def _refuse_unmovable(self) -> None:
        here = Path.cwd()
        if self.place == here or self.place in here.parents:
            raise SolutionError(
                f"cannot write {self.path}: it is the directory you are in, or holds it; name a new one in it"
            )
        if files.is_mount_point(self.place):
            raise SolutionError(
                f"cannot write {self.path}: it is a mount point, which cannot be replaced as a whole; name a new "
                f"directory in it, as in {self.path / 'solution'}"
            )

    def _make_folder(self) -> None:
        folder, missing = self.place.parent, []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise SolutionError(f"cannot write {self.path}: {folder} is no directory that you may write to")
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
            self._made.append(one)

    def _clean(self) -> None:
        """Take away what a writer that was killed left."""
        _bring_back(self.place)
        for role in ("new", "old"):
            shutil.rmtree(sibling(self.place, role), ignore_errors=True)

    def _try_renaming(self) -> None:
        """What a save does, with an empty directory: OSError where it would fail."""
        first, second = sibling(self.place, "try"), sibling(self.place, "tried")
        for leftover in (first, second):
            shutil.rmtree(leftover, ignore_errors=True)
        first.mkdir()
        try:
            first.rename(second)
        except OSError:
            first.rmdir()
            raise
        second.rmdir()
        if not self.place.exists():
            return
        folder, own = self.place.parent.stat(), self.place.stat()
        if (
            folder.st_mode & stat.S_ISVTX
            and hasattr(os, "getuid")
            and os.getuid() not in (0, folder.st_uid, own.st_uid)
        ):
            raise SolutionError(f"cannot write {self.path}: it belongs to another user")


class SecondPlace:
    """Where a result goes that cannot be saved where it should be: a new folder of the system's, or of the user's."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kept: Path | None = None  # what was saved there last

    def save(self, write: Callable[[Path], None]) -> Path | None:
        """Write there; where that is, or None where it cannot be done either."""
        for folder in (None, os.path.expanduser("~")) if self.kept is None else (None,):
            place = self.kept
            try:
                if place is None:
                    place = Path(tempfile.mkdtemp(prefix="runout-rescued-", dir=folder)) / self.name
                write(place)
            except (SolutionError, OSError):  # nor here
                if self.kept is None and place is not None:
                    shutil.rmtree(place.parent, ignore_errors=True)
            else:
                self.kept = place
                return place
        return self.kept

    def clear(self) -> None:
        """Take it away again, once the result is where it should be."""
        if self.kept is not None:
            shutil.rmtree(self.kept.parent, ignore_errors=True)
            self.kept = None


def held(output: str | Path | Output | None) -> AbstractContextManager[Output | None]:
    """The directory that a run saves to, held for a `with` block; one that is held already stays so after it."""
    if output is None or isinstance(output, Output):
        return nullcontext(output)
    return Output(output)


def recover(path: Path) -> None:
    """Bring back the solution that was being replaced in `path` when a crash came between two renames.

    Does nothing while somebody is writing there.
    """
    if path.exists() or not sibling(path, "old").is_dir():
        return
    with suppress(OSError, files.Held), files.FileLock(sibling(path, "lock"), wait=False):
        _bring_back(path)


def _bring_back(path: Path) -> None:
    with suppress(OSError):
        if not path.exists():
            sibling(path, "old").rename(path)


def sibling(path: Path, role: str) -> Path:
    """The hidden name beside a directory that the lock, the new or the old one has; links are followed."""
    path = Path(os.path.realpath(path))
    return path.parent / f".{path.name}.{role}"  # with_name would refuse the root, which has no name
