"""`train --solver exact`: shards in processes, checkpoints of flops, lost shards, and opening what came of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runout
from runout.cursors.exact_solution import ExactSolution
from runout.cursors.view import extended
from runout.errors import InputError, MemoryRefused, SolutionError, TrainingError
from runout.protocols import Event
from runout.run import exact as exact_run
from runout.run.exact import ExactTrainee
from runout.run.shards import ShardProcesses
from runout.run.train_config import TrainConfig
from runout.solutions.format import read_bundle, solution_path, write_bundle

CONFIG: dict[str, Any] = {
    "game_type": "limit_holdem",
    "game": {"stack_depth": 10, "ranks": 3, "suits": 3, "max_bets": [1, 0, 1, 1]},
    "training": {"solver": "exact", "iterations": 12, "measure_every": 6, "workers": 1},
    "exact": {"flops": "all"},
    "checkpoint": {"interval": 4},
}


def config(flops: str, **exact: Any) -> TrainConfig:
    return TrainConfig(**(CONFIG | {"exact": {"flops": flops, **exact}}))


@pytest.fixture(scope="module")
def flops(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("flops") / "four.txt"
    file.write_text("4c 3d 2h:3\n2c 2d 4h\n4c 3c 2c\n3c 3d 3h:2\n", encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def quiet(flops: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happens to, in one process."""
    folder = tmp_path_factory.mktemp("exact") / "run"
    runout.train(config(flops), output=folder)
    return folder


def learnt(run: Path) -> dict[str, np.ndarray]:
    """Everything that a run has learnt."""
    solution = runout.load(run)
    assert isinstance(solution, ExactSolution)
    assert solution.at_hand
    found = {name: np.array(array) for name, array in solution.arrays.items() if name != "curve"}
    for flop in range(len(solution.split.flops)):
        part = solution.part(flop)
        found |= {f"{flop}{name}": np.array(array) for name, array in part.state().items()}
    return found


def same(run: Path, other: Path) -> bool:
    one, two = learnt(run), learnt(other)
    assert len(one) > 20
    assert one.keys() == two.keys()
    assert [name for name in one if not np.array_equal(one[name], two[name])] == []
    return True


def test_processes_that_are_killed_change_nothing(flops: str, quiet: Path, tmp_path: Path) -> None:
    """Three shards, one of them killed before the first checkpoint and one after it."""
    shards: list[ShardProcesses] = []
    killed: list[int] = []

    class Watched(ShardProcesses):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            shards.append(self)

    def hear(event: Event) -> None:
        if event.kind in ("step", "progress") and event.iteration in (2, 9) and event.iteration not in killed:
            killed.append(event.iteration)
            os.kill(shards[0].pids()[event.iteration % 3], signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_run, "ShardProcesses", Watched)
        patch.setattr("runout.run.loop._SILENCE", 0.0)
        patch.setattr("runout.run.loop._ANSWER", 0.0)
        result = runout.train(config(flops, shards=3), output=tmp_path / "run", progress=hear)
    assert killed == [2, 9]
    assert result.metrics["shards_lost"] == 2
    assert same(tmp_path / "run", quiet)
    assert result.exploitability == runout.load(quiet).exploitability


