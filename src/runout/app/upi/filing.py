"""Commands that save and load trees: Runout's own directories, under any name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from runout.app.upi.commands import Answer, chosen, command
from runout.app.upi.engine import Engine
from runout.app.upi.reading import text_of
from runout.cursors.spot_solution import KIND, SpotSolution, load_postflop
from runout.errors import InputError
from runout.games.spot import Spot
from runout.solutions.format import Bundle, read_bundle, read_settings, write_bundle

INFO = "tree_info"  # the array of a file that holds '#Key#value' lines, as UTF-8
MOST_INFO_BYTES = 1 << 24


def _place(name: str) -> Path:
    if not name or "\0" in name:
        raise InputError("a name of a tree is a path: trees/QsJh2h.cfr")
    return Path(name)


def _with_info(bundle: Bundle, info: list[str]) -> Bundle:
    text = np.frombuffer("\n".join(info).encode(), np.uint8)
    return replace(bundle, arrays={**bundle.arrays, INFO: text})


def _info(path: Path) -> list[str]:
    found = read_bundle(path, KIND, mapped=True).arrays.get(INFO)
    if found is None or found.dtype != np.uint8 or found.size > MOST_INFO_BYTES:
        return []
    return bytes(np.asarray(found[:])).decode(errors="replace").splitlines()


@command("dump_tree FILE [full|no_rivers]", reads=True)
def dump_tree(engine: Engine, name: str, what: str = "full") -> Answer:
    chosen(what, "full", "no_rivers", what="kind of file")
    write_bundle(_place(name), _with_info(engine.solution.bundle(what == "full"), engine.info))
    return None


@command("load_tree FILE [full|fast|auto]")
def load_tree(engine: Engine, name: str, how: str = "auto") -> Answer:
    chosen(how, "full", "fast", "auto", what="way to load (files are always read as they are needed)")
    engine.free()
    path = _place(name)
    solution: SpotSolution = load_postflop(path, engine.options.threads or None)
    engine.take(solution, _info(path))
    return None


@command("load_all_nodes")
def load_all_nodes(engine: Engine) -> Answer:
    _ = engine.tree
    return None


@command("rebuild_forgotten_streets")
def rebuild_forgotten_streets(engine: Engine) -> Answer:
    _ = engine.tree  # rivers that were left out are solved when they are looked at
    return None


@command("show_metadata FILE")
def show_metadata(engine: Engine, name: str) -> Answer:
    path = _place(name)
    found = read_settings(path)
    if found.kind != KIND:
        raise InputError(f"{name} holds a {found.kind} solution, not a postflop tree")
    spot = Spot(**found.config)
    return [
        "r",
        "ROOT",
        spot.board,
        f"0 0 {spot.pot}",
        "1 children",
        "flags:",
        *(text_of(spot.range(player).weights) for player in range(2)),
        *_info(path),
    ]
