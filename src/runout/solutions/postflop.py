"""Solved postflop spots on disk: the spot as config.yaml, and the state to go on from or, without rivers, what is read.

With rivers: `regrets.npy`, `averages.npy` and `iteration.npy`, the solver's own arrays, and `first_values_oop.npy` and
`first_values_ip.npy`, what the actions of the first street lead to. Without them: `strategy_0.npy`,
`values_oop_0.npy`, `values_ip_0.npy` and so on, a number for each street but the last (`solvers.range_lines`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.errors import InputError, SolutionError
from runout.games.spot import Spot
from runout.solutions.format import Bundle, read_bundle, write_bundle

KIND = "postflop"


@dataclass(frozen=True, slots=True)
class PostflopRecord:
    """One saved solve."""

    spot: Spot
    algorithm: str  # with its parameters, "dcfr(1.5,0,2)"
    isomorphism: bool  # whether boards that differ by suits only were solved once
    rivers: bool  # whether the last street is there
    iterations: int
    exploitability: float  # % of the pot
    seconds: float  # solving alone, all runs together
    curve: list[tuple[int, float]]  # (iteration, exploitability)
    arrays: dict[str, np.ndarray]


def write_postflop(path: str | Path, record: PostflopRecord) -> None:
    """Save `record` as a solution directory."""
    reached = {
        "iterations": record.iterations,
        "exploitability": record.exploitability,
        "unit": "% of the pot",
        "seconds": record.seconds,
        "algorithm": record.algorithm,
        "isomorphism": record.isomorphism,
        "rivers": record.rivers,
    }
    curve = np.array(record.curve, np.float64).reshape(-1, 2)
    config = record.spot.model_dump(mode="json", by_alias=True, exclude_none=True)
    write_bundle(path, Bundle(KIND, config, reached, {**record.arrays, "curve": curve}))


def read_postflop(path: str | Path) -> PostflopRecord:
    """The solve saved in `path`; large arrays stay on disk until they are read."""
    bundle = read_bundle(path, KIND, mapped=True)
    reached, arrays = bundle.reached, dict(bundle.arrays)
    try:
        return PostflopRecord(
            spot=Spot(**bundle.config),
            algorithm=str(reached["algorithm"]),
            isomorphism=bool(reached["isomorphism"]),
            rivers=bool(reached["rivers"]),
            iterations=int(reached["iterations"]),
            exploitability=float(reached["exploitability"]),
            seconds=float(reached["seconds"]),
            curve=[(int(t), float(x)) for t, x in arrays.pop("curve")],
            arrays=arrays,
        )
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise SolutionError(f"{path} is not a complete postflop solution: {error}") from None
