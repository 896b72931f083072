"""Compiled loops over plain arrays (Numba); every kernel has a slow twin in tests/reference.

Numba keeps compiled code on disk, beside the source. What an older version left there may name records that are gone,
and a crash may have cut a file off; such code is compiled again instead of ending the program.
"""

from __future__ import annotations

from typing import Any

from numba.core.caching import IndexDataCacheFile

_load_index, _load_data = IndexDataCacheFile._load_index, IndexDataCacheFile._load_data


def _index_or_nothing(file: Any) -> dict[Any, Any]:
    try:
        return _load_index(file)
    except Exception:  # whatever unpickling a foreign or damaged file may raise
        return {}


def _data_or_nothing(file: Any, name: str) -> Any:
    try:
        return _load_data(file, name)
    except Exception:
        return None


IndexDataCacheFile._load_index, IndexDataCacheFile._load_data = _index_or_nothing, _data_or_nothing
