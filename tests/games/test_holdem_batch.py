"""Hands side by side: the same as one by one, and the same as another engine's."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import playouts
from reference.holdem_games import SETTINGS, deals_of
from runout.cards.cards import card
from runout.errors import InputError
from runout.games.betting import NOBODY
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import FIRST_SIZE, HoldemGame
from runout.games.holdem_state import HoldemState
from runout.games.menus import FIXED, NO_BETS, Menu

FOLDER = Path(os.environ.get("ORACLES") or Path(__file__).parent.parent / "data")
FILES = sorted(FOLDER.glob("*playouts*.jsonl*"))


def assert_same(states: list[HoldemState], batch: HoldemBatch) -> None:
    totals, bounds, returns = batch.totals(), batch.raise_bounds(), batch.returns()
    for i, state in enumerate(states):
        betting, hand = state.betting, batch.hands[i]
        menu = {slot: action.amount for slot, action in state.menu().items()}
        assert {slot: total for slot, total in enumerate(totals[i].tolist()) if total >= 0} == menu
        assert bool(batch.over[i]) == state.over
        assert hand["player"] == (NOBODY if state.over else state.player)
        assert (hand["street"], hand["status"], hand["folder"]) == (betting.street, betting.status, betting.folder)
        assert tuple(hand["spent"]) == betting.spent
        assert tuple(hand["bets"]) == betting.bets
        assert (hand["raises"], hand["last_raise"], hand["acted"]) == (
            betting.raises,
            betting.last_raise,
            betting.acted,
        )
        if state.over:
            assert tuple(returns[i]) == pytest.approx(state.returns(), rel=1e-12)
            taken = state.game.rake.of(betting.rules.pot + 2 * min(betting.spent))
            assert sum(state.returns()) == pytest.approx(betting.rules.pot - taken)
        else:
            legal = betting.legal()
            assert tuple(bounds[i]) == (legal.smallest, legal.largest)


@settings(max_examples=200, deadline=None)
@given(SETTINGS, st.integers(0, 2**32))
def test_hands_side_by_side_are_the_hands_one_by_one(game_settings: HoldemSettings, seed: int) -> None:
    game, rng = game_settings.game(), np.random.default_rng(seed)
    deals = deals_of(game, 12, seed)
    states, batch = [game.deal(deal) for deal in deals], HoldemBatch(game, deals)
    for _ in range(4 * game.actions_a_street + 1):
        assert_same(states, batch)
        if batch.over.all():
            return
        slots = []
        for state in states:
            offered = state.slots()
            late = offered[1:] if len(offered) > 1 and offered[0] == 0 and rng.random() < 0.8 else offered
            slots.append(int(rng.choice(late)) if offered else NO_SLOT)
        batch.act(np.array(slots))
        states = [state if state.over else state.play(slot) for state, slot in zip(states, slots, strict=True)]
    raise AssertionError("a hand did not end")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_playouts_of_another_engine_replay_exactly(path: Path) -> None:
    rules, hands = playouts.read(path)
    no_limit = rules.fixed_bets is None
    game = HoldemGame("playouts", rules, Menu(((FIXED, NO_BETS)[no_limit],) * 4))
    batch = HoldemBatch(game, np.array([_dealt(hand) for hand in hands], np.uint8))
    for step in range(max(len(hand["actions"]) for hand in hands)):
        totals, bounds = batch.totals(), batch.raise_bounds()
        slots, amounts = np.full(len(hands), NO_SLOT), np.zeros(len(hands), np.int64)
        for i, hand in enumerate(hands):
            if step >= len(hand["actions"]):
                assert batch.over[i]
                continue
            decision, record = hand["actions"][step], batch.hands[i]
            assert (record["player"], list(record["spent"])) == (decision["player"], decision["spent"])
            assert (totals[i, 0] >= 0, totals[i, 1] >= 0) == (decision["legal_fold"], decision["legal_call"])
            before = record["spent"][record["player"]] - record["bets"][record["player"]]
            if no_limit:
                ours = [int(b) + before for b in bounds[i]] if bounds[i, 1] else None
                assert ours == decision["raise_to_min_max"]
            else:
                assert (totals[i, FIRST_SIZE] >= 0) == decision["legal_raise"]
            slots[i] = min(decision["action"], FIRST_SIZE)
            amounts[i] = decision["action"] - before if no_limit and slots[i] == FIRST_SIZE else 0
        batch.act(slots, amounts)
    assert batch.over.all()
    assert batch.returns().tolist() == [hand["returns"] for hand in hands]


def _dealt(hand: dict) -> list[int]:
    """Nine cards; those of the board that were never turned up are any others."""
    known = [card(text) for hole in hand["hole"] for text in hole] + [card(text) for text in hand["board"]]
    return (known + [c for c in range(52) if c not in known])[:9]


def test_an_illegal_slot_is_refused_before_anything_is_played() -> None:
    game = LimitHoldem().game()
    batch = HoldemBatch(game, deals_of(game, 3, 1))
    batch.act(np.array([1, 1, 1]))
    before = batch.hands.copy()
    with pytest.raises(InputError, match="slot 0 is illegal in hand 2: use 1, 2"):
        batch.act(np.array([1, 2, 0]))
    assert (batch.hands == before).all()
    with pytest.raises(InputError, match="slot 9 is illegal in hand 0"):
        batch.act(np.array([9, 1, 1]))
    with pytest.raises(InputError, match="for 3 hands: give one a hand"):
        batch.act(np.array([1]))
    batch.act(np.array([2, NO_SLOT, NO_SLOT]))
    batch.act(np.array([0, NO_SLOT, NO_SLOT]))
    with pytest.raises(InputError, match="slot 1 is illegal in hand 0: the hand is over"):
        batch.act(np.array([1, 1, 1]))


def test_a_raise_to_any_amount_stays_between_the_bounds() -> None:
    game = NoLimitHoldem(stack_depth=10).game()
    batch = HoldemBatch(game, deals_of(game, 2, 1))
    with pytest.raises(InputError, match="slot 2 is illegal in hand 1"):
        batch.act(np.array([2, 2]), np.array([200, 199]))
    batch.act(np.array([2, 2]), np.array([200, 1000]))
    assert batch.hands["bets"][:, 1].tolist() == [200, 1000]


def test_deals_that_are_none_are_refused() -> None:
    game = NoLimitHoldem(board="Qs Jh 2h").game()
    good = deals_of(game, 2, 1)
    twice, unknown, elsewhere = good.copy(), good.copy(), good.copy()
    twice[1, 0], unknown[0, 0] = twice[1, 1], 52
    elsewhere[0, 4], elsewhere[0, 7] = good[0, 7], good[0, 4]
    for deals in (twice, unknown, elsewhere):
        with pytest.raises(InputError, match="is none of this game: use nine different cards, with the flop Qs Jh 2h"):
            HoldemBatch(game, deals)
    with pytest.raises(InputError, match="rows of 9 cards"):
        HoldemBatch(game, good[:, :8])
    with pytest.raises(InputError, match="1 deals for 2 hands"):
        HoldemBatch(game, good).restart(good[:1])


def test_a_batch_begins_again_with_other_cards() -> None:
    game = NoLimitHoldem(stack_depth=5).game()
    batch, other = HoldemBatch(game, deals_of(game, 50, 1)), deals_of(game, 50, 2)
    batch.play_out_at_random(np.array([1], np.uint64))
    batch.restart(other)
    fresh = HoldemBatch(game, other)
    assert (batch.hands == fresh.hands).all()
    assert (batch.added == fresh.added).all()
    assert (batch.cards == fresh.cards).all()


def test_rows_can_be_taken_and_repeated() -> None:
    game = LimitHoldem().game()
    batch = HoldemBatch(game, deals_of(game, 3, 1))
    batch.act(np.array([0, 1, 2]))
    copies = batch.take(np.array([2, 2, 1]))
    copies.act(np.array([0, 1, 1]))
    assert copies.over.tolist() == [True, False, False]
    assert batch.over.tolist() == [True, False, False]
    assert (copies.cards == batch.cards[[2, 2, 1]]).all()


def test_random_play_takes_every_slot_alike() -> None:
    game = NoLimitHoldem(stack_depth=50).game()
    batch = HoldemBatch(game, deals_of(game, 20_000, 3))
    before = batch.take(np.arange(20_000))
    assert batch.act_at_random(np.array([5], np.uint64)) == 20_000
    assert before.legal().all(axis=0).tolist() == [True] * 5
    raised = batch.hands["bets"][:, 1]
    counts = [batch.over.sum(), *(np.sum((raised == total) & ~batch.over) for total in before.totals()[0, 1:])]
    assert sum(counts) == 20_000
    assert min(counts) > 3750  # 4,000 each; six standard deviations are 340
    twin, steps = batch.take(np.arange(20_000)), 0
    while acted := batch.act_at_random(np.array([6], np.uint64)):
        steps += acted
    assert batch.over.all()
    assert twin.play_out_at_random(np.array([6], np.uint64)) == pytest.approx(steps, rel=0.05)
    assert twin.over.all()
    assert twin.play_out_at_random(np.array([6], np.uint64)) == 0
    assert twin.returns()[:, 0].mean() == pytest.approx(batch.returns()[:, 0].mean(), abs=80)
    assert np.abs(batch.returns().sum(axis=1)).max() == 0
