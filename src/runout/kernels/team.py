"""A team of threads inside compiled code: a shared counter to draw tasks from and a barrier to meet at.

Every thread of the team runs the same kernel, with the lock of the interpreter released. `state` is an int64 array of
TEAM_STATE zeros that they share; its counters lie on cache lines of their own.
"""

from __future__ import annotations

import sys

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from runout.kernels.compiling import inner

_ARRIVED, _PHASE, _TASK = 0, 16, 32
TEAM_STATE = 48
_SPINS = 2000  # looks at the barrier before the core is offered to others


@intrinsic
def fetch_add(typing_context, array, index, amount):  # type: ignore[no-untyped-def]
    """Atomically add to array[index]; returns what was there before."""

    def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", builder.gep(data, [arguments[1]]), arguments[2], "seq_cst")

    return types.int64(array, types.intp, types.int64), codegen


@intrinsic
def fetch(typing_context, array, index):  # type: ignore[no-untyped-def]
    """What other threads last wrote to array[index]."""

    def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load_atomic(builder.gep(data, [arguments[1]]), "seq_cst", 8)

    return types.int64(array, types.intp), codegen


@intrinsic
def _yield_core(typing_context):  # type: ignore[no-untyped-def]
    def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), codegen


@inner()
def barrier(state, threads):
    """Wait until all threads of the team have come here; what each wrote before is seen by all after."""
    if threads == 1:
        return
    phase = fetch(state, _PHASE)
    if fetch_add(state, _ARRIVED, np.int64(1)) + 1 == threads:
        fetch_add(state, _ARRIVED, np.int64(-threads))
        fetch_add(state, _PHASE, np.int64(1))
        return
    spins = 0
    while fetch(state, _PHASE) == phase:
        spins += 1
        if spins > _SPINS:
            _yield_core()


@inner()
def next_task(state):
    """The number of a task that no other thread has drawn since `restart_tasks`."""
    return fetch_add(state, _TASK, np.int64(1))


@inner()
def restart_tasks(state):
    """Begin to draw from 0 again; one thread does this, before a barrier."""
    fetch_add(state, _TASK, -fetch(state, _TASK))
