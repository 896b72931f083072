"""Subgames solved anew: what a place of a tree is worth, by the full-width engine, and that nothing is lost by it."""

from __future__ import annotations

import numpy as np
import pytest

from reference.resolved_play import entries_of, solved_anew
from runout.cards.abstraction import AbstractionSettings
from runout.games.holdem import LimitHoldem
from runout.kernels.gadget import MAX_MARGIN, NO_GADGET, RE_SOLVE
from runout.kernels.lines import BEST_RESPONSE
from runout.solvers.auto import blueprint_schedule, range_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.bot import BotSettings
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.subgames import GADGETS, BlueprintKnown, Place, Subgame, alternatives, below, play_as

GAME = LimitHoldem(num_streets=2, ranks=3, suits=3, stack_depth=20, max_bets=(2, 2)).game()
CHIP = 1 / 1000  # of a hand: float32 sums over all hands


def trained(seed: int, iterations: int, flop: int | str = "lossless") -> BlueprintPolicy:
    settings = AbstractionSettings.model_validate({"flop": flop, "turn": 1, "river": 1})
    solver = BlueprintSolver(BlueprintGame.of(GAME, settings), blueprint_schedule("auto"), 8, 20, seed, 1)
    solver.step(iterations)
    return solver.policy()


def test_staying_out_is_worth_what_a_best_response_gets_in_the_whole_game() -> None:
    policy = trained(1, 6)
    known = BlueprintKnown(policy)
    full = RangeSolver(RangeGame.of(GAME, threads=1), range_schedule("auto"), 1)
    for player in range(2):
        play_as(full, known, Place(0, 0), player)
    reach, states = entries_of(full)
    last = full.game.tree.streets[1]
    for player in range(2):
        other = 1 - player
        full.values(other, BEST_RESPONSE)
        game = full._arrays
        for entry, board in ((0, 0), (2, 5), (last.entries - 1, 11)):
            cards = tuple(int(card) for card in full.game.boards[1].cards[board])
            subgame = Subgame(GAME, states[entry], cards, reach[entry], player)
            weights, tree = subgame.weights(), subgame.tree()
            found = alternatives(
                subgame.range_game(tree, weights), known, Place(1, int(last.entry_node[entry])), player
            )
            table = full.boards[1]
            stride, count = int(table.stride[other, board]), int(table.count[other, board])
            at = int(game.out_first[other, board]) + entry * stride
            expected = dict(zip(table.combos(other, board).tolist(), game.out[at : at + count], strict=True))
            scale = reach[entry][player].max()  # a subgame counts with the most likely hand at 1
            own = np.flatnonzero(weights[other])
            order = subgame.range_game(tree, weights).boards[0].tables.combos(other, 0)
            assert sorted(own) == sorted(order)
            wanted = [expected[combo] for combo in order.tolist()]
            assert found * scale == pytest.approx(wanted, rel=1e-3, abs=1e-3 * float(np.abs(wanted).max()))


def test_a_part_of_another_tree_is_refused() -> None:
    policy = trained(1, 1)
    whole = policy.what.tree
    with pytest.raises(ValueError, match="not built from that place"):
        below(whole, Place(0, 1), whole)


@pytest.mark.parametrize(("gadget", "trust"), [(RE_SOLVE, 0.0), (MAX_MARGIN, 0.0), (MAX_MARGIN, 0.7)])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))])
@pytest.mark.parametrize(
    ("iterations", "flop"), [(6, "lossless"), pytest.param(200, 8, marks=pytest.mark.slow)], ids=["early", "buckets"]
)
def test_play_that_was_solved_anew_loses_no_more_than_the_blueprint(
    gadget: int, trust: float, seed: int, iterations: int, flop: int | str
) -> None:
    """But for what solving leaves open: by how much some hand of the opponent gets more than staying out is worth."""
    enough = 150 if flop == "lossless" else 600  # ranges of coarse buckets take longer to settle
    found = solved_anew(trained(seed, iterations, flop), gadget, enough, trust)
    assert found.after <= found.before + found.left_open + CHIP
    if trust == 0:
        assert found.left_open < 0.05 * found.before + 20 * CHIP
    else:  # how a bot plays unless it is told: hands may gain, but the whole did not lose in any game that was measured
        assert found.after < found.before


def test_the_usual_bot_is_the_one_that_was_measured() -> None:
    usual = BotSettings()
    assert (GADGETS[usual.gadget], usual.trust) == (MAX_MARGIN, 0.7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_without_a_gadget_play_can_come_to_lose_more(seed: int) -> None:
    """Unsafe solving takes the opponent's range as given: the opponent need not have it."""
    policy = trained(seed, 200, 8)
    unsafe, safe = (solved_anew(policy, gadget, 100) for gadget in (NO_GADGET, MAX_MARGIN))
    assert unsafe.after > 1.2 * unsafe.before
    assert safe.after < 0.9 * safe.before
