"""Every setting of a training config acts, or is refused by name: for every solver and game."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from runout.config import setting_group
from runout.errors import InputError
from runout.run.idle_settings import require_acting
from runout.run.solver_factories import FACTORIES, training_pool
from runout.run.train import train
from runout.run.train_config import SOLVERS, TrainConfig, for_solver
from runout.solvers.neural.networks import fast_in_half

DECK = {"ranks": 5, "suits": 2, "stack_depth": 20}
GAMES: dict[str, dict[str, Any]] = {
    "kuhn": {"game_type": "kuhn"},
    "openspiel": {"game_type": "openspiel:kuhn_poker"},
    "two streets": {"game_type": "limit_holdem", "game": {**DECK, "num_streets": 2, "max_bets": [1, 1]}},
    "four streets": {"game_type": "limit_holdem", "game": {**DECK, "max_bets": [1, 0, 0, 1]}},
}
# Sections that a run without them would not have: what their settings change is seen beside this.
BESIDE = {
    "deals": {"count": 50},
    "abstraction": {"flop": 3, "turn": 3, "river": 3},
    "blueprint": {"boards": 3},
}
TINY: dict[str, Any] = {
    "training": {"iterations": 2, "traversals_per_iter": 7},
    "network": {"hidden_dim": 8, "depth": 1},
    "sgd": {"steps": 2, "batch_size": 16, "average_steps": 3},
}
# A value that is not the default and, for each run below, changes what is computed.
OTHER: dict[str, Any] = {
    "training.algorithm": "cfr",
    "training.traversals_per_iter": 9,
    "training.seed": 5,
    "training.workers": 3,
    "training.device": "cuda",
    "deals.count": 60,
    "deals.min_per_class": 2,
    "deals.seed": 3,
    "network.kind": "cards",
    "network.hidden_dim": 12,
    "network.depth": 2,
    "network.card_dim": 8,
    "network.num_actions": 9,
    "network.keep_every": 2,
    "network.precision": "float32" if fast_in_half() else "bfloat16",  # not what auto means here
    "network.polyak": 0.5,
    "sgd.steps": 3,
    "sgd.batch_size": 3,
    "sgd.learning_rate": 0.01,
    "sgd.final_learning_rate": 0.0005,
    "sgd.grad_clip_norm": 1e-6,
    "sgd.reinitialise": True,
    "sgd.average_steps": 5,
    "sgd.held_out": 0.4,
    "memory.kind": "reservoir",
    "memory.advantage_cap": 11,
    "memory.strategy_cap": 7,
    "memory.discount": "uniform",
    "memory.bootstrap": True,
    "memory.baseline": "history",
    "memory.shards": 3,
    "abstraction.preflop": 5,
    "abstraction.flop": 4,
    "abstraction.turn": 4,
    "abstraction.river": 4,
    "abstraction.flop_boards": 2,
    "abstraction.turn_boards": 2,
    "abstraction.river_boards": 2,
    "abstraction.river_by": "opponents",
    "blueprint.boards": 5,
    "blueprint.epoch": 1,
    "blueprint.measure_flops": 3,
    "blueprint.shards": 2,
    "blueprint.local": 2,
    "blueprint.answers": 1,
    "blueprint.keep_preflop": True,
}
# How long a run takes, how often it looks, and where its files are: `run.loop` does these for every solver alike.
LOOP = {
    "training.solver", "training.iterations", "training.output_dir", "training.measure_every", "training.target",
    "training.lbr_deals",
    "training.seconds", "checkpoint.interval", "checkpoint.keep",
}  # fmt: skip
# Tested where they are read: a pool's file, how long a search for rare deals may take, a run to begin from, and those
# of exact games (`test_exact.py`), which say on what, and where, a game is solved.
ELSEWHERE = {"deals.file", "deals.max_rejections", "blueprint.begin_from"}
ELSEWHERE |= {"exact.flops", "exact.storage", "exact.shards", "exact.shard_gb"}


def keys() -> list[str]:
    found = []
    for section, field in TrainConfig.model_fields.items():
        try:
            group = setting_group(TrainConfig, [section])
        except Exception:
            group = None
        if isinstance(group, type) and issubclass(group, BaseModel):
            found += [f"{section}.{name}" for name in group.model_fields]
        else:
            assert section in ("game_type", "game"), field
    return found


def test_the_sweep_knows_every_setting() -> None:
    """A new setting has to be put into OTHER (or LOOP): then the sweep tests it."""
    assert set(keys()) == set(OTHER) | LOOP | ELSEWHERE


def config_of(solver: str, game: str, key: str = "") -> TrainConfig:
    """The tiny run, with one setting changed; sections that solver or game do not have are left out."""
    data: dict[str, Any] = {name: dict(part) for name, part in TINY.items()}
    data |= {name: dict(part) if isinstance(part, Mapping) else part for name, part in GAMES[game].items()}
    data["training"]["solver"] = solver
    if solver not in ("sd-cfr", "deep-cfr"):
        data = {name: part for name, part in data.items() if name not in ("network", "sgd")}
    neural, small = solver in ("sd-cfr", "deep-cfr"), "game" not in data
    if solver not in ("mccfr", "deep-cfr", "sd-cfr") or (neural and (small or game == "two streets")):
        del data["training"]["traversals_per_iter"]
    if not (solver == "deep-cfr" and small):
        data.get("sgd", {}).pop("average_steps", None)
    section, _, name = key.partition(".")
    if section in BESIDE:
        data[section] = dict(BESIDE[section])
        if game == "two streets" and section == "abstraction":
            data[section] = {"flop": 3}
    if solver == "blueprint":
        data["training"]["iterations"] = 12  # some epochs
    if key:
        data.setdefault(section, {})[name] = OTHER[key]
    if key == "training.workers" and neural and not small:
        data["training"]["workers"] = 2  # more than its shards would be refused
    if name == "kind" and solver == "deep-cfr" and not small:
        data[section]["kind"] = {"network": "mlp", "memory": "table"}[section]  # not what auto means there
    if key == "abstraction.river_by" and "river" in data[section]:
        data[section]["river"] = 40  # clusters of opponents tell apart what is of the same strength, if there is room
    raw = ("advantage_cap", "strategy_cap", "held_out", "bootstrap", "baseline", "traversals_per_iter")
    if neural and small and name in raw:
        data.setdefault("memory", {})["kind"] = "reservoir"
    if key == "memory.discount" and neural:
        data["training"]["iterations"] = 3
    return TrainConfig(**data)


_seen: dict[str, str] = {}


def outcome(config: TrainConfig) -> str:
    """A digest of everything that a run of a few iterations comes to."""
    asked = str(config.to_dict())
    if asked not in _seen:
        _seen[asked] = _outcome(config)
    return _seen[asked]


def _outcome(config: TrainConfig) -> str:
    trainee = FACTORIES[config.training.solver](config, training_pool(config), None)
    try:
        trainee.step(config.training.iterations)
        arrays = trainee.checkpoint(resumable=True).arrays
    finally:
        getattr(trainee, "close", lambda: None)()
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(name.encode() + str(np.asarray(arrays[name]).shape).encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def check(solver: str, game: str, key: str) -> str:
    """What becomes of a setting: 'refused' or 'acts'; anything else fails."""
    section, _, name = key.partition(".")
    try:
        changed = config_of(solver, game, key)
        require_acting(changed)
        after = outcome(changed)
        if key == "training.workers":  # by design results do not depend on them
            assert after == outcome(changed.with_training(workers=1)), (
                f"{solver} on {game}: workers change what is learnt"
            )
            return "acts"
    except InputError as error:
        said = str(error)
        assert name in said or section in said, f"{key}: {said!r} does not name it"
        return "refused"
    plain = changed.to_dict()
    if name in (plain.get(section) or {}):
        default = setting_group(TrainConfig, [section]).model_fields[name].default
        plain[section] = {**plain[section], name: BESIDE.get(section, TINY.get(section, {})).get(name, default)}
        if plain[section][name] is None:
            del plain[section][name]
    if key == "deals.count":
        plain["deals"]["count"] = 50
    assert after != outcome(TrainConfig(**plain)), f"{key} is taken by {solver} on {game} and changes nothing"
    return "acts"


def sweep(solver: str, game: str) -> None:
    if (solver, game) in REFUSED:
        with pytest.raises(InputError, match=solver):
            outcome(config_of(solver, game))
        return
    found = {key: check(solver, game, key) for key in OTHER}
    assert set(found.values()) == {"refused", "acts"}


# Pairs that are refused as a whole: no setting matters there.
REFUSED = {
    ("blueprint", "kuhn"), ("blueprint", "openspiel"), ("gpu", "four streets"),
    ("sequence", "four streets"), ("exact", "kuhn"), ("exact", "openspiel"),
}  # fmt: skip
SMALL = [(solver, game) for game in ("kuhn", "openspiel") for solver in SOLVERS]
LARGE = [(solver, game) for game in ("two streets", "four streets") for solver in SOLVERS if solver != "exact"]


@pytest.mark.parametrize(("solver", "game"), SMALL, ids=lambda one: str(one))
def test_every_setting_acts_or_is_refused_in_small_games(solver: str, game: str) -> None:
    sweep(solver, game)


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "game"), LARGE, ids=lambda one: str(one))
def test_every_setting_acts_or_is_refused_in_holdem(solver: str, game: str) -> None:
    sweep(solver, game)


def test_settings_of_another_solver_go_with_it() -> None:
    """`--solver` on a file that was written for another one leaves out what only that one reads."""
    data = {"game_type": "kuhn", "training": {"solver": "sd-cfr"}, "network": {"hidden_dim": 8}, "sgd": {"steps": 3}}
    changed = TrainConfig(**for_solver(data, "mccfr"))
    assert changed.network == TrainConfig(game_type="kuhn").network
    require_acting(TrainConfig(game_type="kuhn", training={"solver": "sd-cfr"}).with_training(solver="sequence"))
    with pytest.raises(InputError, match=r"network\.hidden_dim does nothing here: mccfr has no networks"):
        require_acting(TrainConfig(**{**data, "sgd": {}, "training": {"solver": "mccfr"}}))


def test_a_target_needs_something_that_measures() -> None:
    asked = {"game_type": "limit_holdem", "game": {**DECK, "max_bets": [1, 1, 1, 1]}}
    with pytest.raises(InputError, match=r"training\.target = 5: mccfr on limit hold'em.* measures nothing on the way"):
        train({**asked, "training": {"solver": "mccfr", "target": 5, "iterations": 1}})
