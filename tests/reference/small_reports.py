"""A report that takes seconds: a spot, three flops, and what is kept of them."""

from __future__ import annotations

import json
from pathlib import Path

import runout

SPOT = runout.Spot(
    board="Ks 8h 3d",
    pot=100,
    stack=150,
    ranges={"oop": "QQ+,AKs,T9s", "ip": "JJ-99,AQs,KQs"},
    betting={"flop": {"bet": "50%"}, "turn": {"bet": "a"}, "river": {}},
    solve={"target": 2, "threads": 1},
)
FLOPS = {"Qs Jh 2h": 1.0, "Ts 9s 4s": 2.0, "7s 7h 2d": 1.0}


def written_flops(folder: Path) -> str:
    """A file with the flops and their weights."""
    file = folder / "flops.txt"
    file.write_text("".join(f"{flop}:{weight}\n" for flop, weight in FLOPS.items()), encoding="utf-8")
    return str(file)


def records(place: Path) -> dict[str, object]:
    """Everything that is kept of flops, but for the time that it took."""
    found: dict[str, object] = {}
    for file in sorted((place / "flops").iterdir()):
        if file.suffix == ".json":
            found[file.name] = {**json.loads(file.read_text(encoding="utf-8")), "seconds": 0}
        else:
            found[file.name] = file.read_bytes()
    return found
