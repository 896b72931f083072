"""What is refused for want of memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from runout import memory
from runout.errors import MemoryRefused


def test_some_memory_is_free() -> None:
    assert 10**6 < memory.available() < 10**15


def test_a_job_may_take_nearly_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 2 * 10**9)
    assert memory.fits(1.9e9)
    assert not memory.fits(1.91e9)
    memory.require(1.9e9, "this game needs")
    with pytest.raises(MemoryRefused, match=r"^this game needs 3\.0 GB and 2\.0 GB are free: give fewer flops$"):
        memory.require(3 * 10**9, "this game needs", "give fewer flops")
    with pytest.raises(MemoryRefused, match=r"^a\.runout needs 340 MB and 200 MB are free$"):
        memory.require(340 * 10**6, "a.runout needs", free=200 * 10**6)


def test_limits_of_groups_count(tmp_path: Path) -> None:
    """A container of 500 MB that has used 200, of which 50 can be given back, in a slice without a limit of its own."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "cgroup").write_text("0::/slice/box\n")
    box = tmp_path / "groups" / "slice" / "box"
    box.mkdir(parents=True)
    for name, text in {"memory.max": "500", "memory.current": "200", "memory.stat": "anon 1\ninactive_file 50"}.items():
        (box / name).write_text(text)
    (box.parent / "memory.max").write_text("max")
    assert list(memory._of_groups(tmp_path / "groups", tmp_path / "own")) == [350]
    (tmp_path / "own" / "cgroup").write_text("5:cpu:/box\n4:memory:/box\n")
    old = tmp_path / "groups" / "memory" / "box"
    old.mkdir(parents=True)
    (old / "memory.limit_in_bytes").write_text("900")
    (old / "memory.usage_in_bytes").write_text("100")
    assert list(memory._of_groups(tmp_path / "groups", tmp_path / "own")) == [800]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc here")
def test_a_limit_of_the_process_counts() -> None:
    limit = 4_000_000_000
    code = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from runout import memory
print(memory.available())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < limit
