"""The number of a two-card hand, for kernels and for arrays."""

from __future__ import annotations

from runout.kernels.compiling import shared


@shared
def combo_number(high, low):
    """0 to 1325: the combo of two cards, the higher id first; integers or arrays of at least 16 bits, not uint8."""
    return high * (high - 1) // 2 + low
