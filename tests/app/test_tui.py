"""The terminal explorer by keys, clicks and words, and in a real terminal (tmux)."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

import runout
from reference.spots import spot
from runout.app.tui.app import ExplorerApp
from runout.app.tui.board_picker import BoardPicker
from runout.app.tui.hand_list import HandList
from runout.app.tui.matrix_view import MatrixView
from runout.app.tui.node_strip import NodeStrip
from runout.app.tui.panels import ActionsPanel
from runout.cards.hands import class_index
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.view import Explorer
from runout.evaluation.opponents import named_policy
from runout.explorers import open_explorer
from runout.games.holdem import NoLimitHoldem
from runout.games.preflop import Preflop
from runout.solutions.reached import Reached


@pytest.fixture(scope="module")
def solved() -> runout.Solution:
    sizes = {"bet": "60%", "raise": "60%"}
    return runout.solve(spot("Qs Jh 2h 3s", "QQ+,AKs,AQs:0.5", "JJ-99,AQs,KQs", 100, 200, sizes), target=1)


@pytest.fixture(scope="module")
def turn(solved: runout.Solution) -> Explorer:
    return open_explorer(solved)


@pytest.fixture(scope="module")
def preflop() -> Explorer:
    game = Preflop(stack_depth=20, raise_sizes=[["2.5"], ["8"]])
    return open_explorer(runout.solve_preflop(game, iterations=50))


@pytest.fixture(scope="module")
def leduc() -> Explorer:
    return open_explorer(runout.solve_game("leduc", iterations=100))


@pytest.fixture(scope="module")
def holdem() -> Explorer:
    game = NoLimitHoldem(stack_depth=25).game()
    return open_explorer(PolicySolution(game, {}, named_policy("uniform"), Reached(unit="mbb/hand")))


Steps = Callable[[ExplorerApp, Pilot[None]], Awaitable[None]]


def run(explorer: Explorer, steps: Steps, size: tuple[int, int] = (120, 40), **more: object) -> None:
    async def whole() -> None:
        app = ExplorerApp(explorer, **more)  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(app, pilot)

    asyncio.run(whole())


def text_of(app: ExplorerApp, selector: str) -> str:
    return str(app.query_one(selector, Static).render())


def drawn(app: ExplorerApp) -> str:
    """The matrix as text."""
    matrix = app.query_one(MatrixView)
    return "\n".join(matrix.render_line(y).text for y in range(matrix.size.height))


async def type_in(pilot: Pilot[None], words: str) -> None:
    await pilot.press("colon")
    pilot.app.query_one(Input).value = words
    await pilot.press("enter")
    await pilot.pause()


def test_keys_play_deal_and_go_back(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        assert "OOP" in text_of(app, "#strip")
        await pilot.press("x")
        assert app.node.line == "x"
        await pilot.press("2")
        assert app.node.line == "x-b60"
        await pilot.press("c")
        assert app.query_one(BoardPicker).display
        assert not app.query_one(MatrixView).display
        await pilot.press("q", "h")  # a queen, not the end
        await pilot.pause()
        assert app.node.line == "x-b60-c|Qh"
        assert app.query_one(MatrixView).display
        await pilot.press("backspace", "u", "backspace")
        assert app.node.line == "x"
        await pilot.press("home")
        assert app.node.line == ""

    run(turn, steps)


def test_a_letter_plays_and_asks_where_it_means_several_actions(preflop: Explorer, holdem: Explorer) -> None:
    async def asked(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("r")
        assert app.query_one(Input).display
        await pilot.press("3", "enter")
        await pilot.pause()
        assert app.node.line == "SBr3"

    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("r")
        assert app.node.line == "SBr2.5"
        await pilot.press("a")
        assert app.node.line == "SBr2.5 BBa"
        await pilot.press("f")
        assert app.node.ending == "fold"
        assert "fold" in text_of(app, "#strip")
        await pilot.press("f")  # nothing is left to do
        assert app.node.ending == "fold"

    run(preflop, steps)
    run(holdem, asked)


def test_words_lead_to_actions_lines_and_hands(preflop: Explorer, turn: Explorer) -> None:
    async def before_the_flop(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await type_in(pilot, "sbR2.5")
        assert app.node.line == "SBr2.5"
        await type_in(pilot, "r8")
        assert app.node.line == "SBr2.5 BBr8"
        await type_in(pilot, "SBc")
        assert app.node.line == "SBr2.5 BBr8 SBc"
        await type_in(pilot, "20bb SBa BBc")
        assert app.node.ending == "run-out"
        await type_in(pilot, "root")
        await type_in(pilot, "r9")
        assert app.node.line == ""  # refused, and said why
        assert not app.query_one(Input).display

    async def after_it(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await type_in(pilot, "x-x|Ah|b60")
        assert app.node.line == "x-x|Ah|b60"
        await type_in(pilot, "AKs")
        assert app.query_one(MatrixView).cell == class_index("AKs")
        await type_in(pilot, "AdQd")
        assert app.query_one(MatrixView).cell == class_index("AQs")
        await type_in(pilot, "x-x")
        await type_in(pilot, "2c")
        assert app.node.line == "x-x|2c"
        await type_in(pilot, "back")
        assert app.node.line == "x-x"
        await type_in(pilot, "deal random")
        assert len(app.node.board) == 5

    run(preflop, before_the_flop)
    run(turn, after_it)


def test_the_mouse_selects_plays_deals_and_goes_back(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        size = MatrixView.cell_size(*app.query_one(MatrixView).size)
        await pilot.click(MatrixView, offset=(size.width * 2 + 1, size.height * 2))
        assert app.query_one(MatrixView).cell == class_index("QQ")
        assert "QQ" in text_of(app, "#selected")
        await pilot.click(ActionsPanel, offset=(5, 1))  # the first line names the columns
        assert app.node.line == "x"
        await pilot.click(ActionsPanel, offset=(5, 1))
        assert app.node.line == "x-x"
        await pilot.click(BoardPicker, offset=(1, 5))  # the ace of hearts
        await pilot.pause()
        assert app.node.line == "x-x|Ah"
        await pilot.click(NodeStrip, offset=(1, 0))
        assert app.node.line == ""

    run(turn, steps)


def test_a_flop_takes_three_cards_or_comes_at_random(holdem: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await type_in(pilot, "SBr2 BBc")
        await pilot.press("Q", "s", "j", "h", "2", "backspace", "t", "h")
        await pilot.pause()
        assert app.node.line == "SBr2 BBc|Qs Jh Th"
        await pilot.press("x", "x", "r")
        await pilot.pause()
        assert len(app.node.board) == 4

    run(holdem, steps)


def test_a_spot_of_a_trained_strategy_is_solved_exactly_and_left_again(holdem: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await pilot.pause()
        assert app.explorer.explorer is holdem  # no spot begins before the flop
        await type_in(pilot, "SBr2 BBc")
        await pilot.press("Q", "s", "j", "h", "t", "h", "x", "x", "r", "x", "x", "r")
        await pilot.pause()
        line, board = app.node.line, app.node.board
        await pilot.press("e")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.explorer.explorer is not holdem
        assert (app.node.line, app.node.board, app.node.pot) == ("", board, 400)
        assert app.explorer.summary.exploitability <= 0.5
        await pilot.press("x", "backspace", "backspace")
        await pilot.pause()
        assert (app.explorer.explorer, app.node.line) == (holdem, line)

    run(holdem, steps)


def test_amounts_in_other_units(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        pot = app.node.pot
        await pilot.press("dollar_sign", "dollar_sign")
        await pilot.pause()
        assert (app.node.pot, app.node.unit) == (100, "% of pot")
        await pilot.press("x")
        assert app.node.pot == 100
        await pilot.press("dollar_sign")
        await pilot.pause()
        assert (app.node.pot, app.node.unit) == (pot, "chips")

    run(turn, steps)


def test_arrows_views_players_and_kinds(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("right", "down", "down")
        assert app.query_one(MatrixView).cell == class_index("KQo")
        assert "AKs" in drawn(app)
        await pilot.press("v")
        assert app.view == "ev"
        await pilot.press("v")
        assert app.view == "equity"
        await pilot.press("v", "v", "v")
        assert app.view == "strategy"
        assert app.shown == "oop"
        await pilot.press("p")
        assert app.shown == "ip"
        assert "IP" in text_of(app, "#heading")
        await pilot.click("#heading", offset=(13, 0))  # his name
        assert app.shown == "oop"
        await pilot.click("#heading", offset=(28, 0))
        assert app.view == "ev"
        assert "set" in text_of(app, "#kinds")
        await pilot.press("l")
        assert app.theme == "runout-light"

    run(turn, steps)


def test_a_small_screen_has_room_for_the_matrix_and_shows_kinds_when_asked(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        assert app.query_one(MatrixView).size == (52, 13)
        assert not app.query_one("#kinds").display
        await pilot.press("i")
        assert app.query_one("#kinds").display
        assert not app.query_one("#hands").display
        await pilot.resize_terminal(200, 60)
        await pilot.pause()
        assert app.query_one(MatrixView).size.height == 39
        assert app.query_one("#hands").display

    run(turn, steps, size=(80, 24), theme="classic", light=True)


def test_small_games_are_lists(leduc: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        listed = app.query_one(HandList)
        assert listed.display
        assert not app.query_one(MatrixView).display
        assert "player 1" in text_of(app, "#heading")
        await pilot.press("down")
        assert listed.place == 1
        assert text_of(app, "#selected").startswith("Q")
        await pilot.press("b", "c")
        assert app.node.line == "b2-c"
        await pilot.press("k")
        await pilot.pause()
        assert app.node.line == "b2-c|K"

    run(leduc, steps)


def test_the_line_is_copied(turn: Explorer) -> None:
    async def steps(app: ExplorerApp, pilot: Pilot[None]) -> None:
        await pilot.press("y")
        assert app.clipboard == "x-x|Ah"

    run(turn, steps, line="x-x|Ah")


# In a real terminal

COMMAND = [sys.executable, "-m", "runout.app.cli.main", "explore"]


class Tmux:
    """A program in a window of tmux."""

    def __init__(self, folder: Path, *arguments: str, width: int = 120, height: int = 40) -> None:
        self.socket = str(folder / "tmux")
        command = "TERM=xterm-256color exec " + shlex.join([*COMMAND, *arguments])
        size = ["-x", str(width), "-y", str(height)]
        for _ in range(5):  # on a busy machine a server of tmux may end before it has begun
            self("new-session", "-d", *size, command)
            if self("list-sessions"):
                break

    def __call__(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True, check=False)
        return done.stdout

    def screen(self, until: str, seconds: float = 300.0) -> str:
        """The screen, once it has these words."""
        end = time.monotonic() + seconds
        while until not in (shown := self("capture-pane", "-p")) and time.monotonic() < end:
            time.sleep(0.1)
        return shown

    def close(self) -> None:
        self("kill-server")


@pytest.fixture
def window(solved: runout.Solution, tmp_path: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    solved.save(tmp_path / "turn.runout")
    opened = Tmux(tmp_path, str(tmp_path / "turn.runout"), "--line", "x")
    yield opened
    opened.close()


def test_a_solution_is_walked_through_in_tmux(window: Tmux) -> None:
    first = window.screen("v view")
    assert "QsJh2h3s, pot 100, stack 200" in first
    assert "AKs" in first
    assert "pot 100 chips" in first
    assert "v view" in first  # keys are on screen
    assert "bet 60" in first
    window("send-keys", "2")
    assert "line x-b60" in window.screen("line x-b60")
    window("send-keys", "c")
    assert "a card comes" in window.screen("a card comes")
    window("send-keys", "-l", "9d")
    assert "9♦" in window.screen("line x-b60-c|9d")
    window("send-keys", ":")
    window.screen("whole line")
    window("send-keys", "-l", "x-x|Ah")
    window("send-keys", "Enter")
    assert "pot 100 chips" in window.screen("line x-x|Ah")
    window("resize-window", "-x", "80", "-y", "24")
    for part in ("A2o", "pot 100 chips", "line x-x|Ah"):  # each on the screen once it is drawn again
        assert part in window.screen(part)
    window("send-keys", "q")
    end = time.monotonic() + 300
    while window("list-sessions") and time.monotonic() < end:
        time.sleep(0.1)
    assert not window("list-sessions")


def explored(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def test_without_a_terminal_and_with_bad_input_it_says_so_in_a_line(solved: runout.Solution, tmp_path: Path) -> None:
    solved.save(tmp_path / "turn.runout")
    for arguments, why in [
        ((str(tmp_path / "turn.runout"),), "needs a terminal"),
        ((str(tmp_path / "none"),), "does not exist"),
        ((str(tmp_path / "turn.runout"), "--theme", "pink"), "unknown theme 'pink'"),
    ]:
        done = explored(*arguments)
        assert done.returncode == 2
        assert why in done.stderr
        assert done.stderr.count("\n") == 1
