"""Mixtures as an observer sees them: against playing one part a hand, and against sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

from reference.holdem_games import deals_of
from reference.holdem_policies import RandomTable
from reference.public_decisions import follow
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS, combo
from runout.cursors.mixtures import hand_probabilities, live_hands, range_probabilities
from runout.errors import InputError
from runout.evaluation.match import draw_parts, draw_slots
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch

GAME = LimitHoldem(stack_depth=20, num_streets=4).game()
MIX = RandomTable((1, 2, 3), seed=4)
LINE = [1, 2, 1, 1, 2]  # limp, raise, call; check, bet: the big blind is to act on the flop


def test_playing_one_part_a_hand_agrees_with_the_explicit_average():
    """The same hand many times over: what is done at the end of a line, of the times that play gets there."""
    flop = cards("Qs Jh 2h")
    deal = np.array([*cards("As Kd 7c 7h"), *flop, *cards("3d 4c")], np.uint8)
    spot = follow(GAME, MIX, flop, LINE)
    held = combo(*deal[2 * spot.player : 2 * spot.player + 2].tolist())
    rng = np.random.default_rng(1)
    tries = 400_000
    parts = np.stack([draw_parts(MIX, rng.random(tries)) for _ in range(2)], axis=1)
    batch = HoldemBatch(GAME, deal[None])
    here = np.arange(tries)  # plays that have followed the line so far
    for wanted in [*LINE, None]:
        seat = int(batch.player[0])
        odds = np.concatenate([MIX.probabilities(batch, part) for part in range(3)])[parts[here, seat]]
        slots = draw_slots(odds, rng.random(len(here)))
        if wanted is None:
            break
        here = here[slots == wanted]
        batch.act(np.array([wanted]))
    assert len(here) > 2000
    seen = np.bincount(slots, minlength=3) / len(here)
    told = spot.strategy[:, held]
    assert np.abs(seen - told).max() < 4 * np.sqrt(0.25 / len(here))
    own = spot.reach[0][:, combo(*deal[:2].tolist())].sum() * spot.reach[1][:, combo(*deal[2:4].tolist())].sum()
    assert len(here) / tries == pytest.approx(own, rel=0.1)


def test_one_part_is_played_as_it_is():
    single = RandomTable(seed=4)
    spot = follow(GAME, single, cards("Qs Jh 2h"), LINE)
    assert np.allclose(spot.strategy, range_probabilities(single, spot.batch, 0)[0].T)


def test_blocked_hands_are_left_out_and_others_add_up_to_one():
    spot = follow(GAME, MIX, cards("Qs Jh 2h"), LINE)
    blocked = np.isin(COMBO_CARDS, cards("Qs Jh 2h")).any(axis=1)
    assert (spot.strategy[:, blocked] == 0).all()
    assert (spot.reach[0][:, blocked] == 0).all()
    assert np.allclose(spot.strategy[:, ~blocked].sum(axis=0), 1.0)
    assert (live_hands(spot.batch)[0] == ~blocked).all()


@pytest.mark.parametrize("settings", [LimitHoldem(num_streets=2), NoLimitHoldem(stack_depth=12)])
def test_hands_of_a_range_get_what_they_get_when_dealt(settings):
    game = settings.game()
    batch = HoldemBatch(game, deals_of(game, 300, seed=8))
    generator = np.array([3], np.uint64)
    for _ in range(6):
        rows = np.flatnonzero(~batch.over)
        public = batch.take(rows)
        seats = public.player.astype(np.int64)
        own = np.take_along_axis(public.cards.astype(np.int64), 2 * seats[:, None] + np.arange(2), axis=1)
        held = np.array([combo(*pair) for pair in own.tolist()])
        asked = hand_probabilities(MIX, public, 1, np.arange(len(rows)), held)
        assert np.array_equal(asked, MIX.probabilities(public, 1))
        batch.act_at_random(generator)


def test_the_policy_never_sees_other_cards_than_its_player():
    """A policy that looks at the whole deal gets nothing out of it: unseen cards do not depend on the real ones."""

    class Peeking:
        weights = np.ones(1)

        def probabilities(self, batch, part):
            odds = batch.legal() * (1.0 + (batch.cards.astype(np.float64) * np.arange(1, 10)).sum(axis=1)[:, None])
            odds[:, 0] *= batch.cards[:, 2] + 1.0
            return odds / odds.sum(axis=1, keepdims=True)

    deals = deals_of(GAME, 2, seed=1)
    found = range_probabilities(Peeking(), HoldemBatch(GAME, deals), 0)
    assert np.array_equal(found[0], found[1])


def test_lines_that_end_the_hand_are_refused():
    with pytest.raises(InputError, match="ends the hand"):
        follow(GAME, MIX, (), [0])
    with pytest.raises(InputError, match="3 board cards"):
        follow(GAME, MIX, (), [1, 1])
