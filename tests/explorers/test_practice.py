"""Practice against a solution: deals, grades and results that a person can check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.web import RIVER, TURN
from runout.cards.cards import card_name, cards
from runout.cards.evaluator import strength
from runout.cards.ranges import Range
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.view import Explorer, NodeView, Summary
from runout.errors import InputError
from runout.evaluation.opponents import named_policy
from runout.explorers import open_explorer
from runout.explorers.practice import (
    BY_FREQUENCY,
    BY_LOSS,
    GRADES,
    Drill,
    Practice,
    PracticeTable,
    grade_by_frequency,
    grade_of,
)
from runout.games.holdem import LimitHoldem
from runout.games.preflop import Preflop, push_fold_settings
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.run.preflop import solve_preflop
from runout.run.tabular import solve_game
from runout.solutions.reached import Reached


@pytest.fixture(scope="module")
def river() -> Explorer:
    return open_explorer(solve(Spot(**RIVER)))


@pytest.fixture(scope="module")
def turn() -> Explorer:
    return open_explorer(solve(Spot(**TURN)))


@pytest.fixture(scope="module")
def push_fold() -> Explorer:
    return open_explorer(solve_preflop(Preflop(**push_fold_settings(10)), target=1.0))


def play(practice: Practice, hands: int, pick: Callable[[PracticeTable], str]) -> list[PracticeTable]:
    """The ends of so many hands."""
    ends = []
    for _ in range(hands):
        table = practice.deal()
        while table.to_act == "you":
            table = practice.act(pick(table))
        ends.append(table)
    return ends


def best(practice: Practice) -> Callable[[PracticeTable], str]:
    """The action with the highest EV of the hand that is held."""

    def pick(table: PracticeTable) -> str:
        view = practice._at(table.line)
        hands = view.hands[view.players.index(table.seat)]
        row = hands.names.index(table.hand)
        return view.actions[int(np.argmax(hands.action_evs[:, row]))].token

    return pick


@given(st.floats(0, 1e4), st.floats(0.5, 1e4))
def test_grades_get_worse_as_more_is_lost(lost: float, pot: float) -> None:
    assert grade_of(0.0, pot) == "best"
    assert GRADES.index(grade_of(lost, pot)) <= GRADES.index(grade_of(lost * 2, pot))
    assert GRADES.index(grade_of(lost, pot)) >= GRADES.index(grade_of(lost, pot * 2))


def test_what_a_solution_is_not_sure_of_is_no_blunder() -> None:
    assert grade_of(0.9, 3.5) == grade_of(0.9, 3.5, accuracy=0.8) == "blunder"
    assert grade_of(0.9, 3.5, accuracy=0.95) == "inaccuracy"
    assert grade_of(0.01, 3.5, accuracy=0.95) == "correct"


def test_thresholds_are_in_order() -> None:
    assert [most for _, most in BY_LOSS] == sorted(most for _, most in BY_LOSS)
    assert [least for _, least in BY_FREQUENCY] == sorted((least for _, least in BY_FREQUENCY), reverse=True)
    assert grade_by_frequency(np.array([0.9, 0.1, 0.0]), 0) == "best"
    assert grade_by_frequency(np.array([0.5, 0.5]), 1) == "best"
    assert grade_by_frequency(np.array([0.9, 0.1, 0.0]), 2) == "blunder"


def test_a_seed_gives_the_same_hands(turn: Explorer) -> None:
    def last(table: PracticeTable) -> str:
        return table.actions[-1].token

    first, second, other = (play(Practice(turn, "oop", seed), 20, last) for seed in (3, 3, 4))
    assert first == second
    assert first != other


def test_best_play_loses_nothing(river: Explorer) -> None:
    practice = Practice(river, "ip", 1)
    ends = play(practice, 50, best(practice))
    assert ends[-1].score.ev_lost == 0
    assert ends[-1].score.by_grade["best"] == ends[-1].score.decisions > 0


def test_folding_the_best_hand_is_a_blunder(river: Explorer) -> None:
    practice = Practice(river, "ip", 5)
    for _ in range(300):
        table = practice.deal()
        tokens = [action.token for action in table.actions]
        if "f" in tokens and table.hand in ("JsJd", "JsJc", "JdJc"):  # a set, facing a bet
            table = practice.act("fold")
            assert table.last is not None
            assert table.last.grade == "blunder"
            assert table.last.ev_lost == pytest.approx(max(mix.ev or 0 for mix in table.last.mix), abs=1e-3)
            assert table.result is not None
            assert table.result.won == 0
            return
    pytest.fail("no such hand was dealt")


def test_hands_come_as_often_as_the_ranges_say(river: Explorer) -> None:
    """AKs and T9s have four combos each, but KQs and AQs in the other range block some AKs."""
    practice = Practice(river, "oop", 11)
    counts = Counter(practice.deal().hand for _ in range(3000))
    root = river.at("")
    weights = root.hands[0].weight * root.hands[0].met
    expected = dict(zip(root.hands[0].names, weights / weights.sum(), strict=True))
    assert set(counts) <= set(expected)
    for name, odds in expected.items():
        assert abs(counts[name] / 3000 - odds) < 5 * sqrt(odds * (1 - odds) / 3000)


def test_the_opponent_plays_the_mix_of_his_hand(river: Explorer) -> None:
    practice = Practice(river, "ip", 2)
    seen: Counter[bool] = Counter()
    for _ in range(2000):
        table = practice.deal()
        seen[table.history[0].action == "check"] += 1
    expected = river.at("").actions[0].frequency
    assert abs(seen[True] / 2000 - expected) < 5 * sqrt(max(expected * (1 - expected), 0.01) / 2000)


@pytest.mark.parametrize("seat", ["oop", "ip"])
def test_results_are_those_of_the_cards(turn: Explorer, seat: str) -> None:
    practice = Practice(turn, seat, 8)
    for table in play(practice, 60, lambda table: table.actions[min(1, len(table.actions) - 1)].token):
        assert table.result is not None
        assert table.result.won is not None
        own, other = cards(table.hand), cards(table.result.shown)
        board = cards("".join(table.result.board))
        assert len({*own, *other, *board}) == 4 + len(board)
        view = turn.at(table.line)
        assert view.stacks is not None
        paid = TURN["stack"] - view.stacks[view.players.index(seat)]
        if view.ending == "fold":
            assert table.result.won in (view.pot - paid, -paid)
            continue
        mine, theirs = strength([*own, *board]), strength([*other, *board])
        share = 0.5 if mine == theirs else float(mine > theirs)
        assert table.result.won == pytest.approx(share * view.pot - paid)


def test_winnings_add_up_to_the_ev(river: Explorer) -> None:
    """Best play over many hands wins what the solution expects of the range, within chance."""
    practice = Practice(river, "oop", 21)
    won = np.array([table.result.won for table in play(practice, 1500, best(practice)) if table.result is not None])
    evs = river.at("").evs
    assert evs is not None
    assert abs(won.mean() - evs[0]) < 5 * won.std() / sqrt(len(won)) + 0.5


def test_push_fold_by_classes(push_fold: Explorer) -> None:
    practice = Practice(push_fold, "SB", 4)
    for table in play(practice, 200, lambda table: table.actions[-1].token):
        assert table.result is not None
        assert table.result.won is not None
        assert -10 <= table.result.won <= 10
        if table.hand[0] == table.hand[2] == "A":
            assert table.last is not None
            assert table.last.grade == "best"  # all-in with aces
    for table in play(practice, 30, lambda table: table.actions[0].token):
        assert table.result is not None
        assert table.result.won == pytest.approx(-0.5)  # the small blind folded


class Policy:
    """A solution that knows no EVs."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer

    @property
    def summary(self) -> Summary:
        return self.explorer.summary

    def at(self, line: str) -> NodeView:
        view = self.explorer.at(line)
        hands = tuple(
            replace(one, action_evs=np.full_like(one.action_evs, np.nan), ev=np.full_like(one.ev, np.nan))
            for one in view.hands
        )
        return replace(view, hands=hands, evs=None)


