"""Training configs: defaults, round trips, and one line for everything that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from runout.errors import InputError
from runout.run.train_config import TrainConfig

CONFIGS = sorted((Path(__file__).parents[2] / "configs" / "train").glob("*.yaml"))


def test_defaults_are_no_limit_holdem_and_single_deep_cfr() -> None:
    config = TrainConfig()
    assert (config.game_type, config.training.solver) == ("no_limit_holdem", "sd-cfr")
    assert config.slots == ("fold", "check or call", "bet or raise of size 1", "bet or raise of size 2", "all-in")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_examples_load_and_survive_a_round_trip(path: Path) -> None:
    config = TrainConfig.load(path)
    again = TrainConfig.from_dict(yaml.safe_load(yaml.safe_dump(config.to_dict())))
    assert again == config
    assert config.difference(again) is None


def test_there_is_an_example_for_each_game() -> None:
    assert {path.stem for path in CONFIGS} >= {"kuhn", "leduc", "limit", "flop-holdem", "nolimit-25bb"}


def test_a_section_without_keys_is_one_with_defaults() -> None:
    assert TrainConfig(**yaml.safe_load("game_type: kuhn\ntraining:\ngame:\n")) == TrainConfig(game_type="kuhn")


def test_how_long_a_run_takes_is_no_difference() -> None:
    first = TrainConfig(game_type="kuhn")
    assert first.difference(first.with_training(iterations=7, seconds=3, target=1, output_dir="x", workers=1)) is None
    assert first.difference(first.with_training(seed=2)) == "training.seed = 0, not 2"
    assert first.difference(TrainConfig(game_type="leduc")) == "game_type = kuhn, not leduc"
    limit, no_limit = TrainConfig(game_type="limit_holdem"), TrainConfig(game_type="hunl_postflop")
    assert limit.difference(no_limit) == "game_type = limit_holdem, not no_limit_holdem"  # before what follows from it


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"game_typ": "kuhn"}, "unknown key 'game_typ': did you mean 'game_type'?"),
        ({"game_type": "omaha"}, "game_type = 'omaha'"),
        ({"training": {"iteratons": 3}}, "unknown key 'training.iteratons': did you mean 'iterations'?"),
        ({"training": {"solver": "sdcfr"}}, "training.solver = 'sdcfr'"),
        ({"training": {"seconds": 0}}, "training.seconds = 0"),
        ({"training": {"output_dir": " "}}, "training.output_dir: give a directory"),
        ({"deals": {"cout": 3}}, "unknown key 'deals.cout': did you mean 'count'?"),
        ({"checkpoint": {"interval": -1}}, "checkpoint.interval = -1"),
        ({"game": {"stack_dept": 3}}, "game: unknown key 'stack_dept': did you mean 'stack_depth'?"),
        ({"game": {"stack_depth": 0.5}}, "game: stack_depth = 0.5 bb is too short for the blinds"),
        ({"game": {"max_raises_per_street": -1}}, "game: max_bets: a raise cap of -1 is below zero"),
        ({"game": {"bet_sizes": [0.5, 0]}}, "bet size 0 is not positive"),
        ({"game_type": "limit_holdem", "game": {"max_raises_early": -2}}, "a raise cap of -2 is below zero"),
        ({"game_type": "limit_holdem", "game": {"ranks": 2, "suits": 4}}, "8 cards: a deal takes 9"),
        ({"game_type": "kuhn", "game": {"stack_depth": 3}}, "unknown key 'game.stack_depth': kuhn has no settings"),
        ({"game_type": "leduc", "deals": {"count": 3}}, "deals: leduc has none"),
        ({"network": {"num_actions": 4}}, "network.num_actions = 4: this game has 5 slots"),
        ({"game_type": "kuhn", "network": {"num_actions": 2}}, "network.num_actions = 2: this game has 3 slots"),
        ({"abstraction": {"flop": 10}}, "abstraction is for mccfr"),
        ({"training": 3}, "training = 3"),
        ({"game": [3]}, r"game = [3]"),
    ],
)
def test_bad_settings_are_named_in_one_line(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        TrainConfig(**data)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
