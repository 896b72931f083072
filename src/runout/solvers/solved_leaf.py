"""The leaf model `solved`: called pots are worth what they were in whole games that were solved from preflop to river.

Charts that come with Runout hold the pots of whole games at several depths: their kind (how many raises, and who made
the last one), how deep the stacks are beside the pot, and the shift of each class from its equity (`called_pots`). A
pot of any other tree takes the shifts of its kind from the two charts whose stacks are nearest, beside the pot, and
mixes them. Strategies after the flop stay as they are in the charts, so this is a model, and what it gives is named so.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from runout.cards.equity169 import equity_table
from runout.cards.hands import CLASSES
from runout.errors import InputError
from runout.games.betting import IP, OOP
from runout.solutions.format import Bundle, read_bundle
from runout.solutions.stored import fitting
from runout.solvers.preflop_leaves import Leaf

SOLVED = "solved"
_STEPS = 8  # of a doubling of the depth
FOLDER = Path(__file__).parents[1] / "charts"
_RAISE = re.compile(r"(SB|BB)(?:r[\d.]+|a)")
_CHART = re.compile(r"(\d+(?:\.\d+)?)bb")


@dataclass(frozen=True)
class SolvedPot:
    """A pot of a chart."""

    kind: tuple[int, str]
    depth: float  # chips behind beside the pot
    shifts: np.ndarray  # float64 [2, 169]: of BB and SB


class SolvedLeaf:
    """A `LeafModel`."""

    name = SOLVED

    def __init__(self, pots: Iterable[SolvedPot] | None = None) -> None:
        self._given = None if pots is None else tuple(pots)
        self._found: dict[tuple[tuple[int, str], int], np.ndarray] = {}

    @property
    def _pots(self) -> tuple[SolvedPot, ...]:
        found = chart_pots() if self._given is None else self._given
        if not found:
            raise InputError("the leaf model 'solved' needs the charts that come with Runout, and there are none here")
        return found

    def shares(self, leaf: Leaf) -> np.ndarray:
        """float64 [169, 169]: what the SB's class (row) gets of the pot against the BB's (column).

        Depths are rounded to an eighth of a doubling, so that trees of many pots need few tables.
        """
        kind, step = pot_kind(leaf.line), round(_STEPS * math.log2(leaf.stack / leaf.pot))
        if (kind, step) not in self._found:
            self._found[kind, step] = pair_shares(self.shifts(kind, step / _STEPS))
        return self._found[kind, step]

    def shifts(self, kind: tuple[int, str], depth: float) -> np.ndarray:
        """float64 [2, 169] at a depth in doublings, between those of the nearest pots of this kind, or of the kind that
        is most like it."""
        known = self._known(kind)
        alike = sorted((one for one in self._pots if one.kind == known), key=lambda one: one.depth)
        depths = [math.log2(one.depth) for one in alike]
        above = bisect_left(depths, depth)
        if above in (0, len(alike)):
            return alike[min(above, len(alike) - 1)].shifts
        part = (depth - depths[above - 1]) / (depths[above] - depths[above - 1])
        return np.asarray((1 - part) * alike[above - 1].shifts + part * alike[above].shifts)

    def _known(self, kind: tuple[int, str]) -> tuple[int, str]:
        """The kind itself, or the nearest that charts have: by number of raises, then by who made the last one."""
        kinds = {one.kind for one in self._pots}
        return min(kinds, key=lambda one: (abs(one[0] - kind[0]), one[1] != kind[1], one))


def pot_kind(line: str) -> tuple[int, str]:
    """How many raises a called pot had, and who made the last one; 'SB' limped where there was none."""
    raisers = _RAISE.findall(line)
    return len(raisers), raisers[-1] if raisers else "SB"


def pair_shares(shifts: np.ndarray) -> np.ndarray:
    """float64 [169, 169]: what the SB's class (row) gets of a pot against the BB's (column), by their shifts [2, 169]
    from equity (`called_pots.pair_shifts`)."""
    return np.asarray(equity_table() + shifts[IP][:, None] - shifts[OOP][None, :])


def shipped_charts(folder: Path = FOLDER) -> dict[float, Path]:
    """The charts that come with Runout, by stack in big blinds."""
    found = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        if match := _CHART.fullmatch(path.name):
            found[float(match[1])] = path
    return dict(sorted(found.items()))


def nearest_chart(stack: float) -> Path | None:
    """The chart whose stack is nearest, as a ratio."""
    charts = shipped_charts()
    return charts[min(charts, key=lambda one: max(one / stack, stack / one))] if charts else None


@lru_cache(maxsize=1)
def chart_pots() -> tuple[SolvedPot, ...]:
    """The called pots of all charts."""
    found: list[SolvedPot] = []
    for path in shipped_charts().values():
        found.extend(bundle_pots(read_bundle(path, "preflop")))
    return tuple(found)


def bundle_pots(chart: Bundle) -> list[SolvedPot]:
    """The called pots of a chart."""
    arrays = chart.arrays
    lines, sizes = arrays["leaf_lines"], fitting(arrays, "leaf_sizes", (len(arrays["leaf_lines"]), 2), np.float64)
    shifts = fitting(arrays, "leaf_shifts", (len(lines), 2, CLASSES), np.float32).astype(np.float64)
    return [
        SolvedPot(pot_kind(str(line)), float(stack / pot), own)
        for line, (pot, stack), own in zip(lines, sizes, shifts, strict=True)
    ]
