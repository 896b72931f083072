"""A report over many flops: the same bits in one process, in two and on two nodes of Ray, and what that costs.

    python -m benchmarks.flop_reports [--flops fitted-49] [--rounds 1] [--ray]

The ranges of the community's benchmark with a tree of a second or two a flop, solved to 1% of the pot. One process and
two take turns, `--rounds` times, and the efficiency is that of the fastest of each: wall seconds of one over twice
those of two. It means something on a quiet machine alone; CPU seconds are told beside. `--ray` starts a cluster of two
nodes with a core each on this machine and does it there too.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks import machine
from benchmarks.report import line
from runout import memory
from runout.games.spot import Spot
from runout.protocols import Executor
from runout.run.executors import Processes, Serial
from runout.run.ray_cluster import RayCluster
from runout.run.report import flop_bytes, make_plan, run_report
from runout.run.report_directory import ReportPlan
from runout.run.warming import warm

COMMUNITY = Path(__file__).parents[1] / "configs" / "spots" / "community.yaml"
ALL = 1755
STORE = 200_000_000  # bytes of each node's object store


class Cost(NamedTuple):
    """Of a report."""

    wall: float
    cpu: float  # seconds of this process and those that it started


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flop_reports")
    parser.add_argument("--flops", default="fitted-49")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ray", action="store_true", help="also on two nodes of Ray")
    asked = parser.parse_args()
    machine.print_header()
    plan = make_plan(_spot(), asked.flops)
    warm()
    with tempfile.TemporaryDirectory() as folder:
        _compare(Path(folder), plan, asked.rounds, asked.ray)


def _spot() -> Spot:
    """The community's ranges with a bet of half the pot on flop and turn."""
    real = Spot.load(COMMUNITY)
    return Spot(
        board=real.board,
        pot=real.pot,
        stack=real.stack,
        ranges=real.ranges,
        betting={"flop": {"bet": "50%"}, "turn": {"bet": "50%"}, "river": {}},
        solve={"target": 1, "threads": 1},
    )


def _compare(folder: Path, plan: ReportPlan, rounds: int, ray: bool) -> None:
    flops = len(plan.flops)
    ones, twos = [], []
    for number in range(rounds):
        ones.append(_report(folder / f"one{number}", plan, Serial()))
        twos.append(_report(folder / f"two{number}", plan, Processes(2)))
    one, two = min(ones), min(twos)
    line(f"{flops} flops, one process: wall, CPU seconds", f"{one.wall:.1f}, {one.cpu:.1f}")
    line("two processes", f"{two.wall:.1f}, {two.cpu:.1f}; the same bits: {_same(folder / 'one0', folder / 'two0')}")
    line("efficiency of two, by wall and by CPU", f"{one.wall / two.wall / 2:.1%}, {one.cpu / two.cpu:.1%}")
    line("memory that a flop is reckoned with", memory.size(flop_bytes(plan)))
    hours = f"{_hours(one, flops):.2f}, {_hours(two, flops):.2f}"
    line(f"all {ALL:,} flops, estimate: hours of one core, of two", hours)
    if ray:
        with _two_nodes() as address, RayCluster(address, flop_bytes(plan)) as cluster:
            cost = _report(folder / "ray", plan, cluster)
        same = _same(folder / "one0", folder / "ray")
        line("two nodes of Ray: wall seconds", f"{cost.wall:.1f}; the same bits: {same}")
        line("efficiency of two nodes against one process, by wall", f"{one.wall / cost.wall / 2:.1%}")


def _report(place: Path, plan: ReportPlan, executor: Executor) -> Cost:
    wall, cpu = time.perf_counter(), _cpu()
    run = run_report(place, plan, executor=executor)
    assert run.done == run.total, "some flops were not solved"
    return Cost(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    used = psutil.Process().cpu_times()
    return used.user + used.system + used.children_user + used.children_system


def _hours(cost: Cost, flops: int) -> float:
    return cost.wall * ALL / flops / 3600


def _same(one: Path, other: Path) -> bool:
    """Whether all that is kept of flops is alike, but for the time that it took."""
    return _kept(one) == _kept(other)


def _kept(place: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for file in (place / "flops").iterdir():
        found[file.name] = file.read_bytes()
        if file.suffix == ".json":  # as text: what is nowhere reached is not a number, and unlike itself
            found[file.name] = json.dumps({**json.loads(file.read_text("utf-8")), "seconds": 0})
    return found


@contextmanager
def _two_nodes() -> Iterator[str]:
    """The address of a cluster on this machine."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    place = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # sockets want a short name
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False, "temp_dir": place}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        made.add_node(num_cpus=1, object_store_memory=STORE)
        yield made.address
    finally:
        made.shutdown()
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
