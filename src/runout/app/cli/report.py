"""`runout report`: solve a spot on many flops and show what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runout.app.cli.spot_flags import spot_from, takes_spot_flags

if TYPE_CHECKING:
    from runout.run.report_directory import ReportPlan


@takes_spot_flags
def report_command(
    spot: Path | None = typer.Argument(
        None, metavar="[SPOT.yaml]", help="The spot, whose board is left aside; the embedded one without it."
    ),
    *,
    flags: dict[str, Any],
    flops: str | None = typer.Option(
        None, "--flops", help="all, a number (95), a set (fitted-23, -49, -95, -184, even-95) or a file. [fitted-49]"
    ),
    grid: list[str] = typer.Option(
        [], "--grid", help="Values that a setting is to have: stack=500,910 or 'flop_bet=33%; 33%, 75%'. Repeatable."
    ),
    overrides: list[str] = typer.Option([], "--set", help="Any setting, as in betting.flop.oop.bet=25%. Repeatable."),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory of the report: tables and records."),
    keep_solutions: bool = typer.Option(False, "--keep-solutions", help="Keep every solution too, without rivers."),
    resume: bool = typer.Option(False, "--resume", help="Go on with the report in the output directory."),
    workers: int | None = typer.Option(
        None, "--workers", min=1, help="Processes of one thread each; by default as many as cores and memory allow."
    ),
    cluster: str | None = typer.Option(
        None, "--cluster", help="Solve on a Ray cluster: HOST:PORT of its head node, or auto for this machine's."
    ),
    rows: int = typer.Option(12, "--rows", min=0, help="How many flops to show, the most often dealt first; 0: all."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Solve a spot on many flops: EV, equity and frequencies of each, their averages, and tables in Parquet and CSV."""
    import json
    import signal
    import tempfile
    from contextlib import ExitStack

    from runout.app.cli import report_view as view
    from runout.app.cli.evaluate import on_cluster, steps_bar
    from runout.app.cli.node_view import make_console
    from runout.errors import InputError
    from runout.protocols import Event
    from runout.run.report import USUAL, failure_text, flop_bytes, make_plan, read_grid, run_report
    from runout.run.report_directory import ReportDirectory

    if (resume or keep_solutions) and output is None:
        raise InputError(
            f"{'--resume' if resume else '--keep-solutions'} needs the directory of the report: give -o DIR"
        )
    if cluster is not None and workers is not None:
        raise InputError("give --workers or --cluster: a cluster has as many workers as cores")
    if "board" in flags:
        raise InputError("--board: a report is over many flops; name them by --flops")
    earlier = ReportDirectory(output).plan if resume and output is not None and ReportDirectory(output).exists else None
    if earlier is not None and spot is None and not (flags or overrides or grid):
        plan = earlier if flops is None else make_plan(earlier.spot, flops, _grid_of(earlier))
    else:
        asked = spot_from(spot, flags, [], [*overrides, *_placeholder(spot)])
        plan = make_plan(asked, flops or (earlier.set_name if earlier else USUAL), read_grid(grid))
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="runout-report-"))
        executor = None if cluster is None else stack.enter_context(on_cluster(cluster, flop_bytes(plan)))
        draw = stack.enter_context(steps_bar(quiet or as_json))

        def hear(event: Event) -> None:
            if draw is not None:
                draw("flops", event.iteration, event.total or 0)

        run = run_report(output or Path(folder) / "report", plan, keep_solutions, resume, hear, workers, executor)
        found = list(run.report.records())
    if as_json:
        print(json.dumps(view.record(plan, found, run)))
    else:
        view.show(make_console(quiet), plan, found, run, rows, output)
    if run.failures:
        view.complain(failure_text(run.failures))
    if run.stopped:
        if output is not None:
            view.complain(f"stopped: {run.done} of {run.total} flops are in {output}; --resume goes on with it")
        raise typer.Exit(128 + signal.Signals[run.stopped])
    if run.failures:
        raise typer.Exit(1)


def _placeholder(spot: Path | None) -> list[str]:
    """A board for a spot file that has none."""
    from runout.config import read_yaml

    return [] if spot is None or "board" in read_yaml(spot) else ["board=Qs Jh 2h"]


def _grid_of(plan: ReportPlan) -> dict[str, list[Any]]:
    """The values of each setting in a plan's cases, in their order."""
    return {key: list(dict.fromkeys(case[key] for case in plan.cases)) for key in plan.keys}
