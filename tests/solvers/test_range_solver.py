"""The range solver on spots whose answer a person can work out, and on spots that other solvers have published."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from reference.spots import NO_BETS, evs, hand_evs, look, opponents, percent, published, solver_of, spot
from runout.cards.cards import cards
from runout.cards.equity import equity
from runout.cards.hands import hand_combos
from runout.games.spot import Betting
from runout.solvers.ranges import RangeSolver

ONLY_OOP_BETS = {"river": {"oop": {"bet": "a"}}}
FULL_RANGE_BOARDS = ["AhTh4h", "7c7d2s", "Ks8h3d", "AhTh4h2h", "7c7d2s2h", "KsQs8h3d", "AhTh4h9s2h", "7c7d7sAhKd"]
EVERYTHING = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"


def frequency(solver: RangeSolver, line: str, hands: str, action: int) -> np.ndarray:
    """How often each of `hands` takes an action at a node of the first board."""
    street, node = solver.game.tree.node(line)
    player = int(solver.game.tree.streets[street].player[node])
    columns = np.isin(solver.hands(player, street, 0), hand_combos(hands))
    return solver.strategy(street, 0, node)[action, columns]


# Toy games: bluffs are s / (P + s) of the value bets, the caller calls P / (P + s).


def test_clairvoyance_with_a_bet_of_the_pot() -> None:
    solver = solver_of(spot("2c2d2h3c3d", "AA,QQ", "KK", pot=100, stack=100, sizes={"river": {"bet": "100%"}}), 2000)
    assert evs(solver) == pytest.approx([75, 25], abs=0.05)
    assert frequency(solver, "", "AA", 1) == pytest.approx(1, abs=1e-3)
    assert frequency(solver, "", "QQ", 1) == pytest.approx(0.5, abs=5e-3)
    assert frequency(solver, "a", "KK", 1) == pytest.approx(0.5, abs=5e-3)


@pytest.mark.parametrize("bet", [25, 50, 200, 300])
def test_clairvoyance_with_other_bets(bet: int) -> None:
    """The bluffer wins P less the caller's P / 2 · P / (P + s), whatever the bet."""
    sizes = {"river": {"oop": {"bet": f"{bet}c"}}}
    solver = solver_of(spot("2c2d2h3c3d", "AA,QQ", "KK", pot=100, stack=1000, sizes=sizes), 2000)
    bluffs = bet / (100 + bet)
    assert frequency(solver, "", "QQ", 1) == pytest.approx(bluffs, abs=0.01)
    assert frequency(solver, f"b{bet}", "KK", 1) == pytest.approx(1 - bluffs, abs=0.01)
    assert evs(solver)[1] == pytest.approx(50 * (1 - bluffs), abs=0.1)


def test_clairvoyance_with_one_combo_of_each() -> None:
    solver = solver_of(spot("2s3h4d6c7c", "AsAh,QsQh", "KsKh", pot=20, stack=10, sizes={"river": {"bet": "a"}}), 2000)
    assert evs(solver) == pytest.approx([40 / 3, 20 / 3], abs=0.01)
    by_hand = hand_evs(solver, 0)
    assert by_hand[hand_combos("AsAh")[0]] == pytest.approx(80 / 3, abs=0.05)
    assert by_hand[hand_combos("QsQh")[0]] == pytest.approx(0, abs=0.05)


def test_river_akq_half_street() -> None:
    """Ante 1, bet 1: bluff the queen 1/3, call with the king 1/3, the bettor wins 1/18. The kickers do not play."""
    hands = {"oop": "As2s,Ks2s,Qs2s", "ip": "As4s,Ks4s,Qs4s"}
    solver = solver_of(spot("7c7d9h9cJd", **hands, pot=2000, stack=1000, sizes=ONLY_OOP_BETS), 3000)
    assert evs(solver)[0] - 1000 == pytest.approx(1000 / 18, abs=1)
    assert frequency(solver, "", "As2s", 1) == pytest.approx(1, abs=0.01)
    assert frequency(solver, "", "Ks2s", 1) == pytest.approx(0, abs=0.01)
    assert frequency(solver, "", "Qs2s", 1) == pytest.approx(1 / 3, abs=0.01)
    assert frequency(solver, "a", "Ks4s", 1) == pytest.approx(1 / 3, abs=0.01)


def test_the_nuts_bet_and_win_everything() -> None:
    solver = solver_of(spot("AsKsQsJs2d", "Ts9s", "KhKd,2h2c", pot=100, stack=50, sizes={"river": {"bet": "a"}}), 200)
    assert evs(solver) == pytest.approx([100, 0], abs=0.05)


# No bets: everybody checks, and the EV of a hand is its equity times the pot.


