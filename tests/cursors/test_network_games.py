"""Networks of small games: what is reported, saved and opened is what the kept networks play."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import runout
from runout.cursors.network_game_solution import NetworkGameSolution
from runout.errors import InputError, SolutionError
from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn
from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solvers.game_response import exploitability
from runout.solvers.neural.settings import NetworkSettings
from runout.solvers.neural.small_policies import SmallMixture

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from own_game import HalfStreet

QUICK = {"steps": 20, "learning_rate": 2e-3, "final_learning_rate": 2e-4}


def trained(path: Path, solver: str = "sd-cfr", iterations: int = 41, **sections: dict) -> runout.TrainResult:
    """A short run of Kuhn that keeps each tenth network."""
    network = {"hidden_dim": 16, "depth": 2} | ({"keep_every": 10} if solver == "sd-cfr" else {})
    config = {
        "game_type": "kuhn",
        "training": {"solver": solver, "iterations": iterations},
        "network": network,
        "sgd": QUICK | ({"average_steps": 300} if solver == "deep-cfr" else {}),
        **sections,
    }
    return runout.train(config, output=path)


def test_the_figure_of_a_run_is_that_of_the_networks_it_keeps(tmp_path: Path) -> None:
    """The networks of the file, mixed by hand, have the exploitability that the run reports and the file opens with."""
    result = trained(tmp_path / "run")
    assert result.bundle.kind == "game-networks"
    bundle = read_bundle(result.checkpoint)
    assert bundle.arrays["kept"].tolist() == [1, 11, 21, 31, 41]
    game = compile_game(Kuhn())
    mixture = SmallMixture(Kuhn(), game, NetworkSettings(hidden_dim=16, depth=2))
    parts = [bundle.arrays[f"network_advantages{player}"] for player in range(2)]
    by_hand = mixture.average(parts, bundle.arrays["weights"])
    assert 1000 * exploitability(game, by_hand) == pytest.approx(result.exploitability, rel=1e-4)
    opened = runout.load(tmp_path / "run")
    assert isinstance(opened, NetworkGameSolution)
    assert opened.reached.exploitability == pytest.approx(1000 * opened.exploitability, rel=1e-4)
    assert runout.evaluate(opened).exploitability == pytest.approx(result.exploitability, rel=1e-4)
    assert opened.policy["K"]["bet"] == pytest.approx(by_hand[game.by_key["K"].sequences[1]], abs=1e-6)
    opened.save(tmp_path / "again")
    assert np.allclose(runout.load(tmp_path / "again").strategy, opened.strategy)


def test_keeping_fewer_networks_changes_what_is_reported(tmp_path: Path) -> None:
    every = trained(tmp_path / "all", network={"hidden_dim": 16, "depth": 2})
    tenth = trained(tmp_path / "tenth")
    assert every.exploitability != pytest.approx(tenth.exploitability, rel=1e-3)


@pytest.mark.parametrize("kind", ["table", "reservoir"])
def test_deep_cfr_saves_its_average_network(tmp_path: Path, kind: str) -> None:
    memory = {"kind": kind}
    training = {"solver": "deep-cfr", "iterations": 12, **({"traversals_per_iter": 100} if kind == "reservoir" else {})}
    result = trained(tmp_path / "run", "deep-cfr", memory=memory, training=training)
    opened = runout.load(tmp_path / "run")
    assert 1000 * opened.exploitability == pytest.approx(result.exploitability, rel=1e-4)
    assert set(read_bundle(result.checkpoint).arrays) >= {"network_averages0", "network_averages1"}
    assert result.exploitability < 400  # uniform play: 458


def test_a_run_goes_on_from_its_networks(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", iterations=31)
    trained(tmp_path / "parts", iterations=14)
    parts = runout.train(resume=tmp_path / "parts", iterations=31)
    assert parts.exploitability == whole.exploitability
    for player in range(2):
        name = f"network_advantages{player}"
        assert (
            read_bundle(parts.checkpoint).arrays[name].tolist() == read_bundle(whole.checkpoint).arrays[name].tolist()
        )


def test_networks_of_another_game_or_damaged_ones_are_refused(tmp_path: Path) -> None:
    result = trained(tmp_path / "run", iterations=1)
    bundle = read_bundle(result.checkpoint)

    def refused(config: dict, arrays: dict, message: str) -> None:
        changed = Bundle(bundle.kind, bundle.config | config, bundle.reached, bundle.arrays | arrays)
        write_bundle(tmp_path / "bad", changed)
        with pytest.raises(SolutionError, match=message):
            runout.load(tmp_path / "bad")

    refused({"game_type": "leduc"}, {}, "tree differs")
    refused({"network": {"hidden_dim": 8, "depth": 2}}, {}, "do not fit their settings")
    broken = bundle.arrays["network_advantages1"].copy()
    broken[0, 3] = np.nan
    refused({}, {"network_advantages1": broken}, "numbers that are none")
    refused({}, {"weights": np.zeros(1)}, "no odds")
    refused({}, {"network_advantages0": bundle.arrays["network_advantages0"][:, :9]}, "do not fit their settings")


@pytest.mark.parametrize("name", ["openspiel:kuhn_poker", "openspiel:liars_dice(numdice=1,dice_sides=2)"])
def test_networks_learn_games_of_openspiel(name: str) -> None:
    """By the same command; exploitability is exact and far below that of uniform play."""
    config = {
        "game_type": name,
        "network": {"hidden_dim": 32, "depth": 2},
        "sgd": QUICK,
        "memory": {"discount": "dcfr"},
    }
    first = runout.train(config, iterations=1)
    last = runout.train(config, iterations=60)
    assert last.exploitability < first.exploitability / 10


def test_networks_learn_a_game_of_your_own(tmp_path: Path) -> None:
    """A half street with A, K and Q: the bettor wins 1/18 of a chip, bluffs a third of its queens."""
    config = {
        "game_type": "own",
        "network": {"hidden_dim": 16, "depth": 2},
        "sgd": QUICK,
        "memory": {"discount": "dcfr"},
    }
    result = runout.train(config, iterations=150, output=tmp_path / "run", game=HalfStreet())
    solution = runout.load(tmp_path / "run", HalfStreet())
    assert result.solution.value == solution.value == pytest.approx(1 / 18, abs=0.02)
    assert solution.policy["Q"]["bet"] == pytest.approx(1 / 3, abs=0.12)
    with pytest.raises(InputError, match="give the rules in Python"):
        runout.train(config, iterations=1)
    with pytest.raises(SolutionError, match="give the game itself"):
        runout.load(tmp_path / "run")
    with pytest.raises(InputError, match="use game_type own"):
        runout.train({"game_type": "kuhn"}, iterations=1, game=HalfStreet())
