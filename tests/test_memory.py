"""What is refused for want of memory."""

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
