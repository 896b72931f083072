"""Policies of dealt hands measured on the range engine."""

from __future__ import annotations

import numpy as np
import pytest

from runout.evaluation.opponents import NAMED
from runout.games.deals import draw_deals
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.protocols import HoldemPolicy
from runout.solvers.exact_measure import ExactMeasure

GAME = LimitHoldem(num_streets=2, ranks=4, suits=3, max_raises=(2, 1))


class Seats:
    """One policy for each seat."""

    weights = np.ones(1)

    def __init__(self, first: HoldemPolicy, second: HoldemPolicy) -> None:
        self.policies = (first, second)

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        both = [policy.probabilities(batch, 0) for policy in self.policies]
        return np.where((batch.player == 0)[:, None], *both)


class Mixture:
    """One of several policies, drawn once a hand."""

    def __init__(self, weights: list[float], policies: list[HoldemPolicy]) -> None:
        self.weights, self.policies = np.array(weights), policies

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        return self.policies[part].probabilities(batch, 0)


def test_a_hand_folded_at_once_costs_the_small_blind() -> None:
    measure = ExactMeasure(GAME.game())
    assert measure.values(NAMED["fold"]) == pytest.approx((500, -500), abs=1e-2)


def test_a_caller_of_everything_wins_nothing_from_itself() -> None:
    measure = ExactMeasure(GAME.game())
    assert measure.values(NAMED["call"]) == pytest.approx((0, 0), abs=1e-2)
    found = measure.exploitability(NAMED["call"])
    assert found is not None
    assert found > 100


def test_values_are_those_of_hands_played_at_random() -> None:
    """Both play evenly: the mean over playouts is near the exact value."""
    game = GAME.game()
    exact = ExactMeasure(game).values(NAMED["uniform"])
    assert exact is not None
    batch = HoldemBatch(game, draw_deals(game, 400_000, np.array([1], np.uint64)))
    batch.play_out_at_random(np.array([2], np.uint64))
    won = batch.returns()[:, 0] / game.big_blind * 1000
    assert exact[0] == pytest.approx(won.mean(), abs=5 * won.std() / len(won) ** 0.5)


def test_a_mixture_is_worth_the_mean_over_its_pairs() -> None:
    measure = ExactMeasure(GAME.game())
    parts, odds = [NAMED["raise"], NAMED["call"], NAMED["uniform"]], [0.5, 0.2, 0.3]
    pairs = 0.0
    for p, first in zip(odds, parts, strict=True):
        for q, second in zip(odds, parts, strict=True):
            value = measure.values(Seats(first, second))
            assert value is not None
            pairs += p * q * value[0]
    found = measure.values(Mixture(odds, parts))
    assert found is not None
    assert found[0] == pytest.approx(pairs, abs=0.05)


def test_flop_holdem_is_the_same_game_under_both_names() -> None:
    assert FlopHoldem.of_limit(LimitHoldem(num_streets=2)) == FlopHoldem()
    short = FlopHoldem.of_limit(LimitHoldem(num_streets=2, stack_depth=5))
    assert short.stack == 10
    small = FlopHoldem.of_limit(LimitHoldem(num_streets=2, ranks=6, suits=2, max_raises=(1, 2)))
    assert (small.ranks, small.suits, small.max_bets) == (6, 2, (1, 2))
