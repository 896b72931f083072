"""AIVAT: its mean is that of the raw results, over every way to play; and what it leaves of the spread."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import runout
from reference.holdem_policies import RandomTable
from runout.errors import InputError
from runout.evaluation.aivat import Aivat
from runout.evaluation.match import exact_match, play_match
from runout.evaluation.opponents import named_policy
from runout.evaluation.small_aivat import small_aivat
from runout.explorers.public_lines import history_values
from runout.games.compiled import compile_game
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.kuhn import Kuhn
from runout.games.leduc import Leduc
from runout.games.protocol import TERMINAL

SIDES = [(True, True), (True, False), (False, True), (False, False)]


def _random_strategy(game, seed):
    rng = np.random.default_rng(seed)
    strategy = np.ones(game.sequences)
    for infoset in game.infosets:
        odds = rng.dirichlet(np.full(len(infoset.sequences), 0.5))
        strategy[infoset.sequences] = odds
    return strategy


def _moments(game, strategy, found):
    reach = np.where(game.player == TERMINAL, history_values(game, strategy)[0], 0.0)
    mean = reach @ found
    return mean, np.sqrt(max(0.0, reach @ (found - mean) ** 2))


@pytest.mark.parametrize("rules", [Kuhn, Leduc])
@pytest.mark.parametrize("known", SIDES)
def test_the_mean_over_all_histories_is_the_raw_one_whatever_the_baseline(rules, known):
    game = compile_game(rules())
    played, other = _random_strategy(game, 1), _random_strategy(game, 2)
    split = game.sequence_start[1]
    known_part = np.concatenate(
        [(played if known[0] else other)[:split], (played if known[1] else other)[split:]]
    )  # what an unknown player really plays is not looked at
    raw, _ = _moments(game, played, game.payoff)
    noise = np.random.default_rng(3).normal(size=len(game.payoff))
    for baseline in (None, noise, history_values(game, other)[1]):
        mean, _ = _moments(game, played, small_aivat(game, known_part, known, baseline))
        assert mean == pytest.approx(raw, abs=1e-12)


def test_nothing_of_the_spread_is_left_where_both_strategies_are_known():
    for seed in range(3):
        game = compile_game(Leduc())
        strategy = _random_strategy(game, seed)
        raw = _moments(game, strategy, game.payoff)[1]
        assert _moments(game, strategy, small_aivat(game, strategy))[1] < 1e-9 * raw


def test_what_is_left_on_leduc_with_one_side_known_and_with_the_values_of_an_equilibrium():
    good, poor = (runout.solve_game("leduc", iterations=n) for n in (200, 2))
    both, one = exact_match(good, poor).aivat, exact_match(good, poor, (True, False)).aivat
    assert both.left < 0.01 * both.raw
    assert 0.01 * one.raw < one.left < 0.4 * one.raw
    game, split = good.game, good.game.sequence_start[1]
    strategy = np.concatenate([good.strategy[:split], poor.strategy[split:]])
    raw = _moments(game, strategy, game.payoff)[1]
    values = history_values(game, good.strategy)[1]
    assert 0.0 < _moments(game, strategy, small_aivat(game, strategy, baseline=values))[1] < 0.3 * raw


def _every_play(game, policies):
    """Every deal of a game of a few cards and every line: (cards, slots, probability, chips of player 0)."""
    deck = game.deck
    deals = [
        (*first, *second, *board, *rest)
        for first in combinations(deck, 2)
        for second in combinations([c for c in deck if c not in first], 2)
        for board in combinations([c for c in deck if c not in first + second], game.board_cards)
        for rest in [[c for c in deck if c not in first + second + board][: 5 - game.board_cards]]
    ]
    batch = HoldemBatch(game, np.array(deals, np.uint8))
    rows = [(batch, np.arange(len(deals)), [], np.full(len(deals), 1 / len(deals)))]
    while rows:
        batch, which, slots, odds = rows.pop()
        over = batch.over
        if over.all():
            won = batch.returns()[:, 0]
            for at, deal in enumerate(which):
                yield deals[deal], slots, odds[at], won[at]
            continue
        player = int(batch.player[0])  # betting does not depend on cards: all rows stand alike
        policy = policies[player]
        shares = sum(w * policy.probabilities(batch, part) for part, w in enumerate(policy.weights))
        for slot in np.flatnonzero(batch.legal()[0]):
            after = batch.take(np.arange(len(batch)))
            after.act(np.full(len(batch), slot))
            rows.append((after, which, [*slots, int(slot)], odds * shares[:, slot]))


@pytest.mark.parametrize("known", [SIDES[0], pytest.param(SIDES[1], marks=pytest.mark.slow)])
def test_the_mean_over_all_deals_and_lines_of_hold_em_is_the_raw_one(known):
    game = LimitHoldem(stack_depth=2, num_streets=2, max_bets=(1, 0), ranks=3, suits=3).game()
    policies = RandomTable(seed=1), RandomTable(seed=2)
    seen = tuple(policy if side else None for policy, side in zip(policies, known, strict=True))
    aivat = Aivat(game, seen, RandomTable(seed=5))
    raw = adjusted = squares = left = 0.0
    kept = {}
    for cards, slots, odds, won in _every_play(game, policies):
        # a range does not see its own cards: the same board, line and unknown hands give the same number
        seats = tuple(cards[2 * s : 2 * s + 2] for s in range(2) if not known[s])
        key = (seats, tuple(sorted(cards[4:7])), tuple(slots))
        if key not in kept:
            kept[key] = aivat.adjusted(cards, slots)
        raw, adjusted = raw + odds * won, adjusted + odds * kept[key]
        squares, left = squares + odds * won**2, left + odds * kept[key] ** 2
    assert adjusted == pytest.approx(raw, abs=2e-6)  # matrices are float32
    assert left - adjusted**2 < (0.2 if all(known) else 0.7) * (squares - raw**2)


@pytest.mark.parametrize("known", SIDES)
def test_mixtures_and_more_streets_keep_the_mean(known):
    """Networks of a buffer play as one of several parts; deals are sampled, so the difference has an interval."""
    game = LimitHoldem(stack_depth=8, num_streets=2, max_bets=(2, 2), ranks=4, suits=3).game()
    first, second = RandomTable((1, 2), seed=1), RandomTable((1,), seed=4)
    found = play_match(game, first, second, hands=8000, seed=2, aivat=400, known=known)
    assert found.aivat.hands == 400
    assert found.aivat.known == known
    apart = abs(found.aivat.wins.mean - found.wins.mean)
    assert apart < 2 * (found.aivat.wins.high - found.aivat.wins.low + found.wins.high - found.wins.low)
    assert found.aivat.left < (0.5 if all(known) else 0.9) * found.aivat.raw


def test_a_strategy_against_itself_is_adjusted_to_nothing():
    game = LimitHoldem(stack_depth=8, num_streets=2, max_bets=(2, 2), ranks=4, suits=3).game()
    policy = RandomTable(seed=1)
    found = play_match(game, policy, policy, hands=80, aivat=80)
    assert found.aivat.wins.mean == pytest.approx(0.0, abs=1e-6)
    assert found.aivat.left > 0
    assert found.aivat.worth == 0  # nothing is left to compare with
    assert "worth" not in found.aivat.says


def test_what_cannot_be_adjusted_is_refused():
    raked = NoLimitHoldem(stack_depth=6, rake={"percent": 5}).game()
    with pytest.raises(InputError, match="raked"):
        Aivat(raked, (None, None), named_policy("call"))
    with pytest.raises(InputError, match="AIVAT of 4 hands"):
        play_match(LimitHoldem().game(), named_policy("call"), named_policy("call"), hands=80, aivat=4)
