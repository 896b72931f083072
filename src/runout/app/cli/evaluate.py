"""`runout evaluate`: how far a solution is from equilibrium, and what its strategy looks like."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.evaluation.evaluate import Evaluation
    from runout.protocols import Event
    from runout.run.ray_cluster import RayCluster

StepDrawer = Callable[[str, int, int], None]


def evaluate_command(
    bundle: Path = typer.Argument(help="A solution, a checkpoint, the directory of a training run, or a bot, bot:RUN."),
    method: str = typer.Option(
        "auto", "--method", help="auto, exact, lbr (local best response) or sampled (best response on sampled boards)."
    ),
    eval_deals: int | None = typer.Option(
        None, "--eval-deals", help="Boards a sample; asks for a best response on sampled boards as well."
    ),
    hands: int = typer.Option(1000, "--hands", help="Deals that local best response plays, each in both seats."),
    bets: str = typer.Option(
        "game",
        "--bets",
        help="What local best response bets: game (its sizes), none, or pot (and all-in, from the turn).",
    ),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of deals and boards."),
    curve: int = typer.Option(
        0, "--curve", min=0, help="Networks of Flop Hold'em: measure the run at this many earlier iterations too."
    ),
    flops: str | None = typer.Option(
        None, "--flops", help="Blueprints: the flops to measure on: all, 95, a set as even-95, or a file."
    ),
    by_street: bool = typer.Option(False, "--by-street", help="Blueprints: on which street how much is lost."),
    cluster: str | None = typer.Option(
        None, "--cluster", help="Blueprints: measure flops on a Ray cluster: HOST:PORT of its head node, or auto."
    ),
    pictures: Path | None = typer.Option(
        None, "--pictures", help="Draw openings, answers and 25 flops as PNG into this directory."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Measure exploitability: exactly where that takes minutes, else by bounds that say what they bound."""
    from runout.cursors.load import is_bot, load
    from runout.evaluation.evaluate import evaluate
    from runout.evaluation.losses import loss_summary
    from runout.solutions.format import solution_path

    path = bundle if is_bot(bundle) else solution_path(bundle)
    solution = load(path)
    if pictures is not None:
        from runout.app.pictures import require_pictures

        require_pictures(solution, pictures)
    with ExitStack() as stack:
        executor = None if cluster is None else stack.enter_context(on_cluster(cluster))
        draw = stack.enter_context(steps_bar(quiet or as_json))

        def hear(event: Event) -> None:
            if draw is not None:
                draw(event.counted.removeprefix("steps of "), event.iteration, event.total or 0)

        found = evaluate(
            solution, method, eval_deals, hands, seed, points=curve, flops=flops, by_street=by_street, progress=hear,
            executor=executor, bets=bets,
        )  # fmt: skip
    losses = loss_summary(path)
    if as_json:
        import json

        record = found.to_dict() | ({} if losses is None else {"loss": losses.to_dict()})
        print(json.dumps(_finite(record)))
    else:
        _show(found)
        if losses is not None:
            print(losses)
    if pictures is not None:
        from runout.app.pictures import draw_pictures

        draw_pictures(solution, pictures, show=not as_json, color=not quiet)


def on_cluster(address: str, memory: int = 0) -> RayCluster:
    """What `--cluster` means; `memory` is what a task takes."""
    from runout.run.ray_cluster import RayCluster

    return RayCluster(address, memory)


def _show(found: Evaluation) -> None:
    for one in (found, *found.also):
        low, high = one.interval
        spread = "" if low == high else f" (95% interval {low:.4g} to {high:.4g})"
        print(f"exploitability {one.exploitability:.4g} {one.unit}{spread}, by {one.method}")
        if one.per_player is not None:
            gains = ", ".join(f"{name} {gain:.4g}" for name, gain in one.per_player.items())
            print(f"  gains of the response: {gains}; summed (NashConv) {one.summed:.4g} {one.unit}")
        for street, gain in one.by_street.items():
            print(f"  by a response from the {street} on: {gain:.4g} {one.unit}")
        for iteration, was in one.curve:
            print(f"  after {iteration} iterations {was:.4g} {one.unit} ({2 * was:.4g} summed)")
        print(f"  {one.says}" + (f" Looked at {one.size}." if one.size else ""))


def _finite(record: object) -> object:
    """JSON has no endless numbers: an interval of one sample becomes null at both ends."""
    if isinstance(record, dict):
        return {key: _finite(value) for key, value in record.items()}
    if isinstance(record, list):
        return [_finite(value) for value in record]
    endless = isinstance(record, float) and record in (float("inf"), float("-inf"))
    return None if endless else record


@contextmanager
def steps_bar(quiet: bool) -> Iterator[StepDrawer | None]:
    """A progress bar on standard error for something that counts its steps; None when quiet or without a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def draw(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=total)
            bar.update(tasks[name], completed=done, total=total)  # type: ignore[arg-type]

        yield draw
