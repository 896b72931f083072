"""One cursor for every kind of solution: closed forms, refusals, and numbers that belong to the node asked about."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from runout.cards.hands import CLASS_COMBOS, COMBO_CLASS, class_index
from runout.cursors.cursor import CHANCE, DECISION, TERMINAL, AnySolution
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError
from runout.evaluation.opponents import named_policy
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import NoLimitHoldem
from runout.games.preflop import Preflop
from runout.solutions.reached import Reached


@pytest.fixture(scope="module")
def chart() -> runout.PreflopSolution:
    return runout.solve_preflop(Preflop.push_fold(10))


@pytest.fixture(scope="module")
def standard() -> runout.PreflopSolution:
    return runout.solve_preflop(Preflop.preset("standard"), iterations=20)


@pytest.fixture(scope="module")
def flop() -> runout.FlopSolution:
    settings = FlopHoldem.of({"ranks": 4, "suits": 3, "max_raises": (2, 2), "solve": {"target": 20}})
    return runout.solve_flop_holdem(settings)


@pytest.fixture(scope="module")
def leduc() -> AnySolution:
    return runout.solve_game("leduc", iterations=200)


@pytest.fixture(scope="module")
def uniform() -> AnySolution:
    game = NoLimitHoldem(stack_depth=25).game()
    return PolicySolution(game, {}, named_policy("uniform"), Reached())


def test_the_end_of_betting_has_its_own_numbers(chart: runout.PreflopSolution) -> None:
    folded = chart.at("SBf")
    assert (folded.kind, folded.player, folded.ending) == (TERMINAL, None, "fold")
    assert (folded.actions, folded.frequencies, folded.percents) == ([], [], [])
    assert folded.ev("AA", "SB") == pytest.approx(-0.5)
    assert folded.evs == pytest.approx((0.5, -0.5))
    with pytest.raises(InputError, match="nobody acts after 'SBf'"):
        folded.strategy("AA")
    with pytest.raises(InputError, match="say which player is meant, 'BB' or 'SB'"):
        folded.ev("AA")


def test_a_called_pot_can_be_asked_about(standard: runout.PreflopSolution) -> None:
    called = standard.at("SBr2.5 BBc")
    assert called.ending == "flop"
    assert called.pot == 5
    assert called.ev("AA", "SB") > 0 > called.ev("72o", "SB")


@pytest.mark.parametrize("text", ["SBr2.5 BBr999", "SBr2.5 SBf", "SBr2.5 BBx", "r2.5 r999", "SBf BBx"])
def test_several_actions_are_all_played_or_refused(standard: runout.PreflopSolution, text: str) -> None:
    with pytest.raises(InputError) as refusal:
        standard.root.play(text)
    assert "\n" not in str(refusal.value)


def test_several_actions_at_once(standard: runout.PreflopSolution) -> None:
    node = standard.root.play("SBr2.5 BBr8")
    assert node.line == "SBr2.5 BBr8"
    assert node.back().line == "SBr2.5"
    assert node.back().back().back().line == ""


def test_hands_and_actions_before_the_flop(chart: runout.PreflopSolution) -> None:
    root = chart.root
    assert list(root.strategy("AKs")) == root.actions
    assert root.ev("76o", "all-in") == pytest.approx(root.action_evs("76o")[root.actions[1]])
    assert root.ev("76o", "fold") == pytest.approx(-0.5)
    assert root.ev("AhKh") == root.ev("AKs")
    suited, offsuit = root.ev("AKs"), root.ev("AKo")
    assert root.ev("AK") == pytest.approx((4 * suited + 12 * offsuit) / 16, abs=1e-3)
    with pytest.raises(InputError, match="unknown player 'r3': use 'BB' or 'SB', or an action: fold, all-in 10"):
        root.ev("AA", "r3")
    by_class = root.strategy(by="class")
    assert root.percents == pytest.approx((by_class @ CLASS_COMBOS / 1326 * 100).tolist())
    np.testing.assert_array_equal(root.strategy()[:, 0], by_class[:, COMBO_CLASS[0]])


def test_changing_what_was_handed_out_changes_no_solution(chart: runout.PreflopSolution) -> None:
    before = chart.policy.copy()
    for array in (chart.root.strategy(by="class"), chart.root.view.hands[1].strategy, chart.root.view.hands[1].weight):
        array[:] = 7
    np.testing.assert_array_equal(chart.policy, before)
    assert chart.root.reach().max() == 1


def test_flop_holdem_on_both_streets(flop: runout.FlopSolution) -> None:
    node = flop.root.play("SBr2").play("call")
    assert (node.kind, node.street, node.pot, len(node.deals)) == (CHANCE, "preflop", 4, 12)
    node = node.deal("4d 3h 2d").play("x")
    assert (node.line, node.player, node.kind) == ("SBr2 BBc|4d 3h 2d|x", "SB", DECISION)
    assert sum(node.evs) == pytest.approx(0, abs=1e-5)
    assert sum(node.strategy("5c5d").values()) == pytest.approx(1)
    paid = 2  # big blinds of each
    assert node.eqr("5c5d") == pytest.approx((node.ev("5c5d") + paid) / (node.equity("5c5d") * node.pot))
    assert np.isnan(node.ev("4d4c"))
    assert node.strategy(by="class").shape == (2, 169)
    assert [one.line for one in flop.nodes("SBc")] == ["SBc", "SBc BBr2", "SBc BBr2 SBr3"]


def test_small_games_list_their_hands(leduc: AnySolution) -> None:
    node = leduc.at("b2-c").deal("K").play("check")
    assert (node.line, node.street, node.board) == ("b2-c|K|x", "round 2", ["K"])
    assert sum(node.strategy("K").values()) == pytest.approx(1)
    assert node.strategy().shape == (2, 3)
    assert np.isnan(node.equities).all()
    with pytest.raises(InputError, match="unknown hand 'A': use K, Q, J"):
        node.ev("A")
    with pytest.raises(InputError, match="there is no range"):
        node.range()


def test_policies_have_strategies_and_equities_but_no_evs(uniform: AnySolution) -> None:
    node = uniform.at("SBr2 BBc|Qs Jh 2h|x")
    assert node.strategy("AsAh") == pytest.approx(dict.fromkeys(node.actions, 1 / len(node.actions)))
    assert np.isnan(node.evs).all()
    assert np.isnan(node.ev("AsAh"))
    assert set(map(np.isnan, node.action_evs("AsAh").values())) == {True}
    assert node.equity("QhQd") > 0.9
    assert node.range().weights[0] == pytest.approx(0.2)


def test_every_class_is_the_mean_of_its_combos(flop: runout.FlopSolution) -> None:
    node = flop.at("SBr2 BBc|4d 3h 2d|x")
    weights, ev = node.weights(), node.ev()
    for name in ("55", "54o", "52s"):
        own = (class_index(name) == COMBO_CLASS) & ~np.isnan(ev)
        assert node.ev(name) == pytest.approx(ev[own] @ weights[own] / weights[own].sum())
        assert node.ev(by="class")[class_index(name)] == pytest.approx(node.ev(name))
