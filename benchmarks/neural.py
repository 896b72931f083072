"""Networks: nodes a second walking and rows a second fitting, Leduc beside OpenSpiel's deep_cfr, and three seeds.

Settings are those of `configs/train`, but for what stands here. Seconds are of wall clock, walking and fitting alone,
after an iteration that compiles; exploitability is exact, the mean over both players, in thousandths of an ante a game.
OpenSpiel's code and ours run in one process with one torch thread.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspiel
import torch
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

from benchmarks.report import line
from runout.config import read_yaml
from runout.protocols import Trainee
from runout.run.solver_factories import FACTORIES
from runout.run.train_config import TrainConfig

CONFIGS = Path(__file__).parent.parent / "configs" / "train"
ITERATIONS = 5  # that a rate is taken over
SEEDS = (0, 1, 2)
Changes = Mapping[str, Mapping[str, Any]]

# Samples of walks as they come, none added up, in minibatches.
RAW: Changes = {
    "training": {"traversals_per_iter": 1000},
    "network": {"hidden_dim": 64, "depth": 3, "keep_every": 1},
    "sgd": {"steps": 100, "batch_size": 8192, "learning_rate": 2e-3, "final_learning_rate": 5e-5},
    "memory": {"kind": "reservoir", "advantage_cap": 4_000_000, "discount": "linear"},
}
NODES = (1e6, 3e6, 1e7)  # after which it is measured
RATES: dict[str, tuple[str, Changes]] = {
    "leduc, table": ("leduc", {}),
    "leduc, reservoir": ("leduc", RAW),
    "flop hold'em, public chance sampling": ("flop-holdem", {}),
    "no-limit 25 bb": ("nolimit-25bb", {}),
}
# OpenSpiel's own example, deep_cfr_pytorch.py.
THEIRS: dict[str, Any] = {
    "policy_network_layers": (64,),
    "advantage_network_layers": (64,),
    "num_traversals": 375,
    "learning_rate": 1e-3,
    "batch_size_advantage": 256,
    "batch_size_strategy": 256,
    "memory_capacity": 100_000,
    "policy_network_train_steps": 2500,
    "advantage_network_train_steps": 375,
}


def run(full: bool) -> None:
    """Print every figure; `full` trains three minutes in place of one (20 s beside OpenSpiel), and on raw samples."""
    for what, (name, changes) in RATES.items():
        rates(what, name, changes, ITERATIONS)
    beside_openspiel(180.0 if full else 20.0)
    for name in ("kuhn", "leduc"):
        seeds(name, (60.0, 180.0) if full else (60.0,))
    if full:
        raw(NODES)


@contextmanager
def trainee(name: str, changes: Changes, seed: int = 0) -> Iterator[Trainee]:
    """The trainee of an example config, changed, after an iteration that compiles and before its own first one."""
    data = read_yaml(CONFIGS / f"{name}.yaml")
    for section, values in changes.items():
        data[section] = {**(data.get(section) or {}), **values}
    data["training"] = {**data["training"], "seed": seed}
    config = TrainConfig(**data)
    make = FACTORIES[config.training.solver]
    made = make(config, None)
    try:
        if config.settings is None:  # compiled code is shared: only worker processes have to warm up themselves
            made.step(1)
            made = make(config, None)
        yield made
    finally:
        close = getattr(made, "close", None)
        if close is not None:
            close()


def rates(what: str, name: str, changes: Changes, iterations: int) -> None:
    """Nodes a second of walking and rows a second of fitting, of all processes together."""
    with trainee(name, changes) as made:
        made.step(1)
        first = made.metrics()["nodes"]
        walking = fitting = rows = 0.0
        for _ in range(iterations):
            made.step(1)
            found = made.metrics()
            walking += found["walking_seconds"]
            fitting += found["fitting_seconds"]
            rows += found["rows_per_second"] * found["fitting_seconds"]
        nodes = made.metrics()["nodes"] - first
    line(f"{what}: walking", f"{nodes / walking:>12,.0f} nodes/s, {walking / iterations:.3g} s an iteration")
    line(f"{what}: fitting", f"{rows / fitting:>12,.0f} rows/s, {fitting / walking:.2g} times the walking")


def beside_openspiel(seconds: float) -> None:
    """Leduc for as long as OpenSpiel takes for whole iterations in `seconds` and for its strategy network."""
    spent, theirs, iterations = _openspiel(seconds)
    line(f"leduc: OpenSpiel's deep_cfr (torch), {spent:.0f} s", f"{theirs:>8.0f} mA/g, {iterations} iterations")
    with trainee("leduc", {}) as made:
        _train(made, spent)
        ours = _measured(made)
        done = made.iteration
    line(
        f"leduc: sd-cfr, {spent:.0f} s",
        f"{ours:>8.1f} mA/g, {done} iterations; OpenSpiel's is {theirs / ours:.3g} times it",
    )


def _openspiel(seconds: float) -> tuple[float, float, int]:
    """Seconds in all, mA/g, iterations: `DeepCFRSolver.solve` with a limit of time in place of one of iterations."""
    torch.set_num_threads(1)
    game = pyspiel.load_game("leduc_poker")
    solver = DeepCFRSolver(game, num_iterations=1, seed=0, **THEIRS)
    begun, iterations = time.perf_counter(), 0
    while not iterations or time.perf_counter() - begun < seconds:
        for player in range(2):
            for _ in range(THEIRS["num_traversals"]):
                solver._traverse_game_tree(solver._root_node, player)
            solver._reinitialize_advantage_network(player)
            solver._learn_advantage_network(player)
        solver._iteration += 1
        iterations += 1
    solver._learn_strategy_network()
    spent = time.perf_counter() - begun
    played = policy.tabular_policy_from_callable(game, solver.action_probabilities)
    return spent, 1000 * exploitability.exploitability(game, played), iterations


def seeds(name: str, marks: tuple[float, ...]) -> None:
    """Median and spread over seeds, after so many seconds each."""
    found: dict[float, list[float]] = {mark: [] for mark in marks}
    for seed in SEEDS:
        with trainee(name, {}, seed) as made:
            spent = 0.0
            for mark in marks:
                spent += _train(made, mark - spent)
                found[mark].append(_measured(made))
    for mark, values in found.items():
        spread = f"{min(values):.3g} to {max(values):.3g}"
        line(f"{name}: sd-cfr, {mark:.0f} s, {len(SEEDS)} seeds", f"{statistics.median(values):>8.3g} mA/g ({spread})")


def raw(marks: tuple[float, ...]) -> None:
    """Leduc from a reservoir of raw samples, by nodes visited."""
    with trainee("leduc", RAW) as made:
        spent = nodes = 0.0
        for mark in marks:
            while nodes < mark:
                begun = time.perf_counter()
                made.step(1)
                spent += time.perf_counter() - begun
                nodes = made.metrics()["nodes"]
            found = f"{_measured(made):>8.3g} mA/g, {spent:.0f} s, {made.iteration} iterations"
            line(f"leduc: raw reservoir, {nodes / 1e6:.3g} million nodes", found)


def _train(made: Trainee, seconds: float) -> float:
    """Whole iterations until `seconds` have gone; how many did."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        made.step(1)
    return time.perf_counter() - begun


def _measured(made: Trainee) -> float:
    found = made.measure()
    assert found is not None
    return found