def test_policies_grade_by_frequency(river: Explorer) -> None:
    practice = Practice(Policy(river), "oop", 3)
    for table in play(practice, 40, lambda table: table.actions[0].token):
        assert table.last is not None
        assert table.last.ev_lost is None
        most = max(mix.frequency for mix in table.last.mix)
        taken = next(mix.frequency for mix in table.last.mix if mix.token == table.last.action)
        assert (table.last.grade == "best") == (taken >= 0.999 * most)
    assert table.score.ev_lost is None


def test_short_decks_and_short_boards_are_run_out_as_they_are() -> None:
    game = LimitHoldem(num_streets=2, stack_depth=3, ranks=4, suits=3).game()
    explorer = open_explorer(PolicySolution(game, {}, named_policy("uniform"), Reached(unit="mbb/hand")))
    deck = {card_name(c) for c in game.deck}
    practice = Practice(explorer, "SB", 1)
    boards = []
    for table in play(practice, 60, lambda table: table.actions[-1].token):
        if table.to_act == "over" and table.result is not None and table.line.count("|") == 0:
            boards.append(table.result.board)
    run_out = [board for board in boards if board]
    assert run_out, "nobody was all-in before the flop"
    for board in run_out:
        assert len(board) == len(set(board)) == 3
        assert set(board) <= deck


