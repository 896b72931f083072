"""Every command, Python snippet and YAML block that README.md and docs/ show works, in the order of its page.

Commands are collected from the pages, so a new one is run without being listed here. `REDUCED` says with which smaller
settings the long ones are run, `PREPARED` what a page takes for granted. The commands of a page run one after the other
in a process of their own, which says how long each took: `python tests/test_documents.py README.md`.
"""

from __future__ import annotations

import functools
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import runout
from runout.app.cli.main import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

SMALL_DECK = "--set game.ranks=4 --set game.suits=3"
TINY_NETWORK = "--set network.hidden_dim=8 --set network.depth=1 --set sgd.steps=2 --set sgd.batch_size=64"
FEW_WALKS = "--set training.traversals_per_iter=8"
ONE_RAISE = "--set game.max_raises=[1,1,1,1]"

# The first pattern that a command matches says what is added to it: the last value of a flag is the one that counts.
REDUCED = [
    (r"runout match .*bot:", "--hands 8"),
    (r"runout evaluate .*bot:", "--hands 2"),
    (r"runout solve .*--show-tree", ""),
    (r"runout report --resume", "--quiet"),
    (r"runout report", "-n 2 --flops 2 --workers 1 --bet a --raise '' --oop QQ+ --ip JJ-99"),
    (r"runout solve", "-n 2"),
    (r"runout preflop .*--stacks", "--stacks 2,10"),
    (r"runout preflop( --stack \d+| --action \"[^\"]*\"| --nearest| -o \S+)*$", "--no-interactive"),  # charts
    (r"runout preflop", "-n 25 --no-interactive"),
    (r"runout game flop-holdem", "--set ranks=4 --set suits=3 -n 3"),
    (r"runout game flop-game", "--set flops=25 -n 2"),
    (r"runout game .*openspiel", "-n 2"),
    (r"runout game", "-n 20"),
    (r"runout train .*leduc-raw", "-n 2 --set sgd.steps=2 --set training.traversals_per_iter=5"),
    (r"runout train .*leduc.yaml( +--seconds.*)?$", "-n 100 --set sgd.steps=1 --set checkpoint.interval=100"),
    (r"runout train .*kuhn.yaml --resume", "-n 4 --set sgd.steps=2"),
    (r"runout train .*(kuhn|leduc).* --solver (mccfr|sequence)", "-n 3"),
    (r"runout train .*(kuhn|leduc)", "-n 3 --set sgd.steps=2"),
    (r"runout train .*hunl", "-n 1 --set blueprint.boards=2"),
    (r"runout evaluate .*hunl", "--flops 2"),
    (r"runout train .*flop-holdem.yaml --solver mccfr", f"{SMALL_DECK} {FEW_WALKS} -n 2"),
    (r"runout train .*flop-holdem.yaml --solver", f"{SMALL_DECK} -n 2"),
    (r"runout train .*flop-holdem", f"{SMALL_DECK} {TINY_NETWORK} -n 2 --workers 1"),
    (r"runout train .*exact-small", "-n 2"),
    (r"runout train .*interval=40", f"{FEW_WALKS} -n 40"),
    (r"runout train .*limit.yaml --solver mccfr", f"{SMALL_DECK} {FEW_WALKS} -n 2"),
    (
        r"runout train .*nolimit",
        f"{TINY_NETWORK} --set training.traversals_per_iter=1 -n 1 --workers 1 --set game.max_bets=1",
    ),
    (r"runout train .*limit", f"{SMALL_DECK} {TINY_NETWORK} --set training.traversals_per_iter=1 -n 1 --workers 1"),
    (r"runout evaluate .*--eval-deals", "--hands 2 --eval-deals 2"),
    (r"runout evaluate .*limit", "--hands 2 --method lbr"),
    (r"runout match .*(hunl|bb )", "--hands 100 --aivat 8"),
    (r"runout match", "--hands 100"),
    (r"runout deals make", "--count 500 --min-per-class 1"),
    (r"runout hands", "-n 20"),
    (r"runout review .*--read-only", ""),
    (r"runout review", "--limit 1 --target 100"),
    (r"runout web", "--port 0 --no-open"),
]
SLOW = (r"game flop-game", r"nolimit-25bb", r"hunl", r"train .*configs/train/limit.yaml$")  # half a minute each

