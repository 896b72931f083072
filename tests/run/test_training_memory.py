"""Memory that a training run says it will take, beside what its parts really hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runout.errors import MemoryRefused
from runout.games.flop_holdem import FlopHoldem
from runout.run.solver_factories import FACTORIES
from runout.run.train import train
from runout.run.train_config import TrainConfig
from runout.run.training_memory import TrainingMemory, training_memory
from runout.solvers.neural.flop_shard import FlopProblem
from runout.solvers.neural.holdem_shard import HoldemProblem, HoldemShard
from runout.solvers.neural.reservoir import Reservoir

SHORT = {"stack_depth": 6, "bet_sizes": [1.0], "max_raises_per_street": 1}
FLOP = {"num_streets": 2, "ranks": 4, "suits": 3}


def config(game_type: str, game: dict[str, Any], solver: str = "sd-cfr", **sections: dict[str, Any]) -> TrainConfig:
    training = {"solver": solver, "iterations": 7, "traversals_per_iter": 20} | sections.pop("training", {})
    small = {"network": {"hidden_dim": 8, "card_dim": 4, "depth": 1}, "sgd": {"steps": 2, "batch_size": 64}}
    if game_type == "hunl_postflop":  # walks of dealt hands
        sections["memory"] = {"kind": "reservoir", **sections.get("memory", {})}
    return TrainConfig(**{"game_type": game_type, "game": game, "training": training, **small, **sections})


def part(found: TrainingMemory, name: str) -> int:
    return next(size for own, size, _ in found.parts if own == name)


def filled(reservoir: Reservoir) -> int:
    """Bytes of a reservoir that is full."""
    rows = {name: np.zeros((reservoir.capacity, *held.shape[1:]), held.dtype) for name, held in reservoir._held.items()}
    reservoir.add(**rows)
    return reservoir.nbytes


@pytest.mark.parametrize("solver", ["sd-cfr", "deep-cfr"])
def test_reservoirs_of_holdem_take_what_was_said(solver: str) -> None:
    asked = config(
        "hunl_postflop", SHORT, solver, memory={"kind": "reservoir", "advantage_cap": 3000, "strategy_cap": 1000}
    )
    assert asked.settings is not None
    problem = HoldemProblem(
        asked.settings, asked.network, asked.sgd, asked.memory, 20, 0, averages=solver == "deep-cfr"
    )
    shards = [HoldemShard(problem, number) for number in range(asked.memory.shards)]
    held = sum(filled(one) for shard in shards for own in shard._reservoirs().values() for one in own)
    assert part(training_memory(asked), "reservoirs") == held


def test_reservoirs_of_small_games_take_what_was_said() -> None:
    asked = config("leduc", {}, memory={"kind": "reservoir", "advantage_cap": 2500})
    trainee: Any = FACTORIES["sd-cfr"](asked, None, None)
    held = sum(filled(one) for memory in trainee.solver.memories for one in (memory.fitted, memory.unseen))
    assert part(training_memory(asked), "reservoirs") == held


def test_a_table_of_a_small_game_is_not_worth_a_word() -> None:
    assert [name for name, _, _ in training_memory(config("kuhn", {})).parts] == ["model buffer"]


def test_tables_of_flop_holdem_take_what_was_said() -> None:
    asked = config("limit_holdem", FLOP)
    settings: Any = asked.settings
    problem = FlopProblem(FlopHoldem.of_limit(settings), asked.network, asked.sgd, asked.memory, 0)
    shards = [problem.shard(number) for number in range(asked.memory.shards)]
    groups = [group for shard in shards for group in shard.groups]
    found = training_memory(asked)
    tables = sum(table.nbytes for shard in shards for table in shard.tables)
    before = sum(4 * int(group.solver.boards[1].store[0, 0]) for group in groups[1:])  # each has its own empty board
    assert part(found, "tables of regrets") == pytest.approx(tables - before, rel=0.02)
    assert part(found, "range engine") == pytest.approx(sum(group.solver.memory() for group in groups), rel=0.5)
    features = sum(array.nbytes for group in groups for array in (*group.shown, *group.starts))
    assert features <= part(found, "features") < 10 * features


@pytest.mark.parametrize(("game_type", "game"), [("leduc", {}), ("hunl_postflop", SHORT)])
def test_the_model_buffer_takes_what_was_said(game_type: str, game: dict[str, Any]) -> None:
    network = {"hidden_dim": 8, "card_dim": 4, "depth": 2, "keep_every": 3}
    asked = config(game_type, game, network=network, training={"workers": 1})
    trainee: Any = FACTORIES["sd-cfr"](asked, None, None)
    trainee.step(7)
    buffer = trainee.solver.networks if game_type == "leduc" else trainee.buffer
    assert part(training_memory(asked), "model buffer") == sum(one.nbytes for own in buffer for one in own)


def test_a_run_that_time_ends_says_that_its_buffer_grows() -> None:
    found = training_memory(config("kuhn", {}, training={"seconds": 5.0}))
    assert (found.parts, str(found)) == ((), "a model buffer that grows until the time is up")


def test_what_does_not_fit_is_refused_with_what_to_lower() -> None:
    asked = config("hunl_postflop", SHORT, memory={"advantage_cap": 10**12})
    with pytest.raises(MemoryRefused, match=r"copies while saving take .* GB; lower memory.advantage_cap"):
        train(asked)
    found = training_memory(asked)
    found.require(available=2 * found.bytes)
    with pytest.raises(MemoryRefused, match="are free"):
        found.require(available=found.bytes)


def test_tables_that_grow_say_so() -> None:
    assert "asks before it does" in str(training_memory(config("hunl_postflop", SHORT, "mccfr")))
    assert str(training_memory(config("kuhn", {}, "sequence"))) == ""
