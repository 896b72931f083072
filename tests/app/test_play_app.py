"""The table in the terminal: by keys, at three sizes, and in a real terminal (tmux)."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import Input, Static
from typer.testing import CliRunner

from runout.app.cli.main import app as command
from runout.app.tui.play_app import PlayApp
from runout.run.depths import find_blueprints
from runout.run.sitting import Sitting
from runout.run.table import PlayTable
from runout.solvers.bot import BotSettings


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    return Sitting({20.0: find_blueprints()[20.0]}, BotSettings(mode="blueprint"))


def text_of(app: PlayApp, name: str) -> str:
    console = Console(width=app.query_one(name, Static).size.width, file=None, record=True, quiet=True)
    with console.capture() as captured:
        console.print(app.query_one(name, Static).visual)
    return captured.get()


async def until(app: PlayApp, pilot: Pilot[None], number: int, state: str | None = None) -> None:
    for _ in range(600):
        await pilot.pause(0.05)
        view = app.view
        if not app.busy and view is not None and view.number == number and (state is None or view.to_act == state):
            return
    raise AssertionError("the bot does not come back")


@pytest.mark.parametrize("size", [(120, 34), (80, 24), (60, 30)])
def test_a_hand_by_keys(sitting: Sitting, size: tuple[int, int]) -> None:
    async def whole() -> None:
        app = PlayApp(PlayTable(sitting, 20, seed=3))
        async with app.run_test(size=size) as pilot:
            await until(app, pilot, 1)
            assert app.view is not None
            assert app.view.seat == "SB"
            await pilot.press("b")  # a size, and one that is not legal
            await pilot.press(*"1.2", "enter")
            await until(app, pilot, 1)
            assert "raise to 2 to 20 bb" in app.message
            assert app.view.history == ()
            box = app.query_one("#size", Input)
            assert not box.has_class("open")
            for _ in range(12):
                if app.view.to_act == "over":
                    break
                before = len(app.view.history)
                await pilot.press("c")
                for _ in range(400):
                    await pilot.pause(0.05)
                    if not app.busy and len(app.view.history) > before:
                        break
            assert app.view.to_act == "over"
            for _ in range(1200):  # kernels may have to be compiled
                if not app.view.grading:
                    break
                await pilot.pause(0.1)
            assert app.view.graded_hand == 1
            assert app.view.graded
            table, side = app.query_one("#table", Static), app.query_one("#side")
            assert table.region.height > 0
            assert side.region.height > 2  # score and grades are on the screen, at its side or below
            assert table.region.right <= size[0]
            assert side.region.bottom <= size[1]
            await pilot.press("f")  # nothing to fold any more
            await pilot.press("enter")
            await until(app, pilot, 2)
            assert app.view.seat == "BB"

    asyncio.run(whole())


class Window:
    """A program in a window of tmux."""

    def __init__(self, folder: Path) -> None:
        self.socket = str(folder / "tmux")

    def tmux(self, *words: str) -> str:
        return subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True, check=False).stdout

    def shows(self, text: str, seconds: float = 300) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            screen = self.tmux("capture-pane", "-p")
            if text in screen:
                return screen
            time.sleep(0.2)
        raise AssertionError(f"{text!r} is not on the screen:\n{screen}")


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    found = Window(tmp_path)
    yield found
    found.tmux("kill-server")


@pytest.mark.slow
def test_a_table_in_tmux(window: Window, tmp_path: Path) -> None:
    start = "import sys; from runout.app.cli.main import main; sys.exit(main())"
    words = [sys.executable, "-c", start, "play", "--stack", "20", "--seed", "3", "--mode", "blueprint", "-o", "hands"]
    window.tmux("new-session", "-d", "-x", "100", "-y", "30", "-c", str(tmp_path), *words)
    screen = window.shows("the bot plays its blueprint of 20 bb")
    assert "pot 1.5 bb" in screen
    assert "fold" in screen
    window.tmux("send-keys", "f")
    assert "You fold: -0.5 bb" in window.shows("You fold")
    window.tmux("send-keys", "Enter")
    window.shows("hand 2")
    window.tmux("send-keys", "q")
    for _ in range(100):
        if not window.tmux("list-panes"):
            break
        time.sleep(0.1)
    saved = sorted(path.suffix for path in (tmp_path / "hands").iterdir())
    assert saved == [".phhs", ".txt"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--stack", "1"], "use 2 to 1000 big blinds"),
        (["--mode", "sideways"], "unknown mode 'sideways'"),
        (["nowhere"], "nowhere is no blueprint"),
        ([], "play needs a terminal"),
    ],
)
def test_what_is_refused(words: list[str], why: str) -> None:
    result = CliRunner().invoke(command, ["play", *words])
    assert why in str(result.exception)
