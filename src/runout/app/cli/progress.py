"""A progress bar that draws the events of a run; silent where there is no terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import typer

from runout.app.words import measured
from runout.progress import clock
from runout.protocols import Event, OnEvent

if TYPE_CHECKING:
    from runout.solvers.ranges import RangeGame


def check_device(backend: str, device: str) -> None:
    """Refuse a device that nothing would run on."""
    from runout.errors import InputError

    if device != "auto" and backend != "torch":
        raise InputError(f"--device {device} is for torch: give --backend torch too, or leave it out")


class Heard:
    """What a run told: passed on to whoever draws, and kept for the last lines and the exit status of a command."""

    def __init__(self, draw: OnEvent | None = None) -> None:
        self.draw = draw
        self.stopped = ""  # "target", "iterations", "seconds", "interrupted"
        self.saved: str | None = None  # where the result is
        self.problem: str | None = None  # why it is not where it should be
        self._status = 0

    def __call__(self, event: Event) -> None:
        if event.kind == "save failed":
            if self.problem != event.note:
                print(f"runout: {event.note}", file=sys.stderr, flush=True)
            self.problem = event.note
        elif event.kind == "saved":
            self.saved, self.problem = event.note or self.saved, None
        elif event.kind in ("done", "interrupted"):
            self.stopped = event.note if event.kind == "done" else "interrupted"
            if event.kind == "interrupted":
                self._status = 128 + (signal.Signals[event.note] if event.note else signal.SIGINT)
        if self.draw is not None:
            self.draw(event)

    def record(self) -> dict[str, Any]:
        """What `--json` says of how the run ended."""
        return {"stopped": self.stopped} | ({"save_error": self.problem} if self.problem else {})

    def end(self) -> None:
        """End the command: 130, 143 or 129 after Ctrl-C, SIGTERM or SIGHUP, 1 where the result could not be saved."""
        status = self._status or (1 if self.problem else 0)
        if status:
            raise typer.Exit(status)


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
                said=event.note if event.kind == "preparing" else tell(event),
                left="" if event.remaining is None else f"{clock(event.remaining)} left",
            )

        yield draw


@contextmanager
def game_and_progress(
    iterations: int, quiet: bool, show: Callable[[RangeGame], None], heard: Heard
) -> Iterator[Callable[[RangeGame], None]]:
    """`on_game` for a solve on ranges: `show` tells the size of the game, then a bar draws what is heard."""
    with ExitStack() as stack:

        def on_game(game: RangeGame) -> None:
            show(game)
            heard.draw = stack.enter_context(progress_bar(iterations, quiet))

        yield on_game


def share(event: Event, iterations: int | None) -> float:
    """How much of a run is done, 0 to 1."""
    if event.kind == "preparing" and event.total:
        return event.iteration / event.total
    if event.remaining is not None and event.elapsed + event.remaining > 0:
        return event.elapsed / (event.elapsed + event.remaining)
    return min(1.0, event.iteration / iterations) if iterations else 0.0
