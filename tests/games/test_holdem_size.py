"""How large games are: counted without listing, against published figures and against lists."""

from __future__ import annotations

from itertools import combinations

import pytest

from runout.cards.canonical import canonical
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_size import betting_nodes, describe_size, hand_classes, infosets
from runout.games.holdem_state import HoldemState


def test_hands_and_boards_are_as_many_as_published() -> None:
    assert [hand_classes(street) for street in range(4)] == [169, 1_286_792, 55_190_538, 2_428_287_420]


@pytest.mark.parametrize(("ranks", "suits"), [(3, 3), (5, 2), (3, 4)])
def test_classes_of_reduced_decks_are_those_of_a_list(ranks: int, suits: int) -> None:
    deck = [4 * rank + suit for rank in range(ranks) for suit in range(suits)]
    hands = list(combinations(deck, 2))
    assert hand_classes(0, deck) == len({canonical(hand) for hand in hands})
    flops = {canonical(h, f) for h in hands for f in combinations([c for c in deck if c not in h], 3)}
    assert hand_classes(1, deck) == len(flops)


def test_classes_on_a_given_flop_are_those_of_a_list() -> None:
    for text in ([50, 36, 2], [0, 4, 8], [0, 1, 2]):
        left = [card for card in range(52) if card not in text]
        assert hand_classes(1, range(52), text) == len({canonical(hand, text) for hand in combinations(left, 2)})


def test_heads_up_limit_holdem_has_as_many_information_sets_as_published() -> None:
    """Bowling et al. 2015: 1.38e13 up to suits, with three raises before the flop and four bets after it."""
    counts, whole = infosets(LimitHoldem(max_raises=(3, 4, 4, 4)).game())
    assert whole
    assert sum(counts) == pytest.approx(1.38e13, rel=0.005)


@pytest.mark.parametrize(
    "settings", [LimitHoldem(stack_depth=5), NoLimitHoldem(stack_depth=3, bet_sizes=(1,)), LimitHoldem(num_streets=2)]
)
def test_betting_nodes_are_those_of_a_walk(settings: LimitHoldem | NoLimitHoldem) -> None:
    counts = [0] * 4

    def walk(state: HoldemState) -> None:
        if not state.over:
            counts[state.betting.street] += 1
            for slot in state.slots():
                walk(state.play(slot))

    walk(settings.game().deal("AsKd 7c7h Qs Jh 2h 9c 3d"))
    assert betting_nodes(settings.game()) == (counts, True)


def test_what_is_too_much_to_count_is_said_to_be_more() -> None:
    game = NoLimitHoldem(
        stack_depth=1000, bet_sizes=(0.25, 0.33, 0.5, 0.75, 1, 1.5, 2), max_raises_per_street=10
    ).game()
    assert "has more than" in describe_size(game)
