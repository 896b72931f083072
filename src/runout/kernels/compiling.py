"""How kernels are compiled: cached on disk, without the interpreter's lock, no fastmath."""

from __future__ import annotations

from functools import partial

from numba import njit

kernel = partial(njit, cache=True, nogil=True)
inner = partial(njit, cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # called by kernels only
inlined = partial(inner, inline="always")  # written into its callers: for small functions that take many arguments