def test_a_run_is_taken_up_with_other_shards(
    flops: str, quiet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where shards do not see the directory of the run, so that files go through the process that asks."""
    monkeypatch.setattr(ExactTrainee, "_seen", lambda self: False)
    runout.train(config(flops, shards=2), iterations=5, output=tmp_path / "run")
    assert {one.name for one in (tmp_path / "run").glob("flops_*")} == {"flops_5"}
    runout.train(config(flops), resume=tmp_path / "run")
    assert same(tmp_path / "run", quiet)
    other = tmp_path / "other.txt"
    other.write_text("4c 3d 2h:3\n2c 2d 4h\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"exact\.flops"):
        runout.train(config(str(other)), resume=tmp_path / "run")
    Path(flops).rename(f"{flops}.kept")
    try:
        Path(flops).write_text("4c 3d 2h", encoding="utf-8")  # under the same name
        with pytest.raises(SolutionError, match="other flops"):
            runout.train(config(flops), iterations=20, resume=tmp_path / "run")
    finally:
        Path(f"{flops}.kept").rename(flops)


def test_a_disk_without_room_loses_nothing(
    flops: str, quiet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint that cannot be written is told; the run goes on, the one before is kept, half of one is not."""
    real = exact_run.ExactTrainee._save
    told: list[Event] = []

    def save(self: ExactTrainee, folder: Path) -> None:
        if self.iteration == 8:
            (folder / "half").mkdir(parents=True)
            raise SolutionError(f"cannot write {folder}: No space left on device")
        real(self, folder)

    monkeypatch.setattr(ExactTrainee, "_save", save)
    runout.train(config(flops), iterations=8, output=tmp_path / "run", progress=told.append)
    failed = [event.note for event in told if event.kind == "save failed"]
    assert failed
    assert "No space left" in failed[0]
    assert [one.name for one in (tmp_path / "run").glob("checkpoint_*")] == ["checkpoint_4"]
    runout.train(config(flops), resume=tmp_path / "run")
    assert same(tmp_path / "run", quiet)


def test_a_disk_that_is_full_is_told_and_nothing_is_lost(flops: str, quiet: Path, tmp_path: Path) -> None:
    """A real one: a file system of 1.4 MB, on which one checkpoint does not fit beside another."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1400k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    told: list[Event] = []
    try:
        runout.train(config(flops), iterations=5, output=disk / "run", progress=told.append)
        failed = [event.note for event in told if event.kind == "save failed"]
        assert failed
        assert "cannot write" in failed[0]
        assert "flops_5" in failed[0]
        assert "what was saved before is kept" in failed[0]
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        runout.train(config(flops, shards=2), resume=disk / "run")
        assert same(disk / "run", quiet)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_all_streets_are_shown(quiet: Path, tmp_path: Path) -> None:
    """What an action is worth is what the node after it is worth; both players' EVs add up to zero everywhere."""
    solution = runout.load(quiet)
    explorer = solution.explorer
    assert len(explorer.at("SBc BBx").boards) == 4
    for line in ("", "SBc", "SBc BBx|4h 3c 2d", "SBr2 BBc|4h 3c 2d|x-x|2c", "SBr2 BBc|3d 3h 3c|x-x|2d|b2-c|4h|x"):
        view = explorer.at(line)
        assert sum(view.evs or ()) == pytest.approx(0, abs=1e-4)
        actor = view.hands[view.players.index(str(view.player))]
        assert actor.strategy.sum(axis=0) == pytest.approx(1)
        for number, action in enumerate(view.actions):
            after = explorer.at(extended(view, action.token))
            hands = after.hands[view.players.index(actor.player)]
            assert hands.ev == pytest.approx(actor.action_evs[number], abs=1e-4, nan_ok=True)
    with pytest.raises(InputError, match="none of the 4"):
        explorer.at("SBc BBx|4c 4d 3c")
    found = runout.evaluate(solution)
    assert found.exploitability == pytest.approx(solution.exploitability, abs=1e-3)
    assert "4 flops" in found.says

    shutil.copytree(quiet / "checkpoint_12", tmp_path / "alone")
    alone = runout.load(tmp_path / "alone")
    assert alone.explorer.at("SBc").evs == explorer.at("SBc").evs
    with pytest.raises(InputError, match="not at hand"):
        alone.explorer.at("SBc BBx|4h 3c 2d")
    assert runout.evaluate(alone).exploitability == solution.exploitability


@pytest.mark.parametrize("craft", ["half", "not a number", "gone"])
def test_values_that_do_not_fit_are_refused_at_opening(craft: str, quiet: Path, tmp_path: Path) -> None:
    bundle = read_bundle(solution_path(quiet))
    values = bundle.arrays["first_values_oop"]
    other = {"half": values[: len(values) // 2], "not a number": np.full_like(values, np.nan), "gone": values[:0]}
    write_bundle(tmp_path / "crafted", replace(bundle, arrays={**bundle.arrays, "first_values_oop": other[craft]}))
    with pytest.raises(SolutionError, match="values before the flop"):
        runout.load(tmp_path / "crafted")


def test_a_limit_a_shard_asks_for_more_shards(flops: str, tmp_path: Path) -> None:
    result = runout.train(config(flops, shard_gb=0.0006), iterations=1)
    assert result.metrics["shards"] > 1
    assert result.metrics["largest_shard_mb"] < 0.6 < result.metrics["all_shards_mb"]
    with pytest.raises(MemoryRefused, match=r"a shard needs .* give more shards"):
        runout.train(config(flops, shard_gb=0.0006, shards=1), iterations=1)


def test_what_cannot_be_run_is_refused(flops: str, tmp_path: Path) -> None:
    for change, said in (
        ({"game_type": "leduc", "game": {}, "exact": None}, "exact is for hold'em"),
        ({"deals": {"count": 5}}, "deals does nothing here"),
        ({"training": {"solver": "mccfr"}}, "the section exact is for solver exact"),
        ({"exact": {"flops": "nowhere"}}, "unknown flops 'nowhere'"),
        ({"training": {"solver": "exact", "algorithm": "pcfr+"}}, "no algorithm"),
    ):
        with pytest.raises(InputError, match=said):
            runout.train(TrainConfig(**(CONFIG | change)))
    with pytest.raises(InputError, match="runs on one machine"):
        runout.train({"game_type": "leduc", "training": {"solver": "mccfr"}}, cluster="auto")


def test_a_shard_that_is_lost_again_and_again_ends_the_run(flops: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(ShardProcesses):
        def ask(self, method: str, *arguments: Any) -> list[Any]:
            if method == "sweep":
                os.kill(self.pids()[0], signal.SIGKILL)
            return super().ask(method, *arguments)

    monkeypatch.setattr(exact_run, "ShardProcesses", Failing)
    monkeypatch.setattr("runout.run.going_back.TIMES", 1)
    with pytest.raises(TrainingError, match="shard 1 ended"):
        runout.train(config(flops, shards=2), iterations=1)
