"""Odd command lines for every command that `runout` has: its options are asked of the program itself."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torture.examples import ROOT

WORDS = [
    "", "0", "-1", "1", "2.5", "1e999", "nan", "99999999999999999999", "x", "AA", "AA,KK", "QQ+:0.5", "22+", "100%",
    "a", "50%", "1c", "2e", "As Kh", "Qs Jh 2h 3c 7d", "Qs Qs 2h", "x-b10-c", "SBr2.5 BBc", "|", "..", "/", "/dev/null",
    "/proc/self/mem", "x" * 300, "\u202e", "é", "[", "{a: [1", "&a [*a]", "!!python/object:os.system x", "kuhn",
    "leduc", "dcfr", "dcfr(1,2)", "float32", "int16", "2:4", "1,2,3", "a=b", "betting.river.bet=10%",
    "solve.iterations=1", "pio", "texas", "hrc", "monker", "ohh", "phh", "pokerstars", "library", "20bb", "turn", "OOP",
]  # fmt: skip
AMOUNTS = ["", "0", "-1", "1", "2", "2.5", "nan", "1e999", "x"]  # for options that say how much work to do
WORK = {
    "--iterations", "--hands", "--hands-dealt", "--samples", "--eval-deals", "--count", "--seconds", "--aivat",
    "--curve", "--flops", "--timeout", "--max-rejections", "--min-per-class",
}  # fmt: skip
NOT_HERE = {"--cluster", "--host", "--help", "--install-completion", "--show-completion"}  # wait for other machines
SETTINGS = [
    "pot", "stack", "board", "ranges.oop", "betting.river.bet", "betting.turn.ip.raise", "max_bets", "rake.percent",
    "solve.target", "solve.threads", "training.seed", "training.algorithm", "game.ranks", "game.stack", "game_type",
    "network.hidden", "memory.advantage_cap", "deals.count", "blueprint.buckets", "name", "stack_depth", "odd",
]  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A small call of a command: {solution}, {file} and {out} are replaced by one of what there is."""

    arguments: list[str] = field(default_factory=list)
    answers: tuple[str, ...] = ()  # that standard input gives, some of them, where the command asks


SPOT = [
    "--board",
    "Qs Jh 2h 3c 7d",
    "--oop",
    "QQ+",
    "--ip",
    "JJ-99,AQs",
    "--pot",
    "9",
    "--stack",
    "20",
    "--threads",
    "1",
]
PROMPT = (
    "",
    "?",
    "b",
    "SBr2.5",
    "SBr99 BBc",
    "AK",
    "AcKh",
    "100%",
    "\x00",
    "é" * 200,
    "q",
    "quit",
    "c",
    "f",
    "x",
    "b10",
)
UPI = (
    "set_end_string END", "set_board QsJh2h7c3d", "set_pot 0 0 18", "set_eff_stack 91", "set_range OOP AA", "go",
    "set_range IP KK", "add_line 9 30 91", "build_tree", "go 2 steps", "wait_for_solver", "show_node r:0",
    "calc_results", "show_strategy r:0", "calc_ev OOP r:0", "dump_tree a.cfr", "load_tree a.cfr", "lock_node r:0",
    "\x00", "exit", "x y",
)  # fmt: skip
SMALL = {
    "solve": Call([*SPOT, "--threads", "1", "-n", "1"]),
    "report": Call(["--oop", "AA", "--ip", "KK", "--stack", "9", "--flops", "1", "-n", "1", "--workers", "1"]),
    "preflop": Call(["--tree", "push-fold", "--stack", "5", "-n", "2"], PROMPT),
    "train": Call(["-c", str(ROOT / "configs/train/kuhn.yaml"), "--solver", "sequence", "-n", "2", "-o", "{out}"]),
    "evaluate": Call(["{solution}", "--hands", "5"]),
    "match": Call(["{solution}", "{solution}", "--hands", "20"]),
    "play": Call(["{solution}"]),
    "hands": Call(["{solution}", "-n", "3"]),
    "acpc deal": Call(["-n", "1", "--timeout", "0.1"]),
    "acpc play": Call(["127.0.0.1", "9", "--seconds", "0.1"]),
    "slumbot": Call(["-n", "1", "--url", "http://127.0.0.1:9", "--seconds", "0.1"]),
    "review": Call(["{file}", "--read-only"]),
    "explore": Call(["{solution}"]),
    "practice": Call(["{solution}", "-n", "2"], PROMPT),
    "compare": Call(["{solution}", "{solution}"]),
    "export": Call(["{solution}"]),
    "verify": Call(["{solution}"]),
    "equity": Call(["AA", "KK", "--threads", "1"]),
    "game": Call(["kuhn", "-n", "2"]),
    "upi": Call([], UPI),
    "texas": Call(["{file}"]),
    "convert": Call(["{file}", "{out}.yaml"]),
    "deals make": Call(["--count", "50", "-o", "{out}"]),
    "deals show": Call(["{out}"]),
}
ELSEWHERE = {"web", "bench", "warm"}  # a campaign of its own; no part of the program; minutes of compiling


