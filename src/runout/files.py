"""Files that are replaced as a whole, and locks between processes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from runout.errors import InputError

try:
    import fcntl
except ImportError:  # Windows: nothing is locked there
    fcntl = None  # type: ignore[assignment]


@contextmanager
def replacing(path: Path, binary: bool = False) -> Iterator[Any]:
    """A file to write that gets the name `path` when the block ends; after an error or a crash the old one is left."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        with open(fresh, "wb") if binary else open(fresh, "w", encoding="utf-8", newline="") as file:
            yield file
            flush(file)
        os.replace(fresh, path)
    except BaseException as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if isinstance(error, OSError):  # no room, no permission
            raise InputError(f"cannot write {path}: {error.strerror or error}") from None
        raise


def check_place(path: Path) -> None:
    """Refuse, before any work is done, a path that no file can be written to."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(f"cannot write {path}: name a file in a directory that exists")


def write_text(path: Path, text: str) -> None:
    """Replace a small file by one with this text."""
    with replacing(path) as file:
        file.write(text)


def flush(file: IO[Any]) -> None:
    """Wait until everything written so far is on the disk."""
    file.flush()
    os.fsync(file.fileno())


class FileLock:
    """Keeps other processes off a file or directory until it is released, at the latest when this process ends.

    It has to exist. Without `wait`, BlockingIOError where another process has the lock.
    """

    def __init__(self, path: Path, wait: bool = True) -> None:
        self._handle: int | None = None
        if fcntl is None:
            return
        self._handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let others have it; does nothing the second time."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
