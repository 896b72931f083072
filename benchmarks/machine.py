"""The machine that a benchmark ran on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from runout.kernels.threads import thread_count


def print_header() -> None:
    """One line: processor, cores, load before the first benchmark, versions."""
    import llvmlite
    import numba
    import numpy

    load = f"load {os.getloadavg()[0]:.1f}, " if hasattr(os, "getloadavg") else ""
    print(
        f"{_processor()}, {thread_count()} cores, {load}{platform.system()}, Python {platform.python_version()}, "
        f"numpy {numpy.__version__}, numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
