"""Views of every kind of solution: closed forms, the cursors they draw, and numbers that must add up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import runout
from reference.spots import spot
from runout.cards.categories import category
from runout.cards.hands import hand_combos
from runout.cursors.view import CHANCE, DECISION, LIST, MATRIX, TERMINAL, Explorer, NodeView, extended
from runout.errors import InputError
from runout.explorers import open_explorer
from runout.explorers.parts import hand_weights, indifference
from runout.games.preflop import Preflop

POLAR = {"river": {"bet": "a"}}  # OOP has the best or the worst hand, IP always the one between


@pytest.fixture(scope="module")
def polar() -> runout.Solution:
    return runout.solve(spot("3c 3d 7h 8s 5c", "AA,QQ", "KK", pot=100, stack=100, sizes=POLAR), target=0.001)


@pytest.fixture(scope="module")
def turn() -> runout.Solution:
    sizes = {"bet": "60%", "raise": "60%"}
    return runout.solve(
        spot("Qs Jh 2h 3s", "QQ+,AKs,AQs:0.5,T9s,65s", "JJ-99,AQs,KQs,A5s", 100, 200, sizes), target=0.3
    )


@pytest.fixture(scope="module")
def chart() -> runout.PreflopSolution:
    return runout.solve_preflop(Preflop.push_fold(10))


def hand(view: NodeView, name: str, player: str | None = None) -> tuple[NodeView, int, int]:
    side = view.players.index(player or str(view.player))
    hands = view.hands[side] if len(view.hands) == 2 else view.hands[0]
    return view, view.hands.index(hands), hands.names.index(name)


def frequency(view: NodeView, name: str, token: str) -> float:
    _, side, row = hand(view, name)
    action = [one.token for one in view.actions].index(token)
    return float(view.hands[side].strategy[action, row])


def walk(explorer: Explorer, rng: np.random.Generator) -> Iterator[NodeView]:
    """A random line to its end."""
    view = explorer.at("")
    yield view
    while view.kind != TERMINAL:
        if view.kind == DECISION:
            view = explorer.at(extended(view, str(rng.choice([action.token for action in view.actions]))))
        else:
            cards = " ".join(rng.choice(view.deals, view.deal_count, replace=False))
            view = explorer.at(extended(view, cards, cards=True))
        yield view


def test_a_polar_range_bets_and_is_called_as_the_closed_form_says(polar: runout.Solution) -> None:
    explorer = open_explorer(polar)
    root, facing = explorer.at(""), explorer.at("a")
    assert frequency(root, "AsAh", "a") == pytest.approx(1, abs=1e-2)
    assert frequency(root, "QsQh", "a") == pytest.approx(0.5, abs=2e-2)  # bluffs pot odds to a pot-sized bet
    assert frequency(facing, "KsKh", "c") == pytest.approx(0.5, abs=2e-2)
    assert root.evs == pytest.approx((75, 25), abs=0.2)
    assert root.equities == pytest.approx((0.5, 0.5))
    hands = root.hands[0]
    assert hands.ev[hands.names.index("AsAh")] == pytest.approx(150, abs=0.5)
    assert hands.ev[hands.names.index("QsQh")] == pytest.approx(0, abs=0.5)
    assert root.accuracy == pytest.approx(polar.reached.exploitability)  # of a pot of 100
    bluff, aces = hands.names.index("QsQh"), hands.names.index("AsAh")
    assert indifference(hands, np.array([bluff]), 0.5) == (
        f"indifferent: both are worth {hands.ev[bluff]:.1f}; the frequencies still matter against a good opponent"
    )
    assert indifference(hands, np.array([aces]), 0.5) is None
    assert indifference(hands, np.array([bluff]), 1e-12) is None  # its actions are not that close
    assert indifference(hands, np.array([bluff, aces]), 0.5) is None
    assert indifference(hands, np.array([bluff]), None) is None
    assert not root.notes


def test_postflop_views_show_what_the_cursor_says(turn: runout.Solution) -> None:
    explorer = open_explorer(turn)
    for seed in range(6):
        for view in walk(explorer, np.random.default_rng(seed)):
            node = turn.at(view.line)
            assert (view.line, view.kind, view.player, view.board) == (
                node.line, node.kind, node.player, tuple(node.board),
            )  # fmt: skip
            assert view.layout == MATRIX
            assert view.evs == pytest.approx(node.evs, nan_ok=True)
            assert view.equities == pytest.approx(node.equities, nan_ok=True)
            assert [action.frequency for action in view.actions] == pytest.approx(node.frequencies)
            for hands in view.hands:
                rows = np.array([hand_combos(name)[0] for name in hands.names])
                np.testing.assert_allclose(hands.weight, node.reach(hands.player)[rows])
                np.testing.assert_allclose(hands.ev, node.ev(player=hands.player)[rows])
                np.testing.assert_allclose(hands.eqr, node.eqr(player=hands.player)[rows], rtol=1e-6)
                if hands.player == view.player:
                    np.testing.assert_allclose(hands.strategy, node.strategy()[:, rows])
                for name, made, labels in list(zip(hands.names, hands.categories, hands.labels, strict=True))[::9]:
                    assert (made, labels) == category(" ".join(view.board), name)


def test_the_strip_is_the_way_to_a_node(turn: runout.Solution) -> None:
    view = open_explorer(turn).at("x-b60-c|Ah|x")
    assert [step.line for step in view.strip] == ["", "x", "x-b60", "x-b60-c", "x-b60-c|Ah", "x-b60-c|Ah|x"]
    assert [step.taken for step in view.strip] == ["x", "b60", "c", "Ah", "x", None]
    assert view.strip[3].kind == CHANCE
    assert view.strip[3].cards == ("Ah",)
    assert sum(action.frequency for action in view.strip[1].actions) == pytest.approx(1)


def test_a_river_that_is_solved_again_says_so(turn: runout.Solution, tmp_path: Path) -> None:
    turn.save(tmp_path / "small", river=False)
    explorer = open_explorer(tmp_path / "small")
    assert not any("solved again" in note for note in explorer.at("x-x").notes)
    assert any("solved again" in note for note in explorer.at("x-x|Ah").notes)


@pytest.mark.parametrize("line", ["b61", "x-x-x", "x-x|Qs", "x-x|Zz", "|Ah", "x-x|Ah|q"])
def test_addresses_of_no_node_are_refused_in_a_line(turn: runout.Solution, line: str) -> None:
    with pytest.raises(InputError) as refusal:
        open_explorer(turn).at(line)
    assert "\n" not in str(refusal.value)


def test_an_explorer_sees_that_the_solver_went_on_and_what_is_locked() -> None:
    solution = runout.solve(
        spot("3c 3d 7h 8s 5c", "AA,QQ", "KK", pot=100, stack=100, sizes=POLAR), iterations=2, target=0
    )
    explorer = open_explorer(solution)
    before = explorer.at("")
    assert not before.locked
    assert solution.solver is not None
    hands = solution.solver.hands(0, 0, 0)
    everything = np.stack([np.zeros(len(hands)), np.ones(len(hands))]).astype(np.float32)
    solution.solver.lock(0, 0, 0, everything, np.ones(len(hands), bool))
    solution.solver.step(200)
    after = explorer.at("")
    assert after.locked
    assert not explorer.at("a").locked
    assert [action.frequency for action in after.actions] == pytest.approx([0, 1])  # OOP always bets now
    assert frequency(explorer.at("a"), "KsKh", "c") == pytest.approx(1, abs=1e-2)  # and half of that are bluffs
    assert [action.frequency for action in before.actions] != pytest.approx([0, 1])


def test_a_push_fold_chart_is_the_cursors(chart: runout.PreflopSolution) -> None:
    explorer = open_explorer(chart)
    for line in ("", "SBa"):
        view, node = explorer.at(line), chart.at(line)
        assert [action.frequency for action in view.actions] == pytest.approx(node.frequencies)
        actor = next(hands for hands in view.hands if hands.player == view.player)
        np.testing.assert_allclose(actor.strategy, node.strategy(by="class"))
        assert view.unit == "bb"
    root = explorer.at("")
    assert root.evs == pytest.approx((-chart.value, chart.value))
    assert frequency(root, "AA", "SBa") == pytest.approx(1)
    assert frequency(root, "72o", "SBf") == pytest.approx(1)
    assert explorer.at("SBf").evs == pytest.approx((0.5, -0.5))
    assert root.equities == pytest.approx((0.5, 0.5))
    called = explorer.at("SBa BBc")  # all chips in: the EV is what the equity says
    assert called.ending == "run-out"
    assert called.equities is not None
    assert called.evs == pytest.approx([20 * share - 10 for share in called.equities])
    assert explorer.at("10bb sba").line == "SBa"


def test_preflop_evs_add_up_to_nothing(chart: runout.PreflopSolution) -> None:
    for line in ("", "SBa", "SBa BBc", "SBa BBf"):
        assert sum(open_explorer(chart).at(line).evs or ()) == pytest.approx(0, abs=1e-9)


def test_kuhn_is_its_closed_form() -> None:
    explorer = open_explorer(runout.solve_game("kuhn", iterations=20_000))
    root, checked, bet = (explorer.at(line) for line in ("", "x", "b"))
    bluff = frequency(root, "J", "b")
    assert root.layout == LIST
    assert root.hands[0].names == ["K", "Q", "J"]
    assert bluff <= 1 / 3 + 1e-2
    assert frequency(root, "K", "b") == pytest.approx(3 * bluff, abs=2e-2)
    assert frequency(root, "Q", "x") == pytest.approx(1, abs=1e-2)
    assert frequency(checked, "J", "b") == pytest.approx(1 / 3, abs=1e-2)
    assert frequency(bet, "Q", "c") == pytest.approx(1 / 3, abs=1e-2)
    assert frequency(explorer.at("x-b"), "Q", "c") == pytest.approx(bluff + 1 / 3, abs=2e-2)
    assert root.evs == pytest.approx((-1 / 18, 1 / 18), abs=1e-4)
    assert (root.pot, bet.pot, bet.to_call) == (2, 3, 1)
    assert explorer.at("b-f").evs == (1, -1)
    assert explorer.at("b-c").ending == "showdown"


def test_leduc_shows_ranks_and_the_card_on_the_table() -> None:
    explorer = open_explorer(runout.solve_game("leduc", iterations=1000))
    root = explorer.at("")
    assert root.evs is not None
    assert root.evs[0] == pytest.approx(-0.0856, abs=2e-3)
    assert root.hands[0].names == ["K", "Q", "J"]
    assert root.hands[0].combos.tolist() == [2, 2, 2]  # suits are one row
    called = explorer.at("b2-c")
    assert (called.kind, called.deals, called.pot) == (CHANCE, ("K", "Q", "J"), 6)
    raised = explorer.at("b2-c|K|x-b4")
    assert (raised.street, raised.board, raised.pot, raised.to_call) == ("round 2", ("K",), 10, 4)
    assert [action.token for action in raised.actions] == ["f", "c", "r8"]
    with pytest.raises(InputError, match="use K, Q, J"):
        explorer.at("b2-c|A")
    with pytest.raises(InputError, match="use x, b2"):
        explorer.at("r4")


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_small_games_are_the_same_at_every_public_node(game: str) -> None:
    """A node is worth what its actions are worth, each as often as it is taken; nothing is won in all."""
    explorer = open_explorer(runout.solve_game(game, iterations=200))
    for seed in range(20):
        for view in walk(explorer, np.random.default_rng(seed)):
            assert view.evs is not None
            assert sum(view.evs) == pytest.approx(0)
            if view.kind == DECISION:
                mixed = sum(action.frequency * (action.ev or 0.0) for action in view.actions)
                assert mixed == pytest.approx(view.evs[view.players.index(str(view.player))], abs=1e-9)
                own = view.hands[0]
                assert own.ev @ hand_weights(own) / hand_weights(own).sum() == pytest.approx(mixed, abs=1e-9)


def test_games_of_openspiel_list_what_players_know() -> None:
    pytest.importorskip("pyspiel")
    explorer = open_explorer(runout.solve_game("openspiel:kuhn_poker", iterations=5000))
    root = explorer.at("")
    assert root.hands[0].names == ["0", "1", "2"]
    assert [action.token for action in root.actions] == ["p", "b"]
    assert frequency(explorer.at("b"), "1b", "b") == pytest.approx(1 / 3, abs=2e-2)
    assert explorer.at("p-b-b").kind == TERMINAL
    assert explorer.at("p-b-b").ending is None


def test_a_run_of_training_opens_at_its_last_checkpoint(tmp_path: Path) -> None:
    runout.solve_game("kuhn", iterations=10).save(tmp_path / "checkpoint_10")
    (tmp_path / "latest").symlink_to("checkpoint_10")
    assert open_explorer(tmp_path).summary.iterations == 10


def test_what_is_no_solution_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a float is no solution"):
        open_explorer(3.5)
    with pytest.raises(runout.RunoutError, match="does not exist"):
        open_explorer(tmp_path / "nothing")
