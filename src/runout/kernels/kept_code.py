"""Compiled code that Numba keeps on disk, beside the source.

What an older version left there may name records that are gone, and a crash may have cut a file off; such code is
compiled again instead of ending the program. Where a full disk has no room for it, it is not kept.

A kernel holds the code of those that it calls. Numba looks only at the file that a kernel stands in, so code is also
compiled again when any other file of kernels has changed.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

KERNELS = Path(__file__).parent


@cache
def files_stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Names, times and sizes of a folder's source files."""
    found = ((path.name, path.stat()) for path in sorted(folder.glob("*.py")))
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)


@cache
def forgive_damage() -> None:
    """Let Numba take kept code that cannot be read as none, and go on where none can be written; to be called before it
    loads any."""
    from numba.core.caching import IndexDataCacheFile

    load_index, load_data = IndexDataCacheFile._load_index, IndexDataCacheFile._load_data
    save = IndexDataCacheFile.save

    def index_or_nothing(file: Any) -> dict[Any, Any]:
        try:
            return load_index(file)
        except Exception:  # whatever unpickling a foreign or damaged file may raise
            return {}

    def data_or_nothing(file: Any, name: str) -> Any:
        try:
            return load_data(file, name)
        except Exception:
            return None

    def save_or_not(file: Any, key: Any, data: Any) -> None:
        try:
            save(file, key, data)
        except OSError:  # the index may name code that was not written, in place of which there may be an older one
            with suppress(OSError):
                Path(file._index_path).unlink()

    IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = index_or_nothing, data_or_nothing
    IndexDataCacheFile.save = save_or_not


def depend_on_all(dispatcher: Any) -> None:
    """Have a kernel's code compiled again when any file of kernels has changed."""
    file = getattr(dispatcher._cache, "_cache_file", None)  # there is none where nothing is kept
    if file is not None:
        file._source_stamp = file._source_stamp, files_stamp(KERNELS)
