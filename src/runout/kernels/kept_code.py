"""Compiled code that Numba keeps on disk, beside the source.

What an older version left there may name records that are gone, and a crash may have cut a file off; such code is
compiled again instead of ending the program. Where a full disk has no room for it, it is not kept.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any


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
        with suppress(OSError):
            save(file, key, data)

    IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = index_or_nothing, data_or_nothing
    IndexDataCacheFile.save = save_or_not
