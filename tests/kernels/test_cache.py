"""Compiled code on disk that is damaged, or left by another version, is compiled again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """
from runout.kernels.combos import combo_number
from runout.kernels.compiling import kernel

@kernel()
def numbered(a, b):
    return combo_number(a, b)

print(numbered(51, 50))
"""


@pytest.mark.parametrize("damage", [b"", b"not a cache", b"whole"])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_code_is_compiled_again(ending: str, damage: bytes, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(KERNEL)
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> str:
        done = subprocess.run([sys.executable, script], env=where, capture_output=True, text=True, check=True)
        return done.stdout

    assert run() == "1325\n"
    kept = [path for path in tmp_path.glob(f"cache/**/*.{ending}") if "numbered" in path.name]
    assert kept
    if damage != b"whole":
        kept[0].write_bytes(damage)
    assert run() == "1325\n"


def test_code_is_compiled_again_when_a_kernel_that_it_may_call_has_changed(tmp_path: Path) -> None:
    """Numba by itself looks only at the file of the kernel that was asked for."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "inner.py").write_text("before")
    script = tmp_path / "script.py"
    look = f"from runout.kernels import kept_code\nkept_code.KERNELS = __import__('pathlib').Path({str(folder)!r})\n"
    script.write_text(look + KERNEL + "print(sum(numbered.compiled.stats.cache_hits.values()))")
    where = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def hits() -> int:
        done = subprocess.run([sys.executable, script], env=where, capture_output=True, text=True, check=True)
        return int(done.stdout.split()[-1])

    assert [hits(), hits()] == [0, 1]
    (folder / "inner.py").write_text("and after")
    assert [hits(), hits()] == [0, 1]
