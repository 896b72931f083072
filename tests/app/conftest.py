"""A library with one solution of each kind that is quick to make, a client of a server over it, pages in Chromium."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, sync_playwright
from typer.testing import CliRunner

from reference.browser import CHROMIUM, new_context
from reference.web import RIVER, TURN
from runout.app.cli.main import app
from runout.app.web.server import make_app
from runout.app.web.state import State
from runout.games.preflop import Preflop, push_fold_settings
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.run.preflop import solve_preflop
from runout.run.tabular import solve_game
from runout.run.train import train


@pytest.fixture(scope="session")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solved once for all tests, never written to: postflop, preflop, a small game, a training run."""
    folder = tmp_path_factory.mktemp("solutions")
    solve(Spot(**RIVER), output=folder / "river")
    solve(Spot(**TURN), output=folder / "turn")
    solve_preflop(Preflop(**push_fold_settings(10)), target=1.0, output=folder / "push-fold")
    solve_game("kuhn", iterations=100, output=folder / "kuhn")
    training = {
        "solver": "mccfr",
        "iterations": 20,
        "traversals_per_iter": 50,
        "output_dir": str(folder / "runs" / "k"),
    }
    train({"game_type": "kuhn", "training": training})
    return folder


@pytest.fixture(scope="module")
def client(solutions: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a server whose library has all of `solutions`."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(solutions, folder, dirs_exist_ok=True, symlinks=True)
    with TestClient(make_app(State(folder)), base_url="http://127.0.0.1") as found:
        yield found


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own with a library that holds Leduc poker and push/fold."""
    library = tmp_path_factory.mktemp("library")
    for command in (
        ["game", "leduc", "-n", "50", "-o", str(library / "leduc"), "--quiet"],
        ["preflop", "--stack", "10", "--tree", "push-fold", "--quiet", "-o", str(library / "push-fold")],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    start = "import sys; from runout.app.cli.main import main; sys.exit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", start, "web", "--library", str(library), "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found, "the server printed no address"
        yield found[0]
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")  # while it lives no other event loop can run
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own that fails the test on anything in the console."""
    context = new_context(browser, color_scheme="dark")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    expected = ("status of 422", "ERR_FAILED")  # a range that is being typed; a server that is gone
    unexpected = [text for text in problems if not any(part in text for part in expected)]
    assert not unexpected, unexpected
