"""The machine that a benchmark ran on."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from runout.kernels.threads import thread_count


def print_header() -> None:
    """Processor, cores, load before the first benchmark, versions; then how fast the machine is now."""
    import llvmlite
    import numba
    import numpy

    load = f"load {os.getloadavg()[0]:.1f}, " if hasattr(os, "getloadavg") else ""
    print(
        f"{_processor()}, {thread_count()} cores, {load}{platform.system()}, Python {platform.python_version()}, "
        f"numpy {numpy.__version__}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    )
    spin, copy = calibrate()
    print(f"spin {spin:.2f} ns a step (dependent integer operations), copy {copy:.1f} GB/s (one thread)", flush=True)


def calibrate() -> tuple[float, float]:
    """Nanoseconds for one step of a chain of integer operations, and GB/s read and written by copying 256 MB.

    Neither depends on Runout: figures of another machine or hour compare by these.
    """
    steps = 10_000_000
    source = np.ones(64 * 2**20, np.float32)
    target = np.zeros_like(source)
    return _best(_spin, steps) / steps * 1e9, 2 * source.nbytes / _best(_copy, target, source) / 1e9


@njit(nogil=True)
def _spin(steps: int) -> int:
    x = np.uint64(88172645463325252)
    for _ in range(steps):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
    return x


@njit(nogil=True)
def _copy(target: np.ndarray, source: np.ndarray) -> None:
    for i in range(source.shape[0]):
        target[i] = source[i]


def _best(work: Any, *arguments: Any) -> float:
    """Seconds of the fastest of five calls after one that compiles."""
    work(*arguments)
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        work(*arguments)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
