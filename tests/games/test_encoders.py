"""What networks are shown: sizes, equal batched and scalar forms, and no two different decisions alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.holdem_games import SETTINGS, deals_of, random_hand, renamed
from runout.errors import InputError
from runout.games.encoders import Features, HoldemEncoder, card_features, infoset_keys
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.kuhn import KuhnState
from runout.games.leduc import LeducState
from runout.games.protocol import CHANCE, TERMINAL
from runout.games.small_encoders import SmallGameEncoder, kuhn_encoder, leduc_encoder, slot_of

DEAL = "AsKd 7c7h Qs Jh 2h 9c 3d"


def fingerprint(features: Features) -> bytes:
    return features.cards.tobytes() + features.numbers.tobytes()


def decisions(encoder: SmallGameEncoder) -> list:
    """Every state of a small game at which a player is to act."""
    game, found, stack = encoder.game, [], [encoder.game.root()]
    while stack:
        state = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        if player != CHANCE:
            found.append(state)
        stack += [game.next(state, action) for action in game.actions(state)]
    return found


def test_kuhn_is_three_cards_six_places_and_the_pot() -> None:
    encoder = kuhn_encoder()
    assert encoder.size == 10
    first = encoder.encode(KuhnState("KJ", ""))
    assert first.numbers == pytest.approx([0, 0, 1, 0, 0, 0, 0, 0, 0, 0.4])
    assert first.legal.tolist() == [False, True, True]
    third = encoder.encode(KuhnState("QJ", "x-b"))
    assert third.numbers == pytest.approx([0, 1, 0, 1, 0, 0, 1, 0, 0, 0.6])
    assert third.legal.tolist() == [True, True, False]


def test_leduc_is_own_card_board_places_and_the_pot() -> None:
    encoder = leduc_encoder()
    assert encoder.size == 23
    state = LeducState(("Js", "Kh", "Qh"), (("x", "b2", "r4", "c"), ("b4",)))
    numbers = encoder.encode(state).numbers
    assert numbers[:6].tolist() == [0, 0, 1, 0, 1, 0]
    assert numbers[6:14].tolist() == [1, 0, 0, 1, 0, 1, 1, 0]
    assert numbers[14:22].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert numbers[22] == pytest.approx(14 / 26)
    assert encoder.encode(state).legal.tolist() == [True, True, True]


@pytest.mark.parametrize(("encoder", "sets"), [(kuhn_encoder(), 12), (leduc_encoder(), 288)], ids=["kuhn", "leduc"])
def test_small_games_encode_what_a_player_knows_and_nothing_else(encoder: SmallGameEncoder, sets: int) -> None:
    known: dict[str, bytes] = {}
    for state in decisions(encoder):
        features = encoder.encode(state)
        assert features.numbers.shape == (encoder.size,)
        assert (features.numbers >= 0).all()
        assert (features.numbers <= 1).all()
        assert known.setdefault(encoder.game.describe(state), fingerprint(features)) == fingerprint(features)
        assert np.flatnonzero(features.legal).tolist() == sorted(map(slot_of, encoder.game.actions(state)))
    assert len(known) == len(set(known.values())) == sets


@pytest.mark.parametrize("encoder", [kuhn_encoder(), leduc_encoder()], ids=["kuhn", "leduc"])
def test_small_games_encode_many_states_as_they_do_one(encoder: SmallGameEncoder) -> None:
    states = decisions(encoder)
    many = encoder.encode_batch(states)
    one = [encoder.encode(state) for state in states]
    assert (many.numbers == np.stack([features.numbers for features in one])).all()
    assert (many.legal == np.stack([features.legal for features in one])).all()
    assert many.cards.shape == (len(states), 0)


def test_states_without_a_decision_are_refused() -> None:
    for encoder in (kuhn_encoder(), leduc_encoder()):
        with pytest.raises(InputError, match="the dealer is to act"):
            encoder.encode(encoder.game.root())
        with pytest.raises(InputError, match="the dealer is to act"):
            encoder.encode_batch([encoder.game.root()])
    with pytest.raises(InputError, match="the game is over"):
        kuhn_encoder().encode(KuhnState("KJ", "x-x"))
    game = LimitHoldem().game()
    encoder = HoldemEncoder(game)
    with pytest.raises(InputError, match="the hand is over"):
        encoder.encode(game.deal(DEAL).play("fold"))
    batch = HoldemBatch(game, deals_of(game, 2, 1))
    batch.act(np.array([NO_SLOT, 0]))
    with pytest.raises(InputError, match="hand 1 is over"):
        encoder.encode_batch(batch)
    with pytest.raises(InputError, match="the batch is of limit hold'em, 100 bb; this encoder is for Flop Hold'em"):
        HoldemEncoder(LimitHoldem(num_streets=2).game()).encode_batch(batch)


def test_a_hold_em_decision_in_numbers() -> None:
    game = NoLimitHoldem(stack_depth=10, max_raises_per_street=1, num_streets=2).game()
    encoder = HoldemEncoder(game)
    assert (encoder.card_size, encoder.number_size, encoder.size) == (7, 2 * 3 * 3 + 4, 29)
    state = game.deal(DEAL).play("raise to 200").play("call").play("all-in")
    features = encoder.encode(state)
    assert features.cards.tolist() == list(state.canonical_cards(1))
    assert features.cards[5:].tolist() == [-1, -1]
    places = features.numbers[:18].reshape(2, 3, 3)
    assert places[0].tolist() == [[1, 1, 0], [1, pytest.approx(100 / 300), 0], [0, 0, 0]]
    assert places[1].tolist() == [[1, 2, 1], [0, 0, 0], [0, 0, 0]]
    assert features.numbers[18:] == pytest.approx([1200 / 2000, 800 / 1000, 0, 1])
    assert features.legal.tolist() == [True, True, False, False, False]


def test_cards_split_into_rank_suit_and_card() -> None:
    assert card_features(np.array([51, 0, 6, -1])).tolist() == [[12, 3, 51], [0, 0, 0], [1, 2, 6], [-1, -1, -1]]
    assert card_features(np.zeros((5, 7), np.int8)).shape == (5, 7, 3)


@settings(max_examples=60, deadline=None)
@given(SETTINGS, st.integers(0, 2**32))
def test_hands_side_by_side_encode_as_one_by_one(model: HoldemSettings, seed: int) -> None:
    game, rng = model.game(), np.random.default_rng(seed)
    encoder, deals = HoldemEncoder(game), deals_of(game, 8, seed)
    states, batch = [game.deal(deal) for deal in deals], HoldemBatch(game, deals)
    while states:
        many = encoder.encode_batch(batch)
        for i, state in enumerate(states):
            for whole, one in zip(many, encoder.encode(state), strict=True):
                assert whole[i].dtype == one.dtype
                assert whole[i].tolist() == one.tolist()
        slots = [int(rng.choice(state.slots())) for state in states]
        batch.act(np.array(slots))
        states = [state.play(slot) for state, slot in zip(states, slots, strict=True)]
        left = [i for i, state in enumerate(states) if not state.over]
        states, batch = [states[i] for i in left], batch.take(np.array(left, np.int64))


@settings(max_examples=40, deadline=None)
@given(SETTINGS, st.integers(0, 2**32), st.permutations(range(4)))
def test_hold_em_decisions_encode_alike_where_their_player_cannot_tell_them_apart(
    model: HoldemSettings, seed: int, suits: list[int]
) -> None:
    game = model.game()
    encoder, known = HoldemEncoder(game), {}
    seen: dict[bytes, tuple[int, str]] = {}
    for hand in range(25):
        cards = np.array(random_hand(game, seed + hand % 5)[0].cards)
        if not game.board:
            cards = np.array(renamed(cards, suits if hand % 2 else [0, 1, 2, 3]))
        state, rng = game.deal(cards), np.random.default_rng(seed + hand)
        while not state.over:
            key, code = (state.player, state.infoset()), fingerprint(encoder.encode(state))
            assert known.setdefault(key, code) == code
            assert seen.setdefault(code, key) == key
            state = state.play(int(rng.choice(state.slots()[-3:])))


@settings(max_examples=40, deadline=None)
@given(SETTINGS, st.integers(0, 2**32), st.permutations(range(4)))
def test_keys_of_hands_side_by_side_are_those_of_one_by_one(model: HoldemSettings, seed: int, suits: list[int]) -> None:
    game, rng = model.game(), np.random.default_rng(seed)
    deals = deals_of(game, 8, seed)
    if not game.board:
        deals[4:] = [renamed(deal, suits) for deal in deals[:4]]
    states, batch = [game.deal(deal) for deal in deals], HoldemBatch(game, deals)
    texts: dict[tuple[int, str], int] = {}
    numbers: dict[int, tuple[int, str]] = {}
    while not batch.over.all():
        for key, state in zip(infoset_keys(batch).tolist(), states, strict=True):
            assert (key == 0) == state.over
            if not state.over:
                text = (state.player, state.infoset())
                assert texts.setdefault(text, key) == key
                assert numbers.setdefault(key, text) == text
        step = int(rng.integers(3))
        slots = [NO_SLOT if s.over else s.slots()[min(step + i % 2, len(s.slots()) - 1)] for i, s in enumerate(states)]
        batch.act(np.array(slots))
        states = [s if s.over else s.play(slot) for s, slot in zip(states, slots, strict=True)]


def test_every_line_of_a_street_encodes_differently() -> None:
    """All lines of betting with the same cards: as many codes as decisions."""
    for model in (LimitHoldem(num_streets=2, stack_depth=6), NoLimitHoldem(stack_depth=6, num_streets=2)):
        game = model.game()
        encoder, stack, codes, count = HoldemEncoder(game), [game.deal(DEAL)], set(), 0
        while stack:
            state = stack.pop()
            if not state.over:
                codes.add(fingerprint(encoder.encode(state)))
                count += 1
                stack += [state.play(slot) for slot in state.slots()]
        assert len(codes) == count > 50


def test_states_that_a_game_does_not_have_are_refused() -> None:
    for cards, line in (("XQ", ""), ("KJ", "x-x-x"), ("KK", "b")):
        with pytest.raises(InputError):
            kuhn_encoder().encode(KuhnState(cards, line))


def test_the_player_who_waits_is_shown_its_own_card_and_nothing_legal() -> None:
    waiting = kuhn_encoder().encode(KuhnState("KJ", ""), player=1)
    assert waiting.numbers[:3].tolist() == [1, 0, 0]
    assert not waiting.legal.any()
    game = LimitHoldem().game()
    encoder, state = HoldemEncoder(game), game.deal(DEAL)
    acting, other = (encoder.encode(state, player) for player in (state.player, 1 - state.player))
    assert fingerprint(acting) == fingerprint(encoder.encode(state))
    assert acting.numbers[-1] == state.player
    assert other.numbers[-1] == 1 - state.player
    assert other.cards.tolist() != acting.cards.tolist()
    assert not other.legal.any()
    with pytest.raises(InputError, match="player = 2"):
        encoder.encode(state, 2)
