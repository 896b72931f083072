"""The betting engine: legality with its reasons, chips, and the end of streets and hands."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.playouts import action_of, rules_of
from runout.errors import InputError
from runout.games.betting import (
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    CLOSED,
    FLOP,
    FOLD,
    FOLDED,
    IP,
    NOBODY,
    OOP,
    RAISE,
    RIVER,
    STREET_OVER,
    TURN,
    Action,
    BettingState,
    Rules,
    start,
)
from runout.games.lines import parse_action

NO_LIMIT = Rules.no_limit(stack=1000, small_blind=5, big_blind=10)
LIMIT = Rules.limit(stack=1000, blinds=(2, 1), bets=(2, 2, 4, 4), caps=(3, 3, 4, 4))


def played(state: BettingState, *tokens: str) -> BettingState:
    for text in tokens:
        state = state.next_street() if text == "|" else state.act(parse_action(text))
    return state


def why_not(state: BettingState, action: Action) -> str:
    assert not state.can(action)
    with pytest.raises(InputError) as caught:
        state.verify(action)
    with pytest.raises(InputError):
        state.act(action)
    return str(caught.value)


def test_blinds_and_who_acts_first() -> None:
    state = start(NO_LIMIT)
    assert (state.player, state.spent, state.pot, state.to_call) == (IP, (10, 5), 15, 5)
    flop = played(state, "c", "x", "|")
    assert (flop.player, flop.street, flop.bets, flop.spent) == (OOP, FLOP, (0, 0), (10, 10))


def test_the_big_blind_has_the_option_after_a_limp() -> None:
    limped = played(start(NO_LIMIT), "c")
    assert limped.status == BETTING
    assert limped.player == OOP
    assert limped.legal() == (False, True, False, 20, 1000)
    assert played(limped, "x").status == STREET_OVER
    assert limped.verify(Action(RAISE, 30)) == Action(RAISE, 30)


def test_antes_count_over_the_hand_but_not_on_the_street() -> None:
    state = start(Rules.no_limit(stack=100, small_blind=5, big_blind=10, ante=2))
    assert (state.spent, state.bets, state.pot) == ((12, 7), (10, 5), 19)
    assert state.legal().largest == 98


def test_a_raise_adds_at_least_the_last_full_raise() -> None:
    state = played(start(NO_LIMIT), "r40")
    assert (state.legal().smallest, state.legal().largest) == (70, 1000)
    assert played(state, "r100").legal().smallest == 160


def test_a_short_all_in_does_not_lower_the_next_raise() -> None:
    rules = Rules.postflop(pot=100, stack=130, street=RIVER)
    state = played(start(rules), "b80")
    assert (state.legal().smallest, state.legal().largest) == (130, 130)
    assert state.verify(Action(RAISE, 130)) == Action(ALL_IN, 130)


def test_all_in_and_called_ends_betting_on_any_street() -> None:
    state = played(start(Rules.postflop(100, 300, FLOP)), "x", "a", "c")
    assert (state.status, state.player, state.all_in, state.pot) == (CLOSED, NOBODY, True, 700)


def test_a_big_blind_that_is_all_in_can_only_be_called() -> None:
    state = start(Rules.no_limit(stack=10, small_blind=5, big_blind=10))
    assert state.legal() == (True, False, True, 0, 0)
    assert played(state, "c").status == CLOSED


def test_limit_bets_are_fixed_and_capped() -> None:
    state = start(LIMIT)
    for total in (4, 6, 8):
        assert state.legal()[3:] == (total, total)
        state = state.act(Action(RAISE, total))
    assert not state.legal().bet_or_raise
    assert why_not(state, Action(RAISE, 10)) == "cannot raise: 3 bets and raises are the most on this street"
    turn = played(state, "c", "|", "x", "x", "|")
    assert turn.street == TURN
    assert turn.legal()[3:] == (4, 4)


def test_limit_all_in_for_less_than_the_bet() -> None:
    state = played(start(Rules.limit(stack=5, blinds=(2, 1), bets=(2, 2), caps=(3, 3))), "r4")
    assert state.legal()[3:] == (5, 5)
    assert state.verify(Action(ALL_IN)) == Action(ALL_IN, 5)
    assert why_not(start(LIMIT), Action(ALL_IN)) == "cannot raise to 1000: only 4 is legal"


@pytest.mark.parametrize(
    ("line", "action", "reason"),
    [
        ("", Action(FOLD), "cannot fold: there is no bet to fold to; check instead"),
        ("", Action(CALL), "cannot call: there is no bet; check instead"),
        ("", Action(RAISE, 50), "cannot raise: there is no bet yet; bet instead"),
        ("", Action(BET, 0), "cannot bet 0: use 1 to 300"),
        ("", Action(BET, 301), "cannot bet 301: use 1 to 300"),
        ("b50", Action(CHECK), "cannot check: there are 50 chips to call"),
        ("b50", Action(BET, 100), "cannot bet: there is a bet of 50 already; raise instead"),
        ("b50", Action(RAISE, 99), "cannot raise to 99: use 100 to 300"),
        ("a", Action(RAISE, 400), "cannot raise: the opponent is all-in"),
        ("a", Action(ALL_IN), "cannot raise: the opponent is all-in"),
        ("x-x", Action(CHECK), "nobody can act: the street is over: deal the next one"),
        ("b50-f", Action(CHECK), "nobody can act: the hand is over"),
    ],
)
def test_says_why_an_action_is_illegal(line: str, action: Action, reason: str) -> None:
    state = played(start(Rules.postflop(100, 300, FLOP)), *filter(None, line.split("-")))
    assert why_not(state, action) == reason


def test_a_street_cannot_be_dealt_before_it_is_over() -> None:
    with pytest.raises(InputError, match="not over"):
        start(NO_LIMIT).next_street()
    with pytest.raises(InputError, match="nobody has won"):
        start(NO_LIMIT).returns()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"stack": 9, "blinds": (10, 5)}, "too short"),
        ({"stack": 0}, "too short"),
        ({"stack": 100, "caps": (1, 2)}, "caps has 2 entries for 4 streets"),
        ({"stack": 100, "caps": (-1,) * 4}, "below zero"),
        ({"stack": 100, "fixed_bets": (0,) * 4}, "at least 1 chip"),
        ({"stack": 100, "first_street": RIVER, "last_street": FLOP}, "forwards"),
        ({"stack": 100, "pot": -1}, "negative"),
    ],
)
def test_rules_refuse_what_cannot_be_played(fields: dict, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Rules(**fields)


def test_returns_of_folds_wins_and_ties() -> None:
    river = start(Rules.postflop(100, 300, RIVER))
    assert played(river, "b50", "f").returns() == (100, 0)
    called = played(river, "b50", "c")
    assert called.returns(OOP) == (150, -50)
    assert called.returns(IP) == (-50, 150)
    assert called.returns() == (50, 50)
    assert played(start(NO_LIMIT), "r100", "f").returns() == (-10, 10)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    stack = draw(st.integers(10, 400))
    if draw(st.booleans()):
        return Rules.postflop(draw(st.integers(1, 100)), stack, draw(st.integers(FLOP, RIVER)))
    if draw(st.booleans()):
        return Rules.limit(stack, (4, 2), (4, 4, 8, 8), draw(st.tuples(*[st.integers(0, 4)] * 4)))
    return Rules.no_limit(stack, small_blind=2, big_blind=4, ante=draw(st.integers(0, 3)))


@given(rules(), st.integers(0, 2**32))
def test_random_hands_conserve_chips_and_keep_their_promises(rules: Rules, seed: int) -> None:
    dice = random.Random(seed)
    state = start(rules)
    while not state.over:
        if state.status == STREET_OVER:
            assert state.spent[0] == state.spent[1]
            assert state.behind(0) > 0
            state = state.next_street()
        legal = state.legal()
        options = [Action(k) for k, yes in ((FOLD, legal.fold), (CHECK, legal.check), (CALL, legal.call)) if yes]
        if legal.bet_or_raise:
            kind = RAISE if state.facing else BET
            options += [Action(kind, legal.smallest), Action(kind, dice.randint(legal.smallest, legal.largest))]
            assert not state.can(Action(kind, legal.smallest - 1))
            assert not state.can(Action(kind, legal.largest + 1))
        after = state.act(dice.choice(options))
        for player in (OOP, IP):
            assert after.behind(player) + after.spent[player] == rules.stack
            assert after.behind(player) >= 0
            assert after.spent[player] >= state.spent[player]
            assert after.bets[player] <= after.spent[player]
        assert after.spent[1 - state.player] == state.spent[1 - state.player]
        state = after
    winner = dice.choice((OOP, IP, NOBODY))
    assert sum(state.returns(winner)) == rules.pot
    if state.status != FOLDED:
        assert state.spent[0] == state.spent[1]


@pytest.mark.parametrize("stack", [10, 11, 15, 37, 120])
def test_short_no_limit_stacks_agree_with_openspiel(stack: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    text = (
        "universal_poker(betting=nolimit,bettingAbstraction=fullgame,blind=10 5,firstPlayer=2 1 1 1,"
        "numBoardCards=0 3 1 1,numHoleCards=2,numPlayers=2,numRanks=13,numRounds=4,numSuits=4,"
        f"stack={stack} {stack})"
    )
    game, rules = pyspiel.load_game(text), rules_of(text)
    for seed in range(40):
        dice, theirs, ours = random.Random(seed), game.new_initial_state(), start(rules)
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                theirs.apply_action(dice.choice([action for action, _ in theirs.chance_outcomes()]))
                continue
            if ours.status == STREET_OVER:
                ours = ours.next_street()
            legal, before = ours.legal(), ours.spent[ours.player] - ours.bets[ours.player]
            raises = range(legal.smallest + before, legal.largest + before + 1) if legal.bet_or_raise else ()
            assert theirs.current_player() == ours.player
            assert theirs.legal_actions() == [0] * legal.fold + [1] + list(raises)
            code = dice.choice(theirs.legal_actions())
            theirs.apply_action(code)
            ours = ours.act(action_of(ours, code, before))
        assert ours.over
        assert abs(theirs.returns()[0]) in (0, abs(ours.returns(OOP)[0]), abs(ours.returns(IP)[0]))
