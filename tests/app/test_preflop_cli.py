"""`runout preflop` as a user meets it: JSON, matrix, chart, files, bad input, and the explorer in a real terminal."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from runout.app.cli.main import app
from runout.app.cli.preflop_settings import parse_stacks
from runout.app.cli.prompt import answer
from runout.cursors.preflop_solution import load_preflop
from runout.cursors.view import Explorer
from runout.errors import RunoutError
from runout.explorers import open_explorer
from runout.games.preflop import Preflop
from runout.run.preflop import solve_preflop

QUICK = ("--preset", "tiny", "-n", "40")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["preflop", *arguments])


def report(*arguments: str) -> dict:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_push_fold_as_json() -> None:
    found = report("--tree", "push-fold", "--stack", "10")
    assert found["value_sb_bb"] == pytest.approx(-0.045371, abs=1e-5)
    assert 0 <= found["exploitability_mbb"] < 0.01
    assert found["iterations"] > 0
    assert found["seconds"] >= 0
    assert list(found["nodes"]) == ["", "SBa"]
    root, facing = found["nodes"][""], found["nodes"]["SBa"]
    assert (root["player"], root["actions"]) == ("SB", ["fold", "all-in 10"])
    assert (facing["player"], facing["actions"]) == ("BB", ["fold", "call"])
    assert root["percent_of_hands"][1] == pytest.approx(58.284, abs=0.05)
    assert facing["percent_of_hands"][1] == pytest.approx(37.376, abs=0.05)
    assert root["frequencies"][1] == pytest.approx(0.58284, abs=5e-4)
    assert len(root["hands"]) == 169
    assert root["hands"]["AA"] == [pytest.approx(0, abs=1e-6), pytest.approx(1, abs=1e-6)]
    assert root["ev_bb"]["43s"] == [pytest.approx(-0.5), pytest.approx(-0.5, abs=1e-3)]


def test_json_of_a_tree_sums_to_one_and_names_its_leaf_model() -> None:
    found = report(*QUICK)
    assert found["leaf"] == "solved"
    assert report(*QUICK, "--leaf", "equity")["leaf"] == "equity"
    assert found["value_sb_bb"] + found["value_bb_bb"] == pytest.approx(0, abs=1e-12)
    assert len(found["nodes"]) == 16
    for node in found["nodes"].values():
        assert sum(node["frequencies"]) == pytest.approx(1)
        assert all(sum(mix) == pytest.approx(1, abs=1e-6) for mix in node["hands"].values())
    below = report(*QUICK, "--action", "SBr2.5")["nodes"]
    assert set(below) == {line for line in found["nodes"] if line.startswith("SBr2.5")}


def test_the_text_names_figures_matrix_and_leaf_model() -> None:
    text = call(*QUICK, "--action", "SBr2.5").output
    for part in ("exploitability", "mbb/hand", "value to SB", "leaf model solved", "20bb SBr2.5   pot 3.5 bb"):
        assert part in text
    assert "BB to act" in text
    assert "72o f" in text
    assert "f = fold" in text
    assert "\x1b" not in text
    assert "leaf model realization" in call(*QUICK, "--leaf", "realization").output
    assert "no advice on how to play" in call(*QUICK, "--leaf", "equity").output


def test_without_a_game_the_chart_opens(tmp_path: Path) -> None:
    found = report()
    assert (found["leaf"], found["stack_bb"]) == ("whole-game", 100)
    assert report("--stack", "20")["nodes"]["SBr2"]["player"] == "BB"
    text = call("--action", "SBr2.5 BBr10").output
    assert "exploitability of the whole game" in text
    assert "100bb SBr2.5 BBr10   pot 12.5 bb" in text
    assert report("--stack", "19", "--nearest")["stack_bb"] == 20
    assert report("--stack", "19", "-n", "5")["leaf"] == "solved"  # a depth without a chart is solved
    assert report("--action", "SBr3", "--set", "solve.iterations=5")["leaf"] == "solved"  # and so are other sizes
    assert call("--stack", "20", "-o", str(tmp_path / "twenty")).exit_code == 0
    saved = load_preflop(tmp_path / "twenty")
    assert saved.leaf == "whole-game"
    assert saved.value == pytest.approx(report("--stack", "20")["value_sb_bb"])
    refused = call("--nearest", "--preset", "tiny")
    assert isinstance(refused.exception, RunoutError)
    assert "--nearest opens a chart" in str(refused.exception)


def test_stack_of_the_action_string_and_overrides() -> None:
    assert "50bb SBr2.5 BBa" in call(*QUICK, "--action", "50bb sbR2.5 bba").output
    assert report(*QUICK, "--stack", "15")["stack_bb"] == 15
    assert "SBc" not in report(*QUICK, "--set", "limps=false")["nodes"]
    assert "wins 0.5 bb" in call(*QUICK, "--action", "SBf").output


def test_a_chart_over_stacks(tmp_path: Path) -> None:
    found = report("--stacks", "5,10")
    assert found["value_sb_bb"] == [pytest.approx(0.056201, abs=1e-5), pytest.approx(-0.045371, abs=1e-5)]
    assert found["push_percent"] == [pytest.approx(71.484, abs=0.05), pytest.approx(58.284, abs=0.05)]
    assert found["call_percent"] == [pytest.approx(62.068, abs=0.05), pytest.approx(37.376, abs=0.05)]
    assert (found["push"]["AA"], found["push"]["Q2o"], found["push"]["32o"]) == (10, 5, 0)
    text = call("--stacks", "5:10:5", "--csv", str(tmp_path / "chart.csv")).output
    assert "SB pushes up to (bb)" in text
    assert "10+" in text
    rows = list(csv.DictReader((tmp_path / "chart.csv").open()))
    assert {"hand": "Q2o", "push": "5", "call": "5", "push_stacks": "5", "call_stacks": "5"} in rows
    seen = report("--stacks", "2:8")["push_stacks"]  # solved one by one, 63s folds at 3 to 5 bb
    assert seen["AA"] == [[2, 8]]
    assert seen["63s"] == [[2, 2], [7, 7]]
    assert parse_stacks("2:3:0.5") == [2, 2.5, 3]


def test_csv_has_every_hand_at_every_decision(tmp_path: Path) -> None:
    assert call(*QUICK, "--csv", str(tmp_path / "tiny.csv")).exit_code == 0
    rows = list(csv.DictReader((tmp_path / "tiny.csv").open()))
    assert len(rows) == 16 * 169
    first = rows[0]
    assert (first["line"], first["player"], first["hand"], first["combos"]) == ("", "SB", "AA", "6")
    actions = [name for name in first if f"ev {name}" in first]
    assert sum(float(first[name]) for name in actions if first[name]) == pytest.approx(1, abs=1e-6)


def test_a_solve_is_saved_and_resumed_to_the_same_numbers(tmp_path: Path) -> None:
    more = ("--preset", "tiny", "--target", "0")
    whole = report(*more, "-n", "50")
    report(*more, "-n", "20", "-o", str(tmp_path / "run"))
    resumed = report("--resume", str(tmp_path / "run"), "-n", "50", "--target", "0")
    assert resumed["nodes"] == whole["nodes"]
    assert json.loads((tmp_path / "run" / "meta.json").read_text())["reached"]["iterations"] == 50


def test_backends_agree() -> None:
    one, two = report(*QUICK), report(*QUICK, "--backend", "torch", "--device", "cpu")
    assert one["value_sb_bb"] == pytest.approx(two["value_sb_bb"], abs=1e-6)
    assert one["exploitability_mbb"] == pytest.approx(two["exploitability_mbb"], abs=1e-6)


def test_realization_factors_come_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "factors.yaml"
    table.write_text("sb: {rest: 1.2}\nbb: {rest: 0.8}\n")
    found = report(*QUICK, "--realization", str(table))
    assert found["leaf"] == "realization"
    assert found["value_sb_bb"] > report(*QUICK)["value_sb_bb"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--preset", "loose"], "unknown preset 'loose': use standard, aggressive, tiny"),
        (["nowhere.yaml"], "no such file: nowhere.yaml"),
        (["standard"], "--preset standard"),
        (["nowhere.yaml", "--preset", "tiny"], "give a file or --preset, not both"),
        (["--tree", "bush"], "unknown tree 'bush': use full or push-fold"),
        (["--tree", "push-fold"], "push/fold needs a stack: --stack 10"),
        (["--stack", "1"], "stack_depth = 1: blind and ante alone take 1 bb"),
        (["--stack", "nan"], "stack_depth = nan"),
        (["--stacks", "9:2"], "cannot read --stacks '9:2': use 2:25"),
        (["--stacks", "2:1e9"], "use at most 200"),
        (["--stacks", "2:5", "--action", "SBa"], "--stacks is a push/fold chart"),
        (["--stacks", "2:5", "--stack", "10"], "--stacks is a push/fold chart"),
        (["--device", "cuda"], "--device cuda is for torch"),
        (["--realization", "a.yaml", "--leaf", "equity"], "--realization is a file of the leaf model 'realization'"),
        (["--action", "BBr3"], "'BBr3' is out of turn: SB is to act"),
        (["--action", "BTNr3"], "unknown position in 'BTNr3'"),
        (["--action", "SBr2.6"], "cannot raise to 2.6 bb, it is not one of this game's sizes"),
        (["--stack", "20", "--action", "30bb SBf"], "--stack 20 and the 30bb of --action differ"),
        (["--leaf", "magic"], "leaf = 'magic'"),
        (["--leaf", "flop-game"], "the leaf model 'flop-game' needs a solved flop game"),
        (["--theme", "neon"], "unknown theme 'neon': use standard or classic"),
        (["--algorithm", "dcfrr"], "unknown algorithm 'dcfrr': did you mean 'dcfr'?"),
        (["--backend", "jax"], "unknown backend 'jax': use numba or torch"),
        (["--backend", "torch", "--device", "tpu"], "unknown device 'tpu'"),
        (["--set", "raise_sizes=[9q]"], "unknown raise size '9q'"),
        (["--set", "stak=9"], "unknown key 'stak'"),
        (["--target", "-1"], "solve.target = -1.0"),
        (["--csv", "nowhere/x.csv"], "cannot write nowhere/x.csv"),
        (["--resume", "nowhere"], "nowhere does not exist"),
        (["--flop-game", "nowhere"], "nowhere does not exist"),
        (["--flop-game", "nowhere", "--leaf", "equity"], "--flop-game is for the leaf model flop-game"),
    ],
)
def test_bad_input_is_refused_with_the_reason(arguments: list[str], reason: str) -> None:
    result = call(*arguments)
    assert isinstance(result.exception, RunoutError), result.output
    assert reason in str(result.exception)
    assert "\n" not in str(result.exception)


@pytest.mark.slow
def test_a_solved_flop_game_values_called_pots(tmp_path: Path) -> None:
    flop, own = str(tmp_path / "flop"), str(tmp_path / "own")
    game = ["game", "flop-game", "-n", "5", "--set", "flops=25", "-o", flop, "--json"]
    assert CliRunner().invoke(app, game).exit_code == 0
    raked = CliRunner().invoke(app, ["preflop", "--flop-game", flop, "--set", "rake.percent=5", "--json"])
    assert isinstance(raked.exception, RunoutError)
    assert "solved without rake" in str(raked.exception)
    found = report("--flop-game", flop, "-o", own)
    assert found["leaf"] == "flop-game"
    assert found["value_sb_bb"] + found["value_bb_bb"] == pytest.approx(0, abs=1e-12)
    assert found["exploitability_mbb"] < 0.2
    resumed = report("--resume", own)  # brings its values along
    assert resumed["leaf"] == "flop-game"
    assert resumed["value_sb_bb"] == pytest.approx(found["value_sb_bb"], abs=1e-3)


@pytest.fixture(scope="module")
def tiny() -> Explorer:
    return open_explorer(solve_preflop(Preflop.preset("tiny"), iterations=40))


@pytest.mark.parametrize(
    ("at", "words", "line"),
    [
        ("", "SBr2.5 BBr8", "SBr2.5 BBr8"),
        ("SBr2.5", "BBr8 SBc", "SBr2.5 BBr8 SBc"),
        ("SBr2.5", "r8 c", "SBr2.5 BBr8 SBc"),
        ("SBr2.5 BBr8", "SBr2.5 BBa", "SBr2.5 BBa"),  # a whole line
        ("SBr2.5", "raise to 8", "SBr2.5 BBr8"),
        ("SBr2.5", "BACK", ""),
        ("SBr2.5 BBr8", "root", ""),
    ],
)
def test_the_prompt_goes_all_the_way(tiny: Explorer, at: str, words: str, line: str) -> None:
    view, message = answer(tiny, tiny.at(at), words)
    assert (view.line, message) == (line, "")


@pytest.mark.parametrize(
    ("at", "words", "why"),
    [
        ("", "SBr2.5 BBr999", "BBr999"),
        ("SBr2.5", "BBr8 SBr9", "SBr9"),
        ("SBr2.5", "SBr2.5 BBr9", "BBr9"),
        ("", "b", "nothing to go back to"),
        ("", "zz", "unknown action 'zz'"),
    ],
)
def test_the_prompt_stays_and_says_what_is_wrong(tiny: Explorer, at: str, words: str, why: str) -> None:
    view, message = answer(tiny, tiny.at(at), words)
    assert view.line == at
    assert why in message


@pytest.mark.parametrize(
    ("words", "hands"), [("aks", ["AKs"]), ("AK", ["AKs", "AKo"]), ("AcKh", ["AKo"]), ("77", ["77"])]
)
def test_the_prompt_answers_hands(tiny: Explorer, words: str, hands: list[str]) -> None:
    view, message = answer(tiny, tiny.at("SBr2.5"), words)
    assert view.line == "SBr2.5"
    assert [line.partition(":")[0] for line in message.splitlines()] == hands
    assert "EV" in message


@pytest.mark.parametrize("missing", ["stack_depth", "raise_sizes"])
def test_a_missing_key_is_named_with_its_file(tmp_path: Path, missing: str) -> None:
    settings = {"stack_depth": "100", "raise_sizes": "[2.5, 8]"}
    (tmp_path / "game.yaml").write_text("".join(f"{k}: {v}\n" for k, v in settings.items() if k != missing))
    command = [sys.executable, "-m", "runout.app.cli.main", "preflop", str(tmp_path / "game.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"runout: game.yaml: missing key '{missing}'\n"


class Terminal:
    """A program in a pseudo-terminal of 100 × 30."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (30, 100))
        command = [sys.executable, "-m", "runout.app.cli.main", "preflop", *arguments]
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)

    def screen(self, until: str = "> ", seconds: float = 300.0) -> str:
        """What is written until a prompt comes."""
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    text += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break  # the program has ended
            elif text.endswith(until):
                return text
        return text

    def enter(self, words: str) -> str:
        os.write(self.master, words.encode() + b"\n")
        return self.screen()

    def close(self) -> int:
        status = self.process.wait(timeout=300)
        os.close(self.master)
        return status


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal(*QUICK, "--action", "SBr2.5")
    yield opened
    if opened.process.poll() is None:
        opened.process.kill()


