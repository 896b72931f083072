"""Amounts as sites write them: '$1,250.50', '7.60', '12'."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runout.hands.record import MOST_CHIPS, HandError

NUMBER = r"(?:\d[\d,]*)(?:\.\d+)?"
_PLAIN = re.compile(r"(\d+)(?:\.(\d*))?")
MOST_DECIMALS = 8


def decimals_of(texts: Iterable[str]) -> int:
    """How many decimals chips need: none, two as for cents, or as many as the finest amount has."""
    most = max((len(text.rpartition(".")[2].rstrip("0")) if "." in text else -1 for text in texts), default=-1)
    return 0 if most < 0 else max(2, most)


def chips_of(text: str, decimals: int) -> int:
    """The whole chips of an amount."""
    match = _PLAIN.fullmatch(text.replace(",", ""))
    if match is None:
        raise HandError(f"{text!r} is no amount: use a number such as 12 or 7.50")
    part = (match[2] or "").rstrip("0")
    if len(part) > decimals:
        raise HandError(f"{text!r} is too fine: the hand has {decimals} decimals")
    if len(match[1]) > 15 or decimals > MOST_DECIMALS:
        raise HandError(f"{text[:30]!r} is too large or too fine: use at most 15 digits and {MOST_DECIMALS} decimals")
    chips = int(match[1] + part.ljust(decimals, "0"))
    if chips >= MOST_CHIPS:
        raise HandError(f"{text!r} is too large")
    return chips
