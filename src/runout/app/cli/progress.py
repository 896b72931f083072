"""A progress bar that draws the events of a run; silent where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from runout.app.words import measured
from runout.protocols import Event, OnEvent

if TYPE_CHECKING:
    from runout.solvers.ranges import RangeGame


def reached(event: Event) -> str:
    """What a solve says of itself."""
    return "" if event.exploitability is None else measured(event.exploitability, event.unit)


@contextmanager
def progress_bar(
    iterations: int | None, quiet: bool = False, label: str = "solving", tell: Callable[[Event], str] = reached
) -> Iterator[OnEvent | None]:
    """A drawer of events to hand to a run, on standard error; None when quiet or not on a terminal.

    The bar fills by time where a run says how much is left, and by `iterations` otherwise.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    words = ("{task.fields[iteration]:>9,}", "{task.fields[said]:>22}", "{task.fields[left]:>11}")
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=30), *(TextColumn(one) for one in words))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1.0, iteration=0, said="a first run compiles", left="")

        def draw(event: Event) -> None:
            bar.update(
                task,
                completed=share(event, iterations),
                iteration=event.iteration,
                said=tell(event),
                left="" if event.remaining is None else f"{clock(event.remaining)} left",
            )

        yield draw


@contextmanager
def game_and_progress(
    iterations: int, quiet: bool, show: Callable[[RangeGame], None]
) -> Iterator[tuple[Callable[[RangeGame], None], OnEvent]]:
    """`on_game` and `progress` for a solve on ranges: `show` tells the size of the game, then the bar begins."""
    drawers: list[OnEvent] = []
    with ExitStack() as stack:

        def on_game(game: RangeGame) -> None:
            show(game)
            draw = stack.enter_context(progress_bar(iterations, quiet))
            drawers.extend([] if draw is None else [draw])

        def progress(event: Event) -> None:
            for draw in drawers:
                draw(event)

        yield on_game, progress


def share(event: Event, iterations: int | None) -> float:
    """How much of a run is done, 0 to 1."""
    if event.remaining is not None and event.elapsed + event.remaining > 0:
        return event.elapsed / (event.elapsed + event.remaining)
    return min(1.0, event.iteration / iterations) if iterations else 0.0


def clock(seconds: float) -> str:
    """Minutes and seconds, hours before them where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
