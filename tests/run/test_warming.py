"""`runout warm`: after it, nothing that it names is compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runout.run.warming import PARTS

COUNT = """
import sys
from numba.core import event
import pytest

from runout.run.warming import PARTS
compiled = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): compiled.append(event)
event.register("numba:compile", Listener())
PARTS[sys.argv[1]]()
print(len(compiled))
"""


def call(cache: Path, *words: str) -> str:
    """What a Python with an empty cache of compiled code writes."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=environment, timeout=1800)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_everything_is_compiled_ahead_and_not_again(tmp_path: Path) -> None:
    assert int(call(tmp_path, "-c", COUNT, "small games")) > 0
    said = call(tmp_path, "-m", "runout", "warm", "--workers", "2")
    assert {line.split("  ")[1] for line in said.splitlines()} == set(PARTS)
    for part in PARTS:
        assert int(call(tmp_path, "-c", COUNT, part)) == 0, part
