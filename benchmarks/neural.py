"""Networks: nodes a second walking and rows a second fitting, Leduc beside OpenSpiel's deep_cfr, and comparisons.

Settings are those of `configs/train`, but for what stands here. Exploitability is exact, the mean over both players, of
what the kept networks play, in thousandths of an ante a game. OpenSpiel's code and ours run in one process with one
torch thread.

Every comparison (a config, budgets of nodes or of CPU seconds, a seed) is written to build/neural.jsonl as soon as it
is done, with the commit, the seed and the settings. What is there already for this commit is not run again, so one
that was stopped goes on. build/neural.md is the table of all of them: medians and spread over seeds;
build/neural-nodes.svg and build/neural-seconds.svg are their curves.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel
import torch
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

from benchmarks.report import line
from runout.app.plots import save_plot
from runout.config import read_yaml
from runout.protocols import Trainee
from runout.run.solver_factories import FACTORIES
from runout.run.train_config import TrainConfig

CONFIGS = Path(__file__).parent.parent / "configs" / "train"
ITERATIONS = 5  # that a rate is taken over
SEEDS = (0, 1, 2)
Changes = Mapping[str, Mapping[str, Any]]

ROOT = Path(__file__).parent.parent
FOUND, TABLE = ROOT / "build" / "neural.jsonl", ROOT / "build" / "neural.md"
NODES, SECONDS = "nodes", "CPU s"
PICTURES = {NODES: "neural-nodes.svg", SECONDS: "neural-seconds.svg"}
POINTS = (3e5, 1e6, 3e6, 1e7)  # nodes


class Comparison(NamedTuple):
    """A training that is measured at several budgets."""

    name: str
    config: str  # of configs/train
    changes: Changes
    unit: str  # of the budgets: NODES or SECONDS
    quick: tuple[float, ...]
    full: tuple[float, ...]
    published: str = ""


COMPARISONS = (
    Comparison("Kuhn, sums of the whole tree", "kuhn", {}, SECONDS, (5,), (3, 10, 30, 60)),
    Comparison("Leduc, sums of the whole tree", "leduc", {}, SECONDS, (5,), (3, 10, 30, 60, 120)),
    Comparison(
        "Leduc, raw samples, history baseline", "leduc-raw", {}, NODES, (3e5,), POINTS, "46 at 10 M (SD-CFR)"
    ),
    Comparison(
        "Leduc, raw samples, no baseline", "leduc-raw", {"memory": {"baseline": "none"}}, NODES, (), POINTS,
        "46 at 10 M (SD-CFR)",
    ),
)  # fmt: skip
RATES: dict[str, tuple[str, Changes]] = {
    "leduc, table": ("leduc", {}),
    "leduc, reservoir": ("leduc-raw", {}),
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
    """Print every figure; `full` has all budgets and three seeds, and 180 s beside OpenSpiel in place of 20."""
    for what, (name, changes) in RATES.items():
        rates(what, name, changes, ITERATIONS)
    beside_openspiel(180.0 if full else 20.0)
    compare(full)


def compare(full: bool, path: Path = FOUND, table: Path = TABLE) -> None:
    """Run what is not there yet, and write the table of everything that is."""
    path.parent.mkdir(exist_ok=True)
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    commit = _commit()
    for one in COMPARISONS:
        for seed in SEEDS if full else SEEDS[:1]:
            budgets = one.full if full else one.quick
            there = {(r["name"], r["seed"], r["budget"]) for r in rows if r["commit"] == commit}
            if all((one.name, seed, budget) in there for budget in budgets):
                continue
            for budget, found, spent, settings in _measure(one, seed, budgets):
                row = {
                    "name": one.name, "commit": commit, "seed": seed, "budget": budget, "unit": one.unit,
                    "exploitability": found, "cpu_seconds": spent, "settings": settings, "published": one.published,
                }  # fmt: skip
                rows.append(row)
                with open(path, "a") as file:
                    file.write(json.dumps(row) + "\n")
    own = [row for row in rows if row["commit"] == commit]
    table.write_text(_table(own, commit))
    for unit, name in PICTURES.items():
        curves = _curves([row for row in own if row["unit"] == unit])
        if curves:
            title = "Networks: what is kept, medians over seeds"
            save_plot(table.parent / name, curves, title, "mA/g", along=unit)
    print(table.read_text())


def _curves(rows: list[dict[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """Of each comparison: its medians by budget."""
    found: dict[str, dict[int, list[float]]] = {}
    for row in rows:
        found.setdefault(row["name"], {}).setdefault(int(row["budget"]), []).append(row["exploitability"])
    return {
        name: [(budget, statistics.median(values)) for budget, values in sorted(points.items())]
        for name, points in found.items()
    }


def _measure(one: Comparison, seed: int, budgets: tuple[float, ...]) -> Iterator[tuple[float, float, float, Any]]:
    """Budget, mA/g, CPU seconds and settings, as each budget is reached."""
    with trainee(one.config, one.changes, seed) as made:
        begun = time.process_time()
        for budget in budgets:
            while True:
                spent = time.process_time() - begun
                reached = spent if one.unit == SECONDS else made.metrics().get("nodes", 0.0)
                if reached >= budget:
                    break
                made.step(1)
            yield budget, _measured(made), round(spent, 1), getattr(made, "config", {})


def _table(rows: list[dict[str, Any]], commit: str) -> str:
    """Medians and spread over seeds, as Markdown."""
    lines = [f"Networks at commit {commit}; mA/g, exact, of what the kept networks play.", ""]
    lines += ["| comparison | budget | median | spread | seeds | CPU s | published |", "|---|---|---|---|---|---|---|"]
    for name, budget in dict.fromkeys((row["name"], row["budget"]) for row in rows):
        own = [row for row in rows if (row["name"], row["budget"]) == (name, budget)]
        values, spent = [row["exploitability"] for row in own], [row["cpu_seconds"] for row in own]
        seeds = ", ".join(str(row["seed"]) for row in own)
        lines.append(
            f"| {name} | {budget:g} {own[0]['unit']} | {statistics.median(values):.3g} | {min(values):.3g} to "
            f"{max(values):.3g} | {seeds} | {statistics.median(spent):.0f} | {own[0]['published']} |"
        )
    return "\n".join(lines) + "\n"


def _commit() -> str:
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


@contextmanager
def trainee(name: str, changes: Changes, seed: int = 0) -> Iterator[Trainee]:
    """The trainee of an example config, changed, after an iteration that compiles and before its own first one."""
    data = read_yaml(CONFIGS / f"{name}.yaml")
    for section, values in changes.items():
        data[section] = {**(data.get(section) or {}), **values}
    data["training"] = {**data["training"], "seed": seed}
    config = TrainConfig(**data)
    make = FACTORIES[config.training.solver]
    made = make(config, None, None)
    try:
        if config.settings is None:  # compiled code is shared: only worker processes have to warm up themselves
            made.step(1)
            made = make(config, None, None)
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