# What a page says of settings and words that stand for something.
WORDS = {"[--json]": "--json", "SOLUTION ...": "spot.runout", "DIR": "library"}
SNIPPETS = {
    "target=0.3": "target=0.3, iterations=2",
    '"spot.yaml", "2", ': 'runout.Spot.default(ranges={"oop": "QQ+", "ip": "JJ-99"}), "2", workers=1, ',
    "hands=2000, eval_deals=8": "hands=2, eval_deals=2",
    "ranks=6, suits=4": "ranks=4, suits=3",
    '"iterations": 400': '"iterations": 2',
}

SOLVE = "runout solve spot.yaml -o spot.runout"
LIMIT = f"runout train -c configs/train/limit.yaml --solver mccfr --set checkpoint.interval=40 {ONE_RAISE} -o"
PREPARED = {
    "evaluation.md": [f"{LIMIT} runs/limit", f"{LIMIT} runs/other --seed 1"],
    "files.md": [SOLVE],
    "hands.md": [
        "runout preflop --stack 40 -o preflop.runout",
        f"{LIMIT.replace('limit', 'nolimit-25bb').replace(ONE_RAISE, '--set game.max_bets=2')} runs/bot",
    ],
    "explore.md": [SOLVE, f"{LIMIT} runs/limit"],
    "postflop.md": ["runout preflop --tree push-fold --stack 10 -o push.runout", f"{LIMIT} runs/limit"],
    "web.md": [SOLVE],
    "interop.md": ["runout convert spot.yaml tree.txt --to pio"],
}


def commands(page: Path) -> list[str]:
    """Indented, fenced and quoted commands, without what is said about them beside or behind them."""
    found = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if re.match(r"(    )?(\$ )?runout [a-z]", line):
            for word, meant in WORDS.items():
                line = line.replace(word, meant)
            found.append(re.split(r"\s{2,}|\s#", line.strip())[0])
        else:  # in the text; `runout solve` alone and `runout evaluate RUN` name a command and show none
            quoted = re.findall(r"`(runout [a-z-]+ [^`]+)`", line)
            found += [text for text in quoted if not re.search(r"\b[A-Z]{3,}\b| -.$|deals make$", text)]
    return found


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def texas_script() -> str:
    """The console script that docs/interop.md shows."""
    return next(text for text in blocks(ROOT / "docs" / "interop.md", "") if text.startswith("set_pot"))


def is_slow(command: str) -> bool:
    return any(re.search(pattern, command) for pattern in SLOW)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the configs, the spot of docs/postflop.md as spot.yaml, the game of docs/preflop.md, hands."""
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    (tmp_path / "spot.yaml").write_text(blocks(ROOT / "docs" / "postflop.md", "yaml")[0], encoding="utf-8")
    (tmp_path / "script.txt").write_text(texas_script(), encoding="utf-8")
    shutil.copy(ROOT / "tests" / "data" / "hands" / "heads_up.phhs", tmp_path / "hands.phhs")
    (tmp_path / "chart.rng").write_text("AA\n1;0\nAKs\n0.5;0\n", encoding="utf-8")
    (tmp_path / "game.yaml").write_text(blocks(ROOT / "docs" / "preflop.md", "yaml")[0], encoding="utf-8")
    (tmp_path / "hands.phhs").write_bytes((ROOT / "tests" / "data" / "hands" / "heads_up.phhs").read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUNOUT_LIBRARY", str(tmp_path / "library"))
    return tmp_path


def start_and_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let server and terminal explorer really start, and end at once."""
    from runout.app.tui.app import ExplorerApp
    from runout.app.tui.play_app import PlayApp
    from runout.app.tui.report_app import ReportApp
    from runout.app.web import server

    class Brief(server._Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            self.should_exit = True

    async def leave(pilot: Any) -> None:
        await pilot.pause()
        await pilot.press("q")

    monkeypatch.setattr(server, "_Server", Brief)
    for shown in (ExplorerApp, PlayApp, ReportApp):
        monkeypatch.setattr(shown, "run", functools.partialmethod(shown.run, headless=True, auto_pilot=leave))


def run(command: str) -> None:
    """Run a command with smaller settings; standard output goes where it says."""
    less = next((extra for pattern, extra in REDUCED if re.search(pattern, command)), "")
    shown, _, target = command.partition(" > ")
    name, *arguments = shlex.split(f"{shown} {less}")
    assert name == "runout"
    if arguments[0] in ("explore", "play"):  # which asks for a terminal
        with pytest.MonkeyPatch.context() as patch, suppress(SystemExit):
            patch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
            patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
            app(arguments, standalone_mode=False)
        return
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception!r}"
    if target:
        Path(target).write_text(done.stdout, encoding="utf-8")