@pytest.mark.parametrize("board", FULL_RANGE_BOARDS)
def test_a_full_range_against_itself(board: str) -> None:
    solver = solver_of(spot(board, EVERYTHING, EVERYTHING, pot=100))
    assert len(solver.hands(0, 0, 0)) == len(solver.hands(1, 0, 0)) == comb(52 - len(cards(board)), 2)
    assert evs(solver) == pytest.approx([50, 50], abs=1e-3)
    assert solver.exploitability() == pytest.approx(0, abs=1e-3)
    random = np.random.default_rng(1)
    for street, betting in enumerate(solver.game.tree.streets):
        boards = len(solver.game.boards[street].cards)
        for index in random.choice(boards, min(boards, 2), replace=False):
            for node in range(betting.nodes):
                view = look(solver, street, int(index), node)
                met = view.reach[0].sum() * view.reach[1].sum()
                for player in range(2):
                    assert view.reach[player] @ view.value[player] / met == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("board", ["KsTd4h", "AhTh4h", "7c7d2s9h", "AhTh4h2h", "KsQs8h3d2c", "7c7d7sAhKd"])
def test_without_bets_a_hand_is_worth_its_equity(board: str) -> None:
    oop, ip = "22+,A9s+,KJs+:0.3,AJo+", "TT-55,A2s+:0.25,76s,98s,KQo:0.6"
    solver = solver_of(spot(board, oop, ip, pot=200))
    exact = equity(oop, ip, board)
    assert evs(solver) / 200 == pytest.approx(list(exact.equity), abs=1e-5)
    for player in range(2):
        found = hand_evs(solver, player)
        assert len(found) == np.isfinite(exact.hands[player]).sum()
        for hand, ev in found.items():
            assert ev / 200 == pytest.approx(exact.hands[player][hand], abs=1e-5)


@pytest.mark.parametrize("board", ["KsTd4h", "AhTh4h", "7c7d2s9h", "AhTh4h2h"])
def test_calling_an_all_in_is_worth_the_equity(board: str) -> None:
    """OOP, who has learnt nothing, bets every hand half of the time; IP's call wins or loses half of a pot of 60."""
    oop, ip = "22+,A9s+,KJs+:0.3,AJo+", "TT-55,A2s+:0.25,76s,98s,KQo:0.6"
    solver = solver_of(spot(board, oop, ip, pot=20, stack=20, sizes={"bet": "a"}))
    street, node = solver.game.tree.node("a")
    view, exact = look(solver, street, 0, node), equity(oop, ip, board)
    hands = solver.hands(1, 0, 0)
    met = opponents(solver.game.weights[0], hands) / 2
    assert view.reach[0] == pytest.approx(solver.game.weights[0][solver.hands(0, 0, 0)] / 2)
    assert view.action_values[0] / met == pytest.approx(-10, abs=1e-5)
    assert view.action_values[1] / met / 30 == pytest.approx(2 * exact.hands[1][hands] - 1, abs=1e-5)


# Published figures.


@pytest.mark.parametrize(("name", "share"), [("turn", 0.53060), ("community", 0.55347)])
def test_published_equities(name: str, share: float) -> None:
    checked_down = published(name).model_copy(update={"betting": Betting.model_validate(NO_BETS)})
    solver = solver_of(checked_down)
    assert evs(solver) / checked_down.pot == pytest.approx([share, 1 - share], abs=6e-6)


def test_a_river() -> None:
    solver = solver_of(published("river"), 400)
    assert percent(solver) < 0.1
    assert evs(solver) == pytest.approx([92.73, 107.27], abs=0.1)


@pytest.mark.parametrize("name", ["turn", "turn-donk"])
def test_a_turn(name: str) -> None:
    """A river donk size changes what OOP can do after a call, and hardly what the spot is worth."""
    solver = solver_of(published(name), 200, threads=0)
    assert solver.game.tree.action_names(0, 0) == ["check", "bet 120", "bet 216", "all-in 900"]
    assert percent(solver) < 0.3
    assert evs(solver) == pytest.approx([91.961, 108.039], abs=0.2)


@pytest.mark.slow
def test_the_community_benchmark() -> None:
    solver = solver_of(published("community"), threads=0)
    for _ in range(20):
        solver.step(10)
        if percent(solver) < 0.3:
            break
    assert percent(solver) < 0.3
    assert evs(solver) == pytest.approx([105.11, 74.89], abs=0.2)
    hands = solver.hands(0, 0, 0)
    dealt = solver.game.weights[0][hands] * opponents(solver.game.weights[1], hands)
    assert dealt @ solver.strategy(0, 0, 0)[1] / dealt.sum() == pytest.approx(0.552, abs=0.02)
    assert (len(hands), len(solver.hands(1, 0, 0))) == (273, 416)
