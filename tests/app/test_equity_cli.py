"""`runout equity` as a user meets it: a process with arguments, standard output, standard error and an exit status."""

import json
import os
import subprocess
import sys

import pytest


def runout(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "runout.app.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
        check=False,
    )


def test_json_is_one_object_and_nothing_else() -> None:
    done = runout("equity", "AA", "KK", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found.keys() == {"equity", "exact", "standard_error"}
    assert found["equity"] == pytest.approx([0.819461, 0.180539], abs=1e-6)
    assert found["exact"] is True
    assert found["standard_error"] == 0.0


def test_a_board_and_single_hands() -> None:
    done = runout("equity", "QQ+,AK", "22+", "--board", "Ah Kd 2c", "--json", "--hands")
    found = json.loads(done.stdout)
    assert sum(found["equity"]) == pytest.approx(1.0)
    first, second = found["hands"]
    assert first["AsAc"] == pytest.approx(0.97, abs=0.03)
    assert "AhAc" not in first  # on the board
    assert second.keys() >= {"2h2d", "AsAc", "7s7h"}


def test_samples_come_with_their_standard_error() -> None:
    found = json.loads(runout("equity", "AA", "KK", "--samples", "10000", "--seed", "3", "--json").stdout)
    assert found["exact"] is False
    assert 0.001 < found["standard_error"] < 0.01
    assert abs(found["equity"][0] - 0.819461) < 5 * found["standard_error"]


def test_a_table_for_people_without_colours_in_a_pipe() -> None:
    done = runout("equity", "[50]AKs[/50],AA:0.5", "KK", "--board", "Qs Jh 2h", "--hands")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    for part in ("board Qs Jh 2h", "[50]AKs[/50],AA:0.5", "KK", "exact over 1,176 boards", "AsKs", "KsKh"):
        assert part in done.stdout


def test_well_known_match_ups_without_arguments() -> None:
    done = runout("equity")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "81.946%" in done.stdout


def test_output_that_cannot_show_bars_still_shows_numbers() -> None:
    done = runout("equity", "AA", "KK", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "81.946%" in done.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m runout.app.cli.main equity AA random --board 'Ah Kd 2c' --hands | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == ""


BAD = {
    "AX": (["equity", "AX", "KK"], "'AX'"),
    "AAA": (["equity", "AAA", "KK"], "'AAA'"),
    "an empty hand": (["equity", "", "KK"], "empty range"),
    "one card twice in a hand": (["equity", "AsAs", "KK"], "holds As twice"),
    "one card twice on the board": (["equity", "AA", "KK", "--board", "2c 2c 3d"], "card 2c is given twice"),
    "a card on the board and dead": (
        ["equity", "AA", "KK", "--board", "2c 3c 3d", "--dead", "2c"],
        "2c is given twice",
    ),
    "a card on the board and in a hand": (["equity", "AsKd", "QQ", "--board", "As 7d 2c"], "blocked by As"),
    "no hand left": (
        ["equity", "AA", "KK", "--dead", "As Ah Ad"],
        "'AA' has no hand left: all are blocked by As Ah Ad",
    ),
    "one hand for both sides": (["equity", "AsKs", "AsKs"], "both need Ks As"),
    "a weight above 1": (["equity", "AA:1.5", "KK"], "weight 1.5 in 'AA:1.5' is out of range: use 0 to 1"),
    "a weight below 0": (["equity", "AA:-0.5", "KK"], "use 0 to 1"),
    "a weight above 100%": (["equity", "AA@150", "KK"], "use 0 to 100 percent"),
    "only weights of 0": (["equity", "AA:0", "KK"], "give at least one hand a weight above 0"),
    "[50] not closed": (["equity", "[50]AA", "KK"], "[50] is never closed: end it with [/50]"),
    "[/50] not opened": (["equity", "AA[/50]", "KK"], "[/50] closes nothing"),
    "[150]": (["equity", "[150]AA[/150]", "KK"], "use 0 to 100 percent"),
    "a board of two": (["equity", "AA", "KK", "--board", "As Kd"], "use 3 (flop), 4 (turn) or 5 (river)"),
    "no such card": (["equity", "AA", "KK", "--board", "As Kd Xx"], "unknown card 'Xx'"),
    "half a card": (["equity", "AA", "KK", "--board", "As Kd 2"], "two letters a card"),
    "no samples": (["equity", "AA", "KK", "--samples", "0"], "samples = 0: use 2 or more"),
    "samples that are no number": (["equity", "AA", "KK", "--samples", "many"], "--samples"),
    "a negative seed": (["equity", "AA", "KK", "--seed", "-1"], "--seed"),
    "a hand too few": (["equity", "AA"], "a second hand or range is needed"),
    "a hand too many": (["equity", "AA", "KK", "QQ"], "QQ"),
    "no hands for --json": (["equity", "--json"], "two hands are needed"),
    "an unknown option": (["equity", "AA", "KK", "--bord", "As Kd 2c"], "--bord"),
    "an unknown command": (["equty", "AA", "KK"], "equty"),
    "an unknown table": (["tables", "odds"], "unknown table 'odds': use equity or evaluator"),
    "a missing directory": (["tables", "evaluator", "-o", "nowhere/evaluator.npz"], "no such directory: nowhere"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_clear_line(
    what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from runout.app.cli.main import main

    arguments, part = BAD[what]
    monkeypatch.setattr(sys, "argv", ["runout", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert out == ""
    assert err.startswith("runout: ")
    assert err.count("\n") == 1
    assert part in err


@pytest.mark.parametrize("what", ["AX", "an unknown option", "an unknown command"])
def test_a_process_ends_with_status_2_and_no_traceback(what: str) -> None:
    done = runout(*BAD[what][0])
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