def go_through(page: Path, chosen: Callable[[str], bool]) -> None:
    for command in PREPARED.get(page.name, []):
        run(command)
    for command in filter(chosen, dict.fromkeys(commands(page))):
        output = re.search(r"-c configs/train/([\w-]+)\.yaml", command)
        if output and "--resume" not in command and " -o " not in command:
            shutil.rmtree(Path("runs") / output[1], ignore_errors=True)  # another page's, or another solver's
        begun = time.perf_counter()
        run(command)
        print(f"{time.perf_counter() - begun:6.1f} s  {command}", flush=True)


WITH_COMMANDS = [page for page in PAGES if commands(page)]


def in_a_process(page: Path, *more: str) -> None:
    done = subprocess.run([sys.executable, __file__, page.name, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_the_commands_of_a_page_run(page: Path) -> None:
    assert any(not is_slow(command) for command in commands(page))
    in_a_process(page)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.name)
def test_all_commands_of_a_page_run_the_slow_ones_too(page: Path) -> None:
    in_a_process(page, "--slow")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path) -> None:
    for command in PREPARED.get(page.name, []):
        run(command)
    names: dict[str, Any] = {"runout": runout, "game": runout.Preflop.push_fold(10), "my_model": Halves()}
    for number, source in enumerate(blocks(page, "python")):
        for shown, smaller in SNIPPETS.items():
            source = source.replace(shown, smaller)
        exec(compile(source, f"{page.name}, block {number + 1}", "exec"), names)


class Halves:
    """A leaf model as docs/preflop.md describes one."""

    name: ClassVar[str] = "halves"

    def shares(self, leaf: Any) -> np.ndarray:
        return np.full((169, 169), 0.5)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "yaml")], ids=lambda page: page.name)
def test_the_settings_of_a_page_are_valid(page: Path) -> None:
    spot = yaml.safe_load(blocks(ROOT / "docs" / "postflop.md", "yaml")[0])
    tiny = {"stack_depth": 20, "raise_sizes": [2.5], "leaf": "realization"}
    limit = {"game_type": "limit_holdem", "training": {"solver": "mccfr"}}
    for text in blocks(page, "yaml"):
        data = yaml.safe_load(text)
        if data.keys() & {"cluster_name", "apiVersion"}:  # files of other programs: see test_cluster_files.py
            continue
        if data.keys() == {"betting"}:
            data |= {"board": "Qs Jh 2h 7c", "pot": 100, "stack": 900}
        if data.keys() & {"board", "locks"}:
            runout.solve(runout.Spot(**spot | data), iterations=1)
        elif data.keys() & {"raise_sizes", "realization"}:
            runout.Preflop(**(data if "raise_sizes" in data else tiny | data))
        else:
            runout.TrainConfig(**(data if "game_type" in data else limit | data))


def test_every_make_target_and_benchmark_that_is_named_exists() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for named in re.findall(r"(?:^    |`)make ([a-z-]+)", text, re.MULTILINE):
            assert named in targets, f"{page.name}: make {named}"
        for named in re.findall(r"python -m benchmarks((?: --full| [a-z_]+)*)", text):
            for name in set(named.split()) - {"--full", "to", "seconds", "schedules"}:
                assert (ROOT / "benchmarks" / f"{name}.py").exists(), f"{page.name}: python -m benchmarks {name}"


def test_commands_are_found() -> None:
    found = [command for page in PAGES for command in commands(page)]
    assert len(found) > 60
    assert "runout solve --board 2c3h4d --spr 10 -o 234.runout" in found
    assert "runout game flop-holdem --json > fh.json" in found
    assert "runout solve spot.yaml --show-tree" in found


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        start_and_stop(patch)
        slow = "--slow" in sys.argv
        page = next(one for one in PAGES if one.name == sys.argv[1])
        go_through(page, lambda command: slow or not (is_slow(command) or "runs/nolimit" in command))
