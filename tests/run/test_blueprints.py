"""Blueprints that come with Runout, how they are made, and runs that begin from coarser ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runout
from runout.cards.abstraction import AbstractionSettings
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError, SolutionError
from runout.run import blueprints
from runout.run.train import train
from runout.run.train_config import BlueprintSettings, TrainConfig
from runout.solutions.format import shipped_blueprints

ROOT = Path(runout.__file__).parents[2]
SMALL = [
    *("abstraction.flop=20", "abstraction.turn=10", "abstraction.river=10"),
    *("abstraction.flop_boards=1", "abstraction.turn_boards=1", "abstraction.river_boards=1"),
    *("training.iterations=10", "blueprint.boards=2", "training.workers=1"),
]


def test_shipped_blueprints_open_by_name_and_are_poker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing has to be worked out before
    assert set(shipped_blueprints()) >= {20.0, 100.0}
    for stack, path in shipped_blueprints().items():
        assert sum(file.stat().st_size for file in path.iterdir()) < 25e6
        solution = runout.load(path.name)
        assert solution.game.settings.stack_depth == stack
        aces, fours = solution.root.strategy("AA"), solution.root.strategy("42o")
        assert aces["fold"] == 0
        assert sum(share for name, share in aces.items() if name.startswith("raise")) > 0.5
        assert fours["fold"] > aces["fold"]
    flop = runout.load("100bb").at("SBr2.5 BBc|Qs Jh 2h")
    assert sum(flop.strategy("QJs").values()) == pytest.approx(1)
    assert not list(tmp_path.rglob("strengths*"))


def test_a_run_is_made_compact_and_plays_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = TrainConfig.load(ROOT / "configs" / "train" / "hunl-10bb.yaml", SMALL)
    train(config, output=tmp_path / "run")
    blueprints.main([str(tmp_path / "run"), "-o", str(tmp_path)])
    whole, small = runout.load(tmp_path / "run"), runout.load(tmp_path / "10bb")
    assert isinstance(whole, PolicySolution)
    assert isinstance(small, PolicySolution)
    assert str(tmp_path) not in (tmp_path / "10bb" / "config.yaml").read_text(encoding="utf-8")
    for line in ("", "SBc BBx|Qs Jh 2h"):
        for hand in ("AA", "T9s"):
            np.testing.assert_allclose(
                list(small.at(line).strategy(hand).values()),
                list(whole.at(line).strategy(hand).values()),
                atol=1.2 / 255,
            )
    capsys.readouterr()
    blueprints.main([])
    assert "| 100bb |" in capsys.readouterr().out
    with pytest.raises(InputError, match="is no training run of the solver blueprint"):
        blueprints.main([str(ROOT / "src" / "runout" / "charts" / "10bb")])

    finer = config.model_copy(update={"abstraction": AbstractionSettings(flop=60, turn=30, river=30)})
    for run, said in ((tmp_path / "10bb", "is no run that training can go on from"), (tmp_path / "no", "no")):
        begin = BlueprintSettings(begin_from=str(run))
        with pytest.raises((InputError, SolutionError), match=said):
            train(finer.model_copy(update={"blueprint": begin}), output=tmp_path / "other")
    begin = BlueprintSettings(begin_from=str(tmp_path / "run"))
    train(finer.model_copy(update={"blueprint": begin}), output=tmp_path / "finer")
    assert runout.load(tmp_path / "finer").root.strategy("AA")["fold"] < 0.5

    answered = BlueprintSettings(begin_from=str(tmp_path / "run"), answers=2, boards=2, epoch=1, keep_preflop=True)
    train(finer.model_copy(update={"blueprint": answered}), output=tmp_path / "answered")
    before, after = (runout.load(tmp_path / name).root for name in ("run", "answered"))
    for hand in ("AA", "T9s", "72o"):
        np.testing.assert_allclose(list(after.strategy(hand).values()), list(before.strategy(hand).values()), atol=1e-6)
    for answers, name in ((2, "answers"), (0, "keep_preflop")):
        sharded = answered.model_copy(update={"shards": 2, "answers": answers})
        with pytest.raises(InputError, match=rf"blueprint\.{name} is for one machine"):
            train(finer.model_copy(update={"blueprint": sharded}))
    asked = {"game": {"num_streets": 2, "ranks": 4, "suits": 3}, "training": {"solver": "blueprint"}}
    flop = TrainConfig.model_validate({"game_type": "limit_holdem", **asked, "blueprint": {"answers": 2}})
    with pytest.raises(InputError, match=r"blueprint\.answers = 2: .* has 1 street"):
        train(flop)
