"""`runout equity`: who is ahead, and by how much; `runout tables`: recompute the shipped tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import numpy as np
    from rich.table import Table
    from rich.text import Text

    from runout.cards.equity import Equity

_FAMOUS = (  # first, second, board
    ("AA", "KK", ""),
    ("AKs", "QQ", ""),
    ("AKo", "22", ""),
    ("AsKs", "JhTh", ""),
    ("AA", "random", ""),
    ("72o", "random", ""),
    ("QQ+,AK", "22+", "Ah Kd 2c"),
    ("AhKh", "QsQd", "Th 5h 2c"),
    ("top 15%", "top 40%", "Td 9d 6h"),
)


def equity_command(
    first: str | None = typer.Argument(None, help="A hand or range: AA, AsKh, 'QQ+,AK', 'top 15%'."),
    second: str | None = typer.Argument(None, help="The other side; without hands, well-known match-ups are shown."),
    board: str = typer.Option("", "--board", "-b", help="Cards on the board: none, 3, 4 or 5, as in 'Ah Kd 2c'."),
    dead: str = typer.Option("", "--dead", help="Cards that nobody can hold."),
    samples: int | None = typer.Option(None, "--samples", help="Deal this many hands instead of counting run-outs."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of the sampled deals."),
    threads: int = typer.Option(0, "--threads", min=0, help="Threads; 0 uses every core."),
    hands: bool = typer.Option(False, "--hands", help="Also show the equity of every single hand of both sides."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Equity of a hand or range against another, exact unless --samples is given."""
    from runout.cards.equity import equity
    from runout.errors import InputError

    if first is None:
        if as_json or board or dead:
            raise InputError("two hands are needed: runout equity AA KK")
        _show_famous(threads)
        return
    if second is None:
        raise InputError(f"a second hand or range is needed: runout equity {first!r} KK")
    found = equity(first, second, board, dead, samples, seed, threads)
    if as_json:
        _print_json(found, hands)
    else:
        _show(found, first, second, board, hands)


def tables_command(
    which: str = typer.Argument(help="equity: every hand against every other; evaluator: hand strength."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File to write; the packaged one by default."),
    threads: int = typer.Option(0, "--threads", min=0, help="Threads; 0 uses every core."),
) -> None:
    """Recompute a table that Runout ships."""
    import time

    from runout import files
    from runout.cards import equity169, evaluator_tables
    from runout.errors import InputError

    shipped = {"equity": "equity169.npz", "evaluator": "evaluator.npz"}
    if which not in shipped:
        raise InputError(f"unknown table {which!r}: use equity or evaluator")
    path = output or Path(equity169.__file__).parent / "data" / shipped[which]
    if not path.parent.is_dir():
        raise InputError(f"no such directory: {path.parent}")
    started = time.perf_counter()
    with files.replacing(path, binary=True) as file:
        if which == "equity":
            equity169.write(file, threads)
        else:
            evaluator_tables.write(file)
    print(f"wrote {path} in {time.perf_counter() - started:.1f} s")


def _print_json(found: Equity, hands: bool) -> None:
    import json

    import numpy as np

    from runout.cards.hands import combo_name

    record: dict[str, Any] = {"equity": found.equity, "exact": found.exact, "standard_error": found.standard_error}
    if hands:
        record["hands"] = [
            {combo_name(int(i)): float(side[i]) for i in np.flatnonzero(~np.isnan(side))} for side in found.hands
        ]
    print(json.dumps(record))


def _show(found: Equity, first: str, second: str, board: str, hands: bool) -> None:
    from runout.app.cli.node_view import make_console
    from runout.cards.cards import cards, cards_text

    console = make_console(markup=False)  # [50]AKs[/50] is a range, not a style
    table = _table("hand", "equity", "")
    for name, share in zip((first, second), found.equity, strict=True):
        table.add_row(name, f"{100 * share:.3f}%", _bar(share))
    if board:
        console.print(f"board {cards_text(cards(board))}")
    console.print(table)
    if found.exact:
        console.print(f"exact over {found.deals:,} board{'s' * (found.deals > 1)}")
    else:
        console.print(f"{found.deals:,} deals sampled, standard error {100 * found.standard_error:.3f}%")
    if hands:
        for name, side in zip((first, second), found.hands, strict=True):
            console.print(f"\nhands of {name}")
            console.print(_hand_table(side))


def _hand_table(side: np.ndarray) -> Table:
    import numpy as np

    from runout.cards.hands import combo_name

    table = _table("hand", "equity", "")
    known = np.flatnonzero(~np.isnan(side))
    for i in known[np.argsort(-side[known], kind="stable")]:
        table.add_row(combo_name(int(i)), f"{100 * side[i]:.3f}%", _bar(float(side[i])))
    return table


def _show_famous(threads: int) -> None:
    from runout.app.cli.node_view import make_console
    from runout.cards.equity import equity

    table = _table("first", "equity", "", "equity", "second", "board")
    for first, second, board in _FAMOUS:
        a, b = equity(first, second, board, threads=threads).equity
        table.add_row(first, f"{100 * a:.3f}%", _bar(a), f"{100 * b:.3f}%", second, board or "preflop")
    make_console().print(table)


def _table(*headers: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for header in headers:
        table.add_column(header, justify="right" if header == "equity" else "left", no_wrap=header != "hand")
    return table


def _bar(share: float, width: int = 12) -> Text:
    from rich.text import Text

    full = round(share * width)
    return Text.assemble(("█" * full, "green"), ("░" * (width - full), "bright_black"))
