"""This machine's memory: how much is free, and one rule for what is refused."""

from __future__ import annotations

import psutil

from runout.errors import MemoryRefused

ROOM = 0.95  # share of the free memory that one job may take


def available() -> int:
    """Bytes that could be allocated now without swapping, on any system."""
    return int(psutil.virtual_memory().available)


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
