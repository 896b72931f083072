"""Flop Hold'em: reduced decks against OpenSpiel's `universal_poker`, and what must hold of every deck."""

from __future__ import annotations

from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest

from reference.universal_poker import UniversalPoker, compiled, skewed, strategy_of, taught, teach, uniform
from runout.cursors.flop_solution import FlopSolution, load_flop_holdem
from runout.errors import InputError, MemoryRefused, SolutionError
from runout.games.compiled import CompiledGame
from runout.games.flop_holdem import FlopHoldem, FlopSolve
from runout.run.flop_holdem import solve_flop_holdem
from runout.run.tabular import solve_game
from runout.solutions.reached import Reached
from runout.solvers.auto import range_schedule
from runout.solvers.game_response import assess
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import AVERAGE, BEST_RESPONSE, RangeSolver, range_game

GAMES = {
    "one suit": FlopHoldem(ranks=7, suits=1, max_raises=(1, 1)),  # flushes and straight flushes
    "two suits": FlopHoldem(ranks=4, suits=2, max_raises=(1, 2), bets=(2, 4)),
    "three suits": FlopHoldem(ranks=3, suits=3, max_raises=(1, 1)),
    "four suits": FlopHoldem(ranks=2, suits=4, max_raises=(1, 1), small_blind=0, big_blind=3, bets=(3, 5)),
}


@cache
def theirs(name: str) -> CompiledGame:
    return compiled(GAMES[name])


def fresh(game: FlopHoldem, iterations: int = 0, isomorphism: bool = True, threads: int = 1) -> FlopSolution:
    schedule = range_schedule("auto")
    solver = RangeSolver(range_game(game, isomorphism), schedule, threads, game.solve.storage)
    solver.step(iterations)
    return FlopSolution(game, solver, Reached(iterations, algorithm=str(schedule)))


def test_openspiel_does_not_tell_the_order_of_cards_apart() -> None:
    """So dealing a hand and a flop at once, as the reference does, leaves OpenSpiel's game as it is."""
    game = UniversalPoker(GAMES["two suits"]).game
    seen = []
    for deal in ((0, 3, 1, 5), (3, 0, 5, 1)):
        for flop in ((2, 4, 7), (7, 2, 4)):
            state = game.new_initial_state()
            for action in (*deal, 1, 1, *flop):
                state.apply_action(action)
            seen.append([state.information_state_string(player) for player in range(2)])
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("policy", [uniform, skewed])
@pytest.mark.parametrize("name", GAMES)
def test_a_fixed_policy_is_worth_and_loses_what_openspiel_says(name: str, policy: object) -> None:
    """Chips; float32 sums over small decks keep 1e-6."""
    expected = assess(theirs(name), strategy_of(theirs(name), policy))
    solution = fresh(GAMES[name])
    teach(solution.solver, policy)
    found = solution.assess()
    assert found.values[0] == pytest.approx(expected.value, abs=1e-6)
    assert np.add(found.values, found.gains) == pytest.approx(expected.best_responses, abs=2e-6)
    assert found.exploitability == pytest.approx(expected.exploitability, abs=1e-6)
    assert solution.solver.exploitability() == pytest.approx(expected.exploitability, abs=1e-6)
    assert expected.exploitability > 0.1


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_worth_what_it_is_in_openspiel(name: str) -> None:
    exact = solve_game(theirs(name), "dcfr", 5000)
    found = fresh(GAMES[name], 5000).assess()
    assert exact.exploitability < 3e-5
    assert found.exploitability < 3e-5
    assert found.values[0] == pytest.approx(exact.value, abs=1e-6)
    assert sum(found.values) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", ["two suits", "three suits"])
def test_what_was_learnt_is_as_good_in_openspiel(name: str) -> None:
    """The solver's own strategy, played in OpenSpiel's game, has the exploitability that the solver claims."""
    solution = fresh(GAMES[name], 100, isomorphism=False)
    found = solution.assess()
    expected = assess(theirs(name), strategy_of(theirs(name), taught(solution.solver)))
    assert found.exploitability == pytest.approx(expected.exploitability, abs=1e-6)
    assert found.values[0] == pytest.approx(expected.value, abs=1e-6)


