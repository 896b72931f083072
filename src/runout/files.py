"""Files and directories that are replaced as a whole, and locks between processes."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from runout.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_SWAP = 2  # RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS
_HERE = -100  # AT_FDCWD: names are relative to the working directory
_CANNOT = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}  # not on this file system
_LOCKED_BYTE = 1 << 30  # far behind the text of a lock file, which others may read


@contextmanager
def replacing(path: Path, binary: bool = False) -> Iterator[Any]:
    """A file to write that gets the name `path` when the block ends; after an error or a crash the old one is left.

    A device or a pipe (/dev/null) is written to as it is: a file in its place would break it for everybody.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with open(path, "wb") if binary else open(path, "w", encoding="utf-8", newline="") as device:
            yield device
        return
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


def drop_unfinished(folder: Path) -> None:
    """Delete what a process that was killed while `replacing` left behind; only for a folder with one writer."""
    for left in folder.glob(".*.new"):
        with suppress(OSError):
            left.unlink()


def check_place(path: Path) -> None:
    """Refuse, before any work is done, a path that no file can be written to."""
    folder = path.absolute().parent
    try:
        if not path.is_dir() and folder.is_dir() and path.name:
            trial = folder / f".{path.name}.{secrets.token_hex(4)}.new"
            trial.touch()
            trial.unlink()
            return
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    raise InputError(f"cannot write {path}: name a file in a directory that exists")


def write_text(path: Path, text: str) -> None:
    """Replace a small file by one with this text."""
    with replacing(path) as file:
        file.write(text)


def flush(file: IO[Any]) -> None:
    """Wait until everything written so far is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def flush_names(folder: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can say so."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def exchange(one: Path, other: Path) -> bool:
    """Swap the names of two directories in one step; False, and nothing done, where the system cannot."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = library.renamex_np(os.fsencode(one), os.fsencode(other), _SWAP)
        else:
            failed = library.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _SWAP)
    except (AttributeError, OSError, TypeError):  # no such function, or no such library
        return False
    if failed and ctypes.get_errno() not in _CANNOT:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return not failed


def is_mount_point(path: Path) -> bool:
    """Whether something else is mounted at a directory, so that it cannot be renamed."""
    if os.path.ismount(path):
        return True
    try:  # a directory of the same disk, bound to another place, as containers do
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            mounted = {line.split()[4].encode().decode("unicode_escape") for line in file}
    except (OSError, IndexError, UnicodeError):
        return False
    return str(path) in mounted


class Held(InputError):
    """Another process, or another run of this one, has a lock; the message says which and since when."""


_SIGNING = 1.0  # seconds that the holder of a lock has to write its name


class FileLock:
    """Keeps others off whatever `path` stands for until it is released, at the latest when this process ends.

    `path` is a file of its own that is made here and removed with the release; it says who has the lock. Without
    `wait`, `Held` where somebody else has it. Where a file system cannot lock, nothing is locked.
    """

    def __init__(self, path: Path, wait: bool = True) -> None:
        self.path = path
        self._handle: int | None = None
        while self._handle is None:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _lock(handle, wait)
                if _is_at(handle, path):  # else who had it before has removed the file: take the new one
                    self._handle = handle
            except BlockingIOError:
                raise Held(_holder(path)) from None
            finally:
                if self._handle is None:
                    os.close(handle)
        who = {"pid": os.getpid(), "host": platform.node(), "since": time.time()}
        with suppress(OSError):  # a full disk: the lock holds all the same
            os.ftruncate(self._handle, 0)
            os.write(self._handle, json.dumps(who).encode())

    def release(self) -> None:
        """Let others have it; does nothing the second time."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        if sys.platform == "win32":
            os.close(handle)  # an open file cannot be removed there
            handle = None
        with suppress(OSError):
            self.path.unlink()
        if handle is not None:
            os.close(handle)

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _lock(handle: int, wait: bool) -> None:
    """Lock an open file; BlockingIOError where another has it and `wait` is not asked for."""
    try:
        if sys.platform == "win32":
            while not _locked_byte(handle):
                if not wait:
                    raise BlockingIOError
                time.sleep(0.1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise


def _locked_byte(handle: int) -> bool:
    """Windows: lock one byte of a file; False where another has it."""
    if sys.platform == "win32":
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _holder(path: Path) -> str:
    """'process 4711 on host, since 14:02:11', of who has a lock."""
    try:
        ends = time.monotonic() + _SIGNING
        while not (signed := path.read_text(encoding="utf-8")) and time.monotonic() < ends:
            time.sleep(0.01)  # whoever has it has only just got it
        who = json.loads(signed)
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(float(who["since"])))
        return f"process {int(who['pid'])} on {who['host']}, since {since}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
