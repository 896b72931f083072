"""`runout game`: solve a small game with any variant of CFR, or several side by side; and Flop Hold'em."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.app.cli.progress import Heard
    from runout.cursors.game_solution import GameSolution
    from runout.solutions.output import Output


def game_command(
    game: str = typer.Argument(help="kuhn, leduc, flop-holdem, flop-game, or openspiel:NAME for one of OpenSpiel's."),
    algorithm: str | None = typer.Option(
        None,
        "--algorithm",
        "-a",
        help="cfr, cfr+, lcfr, dcfr (the default), dcfr+, pcfr+, pdcfr+, sapcfr+, hs-dcfr, external-sampling, "
        "outcome-sampling or chance-sampling; parameters in brackets, as in 'dcfr(1.5,0,2)'.",
    ),
    iterations: int | None = typer.Option(
        None, "--iterations", "-n", help="Iterations in all; 1000 by default (2000)."
    ),
    target: float | None = typer.Option(None, "--target", help="Stop at this exploitability, in mA/g (mbb/hand, 5)."),
    updates: str = typer.Option("alternating", "--updates", help="alternating or simultaneous."),
    backend: str = typer.Option("numba", "--backend", help="numba or torch."),
    device: str = typer.Option("auto", "--device", help="For torch: auto, cpu, cuda or mps."),
    seed: int = typer.Option(0, "--seed", help="Seed of the sampling algorithms."),
    compare: str | None = typer.Option(None, "--compare", help="Algorithms to run side by side: cfr,cfr+,dcfr."),
    plot: Path | None = typer.Option(None, "--plot", help="Draw the convergence curve to a .png or .svg file."),
    threads: int | None = typer.Option(None, "--threads", help="flop-holdem, flop-game: threads; 0 uses every core."),
    storage: str | None = typer.Option(None, "--storage", help="flop-holdem, flop-game: float32 or int16."),
    overrides: list[str] = typer.Option([], "--set", help="flop-holdem, flop-game: a setting, as in max_bets=[2,2]."),
    line: str | None = typer.Option(
        None, "--line", help="flop-holdem, flop-game: the decision to show, as in 'SBr2 BBr3'."
    ),
    rows: int = typer.Option(24, "--rows", min=0, help="Rows of the strategy table; 0 shows all."),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory to save the solution to."),
    resume: Path | None = typer.Option(None, "--resume", help="Solution to continue; saved there again without -o."),
    force: bool = typer.Option(False, "--force", help="Replace a solution of another game in the output directory."),
    save_every: float | None = typer.Option(
        None, "--save-every", min=0, help="Seconds between saves; 60 by default (300)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object (chips)."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Solve a small two-player game; exploitability is exact, in thousandths of an ante a game (mA/g).

    flop-holdem (limit, ends on the flop) and flop-game (no-limit, run out after the flop) are solved on ranges; their
    unit is mbb/hand, defaults are in brackets, and --updates, --seed, --compare and --rows do not apply to them.
    """
    from runout.app.cli.progress import Heard, check_device
    from runout.app.plots import check_plot_path
    from runout.errors import InputError
    from runout.solutions.output import Output
    from runout.solutions.reached import MILLIANTES

    kind = game.strip().lower()
    if kind in _ON_RANGES:
        from runout.app.cli.flop_holdem import solve_and_show

        if updates != "alternating" or compare is not None:
            raise InputError(f"{kind} has alternating updates only, and no --compare: run it twice")
        check_device(backend, device)
        solve = {"algorithm": algorithm, "iterations": iterations, "target": target}
        solve |= {"threads": threads, "storage": storage}
        saving = {"output": output, "resume": resume, "force": force, "save_seconds": save_every}
        solve_and_show(kind, solve, overrides, saving, plot, line, as_json, quiet, backend, device)
        return
    if threads is not None or storage is not None or overrides or line is not None:
        raise InputError("--threads, --storage, --set and --line are for flop-holdem and flop-game only")
    if updates not in ("alternating", "simultaneous"):
        raise InputError(f"unknown updates {updates!r}: use alternating or simultaneous")
    if plot is not None:
        check_plot_path(plot)
    if compare is not None and (algorithm or output or resume):
        raise InputError("--compare cannot be joined with --algorithm, -o or --resume")
    check_device(backend, device)
    common: dict[str, Any] = {
        "iterations": iterations,
        "target": target,
        "alternating": updates == "alternating",
        "seed": seed,
        "backend": backend,
        "device": device,
    }
    names = [algorithm] if compare is None else _listed(compare)
    common |= {} if save_every is None else {"save_seconds": save_every}
    heard, place = Heard(), output or resume
    held = None if place is None else Output(place, force)
    solutions = _solve(game, names, common, quiet or as_json, resume, held, heard)
    if plot is not None:
        from runout.app.plots import save_plot

        save_plot(plot, {name: found.reached.curve for name, found in solutions.items()}, game, MILLIANTES)
    if as_json:
        _print_json(game, list(solutions.values()), compare is not None, heard)
    else:
        _show(solutions, compare is not None, rows, quiet)
    heard.end()


_ON_RANGES = ("flop-holdem", "flop-game")


def _solve(
    game: str,
    names: list[str] | list[str | None],
    common: dict[str, Any],
    quiet: bool,
    resume: Path | None,
    output: Output | None,
    heard: Heard,
) -> dict[str, GameSolution]:
    from contextlib import nullcontext

    from runout.app.cli.progress import progress_bar
    from runout.games.catalog import load_game
    from runout.games.compiled import compile_game
    from runout.run.tabular import solve_game
    from runout.solvers.catalog import parse_algorithm

    for name in names:
        if name is not None:
            parse_algorithm(name)  # refuse the last one before the first is run
    compiled = compile_game(load_game(game))
    solutions = {}
    with output or nullcontext():
        for name in names:
            with progress_bar(common["iterations"], quiet, name or compiled.name) as heard.draw:
                found = solve_game(compiled, name, resume=resume, output=output, progress=heard, **common)
            solutions[found.algorithm] = found
    return solutions


def _listed(text: str) -> list[str]:
    """Names between commas that are not inside brackets."""
    from runout.errors import InputError

    names = [name.strip() for name in re.split(r",(?![^()]*\))", text)]
    if not all(names):
        raise InputError(f"cannot read --compare {text!r}: use names with commas between, cfr,cfr+,dcfr")
    return names


def _show(solutions: dict[str, GameSolution], compared: bool, rows: int, quiet: bool) -> None:
    from runout.app.cli.game_view import show_comparison, show_solution
    from runout.app.cli.node_view import make_console

    console = make_console(quiet)
    if compared:
        show_comparison(console, solutions)
    else:
        show_solution(console, next(iter(solutions.values())), rows)


def _print_json(game: str, solutions: list[GameSolution], compared: bool, heard: Heard) -> None:
    import json

    runs = [
        {
            "game": game,
            "algorithm": solution.algorithm,
            "iterations": solution.iterations,
            "exploitability": solution.exploitability,
            "nash_conv": solution.nash_conv,
            "value": solution.value,
            "unit": "chips",
            "seconds": solution.seconds,
        }
        for solution in solutions
    ]
    if compared:
        print(json.dumps({"game": game, "runs": runs, **heard.record()}))
    else:
        print(json.dumps({**runs[0], **heard.record(), "policy": solutions[0].policy, "curve": solutions[0].curve}))
