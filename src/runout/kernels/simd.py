"""Explicit vectors for kernels: sixteen float32 side by side, as a value that Numba can hold.

Loops that LLVM cannot prove free of aliasing stay scalar; these do not. Arrays are one-dimensional, contiguous, and
long enough: nothing checks bounds. An index counts elements, not vectors. On a CPU with narrower registers LLVM splits
them.
`flush_denormals` belongs here too: discounted numbers fade into denormals, which are slow.
"""

from __future__ import annotations

import platform

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

I32 = ir.IntType(32)
_X86 = platform.machine().lower() in ("x86_64", "amd64")


class VectorType(types.Type):
    """`lanes` numbers of one kind."""

    def __init__(self, element: types.Type, lanes: int) -> None:
        self.element, self.lanes = element, lanes
        super().__init__(name=f"Vector({element} x {lanes})")


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, kind: VectorType) -> None:
        scalar = manager.lookup(kind.element).get_value_type()
        super().__init__(manager, kind, ir.VectorType(scalar, kind.lanes))


f32x16 = VectorType(types.float32, 16)


def _llvm(context, kind: VectorType) -> ir.VectorType:
    return context.get_value_type(kind)


def _pointer(context, builder, array_type, array, index, kind):
    """Pointer to the vector that begins at element `index` of a one-dimensional array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _llvm(context, kind).as_pointer())


def _loader(kind: VectorType):
    @intrinsic
    def load(typing_context, array, index):
        def codegen(context, builder, signature, arguments):
            pointer = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], kind)
            return builder.load(pointer, align=4)

        return kind(array, types.intp), codegen

    return load


def _storer(kind: VectorType):
    @intrinsic
    def store(typing_context, array, index, value):
        def codegen(context, builder, signature, arguments):
            pointer = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], kind)
            builder.store(arguments[2], pointer, align=4)
            return context.get_dummy_value()

        return types.void(array, types.intp, kind), codegen

    return store


def _binary(method: str):
    @intrinsic
    def operation(typing_context, left, right):
        def codegen(context, builder, signature, arguments):
            return getattr(builder, method)(*arguments, flags=("nsz", "contract"))

        return left(left, right), codegen

    return operation


load16 = _loader(f32x16)
store16 = _storer(f32x16)
add = _binary("fadd")
sub = _binary("fsub")
mul = _binary("fmul")


def _spread(kind: VectorType):
    @intrinsic
    def spread(typing_context, value):
        def codegen(context, builder, signature, arguments):
            vector = _llvm(context, kind)
            single = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[0], I32(0))
            zeros = ir.Constant(ir.VectorType(I32, kind.lanes), [0] * kind.lanes)
            return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros)

        return kind(kind.element), codegen

    return spread


spread16 = _spread(f32x16)


@intrinsic
def positive(typing_context, value):
    """Each lane, or zero where it is negative."""

    def codegen(context, builder, signature, arguments):
        zero = ir.Constant(_llvm(context, signature.return_type), None)
        return builder.select(builder.fcmp_ordered(">", arguments[0], zero), arguments[0], zero)

    return value(value), codegen


@intrinsic
def where_positive(typing_context, test, yes, no):
    """`yes` where `test` is above zero, else `no`, lane by lane."""

    def codegen(context, builder, signature, arguments):
        zero = ir.Constant(_llvm(context, signature.args[0]), None)
        return builder.select(builder.fcmp_ordered(">", arguments[0], zero), arguments[1], arguments[2])

    return yes(test, yes, no), codegen


@intrinsic
def maximum(typing_context, left, right):
    """The larger of two, lane by lane."""

    def codegen(context, builder, signature, arguments):
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return left(left, right), codegen


@intrinsic
def reciprocal_or(typing_context, value, otherwise):
    """1 / value where it is above zero, else `otherwise`, lane by lane."""

    def codegen(context, builder, signature, arguments):
        vector = _llvm(context, signature.return_type)
        above = builder.fcmp_ordered(">", arguments[0], ir.Constant(vector, None))
        one = ir.Constant(vector, [1.0] * vector.count)
        return builder.select(above, builder.fdiv(one, arguments[0]), arguments[1])

    return value(value, otherwise), codegen


@intrinsic
def transpose16(typing_context, source, source_at, source_step, target, target_at, target_step):
    """Transpose a 16 × 16 block of float32: rows `step` elements apart in each array, in four rounds of shuffles."""

    def codegen(context, builder, signature, arguments):
        source, at, step, target, to, to_step = arguments
        rows = []
        for i in range(16):
            place = builder.add(at, builder.mul(step, ir.Constant(step.type, i)))
            rows.append(builder.load(_pointer(context, builder, signature.args[0], source, place, f32x16), align=4))
        for distance in (8, 4, 2, 1):  # swap the off-diagonal blocks of size `distance`
            take_low = [i if not i & distance else 16 + (i ^ distance) for i in range(16)]
            take_high = [(i ^ distance) if not i & distance else 16 + i for i in range(16)]
            swapped = list(rows)
            for i in range(16):
                if not i & distance:
                    a, b = rows[i], rows[i | distance]
                    swapped[i] = builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, 16), take_low))
                    swapped[i | distance] = builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(I32, 16), take_high))
            rows = swapped
        for i in range(16):
            place = builder.add(to, builder.mul(to_step, ir.Constant(to_step.type, i)))
            builder.store(rows[i], _pointer(context, builder, signature.args[3], target, place, f32x16), align=4)
        return context.get_dummy_value()

    kinds = (source, types.intp, types.intp, target, types.intp, types.intp)
    return types.void(*kinds), codegen


@intrinsic
def prefetch(typing_context, array, index):
    """Begin to fetch the cache line of element `index`, which may lie outside of the array."""

    def codegen(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, I32, I32, I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, I32(0), I32(3), I32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


@intrinsic
def flush_denormals(typing_context):
    """Treat denormals as zero on this thread from now on; returns what `restore_denormals` needs (x86 only)."""

    def codegen(context, builder, signature, arguments):
        if not _X86:
            return ir.Constant(I32, 0)
        slot = cgutils.alloca_once(builder, I32)
        raw = builder.bitcast(slot, ir.IntType(8).as_pointer())
        _control(builder, "st", raw)
        before = builder.load(slot)
        builder.store(builder.or_(before, ir.Constant(I32, 0x8040)), slot)
        _control(builder, "ld", raw)
        return before

    return types.uint32(), codegen


@intrinsic
def restore_denormals(typing_context, before):
    """Undo `flush_denormals`."""

    def codegen(context, builder, signature, arguments):
        if _X86:
            slot = cgutils.alloca_once(builder, I32)
            builder.store(arguments[0], slot)
            _control(builder, "ld", builder.bitcast(slot, ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint32), codegen


def _control(builder, direction: str, pointer) -> None:
    kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sse.{direction}mxcsr")
    builder.call(function, [pointer])
