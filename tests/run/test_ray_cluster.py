"""A real Ray cluster of two nodes on this machine gives what one process gives, and bad clusters are refused."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import yaml

import runout
from reference.small_reports import SPOT, records, written_flops
from runout.config import dump
from runout.errors import InputError
from runout.games.flop_choice import flop_choice
from runout.games.holdem import LimitHoldem
from runout.run import ray_cluster
from runout.run import report as reports
from runout.run.ray_cluster import RayCluster
from runout.run.ray_shards import RayShards
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the extra 'cluster'")
STORE = 80 * 2**20  # bytes of each node's object store


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(runout.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    )
    # Workers would starve where other things run too; Ray spells it like this.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.add_node(num_cpus=1, object_store_memory=STORE)
    yield made
    made.shutdown()


@pytest.fixture
def flops(tmp_path: Path) -> str:
    return written_flops(tmp_path)


def test_two_nodes_give_the_bits_of_one_process(
    cluster: Any, flops: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = reports.make_plan(SPOT, flops)
    reports.run_report(tmp_path / "serial", plan, workers=1)
    with RayCluster(cluster.address, reports.flop_bytes(plan)) as executor:
        assert (len(executor.nodes()), executor.cores) == (2, 2)
        run = reports.run_report(tmp_path / "ray", plan, executor=executor)
        assert (run.solved, run.failures) == (3, [])
        environment = executor.map(os.getenv, ["NUMBA_NUM_THREADS", "OMP_NUM_THREADS"])
        assert environment == ["1", "1"]
        with pytest.raises(ValueError, match="invalid literal"):
            executor.map(int, ["1", "x"])
        assert executor.map(abs, []) == []
    assert records(tmp_path / "ray") == records(tmp_path / "serial")

    monkeypatch.setattr(ray_cluster, "versions", lambda: {"runout": "0.9", "numpy": "1.0"})
    with pytest.raises(InputError, match=r"has runout .* where this machine has 0\.9, numpy"):
        RayCluster(cluster.address)
    with pytest.raises(InputError, match="no machine with a core and 1,000,000"):
        RayCluster(cluster.address, 10**15)


EXACT = {
    "game_type": "limit_holdem",
    "game": {"stack_depth": 10, "ranks": 3, "suits": 3, "max_bets": [1, 0, 1, 1]},
    "training": {"solver": "exact", "iterations": 6, "measure_every": 6, "workers": 1},
    "exact": {"flops": "all"},
    "checkpoint": {"interval": 3},
}


def learnt(run: Path) -> dict[str, bytes]:
    """Every array that a run has kept."""
    newest = runout.load(run).path
    assert newest is not None
    found = sorted([*newest.glob("*.npy"), *run.glob("flops_*/*/*.npy")])
    return {str(file.relative_to(run)): file.read_bytes() for file in found if file.stem != "curve"}


def test_an_exact_game_on_two_nodes_is_that_of_one_process(cluster: Any, tmp_path: Path) -> None:
    runout.train(EXACT, output=tmp_path / "here")
    result = runout.train(EXACT, output=tmp_path / "ray", cluster=cluster.address)
    assert result.metrics["shards"] == 2
    assert len(learnt(tmp_path / "here")) > 50
    assert learnt(tmp_path / "ray") == learnt(tmp_path / "here")
    with RayCluster(cluster.address) as ray, pytest.raises(InputError, match=r"do not fit the machines of the cluster"):
        RayShards(ray, list, [()], [10**15])


@pytest.mark.slow
def test_a_blueprint_on_two_nodes_is_that_of_one_process(cluster: Any, tmp_path: Path) -> None:
    game = {"game_type": "limit_holdem", "game": {"num_streets": 2, "ranks": 4, "suits": 3}}
    settings = {"training": {"solver": "blueprint", "iterations": 6}, "blueprint": {"shards": 3, "boards": 4}}
    runout.train(game | settings, output=tmp_path / "here")
    runout.train(game | settings, iterations=4, output=tmp_path / "ray", cluster=cluster.address)
    runout.train(resume=tmp_path / "ray", iterations=6, cluster=cluster.address)
    assert learnt(tmp_path / "ray") == learnt(tmp_path / "here")


@pytest.mark.slow
def test_twenty_kills_during_an_exact_game_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    """Shards, a node and the driver are killed at random moments; the result is that of a quiet machine."""
    random = np.random.Generator(np.random.PCG64(2))
    config, place = tmp_path / "exact.yaml", tmp_path / "killed"
    asked = EXACT | {"training": EXACT["training"] | {"iterations": 60, "measure_every": 100}}  # type: ignore[operator]
    config.write_text(yaml.safe_dump(asked | {"checkpoint": {"interval": 1}}), encoding="utf-8")
    command = [sys.executable, "-m", "runout", "train", "-c", str(config), "--cluster", cluster.address]
    command += ["-o", str(place), "--quiet", "--json"]
    kills = {"shard": 0, "node": 0, "driver": 0}
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    driver: subprocess.Popen[str] | None = None

    def newest() -> int:
        return max([int(one.name.partition("_")[2]) for one in place.glob("checkpoint_*")], default=0)

    while sum(kills.values()) < 20 and newest() < 58:
        if driver is None or driver.poll() is not None:
            resume = ["--resume"] if (place / "config.yaml").exists() else []
            driver = subprocess.Popen([*command, *resume], stdout=subprocess.DEVNULL, text=True)
        before, deadline = newest(), time.monotonic() + 300
        while newest() < before + 2 and driver.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(float(random.random()) / 5)
        what = ("shard", "shard", "shard", "shard", "node", "driver")[int(random.integers(6))]
        kills[what] += 1
        if what == "shard":
            _kill_worker(random, "ray::_RayHolder")
        elif what == "node":
            cluster.remove_node(node, allow_graceful=False)
            node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
        else:
            driver.kill()
            driver.wait()
    if driver is not None:
        driver.wait(timeout=300)
    assert sum(kills.values()) == 20
    subprocess.run([*command, "--resume"], check=True, stdout=subprocess.DEVNULL, timeout=600)
    runout.train(asked, output=tmp_path / "quiet")
    assert learnt(place) == learnt(tmp_path / "quiet")
    print(kills)


@pytest.mark.slow
def test_flops_of_a_blueprint_are_measured_alike(cluster: Any) -> None:
    what = BlueprintGame.of(LimitHoldem(num_streets=2, ranks=4, suits=3).game(), None)
    learnt = BlueprintSolver(what, blueprint_schedule("auto"), 8, 20, 0, 1)
    learnt.step(20)
    everywhere = flop_choice("all", what.game.deck)
    here = measure_flops(what, learnt.buckets, everywhere)
    with RayCluster(cluster.address) as executor:
        assert measure_flops(what, learnt.buckets, everywhere, executor=executor) == here


def _kill_worker(random: np.random.Generator, name: str = "ray::_run") -> None:
    """A process of the cluster that is solving, if there is one."""
    busy = [one for one in psutil.process_iter(["cmdline"]) if name in " ".join(one.info["cmdline"] or [])]
    if busy:
        with suppress(psutil.NoSuchProcess):
            busy[int(random.integers(len(busy)))].kill()


@pytest.mark.slow
def test_twenty_kills_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    """Workers, a node and the driver are killed at random moments; the report is the one of a quiet machine."""
    random = np.random.Generator(np.random.PCG64(1))
    spot, place = tmp_path / "spot.yaml", tmp_path / "killed"
    spot.write_text(dump(SPOT), encoding="utf-8")
    command = [sys.executable, "-m", "runout", "report", str(spot), "--flops", "even-49", "--cluster", cluster.address]
    command += ["-o", str(place), "--quiet"]
    kills = {"worker": 0, "node": 0, "driver": 0}
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    driver: subprocess.Popen[str] | None = None
    while sum(kills.values()) < 20 and len(list(place.glob("flops/*.json"))) < 49:
        if driver is None or driver.poll() is not None:
            resume = ["--resume"] if (place / "report.json").exists() else []
            driver = subprocess.Popen([*command, *resume], stdout=subprocess.DEVNULL, text=True)
        before = len(list(place.glob("flops/*.json")))
        deadline = time.monotonic() + 120
        while len(list(place.glob("flops/*.json"))) < before + 2 and driver.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        what = ("worker", "worker", "node", "driver")[int(random.integers(4))]
        kills[what] += 1
        if what == "worker":
            _kill_worker(random)
        elif what == "node":
            cluster.remove_node(node, allow_graceful=False)
            node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
        else:
            driver.kill()
            driver.wait()
    if driver is not None:
        driver.wait(timeout=300)
    subprocess.run([*command, "--resume"], check=True, stdout=subprocess.DEVNULL, timeout=600)
    reports.run_report(tmp_path / "quiet", reports.make_plan(SPOT, "even-49"), workers=1)
    assert records(place) == records(tmp_path / "quiet")
    print(kills)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "no Ray cluster answers at 127.0.0.1:1"),
        ("somewhere", "use HOST:PORT"),
        ("ray://127.0.0.1:10001", "use HOST:PORT"),
        ("no-such-host.invalid:6379", "no Ray cluster answers"),
    ],
)
def test_an_address_nobody_answers_at_is_one_line_within_seconds(address: str, said: str) -> None:
    begun = time.monotonic()
    with pytest.raises(InputError, match=said):
        RayCluster(address)
    assert time.monotonic() - begun < 30  # of a busy machine; the wait itself is three seconds at most


def test_workers_and_a_cluster_are_not_asked_for_together(flops: str, tmp_path: Path) -> None:
    spot = tmp_path / "spot.yaml"
    spot.write_text(dump(SPOT), encoding="utf-8")
    command = [sys.executable, "-m", "runout", "report", str(spot), "--cluster", "auto", "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("runout: give --workers or --cluster")
