"""Draws the pictures of the README and the pages: python docs/pictures.py."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from rich.console import Console

import runout
from runout.app.cli.solve_view import show_solution, show_spot
from runout.app.tui.app import ExplorerApp
from runout.explorers import open_explorer

HERE = Path(__file__).parent


def main() -> None:
    console = Console(record=True, width=110, force_terminal=True, color_system="truecolor", highlight=False)
    spot = runout.Spot.default()
    solution = runout.solve(spot)
    show_spot(console, spot)
    show_solution(console, solution, 6, "standard")
    write("solve.svg", console.export_svg(title="runout solve"))
    asyncio.run(explore(solution))


async def explore(solution: runout.Solution) -> None:
    """The terminal explorer at a decision, a hand that mixes selected."""
    app = ExplorerApp(open_explorer(solution))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("x", "b", "c")  # check, bet, call
        await pilot.press("Q", "h")  # the turn
        await pilot.pause()
        await pilot.press("x", *["right"] * 3, *["down"] * 1)
        await pilot.pause()
        write("explore.svg", app.export_screenshot(title="runout explore"))


def write(name: str, picture: str) -> None:
    """The picture with the fonts of the reader's machine: rich names one on another host."""
    own = re.sub(r',?\s*url\("https://[^"]+"\)\s*format\("woff2?"\)', "", picture)
    (HERE / name).write_text(own, encoding="utf-8")


if __name__ == "__main__":
    main()
