"""A bot against its blueprint, range against range, beside the exact value of the whole small game."""

from __future__ import annotations

import pytest

from reference.resolved_play import solved_anew
from runout.errors import InputError
from runout.evaluation.range_match import against_blueprint
from runout.games.holdem import LimitHoldem
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.bot import Bot, BotSettings
from runout.solvers.subgames import GADGETS

GAME = LimitHoldem(num_streets=2, ranks=3, suits=3, stack_depth=20, max_bets=(1, 2)).game()


@pytest.fixture(scope="module")
def policy() -> BlueprintPolicy:
    solver = BlueprintSolver(BlueprintGame.of(GAME, None), blueprint_schedule("auto"), 8, 20, 0, 1)
    solver.step(10)
    return solver.policy()


def test_what_is_drawn_has_the_mean_that_the_whole_game_gives(policy: BlueprintPolicy) -> None:
    settings = BotSettings(mode="flop", iterations=20, gadget="none", threads=1)
    exact = solved_anew(policy, GADGETS["none"], 20)
    found = against_blueprint(Bot(policy, settings), 100, seed=1)
    mean = sum(exact.wins) / 2 * 1000 / GAME.big_blind
    assert mean > 20  # there is something to be found
    half = (found.wins.high - found.wins.low) / 2
    assert abs(found.wins.mean - mean) < 2 * half < mean
    assert found.subgames > 60


def test_the_blueprint_wins_nothing_from_itself(policy: BlueprintPolicy) -> None:
    bot = Bot(policy, BotSettings(mode="blueprint"))
    found = against_blueprint(bot, 5)
    assert (found.wins.mean, found.subgames) == (0.0, 0)
    with pytest.raises(InputError, match="2 or more"):
        against_blueprint(bot, 1)
