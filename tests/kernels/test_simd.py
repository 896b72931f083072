"""Vector operations against the same in NumPy, with zeros, signs, infinities and denormals planted."""

from __future__ import annotations

import numpy as np
from numba import njit

from runout.kernels.simd import (
    add,
    first_lanes,
    flush_denormals,
    load16,
    maximum,
    mul,
    positive,
    reciprocal_or,
    restore_denormals,
    spread16,
    store16,
    sub,
    total16,
    transpose16,
    where_positive,
)

TINY = np.float32(1e-40)  # a denormal


@njit
def every_operation(x, y, z, number, out):  # type: ignore[no-untyped-def]
    """x, y, z float32 [16 n]; out float32 [8, 16 n], flat."""
    n = x.shape[0]
    for i in range(0, n, 16):
        a, b, c = load16(x, i), load16(y, i), load16(z, i)
        store16(out, i, add(a, b))
        store16(out, n + i, sub(a, b))
        store16(out, 2 * n + i, mul(a, b))
        store16(out, 3 * n + i, positive(a))
        store16(out, 4 * n + i, where_positive(a, b, c))
        store16(out, 5 * n + i, maximum(a, b))
        store16(out, 6 * n + i, reciprocal_or(a, b))
        store16(out, 7 * n + i, spread16(number))


@njit
def transpose(source, at, step, target, to, to_step):  # type: ignore[no-untyped-def]
    transpose16(source, at, step, target, to, to_step)


@njit
def halve(x, out):  # type: ignore[no-untyped-def]
    """x / 2 with denormals taken as zero, then with denormals as they are."""
    before = flush_denormals()
    for i in range(x.shape[0]):
        out[0, i] = x[i] * np.float32(0.5)
    restore_denormals(before)
    for i in range(x.shape[0]):
        out[1, i] = x[i] * np.float32(0.5)


def test_each_operation_lane_by_lane() -> None:
    random = np.random.default_rng(0)
    x, y, z = random.normal(size=(3, 64)).astype(np.float32)
    x[[0, 1, 17]] = 0.0, -0.0, np.inf
    y[[0, 5, 17]] = 0.0, -0.0, 2.0
    found = np.empty(8 * 64, np.float32)
    every_operation(x, y, z, np.float32(0.1), found)
    with np.errstate(divide="ignore"):
        reciprocal = np.where(x > 0, np.float32(1) / x, y)
    expected = [x + y, x - y, x * y, np.maximum(x, 0), np.where(x > 0, y, z), np.maximum(x, y), reciprocal]
    for row, values in zip(found.reshape(8, 64), [*expected, np.full(64, 0.1, np.float32)], strict=True):
        np.testing.assert_array_equal(row, values)


def test_transposing_a_block_within_longer_rows() -> None:
    random = np.random.default_rng(1)
    source = random.normal(size=(20, 48)).astype(np.float32)
    target = np.full((24, 32), 7, np.float32)
    transpose(source.ravel(), 2 * 48 + 5, 48, target.ravel(), 3 * 32 + 9, 32)
    expected = np.full((24, 32), 7, np.float32)
    expected[3:19, 9:25] = source[2:18, 5:21].T
    np.testing.assert_array_equal(target, expected)


def test_transposing_twice_changes_nothing() -> None:
    source = np.arange(256, dtype=np.float32)
    once, twice = np.empty_like(source), np.empty_like(source)
    transpose(source, 0, 16, once, 0, 16)
    transpose(once, 0, 16, twice, 0, 16)
    np.testing.assert_array_equal(once.reshape(16, 16), source.reshape(16, 16).T)
    np.testing.assert_array_equal(twice, source)


def test_denormals_are_zero_only_while_they_are_flushed() -> None:
    found = np.empty((2, 4), np.float32)
    halve(np.array([1.0, TINY, -TINY, 0.0], np.float32), found)
    np.testing.assert_array_equal(found[0], [0.5, 0, 0, 0])
    np.testing.assert_array_equal(found[1], np.array([0.5, TINY / 2, -TINY / 2, 0], np.float32))
    assert np.float32(2) * TINY / np.float32(2) == TINY  # nor is anything left behind on this thread


@njit
def first_sums(x, out):  # type: ignore[no-untyped-def]
    for count in range(out.shape[0]):
        out[count] = total16(first_lanes(load16(x, 0), count))


def test_the_first_lanes_add_up() -> None:
    x, out = np.arange(1, 17, dtype=np.float32), np.zeros(20, np.float32)
    first_sums(x, out)
    np.testing.assert_array_equal(out, [x[:count].sum() for count in range(20)])
