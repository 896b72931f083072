"""Best responses to policies: against the range engine, against a compiled game, and what sampling boards does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reference.dealt_holdem import DealtHoldem, strategy_of
from reference.holdem_policies import RandomTable
from reference.public_decisions import follow
from runout.cards.hands import COMBO_CARDS
from runout.errors import InputError
from runout.evaluation.asked_tree import asked_tree
from runout.evaluation.lbr import local_best_response
from runout.evaluation.match import play_match
from runout.evaluation.opponents import named_policy
from runout.evaluation.sampled_response import BoardResponse
from runout.games.boards import board_tree
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.tree import NO_PARENT, RUNOUT, build
from runout.solvers.auto import range_schedule
from runout.solvers.game_response import assess
from runout.solvers.ranges import RangeGame, RangeSolver

SMALL_FLOP = LimitHoldem(stack_depth=20, num_streets=2, ranks=4, suits=3, max_raises=(1, 1)).game()
DECK = tuple(range(20, 32))  # twelve cards, sevens to nines
ON_A_FLOP = replace(
    NoLimitHoldem(stack_depth=4, bet_sizes=(1.0,), max_raises_per_street=1, board="7c 8d 9h").game(), deck=DECK
)
# only bets on the river: a tree that a compiled game can hold
FOUR_STREETS = LimitHoldem(stack_depth=20, num_streets=4, ranks=3, suits=3, max_raises=(0, 0, 0, 1)).game()
POLICIES = [named_policy("uniform"), RandomTable(seed=2), RandomTable((1, 2, 3), seed=5, sparse=0.3)]


def loaded(game, policy) -> RangeSolver:
    """The range engine with the policy's strategy, mixtures averaged, in place of what it would learn."""
    deck = np.isin(COMBO_CARDS, game.deck).all(axis=1) & ~np.isin(COMBO_CARDS, game.board).any(axis=1)
    weights = np.stack([deck, deck]).astype(np.float64)
    tree = build(game.start(), game.menu)
    runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
    dealt = (1, 1) if game.board else (3,)
    boards = board_tree(game.board, weights, dealt, runouts, True, 1, game.deck)
    solver = RangeSolver(RangeGame(tree, boards, weights, lambda pot: 0.0), range_schedule("cfr"), threads=1)
    for index, street in enumerate(tree.streets):
        for node in range(street.nodes):
            line = path(tree, index, node)
            for board in range(len(boards[index].cards)):
                spot = follow(game, policy, boards[index].cards[board].tolist(), line)
                legal = np.flatnonzero(spot.batch.legal()[0])
                place, rows, count = solver._place(index, board, node)
                stored = np.zeros((rows.stop - rows.start, (place.stop - place.start) // (rows.stop - rows.start)))
                stored[:, :count] = spot.strategy[legal][:, solver.hands(int(street.player[node]), index, board)]
                solver.averages[place] = stored.ravel()
    return solver


def path(tree, index, node) -> list[int]:
    """Slots of the game that lead to a node."""
    game_slots: list[int] = []
    street = tree.streets[index]
    owner = street.edge_owner()
    while (slot := int(street.parent_edge[node])) != NO_PARENT:
        game_slots.append(meaning(street, slot))
        node = int(owner[slot])
    if index:
        before = tree.streets[index - 1]
        entry = street.entry_of(node)
        slot = next(s for s in np.flatnonzero(before.child_kind == 3) if before.child[s] == entry)
        return [
            *path(tree, index - 1, int(before.edge_owner()[slot])),
            meaning(before, int(slot)),
            *reversed(game_slots),
        ]
    return list(reversed(game_slots))


def meaning(street, slot) -> int:
    """The slot of a game with one bet size: fold 0, check or call 1, bet or raise 2, all-in 3."""
    return [0, 1, 1, 2, 2, 3][int(street.action[slot])]


@pytest.mark.parametrize("policy", POLICIES)
def test_two_streets_agree_with_the_range_engine(policy):
    solver = loaded(SMALL_FLOP, policy)
    response = BoardResponse(SMALL_FLOP, policy)
    found = response.measure(response.whole())
    assert found.method == "exact"
    assert found.exploitability.mean == pytest.approx(solver.exploitability() * 500, rel=1e-4)
    assert found.values[0] == pytest.approx(-found.values[1], abs=1e-6)
    assert found.gains[0].mean + found.gains[1].mean == pytest.approx(2 * found.exploitability.mean)


def test_three_streets_with_all_ins_agree_with_the_range_engine():
    policy = RandomTable((1, 2), seed=4)
    solver = loaded(ON_A_FLOP, policy)
    response = BoardResponse(ON_A_FLOP, policy)
    found = response.measure(response.whole())
    assert found.exploitability.mean == pytest.approx(solver.exploitability() * 10, rel=1e-4)


@pytest.mark.slow
def test_four_streets_agree_with_a_compiled_game():
    from runout.games.compiled import compile_game

    policy = RandomTable(seed=6)
    dealt = DealtHoldem(FOUR_STREETS)
    game = compile_game(dealt)
    truth = assess(game, strategy_of(game, dealt, policy))
    response = BoardResponse(FOUR_STREETS, policy)
    found = response.measure(response.whole())
    assert found.values[0] == pytest.approx(truth.value * 500, abs=1e-3)
    assert found.exploitability.mean == pytest.approx(truth.exploitability * 500, rel=1e-5)
    assert found.gains[0].mean == pytest.approx((truth.best_responses[0] - truth.value) * 500, rel=1e-4)


@pytest.mark.parametrize("game", [SMALL_FLOP, ON_A_FLOP])
def test_few_boards_err_upwards_and_fixed_strategies_not_at_all(game):
    policy = RandomTable(seed=9)
    whole = BoardResponse(game, policy)
    truth = whole.measure(whole.whole())
    gains, values = [], []
    for seed in range(24):
        response = BoardResponse(game, policy, seed)
        found = response.measure(response.plan(4), samples=2)
        gains.append(found.exploitability.mean)
        values.append(found.values[0])
    error = np.std(gains) / np.sqrt(24)
    assert np.mean(gains) > truth.exploitability.mean - 3 * error
    assert abs(np.mean(values) - truth.values[0]) < 4 * np.std(values) / np.sqrt(24)
    assert "upper bound" in found.says


def test_more_boards_come_closer():
    policy = RandomTable(seed=9)
    response = BoardResponse(ON_A_FLOP, policy)
    few, more = (response.measure(response.plan(count), samples=16).exploitability.mean for count in (1, 9))
    truth = response.measure(response.whole()).exploitability.mean
    assert truth < more < few


def test_local_best_response_stays_below_the_exact_one():
    for policy in POLICIES[:2]:
        response = BoardResponse(SMALL_FLOP, policy)
        best = response.measure(response.whole()).exploitability.mean
        local = local_best_response(SMALL_FLOP, policy, deals=300).exploitability
        assert local.low > 0
        assert local.mean < best + (local.high - local.mean)


def test_the_value_of_a_policy_is_what_it_wins_in_play():
    policy = RandomTable((2, 1), seed=3)
    response = BoardResponse(SMALL_FLOP, policy)
    truth = response.measure(response.whole()).values[0]
    other = RandomTable((2, 1), seed=3)
    won = play_match(SMALL_FLOP, policy, other, hands=40_000).by_seat[0][1]
    assert won.low - 20 < truth < won.high + 20


def test_a_policy_that_tells_suits_apart_is_not_symmetrised():
    class Clubs:
        weights = np.ones(1)

        def probabilities(self, batch, part):
            seats = batch.player.astype(np.int64)
            own = np.take_along_axis(batch.cards, 2 * seats[:, None] + np.arange(2), axis=1)
            odds = batch.legal() * np.where((own % 4 == 0).any(axis=1), 1.0, 2.0)[:, None] ** np.arange(3)
            return odds / odds.sum(axis=1, keepdims=True)

    assert len(BoardResponse(SMALL_FLOP, Clubs()).renamings) == 1
    assert len(BoardResponse(SMALL_FLOP, named_policy("uniform")).renamings) == 6


def test_trees_know_the_slots_of_their_game():
    tree = asked_tree(ON_A_FLOP)
    for street, batch in zip(tree.streets, tree.batches, strict=True):
        assert (batch.player == street.player).all()
        assert (batch.legal().sum(axis=1) == np.diff(street.first_edge)).all()
        for group in tree.groups(street.street - 1, 4):
            reached = np.zeros(group.size, int)
            for level in group.levels:
                for targets in level.targets:
                    reached[targets] += 1
            reached[group.roots] += 1
            assert (reached == 1).all()


def test_sizes_that_make_no_sense_or_take_hours_are_refused():
    response = BoardResponse(LimitHoldem().game(), named_policy("uniform"))
    with pytest.raises(InputError, match="eval_deals = 0"):
        response.plan(0)
    with pytest.raises(InputError, match="hours"):
        response.measure(response.plan(50_000_000))
    assert response.plan(8).deals == (2, 2, 2)
    assert response.plan(1).deals == (1, 1, 1)
    assert response.plan().seconds < response.plan(10_000).seconds
