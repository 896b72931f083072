"""The no-limit flop game: run-outs after the last street, flops that stand for all, its values as a leaf model."""

from __future__ import annotations

import numpy as np
import pytest

from reference.spots import spot
from runout.cards.equity169 import equity_table
from runout.cards.hands import CLASS_COMBOS, COMBO_CLASS, disjoint_combos
from runout.cards.suits import canonical_boards
from runout.cursors.flop_solution import FlopSolution
from runout.errors import InputError, MemoryRefused
from runout.games.betting import TURN, Rules, start
from runout.games.boards import BoardStreet, board_tree, with_run_outs
from runout.games.flop_game import FlopGame
from runout.games.flop_set import chosen_flops, flop_set
from runout.games.preflop import Preflop
from runout.games.tree import TO_CHANCE, TO_NODE, build
from runout.run.flop_holdem import solve_flop_holdem
from runout.solvers.auto import range_schedule
from runout.solvers.flop_game_leaf import FlopGameLeaf
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.preflop_leaves import Leaf
from runout.solvers.ranges import RangeGame, RangeSolver, range_game

SIZES = {"flop": {"bet": "a"}, "turn": {"bet": "50%, a", "raise": "60%"}, "river": {}}


def test_running_out_after_the_last_street_is_the_next_one_without_bets() -> None:
    """Flop and turn betting, then a river that is checked down: as three streets, and as two with run-outs."""
    whole = spot("Ks8h3d", "AA,KQs,T9s:0.5,7h6h", "KK,QQ,A5s,T9s,7d6d:0.1", 20, 60, SIZES)
    three = RangeGame.of(whole)
    rules = Rules(stack=60, pot=20, first_street=whole.street, last_street=TURN)
    tree = build(start(rules), whole.menu)
    flop, turns = board_tree(whole.cards, three.weights, (1,), (True,))
    tables = with_run_outs(turns.tables, turns.cards, np.setdiff1d(np.arange(52), whole.cards), 1)
    two = RangeGame(
        tree, [flop, BoardStreet(turns.cards, turns.parent, turns.copies, tables)], three.weights, three.rake
    )
    solvers = [RangeSolver(game, range_schedule("auto"), 1) for game in (three, two)]
    for steps in (0, 1, 10):
        for solver in solvers:
            solver.step(steps)
        for player in range(2):
            for mode in (1, 2):
                expected, found = (solver.values(player, mode) for solver in solvers)
                assert found == pytest.approx(expected, abs=2e-3)
        assert solvers[1].exploitability() == pytest.approx(solvers[0].exploitability(), abs=1e-3)


