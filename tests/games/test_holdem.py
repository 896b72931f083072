"""One dealt hand: rules, text, keys, endings, and settings that are refused."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reference import showdown
from reference.holdem_games import SETTINGS, random_hand, renamed
from runout import check_game
from runout.cards.canonical import canonical
from runout.errors import InputError
from runout.games.betting import BET, RAISE
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem, game_type, settings_of
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState, OneDeal

DEAL = "AsKd 7c7h Qs Jh 2h 9c 3d"


def played(game: HoldemGame, *actions: str, deal: str = DEAL) -> HoldemState:
    state = game.deal(deal)
    for action in actions:
        state = state.play(action)
    return state


def test_a_limit_hand_from_the_blinds_to_the_showdown() -> None:
    game = LimitHoldem(stack_depth=20).game()
    start = game.deal(DEAL)
    assert (start.player, start.betting.pot, start.actions()) == (1, 3, ["fold", "call", "raise to 4"])
    flop = played(game, "raise to 4", "call")
    assert (flop.player, flop.betting.pot, flop.actions()) == (0, 8, ["check", "bet 2"])
    turn = played(game, "r4", "c", "x", "b2", "c")
    assert (turn.player, turn.betting.pot, turn.actions()) == (0, 12, ["check", "bet 4"])
    end = played(game, "r4", "c", "x", "b2", "c", "x", "x", "b4", "c")
    assert end.returns() == (-10, 10)
    assert str(end).splitlines() == [
        "river  board Qs Jh 2h 9c 3d  pot 20",
        "SB 7c7h (30)  BB AsKd (30)",
        "line SBr2 BBc|Qs Jh 2h|x-b1-c|9c|x-x|3d|b2-c",
        "SB wins with pair, sevens, queen kicker against high card, ace: SB +10  BB -10",
    ]


def test_raises_are_capped_by_street() -> None:
    game = LimitHoldem(max_raises_early=1, max_raises_late=2).game()
    assert played(game, "r4").actions() == ["fold", "call"]
    assert played(game, "r4", "c", "b2").actions() == ["fold", "call"]
    assert played(game, "r4", "c", "x", "x", "b4").actions() == ["fold", "call", "raise to 8"]
    assert LimitHoldem().game().rules.caps == (3, 3, 4, 4)
    assert LimitHoldem(max_raises=(3, 4, 4, 4)).game().rules.caps == (3, 4, 4, 4)
    assert LimitHoldem(max_raises=(0, 1), num_streets=2).game().rules.caps == (0, 1)


def test_flop_holdem_shows_five_cards() -> None:
    two = LimitHoldem(num_streets=2).game()
    end = played(two, "c", "x", "x", "x", deal="3c3d 4c5d 6h7h8h 3s 3h")
    assert end.board == end.cards[4:7]
    assert end.winner() == 1  # a straight; two more threes never come


def test_an_all_in_runs_the_board_out() -> None:
    game = NoLimitHoldem(stack_depth=5).game()
    end = played(game, "all-in", "call")
    assert (end.over, len(end.board), end.betting.street) == (True, 5, 0)
    assert end.returns() == (-500, 500)
    short = LimitHoldem(stack_depth=1.5).game()
    assert played(short).actions() == ["fold", "call", "all-in 3"]
    assert played(short, "all-in").actions() == ["fold", "call"]
    assert played(short, "all-in", "call").returns() == (-3, 3)
    assert played(LimitHoldem(stack_depth=1).game()).actions() == ["fold", "call"]
    assert played(LimitHoldem(stack_depth=1).game(), "call").returns() == (-2, 2)


def test_a_fold_and_a_tie() -> None:
    game = NoLimitHoldem().game()
    assert played(game, "fold").returns() == (50, -50)
    assert played(game, "all-in", "fold").returns() == (-100, 100)
    tie = played(game, "all-in", "call", deal="AsKd AcKh Qs Jh Ts 2c 3d")
    assert tie.returns() == (0, 0)
    assert str(tie).endswith("split with straight, ace high: SB +0  BB +0")


def test_sizes_of_the_pot_and_of_the_bet_faced() -> None:
    game = NoLimitHoldem(bet_sizes=[0.5, 1], preflop_raises=[2.5], stack_depth=100).game()
    assert game.slot_names == ("fold", "check or call", "bet or raise of size 1", "bet or raise of size 2", "all-in")
    assert played(game).actions() == ["fold", "call", "raise to 250", "all-in 10000"]
    assert played(game).slots() == [0, 1, 2, 4]
    assert played(game, "r250", "c").actions() == ["check", "bet 250", "bet 500", "all-in 9750"]
    assert played(game, "r250", "c", "b250").actions()[2:] == ["raise to 750", "raise to 1250", "all-in 9750"]


def test_sizes_that_come_to_the_same_chips_are_one_action() -> None:
    game = NoLimitHoldem(bet_sizes=[0.1, 0.2, 1], stack_depth=4).game()
    limped = played(game, "c", "x")
    assert limped.actions() == ["check", "bet 100", "bet 200", "all-in 300"]
    assert limped.slots() == [1, 2, 4, 5]
    quiet = NoLimitHoldem(bet_sizes=[0.5], stack_depth=1.5, all_in=False).game()
    assert played(quiet).actions() == ["fold", "call", "all-in 150"]  # the least raise is all there is
    assert NoLimitHoldem(bet_sizes=[0.5], all_in=False).game().deal(DEAL).actions() == ["fold", "call", "raise to 200"]


def test_a_hand_from_a_given_flop() -> None:
    game = NoLimitHoldem(board="2h Qs Jh", pot=6, stack_depth=25).game()
    start = game.deal(DEAL)
    assert (start.player, start.betting.pot, start.betting.behind(0)) == (0, 600, 2200)
    assert start.actions() == ["check", "bet 300", "bet 600", "all-in 2200"]
    assert start.infoset() == "AsKh |QsJd2d"
    assert played(game, "b300", "fold").returns() == (300, -300)
    with pytest.raises(InputError, match="the deal has the flop 9c 3d 2h: the game starts from Qs Jh 2h"):
        game.deal("AsKd 7c7h 9c 3d 2h Qs Jh")


def test_bad_deals_and_actions_are_named() -> None:
    game = LimitHoldem().game()
    with pytest.raises(InputError, match="a deal has 4 cards: give 9"):
        game.deal("AsKd 7c7h")
    with pytest.raises(InputError, match="card 7c is given twice"):
        game.deal([0, 1, 2, 20, 20, 5, 6, 7, 8])
    with pytest.raises(InputError, match=r"cannot bet or raise: use 0 \(fold\), 1 \(call\)"):
        played(LimitHoldem(max_raises_early=0).game()).play(2)
    with pytest.raises(InputError, match="cannot slot 7"):
        played(game).play(7)
    with pytest.raises(InputError, match="'r300' is not offered here: use fold, call, raise to 200"):
        played(NoLimitHoldem(bet_sizes=[0.5], all_in=False).game(), "r300")
    with pytest.raises(InputError, match="nobody is to act"):
        played(game, "fold").infoset()
    with pytest.raises(InputError, match="the hand is not over"):
        played(game).returns()


@pytest.mark.parametrize(
    ("model", "given", "message"),
    [
        (LimitHoldem, {"stack_depth": 0.5}, "stack_depth = 0.5 bb is too short for the blinds"),
        (LimitHoldem, {"stack_depth": -1}, "stack_depth = -1: input should be greater than 0"),
        (LimitHoldem, {"stack_depth": 10.3}, "no whole number of chips: use steps of 0.5 bb"),
        (LimitHoldem, {"max_raises_early": -1}, "max_bets_early: a raise cap of -1 is below zero"),
        (LimitHoldem, {"max_raises_late": 50}, "max_bets_late: a raise cap of 50 is too high"),
        (LimitHoldem, {"max_raises": [3, 3]}, "max_bets has 2 entries for 4 streets"),
        (LimitHoldem, {"max_raises": [3, 3, 3, -2]}, "max_bets: a raise cap of -2 is below zero"),
        (LimitHoldem, {"num_streets": 3}, "num_streets = 3: input should be 2 or 4"),
        (LimitHoldem, {"bet_sizes": [1]}, "unknown key 'bet_sizes'"),
        (NoLimitHoldem, {"stack_depth": 0.99}, "too short for the blinds"),
        (NoLimitHoldem, {"bet_sizes": [0.5, 0]}, "bet size 0 is not positive"),
        (NoLimitHoldem, {"bet_sizes": [-1]}, "bet size -1 is not positive"),
        (NoLimitHoldem, {"bet_sizes": [k / 10 for k in range(1, 14)]}, "13 bet sizes are too many: use at most 12"),
        (NoLimitHoldem, {"bet_sizes": [1e300]}, "is too large: use at most 1000 times the pot"),
        (
            NoLimitHoldem,
            {"stack_depth": 1e9},
            "stack_depth = 1000000000.0: input should be less than or equal to 10000",
        ),
        (NoLimitHoldem, {"board": "Qs Jh 2h", "pot": 2.013}, "pot = 2.013 bb is too fine: use steps of 0.02 bb"),
        (NoLimitHoldem, {"bet_sizes": [float("nan")]}, "finite number"),
        (NoLimitHoldem, {"preflop_raises": [1]}, "preflop raise 1 is not above the bet faced"),
        (NoLimitHoldem, {"max_raises_per_street": -3}, "a raise cap of -3 is below zero"),
        (NoLimitHoldem, {"board": "Qs Jh 2h 9c"}, "starts before the flop or on it"),
        (NoLimitHoldem, {"board": "Qs Jh Zh"}, "unknown card 'Zh'"),
        (NoLimitHoldem, {"board": "Qs Jh 2h", "num_streets": 1}, "num_streets = 1 ends before the flop"),
        (NoLimitHoldem, {"board": "Qs Jh 2h", "pot": 20, "stack_depth": 10}, "all in the pot of 20 bb already"),
    ],
)
def test_bad_settings_are_refused_in_one_line(model: type, given: dict, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        model(**given)
    assert "\n" not in str(caught.value)


def test_games_by_the_name_that_configs_give_them() -> None:
    assert settings_of("limit_holdem", {"num_streets": 2}) == LimitHoldem(num_streets=2)
    assert game_type(settings_of("hunl_postflop", {})) == "no_limit_holdem"
    with pytest.raises(InputError, match="unknown game type 'omaha': use no_limit_holdem or limit_holdem"):
        settings_of("omaha", {})


@pytest.mark.parametrize(
    "model", [LimitHoldem(num_streets=2, stack_depth=4), NoLimitHoldem(stack_depth=3, num_streets=2)]
)
def test_a_dealt_hand_keeps_the_rules_of_small_games(model: HoldemSettings) -> None:
    assert check_game(OneDeal(model.game(), DEAL)) == []


@settings(max_examples=80, deadline=None)
@given(SETTINGS, st.integers(0, 2**32), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_keys_do_not_change_with_suits_renamed_or_cards_in_another_order(
    model: HoldemSettings, seed: int, suits: list[int], random: object
) -> None:
    game = model.game()
    states = random_hand(game, seed)
    cards = states[0].cards
    hole, other, flop = list(cards[:2]), list(cards[2:4]), list(cards[4:7])
    for part in (hole, other, flop):
        random.shuffle(part)  # type: ignore[attr-defined]
    mixed = [*hole, *other, *flop, *cards[7:]]
    if not game.board:
        mixed = renamed(mixed, suits)
    twin = game.deal(mixed)
    for before, state in pairwise(states):
        assert twin.infoset() == before.infoset()
        assert twin.describe() == before.describe()
        twin = twin.play_to(state.history[before.betting.street][len(before.history[before.betting.street])])
    assert twin.returns() == states[-1].returns()
    spent = twin.betting.spent
    taken = game.rake.of(game.rules.pot + 2 * min(spent))
    assert sum(twin.returns()) == pytest.approx(game.rules.pot - taken)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0, 3, 4, 5]))
def test_canonical_cards_are_the_same_for_equals_only(seed: int, shown: int) -> None:
    """Two random hands share a form exactly where some renaming turns one into the other."""
    rng = np.random.default_rng(seed)
    low = rng.choice(16, 14, replace=False)  # few ranks, so that equals are met
    first = [int(c) for c in low[: 2 + shown]]
    second = renamed(first, [int(s) for s in rng.permutation(4)]) if seed % 2 else [int(c) for c in low[-2 - shown :]]
    assert canonical(first[:2], first[2:])[2 + shown :] == (-1,) * (5 - shown)
    same = any(_sets(renamed(first, list(p))) == _sets(second) for p in permutations(range(4)))
    assert (canonical(first[:2], first[2:]) == canonical(second[:2], second[2:])) == same
    held = canonical(first[:2], first[2:])
    assert any(_sets(renamed(first, list(p))) == _sets(list(held[: 2 + shown])) for p in permutations(range(4)))


def _sets(cards: list[int]) -> tuple:
    return frozenset(cards[:2]), frozenset(cards[2:5]), tuple(cards[5:])


@settings(max_examples=30, deadline=None)
@given(SETTINGS, st.integers(0, 2**32))
def test_showdowns_agree_with_a_slow_evaluator(model: HoldemSettings, seed: int) -> None:
    end = random_hand(model.game(), seed, fold=0.0)[-1]
    assume(end.betting.folder < 0)  # without limps and raises there is nothing but a fold
    first, second = (showdown.value([*end.hole(p), *end.board]) for p in (0, 1))
    chips, dead = min(end.betting.spent), end.game.rules.pot
    left = dead - end.game.rake.of(dead + 2 * chips)
    won = (left / 2, left / 2) if first == second else (left + chips, -chips)
    assert end.returns() == pytest.approx(won if first >= second else won[::-1])


def test_caps_by_street() -> None:
    game = NoLimitHoldem(stack_depth=100, bet_sizes=[0.5], raise_sizes=[0.5], max_bets=[3, 2, 1, 0])
    assert game.game().rules.caps == (3, 2, 1, 0)
    river = game.game().tree().streets[3]
    assert not any(action.kind in (BET, RAISE) for node in range(river.nodes) for action in river.actions(node))
    with pytest.raises(InputError, match="max_bets has 2 entries for 4 streets"):
        NoLimitHoldem(max_bets=[3, 3])
