"""Solved games of two streets on disk (Flop Hold'em, the no-limit flop game): the game as config.yaml and the solver's
own arrays, enough to go on from. The kind of a file is that of its game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.errors import InputError, SolutionError
from runout.games.flop_game import KINDS, TwoStreets
from runout.solutions.format import Bundle, read_bundle, write_bundle


@dataclass(frozen=True, slots=True)
class FlopRecord:
    """One saved solve."""

    game: TwoStreets
    algorithm: str  # with its parameters, "dcfr(1.5,0,2)"
    iterations: int
    exploitability: float  # chips, mean over both players
    seconds: float  # solving alone, all runs together
    curve: list[tuple[int, float]]  # (iteration, exploitability in chips)
    arrays: dict[str, np.ndarray]  # of the solver


def write_flop_holdem(path: str | Path, record: FlopRecord) -> None:
    """Save `record` as a solution directory."""
    write_bundle(path, flop_bundle(record))


def flop_bundle(record: FlopRecord) -> Bundle:
    """What a solution directory holds of `record`."""
    reached = {
        "iterations": record.iterations,
        "exploitability": record.exploitability,
        "nash_conv": 2 * record.exploitability,
        "unit": "chips",
        "seconds": record.seconds,
        "algorithm": record.algorithm,
    }
    curve = np.array(record.curve, np.float64).reshape(-1, 2)
    config = record.game.model_dump(mode="json", by_alias=True)
    return Bundle(record.game.kind, config, reached, {**record.arrays, "curve": curve})


def read_flop_holdem(path: str | Path) -> FlopRecord:
    """The solve saved in `path`; large arrays stay on disk until they are read."""
    bundle = read_bundle(path, mapped=True)
    if bundle.kind not in KINDS:
        raise SolutionError(f"{path} is a {bundle.kind} solution; one of {' or '.join(KINDS)} is needed here")
    reached, arrays = bundle.reached, dict(bundle.arrays)
    try:
        return FlopRecord(
            game=KINDS[bundle.kind](**bundle.config),
            algorithm=str(reached["algorithm"]),
            iterations=int(reached["iterations"]),
            exploitability=float(reached["exploitability"]),
            seconds=float(reached["seconds"]),
            curve=[(int(t), float(x)) for t, x in arrays.pop("curve")],
            arrays=arrays,
        )
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise SolutionError(f"{path} is not a complete {bundle.kind} solution: {error}") from None
