"""Preflop charts from whole games: what a blueprint does before the flop, with its called pots valued by its own play.

    python -m runout.run.charts configs/train/hunl-*bb.yaml --train 1200         train all depths and make their charts
                                                                                 (--finer 2: then with twice the groups)
    python -m runout.run.charts runs/hunl-100bb ... [-o FOLDER] [--flops 95]     make charts of these runs
    python -m runout.run.charts                                                  list those that come with Runout

A chart is a `PreflopSolution`: the average strategy of the blueprint before the flop, and for every called pot what
each class gets of it when both play the blueprint on, over boards of all flops. So it opens, walks and exports like
every other preflop solution. Its exploitability is that of the whole game, not of the part before the flop.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from runout.cards.hands import CLASSES
from runout.config import read_yaml
from runout.cursors.load import load
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.preflop_solution import KIND, WHOLE_GAME, load_preflop
from runout.errors import InputError
from runout.games.flop_choice import flop_choice
from runout.games.holdem import NoLimitHoldem
from runout.games.preflop import Preflop
from runout.run.blueprints import without_places
from runout.run.train import train
from runout.run.train_config import TrainConfig
from runout.solutions.format import Bundle, latest_checkpoint, read_settings, write_bundle
from runout.solutions.reached import MBB, Reached
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import BlueprintPolicy, as_blueprint
from runout.solvers.called_pots import CalledPot, called_pots, pair_shifts, preflop_strategy
from runout.solvers.preflop_anew import preflop_part
from runout.solvers.preflop_game import called_leaves
from runout.solvers.sampled_pots import BOARDS, sampled_lines
from runout.solvers.solved_leaf import FOLDER, shipped_charts

FLOPS = "95"


def chart_bundle(
    solution: PolicySolution,
    flops: str = FLOPS,
    on_done: Callable[[int, int], None] | None = None,
    threads: int = 0,
    boards: int = BOARDS,
) -> Bundle:
    """The chart of a blueprint, as it is saved."""
    policy = as_blueprint(solution.policy)
    settings = solution.game.settings
    if policy is None or not isinstance(settings, NoLimitHoldem):
        raise InputError(f"{solution.title} is no blueprint of no-limit hold'em: a chart is made from one")
    if settings.big_blind_ante:
        raise InputError("a chart has no ante of the big blind alone: give both players an ante")
    choice = flop_choice(flops)
    measured = measure_flops(policy.what, policy.buckets, choice, threads, on_done)
    game = preflop_part(policy, settings)
    blind = policy.what.game.big_blind
    pots = {pot.line: pot for pot in called_pots(policy, sampled_lines(policy, boards))}
    tree = game.tree()
    leaves = list(called_leaves(game).values())
    arrays = {
        "policy": _strategy(game, policy),
        "lines": np.array(tree.lines(0)),
        "first_slot": tree.streets[0].first_edge,
        "leaf_lines": np.array([leaf.line for leaf in leaves]),
        "leaf_sizes": np.array([(leaf.pot, leaf.stack) for leaf in leaves]),
        "leaf_shifts": np.stack([_shifts(pots.get(leaf.line)) for leaf in leaves]).astype(np.float32),
    }
    reached = Reached(
        iterations=solution.iterations,
        seconds=trained_for(solution),
        exploitability=1000 * measured.exploitability / blind,
        unit=MBB,
        algorithm=solution.algorithm or "blueprint",
    )
    more = {"leaf": WHOLE_GAME, "value_sb_bb": measured.values[1] / blind, "flops": choice.name}
    config = game.model_dump(mode="json", by_alias=True, exclude_none=True)
    return reached.bundle(KIND, config, arrays, **more, whole_game=_told(solution))


def _told(solution: PolicySolution) -> dict[str, Any]:
    """What was solved, for the file."""
    config = without_places(solution.config)
    return {name: config[name] for name in ("game", "abstraction", "blueprint") if name in config}


def _strategy(game: Preflop, policy: BlueprintPolicy) -> np.ndarray:
    """float64 [edges, 169] in the order of the preflop game."""
    own, tree = policy.what.tree, game.tree()
    rows = preflop_strategy(policy)
    by_line = {own.line_after(0, edge): rows[edge] for edge in range(own.streets[0].edges)}
    return np.stack([by_line[tree.line_after(0, edge)] for edge in range(tree.streets[0].edges)])


def _shifts(pot: CalledPot | None) -> np.ndarray:
    return np.zeros((2, CLASSES)) if pot is None else pair_shifts(pot)


def listed() -> str:
    """The charts that come with Runout, as a table of Markdown."""
    rows = [
        "| stack (bb) | mbb/hand | flops measured | before the flop | trained for | the small blind |",
        "|---|---|---|---|---|---|",
    ]
    for stack, path in shipped_charts().items():
        found, told = load_preflop(path), read_settings(path).reached
        root = found.root
        plays = ", ".join(f"{name} {one:.0f}%" for name, one in zip(root.actions, root.percents, strict=True))
        before = 1000 * found.assessment.exploitability
        figures = f"{found.exploitability:.0f} | {told['flops']} | {before:.0f} | {found.seconds / 60:.0f} min"
        rows.append(f"| {stack:g} | {figures} | {plays} |")
    return "\n".join(rows)


def trained(config: Path, run: Path, seconds: float, finer: int = 1, threads: int = 0) -> Path:
    """Train a config for so many seconds; a run that is there goes on.

    finer: a new run has the config's own buckets for a quarter of the time (in a run beside it), then so many times the
    groups of boards, each with as many buckets as before. Few groups learn fast, many get further.
    """
    going_on = latest_checkpoint(run) is not None
    settings = TrainConfig(**read_yaml(config)).with_training(workers=threads or None)
    if finer > 1:
        coarse = run.with_name(f"{run.name}-coarse").resolve()
        fine, before = _finer(settings, finer, coarse), latest_checkpoint(coarse)
        if not going_on:
            left = seconds / 4 - (float(read_settings(before).reached["seconds"]) if before else 0.0)
            if left > 0:
                train(settings.with_training(seconds=left), output=coarse, resume=before is not None, progress=True)
            seconds *= 3 / 4
        settings = fine
    train(settings.with_training(seconds=seconds), output=run, resume=going_on, progress=True)
    return run


def _finer(settings: TrainConfig, times: int, coarse: Path) -> TrainConfig:
    """The same run with so many times the groups of boards and buckets, begun from another one."""
    data = settings.to_dict()
    buckets = dict(data.get("abstraction") or {})
    if not any(isinstance(buckets.get(street), int) for street in ("flop", "turn", "river")):
        raise InputError("--finer: the config has no buckets of the flop, turn or river to have more of")
    for street in ("flop", "turn", "river"):
        if isinstance(buckets.get(street), int):
            buckets[street] *= times
            buckets[f"{street}_boards"] = buckets.get(f"{street}_boards", 1) * times
    asked = dict(data.get("blueprint") or {}, begin_from=str(coarse))
    return TrainConfig(**(data | {"abstraction": buckets, "blueprint": asked}))


def trained_for(solution: PolicySolution) -> float:
    """What it was trained for, with the run that it began from where that is still there."""
    before = (solution.config.get("blueprint") or {}).get("begin_from")
    coarse = latest_checkpoint(Path(before)) if before else None
    return solution.seconds + (float(read_settings(coarse).reached["seconds"]) if coarse else 0.0)


def main(words: Sequence[str] | None = None) -> None:
    """Make charts of runs and put them where the shipped ones are."""
    parser = argparse.ArgumentParser(prog="runout.run.charts", description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path, help="training runs of the solver blueprint, or their configs")
    parser.add_argument(
        "--train", type=float, metavar="SECONDS", help="train each config so long, or go on with its run"
    )
    parser.add_argument(
        "--finer",
        type=int,
        default=1,
        metavar="TIMES",
        help="so many times the groups of boards, after a quarter of the time",
    )
    parser.add_argument("--into", type=Path, default=Path("runs"), help="folder of the runs that are trained")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="folder of the charts")
    parser.add_argument("--flops", default=FLOPS, help="flops to measure on: all, a number, a set or a file")
    parser.add_argument("--boards", type=int, default=BOARDS, help="boards to draw to value called pots")
    parser.add_argument("--threads", type=int, default=0, help="0: one for each core")
    asked = parser.parse_args(words)
    if not asked.runs:
        print(listed())
    if any((place.suffix == ".yaml") != (asked.train is not None) for place in asked.runs):
        raise InputError("give configs with --train SECONDS, or runs without it")
    if asked.finer < 1 or (asked.finer > 1 and asked.train is None):
        raise InputError("--finer wants a number of 1 or more, and --train")
    for place in asked.runs:
        run = place
        if asked.train is not None:
            run = trained(place, asked.into / place.stem, asked.train, asked.finer, asked.threads)
        solution = load(run)
        if not isinstance(solution, PolicySolution):
            raise InputError(f"{run} is no training run of the solver blueprint")
        found = chart_bundle(solution, asked.flops, threads=asked.threads, boards=asked.boards)
        path = asked.output / f"{found.config['stack_depth']:g}bb"
        write_bundle(path, found)
        print(f"{path}: {found.reached['exploitability']:.1f} mbb/hand on flops {found.reached['flops']}")


if __name__ == "__main__":
    main()
