"""A library with one solution of each kind that is quick to make, and a client of a server over it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from reference.web import RIVER, TURN
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
