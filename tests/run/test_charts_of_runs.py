"""Charts made from training runs: what a blueprint plays before the flop, and what its called pots are worth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

import runout
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.preflop_solution import WHOLE_GAME, load_preflop
from runout.errors import InputError
from runout.games.flop_choice import flop_choice
from runout.run import charts
from runout.solvers.blueprint_measure import measure_flops

CONFIG = {
    "game_type": "no_limit_holdem",
    "game": {"stack_depth": 8, "preflop_raises": [[2], []], "bet_sizes": [], "raise_sizes": [], "max_bets": 2},
    "training": {"solver": "blueprint", "iterations": 2},
    "abstraction": {"flop": 1, "turn": 1, "river": 1},
    "blueprint": {"boards": 2},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("chart") / "run"
    runout.train(CONFIG, output=place)
    return place


def test_a_chart_says_what_the_blueprint_does(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    charts.main([str(run), "-o", str(tmp_path), "--flops", "2", "--threads", "1", "--boards", "15"])
    assert "8bb: " in capsys.readouterr().out
    chart, trained = load_preflop(tmp_path / "8bb"), runout.load(run)
    assert isinstance(trained, PolicySolution)
    assert (chart.leaf, chart.settings.stack_depth) == (WHOLE_GAME, 8)
    for line in ("", "SBr2", "SBr2 BBa"):
        first, second = (one.at(line).strategy("A5s") for one in (chart, trained))
        assert [name.partition(" ")[0] for name in first] == [name.partition(" ")[0] for name in second]
        np.testing.assert_allclose(list(first.values()), list(second.values()), atol=1e-6)
    policy = trained.policy
    measured = measure_flops(policy.what, policy.buckets, flop_choice("2"), 1)
    assert chart.exploitability == pytest.approx(1000 * measured.exploitability / 100, rel=1e-5)  # sums of float32


def test_one_command_trains_and_makes_the_chart_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, words = tmp_path / "hunl-8bb.yaml", ("--flops", "2", "--threads", "1", "--boards", "15")
    config.write_text(yaml.safe_dump(CONFIG))
    for _ in range(2):
        charts.main([str(config), "--train", "0.01", "--into", str(tmp_path), "-o", str(tmp_path / "charts"), *words])
        assert "8bb: " in capsys.readouterr().out
    assert load_preflop(tmp_path / "charts" / "8bb").leaf == WHOLE_GAME
    with pytest.raises(InputError, match="--train SECONDS"):
        charts.main([str(config)])


def test_a_finer_run_begins_from_a_coarse_one(tmp_path: Path) -> None:
    config = tmp_path / "limit.yaml"
    small = {"game_type": "limit_holdem", "game": {"stack_depth": 10, "ranks": 4, "suits": 3, "max_bets": [1, 1, 1, 1]}}
    config.write_text(yaml.safe_dump(CONFIG | small))
    fine = runout.load(charts.trained(config, tmp_path / "limit", 0.01, finer=2))
    coarse = runout.load(tmp_path / "limit-coarse")
    assert isinstance(fine, PolicySolution)
    assert isinstance(coarse, PolicySolution)
    for street in ("flop", "turn", "river"):
        assert (coarse.config["abstraction"][street], fine.config["abstraction"][street]) == (1, 2)
        assert fine.config["abstraction"][f"{street}_boards"] == 2
    assert charts.trained_for(fine) == coarse.seconds + fine.seconds
    assert charts.trained_for(coarse) == coarse.seconds
    with pytest.raises(InputError, match="--finer wants"):
        charts.main([str(tmp_path / "limit"), "--finer", "2"])
    config.write_text(yaml.safe_dump({name: part for name, part in (CONFIG | small).items() if name != "abstraction"}))
    with pytest.raises(InputError, match="no buckets"):
        charts.trained(config, tmp_path / "lossless", 0.01, finer=2)


def test_what_has_no_chart_is_refused(run: Path) -> None:
    with pytest.raises(InputError, match="no training run"):
        charts.main([str(Path(runout.__file__).parent / "charts" / "100bb")])
