"""`runout game flop-holdem` and `flop-game`: solve a preflop tree with betting on the flop, and show how it opens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from runout.app.cli.progress import Heard
    from runout.cursors.flop_solution import FlopSolution
    from runout.games.flop_holdem import TwoStreets
    from runout.solvers.assessment import Assessment
    from runout.solvers.ranges import RangeGame

_SEATS = ("big blind", "small blind")  # players 0 and 1


def solve_and_show(
    kind: str,
    solve: dict[str, Any],
    overrides: list[str],
    saving: dict[str, Any],
    plot: Path | None,
    line: str | None,
    as_json: bool,
    quiet: bool,
    backend: str,
    device: str,
) -> None:
    """Everything that the command does; `solve` are settings from flags, None where not given; `saving` says where to
    save and what to continue."""
    from contextlib import nullcontext

    from runout.app.cli.node_view import make_console
    from runout.app.cli.progress import Heard, game_and_progress
    from runout.app.plots import check_plot_path
    from runout.run.flop_holdem import solve_flop_holdem
    from runout.solutions.output import Output
    from runout.solvers.auto import range_schedule

    if plot is not None:
        check_plot_path(plot)
    heard, resume, place = Heard(), saving["resume"], saving["output"] or saving["resume"]
    every = {} if saving["save_seconds"] is None else {"save_seconds": saving["save_seconds"]}
    console = None if as_json else make_console(quiet)
    with nullcontext() if place is None else Output(place, saving["force"]) as held:
        settings = _settings(kind, solve, overrides, resume)
        range_schedule(settings.solve.algorithm)  # what cannot be done is refused before any work
        settings.tree().node(line or "")

        def show(game: RangeGame) -> None:
            if console is not None:
                _show_game(console, settings, game)

        with game_and_progress(settings.solve.iterations, quiet or as_json, show, heard) as on_game:
            solution = solve_flop_holdem(
                settings, resume=resume, output=held, progress=heard, on_game=on_game, backend=backend, device=device,
                **every,
            )  # fmt: skip
    found = solution.assess()
    if plot is not None:
        _plot(plot, solution)
    if console is None:
        _print_json(solution, found, heard)
    else:
        _show(console, solution, found, line)
        if place is not None and heard.problem is None:
            console.print(f"\nsaved to {place}", markup=False, soft_wrap=True)
    heard.end()


def _settings(kind: str, solve: dict[str, Any], overrides: list[str], resume: Path | None) -> TwoStreets:
    """The game to be solved; without other settings, that of the solution to continue."""
    from runout.errors import InputError
    from runout.games.flop_game import TWO_STREET_GAMES
    from runout.solutions.format import read_bundle

    given = {name: value for name, value in solve.items() if value is not None}
    data: dict[str, Any] = {}
    if resume is not None:
        saved = read_bundle(resume, *TWO_STREET_GAMES, mapped=True)
        if saved.kind != kind:
            raise InputError(f"{resume} is a solution of {saved.kind}, not of {kind}")
        data = saved.config
    return TWO_STREET_GAMES[kind].of(data | {"solve": data.get("solve", {}) | given}, overrides)


def _show_game(console: Console, settings: TwoStreets, game: RangeGame) -> None:
    from runout.solvers.range_memory import estimate

    deck, flops = game.boards[0].tables.count[0, 0], game.boards[1]
    console.print(
        f"{settings.describe()}, {deck:,} hands, {len(flops.cards):,} flops up to suits "
        f"({flops.copies.sum():,} in all); {settings.accuracy()}",
        markup=False,
        soft_wrap=True,
    )
    needs, storage = estimate(game.tree, game.boards), settings.solve.storage
    other = "int16" if storage == "float32" else "float32"
    console.print(
        f"tree {game.tree.nodes} decisions; memory {needs.bytes(storage) / 1e6:,.1f} MB as {storage} "
        f"({needs.bytes(other) / 1e6:,.1f} as {other})",
        soft_wrap=True,
    )


def _show(console: Console, solution: FlopSolution, found: Assessment, line: str | None) -> None:
    from rich.table import Table

    from runout.app.cli.node_view import show_node
    from runout.app.words import reached_text
    from runout.explorers import open_explorer

    mbb, explorer = solution.settings.mbb, open_explorer(solution)
    aside = f"mean of both players; summed over both, NashConv: {mbb(found.nash_conv):.3g}"
    console.print(reached_text(solution.reached, aside), markup=False, soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("value (chips)", "value (mbb/hand)", "best response gains (mbb/hand)"):
        table.add_column(heading, justify="right")
    for seat in (1, 0):
        value, gain = found.values[seat], found.gains[seat]
        table.add_row(_SEATS[seat], f"{value:+.5f}", f"{mbb(value):+.2f}", f"{mbb(gain):.4g}")
    console.print(table)
    console.print()
    show_node(console, explorer.at(line or ""))


def _plot(path: Path, solution: FlopSolution) -> None:
    from runout.app.plots import save_plot

    reached = solution.reached
    save_plot(path, {reached.algorithm: reached.curve}, solution.settings.kind, reached.unit)


def _print_json(solution: FlopSolution, found: Assessment, heard: Heard) -> None:
    import json

    from runout.cursors.tables import class_record, decisions_below
    from runout.explorers import open_explorer

    mbb = solution.settings.mbb
    record = {
        "game": solution.settings.kind,
        "algorithm": solution.algorithm,
        "iterations": solution.iterations,
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "value": found.values[1],  # to the small blind, who acts first
        "unit": "chips",
        "seconds": solution.seconds,
        "exploitability_mbb": mbb(found.exploitability),
        "nash_conv_mbb": mbb(found.nash_conv),
        "value_sb_mbb": mbb(found.values[1]),
        "gains_mbb": {"SB": mbb(found.gains[1]), "BB": mbb(found.gains[0])},
        "values_mbb": {"SB": mbb(found.values[1]), "BB": mbb(found.values[0])},
        "memory_mb": solution.memory / 1e6,
        "nodes": {view.line: class_record(view) for view in decisions_below(open_explorer(solution), "")},
        "curve": solution.curve,
    }
    print(json.dumps(record | heard.record()))
