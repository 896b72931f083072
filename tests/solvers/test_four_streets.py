"""The range engine from preflop to river with storage for each hand: against the slow twin and against OpenSpiel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from reference.postflop import Postflop, WholeHand
from reference.postflop_policy import AveragePolicy
from reference.universal_poker import Policy, compiled, skewed, strategy_of, teach, uniform
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS
from runout.cards.ranges import Range
from runout.cursors.flop_solution import FlopSolution
from runout.cursors.view import extended
from runout.explorers.ranges import RangeExplorer
from runout.games.betting import BET, CALL, CHECK, FOLD, RAISE, Action, BettingState, Rules, start
from runout.games.boards import board_tree
from runout.games.compiled import CompiledGame
from runout.games.holdem import LimitHoldem
from runout.games.tree import RUNOUT, build
from runout.run.tabular import solve_game
from runout.solutions.reached import Reached
from runout.solvers.auto import range_schedule
from runout.solvers.game_response import assess
from runout.solvers.ranges import AVERAGE, BEST_RESPONSE, RangeGame, RangeSolver


class OneSize:
    """Fold, call or check, and bets and raises of the smallest size or of given shares of the pot."""

    def __init__(self, *shares: float) -> None:
        self.shares = shares

    def menu(self, state: BettingState) -> list[Action]:
        legal = state.legal()
        found = [Action(FOLD), Action(CALL)] if legal.call else [Action(CHECK)]
        if legal.bet_or_raise:
            wanted = [state.facing + round(share * (state.pot + state.to_call)) for share in self.shares] or [0]
            totals = sorted({min(max(total, legal.smallest), legal.largest) for total in wanted})
            found += [Action(RAISE if state.facing else BET, total) for total in totals]
        return [state.verify(action) for action in found]


def range_solver(hand: WholeHand, isomorphism: bool = True, threads: int = 1) -> RangeSolver:
    """A solver with a number for each hand on each board of each street."""
    tree = build(start(hand.rules()), hand.menu, wording=hand.wording).with_streets(4)
    runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
    boards = board_tree((), hand.weights, hand.deals, runouts, isomorphism, threads, hand.deck)
    game = RangeGame(tree, boards, hand.weights, hand.rake.of)
    return RangeSolver(game, range_schedule("auto"), threads)


def deck(ranks: int, suits: int) -> tuple[int, ...]:
    return tuple(4 * rank + suit for rank in range(ranks) for suit in range(suits))


def no_limit(first: str, second: str, stack: int, caps: tuple[int, ...]) -> WholeHand:
    """Nine cards, blinds 1 and 2, bets of half the pot, at most so many bets and raises on each street."""
    held = deck(3, 3)
    inside = np.isin(COMBO_CARDS, held).all(axis=1)
    weights = np.stack([Range(text).weights * inside for text in (first, second)])
    return WholeHand(Rules.no_limit(stack, 1, 2, caps=caps), OneSize(0.5).menu, weights, held)


HANDS = {
    "bets before the flop and on the river": no_limit("4c3c,2c2d:0.5", "4d4h,3d2d:0.3", 14, (1, 0, 0, 1)),
    "all-in before the flop": no_limit("4c4d,3c2c", "4h3h,2d2h:0.7", 5, (2, 0, 0, 0)),
    "bets on the flop and the turn": no_limit("4c3c,3d2d,4d2c", "4h3h,4d3d:0.3", 14, (0, 1, 1, 0)),
    "suits alike": no_limit("44,32s:0.4", "43s,22", 14, (1, 0, 0, 1)),
}
LONG = {"bets on the flop and the turn", "suits alike"}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in HANDS])
def test_values_and_best_responses_equal_the_slow_twins(name: str) -> None:
    """To 1e-5 of the largest pot for each hand of the opponent."""
    hand = HANDS[name]
    solver, slow = range_solver(hand), Postflop(hand)
    solver.step(6)
    policy, largest, gains = AveragePolicy(solver), 2 * hand.rules().stack, 0.0
    for player in range(2):
        combos, scale = solver.hands(player, 0, 0), largest * sum(slow.ranges[1 - player].values())
        for mode, twin in ((AVERAGE, slow.hand_values), (BEST_RESPONSE, slow.best_values)):
            expected = twin(player, (policy, policy))
            assert sorted(expected) == sorted(combos)
            found = solver.values(player, mode) / scale
            assert found == pytest.approx([expected[int(c)] / scale for c in combos], abs=1e-5)
            gains += slow.mean(player, expected) * (1 if mode == BEST_RESPONSE else -1)
    assert solver.exploitability() == pytest.approx(gains / 2, abs=1e-5 * largest)
    assert gains >= 0


def test_threads_and_suits_do_not_change_the_result() -> None:
    hand = HANDS["suits alike"]
    one, two, plain = range_solver(hand), range_solver(hand, threads=2), range_solver(hand, isomorphism=False)
    for solver in (one, two, plain):
        solver.step(30)
    assert np.array_equal(one.regrets, two.regrets)
    assert np.array_equal(one.averages, two.averages)
    assert len(one.game.boards[3].cards) < len(plain.game.boards[3].cards)
    assert one.exploitability() == pytest.approx(plain.exploitability(), abs=2e-4)
    assert 0 <= one.exploitability() < 0.1


@dataclass(frozen=True)
class LimitToy:
    """Limit betting on four streets, a card before each but the first: hands are shown with three on the board."""

    ranks: int
    suits: int
    caps: tuple[int, ...]
    bets: tuple[int, ...] = (2, 2, 4, 4)

    def rules(self) -> Rules:
        return Rules.limit(40, (2, 1), self.bets, self.caps)


TOYS = {
    "one suit": LimitToy(7, 1, (1, 0, 1, 1)),
    "two suits": LimitToy(4, 2, (1, 0, 0, 1), (2, 2, 2, 4)),
}
EVERY_TOY = ["one suit", pytest.param("two suits", marks=pytest.mark.slow)]  # half a million histories
DEALS = (1, 1, 1)


@cache
def theirs(name: str) -> CompiledGame:
    return compiled(TOYS[name], DEALS)


def ours(name: str) -> RangeSolver:
    toy = TOYS[name]
    held = deck(toy.ranks, toy.suits)
    inside = np.isin(COMBO_CARDS, held).all(axis=1).astype(np.float64)
    return range_solver(WholeHand(toy.rules(), OneSize().menu, np.stack([inside, inside]), held, DEALS))


def root_value(solver: RangeSolver, player: int, mode: int) -> float:
    own = solver.game.weights[player][solver.hands(player, 0, 0)]
    return float(own @ solver.values(player, mode)) / solver.deals


@pytest.mark.parametrize("policy", [uniform, skewed])
@pytest.mark.parametrize("name", EVERY_TOY)
def test_a_fixed_policy_is_worth_and_loses_what_openspiel_says(name: str, policy: Policy) -> None:
    expected = assess(theirs(name), strategy_of(theirs(name), policy))
    solver = ours(name)
    teach(solver, policy)
    assert root_value(solver, 0, AVERAGE) == pytest.approx(expected.value, abs=1e-6)
    best = [root_value(solver, player, BEST_RESPONSE) for player in range(2)]
    assert best == pytest.approx(expected.best_responses, abs=2e-6)
    assert expected.exploitability > 0.1


def test_the_game_is_worth_what_it_is_in_openspiel() -> None:
    exact = solve_game(theirs("one suit"), "dcfr", 2000)
    solver = ours("one suit")
    solver.step(2000)
    assert exact.exploitability < 1e-3
    assert 0 <= solver.exploitability() < 1e-3
    assert root_value(solver, 0, AVERAGE) == pytest.approx(exact.value, abs=1e-3)


def test_a_card_of_the_deck_is_dealt_once() -> None:
    solver = range_solver(HANDS["suits alike"], isomorphism=False)
    for street in solver.game.boards[1:]:
        assert all(len(set(row)) == len(row) for row in street.cards.tolist())
    assert set(solver.game.boards[3].cards.ravel().tolist()) == set(cards("2c2d2h3c3d3h4c4d4h"))


def test_views_of_all_four_streets_agree_with_each_other() -> None:
    """What an action is worth is what the node after it is worth; both players' EVs add up to zero everywhere."""
    settings = LimitHoldem(ranks=3, suits=3, stack_depth=30, max_bets=(1, 1, 1, 1))
    solver = RangeSolver(RangeGame.of(settings), range_schedule("auto"))
    solver.step(20)
    explorer = RangeExplorer(FlopSolution(settings, solver, Reached(unit="mbb/hand")))
    root = explorer.at("")
    assert root.evs == pytest.approx([root_value(solver, player, AVERAGE) / 2 for player in range(2)], abs=1e-5)
    for line in ("", "SBc", "SBc BBx|2h 3c 4d", "SBr2 BBc|2c 3d 4d|x", "SBr2 BBc|2c 3d 4d|x-x|2d|b2-c|4h|x"):
        view = explorer.at(line)
        assert sum(view.evs or ()) == pytest.approx(0, abs=1e-4)
        actor = view.hands[view.players.index(str(view.player))]
        assert actor.strategy.sum(axis=0) == pytest.approx(1)
        assert (actor.strategy * actor.action_evs).sum(axis=0) == pytest.approx(actor.ev, abs=1e-4, nan_ok=True)
        for number, action in enumerate(view.actions):
            after = explorer.at(extended(view, action.token))
            hands = after.hands[view.players.index(actor.player)]
            assert hands.ev == pytest.approx(actor.action_evs[number], abs=1e-4, nan_ok=True)
