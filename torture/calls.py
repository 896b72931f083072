"""Fuzzed command lines and settings: one line and status 2, or an answer; never a traceback, never a hang."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import yaml

from torture.examples import ROOT
from torture.reading import ODD
from torture.saving import RUNOUT, limited
from torture.tally import Tally, in_child

WORDS = [
    "", "0", "-1", "1", "2.5", "1e999", "nan", "99999999999999999999", "x", "AA", "AA,KK", "QQ+:0.5", "22+", "100%",
    "a", "50%", "1c", "2e", "As Kh", "Qs Jh 2h 3c 7d", "Qs Qs 2h", "x-b10-c", "SBr2.5 BBc", "|", "..", "/", "/dev/null",
    "/proc/self/mem", "x" * 300, "\u202e", "é", "[", "{a: [1", "&a [*a]", "!!python/object:os.system x", "kuhn",
    "leduc",
    "dcfr", "dcfr(1,2)", "float32", "int16", "2:4", "1,2,3", "a=b", "betting.river.bet=10%", "solve.iterations=1",
]  # fmt: skip
FLAGS = {
    "solve": [
        "--board",
        "--pot",
        "--stack",
        "--oop",
        "--ip",
        "--set",
        "--lock",
        "--lines",
        "--theme",
        "-t",
        "--storage",
    ],
    "preflop": ["--stack", "--tree", "--action", "--leaf", "--set", "-t", "-a", "--csv", "--stacks", "--preset"],
    "game": ["-a", "--target", "--updates", "--seed", "--set", "--line", "--rows", "--compare", "--plot"],
    "equity": ["--board", "--samples", "--dead"],
    "train": ["--solver", "--seed", "--set", "--target", "--workers", "--deals"],
    "evaluate": ["--method", "--eval-deals", "--hands", "--seed", "--curve"],
    "export": ["--line", "--format"],
    "deals": ["--count", "--seed", "--game", "--set"],
    "verify": ["--json"],
    "match": ["--hands", "--seed"],
}
SMALL = {
    "solve": ["--board", "Qs Jh 2h 3c 7d", "--oop", "QQ+", "--ip", "JJ-99,AQs", "--pot", "9", "--stack", "20", "-n1"],
    "preflop": ["--tree", "push-fold", "--stack", "5", "-n", "2", "--no-interactive"],
    "game": ["kuhn", "-n", "2"],
    "equity": ["AA", "KK"],
    "train": ["-c", str(ROOT / "configs" / "train" / "kuhn.yaml"), "--solver", "sequence", "-n", "2"],
    "evaluate": ["--hands", "5"], "export": [], "deals": ["make", "--count", "50"], "verify": [],
    "match": ["--hands", "20"],
}  # fmt: skip


def command_line(rng: random.Random, examples: dict[str, Path], folder: Path) -> list[str]:
    """A command with small defaults, some flags with odd values, and now and then an odd word."""
    name = rng.choice(sorted(FLAGS))
    line = [name, *SMALL[name]]
    if name in ("evaluate", "export", "verify", "match"):
        line += [str(rng.choice([*examples.values(), folder, folder / "none"])) for _ in range(1 + (name == "match"))]
    if name in ("train", "deals"):
        line += ["-o", str(folder / f"out{rng.randrange(1 << 40)}")]
    for _ in range(rng.randrange(4)):
        line.append(rng.choice(FLAGS[name]))
        if rng.random() < 0.9:
            line.append(rng.choice(WORDS))
    if rng.random() < 0.15:
        line.insert(rng.randrange(1, len(line) + 1), rng.choice(WORDS))
    if rng.random() < 0.3:
        line.append(rng.choice(["--json", "-q", "--help"]))
    return line


def _called(line: list[str]) -> str:
    """Run a command line in this process: its exit status and what it said, or the exception."""
    from runout.app.cli.main import main

    os.environ["COLUMNS"] = "100"
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["runout", *line]
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ending:
            status = ending.code
    said = err.getvalue().strip()
    if status not in (0, None, 1, 2):
        return f"wrong: status {status} of {line}: {said}"
    if (
        status == 2
        and len([one for one in said.splitlines() if one.startswith("runout: ")]) != 1
        and line[0] != "verify"
    ):
        return f"wrong: status 2 of {line} says {said!r}"
    return "wrong: a traceback is printed" if "Traceback" in said else ""


def _alone(folder: Path) -> None:
    """Keep a child's memory small and what it writes in a folder of its own."""
    limited()
    os.chdir(folder)


