"""Compiled code that cannot be kept is compiled all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from runout.kernels.compiling import inner, kernel

@inner
def twice(x):
    return 2 * x

@kernel
def doubled(x):
    return twice(x) + 1

print(doubled(20))
"""


def test_a_full_disk_keeps_no_code_and_ends_nothing(tmp_path: Path) -> None:
    """A real one: a file system of 64 KB, all of which is taken."""
    disk, program = tmp_path / "disk", tmp_path / "program.py"
    disk.mkdir()
    program.write_text(PROGRAM, encoding="utf-8")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        with pytest.raises(OSError, match="No space left"):
            (disk / "all").write_bytes(bytes(1 << 20))
        environment = os.environ | {"NUMBA_CACHE_DIR": str(disk)}
        done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert (done.stdout, done.returncode) == ("41\n", 0), done.stderr
