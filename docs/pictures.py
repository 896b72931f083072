"""Draws the pictures of the README: python docs/pictures.py."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

import runout
from runout.app.cli.solve_view import show_solution, show_spot

HERE = Path(__file__).parent


def main() -> None:
    console = Console(record=True, width=110, force_terminal=True, color_system="truecolor", highlight=False)
    spot = runout.Spot.default()
    show_spot(console, spot)
    show_solution(console, runout.solve(spot), 6, "standard")
    console.save_svg(str(HERE / "solve.svg"), title="runout solve")


if __name__ == "__main__":
    main()
