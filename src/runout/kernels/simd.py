"""Explicit vectors for kernels: LANES float32 side by side, as a value that Numba can hold.

Loops that LLVM cannot prove free of aliasing stay scalar; these do not. Arrays are one-dimensional, contiguous, and
long enough: nothing checks bounds. An index counts elements, not vectors. On a CPU with narrower registers LLVM splits
them. `flush_denormals` belongs here too: discounted numbers fade into denormals, which are slow.
"""

from __future__ import annotations

import platform

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from runout.kernels.tables import LANES

_I8, _I16, _I32, _F32 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.FloatType()
_FLOATS, _SHORTS = ir.VectorType(_F32, LANES), ir.VectorType(_I16, LANES)
_X86 = platform.machine().lower() in ("x86_64", "amd64")


class VectorType(types.Type):
    """LANES float32."""

    def __init__(self) -> None:
        super().__init__(name=f"Vector(float32 x {LANES})")


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind: VectorType) -> None:
        super().__init__(manager, kind, _FLOATS)


vector = VectorType()


def _pointer(context, builder, array_type, array, index, kind=_FLOATS):
    """Pointer to the vector that begins at element `index` of a one-dimensional array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), kind.as_pointer())


def _constant(value: float) -> ir.Constant:
    return ir.Constant(_FLOATS, [value] * LANES)


def _spread(builder, scalar):
    undefined = ir.Constant(_FLOATS, ir.Undefined)
    single = builder.insert_element(undefined, scalar, _I32(0))
    return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES))


def _call(builder, name: str, value):
    """An LLVM function of one vector."""
    kind = ir.FunctionType(_FLOATS, [_FLOATS])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"{name}.v{LANES}f32"), [value])


@intrinsic
def load16(typing_context, array, index):
    """The LANES float32 from `index` on."""

    def codegen(context, builder, signature, arguments):
        return builder.load(_pointer(context, builder, signature.args[0], *arguments), align=4)

    return vector(array, types.intp), codegen


@intrinsic
def store16(typing_context, array, index, value):
    """Write LANES float32 from `index` on."""

    def codegen(context, builder, signature, arguments):
        builder.store(arguments[2], _pointer(context, builder, signature.args[0], *arguments[:2]), align=4)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), codegen


@intrinsic
def load_stored(typing_context, stored, index, scales, row):
    """LANES numbers of a row in storage: float32 as they are, int16 times scales[row]."""
    packed = stored.dtype == types.int16

    def codegen(context, builder, signature, arguments):
        array, at, factors, which = arguments
        kind = signature.args[0]
        if not packed:
            return builder.load(_pointer(context, builder, kind, array, at), align=4)
        numbers = builder.load(_pointer(context, builder, kind, array, at, _SHORTS), align=2)
        data = context.make_array(signature.args[2])(context, builder, factors).data
        factor = _spread(builder, builder.load(builder.gep(data, [which])))
        return builder.fmul(builder.sitofp(numbers, _FLOATS), factor)

    return vector(stored, types.intp, scales, types.intp), codegen


@intrinsic
def store_packed(typing_context, stored, index, value):
    """Write LANES whole numbers, the nearest ones, as int16."""

    def codegen(context, builder, signature, arguments):
        whole = builder.fptosi(_call(builder, "llvm.rint", arguments[2]), _SHORTS)
        pointer = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], _SHORTS)
        builder.store(whole, pointer, align=2)
        return context.get_dummy_value()

    return types.void(stored, types.intp, vector), codegen


def _binary(method: str):
    @intrinsic
    def operation(typing_context, left, right):
        def codegen(context, builder, signature, arguments):
            return getattr(builder, method)(*arguments, flags=("nsz", "contract"))

        return vector(vector, vector), codegen

    return operation


add = _binary("fadd")
sub = _binary("fsub")
mul = _binary("fmul")


@intrinsic
def spread16(typing_context, value):
    """The same float32 in every lane."""

    def codegen(context, builder, signature, arguments):
        return _spread(builder, arguments[0])

    return vector(types.float32), codegen


@intrinsic
def positive(typing_context, value):
    """Each lane, or zero where it is negative."""

    def codegen(context, builder, signature, arguments):
        zero = _constant(0.0)
        return builder.select(builder.fcmp_ordered(">", arguments[0], zero), arguments[0], zero)

    return vector(vector), codegen


@intrinsic
def where_positive(typing_context, test, yes, no):
    """`yes` where `test` is above zero, else `no`, lane by lane."""

    def codegen(context, builder, signature, arguments):
        return builder.select(builder.fcmp_ordered(">", arguments[0], _constant(0.0)), *arguments[1:])

    return vector(vector, vector, vector), codegen


@intrinsic
def maximum(typing_context, left, right):
    """The larger of two, lane by lane."""

    def codegen(context, builder, signature, arguments):
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return vector(vector, vector), codegen


@intrinsic
def reciprocal_or(typing_context, value, otherwise):
    """1 / value where it is above zero, else `otherwise`, lane by lane."""

    def codegen(context, builder, signature, arguments):
        above = builder.fcmp_ordered(">", arguments[0], _constant(0.0))
        return builder.select(above, builder.fdiv(_constant(1.0), arguments[0]), arguments[1])

    return vector(vector, vector), codegen


@intrinsic
def absolute(typing_context, value):
    """Without its sign, lane by lane."""

    def codegen(context, builder, signature, arguments):
        return _call(builder, "llvm.fabs", arguments[0])

    return vector(vector), codegen


@intrinsic
def largest(typing_context, value):
    """The largest lane, a float32; none may be NaN."""

    def codegen(context, builder, signature, arguments):
        value, width = arguments[0], LANES
        while width > 1:  # fold the upper half onto the lower one
            width //= 2
            lanes = [i + width if i < width else i for i in range(LANES)]
            other = builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(_I32, LANES), lanes))
            value = builder.select(builder.fcmp_ordered(">", value, other), value, other)
        return builder.extract_element(value, _I32(0))

    return types.float32(vector), codegen


@intrinsic
def total16(typing_context, value):
    """The sum of all lanes, a float32."""

    def codegen(context, builder, signature, arguments):
        value, width = arguments[0], LANES
        while width > 1:
            width //= 2
            lanes = [i + width if i < width else i for i in range(LANES)]
            other = builder.shuffle_vector(value, value, ir.Constant(ir.VectorType(_I32, LANES), lanes))
            value = builder.fadd(value, other)
        return builder.extract_element(value, _I32(0))

    return types.float32(vector), codegen


@intrinsic
def first_lanes(typing_context, value, count):
    """The first `count` lanes, zero in the others; all of them where there are no more."""

    def codegen(context, builder, signature, arguments):
        whole = ir.VectorType(_I32, LANES)
        number = builder.insert_element(ir.Constant(whole, ir.Undefined), builder.trunc(arguments[1], _I32), _I32(0))
        count = builder.shuffle_vector(number, ir.Constant(whole, ir.Undefined), ir.Constant(whole, [0] * LANES))
        below = builder.icmp_signed("<", ir.Constant(whole, list(range(LANES))), count)
        return builder.select(below, arguments[0], _constant(0.0))

    return vector(vector, types.intp), codegen


@intrinsic
def transpose16(typing_context, source, source_at, source_step, target, target_at, target_step):
    """Transpose a LANES × LANES block: rows `step` elements apart in each array, in four rounds of shuffles."""

    def codegen(context, builder, signature, arguments):
        source, at, step, target, to, to_step = arguments
        rows = []
        for i in range(LANES):
            place = builder.add(at, builder.mul(step, ir.Constant(step.type, i)))
            rows.append(builder.load(_pointer(context, builder, signature.args[0], source, place), align=4))
        for distance in (8, 4, 2, 1):  # swap the off-diagonal blocks of size `distance`
            low = [i if not i & distance else LANES + (i ^ distance) for i in range(LANES)]
            high = [(i ^ distance) if not i & distance else LANES + i for i in range(LANES)]
            swapped = list(rows)
            for i in (i for i in range(LANES) if not i & distance):
                for lanes, row in ((low, i), (high, i | distance)):
                    order = ir.Constant(ir.VectorType(_I32, LANES), lanes)
                    swapped[row] = builder.shuffle_vector(rows[i], rows[i | distance], order)
            rows = swapped
        for i in range(LANES):
            place = builder.add(to, builder.mul(to_step, ir.Constant(to_step.type, i)))
            builder.store(rows[i], _pointer(context, builder, signature.args[3], target, place), align=4)
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target, types.intp, types.intp), codegen


@intrinsic
def prefetch(typing_context, array, index):
    """Begin to fetch the cache line of element `index`, which may lie outside of the array."""

    def codegen(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), _I8.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


@intrinsic
def is_packed(typing_context, stored):
    """Whether storage is int16, known when compiling: the branch not taken costs nothing."""
    packed = stored.dtype == types.int16

    def codegen(context, builder, signature, arguments):
        return ir.Constant(ir.IntType(1), int(packed))

    return types.boolean(stored), codegen


@intrinsic
def flush_denormals(typing_context):
    """Treat denormals as zero on this thread from now on; returns what `restore_denormals` needs (x86 only)."""

    def codegen(context, builder, signature, arguments):
        if not _X86:
            return ir.Constant(_I32, 0)
        slot = cgutils.alloca_once(builder, _I32)
        raw = builder.bitcast(slot, _I8.as_pointer())
        _control(builder, "st", raw)
        before = builder.load(slot)
        builder.store(builder.or_(before, ir.Constant(_I32, 0x8040)), slot)
        _control(builder, "ld", raw)
        return before

    return types.uint32(), codegen


@intrinsic
def restore_denormals(typing_context, before):
    """Undo `flush_denormals`."""

    def codegen(context, builder, signature, arguments):
        if _X86:
            slot = cgutils.alloca_once(builder, _I32)
            builder.store(arguments[0], slot)
            _control(builder, "ld", builder.bitcast(slot, _I8.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint32), codegen


def _control(builder, direction: str, pointer) -> None:
    kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sse.{direction}mxcsr")
    builder.call(function, [pointer])
