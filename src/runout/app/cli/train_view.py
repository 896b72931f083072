"""How a training run looks in a terminal: words beside the progress bar, and a few lines at the end."""

from __future__ import annotations

from collections.abc import Mapping

from runout.app.cli.node_view import colored, make_console
from runout.app.cli.progress import reached
from runout.app.plots import terminal_plot
from runout.protocols import Event
from runout.run.train import TrainResult

ENDINGS = {
    "iterations": "all iterations are done",
    "target": "the target is reached",
    "seconds": "the time is up",
    "interrupted": "interrupted",
}


def said(event: Event) -> str:
    """What stands beside the progress bar."""
    return "  ".join(part for part in (reached(event), *metric_texts(event.metrics)) if part)


def metric_texts(metrics: Mapping[str, float]) -> list[str]:
    """The numbers that people watch: '1.2M samples', 'loss 0.013', '3.4M nodes/s'."""
    found = [f"{_short(metrics['samples'])} samples"] if "samples" in metrics else []
    if "table_size" in metrics:
        found.append(f"{_short(metrics['table_size'])} sets")
    found += [f"{key.replace('_', ' ')} {metrics[key]:.3g}" for key in metrics if key.startswith("loss")]
    if "shards" in metrics:
        found.append(f"{metrics['shards']:.0f} shards of up to {metrics['largest_shard_mb']:.3g} MB")
    if "sent_mb_per_iteration" in metrics:
        found.append(f"{metrics['sent_mb_per_iteration']:.3g} MB sent an iteration")
    for key in metrics:
        if key.endswith("_per_second"):
            found.append(f"{_short(metrics[key])} {key.removesuffix('_per_second')}/s")
    return found


def _short(number: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def show_result(result: TrainResult, quiet: bool) -> None:
    """What the run came to, with its curve."""
    console, config = make_console(quiet), result.config
    console.print(
        f"{config.title}: {config.training.solver}, {result.iterations:,} iterations, {result.seconds:.3g} s; "
        f"{ENDINGS[result.reason]}",
        markup=False,
    )
    if result.exploitability is None:
        console.print(
            "exploitability: not measured on the way; `runout evaluate` measures what was saved", markup=False
        )
    elif "bound_low" in result.metrics:
        low, high = result.metrics["bound_low"], result.metrics["bound_high"]
        found = f"at least {result.exploitability:.6g} {result.unit} (local best response, {low:.4g} to {high:.4g})"
        console.print(f"exploitability {found}", markup=False)
    else:
        console.print(f"exploitability {result.exploitability:.6g} {result.unit}", markup=False)
    said = metric_texts(result.metrics)
    if said:
        console.print(", ".join(said), markup=False)
    for line in terminal_plot({config.training.solver: result.curve}, result.unit, color=colored(console)):
        console.print(line, soft_wrap=True)
    if result.checkpoint is not None:
        console.print(f"saved to {result.checkpoint}", markup=False, soft_wrap=True)
