"""`runout deals` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def runout(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runout.app.cli.main", "deals", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_pool_is_made_from_a_config_and_shown(tmp_path: Path) -> None:
    config = tmp_path / "train.yaml"
    config.write_text(
        "game_type: limit_holdem\ngame: {num_streets: 2}\ndeals: {count: 900, seed: 3}\ntraining: {iterations: 5}\n"
    )
    made = runout("make", "-c", str(config), "-o", str(tmp_path / "pool"), "--min-per-class", "20", "--json")
    assert made.returncode == 0, made.stderr
    first = json.loads(made.stdout)
    assert first.keys() == {"game", "deals", "rejections", "classes", "missing", "output", "seconds"}
    assert (first["deals"], first["missing"]) == (900, [])
    assert all(row["deals"] >= 20 for row in first["classes"].values())
    shown = json.loads(runout("show", str(tmp_path / "pool"), "--json").stdout)
    assert shown["classes"] == first["classes"]
    text = runout("show", str(tmp_path / "pool")).stdout
    assert text.startswith("900 deals of Flop Hold'em, 100 bb (stratified, ")
    assert "straight flush" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "game.stack_depth=0.5"], "runout: stack_depth = 0.5 bb is too short for the blinds: use 1 or more"),
        (["--set", "game.max_raises_per_street=-1"], "runout: max_bets: a raise cap of -1 is below zero"),
        (["--set", "game.bet_sizes=[0.5, -1]"], "runout: bet_sizes: bet size -1 is not positive"),
        (["--game", "omaha"], "runout: unknown game type 'omaha': use no_limit_holdem or limit_holdem"),
        (["--count", "5", "--min-per-class", "1"], "runout: deals: min_per_class = 1 of 9 classes is more than count"),
        (["--set", "count=5"], "runout: unknown key 'count': use game_type, game, deals"),
        (["--seed", str(2**64)], "runout: deals: seed = 18446744073709551616"),
        (["--set", "deals=5"], "runout: deals = 5: this is a group of settings"),
    ],
)
def test_bad_input_is_one_line_and_status_two(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = runout("make", "-o", str(tmp_path / "pool"), *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (tmp_path / "pool").exists()


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    done = runout("make", "-o", str(tmp_path / "mine"))
    assert done.returncode == 2
    assert "is not a Runout solution" in done.stderr
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"
