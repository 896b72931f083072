"""Compiled code that Numba keeps on disk, beside the source.

What an older version left there may name records that are gone, and a crash may have cut a file off; such code is
compiled again instead of ending the program.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def forgive_damage() -> None:
    """Let Numba take kept code that cannot be read as none; to be called before it loads any."""
    from numba.core.caching import IndexDataCacheFile

    load_index, load_data = IndexDataCacheFile._load_index, IndexDataCacheFile._load_data

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

    IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = index_or_nothing, data_or_nothing