def test_the_explorer_walks_the_tree_in_a_terminal(terminal: Terminal) -> None:
    first = terminal.screen()
    assert "20bb SBr2.5   pot 3.5 bb" in first
    assert "BB to act" in first
    assert "\x1b[" in first
    assert "48;2;" in first  # true colours
    assert "f c r8 a   b back   q quit" in first
    assert "20bb SBr2.5 BBr8   pot 10.5 bb" in terminal.enter("r8")
    assert "20bb SBr2.5 BBr8 SBc   pot 16 bb" in terminal.enter("CALL")
    over = terminal.enter("call")
    assert "betting is over: the pot is called and the flop comes" in over
    assert "20bb SBr2.5 BBr8   pot 10.5 bb" in terminal.enter("b")
    assert "20bb SBr2.5   pot 3.5 bb" in terminal.enter("back")
    refused = re.sub(r"\x1b\[[0-9;]*m|\r\n", "", terminal.enter("r9"))  # without colours, and as one line
    assert "cannot raise to 9 bb, it is not one of this game's sizes: use 8, 20" in refused
    assert "unknown action 'zz'" in terminal.enter("zz")
    assert "AA: " in terminal.enter("aa")
    assert "SBr2.5 BBa   pot 22.5 bb" in terminal.enter("allin")
    assert "SB folded; BB wins 2.5 bb" in terminal.enter("f")
    assert "nothing to go back to" in [terminal.enter("root"), terminal.enter("b")][1]
    assert "BB to act" in terminal.enter("c")
    assert "the flop comes" in terminal.enter("x")
    os.write(terminal.master, b"q\n")
    assert terminal.close() == 0


def test_the_explorer_ends_with_its_input(terminal: Terminal) -> None:
    terminal.screen()
    os.write(terminal.master, b"\x04")
    assert terminal.close() == 0


@pytest.mark.parametrize("theme", ["standard", "classic"])
def test_a_terminal_without_prompt_shows_the_matrix_in_colour(theme: str) -> None:
    opened = Terminal(*QUICK, "--no-interactive", "--theme", theme)
    text = opened.screen(until="no prompt comes")
    assert opened.close() == 0
    assert "48;2;" in text
    assert "> " not in text.splitlines()[-1]
