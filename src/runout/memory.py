"""This machine's memory: how much is free, and one rule for what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from runout.errors import MemoryRefused

try:
    import resource
except ImportError:  # Windows: no limits of a process
    resource = None  # type: ignore[assignment]

ROOM = 0.95  # share of the free memory that one job may take
_GROUPS, _OWN = Path("/sys/fs/cgroup"), Path("/proc/self")


def available() -> int:
    """Bytes that could be allocated now without swapping, within the limits of this process and its container."""
    return max(0, min([int(psutil.virtual_memory().available), *_of_groups(_GROUPS, _OWN), *_of_process()]))


def _of_groups(groups: Path, own: Path) -> Iterator[int]:
    """What each control group that this process is in has left: containers, systemd units, batch systems."""
    with suppress(OSError, ValueError):
        for line in (own / "cgroup").read_text(encoding="ascii", errors="replace").splitlines():
            _, kinds, name = line.split(":", 2)
            top, most, used = groups, "memory.max", "memory.current"
            if kinds:  # the older kind of groups, one tree a resource
                if "memory" not in kinds.split(","):
                    continue
                top, most, used = groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            folder = top / name.strip("/")
            for one in (folder, *folder.parents):
                with suppress(OSError, ValueError):  # "max", or a group that is not shown in a container
                    limit, taken = int((one / most).read_text()), int((one / used).read_text())
                    yield limit - taken + _given_back(one)
                if one == top:
                    break


def _given_back(group: Path) -> int:
    """Bytes of files that the system keeps in memory and drops where they are needed."""
    with suppress(OSError, ValueError, KeyError):
        fields = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return int(fields["inactive_file"])
    return 0


def _of_process() -> Iterator[int]:
    """What `ulimit -v` and `ulimit -d` leave."""
    if resource is None:
        return
    with suppress(OSError, ValueError, IndexError):
        sizes = [int(field) * resource.getpagesize() for field in (_OWN / "statm").read_text().split()]
        for name, taken in (("RLIMIT_AS", sizes[0]), ("RLIMIT_DATA", sizes[5])):
            limit = resource.getrlimit(getattr(resource, name))[0]
            if limit != resource.RLIM_INFINITY:
                yield limit - taken


def fits(needed: float, free: int | None = None) -> bool:
    """True if `needed` bytes may be taken; `free` bytes are there, by default what this machine has now."""
    return needed <= ROOM * (available() if free is None else free)


def require(needed: float, what: str, advice: str = "", free: int | None = None) -> None:
    """Refuse what does not fit: '`what` 12 GB and 8 GB are free: `advice`', where `what` is as in 'this game needs'."""
    free = available() if free is None else free
    if not fits(needed, free):
        raise MemoryRefused(f"{what} {size(needed)} and {size(free)} are free{advice and ': '}{advice}")


def size(count: float) -> str:
    """'1.2 GB', '340 MB'."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:.3g} MB"