def _warm_up(examples: dict[str, Path], folder: Path) -> None:
    """Call each command once, so that children find what it imports and loads already there."""
    for name, arguments in SMALL.items():
        line = [name, *arguments, *([] if name not in ("train", "deals") else ["-o", str(folder / f"warm-{name}")])]
        needed = {"match": 2, "evaluate": 1, "export": 1, "verify": 1}.get(name, 0)
        _called([*line, *[str(examples["preflop"])] * needed])


def fuzzed_calls(tally: Tally, examples: dict[str, Path], folder: Path, rng: random.Random, count: int) -> None:
    """In this program, a child for each ten; what takes too long is told apart from what is wrong."""
    _warm_up(examples, folder)
    lines = [command_line(rng, examples, folder) for _ in range(count)]
    for first in range(0, count, 10):
        batch = lines[first : first + 10]

        def run(batch: list[list[str]] = batch) -> list[str]:
            _alone(folder)
            return [_called(line) for line in batch]

        said, found = in_child(run, 120)
        if said == "done":
            tally.tried += len(batch)
            for one in filter(None, found):
                tally.fail(*one.partition(": ")[::2])
            continue
        for line in batch:
            said, found = in_child(lambda line=line: (_alone(folder), _called(line))[1], 90)
            tally.tried += 1
            if said != "done":
                tally.fail("traceback" if said == "raised" else said, f"{line}: {str(found)[-500:]}")
            elif found:
                tally.fail(*found.partition(": ")[::2])


def fuzzed_settings(tally: Tally, folder: Path, rng: random.Random, count: int) -> None:
    """Settings files with odd keys and values, for the commands that take one."""
    spot = {
        "board": "Qs Jh 2h 3c 7d", "pot": 10, "stack": 20, "ranges": {"oop": "QQ+", "ip": "JJ-99"},
        "betting": {"river": {"bet": "50%", "raise": "60%"}}, "rake": {"percent": 1},
        "solve": {"iterations": 1, "threads": 1},
    }  # fmt: skip
    texts = [
        "1: 2\n",
        "a: &a [*a]\n",
        "[" * 5000,
        "\x00",
        "",
        "- 1\n",
        "pot: 1e999\n",
        "pot: 2020-13-45\n",
        "? [1]\n: 2\n",
    ]

    def make(seed: int) -> list[str]:
        rng = random.Random(seed)
        path = folder / "settings.yaml"
        if rng.random() < 0.15:
            path.write_text(rng.choice(texts))
        else:
            data = yaml.safe_load(yaml.safe_dump(spot))
            for _ in range(rng.choice((1, 1, 2, 3))):
                target = data
                while (
                    isinstance(target.get(key := rng.choice(sorted(target))), dict)
                    and rng.random() < 0.6
                    and target[key]
                ):
                    target = target[key]
                target[rng.choice([key, "odd", "board"])] = rng.choice([*ODD, *WORDS[:30]])
            path.write_text(yaml.safe_dump(data))
        return ["solve", str(path), "-n", "1", "-q"]

    seeds = [rng.randrange(1 << 48) for _ in range(count)]
    for first in range(0, count, 10):

        def run(batch: list[int] = seeds[first : first + 10]) -> list[str]:
            _alone(folder)
            return [_called(make(seed)) for seed in batch]

        said, found = in_child(run, 120)
        tally.tried += len(seeds[first : first + 10])
        if said != "done":
            tally.fail(
                "traceback" if said == "raised" else said, f"seeds {seeds[first : first + 10]}: {str(found)[-600:]}"
            )
        else:
            for one in filter(None, found):
                tally.fail(*one.partition(": ")[::2])


def fuzzed_processes(tally: Tally, examples: dict[str, Path], folder: Path, rng: random.Random, count: int) -> None:
    """Command lines as processes of their own, some with a standard output that is full or closed."""
    for _ in range(count):
        line = command_line(rng, examples, folder)
        where = rng.choice([subprocess.PIPE, subprocess.PIPE, "/dev/full"])
        out = open(where, "w") if isinstance(where, str) else where  # noqa: SIM115
        try:
            done = subprocess.run(
                [*RUNOUT, *line], stdout=out, stderr=subprocess.PIPE, text=True, timeout=90, stdin=subprocess.DEVNULL,
                check=False, cwd=folder,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            tally.fail("hang", str(line))
            continue
        except ValueError:  # a null character, which no command line can have
            continue
        finally:
            tally.tried += 1
            if out is not subprocess.PIPE:
                out.close()  # type: ignore[union-attr]
        if "Traceback" in done.stderr:
            tally.fail("traceback", f"{line}: {done.stderr[-500:]}")
        elif done.returncode not in (0, 1, 2):
            tally.fail("crash", f"{line}: status {done.returncode}")
