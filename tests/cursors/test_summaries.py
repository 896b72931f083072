"""What the small files of a solution say of it is what its explorer says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reference.web import RIVER
from runout.cursors.summaries import read_summary
from runout.explorers import open_explorer
from runout.games.preflop import Preflop, push_fold_settings
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.run.preflop import solve_preflop
from runout.run.tabular import solve_game
from runout.run.train import train
from runout.solutions.format import read_bundle, solution_path, write_bundle

SMALL_DECK = {"num_streets": 2, "stack_depth": 20, "ranks": 4, "suits": 3}
TRAINED: dict[str, dict[str, Any]] = {
    "a table": {"game_type": "limit_holdem", "game": SMALL_DECK, "solver": "mccfr", "traversals_per_iter": 50},
    "all flops": {"game_type": "limit_holdem", "game": SMALL_DECK, "solver": "sequence"},
    "Leduc": {"game_type": "leduc", "game": {}, "solver": "mccfr", "traversals_per_iter": 50},
}


def trained(path: Path, game_type: str, game: dict[str, Any], **training: Any) -> None:
    train({"game_type": game_type, "game": game, "training": {"iterations": 2, "output_dir": str(path), **training}})


def check(path: Path) -> None:
    found, seen = read_summary(solution_path(path)), open_explorer(path).summary
    for name in ("title", "kind", "algorithm", "iterations", "unit", "seconds"):
        assert getattr(found, name) == getattr(seen, name), name
    assert found.exploitability == pytest.approx(seen.exploitability)


def test_solved(tmp_path: Path) -> None:
    solve(Spot(**RIVER), output=tmp_path / "river")
    check(tmp_path / "river")
    solve_preflop(Preflop(**push_fold_settings(7.5)), target=1.0, output=tmp_path / "push-fold")
    check(tmp_path / "push-fold")
    assert read_summary(tmp_path / "push-fold").title.endswith(", 7.5 bb")
    solve_game("kuhn", iterations=50, output=tmp_path / "kuhn")
    check(tmp_path / "kuhn")
    assert read_summary(tmp_path / "kuhn").unit == "mA/g"


@pytest.mark.parametrize("name", TRAINED)
def test_trained(tmp_path: Path, name: str) -> None:
    trained(tmp_path / "run", **TRAINED[name])
    check(tmp_path / "run")


def test_settings_that_are_not_known_are_no_reason_to_leave_a_solution_out(tmp_path: Path) -> None:
    trained(tmp_path / "run", **TRAINED["a table"])
    bundle = read_bundle(tmp_path / "run" / "checkpoint_2")
    bundle.config["game"]["jokers"] = 2
    write_bundle(tmp_path / "later", bundle)
    assert read_summary(tmp_path / "later").title == "mccfr"
