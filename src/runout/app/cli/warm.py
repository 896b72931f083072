"""`runout warm`: compile ahead of need."""

from __future__ import annotations

import typer


def warm_command(
    workers: int | None = typer.Option(None, "--workers", min=1, help="Processes; by default one for each core."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Say nothing but what went wrong."),
) -> None:
    """Compile everything ahead of need, so that the first solve, look or equity starts at once."""
    import time

    from rich.console import Console

    from runout.progress import clock
    from runout.run.warming import PARTS, warm_all

    begun, console, done = time.perf_counter(), Console(quiet=quiet), list[str]()

    def left() -> str:
        return f"compiling: {', '.join(part for part in PARTS if part not in done)}"

    with console.status(left()) as status:
        for one in warm_all(workers):
            if one.error is not None:
                raise one.error
            done.append(str(one.result))
            console.print(f"{clock(time.perf_counter() - begun)}  {done[-1]}")
            status.update(left())
