"""Make, fit and list value networks: `runout solve --leaf network` takes what a turn or river is worth from them.

    python -m runout.run.value_networks make DATA --turns 10000 --rivers 100000     draw and solve subgames
    python -m runout.run.value_networks fit DATA --street turn [-o FOLDER]           fit a network to them
    python -m runout.run.value_networks                                              list those that come with Runout

Data are in parts of `PART` subgames, each a directory with checksums. `make` goes on where it was stopped; a part that
is damaged or cut short is refused by `fit`, with its name.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from runout.cards.hands import COMBOS
from runout.cursors.preflop_solution import load_preflop
from runout.errors import InputError, SolutionError
from runout.run.executors import Processes
from runout.solutions.format import Bundle, read_bundle, read_settings, write_bundle
from runout.solvers.solved_leaf import shipped_charts
from runout.solvers.subgames import opponents_met
from runout.solvers.value_subgames import CalledRanges, draw, solve

KIND = "value-subgames"
STREETS = {"turn": 4, "river": 5}  # board cards
PART = {"turn": 100, "river": 1000}  # subgames of a directory
HELD_OUT = 0.05  # share of the parts that is never fitted, the first ones


@lru_cache(1)
def called_pots() -> tuple[CalledRanges, ...]:
    """The pots of all charts that come with Runout, with ranges and chips."""
    found = []
    for path in shipped_charts().values():
        chart = load_preflop(path)
        for line in chart.bundle().arrays["leaf_lines"].tolist():
            node = chart.at(line)
            reach = np.stack([node.reach(seat) for seat in ("BB", "SB")])
            chance = float(reach[0] @ opponents_met(reach[1], np.arange(COMBOS)))
            if chance > 0 and node.stacks is not None and min(node.stacks) > 0:
                found.append(CalledRanges(reach, node.pot, min(node.stacks), chance))
    return tuple(found)


def make_part(task: tuple[Path, str, int, int]) -> tuple[int, float, float]:
    """Draw and solve the subgames of one directory: how many, CPU seconds, mean exploitability in % of the pot."""
    folder, street, number, seed = task
    begun, size, pots = time.process_time(), PART[street], called_pots()
    boards, ratios = np.zeros((size, STREETS[street]), np.uint8), np.zeros(size, np.float32)
    ranges, values = np.zeros((size, 2, COMBOS), np.float16), np.zeros((size, 2, COMBOS), np.float16)
    lost = 0.0
    for index in range(size):
        subgame = draw(pots, STREETS[street], seed, number * size + index)
        boards[index], ratios[index], ranges[index] = subgame.board, subgame.ratio, subgame.ranges
        values[index], left = solve(subgame)
        lost += left / size
    arrays: dict[str, np.ndarray] = {"boards": boards, "ratios": ratios, "ranges": ranges, "values": values}
    seconds = time.process_time() - begun
    reached = {"subgames": size, "seconds": seconds, "exploitability": lost}
    write_bundle(_part(folder, street, number), Bundle(KIND, {"street": street, "seed": seed}, reached, arrays))
    return size, seconds, lost


def _part(folder: Path, street: str, number: int) -> Path:
    return folder / f"{street}-{number:05d}"


def parts(folder: Path, street: str) -> list[Path]:
    return sorted(path for path in folder.glob(f"{street}-?????") if (path / "meta.json").exists())


def make(folder: Path, street: str, subgames: int, seed: int, workers: int) -> None:
    """Make all parts that are not there yet."""
    for path in parts(folder, street)[:1]:
        if (had := read_settings(path).config.get("seed")) != seed:
            raise InputError(f"{folder} has {street}s of seed {had}: use that, or another folder")
    wanted = range(-(-subgames // PART[street]))
    tasks = [(folder, street, n, seed) for n in wanted if not (_part(folder, street, n) / "meta.json").exists()]
    if not tasks:
        return
    folder.mkdir(parents=True, exist_ok=True)
    begun, done = time.perf_counter(), 0
    for one in Processes(workers).completed(make_part, tasks):
        if one.error is not None:
            raise one.error
        assert one.result is not None
        done += one.result[0]
        pace = (time.perf_counter() - begun) / done
        left = pace * (len(tasks) * PART[street] - done) / 60
        print(
            f"{done:,} of {len(tasks) * PART[street]:,} {street}s, {1 / pace:.1f} a second, "
            f"{one.result[2]:.2f}% of the pot, {left:.0f} min left",
            flush=True,
        )


def read_part(path: Path, street: str) -> dict[str, np.ndarray]:
    """The arrays of a part; SolutionError where they do not belong together."""
    arrays, size = read_bundle(path, KIND).arrays, PART[street]
    wanted = {"boards": (size, STREETS[street]), "ratios": (size,)} | dict.fromkeys(
        ("ranges", "values"), (size, 2, COMBOS)
    )
    if {name: array.shape for name, array in arrays.items()} != wanted:
        raise SolutionError(f"{path} is no set of {size} {street}s: make it again")
    return arrays


def fit(folder: Path, street: str, seconds: float, seed: int = 0, most: int | None = None) -> Bundle:
    """A network fitted to the parts of a folder; `most`: to so many subgames at most, to see what more would give."""
    from runout.solvers.neural.value_fitting import fit_values

    found = parts(folder, street)
    if len(found) < 2:
        raise InputError(f"{folder} has {len(found)} parts of {street}s: make two or more")
    held = max(1, int(HELD_OUT * len(found)))
    fitted = found[held:][: None if most is None else max(1, most // PART[street])]
    read = [partial(read_part, path, street) for path in (*found[:held], *fitted)]
    return fit_values(read[held:], read[:held], STREETS[street], seconds, seed, lambda text: print(text, flush=True))


def listed() -> str:
    """The networks that come with Runout, as a table of Markdown."""
    from runout.solvers.neural.value_networks import FOLDER

    rows = ["| street | subgames | Huber error, pots | weighed by range | fitted for |", "|---|---|---|---|---|"]
    for path in sorted(FOLDER.iterdir()):
        told = read_settings(path)
        rows.append(
            f"| {told.config['street']} | {told.config['subgames']:,} | {told.reached['huber']:.4f} | "
            f"{told.reached['huber_in_range']:.4f} | {told.reached['seconds'] / 60:.0f} CPU min |"
        )
    return "\n".join(rows)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="runout.run.value_networks", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("make", "fit"))
    parser.add_argument("data", nargs="?", type=Path, help="folder of subgames")
    parser.add_argument("--turns", type=int, default=0, help="turns to make")
    parser.add_argument("--rivers", type=int, default=0, help="rivers to make")
    parser.add_argument("--street", choices=STREETS, default="turn", help="what to fit")
    parser.add_argument("--subgames", type=int, help="fit at most so many")
    parser.add_argument("--seconds", type=float, default=600, help="CPU seconds to fit for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=0, help="processes that make subgames; 0: one for each core")
    parser.add_argument("-o", "--output", type=Path, help="folder of the network")
    asked = parser.parse_args(words)
    if asked.what is None or asked.data is None:
        print(listed())
    elif asked.what == "make":
        make(asked.data, "river", asked.rivers, asked.seed, asked.workers)
        make(asked.data, "turn", asked.turns, asked.seed, asked.workers)
    else:
        from runout.solvers.neural.value_networks import FOLDER

        found = fit(asked.data, asked.street, asked.seconds, asked.seed, asked.subgames)
        write_bundle(asked.output or FOLDER / asked.street, found)


if __name__ == "__main__":
    main()
