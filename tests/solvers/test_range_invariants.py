"""What must hold of every solve: threads, suits, rake, zero sums, convergence, resuming."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reference.spots import evs, hand_evs, look, percent, published, solver_of, spot
from runout.cards.hands import hand_combos
from runout.cards.suits import combo_images, symmetries
from runout.games.spot import Spot
from runout.solvers import range_memory, ranges
from runout.solvers.ranges import AVERAGE, BEST_RESPONSE

OOP, IP = "22+,A9s+,AJo+,KQs:0.5", "TT-55,A2s+,KQo:0.25,76s"
TWO_SIZES = {"bet": "40%, a", "raise": "3x"}
SMALL = {"flop": {"bet": "75%"}, "turn": {"bet": "75%"}, "river": {"bet": "a"}}


def wide(board: str, sizes: dict[str, Any] = TWO_SIZES, **more: Any) -> Spot:
    return spot(board, OOP, IP, pot=60, stack=100, sizes=sizes, **more)


FLOP = spot("AhTh4h", "AA,AKs,KQs,88", "JJ,QJs,ATs,76s", pot=60, stack=100, sizes=SMALL)
TIED = spot("9s8s2s", "AsKs,AhKh,AdKd,AcKc", "JJ", sizes={"flop": {"bet": "a"}, "turn": {"bet": "a"}, "river": {}})


# Threads.


@pytest.mark.parametrize("game", [wide("Ts9s4s2d"), FLOP, published("river")], ids=["turn", "flop", "river"])
def test_any_number_of_threads_gives_the_same_bits(game: Spot) -> None:
    """Many threads share the rivers of a turn, a few share the turns."""
    one, *others = (solver_of(game, 12, threads=threads) for threads in (1, 2, 3, range_memory.MANY_THREADS))
    for other in others:
        assert np.array_equal(one.averages, other.averages)
        assert np.array_equal(one.regrets, other.regrets)
        assert one.exploitability() == other.exploitability()
        for player in range(2):
            assert np.array_equal(one.values(player, BEST_RESPONSE), other.values(player, BEST_RESPONSE))


# Working memory.


@pytest.mark.parametrize("rows", [1, 5, 1000])
@pytest.mark.parametrize("game", [wide("Ts9s4s2d"), TIED, published("river")], ids=["turn", "flop", "river"])
def test_lines_in_groups_of_any_size_stay_within_their_arrays(
    game: Spot, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors check no bounds: arrays lie between NaNs, which show where they are read and vanish where overwritten."""
    expected = solver_of(game, 5, threads=2)
    guarded: list[tuple[np.ndarray, int, int]] = []

    def aligned(size: int, kind: str = "float32", margin: int = 4096) -> np.ndarray:
        assert kind == "float32"
        raw = np.full(size + 2 * margin, np.nan, np.float32)
        first = margin + (-(raw.ctypes.data + 4 * margin) % 64) // 4
        raw[first : first + size] = 0
        guarded.append((raw, first, first + size))
        return raw[first : first + size]

    monkeypatch.setattr(range_memory, "aligned", aligned)
    monkeypatch.setattr(ranges, "GROUP_ROWS", rows)
    solver = solver_of(game, 5, threads=range_memory.MANY_THREADS)
    assert solver.exploitability() == expected.exploitability()
    assert np.array_equal(solver.averages, expected.averages)
    assert np.array_equal(solver.regrets, expected.regrets)
    for raw, first, last in guarded:
        assert np.isnan(raw[:first]).all()
        assert np.isnan(raw[last:]).all()
    assert guarded


# Suits.


@pytest.mark.parametrize("board", ["Ts9s4s2s", "Ts9s4s2d", "ThTd4h4d", "TsTh4d2d", "Ts9h4d2c"])
def test_isomorphism_changes_nothing_on_the_turn(board: str) -> None:
    game = wide(board)
    folded, full = (solver_of(game, 300, isomorphism=on) for on in (True, False))
    assert len(full.game.boards[1].cards) == 48
    assert percent(folded) < 0.1
    assert percent(full) < 0.1
    assert evs(folded) / 60 == pytest.approx(evs(full) / 60, abs=1e-3)
    for player in range(2):
        expected = hand_evs(full, player)
        for hand, ev in hand_evs(folded, player).items():
            assert ev / 60 == pytest.approx(expected[hand] / 60, abs=0.02)  # EVs of single hands settle later