@dataclass(frozen=True)
class Stock:
    """What calls are about."""

    solutions: dict[str, Path]  # by kind
    files: list[Path]  # of other programs
    folder: Path  # where they may write


def all_commands() -> dict[str, list[Any]]:
    """The parameters of every command that is shown, by its words ('deals make')."""
    import typer

    from runout.app.cli.main import app

    found: dict[str, list[Any]] = {}
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        below = getattr(command, "commands", {})
        waiting += [(f"{name} {word}".strip(), one) for word, one in below.items() if not one.hidden]
        if not below:
            found[name] = list(command.params)
    return found


def options() -> dict[str, list[tuple[list[str], bool]]]:
    """Of every command with a small call: the ways to write each option, and whether it takes a value."""
    return {
        name: [
            ([*one.opts, *one.secondary_opts], not getattr(one, "is_flag", False))
            for one in parameters
            if one.param_type_name == "option" and not NOT_HERE & set(one.opts)
        ]
        for name, parameters in all_commands().items()
        if name in SMALL
    }


def _value(flag: list[str], rng: random.Random) -> str:
    if "--set" in flag and rng.random() < 0.7:
        return f"{rng.choice(SETTINGS)}={rng.choice(WORDS)}"
    return rng.choice(AMOUNTS if WORK & set(flag) else WORDS)


def command_line(rng: random.Random, stock: Stock, known: dict[str, list[tuple[list[str], bool]]]) -> list[str]:
    """A command with small arguments, some options with odd values, and now and then an odd word."""
    name = rng.choice(sorted(known))
    one = rng.choice(list(stock.solutions.values()) or [stock.folder])
    places = {
        "{solution}": lambda: str(one if rng.random() < 0.8 else rng.choice([*stock.solutions.values(), "none"])),
        "{file}": lambda: str(rng.choice([*stock.files, stock.folder])),
        "{out}": lambda: str(stock.folder / f"out{rng.randrange(1 << 40)}"),
    }  # fmt: skip
    line = name.split()
    for argument in SMALL[name].arguments:
        for place, fill in places.items():
            argument = argument.replace(place, fill()) if place in argument else argument
        line.append(argument)
    for _ in range(rng.choice((0, 1, 1, 2, 3))) if known[name] else ():
        flag, valued = rng.choice(known[name])
        line.append(rng.choice(flag))
        if valued and rng.random() < 0.95:
            line.append(_value(flag, rng))
    if rng.random() < 0.1:
        line.insert(rng.randrange(1, len(line) + 1), rng.choice(WORDS))
    return line


def typed(line: list[str], rng: random.Random) -> str:
    """What somebody types at a command that asks."""
    answers = SMALL.get(line[0], Call()).answers
    return "\n".join(rng.choice(answers) for _ in range(rng.randrange(12))) if answers else ""
