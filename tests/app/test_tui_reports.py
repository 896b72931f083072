"""The reports of the terminal explorer that take the whole screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Static

import runout
from reference.spots import spot
from runout.app.tui.app import ExplorerApp
from runout.app.tui.panels import HandsPanel
from runout.app.tui.reports import ReportScreen, graph_text
from runout.cursors.view import Explorer
from runout.explorers import open_explorer
from runout.explorers.node_reports import EquityCurve, runouts


@pytest.fixture(scope="module")
def turn() -> Explorer:
    sizes = {"bet": "60%", "raise": ""}
    return open_explorer(runout.solve(spot("Qs Jh 2h 3s", "QQ+,AKs", "JJ-99,AQs", 100, 200, sizes), target=2))


@pytest.fixture(scope="module")
def leduc() -> Explorer:
    return open_explorer(runout.solve_game("leduc", iterations=50))


def run(
    explorer: Explorer,
    steps: Callable[[ExplorerApp, Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = (120, 40),
) -> None:
    async def whole() -> None:
        app = ExplorerApp(explorer)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(app, pilot)

    asyncio.run(whole())


def test_the_equity_graph_and_the_run_outs(turn: Explorer, leduc: Explorer) -> None:
    report = report_of

    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await pilot.pause()
        assert "OOP" in report(app)
        assert "100%" in report(app)
        assert any(0x2800 < ord(letter) < 0x2900 for letter in report(app))
        await pilot.press("escape", "o")  # no card has come: said, not shown
        await pilot.pause()
        assert not isinstance(app.screen, ReportScreen)
        await pilot.press("x", "x", "o")
        await pilot.pause()
        rows = {row.card: row for row in runouts(turn, "x-x")}
        assert report(app).startswith("EV of OOP")
        assert f"{rows['Ah'].evs[0]:.1f}" in report(app)
        await pilot.press("v")
        assert report(app).startswith("equity of OOP")
        assert report(app).count("%") == len(rows)
        await pilot.press("q")
        await pilot.pause()
        assert app.node.line == "x-x"

    async def cards(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        await pilot.pause()
        assert not isinstance(app.screen, ReportScreen)  # hands of small games have no equities
        await pilot.press("x", "x", "o")
        await pilot.pause()
        assert [line.split()[0] for line in report(app).splitlines()[2:5]] == ["K", "Q", "J"]

    run(turn, steps)
    run(leduc, cards)


def test_the_graph_is_where_the_equities_are() -> None:
    """A range of one hand with 50% is a flat line half way up, the same at any size."""
    flat = EquityCurve("oop", np.array([1.0]), np.array([0.5]), ["AA"])
    lines = graph_text([flat], ["red"], 40, 9, "white").plain.splitlines()[2:11]
    assert [any(0x2800 < ord(letter) < 0x2900 for letter in line) for line in lines] == [False] * 4 + [True] + [
        False
    ] * 4
    assert lines[4].startswith(" 50% │")


def test_everything_fits_on_a_screen_of_80_by_24(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        footer = "".join(strip.text for strip in app.screen._compositor.render_strips()[-1:])
        assert "? keys" in " ".join(footer.split())
        assert "q quit" in " ".join(footer.split())
        await pilot.press("question_mark")
        await pilot.pause()
        assert "take an action" in report_of(app)
        await pilot.press("escape", "x", "x", "o")
        await pilot.pause()
        assert max(len(line) for line in report_of(app).splitlines()) <= 76
        await pilot.press("escape", "backspace", "backspace")
        await pilot.pause()
        hands = str(app.query_one(HandsPanel).render())
        node = turn.at("")
        row = int(np.flatnonzero(node.hands[0].cell == app._picked())[0])
        for share in node.hands[0].strategy[:, row]:
            assert f"{100 * share:.0f}" in hands  # a hand's own frequencies, as numbers

    run(turn, steps, size=(80, 24))


def report_of(app: ExplorerApp) -> str:
    return str(app.screen.query_one("#report", Static).render())
