"""Arrays on disk that are not trusted: size checked when they are opened, checksums when a part is first read.

A file has one sha256 for each CHUNK bytes, so that a look at a part of a large array reads that part and no more. A
crafted file can have fitting checksums: they find damage. What an array may hold is checked by who knows what it means.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from runout.errors import SolutionError

CHUNK = 1 << 22  # bytes


@dataclass(frozen=True, slots=True)
class FileSums:
    """What meta.json says of one file."""

    bytes: int
    sha256: tuple[str, ...]  # of each CHUNK bytes, the last ones fewer

    @classmethod
    def of(cls, path: Path) -> FileSums:
        """Those that a file has now."""
        with open(path, "rb") as file:
            sums = tuple(iter(lambda: _digest(file.read(CHUNK)), _EMPTY))
        return cls(path.stat().st_size, sums)

    @classmethod
    def read(cls, told: Any) -> FileSums:
        """From meta.json; ValueError where that is none."""
        found = cls(told["bytes"], tuple(told["sha256"]))
        chunks = -(-found.bytes // CHUNK) if type(found.bytes) is int and found.bytes >= 0 else -1
        if chunks != len(found.sha256) or not all(isinstance(one, str) for one in found.sha256):
            raise ValueError("checksums that do not fit their file")
        return found

    def told(self) -> dict[str, Any]:
        """For meta.json."""
        return {"bytes": self.bytes, "sha256": list(self.sha256)}


def _digest(data: bytes | memoryview) -> str:
    return hashlib.sha256(data).hexdigest()


_EMPTY = _digest(b"")


class StoredFile:
    """An open file of a solution; keeps its contents after the solution was replaced or deleted."""

    def __init__(self, path: Path, sums: FileSums, of: Path) -> None:
        self.path, self.of, self._sums = path, of, sums
        self._file: BinaryIO = open(path, "rb")  # noqa: SIM115
        if os.fstat(self._file.fileno()).st_size != sums.bytes:
            self._file.close()
            raise self.damaged("does not match its checksum: its size differs")
        self._good = np.zeros(len(sums.sha256), bool)
        self._reading = threading.Lock()

    def __del__(self) -> None:
        file = getattr(self, "_file", None)
        if file is not None:
            file.close()

    @property
    def size(self) -> int:
        return self._sums.bytes

    @property
    def handle(self) -> BinaryIO:
        return self._file

    def damaged(self, why: str) -> SolutionError:
        return SolutionError(f"{self.of} is damaged: {self.path.name} {why}")

    def check(self, start: int = 0, stop: int | None = None) -> None:
        """Verify the chunks that the bytes `start` to `stop` lie in, those that were not before."""
        stop = self.size if stop is None else stop
        for chunk in range(start // CHUNK, -(-stop // CHUNK)):
            if self._good[chunk]:
                continue
            if _digest(self._at(chunk * CHUNK, CHUNK)) != self._sums.sha256[chunk]:
                raise self.damaged(f"does not match its checksum (part {chunk + 1} of {len(self._good)})")
            self._good[chunk] = True

    def read(self) -> bytes:
        """All of it, verified; for small files."""
        self.check()
        return self._at(0, self.size)

    def _at(self, start: int, count: int) -> bytes:
        """Some bytes; forked processes, which share the place in the file, do not get in each other's way."""
        if hasattr(os, "pread"):
            parts = [b""]
            while count > 0 and (part := os.pread(self._file.fileno(), count, start)):
                parts.append(part)
                start, count = start + len(part), count - len(part)
            return b"".join(parts)
        with self._reading:
            self._file.seek(start)
            return self._file.read(count)


class StoredArray:
    """An array in a .npy file. `array[a:b]` reads and verifies that part; `np.asarray(array)` all of it."""

    def __init__(self, file: StoredFile) -> None:
        self._file = file
        try:
            shape, fortran, self.dtype, self._first = _header(file.handle)
        except Exception:  # whatever a crafted header does to NumPy's reader
            raise file.damaged("holds no plain array") from None
        self.shape = tuple(int(one) for one in shape)
        self.size = prod(self.shape)
        if (
            self.dtype.hasobject
            or self._first + self.size * self.dtype.itemsize != file.size
            or min(shape, default=0) < 0
        ):
            raise file.damaged("holds no plain array")
        self._order = "F" if fortran and len(self.shape) > 1 else "C"
        self._map: np.ndarray | None = None

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def _mapped(self) -> np.ndarray:
        if self._map is None:
            if not self.size:
                self._map = np.zeros(self.shape, self.dtype)
            else:
                self._map = np.memmap(
                    self._file.handle, self.dtype, "r", self._first, self.shape, "F" if self._order == "F" else "C"
                )
        return self._map

    def __getitem__(self, part: slice) -> np.ndarray:
        start, stop, step = part.indices(len(self))
        if step != 1 or self._order == "F":
            return np.asarray(self)[part]
        row = self.dtype.itemsize * prod(self.shape[1:])
        if stop > start:
            self._file.check(self._first + start * row, self._first + stop * row)
        return np.asarray(self._mapped()[start:stop])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._file.check()
        return np.array(self._mapped(), dtype, copy=copy)

    def whole(self) -> np.ndarray:
        """A copy of all of it in memory, verified."""
        return np.array(self)


def fitting(
    arrays: Mapping[str, Any],
    name: str,
    shape: tuple[int, ...],
    dtype: Any,
    least: float | None = None,
    most: float | None = None,
) -> np.ndarray:
    """An array of a file, of exactly this shape and type, all its numbers finite and from `least` to `most`.

    ValueError says what is wrong with it. Kernels do not check where they read, so this comes before them.
    """
    found = np.asarray(arrays[name])
    if found.shape != shape or found.dtype != np.dtype(dtype):
        raise ValueError(f"{name} is {found.dtype} {found.shape} where {np.dtype(dtype)} {shape} belongs")
    require_range(found, name, least, most)
    return found


def require_range(found: np.ndarray, name: str, least: float | None = None, most: float | None = None) -> None:
    """Refuse numbers that are not finite or not from `least` to `most`."""
    if not found.size:
        return
    low, high = found.min(), found.max()  # NaN where there is one
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError(f"{name} holds numbers that are none")
    if (least is not None and low < least) or (most is not None and high > most):
        raise ValueError(f"{name} holds {low if least is not None and low < least else high:.6g}, which cannot be")


def _header(file: BinaryIO) -> tuple[Sequence[int], bool, np.dtype[Any], int]:
    """Shape, whether columns come first, type, and where the numbers begin."""
    file.seek(0)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return *read(file), file.tell()
