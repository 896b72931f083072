"""`runout train` as a user meets it: a run, its files, going on after a kill, and one line for bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

import runout
from runout.games.deals import DealSettings, make_pool
from runout.games.holdem import LimitHoldem
from runout.solutions.deals import write_pool
from runout.solutions.format import read_bundle

ROOT = Path(__file__).parents[2]
KUHN = ROOT / "configs" / "train" / "kuhn.yaml"
RUNOUT = [sys.executable, "-m", "runout.app.cli.main"]


def call(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUNOUT, "train", *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=300
    )


def refused(*arguments: str | Path, cwd: Path | None = None) -> str:
    done = call(*arguments, cwd=cwd)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(("solver", "iterations"), [("sequence", 50), ("gpu", 50), ("mccfr", 60)])
def test_kuhn_with_every_solver(solver: str, iterations: int, tmp_path: Path) -> None:
    given = ("-n", str(iterations), "--set", "training.measure_every=10", "-o", "run", "--json")
    done = call("-c", KUHN, "--solver", solver, *given, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert (report["solver"], report["iterations"], report["unit"]) == (solver, iterations, "mA/g")
    assert 0 < report["exploitability"] < 30
    assert report["stopped"] == "iterations"
    solution = runout.load(tmp_path / report["checkpoint"])
    assert isinstance(solution, runout.GameSolution)
    assert solution.value == pytest.approx(-1 / 18, abs=0.03)
    assert len((tmp_path / "run" / "metrics.jsonl").read_text().splitlines()) == iterations // 10


def test_the_text_says_what_was_reached_and_where_it_is(tmp_path: Path) -> None:
    done = call("-c", KUHN, "--solver", "mccfr", "-n", "30", "--plot", "--log", "tensorboard", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "kuhn: mccfr, 30 iterations" in done.stdout
    assert "mA/g" in done.stdout
    assert "samples/s" in done.stdout
    assert "saved to runs/kuhn/checkpoint_30" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert (tmp_path / "runs" / "kuhn" / "curves.png").read_bytes()[:4] == b"\x89PNG"
    assert list((tmp_path / "runs" / "kuhn" / "tensorboard").iterdir())


def flop_config(path: Path) -> Path:
    config = {
        "game_type": "limit_holdem",
        "game": {"num_streets": 2, "ranks": 3, "suits": 3, "max_raises": [1, 1]},
        "training": {"solver": "mccfr", "iterations": 200, "traversals_per_iter": 100, "measure_every": 20},
        "checkpoint": {"interval": 5},
    }
    path.write_text(yaml.safe_dump(config))
    return path


def test_a_killed_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    config = flop_config(tmp_path / "flop.yaml")
    assert call("-c", config, "-o", tmp_path / "whole").returncode == 0
    kills = 0
    for wait in (0.0, 0.1):
        with subprocess.Popen([*RUNOUT, "train", "-c", config, "-o", tmp_path / "killed", "--resume", "-q"]) as process:
            before = newest(tmp_path / "killed")
            limit = time.monotonic() + 300
            while process.poll() is None and newest(tmp_path / "killed") <= before and time.monotonic() < limit:
                time.sleep(0.002)
            time.sleep(wait)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
    assert kills
    assert newest(tmp_path / "killed") < 200
    done = call("-c", config, "-o", tmp_path / "killed", "--resume")
    assert done.returncode == 0, done.stderr
    ours, theirs = (read_bundle(tmp_path / name / "latest") for name in ("whole", "killed"))
    for name, array in ours.arrays.items():
        np.testing.assert_array_equal(array, theirs.arrays[name], err_msg=name)
    rows = [[json.loads(line) for line in (tmp_path / name / "metrics.jsonl").open()] for name in ("whole", "killed")]
    found = [[(row["iteration"], row["exploitability"], row["samples"]) for row in one] for one in rows]
    assert found[0] == found[1]


def newest(run: Path) -> int:
    numbers = [int(path.name.removeprefix("checkpoint_")) for path in run.glob("checkpoint_*")]
    return max(numbers, default=0)


def test_ctrl_c_stops_and_saves(tmp_path: Path) -> None:
    arguments = [
        "train",
        "-c",
        str(KUHN),
        "--solver",
        "mccfr",
        "-n",
        "1000000000",
        "-o",
        str(tmp_path / "run"),
        "--json",
    ]
    with subprocess.Popen([*RUNOUT, *arguments], stdout=subprocess.PIPE, text=True) as process:
        limit = time.monotonic() + 300
        while not (tmp_path / "run" / "latest").exists() and time.monotonic() < limit:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        report = json.loads(process.communicate(timeout=300)[0])
    assert process.returncode == 130
    assert report["stopped"] == "interrupted"
    assert newest(tmp_path / "run") == report["iterations"]


def test_the_same_run_and_another_are_refused(tmp_path: Path) -> None:
    assert call("-c", KUHN, "--solver", "sequence", "-n", "5", "-o", tmp_path / "run").returncode == 0
    assert "give --resume" in refused("-c", KUHN, "--solver", "sequence", "-n", "5", "-o", tmp_path / "run")
    line = refused("-c", KUHN, "--solver", "mccfr", "-n", "5", "-o", tmp_path / "run", "--resume")
    assert "holds another run: there training.solver = sequence, not mccfr here" in line
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    assert "nothing was overwritten" in refused("-c", KUHN, "-o", tmp_path / "mine")


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (["game_type=hunl_postflop", "game.stack_depth=0.5"], "stack_depth = 0.5 bb is too short for the blinds"),
        (["game_type=limit_holdem", "game.max_raises_late=-1"], "a raise cap of -1 is below zero"),
        (["game_type=hunl_postflop", "game.bet_sizes=[-1]"], "bet size -1 is not positive"),
        (["game_type=hunl_postflop", "network.num_actions=3"], "network.num_actions = 3: this game has 5 slots"),
        (["training.itertions=3"], "unknown key 'training.itertions': did you mean 'iterations'?"),
        (["gme.x=3"], "unknown key 'gme'"),
        (["game_type=limit_holdem", "--solver=sequence"], "decision points, most of them on the river; use"),
        (["--solver=gpu", "training.device=abacus"], "abacus"),
    ],
)
def test_bad_settings_are_one_line(settings: list[str], line: str, tmp_path: Path) -> None:
    flags = [part for one in settings for part in (one.split("=") if one.startswith("--") else ("--set", one))]
    assert line in refused("-c", KUHN, *flags, "-o", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_other_bad_input_is_one_line_too(tmp_path: Path) -> None:
    write_pool(tmp_path / "pool", make_pool(LimitHoldem(num_streets=2), DealSettings(count=10)))
    config = flop_config(tmp_path / "flop.yaml")
    line = refused("-c", config, "--deals", tmp_path / "pool", "-o", tmp_path / "run")
    assert "holds deals of another game" in line
    assert "no such file" in refused("-c", tmp_path / "none.yaml")
    assert "unknown log 'papyrus'" in refused("-c", KUHN, "--log", "papyrus", "-o", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_small_game_has_no_shards_and_no_cluster(tmp_path: Path) -> None:
    assert "memory.shards does nothing here" in refused("-c", KUHN, "--solver", "sd-cfr", "--shards", "3", cwd=tmp_path)
    said = refused("-c", KUHN, "--solver", "sd-cfr", "--cluster", "127.0.0.1:1", cwd=tmp_path)
    assert "sd-cfr on kuhn runs on one machine" in said
