"""Solutions of small games on disk: the strategy with the names it needs, and the state to go on from.

Other programs read `infosets.npy` (keys), `actions.npy` (names, separated by newlines), `first.npy` and `stride.npy`
(action a of set i is at first[i] + a * stride[i]) and `policy.npy` (probabilities).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runout.errors import SolutionError
from runout.games.compiled import CompiledGame
from runout.solutions.format import STATE, Bundle, read_bundle, write_bundle

KIND = "tabular"


@dataclass(frozen=True, slots=True)
class TabularRecord:
    """One saved run."""

    game: str
    fingerprint: str  # of the compiled game
    algorithm: str  # with its parameters, "dcfr(1.5,0,2)"
    alternating: bool
    seed: int
    iterations: int
    exploitability: float  # chips
    nash_conv: float  # chips
    value: float  # chips to player 0
    seconds: float  # solving alone, all runs together
    curve: list[tuple[int, float]]  # (iteration, exploitability in chips)
    policy: np.ndarray  # float64 [sequences]
    state: dict[str, np.ndarray]


def write_tabular(path: str | Path, record: TabularRecord, game: CompiledGame) -> None:
    """Save `record` as a solution directory."""
    write_bundle(path, tabular_bundle(record, game))


def tabular_bundle(record: TabularRecord, game: CompiledGame) -> Bundle:
    """What a solution directory holds of `record`."""
    config = {
        "game": record.game,
        "algorithm": record.algorithm,
        "updates": "alternating" if record.alternating else "simultaneous",
        "seed": record.seed,
    }
    reached = {
        "iterations": record.iterations,
        "exploitability": record.exploitability,
        "nash_conv": record.nash_conv,
        "value": record.value,
        "unit": "chips",
        "seconds": record.seconds,
        "fingerprint": record.fingerprint,
    }
    sequences = [infoset.sequences for infoset in game.infosets]
    arrays = {
        "infosets": np.array([infoset.key for infoset in game.infosets]),
        "actions": np.array(["\n".join(infoset.actions) for infoset in game.infosets]),
        "first": np.array([s[0] for s in sequences], np.int64),
        "stride": np.array([s[1] - s[0] if len(s) > 1 else 0 for s in sequences], np.int64),
        "policy": record.policy,
        "curve": np.array(record.curve, np.float64).reshape(-1, 2),
        **{STATE + name: array for name, array in record.state.items()},
    }
    return Bundle(KIND, config, reached, arrays)


def read_tabular(path: str | Path) -> TabularRecord:
    """The run saved in `path`."""
    bundle = read_bundle(path, KIND)
    try:
        return _record(bundle.config, bundle.reached, bundle.arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(f"{path} is not a complete tabular solution: {error}") from None


def require_same_game(record: TabularRecord, game: CompiledGame) -> None:
    """Refuse a game whose tree is not the one that was saved."""
    if record.fingerprint != game.fingerprint:
        raise SolutionError(f"the solution is of {record.game}, whose tree differs from that of {game.name} given here")


def _record(config: dict[str, Any], reached: dict[str, Any], arrays: dict[str, np.ndarray]) -> TabularRecord:
    return TabularRecord(
        game=str(config["game"]),
        fingerprint=str(reached["fingerprint"]),
        algorithm=str(config["algorithm"]),
        alternating=config["updates"] == "alternating",
        seed=int(config["seed"]),
        iterations=int(reached["iterations"]),
        exploitability=float(reached["exploitability"]),
        nash_conv=float(reached["nash_conv"]),
        value=float(reached["value"]),
        seconds=float(reached["seconds"]),
        curve=[(int(t), float(x)) for t, x in arrays["curve"]],
        policy=arrays["policy"],
        state={name.removeprefix(STATE): a for name, a in arrays.items() if name.startswith(STATE)},
    )
