"""`runout explore`: any solution in the terminal."""

from __future__ import annotations

from pathlib import Path

import typer


def explore_command(
    bundle: Path = typer.Argument(
        help="A solution directory, a checkpoint, a training run, a report, or a bot, bot:RUN."
    ),
    line: str = typer.Option("", "--line", help="Where to begin: 'x-b94-c|Ah', 'SBr2.5 BBc|Qs Jh 2h|x'."),
    theme: str = typer.Option("standard", "--theme", help="Colours of actions: standard or classic."),
    light: bool = typer.Option(False, "--light", help="Dark text on a light screen."),
) -> None:
    """Walk through a solution: strategy, EV and equity of every hand at every node."""
    import sys

    from runout.app.matrix import check_theme
    from runout.cursors.load import is_bot
    from runout.errors import InputError
    from runout.explorers import open_explorer
    from runout.solutions.format import read_meta, solution_path

    check_theme(theme)
    report = (bundle / "report.json").is_file()
    if not report and not is_bot(bundle):
        read_meta(solution_path(bundle))
    elif line:
        raise InputError("--line is for solutions: a report has flops")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("explore needs a terminal: use runout export to write a node to a file")
    if report:
        from runout.app.tui.report_app import ReportApp
        from runout.run.report_directory import ReportDirectory

        chosen = ReportApp(ReportDirectory(bundle), light).run()
        if chosen is None:
            return
        bundle = Path(chosen)
    from rich.console import Console

    with Console(stderr=True).status(f"opening {bundle}"):
        from runout.app.tui.app import ExplorerApp

        explorer = open_explorer(bundle)
        app = ExplorerApp(explorer, line, theme, light)
    app.run()
