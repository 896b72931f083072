"""`runout game flop-holdem` as a user meets it: JSON, matrix, files, and one clear line for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import runout
from runout.app.cli.main import app
from runout.errors import RunoutError

SMALL = ("--set", "ranks=4", "--set", "suits=3")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["game", "flop-holdem", *arguments])


def report(*arguments: str) -> dict:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.stdout)


def test_json_has_what_is_promised() -> None:
    found = report(*SMALL, "--target", "2", "--threads", "1")
    assert (found["game"], found["unit"]) == ("flop-holdem", "chips")
    assert found["algorithm"].startswith("dcfr")
    assert found["exploitability_mbb"] <= 2.001
    assert found["exploitability_mbb"] == pytest.approx(found["exploitability"] * 500)
    assert found["nash_conv_mbb"] == pytest.approx(2 * found["exploitability_mbb"])
    assert found["nash_conv"] == pytest.approx(2 * found["exploitability"])
    assert sum(found["gains_mbb"].values()) == pytest.approx(found["nash_conv_mbb"])
    assert found["value_sb_mbb"] == found["values_mbb"]["SB"] == pytest.approx(found["value"] * 500)
    assert sum(found["values_mbb"].values()) == pytest.approx(0, abs=0.01)
    assert found["curve"][-1][0] == found["iterations"]
    assert found["seconds"] > 0
    assert 0 < found["memory_mb"] < 10
    opening = found["nodes"][""]
    assert (opening["player"], opening["actions"]) == ("SB", ["fold", "call", "raise to 2"])
    assert sum(opening["frequencies"]) == pytest.approx(1, abs=1e-5)
    assert set(opening["hands"]) == {"55", "44", "33", "22"} | {f"{p}{s}" for p in ("54", "53", "52", "43", "42", "32") for s in "so"}  # fmt: skip  # noqa: E501
    assert found["nodes"]["SBr2 BBr3"]["player"] == "SB"


def test_what_a_person_reads() -> None:
    text = call(*SMALL, "-n", "30").output
    assert "blinds 1/2, bets 2 and 2, at most 3 and 3 bets and raises; 12 cards, 66 hands, 48 flops up to suits" in text
    assert "(220 in all)" in text
    assert "memory 2.6 MB as float32" in text
    assert "mbb/hand (mean of both players; summed over both, NashConv: " in text
    assert "SB to act" in text
    assert "(nobody has acted)   pot 1.5 bb   SB in 0.5   BB in 1" in text
    assert "raise to 2" in text
    assert "55 r" in text
    assert "\x1b" not in text
    other = call(*SMALL, "-n", "30", "--line", "sbc").output
    assert "SBc   pot 2 bb   SB in 1   BB in 1\nBB to act" in other
    assert "x = check" in other


def test_settings_change_the_game() -> None:
    text = call(*SMALL, "-n", "5", "--set", "max_raises=[1,0]", "--set", "bets=[4,2]", "--storage", "int16").output
    assert "bets 4 and 2, at most 1 and 0" in text
    assert "raise to 3" in text
    assert "as int16 (" in text


def test_a_solution_is_saved_resumed_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "small.runout"
    first = report(*SMALL, "-n", "20", "--target", "0", "-o", str(path))
    assert first["iterations"] == 20
    more = report("--resume", str(path), "-n", "50", "--plot", str(tmp_path / "curve.svg"))
    assert more["iterations"] == 50
    assert more["seconds"] > first["seconds"]
    assert [t for t, _ in more["curve"]] == [10, 20, 30, 40, 50]
    assert more["curve"] == report(*SMALL, "-n", "50", "--target", "0")["curve"]
    assert (tmp_path / "curve.svg").stat().st_size > 1000
    loaded = runout.load(path)
    assert isinstance(loaded, runout.FlopSolution)
    assert loaded.iterations == 50
    assert loaded.assess().exploitability == pytest.approx(more["exploitability"])


def test_the_flop_game(tmp_path: Path) -> None:
    path = tmp_path / "game.runout"
    arguments = ["game", "flop-game", "--set", "flops=25", "--set", "preflop.stack_depth=10", "--set", "flop.raise=''"]
    text = CliRunner().invoke(app, [*arguments, "-n", "4", "-o", str(path), "--line", "SBr2.5"]).output
    assert "no-limit flop game: 10 bb, raises to 2.5 8 before the flop, bet 50%, raise nothing on it, then" in text
    assert "25 flops stand for 1,755: two hands see a flop 93.9% to 108.0% of the time" in text
    assert "10bb SBr2.5   pot 3.5 bb   SB in 2.5   BB in 1\nBB to act" in text
    assert "raise to 8 " in text
    more = CliRunner().invoke(app, ["game", "flop-game", "--resume", str(path), "-n", "6", "--json"])
    found = json.loads(more.stdout)
    assert (found["game"], found["iterations"]) == ("flop-game", 6)
    assert found["exploitability"] == pytest.approx(found["exploitability_mbb"])  # chips of a thousandth of a blind
    assert set(found["nodes"]["SBa"]["hands"]) >= {"AA", "AKs", "AKo", "72o"}
    assert runout.load(path).settings.flops == 25
    wrong = CliRunner().invoke(app, ["game", "flop-holdem", "--resume", str(path)])
    assert "is a solution of flop-game, not of flop-holdem" in str(wrong.exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "rank=5"], "unknown key 'rank': did you mean 'ranks'?"),
        (["--set", "ranks=99"], "ranks = 99"),
        (["--algorithm", "pcfr+"], "no algorithm 'pcfr+' runs on ranges"),
        (["--storage", "float16"], "solve.storage = 'float16'"),
        (["--target", "-1"], "solve.target = -1"),
        (["--line", "SBx"], "'SBx' is not possible: cannot check, there are 0.5 bb to call"),
        (["--resume", "nowhere"], "nowhere does not exist"),
        (["--compare", "cfr,cfr+"], "no --compare"),
        (["--backend", "jax"], "unknown backend 'jax'"),
        (["--device", "cpu"], "is for torch"),
        (["--plot", "curve.txt"], "curve.txt"),
    ],
)
def test_bad_input_is_refused_before_any_work(arguments: list[str], message: str) -> None:
    result = call(*arguments)
    assert isinstance(result.exception, RunoutError)
    assert message in " ".join(str(result.exception).split())


def test_its_flags_are_refused_for_small_games() -> None:
    result = CliRunner().invoke(app, ["game", "kuhn", "--threads", "1"])
    assert isinstance(result.exception, RunoutError)
    assert "for flop-holdem and flop-game only" in str(result.exception)
    with pytest.raises(RunoutError, match=r"runout\.solve_flop_holdem"):
        runout.solve_game("flop-holdem")


def test_too_little_memory_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runout.memory.available", lambda: 10**9)
    result = call("-n", "1")
    assert isinstance(result.exception, RunoutError)
    assert "this game needs 2.4 GB and 1.0 GB are free" in str(result.exception)


def test_from_a_shell() -> None:
    """One line on standard error and status 2."""
    command = [sys.executable, "-m", "runout.app.cli.main", "game", "flop-holdem", "--set", "suits=0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("runout: suits = 0: ")
    assert done.stderr.count("\n") == 1
