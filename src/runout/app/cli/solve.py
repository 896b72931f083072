"""`runout solve`: solve a postflop spot and show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.analysis.postflop import Solution
    from runout.games.spot import Spot

_SIZES = "as in '33%, 75%, a'"


def solve_command(
    spot: Path | None = typer.Argument(None, metavar="[SPOT.yaml]", help="The spot; an embedded flop without one."),
    board: str | None = typer.Option(None, "--board", "-b", help="3, 4 or 5 cards, as in 'Qs Jh 2h'."),
    pot: int | None = typer.Option(None, "--pot", help="Chips in the middle."),
    stack: int | None = typer.Option(None, "--stack", help="Chips that each player has behind."),
    spr: float | None = typer.Option(None, "--spr", help="The stack as a multiple of the pot, instead of --stack."),
    oop: str | None = typer.Option(None, "--oop", help="Range of the player who acts first, as in '88+,A8s+'."),
    ip: str | None = typer.Option(None, "--ip", help="Range of the player who acts last."),
    bet: str | None = typer.Option(None, "--bet", help=f"Bet sizes of every street, {_SIZES}; '' is none."),
    raise_: str | None = typer.Option(None, "--raise", help="Raise sizes of every street, as in '60%' or '2.5x'."),
    flop_bet: str | None = typer.Option(None, "--flop-bet", help="Bet sizes of one street."),
    flop_raise: str | None = typer.Option(None, "--flop-raise", help="Raise sizes of one street."),
    turn_bet: str | None = typer.Option(None, "--turn-bet"),
    turn_raise: str | None = typer.Option(None, "--turn-raise"),
    turn_donk: str | None = typer.Option(None, "--turn-donk", help="OOP bets into the player who bet the flop."),
    river_bet: str | None = typer.Option(None, "--river-bet"),
    river_raise: str | None = typer.Option(None, "--river-raise"),
    river_donk: str | None = typer.Option(None, "--river-donk", help="OOP bets into the player who bet the turn."),
    add_all_in: float | None = typer.Option(None, "--add-all-in", help="Add an all-in of at most so many pots."),
    force_all_in: float | None = typer.Option(
        None, "--force-all-in", help="All-in instead of a bet that leaves at most this stack-to-pot ratio."
    ),
    merge: float | None = typer.Option(None, "--merge", help="Drop sizes closer than this to a larger one, as 0.1."),
    max_bets: int | None = typer.Option(None, "--max-bets", help="Bets and raises a street, at most."),
    max_raises: int | None = typer.Option(None, "--max-raises", help="The same, the first bet not counted."),
    rake: float | None = typer.Option(None, "--rake", help="Rake in % of the pot."),
    rake_cap: float | None = typer.Option(None, "--rake-cap", help="Most chips that the rake takes."),
    big_blind: float | None = typer.Option(None, "--big-blind", help="Chips; adds mbb/hand to figures."),
    lock: list[str] = typer.Option(
        [], "--lock", help="A given strategy: 'x-b94: c=0.75, f=0.25', for some hands 'x-b94 @ QQ+: c=1'. Repeatable."
    ),
    overrides: list[str] = typer.Option([], "--set", help="Any setting, as in betting.flop.oop.bet=25%. Repeatable."),
    target: float | None = typer.Option(None, "--target", "-t", help="Stop at this exploitability, in % of the pot."),
    iterations: int | None = typer.Option(None, "--iterations", "-n", help="Iterations at most."),
    threads: int | None = typer.Option(None, "--threads", help="Threads; 0 uses every core."),
    storage: str | None = typer.Option(None, "--storage", help="float32 or int16."),
    algorithm: str | None = typer.Option(None, "--algorithm", "-a", help="auto, or a variant such as 'dcfr(1.5,0,2)'."),
    output: Path | None = typer.Option(None, "-o", "--output", help="Directory to save the solution to."),
    rivers: bool = typer.Option(
        True, "--rivers/--no-rivers", help="Whether rivers are saved; without, files are small."
    ),
    resume: Path | None = typer.Option(None, "--resume", help="Solution to go on from; saved there again without -o."),
    show_tree: bool = typer.Option(False, "--show-tree", help="Show the betting tree and its size; solve nothing."),
    lines: int = typer.Option(8, "--lines", min=0, help="How many of the most common lines to show."),
    theme: str = typer.Option("standard", "--theme", help="Colours: standard or classic."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress bar and no colours."),
) -> None:
    """Solve a postflop spot: strategy, EV and equity of every hand, with exact exploitability."""
    flags = {name: value for name, value in locals().items() if name not in _NOT_OF_THE_SPOT}
    _solve_and_show(spot, flags, overrides, output, rivers, resume, show_tree, lines, theme, as_json, quiet)


_NOT_OF_THE_SPOT = {
    "spot",
    "overrides",
    "output",
    "rivers",
    "resume",
    "show_tree",
    "lines",
    "theme",
    "as_json",
    "quiet",
}


def _solve_and_show(
    file: Path | None,
    flags: dict[str, Any],
    overrides: list[str],
    output: Path | None,
    rivers: bool,
    resume: Path | None,
    tree_only: bool,
    lines: int,
    theme: str,
    as_json: bool,
    quiet: bool,
) -> None:
    import json

    from runout.analysis.postflop import load_postflop
    from runout.app.cli import solve_view as view
    from runout.app.cli.node_view import make_console
    from runout.app.cli.spot_flags import spot_from
    from runout.app.matrix import check_theme
    from runout.run.postflop import check_settings
    from runout.solutions.format import check_writable

    check_theme(theme)
    if output is not None:
        check_writable(output)
    earlier = load_postflop(resume, flags["threads"]) if resume is not None else None
    spot = spot_from(file, flags, overrides, earlier.spot if earlier else None)
    check_settings(spot)
    console = make_console(quiet)
    if tree_only:
        _show_tree(spot, console, as_json)
        return
    if not as_json:
        view.show_spot(console, spot)
    solution = _solve(spot, earlier, output or resume, rivers, quiet or as_json, None if as_json else console)
    if as_json:
        print(json.dumps(view.record(solution)))
    else:
        view.show_solution(console, solution, lines, theme)
        if output or resume:
            console.print(f"\nsaved to {output or resume}", markup=False, soft_wrap=True)


def _show_tree(spot: Spot, console: Any, as_json: bool) -> None:
    import json

    from runout.app.cli.solve_view import show_estimate
    from runout.app.cli.tree_view import show_tree
    from runout.solvers.range_memory import estimate
    from runout.solvers.ranges import RangeGame

    game = RangeGame.of(spot)
    if as_json:
        needs = estimate(game.tree, game.boards).bytes(spot.solve.storage)
        print(json.dumps({"streets": spot.tree().counts(), "memory_mb": needs / 1e6}))
    else:
        console.print(show_tree(spot.tree()))
        show_estimate(console, game, spot.solve.storage)


def _solve(
    spot: Spot, earlier: Solution | None, output: Path | None, rivers: bool, quiet: bool, console: Any
) -> Solution:
    """Solve with a progress bar; the size of the game is shown on `console` first, where there is one."""
    from contextlib import ExitStack

    from runout.app.cli.progress import progress_bar
    from runout.app.cli.solve_view import show_estimate
    from runout.run.postflop import solve

    draw: Any = None

    with ExitStack() as stack:

        def on_game(game: Any) -> None:
            nonlocal draw
            if console is not None:
                show_estimate(console, game, spot.solve.storage)
            draw = stack.enter_context(progress_bar(spot.solve.iterations, quiet))

        def progress(event: Any) -> None:
            if draw is not None:
                draw(event)

        return solve(spot, resume=earlier, output=output, rivers=rivers, progress=progress, on_game=on_game)
