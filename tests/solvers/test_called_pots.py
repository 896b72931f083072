"""Values of called pots: shares that add up, shifts that give every class its share, and pots of other trees."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from runout.cards.abstraction import AbstractionSettings
from runout.cards.cards import cards_text
from runout.cards.equity import equity
from runout.cards.equity169 import equity_table, pair_table
from runout.cards.evaluator import strengths
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, CLASSES, COMBO_CARDS, COMBO_CLASS, disjoint_combos
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.flop_choice import flop_choice
from runout.games.holdem import NoLimitHoldem
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.called_pots import CalledPot, called_pots, flop_luck, pair_shifts, preflop_strategy
from runout.solvers.preflop_leaves import Leaf
from runout.solvers.sampled_pots import sampled_lines
from runout.solvers.solved_leaf import SolvedLeaf, SolvedPot, pair_shares, pot_kind

BB, SB = 0, 1


@pytest.fixture(scope="module")
def checked_down() -> tuple[BlueprintSolver, list[CalledPot]]:
    """A game without bets after the flop, where a class must get its equity against the range that it meets."""
    game = NoLimitHoldem(stack_depth=10, bet_sizes=[], raise_sizes=[], preflop_raises=[[2.5]], all_in=False, max_bets=1)
    what = BlueprintGame.of(game.game(), AbstractionSettings(flop=1, turn=1, river=1))
    solver = BlueprintSolver(what, blueprint_schedule("auto"), 2, 5, threads=1)
    solver.step(4)
    return solver, called_pots(solver.policy(), sampled_lines(solver.policy(), 30))


def test_where_nobody_bets_shares_are_equities(checked_down: tuple[BlueprintSolver, list[CalledPot]]) -> None:
    _, pots = checked_down
    assert {(pot.line, pot.pot, pot.stack) for pot in pots} == {
        ("SBc BBx", 2.0, 9.0),
        ("SBc BBr2.5 SBc", 5.0, 7.5),
        ("SBr2.5 BBc", 5.0, 7.5),
    }
    for pot in pots:
        for player, meets in (
            (SB, pair_table() * pot.reach[BB][None, :]),
            (BB, (pair_table() * pot.reach[SB][:, None]).T),
        ):
            expected = (meets * equity_table()).sum(axis=1) / meets.sum(axis=1)
            np.testing.assert_allclose(pot.shares[player], expected, atol=2e-5)


@pytest.mark.parametrize("answers", [0, 2])
def test_luck_that_is_taken_out_is_what_boards_do_to_hands_that_are_checked_down(answers: int) -> None:
    """Values with and without it differ, hand by hand, by the mean of all boards less what these boards give."""
    game = NoLimitHoldem(stack_depth=10, bet_sizes=[0.66], preflop_raises=[[2.5]], all_in=False, max_bets=1)
    what = BlueprintGame.of(game.game(), AbstractionSettings(flop=1, turn=1, river=1))
    solver = BlueprintSolver(what, blueprint_schedule("auto"), 2, 5, threads=1, answers=answers)
    solver.buckets.averages[:] = np.random.default_rng(5).random(len(solver.buckets.averages))
    cards, flops = solver.draw(0)
    lines = [(pot.line, pot.reach) for pot in called_pots(solver.policy(), solver_lines(solver, cards, flops))]
    steady = solver_lines(solver, cards, flops)
    solver._checked = solver._checked._replace(half=np.zeros(0))
    drawn = solver_lines(solver, cards, flops)
    boards = (
        list(cards)
        if answers == 0
        else [
            np.array([*board[:4], river], np.uint8) for board in cards for river in range(52) if river not in board[:4]
        ]
    )
    scale = comb(52, 5) / comb(48, 5) / len(boards)  # boards are drawn before hands: fewer pairs than all meet on each
    for entry, (_, reach) in enumerate(lines):
        half = what.tree.streets[1].entry_pot[entry] / 2
        for player in (BB, SB):
            met = reach[1 - player][COMBO_CLASS]
            all_boards = (2 * equity_table() - 1) * pair_table() / CLASS_COMBOS[:, None] @ reach[1 - player]
            these = sum(scale * won_by_class(board, met) for board in boards)
            expected = drawn[player, entry] + half * (all_boards - these)
            np.testing.assert_allclose(steady[player, entry], expected, atol=1e-3 * half)


def solver_lines(solver: BlueprintSolver, cards: np.ndarray, flops: np.ndarray) -> np.ndarray:
    return np.stack([solver.line_values(player, cards, flops) for player in (BB, SB)])


def won_by_class(board: np.ndarray, met: np.ndarray) -> np.ndarray:
    """float64 [169]: wins less losses of a hand of each class, in the mean, against opponents float64 [1326]."""
    free = ~np.isin(COMBO_CARDS, board).any(axis=1)
    shown = np.concatenate([COMBO_CARDS[free], np.tile(board, (int(free.sum()), 1))], axis=1)
    strength = strengths(shown).astype(int)
    won = np.zeros(len(COMBO_CARDS))
    won[free] = (np.sign(strength[:, None] - strength) * disjoint_combos()[np.ix_(free, free)]) @ met[free]
    return np.bincount(COMBO_CLASS, won, CLASSES) / CLASS_COMBOS


def test_the_luck_of_flops_is_what_hands_win_there_beyond_their_equity() -> None:
    what = BlueprintGame.of(NoLimitHoldem(stack_depth=10).game(), AbstractionSettings(flop=1, turn=1, river=1))
    choice = flop_choice("2")
    found = flop_luck(choice, 1)
    scale = comb(52, 3) / comb(48, 3)  # flops are drawn before hands, so fewer pairs than all meet on each
    for one, two in (("AA", "76s"), ("K2o", "QJs")):
        total, at = 0.0, (CLASS_NAMES.index(one), CLASS_NAMES.index(two))
        for flop, share in zip(choice.flops, choice.shares, strict=True):
            board = what.abstraction.flops[flop]
            meets = scale * share * pairs(Range(one), Range(two), board)
            total += meets * (equity(one, two, board=cards_text(board)).equity[0] - 0.5)
        assert found[at] == pytest.approx(0.5 + total / pair_table()[at] - equity_table()[at], abs=1e-6)


def pairs(first: Range, second: Range, board: np.ndarray) -> float:
    """Pairs of hands that can be held together on a board, by weight."""
    free = ~np.isin(COMBO_CARDS, board).any(axis=1)
    return float((first.weights * free) @ disjoint_combos().astype(float) @ (second.weights * free))


def test_the_strategy_before_the_flop_adds_up(checked_down: tuple[BlueprintSolver, list[CalledPot]]) -> None:
    solver, _ = checked_down
    found, street = preflop_strategy(solver.policy()), solver.what.tree.streets[0]
    for node in range(street.nodes):
        rows = found[street.first_edge[node] : street.first_edge[node + 1]]
        np.testing.assert_allclose(rows.sum(axis=0), 1.0, atol=1e-6)


def test_shifts_give_every_class_its_share() -> None:
    random = np.random.default_rng(3)
    reach = random.random((2, CLASSES))
    truth = equity_table() + 0.1 * random.standard_normal((CLASSES, CLASSES))  # what pairs really get: any table
    sb, bb = pair_table() * reach[BB][None, :], pair_table() * reach[SB][:, None]
    shares = np.stack([((bb * (1 - truth)).sum(axis=0) / bb.sum(axis=0)), (sb * truth).sum(axis=1) / sb.sum(axis=1)])
    found = pair_shares(pair_shifts(CalledPot("SBr2.5 BBc", 5.0, 97.5, reach, shares)))
    np.testing.assert_allclose((sb * found).sum(axis=1) / sb.sum(axis=1), shares[SB], atol=1e-6)
    np.testing.assert_allclose((bb * (1 - found)).sum(axis=0) / bb.sum(axis=0), shares[BB], atol=1e-6)


def test_pots_of_other_trees_lie_between_the_nearest_of_their_kind() -> None:
    raised, limped = (1, "SB"), (0, "SB")
    shifts = [np.full((2, CLASSES), 0.0), np.full((2, CLASSES), 0.0)]
    shifts[0][SB], shifts[1][SB] = 0.1, 0.3
    model = SolvedLeaf([SolvedPot(raised, 2.0, shifts[0]), SolvedPot(raised, 8.0, shifts[1])])
    at = CLASS_NAMES.index("AKs"), CLASS_NAMES.index("QQ")
    for depth, shift in ((2.0, 0.1), (8.0, 0.3), (4.0, 0.2), (100.0, 0.3), (0.5, 0.1)):  # halfway in the logarithm
        share = model.shares(Leaf("SBr3 BBc", 5.0, 5.0 * depth))[at]
        assert share == pytest.approx(equity_table()[at] + shift)
    assert model.shares(Leaf("SBc BBx", 2.0, 4.0))[at] == pytest.approx(
        equity_table()[at] + 0.1
    )  # none limped: nearest
    assert pot_kind("SBc BBx") == limped
    assert pot_kind("SBr2.5 BBc") == raised
    assert pot_kind("SBc BBr3.5 SBc") == (1, "BB")
    assert pot_kind("SBr2.5 BBr10 SBa BBc") == (3, "SB")


def test_without_charts_the_model_says_what_is_missing() -> None:
    with pytest.raises(InputError, match="charts that come with Runout"):
        SolvedLeaf([]).shares(Leaf("SBr2.5 BBc", 5.0, 97.5))
