"""`runout preflop`: solve a heads-up game before the flop, show it, and walk through it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.app.cli.progress import Heard
    from runout.cursors.preflop_solution import PreflopSolution
    from runout.games.preflop import Preflop


def preflop_command(
    file: Path | None = typer.Argument(None, metavar="[CONFIG.yaml]", help="The game; a preset without one."),
    preset: str | None = typer.Option(None, "--preset", "-p", help="standard (the default), aggressive or tiny."),
    stack: float | None = typer.Option(None, "--stack", help="Stack depth in big blinds."),
    tree: str | None = typer.Option(None, "--tree", help="full, or push-fold: all-in or fold."),
    stacks: str | None = typer.Option(None, "--stacks", help="Push/fold chart over stacks: 2:25, 2:10:0.5 or 5,10,15."),
    action: str = typer.Option("", "--action", help="Where to look, as in '50bb SBr2.5 BBr8'."),
    nearest: bool = typer.Option(
        False, "--nearest", help="Open the chart with the nearest stack instead of solving for this one."
    ),
    leaf: str | None = typer.Option(
        None,
        "--leaf",
        help="What a called pot is worth: solved (as in whole games of this depth), equity (checked down), realization "
        "or flop-game.",
    ),
    realization: Path | None = typer.Option(
        None, "--realization", help="YAML file with realization factors: sb and bb, each ranges and numbers."
    ),
    flop_game: Path | None = typer.Option(
        None, "--flop-game", help="Solved flop game to value called pots by; brings its preflop game."
    ),
    lock: list[str] = typer.Option(
        [], "--lock", help="A given strategy: 'SBr2.5: f=0.6, c=0.4', for some hands 'SBr2.5 @ 22+: c=1'. Repeatable."
    ),
    overrides: list[str] = typer.Option([], "--set", help="Any setting, as in limps=false or rake.percent=5."),
    target: float | None = typer.Option(None, "--target", "-t", help="Stop at this exploitability, in mbb/hand."),
    iterations: int | None = typer.Option(None, "--iterations", "-n", help="Iterations at most."),
    algorithm: str | None = typer.Option(None, "--algorithm", "-a", help="auto, or a variant such as 'cfr+'."),
    backend: str = typer.Option("numba", "--backend", help="numba or torch."),
    device: str = typer.Option("auto", "--device", help="For torch: auto, cpu, cuda or mps."),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory to save the solution to."),
    resume: Path | None = typer.Option(None, "--resume", help="Solution to continue; saved there again without -o."),
    force: bool = typer.Option(False, "--force", help="Replace a solution of another game in the output directory."),
    save_every: float = typer.Option(60.0, "--save-every", min=0, help="Seconds between saves."),
    csv: Path | None = typer.Option(
        None, "--csv", help="File to write every hand at every decision to; - is standard output."
    ),
    interactive: bool = typer.Option(
        True, "--interactive/--no-interactive", help="Explore the solution, where there is a terminal."
    ),
    theme: str = typer.Option("standard", "--theme", help="Colours: standard or classic."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar, no colours, no prompt."),
) -> None:
    """Heads-up no-limit hold'em before the flop: charts of solved whole games, or any other game solved now.

    Without a file, a preset or settings of a game this opens the chart of --stack (100 bb) at once.
    """
    import json

    from runout import files
    from runout.app.cli.preflop_settings import stack_of
    from runout.app.cli.progress import Heard, check_device
    from runout.app.matrix import check_theme
    from runout.errors import InputError

    check_theme(theme)
    check_device(backend, device)
    if realization is not None and leaf not in (None, "realization"):
        raise InputError(
            f"--realization is a file of the leaf model 'realization': leave --leaf {leaf} out, or the file"
        )
    if csv is not None and str(csv) != "-":
        files.check_place(csv)
    solve = {"target": target, "iterations": iterations, "algorithm": algorithm}
    depth = stack_of(stack, action)
    flags = {"stack": depth, "leaf": leaf, "realization": realization, **solve}
    if flop_game is not None:
        flags |= {"leaf": leaf or "flop-game", "flop_game": flop_game}
    where = {"file": file, "preset": preset, "tree": tree, "flags": flags, "overrides": overrides, "locks": lock}
    of_a_game = (file, preset, tree, leaf, realization, flop_game, resume, *solve.values())
    asked_chart = (
        not overrides and not lock and all(one is None for one in of_a_game) and (backend, device) == ("numba", "auto")
    )
    if nearest and (not asked_chart or stacks is not None):
        raise InputError("--nearest opens a chart: it takes --stack and --action, and no settings of a game")
    if stacks is not None:
        if tree == "full" or action or resume or output or stack is not None:
            raise InputError(
                "--stacks is a push/fold chart: it cannot be joined with --stack, --tree full, --action, -o or --resume"
            )
        _chart(stacks, where, backend, device, csv, as_json, quiet)
        return
    heard = Heard()
    saving = {"output": output, "resume": resume, "force": force, "save_seconds": save_every}
    solution = _opened(depth, action, nearest, saving, heard) if asked_chart else None
    if solution is None:
        solution = _solve(where, action, backend, device, saving, heard, quiet or as_json)
        if unused := solution.settings.unused_sizes():
            typer.echo(f"note: nobody can ever raise to {', '.join(unused)} in this game", err=True)
    from runout.app.cli.preflop_view import record, write_tree_csv

    if csv is not None and str(csv) == "-":
        write_tree_csv(sys.stdout, solution, action)
        heard.end()
        return
    if csv is not None:
        with files.replacing(csv) as stream:
            write_tree_csv(stream, solution, action)
    if as_json:
        print(json.dumps(record(solution, action) | heard.record()))
    else:
        saved = [heard.saved, None if csv is None else str(csv)]
        _show(solution, action, theme, interactive, quiet, [path for path in saved if path is not None])
    heard.end()


def _opened(
    stack: float | None, action: str, nearest: bool, saving: dict[str, Any], heard: Heard
) -> PreflopSolution | None:
    """The chart of a stack; None where there is none, or where it does not have the line to look at."""
    from runout.cursors.preflop_solution import open_chart
    from runout.errors import InputError

    try:
        solution = open_chart(100.0 if stack is None else stack, nearest)
        solution.settings.tree().find(action)
    except InputError:
        if nearest:
            raise
        return None
    if saving["output"] is not None:
        from runout.run.holding import require_replaceable, same_settings
        from runout.solutions.format import write_bundle
        from runout.solutions.output import Output

        with Output(saving["output"], saving["force"]) as held:
            require_replaceable(held, solution.bundle().kind, same_settings(solution.settings, ("name",)))
            write_bundle(held, solution.bundle())
            heard.saved = str(saving["output"])
    return solution


def _solve(
    where: dict[str, Any],
    action: str,
    backend: str,
    device: str,
    saving: dict[str, Any],
    heard: Heard,
    quiet: bool,
) -> PreflopSolution:
    from contextlib import nullcontext

    from runout.app.cli.preflop_settings import game_from, require_same_money
    from runout.app.cli.progress import progress_bar
    from runout.cursors.preflop_solution import load_preflop
    from runout.run.preflop import solve_preflop
    from runout.solutions.output import Output

    resume, place = saving["resume"], saving["output"] or saving["resume"]
    with nullcontext() if place is None else Output(place, saving["force"]) as held:
        earlier, model = load_preflop(resume) if resume is not None else None, None
        base = earlier.settings if earlier is not None else None
        if where["flags"].get("flop_game") is not None:
            brought, model = _flop_game(where, resume)
            base = brought if where["file"] is None and where["preset"] is None else None
        game = game_from(**where, earlier=base, action=action)
        if model is not None:
            require_same_money(game, brought)
        game.tree().find(action)  # refuses a line that the game does not have
        with progress_bar(game.solve.iterations, quiet, game.name) as heard.draw:
            return solve_preflop(
                game,
                backend=backend,
                device=device,
                model=model,
                resume=earlier,
                output=held,
                progress=heard,
                save_seconds=saving["save_seconds"],
            )


def _flop_game(where: dict[str, Any], resume: Path | None) -> tuple[Preflop, Any]:
    """The game that a solved flop game brings, and the values of its called pots."""
    from runout.cursors.flop_game_pots import load_flop_game
    from runout.errors import InputError

    if resume is not None or where["flags"]["leaf"] != "flop-game" or where["tree"] == "push-fold":
        raise InputError("--flop-game is for the leaf model flop-game of a new solve; a resumed one has its values")
    return load_flop_game(where["flags"]["flop_game"])


def _show(solution: PreflopSolution, action: str, theme: str, interactive: bool, quiet: bool, saved: list[str]) -> None:
    from runout.app.cli.node_view import make_console
    from runout.app.cli.preflop_view import heading, show_solution
    from runout.app.cli.prompt import explore
    from runout.explorers import open_explorer

    console = make_console(quiet)
    if interactive and not quiet and sys.stdin.isatty() and sys.stdout.isatty():
        explore(open_explorer(solution), console, heading(solution), action, theme)
    else:
        show_solution(console, solution, action, theme)
    for path in saved:
        console.print(f"saved to {path}", markup=False, soft_wrap=True)


def _chart(
    stacks: str, where: dict[str, Any], backend: str, device: str, csv: Path | None, as_json: bool, quiet: bool
) -> None:
    import json

    from runout import files
    from runout.app.cli import preflop_view as view
    from runout.app.cli.node_view import make_console
    from runout.app.cli.preflop_settings import game_from, parse_stacks
    from runout.run.preflop import push_fold_chart

    listed = parse_stacks(stacks)
    games = [game_from(**where | {"tree": "push-fold", "flags": {**where["flags"], "stack": one}}) for one in listed]
    console = make_console(quiet)
    if not as_json and console.is_terminal:
        with console.status(f"solving {len(games)} stacks") as status:
            chart = push_fold_chart(
                games, lambda one: status.update(f"solved {one:g} bb"), backend=backend, device=device
            )
    else:
        chart = push_fold_chart(games, backend=backend, device=device)
    if csv is not None and str(csv) == "-":
        view.write_chart_csv(sys.stdout, chart)
        return
    if csv is not None:
        with files.replacing(csv) as stream:
            view.write_chart_csv(stream, chart)
    if as_json:
        print(json.dumps(view.chart_record(chart)))
        return
    view.show_chart(console, chart)
    if csv is not None:
        console.print(f"saved to {csv}", markup=False, soft_wrap=True)
