"""From a line of a trained strategy to its exact solution: the spot that begins there, solved in the background."""

from __future__ import annotations

from collections.abc import Callable

from runout.cursors.cursor import Node
from runout.cursors.view import Explorer
from runout.errors import RunoutError
from runout.games.spot import Spot
from runout.protocols import Event
from runout.run.line_spots import line_spot
from runout.run.postflop import solve


class ExactSolve:
    """Solves the spot at a line; a thread calls `run`."""

    def __init__(self, explorer: Explorer, line: str) -> None:
        """An InputError where no spot begins at the line."""
        self.explorer, self.line = explorer, line
        self.spot = Spot(**line_spot(Node(explorer, line)))
        self.stopped = False

    def run(self, tell: Callable[[str], None], done: Callable[[Explorer], None]) -> None:
        """`tell` hears how far it is, or why it failed; `done` gets the explorer of the solution."""

        def hear(event: Event) -> None:
            if event.exploitability is not None:
                tell(f"solving exactly: {event.exploitability:.2f}% of the pot after {event.seconds:.0f} s; e stops")

        try:
            found = solve(self.spot, progress=hear, interrupted=lambda: self.stopped)
        except RunoutError as error:
            tell(str(error))
        else:
            done(found.explorer)
