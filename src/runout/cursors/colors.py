"""Colours of actions, the same in the terminal, in the browser and in notebooks.

Fold is blue, check and call green, bets go from amber over red to violet by size, all-in is the darkest red.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from runout.cursors.view import ActionView

Color: TypeAlias = tuple[int, int, int]

FIXED: dict[str, Color] = {
    "fold": (59, 130, 246),
    "check": (34, 197, 94),
    "call": (34, 197, 94),
    "all-in": (153, 27, 27),
}
_BETS: tuple[tuple[float, Color], ...] = (  # place on a scale of sizes, colour
    (0.0, (245, 158, 11)),
    (0.35, (249, 115, 22)),
    (0.65, (239, 68, 68)),
    (0.85, (192, 38, 211)),
    (1.0, (124, 58, 237)),
)
_GAP = 0.25  # between the places of two sizes at one node


def colors_by_size(actions: Sequence[ActionView]) -> list[Color]:
    """One colour for each action of a node; sizes that are close together are told apart."""
    sizes = [action.size for action in actions if action.kind not in FIXED]
    places = [_place(size) for size in sizes]
    gap, last = min(_GAP, 0.9 / max(1, len(sizes) - 1)), len(sizes) - 1
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + gap)
    if last > 0:
        places[last] = min(places[last], max(_place(sizes[last]), min(1.0, 0.65 + 0.05 * len(places))))
    for i in range(last - 1, -1, -1):
        places[i] = min(places[i], places[i + 1] - gap)
    left = iter(places)
    return [FIXED.get(action.kind) or _between(next(left)) for action in actions]


def _place(size: float) -> float:
    """Where a bet of this share of the pot is on the scale, 0 to 1."""
    return 1 - 1 / (1 + 1.6 * max(0.0, size - 0.25))


def _between(place: float) -> Color:
    at = min(1.0, max(0.0, place))
    for (start, first), (end, second) in pairwise(_BETS):
        if at <= end:
            return blend(first, second, (at - start) / (end - start))
    return _BETS[-1][1]


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