def test_suits_that_are_alike_change_nothing() -> None:
    game = FlopHoldem(ranks=3, suits=4)
    whole, folded = (fresh(game, 0, isomorphism) for isomorphism in (False, True))
    assert len(folded.solver.game.boards[1].cards) < len(whole.solver.game.boards[1].cards) / 5
    for policy in (uniform, skewed):
        for solution in (whole, folded):
            teach(solution.solver, policy)
        assert folded.assess().values == pytest.approx(whole.assess().values, abs=2e-6)
        assert folded.assess().gains == pytest.approx(whole.assess().gains, abs=4e-6)
        for player, mode in ((0, AVERAGE), (1, AVERAGE), (0, BEST_RESPONSE), (1, BEST_RESPONSE)):
            hands = [solution.solver.values(player, mode) for solution in (whole, folded)]
            assert hands[1] == pytest.approx(hands[0], abs=1e-4)


def test_one_step_of_learning_is_the_same_with_suits_told_apart() -> None:
    """Later steps differ where rounding decides ties."""
    whole, folded = (fresh(FlopHoldem(ranks=3, suits=4), 1, isomorphism) for isomorphism in (False, True))
    for node in range(folded.solver.game.tree.streets[0].nodes):
        assert folded.solver.strategy(0, 0, node) == pytest.approx(whole.solver.strategy(0, 0, node), abs=1e-5)


def test_a_short_stack_is_all_in_on_the_flop() -> None:
    """OpenSpiel's limit games have no stacks; caps that bind at the same chips are the same game."""
    short = fresh(FlopHoldem(ranks=4, suits=2, max_raises=(1, 3), stack=6))
    capped = fresh(FlopHoldem(ranks=4, suits=2, max_raises=(1, 1)))
    deeper = fresh(FlopHoldem(ranks=4, suits=2, max_raises=(1, 3)))
    entries = [s.solver.game.tree.streets[1].entry_pot.tolist() for s in (short, capped)]
    assert entries[0] == entries[1]
    assert max(int(s.contribution.max()) for s in short.solver.game.tree.streets) == 6
    values = []
    for solution in (short, deeper):
        teach(solution.solver, uniform)
        assert sum(solution.assess().values) == pytest.approx(0, abs=1e-6)
        values.append(solution.assess().values[0])
    assert values[0] != pytest.approx(values[1], abs=1e-3)


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("policy", [uniform, skewed])
def test_values_add_up_to_zero(policy: object, storage: str) -> None:
    solution = fresh(FlopHoldem(ranks=4, suits=4, solve=FlopSolve(storage=storage)))
    if storage == "float32":
        teach(solution.solver, policy)
    for _ in range(3):
        values = solution.assess().values
        assert sum(values) == pytest.approx(0, abs=1e-5)
        assert abs(values[0]) > 1e-3
        solution.solver.step(5)


def test_without_bets_only_the_blinds_are_won() -> None:
    """Nobody can raise: calling half a blind more with every hand is right, and the value is nothing by symmetry."""
    solution = fresh(FlopHoldem(ranks=6, suits=3, max_raises=(0, 0)), 200)
    found = solution.assess()
    opening = solution.at("")
    assert found.values[1] >= -1e-4
    assert opening.actions == ["fold", "call"]
    called = opening.strategy()[1][opening.reach() > 0]
    assert (called > 0.5).mean() > 0.9


def test_threads_change_nothing() -> None:
    game = FlopHoldem(ranks=4, suits=4)
    one, two = fresh(game, 15, threads=1), fresh(game, 15, threads=2)
    assert np.array_equal(one.solver.averages, two.solver.averages)
    assert one.solver.exploitability() == two.solver.exploitability()


