"""How kernels are compiled: cached on disk, without the interpreter's lock, no fastmath; and when: at the first call.

Importing Numba takes longer than most things that a person asks for, such as a look at a chart. So a kernel is a
`Kernel` until something calls it.

What keeps compiling short: a constant in a call (0, True) makes a version of the function for that constant alone, so
kernels hand on `np.int64(0)`; and copying slices (`a[:] = b[:n]`) brings in code that spells out its errors, so kernels
loop.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
from typing import Any


class Kernel:
    """A function that Numba compiles when Python, or another kernel, first needs it.

    With `plain`, Python calls the function as it is written, and kernels the compiled one.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], plain: bool = False) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options, self._plain = options, plain

    @cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher of this function."""
        from numba import njit

        from runout.kernels import kept_code

        kept_code.forgive_damage()
        found = njit(**self._options)(self.py_func)
        kept_code.depend_on_all(found)
        return found

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return (self.py_func if self._plain else self.compiled)(*arguments, **named)

    # What Numba asks a function for that a kernel calls.

    @property
    def _numba_type_(self) -> Any:
        return self.compiled._numba_type_

    @property
    def targetoptions(self) -> dict[str, Any]:
        return dict(self.compiled.targetoptions)


def _decorator(function: Callable[..., Any] | None = None, *, plain: bool = False, **options: Any) -> Any:
    """`@kernel`, or `@kernel(more=options)`."""
    if function is None:
        return lambda given: Kernel(given, options, plain)
    return Kernel(function, options, plain)


kernel = partial(_decorator, cache=True, nogil=True, _nrt=True)
# For kernels that make no arrays, and so do without Numba's run time (NRT), which frees them. With it every array that
# is handed on, alone or in a tuple, is counted as in use and then as not: a quarter of the time of a small board.
lent = partial(kernel, _nrt=False)
inner = partial(lent, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # called by kernels only
inlined = partial(inner, inline="always")  # written into its callers: for small functions that take many arguments
shared = partial(kernel, inline="always", plain=True)  # one expression, for kernels and for numbers or arrays of Python