@pytest.mark.parametrize("count", [25, 60, 150])
def test_chosen_flops_come_as_often_as_they_should(count: int) -> None:
    picked, shares = chosen_flops(count)
    boards, copies = canonical_boards(3)
    assert len(picked) <= count
    assert shares.sum() == pytest.approx(1)
    assert (shares > 0).all()
    every = copies / copies.sum()
    for rank in range(13):
        often = [(weights * (flops // 4 == rank).sum(axis=1)).sum() for flops, weights in ((boards[picked], shares), (boards, every))]  # fmt: skip  # noqa: E501
        assert often[0] == pytest.approx(often[1], abs=0.05 if count == 25 else 0.003)


def test_all_flops_are_all_flops() -> None:
    picked, shares = chosen_flops(1755)
    assert np.array_equal(picked, np.arange(1755))
    assert shares == pytest.approx(canonical_boards(3)[1] / 22_100)


@pytest.fixture(scope="module")
def solution() -> FlopSolution:
    game = FlopGame(
        preflop=Preflop(stack_depth=12, raise_sizes=["2.5", "a"]), flop={"bet": "50%"}, max_raises=0, flops=25
    )
    return solve_flop_holdem(game.model_copy(update={"solve": game.solve.model_copy(update={"iterations": 40})}))


def test_all_ins_before_the_flop_have_nearly_their_equity(solution: FlopSolution) -> None:
    """Over 25 flops; by class, against the exact table over all boards."""
    root = solution.solver.boards[0]
    matrix = root.runouts.reshape(root.stride[0, 0], root.stride[1, 0])[:1326, :1326].astype(np.float64)
    assert matrix == pytest.approx(-matrix.T, abs=1e-6)
    classes = np.eye(169)[COMBO_CLASS]
    meet = disjoint_combos()
    mean = (classes.T @ (matrix * meet) @ classes) / (classes.T @ meet @ classes)
    off = np.abs((1 + mean) / 2 - equity_table())
    assert np.average(off, weights=np.outer(CLASS_COMBOS, CLASS_COMBOS)) < 0.03
    low, high = flop_set(25, solution.settings.solve.threads).coverage
    assert 0.9 < low < 1 < high < 1.1


def test_it_is_solved_and_values_add_up_to_zero(solution: FlopSolution) -> None:
    found = solution.assess()
    assert sum(found.values) == pytest.approx(0, abs=0.01)  # chips of a thousandth of a big blind
    assert 0 < solution.settings.mbb(found.exploitability) < 60
    assert solution.at("SBa").player == "BB"
    assert solution.at("SBr2.5").player == "BB"


def test_leaf_values_are_those_of_the_solution(solution: FlopSolution) -> None:
    """The preflop game with them, both playing the flop game's preflop strategies, is worth what the flop game is."""
    leaf = FlopGameLeaf(solution.solver)
    assert leaf.lines == ["SBc BBx", "SBc BBr2.5 SBc", "SBr2.5 BBc"]
    found = _worth(solution, leaf) / (1326 * 1225)
    assert found == pytest.approx(solution.assess().values[1], abs=15)  # mbb; flops of the set are not quite all
    assert PreflopGame.of(solution.settings.preflop, leaf).nodes == solution.solver.game.tree.streets[0].nodes
    with pytest.raises(InputError, match="has no called pot 'SBr3 BBc'"):
        leaf.shares(Leaf("SBr3 BBc", 6.0, 9.0))


def _worth(solution: FlopSolution, leaf: FlopGameLeaf) -> float:
    """The SB's value summed over deals, from the ends of the preflop tree alone."""
    street, total, meet = solution.solver.game.tree.streets[0], 0.0, disjoint_combos()
    root = solution.solver.boards[0]
    results = root.runouts.reshape(root.stride[0, 0], root.stride[1, 0])[:1326, :1326]  # the BB's
    entries = solution.solver.game.tree.streets[1].entry_pot
    for edge in np.flatnonzero(street.child_kind != TO_NODE):
        node = int(street.edge_owner()[edge])
        at = solution.at(solution.solver.game.tree.line_of(0, node))
        reach = np.stack([at.reach("BB"), at.reach("SB")])
        reach[street.player[node]] *= at.strategy()[edge - street.first_edge[node]]
        end = int(street.child[edge])
        if street.child_kind[edge] == TO_CHANCE:
            shares = leaf.shares(Leaf(leaf.lines[end], 0.0, 0.0))[COMBO_CLASS][:, COMBO_CLASS]
            worth = entries[end] * (shares.T - 0.5)
        else:
            chips, folder = float(street.contribution[end].min()), int(street.terminal_folder[end])
            worth = -chips * results if folder < 0 else np.full((1326, 1326), chips if folder == 0 else -chips)
        total += reach[0] @ (worth * meet) @ reach[1]
    return total


def test_without_bets_on_the_flop_a_leaf_is_equity() -> None:
    """Checked down: the share of each class is its equity on these flops, whatever was learnt."""
    game = FlopGame(preflop=Preflop(stack_depth=12, raise_sizes=["2.5"], all_in=False), flop={"bet": ""}, flops=25)
    solver = RangeSolver(range_game(game), range_schedule("auto"), 0)
    shares = FlopGameLeaf(solver).shares(Leaf("SBc BBx", 2.0, 11.0))
    assert shares == pytest.approx(1 - shares.T, abs=1e-4)
    assert np.abs(shares - equity_table()).mean() < 0.04


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"flops": 3}, "too few to stand for all; use 25 or more, or 0 for all"),
        ({"preflop": {"stack_depth": 20, "raise_sizes": [2.5], "rake": {"percent": 5}}}, "is solved without rake"),
        ({"preflop": {"raise_sizes": [2.5]}}, "preflop: missing key 'stack_depth'"),
    ],
)
def test_what_cannot_be_played_is_named(settings: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        FlopGame(**settings)


def test_run_outs_that_do_not_fit_are_refused_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runout.memory.available", lambda: 4 * 10**9)
    with pytest.raises(
        MemoryRefused, match=r"run-outs of this game need 9\.8 GB and 4\.0 GB are free: give fewer flops"
    ):
        solve_flop_holdem(FlopGame(flops=0))