@pytest.mark.parametrize("board", ["AhTh4h", "7c7d2s"])
def test_isomorphism_changes_nothing_on_the_flop(board: str) -> None:
    """Before anything is learnt EVs and best responses are the same by hand, after it the game is worth the same."""
    game = spot(board, "AA,AKs,KQs,88", "JJ,QJs,ATs,76s", pot=60, stack=100, sizes=SMALL)
    folded, full = (solver_of(game, isomorphism=on, threads=0) for on in (True, False))
    assert len(folded.game.boards[1].cards) < len(full.game.boards[1].cards) == 49
    assert folded.memory() < full.memory()
    for player in range(2):
        for mode in (AVERAGE, BEST_RESPONSE):
            expected = hand_evs(full, player, mode)
            for hand, ev in hand_evs(folded, player, mode).items():
                assert ev / 60 == pytest.approx(expected[hand] / 60, abs=1e-5)
    folded.step(60)
    full.step(60)
    assert evs(folded) / 60 == pytest.approx(evs(full) / 60, abs=1e-3)


@pytest.mark.parametrize(
    ("game", "iterations"),
    [
        pytest.param(wide("Ts9s4s2s"), 100, id="turn"),
        pytest.param(FLOP, 100, id="flop"),
        pytest.param(TIED, 8, id="ties"),
    ],
)
def test_hands_that_differ_by_suits_alone_are_played_alike(game: Spot, iterations: int) -> None:
    """At every node before the river: a board that stands for others must have strategies that suit them all."""
    solver = solver_of(game, iterations)
    for street, boards in enumerate(solver.game.boards[:-1]):
        betting = solver.game.tree.streets[street]
        for index, row in enumerate(boards.cards):
            dealt = [[card] for card in row[len(game.cards) :]]
            group = symmetries([game.cards, *dealt], solver.game.weights)
            for node in range(betting.nodes):
                hands = solver.hands(int(betting.player[node]), street, index)
                columns = {int(hand): k for k, hand in enumerate(hands)}
                strategy = solver.strategy(street, index, node)
                for renaming in group:
                    images = [columns[int(combo_images()[renaming, hand])] for hand in hands]
                    assert strategy[:, images] == pytest.approx(strategy, abs=1e-3)


def test_ranges_that_tell_suits_apart_are_not_folded() -> None:
    plain = solver_of(spot("Ts9s4s2s", "AA,KQs", "JJ", sizes=SMALL))
    uneven = solver_of(spot("Ts9s4s2s", "AA,KQs,KdQd:0.5", "JJ", sizes=SMALL))
    weighted = solver_of(spot("Ts9s4s2s", "AA,KdQd:0.5,KQs", "JJ", sizes=SMALL))
    counts = [len(solver.game.boards[1].cards) for solver in (plain, uneven, weighted)]
    assert counts[0] == counts[1] == 9 + 13  # "first group wins": KdQd:0.5 after KQs says nothing new
    assert counts[2] == 9 + 13 + 13
    assert weighted.game.weights[0].sum() == plain.game.weights[0].sum() - 0.5


# Zero sums and rake.


@pytest.mark.parametrize("game", [wide("Ts9s4s2d"), FLOP, published("river")], ids=["turn", "flop", "river"])
def test_values_of_both_players_add_up_to_nothing_at_every_node(game: Spot) -> None:
    solver = solver_of(game, 20, threads=0)
    random = np.random.default_rng(3)
    for street, betting in enumerate(solver.game.tree.streets):
        for _ in range(25):
            board = int(random.integers(len(solver.game.boards[street].cards)))
            node = int(random.integers(betting.nodes))
            view = look(solver, street, board, node)
            gains = [reach @ value for reach, value in zip(view.reach, view.value, strict=True)]
            stakes = game.pot * view.reach[0].sum() * view.reach[1].sum()
            assert sum(gains) == pytest.approx(0, abs=1e-5 * stakes)
            actor = int(betting.player[node])
            mixed = (solver.strategy(street, board, node) * view.action_values).sum(axis=0)
            scale = game.pot * view.reach[1 - actor].sum()
            assert view.value[actor] == pytest.approx(mixed, abs=1e-5 * scale)


@pytest.mark.parametrize("board", ["Ts9s4s2d", "Ts9s4s2dKh"])
def test_rake_comes_out_of_the_pot(board: str) -> None:
    """Without bets every pot is 60: 5% are 3 chips, or the cap."""
    for rake, taken in (({"percent": 5}, 3.0), ({"percent": 5, "cap": 2}, 2.0), ({"percent": 5, "cap": 0}, 0.0)):
        solver = solver_of(wide(board, {}, rake=rake))
        assert evs(solver).sum() == pytest.approx(60 - taken, abs=1e-4)


