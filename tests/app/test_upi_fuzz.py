"""Thousands of lines that no client should send: every one is answered, nothing breaks, memory stays."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from reference.upi import Lines
from runout.app.upi.channel import Channel
from runout.app.upi.commands import COMMANDS, MISSING
from runout.app.upi.session import Session

SETUP = [
    "set_board QsJh2h7c3d", "set_pot 0 0 180", "set_eff_stack 910", "set_range OOP AA,KQs,JTs,98s:0.5",
    "set_range IP QQ,AJs,T9s", "clear_lines", "add_line 94 300 910", "add_line 0 94 910", "build_tree", "go 3 steps",
]  # fmt: skip
TURN = [*SETUP[1:6], "set_board QsJh2h7c", "add_line 94 94 94 200", "add_line 0 50", "build_tree", "go 0.01 seconds"]
LEFT_OUT = {
    "exit",
    "help",
    "bench",
    "take_a_break",
    "report_subset",
    "wait_for_solver",
    "add_all_flops",
    "go",
}
NODES = [
    "r",
    "r:0",
    "r:0:c",
    "r:0:b94",
    "r:0:c:b94",
    "r:0:b94:b300",
    "r:0:c:c",
    "r:0:c:c:8h",
    "r:0:c:c:8h:c",
    "r:0:b94:c",
]
WORDS = [
    "OOP", "IP", "oop", "0", "1", "-1", "94", "1e9", "1e400", "nan", "inf", "0.5", "0x10", "chips", "fraction", "local",
    "global", "on", "off", "auto", "full", "no_rivers", "AA", "22+", "AKs:0.5", "[50]", "AsAh", "QsJh2h7c", "Qs Qs Qs",
    "::", "r:", "r:0:", "r:1", "r:0:b", "r:0:b-5", "r:0:b99999999999999999999", "r:0:f", "#", '"', '""', '" "', "a.txt",
    "b.cfr", "é", "\u2028", "\x00", "%s", "{}", "A" * 300, "9" * 400, "dcfr", "dcfr(1,2", "seconds", "steps", "#K#v",
]  # fmt: skip


def lines(count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    names = sorted((set(COMMANDS) | set(MISSING)) - LEFT_OUT)
    made = 0
    while made < count:
        if chance.random() < 0.01:
            block = chance.choice([SETUP, TURN])
            yield from block
            made += len(block)
        kind = chance.random()
        if kind < 0.05:
            yield "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(chance.randrange(40))).replace("\n", " ")
        elif kind < 0.07:
            name = chance.choice(
                ["set_range OOP", "combo_lock_node r:0", "set_strategy r:0", "add_line", "set_range IP"]
            )
            yield f"{name} " + " ".join(
                chance.choice(["0", "1", "0.5", "x"][:3]) for _ in range(chance.choice([1326, 2652, 7]))
            )
        elif kind < 0.09:
            yield f"go {chance.choice(['1 steps', '0 seconds', '0.01', 'x steps', '-1', '5 years'])}"
        else:
            words = [chance.choice(NODES if chance.random() < 0.5 else WORDS) for _ in range(chance.randrange(4))]
            yield " ".join([chance.choice(names), *words])
        made += 1


def fuzz(count: int, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Sends lines and checks answers; gives bytes of memory after a tenth of them and at the end."""
    monkeypatch.chdir(folder)
    process, sizes, answers, problems = psutil.Process(), [], [0], []
    plain = Channel.answer

    def answer(self: Channel, told: list[str]) -> None:
        answers[0] += 1
        problems.extend(line for line in told if "internal error" in line)
        if answers[0] in (count // 10, count // 2):
            sizes.append(process.memory_info().rss)
        plain(self, told)

    monkeypatch.setattr(Channel, "answer", answer)
    sent = [text.encode("utf-8", "replace") for text in lines(count, seed)]
    out = Lines()
    out.writes = _Last()
    Session(io.BytesIO(b"\n".join(sent) + b"\n").read, out).run()
    sizes.append(process.memory_info().rss)
    split = b"\n".join(sent).split(b"\n")
    asked = [one.decode("utf-8", "replace").split(None, 1) for one in split]
    asked = [words for words in asked if words and not words[0].startswith("#")]
    assert not problems, problems[:5]
    scripts = sum(words[0].startswith("load_script") for words in asked)
    assert len(asked) <= answers[0] <= len(asked) + 10**6 * bool(scripts)
    return sizes[0], sizes[-1]


class _Last(list[str]):
    """Forgets what was written, so that memory is that of the engine."""

    def append(self, text: str) -> None:
        self[:] = [text[:100]]


def test_lines_that_mean_nothing_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz(3000, 1, tmp_path, monkeypatch)


@pytest.mark.slow
def test_a_hundred_thousand_lines_leave_memory_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = fuzz(100_000, 2, tmp_path, monkeypatch)
    assert after - before < 150e6, f"{before / 1e6:.0f} MB, {after / 1e6:.0f} MB"
