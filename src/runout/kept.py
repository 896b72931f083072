"""Arrays that take a while to make, kept in the cache directory of the user: their sha256, then the numbers."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from runout import files
from runout.errors import InputError

_DIGEST = 32  # bytes of a sha256


def kept_array(
    name: str, shape: tuple[int, ...], dtype: type, folder: Path | None, make: Callable[[], np.ndarray]
) -> np.ndarray:
    """An array of the cache (`folder`, or that of the user), or what `make` gives, put there."""
    kept = find_kept(name, shape, dtype, folder)
    if kept is not None:
        return kept
    found: np.ndarray = np.ascontiguousarray(make(), dtype).reshape(shape)
    path = _place(name, folder)
    with suppress(OSError, InputError):  # no room or no right to write: computed again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.replacing(path, binary=True) as file:
            file.write(hashlib.sha256(found.data).digest())
            file.write(found.data)
    return found


def find_kept(name: str, shape: tuple[int, ...], dtype: type, folder: Path | None) -> np.ndarray | None:
    """An array of the cache, if it is there and whole."""
    path = _place(name, folder)
    with suppress(FileNotFoundError, NotADirectoryError):
        try:
            content = path.read_bytes()
            if content[:_DIGEST] == hashlib.sha256(content[_DIGEST:]).digest():
                return np.frombuffer(content, dtype, offset=_DIGEST).reshape(shape)
        except (PermissionError, IsADirectoryError, ValueError):
            pass
        logging.getLogger("runout").warning("%s is damaged and is made again", path)
    return None


def _place(name: str, folder: Path | None) -> Path:
    return (cache_folder() if folder is None else folder) / name


def cache_folder() -> Path:
    """Where tables that take a while are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "runout"
