"""`runout solve` and `runout export` as a user meets them: JSON, matrix, files, and one clear line for bad input."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import runout
from runout.app.cli.main import app
from runout.app.matrix import action_colors, legend, matrix_lines, plain_keys, plain_lines
from runout.cards.hands import class_index
from runout.cursors.view import ActionView
from runout.errors import RunoutError

RIVER = ("--board", "Qs Jh 2h 3c 7d")
SPOT = """
board: Qs Jh 2h 3c 7d
pot: 100
stack: 200
ranges: {oop: "QQ+,AKs,T9s", ip: "JJ-99,AQs,KQs"}
betting:
  river: {bet: "50%", raise: "60%"}
big_blind: 10
solve: {target: 0.5}
"""


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def report(*arguments: str) -> dict:
    result = call("solve", *arguments, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def spot_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spots") / "river.yaml"
    path.write_text(SPOT)
    return path


@pytest.fixture(scope="module")
def bundle(spot_file: Path) -> Path:
    path = spot_file.parent / "river.runout"
    report(str(spot_file), "-o", str(path))
    return path


def test_json_has_what_is_promised(spot_file: Path) -> None:
    found = report(str(spot_file))
    assert sum(found["ev"]) == pytest.approx(100, abs=0.01)
    assert sum(found["equity"]) == pytest.approx(1)
    assert 0 <= found["exploitability_pct"] <= 0.5
    assert found["exploitability_mbb"] == pytest.approx(found["exploitability_pct"] * 100)
    assert found["iterations"] >= 10
    assert found["seconds"] >= 0
    assert found["memory_mb"] > 0
    assert found["root"]["player"] == "oop"
    assert found["root"]["actions"] == ["check", "bet 50"]
    assert sum(found["root"]["frequencies"]) == pytest.approx(1)
    assert found["lines"][0]["share"] >= found["lines"][-1]["share"]


def test_a_street_by_itself_says_whose_values_it_has() -> None:
    asked = ("--board", "Td9d6hQc", "--leaf", "network", "-n", "4")
    assert report(*asked)["leaf"] == "network"
    done = call("solve", *asked)
    assert done.exit_code == 0
    assert "by the values of a network" in done.output
    assert "x-x" in done.output
    for more, says in ((("--rake", "5"), "no rake"), (("--backend", "torch"), "another backend")):
        refused = call("solve", *asked, *more)
        assert (refused.exit_code, type(refused.exception)) != (0, type(None))
        assert says in str(refused.exception)


def test_flags_are_settings(spot_file: Path) -> None:
    found = report(str(spot_file), "--pot", "60", "--bet", "50%, 100%", "--max-raises", "0", "--rake", "5", "-n", "20")
    assert found["root"]["actions"] == ["check", "bet 30", "bet 60"]
    assert sum(found["ev"]) < 60
    one_street = report(str(spot_file), "--bet", "50%", "--river-bet", "a", "--add-all-in", "3", "-n", "20")
    assert one_street["root"]["actions"] == ["check", "all-in 200"]
    assert report(str(spot_file), "--set", "betting.river.oop.bet=25%")["root"]["actions"] == ["check", "bet 25"]
    other = report(str(spot_file), "--oop", "AA", "--ip", "KK", "--algorithm", "cfr+", "-n", "30", "--target", "0")
    assert (other["algorithm"], other["iterations"]) == ("cfr+", 30)
    assert other["equity"] == [1.0, 0.0]


def test_a_quick_look_needs_no_file() -> None:
    found = report("--board", "2c3h4d5s6s", "--spr", "10", "--set", "solve.target=1")
    assert sum(found["ev"]) == pytest.approx(200, abs=0.01)
    assert report(*RIVER, "--spr", "0.5", "--bet", "a")["root"]["actions"] == ["check", "all-in 100"]


def test_what_is_printed_without_a_terminal(spot_file: Path) -> None:
    text = call("solve", str(spot_file)).output
    assert "\x1b" not in text
    assert text.startswith("river Qs Jh 2h 3c 7d   pot 100   stack 200 (2 pots)\nOOP")
    for part in ("memory", "exploitability 0.", "mbb/hand", "OOP to act", "most common lines", "x = check", "EQR"):
        assert part in text
    assert "AA " in text
    assert "KTs" not in text  # hands out of the range are dots


def test_the_tree_alone(spot_file: Path) -> None:
    text = call("solve", str(spot_file), "--show-tree").output
    assert "Betting tree" in text
    assert "memory" in text
    assert "exploitability" not in text
    found = report(str(spot_file), "--show-tree")
    assert found["streets"][0]["street"] == "river"


def test_solutions_are_saved_and_resumed(bundle: Path, spot_file: Path, tmp_path: Path) -> None:
    solution = runout.load(bundle)
    assert isinstance(solution, runout.Solution)
    before = solution.iterations
    found = report("--resume", str(bundle), "-o", str(tmp_path / "more"), "--target", "0", "-n", "400")
    assert found["iterations"] == 400 > before
    whole = report(str(spot_file), "--target", "0", "-n", "400")
    assert found["ev"] == whole["ev"]
    assert found["exploitability_pct"] == whole["exploitability_pct"]
    assert runout.load(bundle).iterations == before  # saved to -o, not over what was resumed


BAD = [
    (["--board", "Qs"], "board 'Qs' has 1 card: use 3"),
    (["--board", "Qs Jh"], "has 2 cards"),
    (["--board", "QsJh2h3c4d5s"], "has 6 cards"),
    (["--board", "Qs Qs 2h"], "card Qs is given twice"),
    (["--board", ""], "the board is empty"),
    (["--ip", "QsQh", "--board", "Qs Jh 2h"], "ranges.ip 'QsQh' has no hand left: all are blocked by Qs"),
    (["--oop", "AA", "--ip", "AA", "--board", "AsAh2c3d4h"], "no two hands can meet"),
    (["--stack", "0"], "stack = 0"),
    (["--pot", "-5"], "pot = -5"),
    (["--flop-bet", "2x"], "betting.flop.bet: bet size '2x' makes no legal bet"),
    (["--bet", "0%"], "bet size '0%' makes no legal bet"),
    (["--board", "QsJh2h3c", "--flop-bet", "50%"], "--flop-bet does nothing: the hand begins on the turn"),
    (["--board", "QsJh2h3c", "--turn-donk", "50%"], "--turn-donk does nothing: a donk bet needs a street before it"),
    (["--max-bets", "1", "--flop-raise", "60%"], "--flop-raise does nothing: max_bets = 1 leaves no such raise"),
    (["--bet", "a", "--raise", "60%"], "--raise does nothing: nobody can ever make such a raise on the flop"),
    (["--pot", "5.5"], "pot = 5.5 is less than big_blind = 10"),
    (["--set", "betting.flop.oop.donk=50%"], "does nothing: a donk bet needs a street before it"),
    (["--lock", "x: x=1", "--lock", "x: b150=1"], "two locks give the range a strategy at 'x'"),
    (["--bet", "50p"], "unknown bet size '50p'"),
    (["--set", "betting.flop.bett=50%"], "unknown key 'betting.flop.bett': did you mean 'bet'?"),
    (["--set", "colour=1"], "unknown key 'colour'"),
    (["--spr", "3", "--stack", "100"], "differ: give one of the two"),
    (["--algorithm", "magic"], "no algorithm 'magic' runs on ranges: use auto, cfr"),
    (["--algorithm", "pcfr+"], "no algorithm 'pcfr+' runs on ranges"),
    (["--positions", "BB"], "positions: give two names, the player out of position first, not BB"),
    (["--storage", "int8"], "solve.storage = 'int8'"),
    (["--theme", "pink"], "unknown theme 'pink'"),
    (["--iterations", "0"], "solve.iterations = 0"),
    (["--target", "-1"], "solve.target = -1"),
    (["--oop", "AsAh:1e-38"], "ranges.oop is too faint to count with: its largest weight is 1e-38"),
    (["--ip", "AsAh:1e-300"], "ranges.ip is too faint to count with"),
    (["--pot", "99999999999999999999"], "pot = 100000000000000000000"),
    (["nothing.yaml"], "no such file: nothing.yaml"),
    (["--resume", "nothing"], "nothing does not exist"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_clear_line(arguments: list[str], message: str) -> None:
    result = call("solve", *arguments)
    assert isinstance(result.exception, RunoutError)  # main() prints it as one line
    assert message in str(result.exception)
    assert result.stdout == ""


def test_a_spot_that_does_not_fit_is_refused(spot_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runout.memory.available", lambda: 1000)
    result = call("solve", str(spot_file))
    assert isinstance(result.exception, RunoutError)
    assert "are free: the river takes" in str(result.exception)
    assert "exploitability" not in result.stdout


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(SPOT.replace("stack:", "stak:"))
    result = call("solve", str(bad))
    assert "bad.yaml: unknown key 'stak': did you mean 'stack'?" in str(result.exception)


def test_status_two_and_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "runout.app.cli.main", "solve", "--board", "Qs"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "runout: board: board 'Qs' has 1 card: use 3 (flop), 4 (turn) or 5 (river)\n"


def test_nothing_is_overwritten(tmp_path: Path, spot_file: Path) -> None:
    (tmp_path / "keep").write_text("mine")
    result = call("solve", str(spot_file), "-o", str(tmp_path / "keep"))
    assert "nothing was overwritten" in str(result.exception)
    assert (tmp_path / "keep").read_text() == "mine"


def test_ctrl_c_stops_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "stopped.runout"
    command = [sys.executable, "-m", "runout.app.cli.main", "solve", "--board", "Qs Jh 2h 3c", "--target", "0"]
    leader, follower = pty.openpty()
    process = subprocess.Popen([*command, "-n", "1000000", "-o", str(path)], stdout=follower, stderr=follower)
    os.close(follower)
    seen = b""
    deadline = time.monotonic() + 300  # a first run compiles
    while time.monotonic() < deadline and b"% of the pot" not in seen:
        if select.select([leader], [], [], 0.5)[0]:
            seen += os.read(leader, 65536)
    process.send_signal(signal.SIGINT)
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(leader)
    assert process.wait(300) == 130, seen
    assert b"stopped early" in seen
    assert b"saved to " in seen
    assert b"\x1b[" in seen  # colours on a terminal
    solution = runout.load(path)
    assert solution.iterations > 0


# Export


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_node_as_csv(bundle: Path) -> None:
    found = rows(call("export", str(bundle), "x").stdout)
    node = runout.load(bundle).at("x")
    assert {row["player"] for row in found} == {"ip", "oop"}
    own = [row for row in found if row["player"] == "ip"]
    assert len(own) == (~np.isnan(node.strategy()[0])).sum()
    for row in own:
        assert float(row["check"]) + float(row["bet 50"]) == pytest.approx(1, abs=1e-5)
        assert float(row["ev"]) == pytest.approx(node.ev(row["hand"]), abs=1e-3)
        assert float(row["equity"]) == pytest.approx(node.equity(row["hand"]), abs=1e-5)
        assert float(row["reach"]) == pytest.approx(1)
        assert float(row["ev bet 50"]) == pytest.approx(node.action_evs(row["hand"])["bet 50"], abs=1e-3)
    other = [row for row in found if row["player"] == "oop"]
    assert all(row["check"] == "" for row in other)


def test_a_line_and_below_as_json(bundle: Path, tmp_path: Path) -> None:
    target = tmp_path / "below.json"
    assert call("export", str(bundle), "--below", "-o", str(target)).exit_code == 0
    nodes = {node["line"]: node for node in json.loads(target.read_text())["nodes"]}
    assert set(nodes) >= {"", "x", "b50", "x-b50"}
    root = nodes[""]
    assert root["actions"] == ["check", "bet 50"]
    assert np.sum(root["oop"]["strategy"], axis=0) == pytest.approx(1, abs=1e-5)
    assert "strategy" not in root["ip"]
    assert sum(root["ev"]) == pytest.approx(100, abs=0.01)
    assert list(tmp_path.iterdir()) == [target]


def test_below_as_csv_has_a_column_for_every_action(bundle: Path) -> None:
    found = rows(call("export", str(bundle), "--below").stdout)
    assert {"", "x", "b50"} <= {row["line"] for row in found}
    facing = [row for row in found if row["line"] == "b50" and row["player"] == "ip"]
    assert all(row["check"] == "" and row["fold"] != "" for row in facing)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x-b99"], "'b99' is not possible"),
        (["x", "--format", "xml"], "unknown format 'xml': use csv or json"),
        (["x-x", "--below"], "nothing below it"),
        (["x", "-o", "/no/such/folder/a.csv"], "cannot write"),
    ],
)
def test_bad_exports_are_refused(bundle: Path, arguments: list[str], message: str) -> None:
    result = call("export", str(bundle), *arguments)
    assert isinstance(result.exception, RunoutError)
    assert message in str(result.exception)


# The matrix

MENU = ["fold", "call", "raise", "raise", "all-in"]


def test_colours_go_from_amber_to_red_by_size() -> None:
    fold, call_, small, large, all_in = action_colors(MENU)
    assert fold[2] > max(fold[:2])  # blue
    assert call_[1] > max(call_[0], call_[2])  # green
    assert small[1] > large[1] > all_in[1]  # less and less yellow
    assert small[0] > all_in[0]  # and all-in the darkest
    classic = action_colors(MENU, "classic")
    assert classic[0][0] > max(classic[0][1:])  # fold red
    assert classic[2][2] > max(classic[2][:2])  # raises blue
    assert min(classic[4][:2]) > classic[4][2]  # all-in yellow


def test_cells_are_filled_in_proportion() -> None:
    strategy = np.full((2, 169), np.nan)
    weight = np.zeros(169)
    strategy[:, class_index("AA")], weight[class_index("AA")] = (0.5, 0.5), 1.0
    strategy[:, class_index("AKs")], weight[class_index("AKs")] = (0.0, 1.0), 0.5
    menu = ["check", "bet"]
    lines = matrix_lines(menu, strategy, weight, 91)
    assert len(lines) == 13
    assert all(len(line.plain) == 91 for line in lines)
    check, bet = ("#{:02x}{:02x}{:02x}".format(*color) for color in action_colors(menu))
    styles = [str(span.style) for span in lines[0].spans for _ in range(span.end - span.start)]
    assert sum(check in style for style in styles) == 3
    assert sum(bet in style for style in styles) == 3 + 3  # half of AA, half a cell of AKs
    assert max(len(line.plain) for line in matrix_lines(menu, strategy, weight, 40)) == 52


def test_the_plain_matrix_names_the_usual_action() -> None:
    strategy, weight = np.full((5, 169), np.nan), np.zeros(169)
    strategy[:, class_index("AA")], weight[class_index("AA")] = (0, 0.1, 0, 0.7, 0.2), 1
    strategy[:, class_index("72o")], weight[class_index("72o")] = (1, 0, 0, 0, 0), 1
    lines = plain_lines(MENU, strategy, weight)
    assert lines[0].startswith("AA r2:70")
    assert "72o f" in lines[12]
    assert plain_keys(MENU) == ["f", "c", "r1", "r2", "a"]
    names = ["fold", "call", "raise to 150", "raise to 300", "all-in 900"]
    actions = [ActionView("", name, kind, 0.0, 0.2) for name, kind in zip(names, MENU, strict=True)]
    assert legend(actions, color=False).plain.startswith("f = fold 20.0%   c = call 20.0%   r1 = raise to 150")


def test_int16_with_stacks_that_are_too_deep_for_it_is_said() -> None:
    arguments = ["solve", "--board", "Qs Jh 2h 3c 7d", "--oop", "QQ", "--ip", "JJ", "--pot", "1", "-n", "1", "-q"]
    deep = CliRunner().invoke(app, [*arguments, "--stack", "1000", "--storage", "int16", "--river-bet", "a"])
    assert "int16 is coarse for stacks above 100 pots" in deep.output
    for more in (["--stack", "50", "--storage", "int16"], ["--stack", "1000"]):
        assert "coarse" not in CliRunner().invoke(app, [*arguments, *more, "--river-bet", "a"]).output


def test_another_game_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    common = ["solve", "--board", "Qs Jh 2h 3c 7d", "--oop", "QQ", "--ip", "JJ", "-n", "1", "-q"]
    common += ["-o", str(tmp_path / "x")]
    assert CliRunner().invoke(app, [*common, "--pot", "10", "--stack", "20"]).exit_code == 0
    refused = CliRunner().invoke(app, [*common, "--pot", "11", "--stack", "20"])
    assert "holds a postflop solution of another game" in str(refused.exception)
    assert CliRunner().invoke(app, [*common, "--pot", "10", "--stack", "20"]).exit_code == 0
    assert CliRunner().invoke(app, [*common, "--pot", "11", "--stack", "20", "--force"]).exit_code == 0
    kuhn = CliRunner().invoke(app, ["game", "kuhn", "-n", "1", "-o", str(tmp_path / "x")])
    assert "holds a postflop solution: choose another name, or give --force" in str(kuhn.exception)


def test_the_result_is_printed_and_kept_elsewhere_when_the_disk_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runout import files

    def no_room(folder: Path) -> None:
        if folder == tmp_path:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "flush_names", no_room)
    done = CliRunner().invoke(app, ["game", "kuhn", "-n", "5", "--json", "-o", str(tmp_path / "x")])
    assert done.exit_code == 1
    record = json.loads(next(line for line in done.output.splitlines() if line.startswith("{")))
    assert record["stopped"] == "iterations"
    kept = Path(record["save_error"].rpartition("saved to ")[2].removesuffix(" instead"))
    assert runout.load(kept).iterations == 5
    shutil.rmtree(kept.parent)


def test_a_bad_flag_is_not_blamed_on_the_file(spot_file: Path) -> None:
    result = call("solve", str(spot_file), "--pot", "0")
    assert str(result.exception).startswith("pot = 0")
