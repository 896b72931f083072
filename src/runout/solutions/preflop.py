"""Solved games before the flop on disk: the game as config.yaml, the average strategy and the state to go on from.

Other programs read `policy.npy` (float64 [slots, 169], classes in the order of `runout.cards.hands`), `lines.npy` (the
action string of each decision) and `first_slot.npy` (decision n has the slots first_slot[n] : first_slot[n + 1]).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from runout.errors import InputError, SolutionError
from runout.games.preflop import Preflop
from runout.solutions.format import Bundle, read_bundle, write_bundle

KIND = "preflop"
STATE = "state_"  # prefix of the solver's arrays


@dataclass(frozen=True, slots=True)
class PreflopRecord:
    """One saved solve."""

    game: Preflop
    leaf: str  # name of the leaf model
    algorithm: str  # with its parameters
    iterations: int
    exploitability: float  # mbb/hand
    value: float  # bb/hand to the small blind
    seconds: float  # solving alone, all runs together
    curve: list[tuple[int, float]]  # (iteration, exploitability)
    policy: np.ndarray  # float64 [slots, 169]
    state: dict[str, np.ndarray]
    tables: dict[str, np.ndarray] = field(default_factory=dict)  # line -> shares of a leaf model that is not built in


def write_preflop(path: str | Path, record: PreflopRecord) -> None:
    """Save `record` as a solution directory."""
    reached = {
        "iterations": record.iterations,
        "exploitability": record.exploitability,
        "unit": "mbb/hand",
        "value_sb_bb": record.value,
        "seconds": record.seconds,
        "algorithm": record.algorithm,
        "leaf": record.leaf,
    }
    arrays = {
        "policy": record.policy,
        "lines": np.array(record.game.tree.lines(0)),
        "first_slot": record.game.tree.streets[0].first_slot,
        "curve": np.array(record.curve, np.float64).reshape(-1, 2),
        **{STATE + name: array for name, array in record.state.items()},
        **_packed(record.tables),
    }
    config = record.game.model_dump(mode="json", by_alias=True, exclude_none=True)
    write_bundle(path, Bundle(KIND, config, reached, arrays))


def read_preflop(path: str | Path) -> PreflopRecord:
    """The solve saved in `path`."""
    bundle = read_bundle(path, KIND)
    reached, arrays = bundle.reached, bundle.arrays
    try:
        record = PreflopRecord(
            game=Preflop(**bundle.config),
            leaf=str(reached["leaf"]),
            algorithm=str(reached["algorithm"]),
            iterations=int(reached["iterations"]),
            exploitability=float(reached["exploitability"]),
            value=float(reached["value_sb_bb"]),
            seconds=float(reached["seconds"]),
            curve=[(int(t), float(x)) for t, x in arrays["curve"]],
            policy=arrays["policy"],
            state={name.removeprefix(STATE): a for name, a in arrays.items() if name.startswith(STATE)},
            tables=_unpacked(arrays),
        )
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise SolutionError(f"{path} is not a complete preflop solution: {error}") from None
    slots = record.game.tree.streets[0].slots
    if record.policy.shape != (slots, 169):
        raise SolutionError(f"{path} does not fit its game: policy has shape {record.policy.shape}, not ({slots}, 169)")
    return record


def _packed(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Tables as arrays, equal ones once: lines, which table each has, and the tables."""
    if not tables:
        return {}
    once = list({id(table): table for table in tables.values()}.values())
    places = {id(table): place for place, table in enumerate(once)}
    return {
        "leaf_lines": np.array(list(tables)),
        "leaf_table": np.array([places[id(table)] for table in tables.values()], np.int64),
        "leaf_shares": np.stack(once),
    }


def _unpacked(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    if "leaf_lines" not in arrays:
        return {}
    once = list(arrays["leaf_shares"])  # the same object for equal tables: they are one matrix product
    return {str(line): once[place] for line, place in zip(arrays["leaf_lines"], arrays["leaf_table"], strict=True)}
