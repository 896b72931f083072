"""The range solver against its slow twin: values, best responses and learning, hand by hand, node by node."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.postflop import Board, Postflop, Reach, SlowCFR
from reference.postflop_policy import AveragePolicy
from reference.spots import look, solver_of, spot
from runout.cards.cards import cards, cards_text
from runout.cards.hands import combo_name
from runout.errors import InputError
from runout.games.spot import Spot
from runout.solvers.ranges import AVERAGE, BEST_RESPONSE, RangeSolver

BET_AND_RAISE = {"bet": "50%, a", "raise": "a"}
JAM = {"bet": "a"}
RIVER_ONLY = {"flop": {}, "turn": {}, "river": JAM}
MANY_RAISES = {"bet": "50%", "raise": "2x"}
TWO_SIZES = {"turn": {"bet": "50%"}, "river": {"bet": "70%"}}
FLOP_ALL_IN = {"flop": JAM, "turn": JAM, "river": {}}
RAKE = {"percent": 5, "cap": 2}

SPOTS: dict[str, Callable[[], Spot]] = {
    "river": lambda: spot("2c2d7h3cJs", "AhAd,JhTh,9s8s:0.5,AcKc", "KsKh:0.3,AcKc,8s7s,JdTh", sizes=BET_AND_RAISE),
    "river, raked": lambda: spot("2c2d7h3cJs", "AhAd,JhTh,9s8s", "KsKh:0.3,8s7s,JdTh", sizes=BET_AND_RAISE, rake=RAKE),
    "the board plays": lambda: spot("AsKsQsJsTs", "AhAd,9s8s,3c2c", "KhKd,9s2s,3c2c", sizes=BET_AND_RAISE, rake=RAKE),
    "turn": lambda: spot("2c2d7h3c", "AhAd,9s8s:0.5,AcKc", "KsKh:0.3,AcKc,8s7s", sizes=BET_AND_RAISE, rake=RAKE),
    "turn, many raises": lambda: spot("9h8h2s4d", "AhKh,9s9c", "JhTh:0.7,2d2c", 10, 40, MANY_RAISES),
    "turn, only all-in": lambda: spot("9h8h2s4d", "AhKh,9s9c,5s3s", "JhTh:0.7,2c2d", pot=100, stack=3, sizes=JAM),
    "turn, two sizes": lambda: spot("9h8h2s4d", "AhKh,9s9c,QsJs:0.7", "JhTh:0.7,AsTs,5s5c:0.3", sizes=TWO_SIZES),
    "turn, suits alike": lambda: spot("9s8s2s4s", "AKs,77", "55,JTs:0.5", sizes=JAM),
    "turn, two suits alike": lambda: spot("9h8h2s4d", "QQ,76s:0.4", "AA,A5s", sizes=JAM),
    "turn, one hand each": lambda: spot("9h8h2s4d", "AhKh", "JhTh:0.2", sizes=BET_AND_RAISE),
    "turn, a river can block everything": lambda: spot("9h8h2s4d", "AhKh,AhKd,AhQs", "AcKc,AcKd", sizes=BET_AND_RAISE),
    "turn, many against one": lambda: spot("9h8h2s4d", "AhKh,AdKd,QcQd,JhTh,JdTd,7c7d,6c5c,3h3s", "AsTs", sizes=JAM),
}  # fmt: skip

SLOW_SPOTS: dict[str, Callable[[], Spot]] = {
    "flop, all-in": lambda: spot("2c2d7h", "AhAd,9s8s:0.5", "KsKh:0.3", sizes=FLOP_ALL_IN),
    "flop, betting to the river": lambda: spot("2c2d7h", "AhAd", "KsKh:0.3,8s7s", sizes=RIVER_ONLY, rake=RAKE),
    "flop, suits alike": lambda: spot("9s8s2s", "AsKs,AhKh,AdKd,AcKc", "JJ", sizes=FLOP_ALL_IN),
}  # fmt: skip


def check_against_twin(solver: RangeSolver, slow: Postflop, tolerance: float = 1e-5) -> None:
    """Values and best responses by hand, to `tolerance` of the pot for each opponent, and exploitability."""
    policy = AveragePolicy(solver)
    for mode, twin in ((AVERAGE, slow.hand_values), (BEST_RESPONSE, slow.best_values)):
        for player in range(2):
            expected = twin(player, (policy, policy))
            found = solver.values(player, mode)
            combos = solver.hands(player, 0, 0)
            assert sorted(expected) == sorted(combos)
            scale = slow.spot.pot * sum(slow.ranges[1 - player].values())
            assert found / scale == pytest.approx([expected[int(c)] / scale for c in combos], abs=tolerance)
    assert solver.deals == pytest.approx(slow.deals())
    expected = slow.exploitability((policy, policy)) / slow.spot.pot
    blocked = math.prod(sum(side.values()) for side in slow.ranges) / slow.deals()  # what rounding is relative to
    assert solver.exploitability() / slow.spot.pot == pytest.approx(expected, abs=tolerance * blocked)
    assert expected >= 0


@pytest.mark.parametrize("name", SPOTS)
def test_values_and_best_responses(name: str) -> None:
    """Of strategies that know nothing (uniform), a little, and more."""
    solver, slow = solver_of(SPOTS[name]()), Postflop(SPOTS[name]())
    for more in (0, 1, 20):
        solver.step(more)
        check_against_twin(solver, slow)


@pytest.mark.parametrize("name", SLOW_SPOTS)
@pytest.mark.slow
def test_values_and_best_responses_from_the_flop_on(name: str) -> None:
    solver = solver_of(SLOW_SPOTS[name](), 12)
    check_against_twin(solver, Postflop(SLOW_SPOTS[name]()), tolerance=1e-3)


def test_a_flop() -> None:
    checked = spot("2c2d7h", "AhAd", "8s7s", sizes={"flop": JAM, "turn": {}, "river": JAM}, rake=RAKE)
    check_against_twin(solver_of(checked, 5), Postflop(checked))


@pytest.mark.parametrize("name", ["river, raked", "turn", "turn, suits alike", "turn, a river can block everything"])
def test_every_action_at_every_node(name: str) -> None:
    """What `look` says of each action is what the twin finds behind it, and reach is what the policy says."""
    game, solver = SPOTS[name](), solver_of(SPOTS[name](), 9, isomorphism=False)
    slow, policy = Postflop(game), AveragePolicy(solver)
    compared = 0
    for player in range(2):
        seen: dict[tuple[str, Board], dict[int, list[float]]] = {}

        def mix(line: str, board: Board, hand: int, values: list[float], own: float, seen: Any = seen) -> float:
            seen.setdefault((line, board), {})[hand] = values
            return float(np.dot(policy(line, board, hand, len(values)), values))

        slow.walk(player, policy, mix)
        for (line, board), by_hand in list(seen.items())[:: 1 + len(seen) // 150]:
            street, node = solver.game.tree.node(line)
            place = [tuple(row) for row in solver.game.boards[street].cards.tolist()].index(board)
            view = look(solver, street, place, node)
            combos = solver.hands(player, street, place)
            assert sorted(combos) == sorted(by_hand)
            expected = np.array([by_hand[int(c)] for c in combos]).T
            assert view.action_values / game.pot == pytest.approx(expected / game.pot, abs=1e-5)
            mixed = (solver.strategy(street, place, node) * view.action_values).sum(axis=0)
            assert view.value[player] / game.pot == pytest.approx(mixed / game.pot, abs=1e-5)
            compared += 1
    assert compared > 2


# Where two actions tie, rounding decides and the two go different ways: turns are compared before that happens.
LEARNING = {"river": 30, "the board plays": 30} | {name: 2 for name in SPOTS if name.startswith("turn")}


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "lcfr", "auto", "dcfr(1.5,0,2,3)"])
@pytest.mark.parametrize(("name", "iterations"), LEARNING.items())
def test_learning(name: str, iterations: int, algorithm: str) -> None:
    """float32 learns what float64 does."""
    game = SPOTS[name]()
    solver, slow = solver_of(game, iterations, algorithm), Postflop(game)
    twin = SlowCFR(slow, solver.schedule)
    twin.step(iterations)
    policy = AveragePolicy(solver)
    for line, hand in twin.averages:
        assert policy(line, _board(game, line), hand, 0) == pytest.approx(twin.average(line, (), hand, 0), abs=1e-3)
    for player in range(2):
        expected = slow.hand_values(player, (twin.average, twin.average))
        scale = slow.deals() * game.pot
        combos = solver.hands(player, 0, 0)
        assert solver.values(player, AVERAGE) / scale == pytest.approx(
            [expected[int(c)] / scale for c in combos], abs=1e-4
        )


def _board(game: Spot, line: str) -> Board:
    dealt = [part for part in line.split("|")[1::2] if part]
    return (*game.cards, *(card for part in dealt for card in cards(part)))


@st.composite
def tiny_spots(draw: st.DrawFn) -> Spot:
    size = draw(st.sampled_from([4, 5, 5]))
    # Few ranks and suits: straights, flushes, pairs and shared cards are common.
    deck = draw(st.permutations(draw(st.sampled_from([list(range(52)), list(range(0, 52, 2)), list(range(28))]))))
    board, rest = deck[:size], sorted(deck[size:])
    hands = st.lists(st.sampled_from([(a, b) for i, a in enumerate(rest) for b in rest[:i]]), min_size=1, max_size=4)
    weights = st.sampled_from(["", ":0.5", ":0.001", ":0.9"])
    sides = []
    for _ in range(2):
        names = {combo_name(a * (a - 1) // 2 + b): draw(weights) for a, b in draw(hands)}
        sides.append(",".join(name + weight for name, weight in names.items()))
    sizes = {
        "bet": draw(st.sampled_from(["", "a", "40%", "75%, a"])),
        "raise": draw(st.sampled_from(["", "a", "2.5x"])),
    }
    rake = draw(st.sampled_from([{}, {"percent": 5}, {"percent": 10, "cap": 3}]))
    stack = draw(st.sampled_from([1, 7, 20, 45]))
    try:
        return spot(cards_text(board), *sides, pot=draw(st.sampled_from([4, 21])), stack=stack, sizes=sizes, rake=rake)
    except InputError:  # no two hands can meet
        return spot(cards_text(board), combo_name(_apart(rest)[0]), combo_name(_apart(rest)[1]), sizes=sizes, rake=rake)


def _apart(rest: list[int]) -> tuple[int, int]:
    a, b, c, d = rest[3], rest[2], rest[1], rest[0]
    return a * (a - 1) // 2 + b, c * (c - 1) // 2 + d


@settings(max_examples=40, deadline=None)
@given(
    game=tiny_spots(),
    iterations=st.integers(0, 30),
    algorithm=st.sampled_from(["dcfr", "cfr+", "lcfr", "dcfr+", "auto"]),
)
def test_tiny_spots(game: Spot, iterations: int, algorithm: str) -> None:
    check_against_twin(solver_of(game, iterations, algorithm), Postflop(game))


def test_the_twin_is_right_about_what_a_person_knows() -> None:
    """Aces against kings and nothing to play for: the twin's own check."""
    slow = Postflop(spot("2s3h4d6c7c", "AsAh", "KsKh", pot=100))

    def check(line: str, board: Board, hand: int, actions: int) -> list[float]:
        return [1.0]

    values: list[Reach] = [slow.hand_values(player, (check, check)) for player in range(2)]
    assert [list(side.values()) for side in values] == [[50.0], [-50.0]]
    assert slow.exploitability((check, check)) == 0
