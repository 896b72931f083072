"""`runout game` as a user meets it: JSON, tables, curves, files, and one clear line for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from runout.app.cli.main import app
from runout.errors import RunoutError


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["game", *arguments])


def report(*arguments: str) -> dict:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_json_has_what_is_promised() -> None:
    found = report("leduc", "--algorithm", "cfr+", "--iterations", "100")
    assert found["game"] == "leduc"
    assert found["algorithm"] == "cfr+"
    assert found["iterations"] == 100
    assert found["exploitability"] == pytest.approx(1.342e-2, abs=5e-6)
    assert found["nash_conv"] == pytest.approx(2 * found["exploitability"])
    assert found["unit"] == "chips"
    assert found["seconds"] >= 0
    assert found["policy"]["Ks"]["bet 2"] >= 0
    assert found["curve"][-1] == [100, found["exploitability"]]


def test_all_of_kuhn_is_printed_with_its_family() -> None:
    text = call("kuhn", "--algorithm", "pdcfr+").output
    for key in ("J", "Q", "K", "J x", "Q x", "K x", "J b", "Q b", "K b", "J x-b", "Q x-b", "K x-b"):
        assert f"  {key}  " in text
    assert "in Kuhn's family of equilibria: bluff α = " in text
    assert "value-bet" in text
    assert "-55.555556 mA/g" in text
    assert "\x1b" not in text
    assert "exploitability (mA/g) by iteration: pdcfr+" in text


def test_long_tables_are_cut_and_can_be_had_whole() -> None:
    assert "… 264 more: --rows 0 shows all" in call("leduc", "-n", "20").output
    whole = call("leduc", "-n", "20", "--rows", "0").output
    assert "more:" not in whole
    assert whole.count("fold") + whole.count("check") >= 288


def test_the_target_stops_the_run() -> None:
    found = report("kuhn", "--algorithm", "pdcfr+", "--target", "0.01")
    assert found["exploitability"] <= 0.01e-3
    assert found["iterations"] < 1000


def test_parameters_updates_seeds_and_backends_reach_the_solver() -> None:
    assert report("kuhn", "-n", "50", "-a", "dcfr(1.5,0,3)")["algorithm"] == "dcfr(1.5,0,3)"
    assert report("kuhn", "-n", "50", "-a", "dcfr(1.5, 0, 2)")["algorithm"] == "dcfr"
    alternating, simultaneous = (report("kuhn", "-n", "50", "--updates", u) for u in ("alternating", "simultaneous"))
    assert alternating["exploitability"] != simultaneous["exploitability"]
    one, two = (report("kuhn", "-n", "500", "-a", "external-sampling", "--seed", seed) for seed in "12")
    assert one["exploitability"] != two["exploitability"]
    compiled = report("kuhn", "-n", "50")
    tensors = report("kuhn", "-n", "50", "--backend", "torch", "--device", "cpu")
    assert tensors["exploitability"] == pytest.approx(compiled["exploitability"], abs=1e-9)


def test_a_run_is_saved_and_resumed_to_the_same_numbers(tmp_path: Path) -> None:
    whole = report("leduc", "-n", "60", "-a", "pdcfr+")
    report("leduc", "-n", "25", "-a", "pdcfr+", "-o", str(tmp_path / "run"))
    resumed = report("leduc", "-n", "60", "--resume", str(tmp_path / "run"))
    assert resumed["policy"] == whole["policy"]
    assert json.loads((tmp_path / "run" / "meta.json").read_text())["reached"]["iterations"] == 60


def test_algorithms_are_compared(tmp_path: Path) -> None:
    result = call("--compare", "cfr,cfr+,dcfr(1.5,0,2),pdcfr+", "leduc", "-n", "50", "--plot", str(tmp_path / "c.svg"))
    assert result.exit_code == 0, result.output
    assert "a = cfr  b = cfr+  c = dcfr  d = pdcfr+" in result.output
    assert (tmp_path / "c.svg").read_text().count("<svg") == 1
    found = report("--compare", "cfr,cfr+", "kuhn", "-n", "50")
    assert [run["algorithm"] for run in found["runs"]] == ["cfr", "cfr+"]


def test_plots_are_written(tmp_path: Path) -> None:
    assert call("kuhn", "-n", "50", "--plot", str(tmp_path / "kuhn.png")).exit_code == 0
    assert (tmp_path / "kuhn.png").read_bytes().startswith(b"\x89PNG")


def test_openspiel_games_are_played_by_name() -> None:
    pytest.importorskip("pyspiel")
    found = report("openspiel:kuhn_poker", "-n", "100", "-a", "cfr+")
    assert found["exploitability"] == pytest.approx(1.19e-3, abs=5e-6)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["kuhn", "--algorithm", "dcfrr"], "unknown algorithm 'dcfrr': did you mean 'dcfr'?"),
        (["kuhn", "--iterations", "-5"], "iterations = -5: use 0 or more"),
        (["kuhn", "--algorithm", "dcfr(inf,0,2)"], "dcfr: alpha = inf is not a finite number"),
        (["kuhn", "--algorithm", "dcfr(nan)"], "dcfr: alpha = nan is not a finite number"),
        (["kuhn", "--target", "nan"], "target = nan: use a number of 0 or more"),
        (["kuhnn"], "unknown game 'kuhnn': use kuhn, leduc, flop-holdem, flop-game or openspiel:NAME"),
        (["kuhn", "--backend", "jax"], "unknown backend 'jax': use numba or torch"),
        (["kuhn", "--updates", "both"], "unknown updates 'both': use alternating or simultaneous"),
        (["kuhn", "--plot", "curve.jpg"], "cannot draw 'curve.jpg': use a name that ends in .png or .svg"),
        (["kuhn", "--plot", "nowhere/curve.png"], "no such directory"),
        (["kuhn", "--compare", "cfr,,dcfr"], "cannot read --compare 'cfr,,dcfr'"),
        (["kuhn", "--compare", "cfr", "-a", "dcfr"], "--compare cannot be joined with --algorithm"),
        (["kuhn", "--resume", "nowhere"], "nowhere does not exist"),
        (["kuhn", "-a", "chance-sampling", "--seed", "-1"], "seed = -1"),
    ],
)
def test_bad_input_is_refused_with_the_reason(arguments: list[str], reason: str) -> None:
    result = call(*arguments)
    assert isinstance(result.exception, RunoutError), result.output
    assert reason in str(result.exception)
    assert "\n" not in str(result.exception)


def test_the_real_command_exits_with_2_and_one_line() -> None:
    command = [sys.executable, "-m", "runout.app.cli.main", "game", "kuhn", "--algorithm", "nope"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("runout: unknown algorithm 'nope'")
    assert done.stderr.count("\n") == 1
