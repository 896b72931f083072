"""What the benchmarks share: a line of output and the cost of a first start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time


def line(what: str, figure: str) -> None:
    """One figure, as it is known."""
    print(f"  {what:<58} {figure}", flush=True)


def starts(what: str, code: str) -> None:
    """The same work in two new processes: one that has to compile, one that finds the compiled code."""
    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "NUMBA_CACHE_DIR": directory}
        times = []
        for _ in range(2):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - started)
    line(f"first run: start, compile, {what}", f"{times[0]:.1f} s")
    line("second run: the same, compiled", f"{times[1]:.2f} s")
