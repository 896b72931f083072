"""A real Ray cluster of two nodes on this machine gives what one process gives, and bad clusters are refused."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
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
from runout.protocols import Event
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
    Path("/tmp/ray").mkdir(exist_ok=True)  # Ray notes the current cluster there, wherever its own files are
    place = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # sockets want a short name
    head = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False, "temp_dir": str(place)}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        made.add_node(num_cpus=1, object_store_memory=STORE)
        yield made
    finally:
        begun = _processes(made)
        made.shutdown()
        _, left = psutil.wait_procs(begun, timeout=60)
        shutil.rmtree(place, ignore_errors=True)
    assert begun
    assert left == []


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
    game = {"game_type": "limit_holdem", "game": {"num_streets": 2, "ranks": 3, "suits": 3}}
    settings = {"training": {"solver": "blueprint", "iterations": 6}, "blueprint": {"shards": 3, "boards": 4}}
    runout.train(game | settings, output=tmp_path / "here")
    runout.train(game | settings, iterations=4, output=tmp_path / "ray", cluster=cluster.address)
    runout.train(resume=tmp_path / "ray", iterations=6, cluster=cluster.address)
    assert learnt(tmp_path / "ray") == learnt(tmp_path / "here")


SMALL_DECK = {"stack_depth": 10, "ranks": 3, "suits": 3, "max_bets": [1, 1, 1, 1]}
NETWORKS = {
    "game_type": "limit_holdem",
    "training": {"solver": "sd-cfr", "iterations": 4, "measure_every": 2, "workers": 1},
    "network": {"hidden_dim": 8, "depth": 1},
    "sgd": {"steps": 3, "batch_size": 64},
    "checkpoint": {"interval": 2},
}
WALKS: dict[str, dict[str, Any]] = {
    "boards": {"game": SMALL_DECK, "memory": {"advantage_cap": 20_000}},
    "ranges": {"game": {"num_streets": 2, "ranks": 4, "suits": 3, "max_raises_early": 1, "stack_depth": 10}},
    "deals": {"game": SMALL_DECK, "memory": {"kind": "reservoir", "advantage_cap": 4000, "shards": 3}},
}


@pytest.mark.slow
@pytest.mark.parametrize("walks", ["boards", "ranges", "deals"])
def test_networks_trained_on_two_nodes_are_those_of_one_machine(cluster: Any, tmp_path: Path, walks: str) -> None:
    """In two pieces; in the second one a worker is killed after an iteration that no checkpoint has yet."""
    asked = NETWORKS | WALKS[walks]
    random, killed = np.random.default_rng(0), []
    runout.train(asked, output=tmp_path / "here")
    first = runout.train(asked, iterations=1, output=tmp_path / "ray", cluster=cluster.address)
    assert (first.metrics["workers"], "workers_lost" in first.metrics) == (2, False)
    assert first.metrics["sent_mb_per_iteration"] > 0

    def hear(event: Event) -> None:
        if event.iteration == 3 and not killed:
            _kill_worker(cluster, random, "ray::_RayHolder")
            killed.append(event.iteration)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runout.run.loop._SILENCE", 0.0)
        patch.setattr("runout.run.loop._ANSWER", 0.0)
        last = runout.train(resume=tmp_path / "ray", iterations=4, cluster=cluster.address, progress=hear)
    assert (last.metrics["workers_lost"], killed) == (1, [3])
    assert learnt(tmp_path / "ray") == learnt(tmp_path / "here")
    assert last.exploitability == runout.load(tmp_path / "here").exploitability


@pytest.mark.slow
def test_networks_whose_worker_node_and_driver_are_killed_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    asked = NETWORKS | WALKS["boards"]
    asked["training"] = asked["training"] | {"iterations": 10, "measure_every": 100}
    config = tmp_path / "networks.yaml"
    config.write_text(yaml.safe_dump(asked | {"checkpoint": {"interval": 1}}), encoding="utf-8")
    kills = ["worker", "node", "driver"]
    runs = _killed(
        cluster, ["train", "-c", str(config)], tmp_path, "config.yaml", _checkpoint, "ray::_RayHolder", kills
    )
    runout.train(asked, output=tmp_path / "quiet")
    assert [learnt(run) == learnt(tmp_path / "quiet") for run in runs] == [True] * len(runs)


def test_what_networks_cannot_do_on_a_cluster_is_refused_before_it_is_reached() -> None:
    nobody = "127.0.0.1:1"
    with pytest.raises(InputError, match="sd-cfr on leduc runs on one machine: leave --cluster out"):
        runout.train({"game_type": "leduc", "training": {"solver": "sd-cfr"}}, cluster=nobody)
    with pytest.raises(InputError, match="no Ray cluster answers"):
        runout.train(NETWORKS | WALKS["boards"], cluster=nobody)


@pytest.mark.slow
def test_twenty_kills_during_an_exact_game_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    config = tmp_path / "exact.yaml"
    asked = EXACT | {"training": EXACT["training"] | {"iterations": 30, "measure_every": 100}}  # type: ignore[operator]
    config.write_text(yaml.safe_dump(asked | {"checkpoint": {"interval": 1}}), encoding="utf-8")
    runs = _killed(cluster, ["train", "-c", str(config)], tmp_path, "config.yaml", _checkpoint, "ray::_RayHolder")
    runout.train(asked, output=tmp_path / "quiet")
    assert [learnt(run) == learnt(tmp_path / "quiet") for run in runs] == [True] * len(runs)


@pytest.mark.slow
def test_flops_of_a_blueprint_are_measured_alike(cluster: Any) -> None:
    what = BlueprintGame.of(LimitHoldem(num_streets=2, ranks=4, suits=3).game(), None)
    learnt = BlueprintSolver(what, blueprint_schedule("auto"), 8, 20, 0, 1)
    learnt.step(20)
    everywhere = flop_choice("all", what.game.deck)
    here = measure_flops(what, learnt.buckets, everywhere)
    with RayCluster(cluster.address) as executor:
        assert measure_flops(what, learnt.buckets, everywhere, executor=executor) == here


def _checkpoint(place: Path) -> int:
    """The last iteration that a run has saved."""
    return max([int(one.name.partition("_")[2]) for one in place.glob("checkpoint_*")], default=0)


def _processes(cluster: Any) -> list[psutil.Process]:
    """All of this cluster, and none of another one on this machine."""
    started = [
        one.process.pid for node in cluster.list_all_nodes() for kind in node.all_processes.values() for one in kind
    ]
    found = []
    for pid in started:
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(pid)
            found += [parent, *parent.children(recursive=True)]
    return found


def _kill_worker(cluster: Any, random: np.random.Generator, name: str = "ray::_run") -> None:
    """A process of the cluster that is solving, if there is one."""
    busy = []
    for one in _processes(cluster):
        with suppress(psutil.NoSuchProcess):
            busy += [one] if name in " ".join(one.cmdline()) else []
    if busy:
        with suppress(psutil.NoSuchProcess):
            busy[int(random.integers(len(busy)))].kill()


TWENTY = ["worker"] * 12 + ["node"] * 5 + ["driver"] * 3


def _killed(
    cluster: Any,
    asked: list[str],
    folder: Path,
    begun: str,
    far: Callable[[Path], int],
    worker: str,
    kinds: Sequence[str] = TWENTY,
) -> list[Path]:
    """Run a command with kills of workers, nodes and drivers at random moments, and to its end.

    A run that has come to its end is followed by another one, so however fast the machine, all kills meet a run. Runs
    that have written `begun` are taken up; `far` says how far one has come. Gives the directories of all runs.
    """
    random = np.random.default_rng(1)
    kills = random.permutation(list(kinds)).tolist()
    command = [sys.executable, "-m", "runout", *asked, "--cluster", cluster.address, "--quiet", "-o"]
    runs, node = [folder / "run0"], cluster.add_node(num_cpus=1, object_store_memory=STORE)
    driver: subprocess.Popen[str] | None = None
    while kills or driver is None or driver.poll() != 0:
        if driver is None or driver.poll() is not None:
            assert driver is None or driver.returncode in (0, -signal.SIGKILL)
            if driver is not None and driver.returncode == 0:
                runs.append(folder / f"run{len(runs)}")
            resume = ["--resume"] if (runs[-1] / begun).exists() else []
            driver = subprocess.Popen([*command, str(runs[-1]), *resume], stdout=subprocess.DEVNULL, text=True)
        before, deadline = far(runs[-1]), time.monotonic() + 600
        while far(runs[-1]) < before + 2 and driver.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        if not kills or driver.poll() is not None:
            continue
        what = kills.pop()
        if what == "worker":
            _kill_worker(cluster, random, worker)
        elif what == "node":
            cluster.remove_node(node, allow_graceful=False)
            node = cluster.add_node(num_cpus=1, object_store_memory=STORE)
        else:
            driver.kill()
            driver.wait()
    cluster.remove_node(node)
    return runs


@pytest.mark.slow
def test_twenty_kills_lose_nothing(cluster: Any, tmp_path: Path) -> None:
    spot = tmp_path / "spot.yaml"
    spot.write_text(dump(SPOT), encoding="utf-8")

    def far(place: Path) -> int:
        return len(list(place.glob("flops/*.json")))

    runs = _killed(cluster, ["report", str(spot), "--flops", "even-23"], tmp_path, "report.json", far, "ray::_run")
    reports.run_report(tmp_path / "quiet", reports.make_plan(SPOT, "even-23"), workers=1)
    assert [records(run) == records(tmp_path / "quiet") for run in runs] == [True] * len(runs)


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
    spot, config = tmp_path / "spot.yaml", tmp_path / "run.yaml"
    spot.write_text(dump(SPOT), encoding="utf-8")
    config.write_text(yaml.safe_dump(NETWORKS | WALKS["boards"]), encoding="utf-8")
    for asked in (["report", str(spot)], ["train", "-c", str(config)]):
        command = [sys.executable, "-m", "runout", *asked, "--cluster", "auto", "--workers", "2"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith("runout: give --workers or --cluster")