@pytest.mark.parametrize("board", ["Ts9s4s2d", "Ts9s4s2dKh"])
def test_rake_with_bets_lies_between_its_bounds(board: str) -> None:
    capped, free = (wide(board, rake={"percent": 5, "cap": 4}), wide(board))
    solver = solver_of(capped)
    for _ in range(6):
        assert 60 - 4 <= evs(solver).sum() <= 60 - 3
        assert solver.exploitability() > 0
        solver.step(40)
    assert percent(solver) < 0.5
    assert (evs(solver) < evs(solver_of(free, 240)) + 0.1).all()


def test_rake_of_everything_leaves_nothing_to_win() -> None:
    solver = solver_of(wide("Ts9s4s2dKh", rake={"percent": 100}), 200)
    assert evs(solver) == pytest.approx([0, 0], abs=0.1)  # nobody bets, nobody wins


# Convergence.


@pytest.mark.parametrize("algorithm", ["auto", "dcfr", "cfr+", "lcfr", "dcfr+", "cfr"])
@pytest.mark.parametrize("board", ["Ts9s4s2d", "Ts9s4s2dKh"])
def test_exploitability_is_never_negative_and_falls(board: str, algorithm: str) -> None:
    solver = solver_of(wide(board), 0, algorithm)
    before = percent(solver)
    for more in (0, 1, 1, 1, 2, 5, 10, 30, 50):
        solver.step(more)
        assert percent(solver) > 0
    assert percent(solver) < before / 10


@pytest.mark.parametrize("algorithm", ["auto", "dcfr", "dcfr+"])
def test_a_river_converges(algorithm: str) -> None:
    solver = solver_of(published("river"), 1500, algorithm)
    assert 0 < percent(solver) < 0.01


# Resuming.


@pytest.mark.parametrize("game", [wide("Ts9s4s2d"), published("river")], ids=["turn", "river"])
@pytest.mark.parametrize("algorithm", ["auto", "dcfr", "cfr+"])
def test_resuming_gives_the_same_bits(game: Spot, algorithm: str) -> None:
    whole = solver_of(game, 30, algorithm)
    half = solver_of(game, 13, algorithm)
    state = {name: array.copy() for name, array in half.state().items()}
    again = solver_of(game, 5, algorithm)  # what it knew is forgotten
    again.restore(state)
    assert again.iteration == 13
    again.step(17)
    assert np.array_equal(again.averages, whole.averages)
    assert np.array_equal(again.regrets, whole.regrets)


def test_many_short_steps_are_one_long_one() -> None:
    long, short = (solver_of(wide("Ts9s4s2d")) for _ in range(2))
    long.step(9)
    for _ in range(9):
        short.step(1)
        short.exploitability()  # measuring changes nothing
        look(short, 1, 3, 0)
    assert np.array_equal(long.averages, short.averages)
    assert np.array_equal(long.regrets, short.regrets)


# Ranges at their edges.


def test_weights_scale_out() -> None:
    """A range at a tenth of its weight plays the same game."""
    full = solver_of(spot("Ts9s4s2dKh", "AA,KQs,87s", "JJ,QJs,A5s", sizes=TWO_SIZES), 200)
    tenth = solver_of(spot("Ts9s4s2dKh", "AA:0.1,KQs:0.1,87s:0.1", "JJ,QJs,A5s", sizes=TWO_SIZES), 200)
    assert evs(tenth) == pytest.approx(evs(full), abs=1e-3)
    assert tenth.deals == pytest.approx(full.deals / 10)


def test_hands_of_weight_zero_and_blocked_hands_take_no_room() -> None:
    plain = solver_of(spot("Ts9s4s2dKh", "AA,KQs", "JJ,QJs", sizes=TWO_SIZES))
    padded = solver_of(spot("Ts9s4s2dKh", "AA,KQs,55:0,KhQh,TsTc:1", "JJ,QJs,4s3s", sizes=TWO_SIZES))
    assert list(padded.hands(1, 0, 0)) == list(plain.hands(1, 0, 0))
    assert sorted(padded.hands(0, 0, 0)) == sorted(plain.hands(0, 0, 0))


def test_a_hand_that_meets_nobody_is_worth_nothing() -> None:
    """All of IP's hands hold the ace of hearts, and so does one of OOP's."""
    solver = solver_of(spot("Ts9s4s2d", "AhKh,QcQd", "AhAc,AhJh", sizes=TWO_SIZES), 50)
    alone = list(solver.hands(0, 0, 0)).index(hand_combos("AhKh")[0])
    assert solver.values(0, BEST_RESPONSE)[alone] == pytest.approx(0, abs=1e-5)
    assert np.isfinite(solver.averages).all()
    assert len(hand_evs(solver, 0)) == 1