def test_int16_goes_as_far_as_float32() -> None:
    settings = {"ranks": 4, "suits": 3}
    packed = fresh(FlopHoldem(**settings, solve=FlopSolve(storage="int16")), 200)
    plain = fresh(FlopHoldem(**settings), 200)
    assert packed.memory < 0.6 * plain.memory
    assert packed.assess().exploitability < 2 * plain.assess().exploitability + 1e-3
    assert packed.assess().values == pytest.approx(plain.assess().values, abs=2e-3)


def test_preflop_decisions() -> None:
    solution = fresh(FlopHoldem(ranks=4, suits=3), 300)
    nodes = {node.line: node for node in solution.nodes()}
    assert list(nodes) == [
        "", "SBc", "SBc BBr2", "SBc BBr2 SBr3", "SBc BBr2 SBr3 BBr4", "SBr2", "SBr2 BBr3", "SBr2 BBr3 SBr4",
    ]  # fmt: skip
    opening = nodes[""]
    assert opening.player == "SB"
    assert sum(opening.frequencies) == pytest.approx(1)
    held = opening.reach() > 0
    assert held.sum() == comb(12, 2)
    assert opening.strategy()[:, held].sum(axis=0) == pytest.approx(1)
    assert np.isnan(opening.strategy()[:, ~held]).all()
    assert (~np.isnan(opening.strategy(by="class")[0])).sum() == 4 + 6 + 6  # pairs, suited, offsuit
    facing = nodes["SBc BBr2"]
    assert facing.player == "SB"
    assert facing.reach()[held] == pytest.approx(opening.strategy()[1, held])
    assert solution.at("sbc  bbR2").line == "SBc BBr2"
    with pytest.raises(InputError, match="'SBx' is not possible: cannot check"):
        solution.at("SBx")


def test_a_resumed_solve_ends_where_one_in_one_piece_does(tmp_path: Path) -> None:
    game = FlopHoldem(ranks=3, suits=3, solve=FlopSolve(iterations=30, target=0, threads=1))
    whole = solve_flop_holdem(game)
    half = game.model_copy(update={"solve": FlopSolve(iterations=13, target=0, threads=1)})
    solve_flop_holdem(half, output=tmp_path / "half")
    resumed = solve_flop_holdem(game, resume=tmp_path / "half")
    assert resumed.iterations == whole.iterations == 30
    assert np.array_equal(resumed.solver.averages, whole.solver.averages)
    assert resumed.curve[-1] == whole.curve[-1]
    assert [t for t, _ in resumed.curve] == [10, 13, 20, 30]
    with pytest.raises(InputError, match="of another game: its ranks is 3, not 4"):
        solve_flop_holdem(FlopHoldem(ranks=4, suits=3), resume=tmp_path / "half")
    with pytest.raises(InputError, match="cannot resume with int16"):
        solve_flop_holdem(FlopHoldem(ranks=3, suits=3, solve=FlopSolve(storage="int16")), resume=tmp_path / "half")
    with pytest.raises(InputError, match=r"cannot resume with cfr\+"):
        solve_flop_holdem(FlopHoldem(ranks=3, suits=3, solve=FlopSolve(algorithm="cfr+")), resume=tmp_path / "half")


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    solve_flop_holdem(FlopHoldem(ranks=3, suits=3, solve=FlopSolve(iterations=1)), output=tmp_path / "one")
    np.save(tmp_path / "one" / "regrets.npy", np.zeros(3, np.float32))
    with pytest.raises(SolutionError, match="damaged"):
        load_flop_holdem(tmp_path / "one")


def test_memory_of_the_full_deck_is_known_before_it_is_taken() -> None:
    game = range_game(FlopHoldem())
    needs = estimate(game.tree, game.boards)
    assert needs.bytes("float32") < 2.5e9
    assert needs.bytes("int16") < 1.3e9
    with pytest.raises(MemoryRefused, match=r"flop takes 2\.3 GB"):
        needs.require("float32", available=1_000_000_000)
