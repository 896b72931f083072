"""Matches: closed forms, a strategy against itself, and the same numbers for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from reference.holdem_policies import RandomTable
from runout.errors import InputError
from runout.evaluation.match import draw_slots, exact_match, play_match
from runout.evaluation.opponents import named_policy
from runout.games.holdem import LimitHoldem, NoLimitHoldem

GAMES = [
    LimitHoldem(stack_depth=20, num_streets=2),
    LimitHoldem(),
    NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1)),
    NoLimitHoldem(stack_depth=10, board="Qs Jh 2h"),
]


@pytest.mark.parametrize("settings", GAMES[:3])
def test_always_folding_loses_the_blinds(settings):
    result = play_match(settings.game(), named_policy("fold"), named_policy("raise"), hands=4000)
    assert result.wins.mean == -750.0
    assert (result.wins.low, result.wins.high) == (-750.0, -750.0)
    assert [(name, seat.mean) for name, seat in result.by_seat] == [("BB", -1000.0), ("SB", -500.0)]


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("policy", [named_policy("uniform"), named_policy("raise"), RandomTable((1, 2, 3))])
def test_a_policy_against_itself_comes_to_nothing(settings, policy):
    result = play_match(settings.game(), policy, policy, hands=4000, seed=3)
    assert result.wins.mean == pytest.approx(0.0, abs=1e-9)
    assert result.wins.high - result.wins.low < 1e-9


def test_exchanged_seats_change_only_the_sign():
    game = GAMES[2].game()
    first, second = RandomTable(seed=1), RandomTable(seed=2)
    one = play_match(game, first, second, hands=8000, seed=5)
    other = play_match(game, second, first, hands=8000, seed=5)
    assert one.wins.mean == pytest.approx(-other.wins.mean)
    assert play_match(game, first, second, hands=8000, seed=5) == one
    assert play_match(game, first, second, hands=8000, seed=6) != one


def test_calling_stations_split_over_the_cards():
    """Limping and checking down is a coin flip for one big blind each; exchanging the cards leaves no luck at all."""
    result = play_match(LimitHoldem().game(), named_policy("call"), named_policy("call"), hands=4000)
    assert [seat.mean for _, seat in result.by_seat] == [0.0, 0.0]


def test_intervals_hold_the_truth_as_often_as_they_say():
    """A pair of policies over many seeds: the mean of all is inside about 95% of the intervals."""
    game = GAMES[0].game()
    first, second = RandomTable(seed=1), named_policy("uniform")
    results = [play_match(game, first, second, hands=2000, seed=seed).wins for seed in range(60)]
    truth = np.mean([result.mean for result in results])
    inside = sum(result.low <= truth <= result.high for result in results)
    assert inside >= 52  # 57 expected, five standard deviations are 8


def test_slots_are_drawn_by_their_probabilities():
    odds = np.tile([0.0, 0.25, 0.75, 0.0], (4, 1))
    assert draw_slots(odds, np.array([0.0, 0.2499, 0.25, np.nextafter(1, 0)])).tolist() == [1, 1, 2, 2]


def test_too_few_hands_are_refused():
    with pytest.raises(InputError, match="hands = 4"):
        play_match(LimitHoldem().game(), named_policy("call"), named_policy("call"), hands=4)


def test_small_games_are_exact():
    """Against a best response an equilibrium of Kuhn loses no more than its value, 1/18 of an ante, in either seat."""
    good = runout.solve_game("kuhn", iterations=2000)
    poor = runout.solve_game("kuhn", iterations=1)
    same = exact_match(good, good)
    assert same.wins.mean == pytest.approx(0.0, abs=1e-12)
    result = exact_match(good, poor)
    assert result.unit == "mA/g"
    assert result.method == "exact"
    assert result.wins.mean > 0
    assert result.wins.mean == pytest.approx(-exact_match(poor, good).wins.mean)
    with pytest.raises(InputError, match="same game"):
        exact_match(good, runout.solve_game("leduc", iterations=1))
