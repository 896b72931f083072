"""Networks of hold'em on sampled boards: the policy, its explicit average, and training that lowers an exact figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runout
from runout.cards.cards import card
from runout.cards.hands import combo
from runout.errors import SolutionError
from runout.games.board_features import BOARD_SIZE, BoardFeatures
from runout.games.flop_choice import flop_choice
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.exact_measure import ExactMeasure
from runout.solvers.neural.board_plan import NO_ROW, BoardPlan
from runout.solvers.neural.board_policies import BoardAverage, BoardPolicy
from runout.solvers.neural.board_shard import BoardProblem
from runout.solvers.neural.networks import weights_of
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings

TWO_STREETS = LimitHoldem(ranks=4, suits=3, stack_depth=20, num_streets=2, max_bets=[2, 1])
FOUR_STREETS = {"ranks": 3, "suits": 3, "stack_depth": 20, "max_bets": [1, 1, 1, 1]}
NETWORK = NetworkSettings(hidden_dim=8, depth=1)


def problem(settings: Any) -> BoardProblem:
    return BoardProblem(settings, NETWORK, SgdSettings(steps=2), MemorySettings(), 2, 0)


def random_parts(settings: Any, count: int) -> list[np.ndarray]:
    """Weights of networks that play anything but evenly."""
    made, random = problem(settings), np.random.default_rng(1)
    sizes = [len(weights_of(made.network(player, "", 0))) for player in range(2)]
    return [random.normal(scale=0.4, size=(count, size)).astype(np.float32) for size in sizes]


@pytest.mark.parametrize("settings", [LimitHoldem(), NoLimitHoldem(stack_depth=25)], ids=["limit", "no-limit"])
def test_every_action_of_the_tree_has_one_column_and_row(settings: Any) -> None:
    """Rows of the engine and pairs of an entry and a column go together one to one, on every street."""
    game = settings.game()
    tree = game.tree().dealt_out()
    for both in BoardPlan.of(game, tree).columns:
        for own in both:
            rows = np.sort(own.rows[own.rows != NO_ROW])
            assert rows.tolist() == list(range(len(rows)))
            assert (np.diff(own.first) > 0).all()


def test_features_rank_hands_and_know_draws() -> None:
    features = BoardFeatures(range(52))
    board = np.array([card(text) for text in ("9h", "5h", "2c")], np.uint8)
    combos = [combo(card(text[:2]), card(text[2:])) for text in ("9s9c", "AhKh", "AsKd", "4s3d")]
    rows = features.rows(board, np.array(combos)).astype(float) / 255
    now, mean, square = rows[:, -1 - 36], rows[:, -1 - 18], rows[:, -1]
    assert rows.shape == (4, BOARD_SIZE)
    assert now[0] > 0.99
    assert now[1] == pytest.approx(now[2], abs=0.01)  # ace high both, now
    assert mean[1] > mean[2] + 0.05  # but one may make a flush
    assert square[3] / mean[3] ** 2 > square[2] / mean[2] ** 2  # a straight draw wins much or nothing


def test_the_explicit_average_plays_what_networks_play_hand_by_hand() -> None:
    """Two streets, where the range engine measures any policy exactly by asking it about every hand."""
    game, parts, weights = TWO_STREETS.game(), random_parts(TWO_STREETS, 2), np.array([0.25, 0.75])
    policy = BoardPolicy(game, NETWORK, parts, weights, np.array([1, 3]))
    average = BoardAverage(game, NETWORK)
    for part in range(2):
        policy.add_part(average, part)
    asked = ExactMeasure(game).exploitability(policy)
    assert game.mbb(average.exploitability()) == pytest.approx(asked, rel=1e-3)


def test_training_on_four_streets_lowers_exploitability(tmp_path: Path) -> None:
    """Measured exactly on a deck of nine cards: before, after training, and what was saved is what was measured."""
    config = {
        "game_type": "limit_holdem",
        "game": FOUR_STREETS,
        "training": {"traversals_per_iter": 8, "measure_every": 100, "workers": 1},
        "network": {"hidden_dim": 32, "depth": 2},
        "sgd": {"steps": 30, "batch_size": 1024, "learning_rate": 2e-3},
        "memory": {"advantage_cap": 200_000},
    }
    first = runout.train(config, iterations=1)
    even = BlueprintGame.of(LimitHoldem(**FOUR_STREETS).game(), None)  # a blueprint that knows nothing plays evenly too
    wanted = measure_flops(even, even.new_buckets(), flop_choice("all", even.game.deck)).exploitability
    assert first.exploitability == pytest.approx(even.game.mbb(wanted), rel=1e-4)
    last = runout.train(config, iterations=12, output=tmp_path / "run")
    assert last.exploitability < 0.7 * first.exploitability
    assert 0 < last.metrics["explained"] < 1
    bundle = read_bundle(last.checkpoint)
    assert bundle.reached["walks"] == "boards"
    found = runout.evaluate(runout.load(tmp_path / "run"))
    assert found.method == "exact"
    assert found.exploitability == pytest.approx(last.exploitability, rel=1e-4)
    runout.train(config, iterations=7, output=tmp_path / "pieces")
    parts = runout.train(resume=tmp_path / "pieces", iterations=12)
    for name in ("network_advantages0", "network_advantages1"):
        assert read_bundle(parts.checkpoint).arrays[name].tolist() == bundle.arrays[name].tolist()
    other = dict(bundle.config) | {"game": {**FOUR_STREETS, "max_bets": [2, 1, 1, 1]}}
    write_bundle(tmp_path / "bad", Bundle(bundle.kind, other, bundle.reached, bundle.arrays))
    with pytest.raises(SolutionError, match="do not fit"):
        runout.load(tmp_path / "bad")
