"""What a run goes on from: its own checkpoint, whole; and what is opened of runs with raw samples."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import runout
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError, SolutionError
from runout.evaluation.losses import loss_summary
from runout.run.train import train

SMALL: dict[str, Any] = {
    "network": {"hidden_dim": 8, "depth": 1},
    "sgd": {"steps": 2, "batch_size": 64},
    "checkpoint": {"interval": 2},
}
FLOP = {"num_streets": 2, "ranks": 3, "suits": 3, "max_raises": [1, 1]}


def config(path: Path, game: str, **training: Any) -> dict[str, Any]:
    asked = {"solver": "sd-cfr", "iterations": 4, "measure_every": 2, "workers": 1}
    return SMALL | {"game_type": game, "training": asked | {"output_dir": str(path)} | training}


def test_a_checkpoint_of_another_game_is_refused_by_its_name(tmp_path: Path) -> None:
    train(config(tmp_path / "kuhn", "kuhn"))
    train(config(tmp_path / "leduc", "leduc"))
    shutil.rmtree(tmp_path / "kuhn" / "checkpoint_4")
    shutil.copytree(tmp_path / "leduc" / "checkpoint_4", tmp_path / "kuhn" / "checkpoint_4")
    with pytest.raises(InputError, match="the checkpoint is of another run: there game_type = leduc, not kuhn here"):
        train(config(tmp_path / "kuhn", "kuhn", iterations=6), resume=True)


def test_a_truncated_checkpoint_is_refused_before_anything_else(tmp_path: Path) -> None:
    train(config(tmp_path / "run", "kuhn"))
    file = max((tmp_path / "run" / "checkpoint_4").glob("*.npy"), key=lambda one: one.stat().st_size)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(SolutionError, match=f"checkpoint_4 is damaged: {file.name} does not match its checksum"):
        train(config(tmp_path / "run", "kuhn", iterations=6), resume=True)


def test_losses_of_a_checkpoint_end_with_it(tmp_path: Path) -> None:
    train(config(tmp_path / "run", "kuhn"))
    whole, part = loss_summary(tmp_path / "run"), loss_summary(tmp_path / "run" / "checkpoint_2")
    assert whole is not None
    assert part is not None
    assert (whole.iterations, part.iterations) == ((2, 4), (2, 2))


def test_networks_of_small_games_are_not_put_on_another_device(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cuda.*cpu"):
        train(config(tmp_path / "run", "kuhn", device="cuda"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("kind", ["auto", "reservoir"])
def test_flop_holdem_opens_however_it_was_walked(kind: str, tmp_path: Path) -> None:
    memory = {"kind": kind} if kind == "auto" else {"kind": kind, "advantage_cap": 5000}
    train({**config(tmp_path / "run", "limit_holdem"), "game": FLOP, "memory": memory})
    solution = runout.load(tmp_path / "run" / "latest")
    assert isinstance(solution, PolicySolution)
    hand = solution.game.deal(solution.game.deck[:9])
    assert sum(solution.strategy(hand).values()) == pytest.approx(1)
