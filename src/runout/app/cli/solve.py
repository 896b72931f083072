"""`runout solve`: solve a postflop spot and show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runout.app.cli.spot_flags import spot_from, takes_spot_flags

if TYPE_CHECKING:
    from runout.games.spot import Spot
    from runout.solvers.ranges import RangeGame


@takes_spot_flags
def solve_command(
    spot: Path | None = typer.Argument(None, metavar="[SPOT.yaml]", help="The spot; an embedded flop without one."),
    *,
    flags: dict[str, Any],
    lock: list[str] = typer.Option(
        [], "--lock", help="A given strategy: 'x-b94: c=0.75, f=0.25', for some hands 'x-b94 @ QQ+: c=1'. Repeatable."
    ),
    overrides: list[str] = typer.Option([], "--set", help="Any setting, as in betting.flop.oop.bet=25%. Repeatable."),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory to save the solution to."),
    rivers: bool = typer.Option(
        True, "--rivers/--no-rivers", help="Whether rivers are saved; without, files are small."
    ),
    source: Path | None = typer.Option(
        None, "--from", help="A preflop solution, blueprint or run whose ranges to take; with --line and --board."
    ),
    line: str | None = typer.Option(None, "--line", help="The line of --from at which the spot begins: 'SBr2.5 BBc'."),
    resume: Path | None = typer.Option(None, "--resume", help="Solution to continue; saved there again without -o."),
    force: bool = typer.Option(False, "--force", help="Replace a solution of another game in the output directory."),
    save_every: float = typer.Option(60.0, "--save-every", min=0, help="Seconds between saves."),
    backend: str = typer.Option("numba", "--backend", help="numba or torch."),
    device: str = typer.Option("auto", "--device", help="For torch: auto, cpu, cuda or mps."),
    show_tree: bool = typer.Option(False, "--show-tree", help="Show the betting tree and its size; solve nothing."),
    lines: int = typer.Option(8, "--lines", min=0, help="How many of the most common lines to show."),
    theme: str = typer.Option("standard", "--theme", help="Colours: standard or classic."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Solve a postflop spot: strategy, EV and equity of every hand, with exact exploitability."""
    import json
    from contextlib import nullcontext

    from runout.app.cli import solve_view as view
    from runout.app.cli.node_view import make_console
    from runout.app.cli.progress import Heard, check_device, game_and_progress
    from runout.app.matrix import check_theme
    from runout.cursors.spot_solution import load_postflop
    from runout.run.postflop import check_settings, solve
    from runout.solutions.output import Output

    check_theme(theme)
    check_device(backend, device)
    console, heard, place = make_console(quiet), Heard(), output or resume
    with nullcontext() if place is None or show_tree else Output(place, force) as held:
        earlier = load_postflop(resume, flags.get("threads")) if resume is not None else None
        before = earlier.spot if earlier else None
        if source is not None or line is not None:
            before = _spot_at(source, line, spot or resume, flags)
        asked = spot_from(spot, flags, lock, overrides, before)
        check_settings(asked)
        if show_tree:
            _show_tree(asked, console, as_json)
            return
        if not as_json:
            view.show_spot(console, asked)

        def show(game: RangeGame) -> None:
            if not as_json:
                view.show_estimate(console, game, asked.solve.storage)

        with game_and_progress(asked.solve.iterations, quiet or as_json, show, heard) as on_game:
            solution = solve(
                asked, resume=earlier, output=held, rivers=rivers, progress=heard, on_game=on_game,
                save_seconds=save_every, backend=backend, device=device,
            )  # fmt: skip
    if as_json:
        print(json.dumps(view.record(solution) | heard.record()))
    else:
        view.show_solution(console, solution, lines, theme)
        if place is not None and heard.problem is None:
            console.print(f"\nsaved to {place}", markup=False, soft_wrap=True)
    heard.end()


def _spot_at(source: Path | None, line: str | None, other: Path | None, flags: dict[str, Any]) -> Spot:
    """The spot at a line of another solution, on the board of the flags."""
    from runout.cursors.load import load
    from runout.errors import InputError

    if source is None or line is None:
        raise InputError("--from and --line belong together: the solution whose ranges to take, and the line in it")
    if other is not None:
        raise InputError(f"give --from or {other}, not both: each brings its own spot")
    return load(source).at(line).spot(str(flags.get("board", "")))


def _show_tree(spot: Spot, console: Any, as_json: bool) -> None:
    import json

    from runout.app.cli.solve_view import show_estimate
    from runout.app.cli.tree_view import show_tree
    from runout.solvers.range_memory import estimate
    from runout.solvers.ranges import RangeGame

    game = RangeGame.of(spot.game())  # with later streets, whether they are solved or not
    if as_json:
        needs = estimate(game.tree, game.boards).bytes(spot.solve.storage)
        print(json.dumps({"streets": spot.tree().counts(), "memory_mb": needs / 1e6}))
    else:
        console.print(show_tree(spot.tree()))
        show_estimate(console, game, spot.solve.storage)
