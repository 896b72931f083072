"""Fuzzed command lines, settings and foreign files: one line and status 2, or an answer; no traceback, no hang."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml

from torture.command_lines import ELSEWHERE, SMALL, WORDS, Stock, all_commands, command_line, options, typed
from torture.foreign import SPOT, damaged
from torture.reading import ODD
from torture.saving import RUNOUT, limited
from torture.tally import Tally, in_child

BATCH = 10  # calls in one child
EACH = 90.0  # seconds that a call may take on a busy machine before it counts as hanging
Made = tuple[list[str], str]  # a command line, and what standard input says


def _called(line: list[str], said_to_it: str = "") -> tuple[str, bool]:
    """Run a command line in this process: what is wrong with its status and messages, or nothing; whether it worked."""
    from runout.app.cli.main import main

    os.environ["COLUMNS"] = "100"
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    sys.argv, sys.stdin = ["runout", *line], io.TextIOWrapper(io.BytesIO(said_to_it.encode("utf-8")), "utf-8")
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ending:
            status = ending.code
    said = err.getvalue().strip()
    wrong, worked = "", status in (0, None)
    told = sum(one.startswith("runout: ") for one in said.splitlines())
    if status not in (0, None, 1, 2):
        wrong = f"wrong: status {status} of {line}: {said}"
    elif status == 2 and told != 1 and line[0] != "verify":  # which has a line for each solution
        wrong = f"wrong: status 2 of {line} says {said!r}"
    elif "Traceback" in said:
        wrong = f"traceback: {line} prints {said[-300:]}"
    return wrong, worked


def _alone(folder: Path) -> None:
    """Keep a child's memory small and what it writes in a folder of its own."""
    limited()
    os.chdir(folder)


def _warm_up(stock: Stock) -> None:
    """Call each command once, so that children find what it imports and loads already there."""
    here, known = os.getcwd(), options()
    os.chdir(stock.folder)
    for name in sorted(known):
        for seed in range(20):  # until one of them has the small arguments and nothing else
            line = command_line(random.Random(seed), stock, {name: known[name]})
            if len(line) == len(name.split()) + len(SMALL[name].arguments):
                _called(line)
                break
    os.chdir(here)


def _in_batches(tally: Tally, folder: Path, seeds: list[int], make: Callable[[random.Random], Made]) -> None:
    """Calls in children, some in each; where one goes wrong, again one by one, to know which."""
    slowest: tuple[float, list[str]] = (0.0, [])
    worked = 0

    def run(batch: list[int]) -> list[tuple[str, bool, float, list[str]]]:
        _alone(folder)
        found = []
        for seed in batch:
            line, stdin = make(random.Random(seed))
            begun = time.process_time()
            found.append((*_called(line, stdin), time.process_time() - begun, line))
        return found

    for first in range(0, len(seeds), BATCH):
        batch = seeds[first : first + BATCH]
        said, found = in_child(lambda batch=batch: run(batch), 2 * EACH)
        tally.tried += len(batch)
        for parts in [batch] if said == "done" else [[seed] for seed in batch]:
            if parts is not batch:
                said, found = in_child(lambda parts=parts: run(parts), EACH)
            if said != "done":
                line = make(random.Random(parts[0]))[0]
                tally.fail("traceback" if said == "raised" else said, f"{line}: {str(found)[-500:]}")
                continue
            for wrong, done, took, line in found:
                worked += done
                slowest = max(slowest, (took, line))
                if wrong:
                    tally.fail(*wrong.partition(": ")[::2])
    tally.notes.append(f"{worked:,} did something, the others were refused")
    tally.notes.append(f"slowest call: {slowest[0]:.1f} CPU seconds: {' '.join(slowest[1])[:200]}")


def fuzzed_calls(tally: Tally, stock: Stock, rng: random.Random, count: int) -> None:
    """Every command with odd options and words; one that has no small call yet fails."""
    for name in sorted(set(all_commands()) - set(SMALL) - ELSEWHERE):
        tally.fail("wrong", f"{name}: no small call; give it one in torture/command_lines.py")
    _warm_up(stock)
    known = options()

    def make(rng: random.Random) -> Made:
        line = command_line(rng, stock, known)
        return line, typed(line, rng)

    _in_batches(tally, stock.folder, [rng.randrange(1 << 48) for _ in range(count)], make)


def fuzzed_files(tally: Tally, stock: Stock, rng: random.Random, count: int) -> None:
    """Damaged files of other programs: converted, reviewed, run or refused in one line."""
    _warm_up(stock)

    def make(rng: random.Random) -> Made:
        source = rng.choice(stock.files)
        place = stock.folder / f"damaged{source.suffix}"
        place.write_text(damaged(source.read_text(), rng), encoding="utf-8")
        out = str(stock.folder / f"written{rng.choice(['.yaml', '.json', '.txt', '.rng', '.ohh', '.phhs'])}")
        to = rng.choice(["", "", "", "pio", "texas", "gto+", "hrc", "range", "pokerstars", "library"])
        convert = ["convert", str(place), out if to != "library" else str(stock.folder / "ranges"), "--to", to]
        review = ["review", str(place), "--read-only"]
        known = {"hands": [convert, review], "stars": [convert, review], "script": [convert, ["texas", str(place)]]}
        return rng.choice(known.get(source.stem, [convert])), ""

    _in_batches(tally, stock.folder, [rng.randrange(1 << 48) for _ in range(count)], make)


def fuzzed_settings(tally: Tally, folder: Path, rng: random.Random, count: int) -> None:
    """Settings files with odd keys and values, for the commands that take one."""
    texts = [
        "1: 2\n", "a: &a [*a]\n", "[" * 5000, "\x00", "", "- 1\n", "pot: 1e999\n", "pot: 2020-13-45\n", "? [1]\n: 2\n",
    ]  # fmt: skip

    def make(rng: random.Random) -> Made:
        path = folder / "settings.yaml"
        if rng.random() < 0.15:
            path.write_text(rng.choice(texts))
        else:
            data: dict[Any, Any] = yaml.safe_load(SPOT)
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
        return ["solve", str(path), "-n", "1", "-q"], ""

    _in_batches(tally, folder, [rng.randrange(1 << 48) for _ in range(count)], make)


def fuzzed_processes(tally: Tally, stock: Stock, rng: random.Random, count: int) -> None:
    """Command lines as processes of their own, some with a standard output that is full."""
    known = options()
    for _ in range(count):
        line = command_line(rng, stock, known)
        where = rng.choice([subprocess.PIPE, subprocess.PIPE, "/dev/full"])
        out = open(where, "w") if isinstance(where, str) else where  # noqa: SIM115
        tally.tried += 1
        try:
            done = subprocess.run(
                [*RUNOUT, *line], input=typed(line, rng), stdout=out, stderr=subprocess.PIPE, text=True, timeout=EACH,
                check=False, cwd=stock.folder,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            tally.fail("hang", str(line))
            continue
        except ValueError:  # a null character, which no command line can have
            continue
        finally:
            if not isinstance(out, int):
                out.close()
        if "Traceback" in done.stderr:
            tally.fail("traceback", f"{line}: {done.stderr[-500:]}")
        elif done.returncode not in (0, 1, 2):
            tally.fail("crash", f"{line}: status {done.returncode}")
