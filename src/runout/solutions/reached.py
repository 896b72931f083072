"""What a run reached: one record in every solution, its file, lists of solutions and the outcome of the loop."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np

from runout.solutions.format import Bundle
from runout.solutions.stored import fitting

OF_POT, MBB, MILLIANTES, CHIPS = "% of the pot", "mbb/hand", "mA/g", "chips"
CURVE = "curve"  # the array of a file that holds the curve, float64 [points, 2]


@dataclass(frozen=True, slots=True)
class Unit:
    """What people read exploitability in, and how much of it one chip is."""

    name: str
    per_chip: float


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a run is. Figures are in `unit`: "% of the pot", "mbb/hand" or "mA/g"."""

    iterations: int = 0
    seconds: float = 0.0  # solving alone, all runs together
    exploitability: float | None = None  # mean over both players; None where it was not measured
    unit: str = ""
    curve: list[tuple[int, float]] = field(default_factory=list)  # (iteration, exploitability)
    algorithm: str = ""  # with its parameters, "dcfr(1.5,0,2)"

    @classmethod
    def of(cls, bundle: Bundle, chips: Unit | None = None) -> Reached:
        """What a file says. Files of 0.1.0 count some games in chips: `chips` is the unit to convert them to."""
        held, curve = bundle.reached, np.zeros((0, 2))
        if CURVE in bundle.arrays:
            curve = fitting(bundle.arrays, CURVE, (len(bundle.arrays[CURVE]), 2), np.float64)
        unit, factor = str(held.get("unit") or ""), 1.0
        if unit == CHIPS and chips is not None:
            unit, factor = chips.name, chips.per_chip
        found = held.get("exploitability")
        return Reached(
            int(held["iterations"]),
            float(held["seconds"]),
            None if found is None else float(found) * factor,
            unit,
            [(int(t), float(x) * factor) for t, x in curve],
            str(held.get("algorithm") or bundle.config.get("algorithm") or held.get("solver") or ""),
        )

    def bundle(self, kind: str, config: dict[str, Any], arrays: dict[str, np.ndarray], **more: Any) -> Bundle:
        """A file of a solution that reached this; `more` stands beside it in meta.json."""
        told = {name: value for name, value in self.values().items() if name != CURVE}
        told["nash_conv"] = None if self.exploitability is None else 2 * self.exploitability
        curve = np.array(self.curve, np.float64).reshape(-1, 2)
        return Bundle(kind, config, {**more, **told}, {**arrays, CURVE: curve})

    def values(self) -> dict[str, Any]:
        """The fields by name, for records that extend this one."""
        return {one.name: getattr(self, one.name) for one in fields(Reached)}

    def counted(self, iterations: int) -> Self:
        """The same run where it is counted in other iterations, `iterations` of them so far."""
        if self.iterations in (0, iterations):
            return replace(self, iterations=iterations)
        curve = [(t * iterations // self.iterations, x) for t, x in self.curve]
        return replace(self, iterations=iterations, curve=curve)


class Solved:
    """What every solution says of the run that made it."""

    reached: Reached

    @property
    def iterations(self) -> int:
        return self.reached.iterations

    @property
    def seconds(self) -> float:
        """Solving alone, all runs together."""
        return self.reached.seconds

    @property
    def exploitability(self) -> float | None:
        """As the run last measured it, in `unit`; None where it was not measured."""
        return self.reached.exploitability

    @property
    def unit(self) -> str:
        """What `exploitability` and `curve` are in: "% of the pot", "mbb/hand", "mA/g" or "chips"."""
        return self.reached.unit

    @property
    def algorithm(self) -> str:
        """With its parameters."""
        return self.reached.algorithm

    @property
    def curve(self) -> list[tuple[int, float]]:
        """(iteration, exploitability), in the unit of `exploitability`."""
        return self.reached.curve
