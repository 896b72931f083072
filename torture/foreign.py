"""Files of other programs, whole and damaged: scripts, trees, ranges, charts, played hands."""

from __future__ import annotations

import random
from pathlib import Path

from torture.examples import ROOT

SPOT = """board: Qs Jh 2h 7c 3d
pot: 10
stack: 20
ranges: {oop: "QQ+,AKs:0.5", ip: "JJ-99"}
betting: {river: {bet: "50%, a", raise: "60%"}}
solve: {iterations: 1, threads: 1}
"""
RANGE = "AA,KK:0.5,AKs,AhQh"
CHART = "AA,KK:0.5,AKs"
ODD = ["", "0", "-1", "1e999", "nan", "9" * 400, "\x00", "é", "[]", "{}", "null", "#", "-5%", "AsAs", "x" * 1000]


def make_files(folder: Path) -> list[Path]:
    """A small file of every format that `runout convert` writes, each made by it."""
    from runout.formats.convert import convert

    folder.mkdir(parents=True)
    (folder / "spot.yaml").write_text(SPOT)
    (folder / "range.txt").write_text(RANGE)
    (folder / "chart.txt").write_text(CHART)
    hands = (ROOT / "tests" / "data" / "hands" / "heads_up.phhs").read_text().partition("\n[3]")[0]
    (folder / "hands.phhs").write_text(hands)
    made = {
        "tree.txt": ("spot.yaml", "pio"), "script.txt": ("spot.yaml", "texas"), "settings.json": ("spot.yaml", ""),
        "gto.txt": ("range.txt", "gto+"), "chart.rng": ("chart.txt", ""), "hrc.json": ("chart.txt", "hrc"),
        "hands.ohh": ("hands.phhs", ""), "stars.txt": ("hands.phhs", "pokerstars"),
    }  # fmt: skip
    for name, (source, form) in made.items():
        convert(folder / source, folder / name, to=form)
    with open(folder / "script.txt", "a") as script:
        script.write("set_max_iteration 1\nset_thread_num 1\nstart_solve\ndump_result result.json\n")
    return sorted(folder.iterdir())


def damaged(text: str, rng: random.Random) -> str:
    """A text with some lines, words, numbers or characters changed, doubled, cut or lost."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        lines = text.splitlines(keepends=True) or [""]
        at, what = rng.randrange(len(lines)), rng.randrange(8)
        words = lines[at].split(" ")
        word = rng.randrange(len(words))
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif what == 2:
            lines[at], lines[0] = lines[0], lines[at]
        elif what == 3:
            words[word] = rng.choice(ODD)
            lines[at] = " ".join(words)
        elif what == 4:
            digits = [place for place, one in enumerate(lines[at]) if one.isdigit()]
            place = rng.choice(digits) if digits else 0
            lines[at] = lines[at][:place] + rng.choice([*"0123456789", *ODD]) + lines[at][place + 1 :]
        elif what == 5:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
        elif what == 6:
            place = rng.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + rng.choice("{}[]\"':,#|/\\\t ;%") + lines[at][place + 1 :]
        else:
            del lines[rng.randrange(len(lines)) :]
        text = "".join(lines)
    return text
