"""`runout train`: train a strategy by sampling, by full-width CFR or with networks, from a YAML config."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.app.cli.progress import Heard
    from runout.run.train import TrainResult
    from runout.run.train_config import TrainConfig
    from runout.run.training_memory import TrainingMemory


def train_command(
    config: Path = typer.Option(..., "-c", "--config", help="YAML: game_type, game, deals, training, network, ..."),
    solver: str | None = typer.Option(
        None, "--solver", help="blueprint, exact, sd-cfr, deep-cfr, mccfr, sequence or gpu."
    ),
    resume: bool = typer.Option(False, "--resume", help="Go on with the run in the output directory."),
    iterations: int | None = typer.Option(None, "--iterations", "-n", help="Iterations in all."),
    seconds: float | None = typer.Option(None, "--seconds", help="Stop after this many seconds of wall clock."),
    target: float | None = typer.Option(None, "--target", help="Stop at this exploitability (mbb/hand, mA/g)."),
    seed: int | None = typer.Option(None, "--seed", help="Seed of everything that is drawn."),
    device: str | None = typer.Option(None, "--device", help="For torch: auto, cpu, cuda or mps."),
    workers: int | None = typer.Option(None, "--workers", help="Threads or processes."),
    cluster: str | None = typer.Option(
        None, "--cluster", help="Work on a Ray cluster: auto, or the address HOST:PORT of its head node."
    ),
    flops: str | None = typer.Option(None, "--flops", help="Of exact: all, N, a set such as fitted-23, or a file."),
    shards: int | None = typer.Option(
        None, "--shards", help="Shards that share the work: of exact, blueprint and networks of hold'em."
    ),
    deals: Path | None = typer.Option(None, "--deals", help="Pool of deals that `runout deals make` saved."),
    overrides: list[str] = typer.Option(
        [], "--set", metavar="KEY=VALUE", help="A setting: training.seed=1, sgd.steps=500, game.stack_depth=20."
    ),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory of the run; runs/CONFIG by default."),
    plot: bool = typer.Option(False, "--plot", help="Draw curves.png into the directory of the run."),
    log: str = typer.Option(
        "", "--log", help="Also log to tensorboard or wandb (offline), or both: tensorboard,wandb."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Train a strategy; checkpoints, metrics and the config are kept in one directory.

    Ctrl-C finishes the current iteration and saves; --resume continues from the last checkpoint, also after a crash,
    to the same result as a run in one piece.
    """
    from runout.app.cli.progress import Heard, progress_bar
    from runout.app.cli.train_view import said, show_result
    from runout.app.training_log import training_logs
    from runout.config import apply_overrides, read_yaml, validated
    from runout.errors import InputError
    from runout.run.train import train
    from runout.run.train_config import TrainConfig, for_solver

    if workers is not None and cluster is not None:
        raise InputError("give --workers or --cluster: the machines of a cluster are used as far as there are shards")
    data = read_yaml(config)
    data = apply_overrides(data if solver is None else for_solver(data, solver), overrides)
    given = {
        "solver": solver,
        "iterations": iterations,
        "seconds": seconds,
        "target": target,
        "seed": seed,
        "device": device,
        "workers": workers,
        "output_dir": None if output is None else str(output),
    }
    _put(data, "training", {name: value for name, value in given.items() if value is not None})
    _put(data, "exact", {} if flops is None else {"flops": flops})
    _put(data, _sharded(data), {} if shards is None else {"shards": shards})
    _put(data, "deals", {} if deals is None else {"file": str(deals.absolute())})
    training = data.get("training")
    if training is None or (isinstance(training, dict) and training.get("output_dir") is None):
        _put(data, "training", {"output_dir": str(Path("runs") / config.stem)})
    chosen = validated(TrainConfig, data, config.name)
    assert chosen.training.output_dir is not None
    folder = Path(chosen.training.output_dir)
    heard = Heard()
    with (
        training_logs(log, folder) as note,
        progress_bar(chosen.training.iterations, quiet or as_json, chosen.training.solver, said) as heard.draw,
    ):

        def hear(event: Any) -> None:
            note(event)
            heard(event)

        def say(memory: TrainingMemory) -> None:
            if str(memory) and not (quiet or as_json):
                typer.echo(f"memory: {memory}", err=True)

        result = train(chosen, resume=resume, progress=hear, on_memory=say, cluster=cluster)
    if plot:
        _plot(folder, chosen, result)
    if as_json:
        _print_json(result, heard)
    else:
        show_result(result, quiet)
    heard.end()


def _sharded(data: dict[str, Any]) -> str:
    """The section that has a solver's shards."""
    from runout.run.train_config import NEURAL, TrainingSettings

    training = data.get("training")
    asked = training.get("solver") if isinstance(training, dict) else None
    solver = asked or TrainingSettings.model_fields["solver"].default
    return "blueprint" if solver == "blueprint" else "memory" if solver in NEURAL else "exact"


def _put(data: dict[str, Any], section: str, given: dict[str, Any]) -> None:
    """Set keys of a section, which may be missing or empty; anything else in its place is left to be refused."""
    held = data.get(section)
    if given and (held is None or isinstance(held, dict)):
        data[section] = {**(held or {}), **given}


def _plot(folder: Path, config: TrainConfig, result: TrainResult) -> None:
    from runout.app.plots import save_plot
    from runout.run.training_directory import TrainingDirectory

    rows = TrainingDirectory(folder).rows()
    curve = [(row["iteration"], row["exploitability"]) for row in rows if row.get("exploitability") is not None]
    losses = sorted({key for row in rows for key in row if key.startswith("loss")})
    if curve:
        save_plot(folder / "curves.png", {config.training.solver: curve}, config.title, result.unit)
    elif losses:
        curves = {key: [(row["iteration"], row[key]) for row in rows if key in row] for key in losses}
        save_plot(folder / "curves.png", curves, config.title, "", quantity="loss")
    else:
        typer.echo("nothing to plot: the run measured nothing on the way, and the solver has no loss", err=True)


def _print_json(result: TrainResult, heard: Heard) -> None:
    import json

    report = {
        "game": result.config.title,
        "solver": result.config.training.solver,
        "iterations": result.iterations,
        "exploitability": result.exploitability,
        "unit": result.unit,
        "seconds": result.seconds,
        "stopped": result.reason,
        "checkpoint": None if result.checkpoint is None else str(result.checkpoint),
        "metrics": dict(result.metrics),
        "curve": result.curve,
    }
    print(json.dumps(report | heard.record()))
