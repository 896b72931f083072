"""`runout evaluate` and `runout match` as users run them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import runout


def run(*arguments: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "runout.app.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluate")
    for name, iterations in (("poor", 1), ("good", 500)):
        runout.solve_game("kuhn", iterations=iterations).save(folder / name)
    return folder


def test_a_small_game_is_measured_exactly(games):
    done = run("evaluate", games / "good", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["method"] == "exact"
    assert record["unit"] == "mA/g"
    assert record["interval"] == [record["exploitability"]] * 2
    assert record["summed"] == pytest.approx(2 * record["exploitability"])
    text = run("evaluate", games / "good").stdout
    assert "exploitability" in text
    assert "NashConv" in text


def test_the_latest_checkpoint_of_a_run_is_taken(games, tmp_path):
    run_folder = tmp_path / "run"
    run_folder.mkdir()
    (run_folder / "latest").symlink_to(games / "good")
    (run_folder / "metrics.jsonl").write_text('{"iteration": 1, "loss": 2.0}\n')
    assert json.loads(run("evaluate", run_folder, "--json").stdout)["method"] == "exact"


def test_a_match_of_small_games_is_exact(games):
    record = json.loads(run("match", games / "good", games / "poor", "--json").stdout)
    assert record["method"] == "exact"
    assert record["wins"] > 0
    assert record["unit"] == "mA/g"
    assert "wins" in run("match", games / "good", games / "poor").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "nowhere"), "nowhere"),
        (("match", "call", "fold"), "give a trained strategy"),
        (("match", "{good}", "call"), "cannot be played out"),
        (("evaluate", "{good}", "--method", "lbr"), "measured exactly"),
        (("evaluate", "{good}", "--pictures", "p"), "runout explore"),
    ],
)
def test_bad_input_is_one_line(games, arguments, words):
    done = run(*(str(games / "good") if part == "{good}" else part for part in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
