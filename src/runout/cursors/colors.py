"""Colours of actions and of figures, the same in the terminal, in the browser and in notebooks.

Fold is blue, check and call green, bets go from amber over red to violet by size, all-in is the darkest red.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Color: TypeAlias = tuple[int, int, int]

FIXED: dict[str, Color] = {
    "fold": (59, 130, 246),
    "check": (34, 197, 94),
    "call": (34, 197, 94),
    "all-in": (127, 29, 29),
}
_BETS: tuple[Color, ...] = (  # from the smallest to the largest of a node
    (251, 191, 36),
    (249, 115, 22),
    (239, 68, 68),
    (192, 38, 211),
    (109, 40, 217),
)
_SCALE: tuple[Color, ...] = ((220, 68, 68), (240, 180, 60), (46, 178, 98))  # low, middle, high


def action_colors(kinds: Sequence[str]) -> list[Color]:
    """One colour for each action of a node by its kind ("fold", "bet", ...); bets rise in their order, as far apart as
    there is room, so that two sizes can be told apart."""
    count = sum(kind not in FIXED for kind in kinds)
    places = iter([0.25] if count == 1 else [0.0, 0.5] if count == 2 else [i / (count - 1) for i in range(count)])
    return [FIXED.get(kind) or _between(_BETS, next(places)) for kind in kinds]


def scale_color(share: float) -> Color:
    """Red (0) over amber to green (1): the same heat map in terminals and browsers."""
    return _between(_SCALE, share)


def _between(stops: Sequence[Color], place: float) -> Color:
    at = min(1.0, max(0.0, place)) * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    return blend(stops[low], stops[low + 1], at - low)


def blend(first: Color, second: Color, share: float) -> Color:
    """A colour between two: the first at 0, the second at 1."""
    a, b, c = (round(x + (y - x) * share) for x, y in zip(first, second, strict=True))
    return a, b, c


def ink(background: Color) -> Color:
    """Black or white, whichever reads better."""
    red, green, blue = background
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else (255, 255, 255)


def hex_color(color: Color) -> str:
    """'#3b82f6'."""
    return "#{:02x}{:02x}{:02x}".format(*color)
