"""Hands of a strategy against itself: read back by Runout and by pokerkit, they come to what the batch paid out."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from pokerkit import HandHistory, PokerStarsParser

from reference.holdem_policies import RandomTable
from runout.errors import InputError
from runout.evaluation.self_play import self_play
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.hands.phh import phhs_text
from runout.hands.pokerstars_writer import pokerstars_text
from runout.hands.read import read_hands_text
from runout.hands.record import PlayedHand

GAMES = [
    NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1)),
    NoLimitHoldem(stack_depth=12, bet_sizes=(0.5,), ante=0.1, rake={"percent": 5, "cap": 1}),
    NoLimitHoldem(stack_depth=12, bet_sizes=(1,), big_blind_ante=1),
]
COUNT = 60


def played(settings: NoLimitHoldem, count: int = COUNT, seed: int = 1) -> list[PlayedHand]:
    return list(self_play(settings.game(), RandomTable((1, 2), seed=3), count, seed))


def won(hand: PlayedHand) -> list[int]:
    """What each seat took less what it put in, by the rules that wrote the hand."""
    back = read_hands_text(pokerstars_text(hand)).replays[0]
    assert back.stacks is not None
    return [after - seat.stack for after, seat in zip(back.stacks, hand.seats, strict=True)]


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("form", ["pokerstars", "phh"])
def test_what_is_written_is_read_to_the_same_hands(settings: NoLimitHoldem, form: str) -> None:
    hands = played(settings)
    text = "".join(phhs_text(hands)) if form == "phh" else "\n\n".join(map(pokerstars_text, hands))
    read = read_hands_text(text)
    assert read.failures == []
    for hand, back, again in zip(hands, read.hands, read.replays, strict=True):
        assert [move[:4] for move in back.moves] == [move[:4] for move in hand.moves]
        assert (back.board, again.pot, again.rake, again.collected) == (hand.board, hand.pot, hand.rake, hand.collected)
        assert (back.hero, back.id, back.time) == (hand.hero, hand.id, hand.time)


@pytest.mark.parametrize("settings", [GAMES[0], GAMES[1]])
def test_pokerkit_reads_phh_to_the_same_results(settings: NoLimitHoldem) -> None:
    hands = played(settings)
    others = HandHistory.loads_all("".join(phhs_text(hands)))
    for hand, other in zip(hands, others, strict=True):
        *_, end = other
        assert not end.status
        net = won(hand)
        lost = [round(float(theirs) * 100) - ours for theirs, ours in zip(end.payoffs, net, strict=True)]
        assert sum(lost) == hand.rake  # pokerkit takes none here
        assert min(lost) >= -1  # halves of a cent


def test_pokerkit_reads_the_text_to_the_same_results() -> None:
    """Its parser takes "raises BY" as an amount over the largest bet, as the text means it; it knows no antes."""
    hands = played(GAMES[0])
    text = "\n\n\n".join(pokerstars_text(hand) for hand in hands)
    others = list(PokerStarsParser()(text, parse_value=lambda value: round(float(value) * 100)))
    assert len(others) == COUNT
    for hand, other in zip(hands, others, strict=True):
        *_, end = other
        assert [int(chips) for chips in end.payoffs] == won(hand)


def test_a_seed_gives_the_same_hands_however_many_follow() -> None:
    assert played(GAMES[0], 5) == played(GAMES[0], 20)[:5]
    assert played(GAMES[0], 5, seed=2) != played(GAMES[0], 5, seed=1)


def test_play_is_fair_and_seats_change() -> None:
    hands = list(islice(self_play(GAMES[0].game(), RandomTable(), 2000), 2000))
    assert [hand.seats[0].name for hand in hands[:4]] == ["Runout A", "Runout B", "Runout A", "Runout B"]
    assert [hand.seats[hand.hero or 0].name for hand in hands[:4]] == ["Runout A"] * 4
    cards = np.array([seat.cards for hand in hands for seat in hand.seats]).ravel()
    counts = np.bincount(cards, minlength=52)
    assert counts.min() > 0.6 * len(cards) / 52
    assert counts.max() < 1.4 * len(cards) / 52


def test_other_games_are_refused() -> None:
    for game in (LimitHoldem().game(), NoLimitHoldem(stack_depth=10, board="Qs Jh 2h").game()):
        with pytest.raises(InputError, match="from the blinds to the river"):
            next(self_play(game, RandomTable(), 1))
