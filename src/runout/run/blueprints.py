"""Blueprints small enough to be shipped: strategies as shares of 255, and where the buckets of hands begin.

    python -m runout.run.blueprints runs/hunl-100bb ... [-o FOLDER]     make them of these runs
    python -m runout.run.blueprints                                     list those that come with Runout

They open, walk, play and export like the runs that they were made of; training cannot go on from them.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runout.cards.bucket_cuts import cut_arrays
from runout.cursors.load import load
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError
from runout.games.holdem import NoLimitHoldem
from runout.solutions.format import Bundle, read_settings, shipped_blueprints, solution_path, write_bundle
from runout.solvers.blueprint_policy import BlueprintPolicy, compact

FOLDER = Path(__file__).parents[1] / "blueprints"


def compact_bundle(run: str | Path) -> Bundle:
    """The blueprint of a run, as it is shipped."""
    solution = load(run)
    if not isinstance(solution, PolicySolution) or not isinstance(solution.policy, BlueprintPolicy):
        raise InputError(f"{run} is no training run of the solver blueprint")
    told = read_settings(solution_path(run))
    arrays = {"averages": compact(solution.policy), **cut_arrays(solution.policy.what.abstraction.cuts)}
    return Bundle("blueprint", without_places(told.config), told.reached, arrays)


def without_places(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config of a run without the directories that it named on the machine where it ran."""
    places = {"output_dir", "begin_from"}
    return {
        name: {key: one for key, one in part.items() if key not in places} if isinstance(part, Mapping) else part
        for name, part in config.items()
    }


def listed() -> str:
    """The blueprints that come with Runout, as a table of Markdown."""
    rows = ["| name | boards learnt from | trained for | size |", "|---|---|---|---|"]
    for path in shipped_blueprints().values():
        reached = read_settings(path).reached
        size = sum(file.stat().st_size for file in path.iterdir()) / 1e6
        rows.append(f"| {path.name} | {reached['boards']:,} | {reached['seconds'] / 60:.0f} min | {size:.1f} MB |")
    return "\n".join(rows)


def main(words: Sequence[str] | None = None) -> None:
    """Make compact blueprints of runs and put them where the shipped ones are."""
    parser = argparse.ArgumentParser(prog="runout.run.blueprints", description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path, help="training runs of the solver blueprint")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="folder of the blueprints")
    asked = parser.parse_args(words)
    if not asked.runs:
        print(listed())
    for run in asked.runs:
        found = compact_bundle(run)
        game = NoLimitHoldem(**found.config["game"])
        path = asked.output / f"{game.stack_depth:g}bb"
        write_bundle(path, found)
        print(f"{path}: {sum(array.nbytes for array in found.arrays.values()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