def test_a_session_may_begin_at_any_node(turn: Explorer) -> None:
    practice = Practice(turn, "oop", 3, "x-x|Ah")
    table = practice.deal()
    assert table.board[-1] == "Ah"
    assert "Ah" not in table.hand
    assert Range(TURN["ranges"]["oop"]).weight(table.hand) > 0


def test_bad_input_is_named(river: Explorer) -> None:
    with pytest.raises(InputError, match="seat 'SB': use oop or ip"):
        Practice(river, "SB")
    with pytest.raises(InputError, match="over after 'x-x'"):
        Practice(river, line="x-x")
    with pytest.raises(InputError, match="hold'em"):
        Practice(open_explorer(solve_game("kuhn", iterations=10)))
    practice = Practice(river, "oop", 0)
    practice.deal()
    with pytest.raises(InputError, match="no action 'r7' here: use x"):
        practice.act("r7")


def test_a_drill_asks_for_what_it_says(turn: Explorer) -> None:
    drill = Drill(seat="oop", streets=("river",), hands="QQ+", close=True, single=True)
    practice = Practice(turn, seed=5, drill=drill)
    for _ in range(6):
        table = practice.deal()
        assert table.to_act == "you"
        assert turn.at(table.line).street == "river"
        assert table.hand[0] == table.hand[2]
        assert table.hand[0] in "QKA"
        hands = turn.at(table.line).hands[0]
        assert hands.strategy[:, hands.names.index(table.hand)].max() < 0.95
        after = practice.act(table.actions[0].token)
        assert after.to_act == "over"
        assert after.last is not None
        assert (after.last.hand, after.last.street, after.last.line) == (table.hand, "river", table.line)
    assert after.score.decisions == after.score.hands == 6
    with pytest.raises(InputError, match="no decisions on the 'flop' here: use turn, river"):
        Practice(turn, drill=Drill(streets=("flop",)))
    with pytest.raises(InputError, match="no hand of yours gets to 'the start'"):
        Practice(turn, drill=Drill(seat="oop", hands="72o")).deal()


def test_a_decision_is_dealt_again(turn: Explorer) -> None:
    practice = Practice(turn, seed=1)
    table = practice.deal_at("x", turn.at("x").hands[1].names[0])
    assert (table.line, table.seat, table.to_act) == ("x", "ip", "you")
    assert table.hand == turn.at("x").hands[1].names[0]
