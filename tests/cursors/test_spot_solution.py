"""Solutions of postflop spots and their cursor: numbers that must add up, and moves that must be possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runout
from reference.spots import look
from runout.cards.cards import card
from runout.cards.hands import COMBO_CARDS, COMBO_CLASS, class_index, disjoint_combos
from runout.cards.suits import SUIT_PERMUTATIONS, combo_images
from runout.cursors.cursor import CHANCE, DECISION, TERMINAL, Node
from runout.cursors.spot_solution import SpotSolution
from runout.errors import InputError
from runout.explorers.node_reports import common_lines, runouts

SIZES = {"bet": "50%, 120%", "raise": "60%"}
BETTING = {"flop": SIZES, "turn": SIZES, "river": SIZES, "force_all_in": 0.1}


def make_spot(board: str, **changes: Any) -> runout.Spot:
    data: dict[str, Any] = {
        "board": board,
        "pot": 100,
        "stack": 200,
        "ranges": {"oop": "QQ+,AKs,AQs:0.5,T9s,65s", "ip": "JJ-99,AQs,KQs,87s:0.25,A5s"},
        "betting": BETTING,
    }
    return runout.Spot(**(data | changes))


@pytest.fixture(scope="module")
def turn() -> SpotSolution:
    return runout.solve(make_spot("Qs Jh 2h 3s"), target=0.2)


@pytest.fixture(scope="module")
def river() -> SpotSolution:
    return runout.solve(make_spot("Qs Jh 2h 3s 9d"), target=0.05)


def walk(node: Node, rng: np.random.Generator) -> Iterator[Node]:
    """A random line to its end."""
    yield node
    while node.kind != TERMINAL:
        node = (
            node.play(str(rng.choice(node.actions)))
            if node.kind == DECISION
            else node.deal(str(rng.choice(node.deals)))
        )
        yield node


def weight(node: Node) -> float:
    """Of all pairs of hands; over that of the root it is the probability of the line's actions."""
    return float(node.weights("oop").sum())


def held(node: Node) -> np.ndarray:
    """bool [1326]: hands of the player to act that the board leaves in the range."""
    return ~np.isnan(node.strategy()[0])


def test_both_evs_add_up_to_the_pot_at_every_node(turn: SpotSolution) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        for node in walk(turn.root, rng):
            if weight(node) > 1e-6 * weight(turn.root):
                assert sum(node.evs) == pytest.approx(node.pot, rel=1e-4), node
                assert sum(node.equities) == pytest.approx(1)


def test_frequencies_and_strategies_add_up_to_one(turn: SpotSolution) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        for node in walk(turn.root, rng):
            if node.kind != DECISION:
                assert node.frequencies == []
                continue
            assert sum(node.frequencies) == pytest.approx(1)
            here, on_table = held(node), [card(name) for name in node.board]
            assert node.strategy().sum(axis=0)[here] == pytest.approx(1)
            assert node.range().weights[~here].max() == 0
            assert not np.isin(COMBO_CARDS[here], on_table).any()


def test_the_ev_of_a_hand_is_its_mix_of_the_evs_of_its_actions(turn: SpotSolution) -> None:
    for node in turn.nodes():
        mixed = (node.strategy() * node.action_evs()).sum(axis=0)
        np.testing.assert_allclose(mixed, node.ev(), rtol=1e-4, atol=1e-3)


def test_playing_on_gives_the_actor_what_the_action_promised(turn: SpotSolution) -> None:
    node = turn.root.play("check")
    for name, promised in zip(node.actions, node.action_evs(), strict=True):
        after = node.play(name)
        assert node.stacks is not None
        assert after.stacks is not None
        put_in = node.stacks[1] - after.stacks[1]
        np.testing.assert_allclose(after.ev(player="ip") - put_in, promised, rtol=1e-4, atol=2e-3)


def test_a_deal_to_come_is_worth_the_mean_over_the_cards(turn: SpotSolution) -> None:
    node = turn.root.play("check").play("check")
    rows = runouts(turn.explorer, node.line)
    assert len(rows) == 48
    assert sum(row.share for row in rows) == pytest.approx(1)
    for side in range(2):
        assert all(row.evs is not None and row.equities is not None for row in rows)
        assert sum(row.share * row.evs[side] for row in rows) == pytest.approx(node.evs[side], rel=1e-3)
        assert sum(row.share * row.equities[side] for row in rows) == pytest.approx(node.equities[side])


def test_values_agree_with_the_solver(turn: SpotSolution) -> None:
    solver = turn.solver
    assert solver is not None
    for number, node in enumerate(turn.nodes()):
        view = look(solver, 0, 0, number)
        for side, name in enumerate(("oop", "ip")):
            hands = solver.hands(side, 0, 0)
            np.testing.assert_allclose(node.reach(name)[hands], view.reach[side], rtol=1e-5, atol=1e-9)
            met = disjoint_combos()[hands][:, solver.hands(1 - side, 0, 0)] @ view.reach[1 - side]
            some = met > 1e-4
            expected = (
                view.value[side] / np.where(some, met, 1)
                + turn.spot.pot / 2
                + turn.spot.stack
                - (node.stacks or (0, 0))[side]
            )
            np.testing.assert_allclose(node.ev(player=name)[hands][some], expected[some], rtol=1e-3, atol=1e-3)


def test_equity_is_that_of_the_ranges_on_the_board(turn: SpotSolution, river: SpotSolution) -> None:
    for node in (turn.root, turn.at("x-b50"), turn.at("x-x|7d"), river.root.play("check")):
        found = runout.equity(node.range("oop"), node.range("ip"), " ".join(node.board))
        assert node.equities == pytest.approx(found.equity)
        held = ~np.isnan(found.hands[0])
        np.testing.assert_allclose(node.equity(player="oop")[held], found.hands[0][held])


def test_checked_down_every_hand_gets_its_equity() -> None:
    everything = {"oop": "random", "ip": "random"}
    silent = {"flop": {}, "turn": {}, "river": {}}
    solution = runout.solve(make_spot("Qs Jh 2h 3s", ranges=everything, betting=silent), iterations=10)
    assert solution.root.evs == pytest.approx((50, 50))
    node = solution.at("x-x|7d|x")
    np.testing.assert_allclose(node.ev(), node.equity() * 100, rtol=1e-4, atol=1e-3)
    assert node.eqr("AcKc", "oop") == pytest.approx(1, abs=1e-4)
    assert node.eqrs == pytest.approx((1, 1), abs=1e-4)


def test_rake_is_what_is_missing_from_the_pot() -> None:
    solution = runout.solve(make_spot("Qs Jh 2h 3s 9d", rake={"percent": 5, "cap": 8}), iterations=50)
    assert sum(solution.at("x-x").evs) == pytest.approx(95, rel=1e-4)
    assert sum(solution.at("b50-c").evs) == pytest.approx(200 - 8, rel=1e-4)
    assert sum(solution.at("b50-f").evs) == pytest.approx(150 - 5, rel=1e-4)  # an uncalled bet is not raked
    assert 92 <= sum(solution.root.evs) <= 95


def test_a_hand_a_class_and_all_sixteen(river: SpotSolution) -> None:
    node = river.root
    assert list(node.strategy("AsAh")) == node.actions == ["check", "bet 50", "bet 120"]
    combos = np.flatnonzero(np.isin(COMBO_CLASS, class_index("AQs")) & (node.weights() > 0))
    weights = node.weights()[combos]
    assert node.ev("AQs") == pytest.approx(node.ev()[combos] @ weights / weights.sum())
    assert node.ev(by="class")[class_index("AQs")] == pytest.approx(node.ev("AQs"))
    assert node.strategy(by="class").shape == (3, 169)
    assert node.equity("AK") == pytest.approx(node.equity("AKs"))  # no offsuit hands in the range
    assert np.isnan(node.ev("72o"))
    assert np.isnan(node.ev("QsQh"))  # blocked
    assert node.range().weight("AKs") == pytest.approx(1)


def test_the_weight_of_a_hand_counts_whom_it_can_meet(river: SpotSolution) -> None:
    node = river.root.play("bet 50")
    oop, ip = node.reach("oop"), node.reach("ip")
    met = disjoint_combos() @ ip
    np.testing.assert_allclose(node.weights("oop"), oop * met)
    assert node.evs[0] == pytest.approx(np.nansum(node.ev(player="oop") * oop * met) / (oop @ met))


def test_dominated_hands_do_as_they_should(river: SpotSolution) -> None:
    node = river.root.play("check").play("bet 120")
    assert node.to_call == 120
    assert node.pot == 220
    assert node.stacks == (200, 80)
    assert node.strategy("6c5c")["fold"] > 0.99
    assert node.strategy("QdQc")["fold"] < 0.01
    assert node.ev("6c5c") == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("board", ["Ah Kh Qh", "Ts 9h 2h"])
def test_deals_on_boards_solved_under_another_name_of_suits(board: str) -> None:
    tiny = {"flop": {"bet": "50%"}, "turn": {"bet": "50%"}, "river": {"bet": "50%"}}
    ranges = {"oop": "QQ,A5s,KTs,76s", "ip": "JJ,ATs,98s:0.5,55"}
    spot = make_spot(board, betting=tiny, ranges=ranges, stack=100)
    short = runout.solve(spot, target=0, iterations=2)  # later, rounding moves hands that are indifferent
    full = runout.solve(spot, target=0, iterations=2, isomorphism=False)
    assert len(short.game.boards[1].cards) < len(full.game.boards[1].cards) == 49
    rng = np.random.default_rng(3)
    for _ in range(25):
        turn_card, river_card = (str(c) for c in rng.choice(short.root.play("x").play("x").deals, 2, replace=False))
        for line in (
            f"x-x|{turn_card}|x",
            f"x-b50-c|{turn_card}|x-x|{river_card}|x",
            f"x-x|{turn_card}|b50-c|{river_card}",
        ):
            one, two = short.at(line), full.at(line)
            np.testing.assert_array_equal(held(one), held(two))
            np.testing.assert_allclose(one.reach("oop"), two.reach("oop"), atol=1e-5)
            for name in ("oop", "ip"):
                np.testing.assert_allclose(one.ev(player=name), two.ev(player=name), atol=1e-2)
                np.testing.assert_allclose(one.equity(player=name), two.equity(player=name), atol=1e-5)
            np.testing.assert_allclose(one.strategy(), two.strategy(), atol=1e-5)


def test_renamed_cards_give_renamed_numbers(turn: SpotSolution) -> None:
    swap = int(np.flatnonzero((SUIT_PERMUTATIONS == [1, 0, 2, 3]).all(axis=1))[0])  # clubs and diamonds
    node = turn.at("x-b50-c")
    clubs, diamonds = node.deal("7c"), node.deal("7d")
    np.testing.assert_array_equal(diamonds.ev(player="oop"), clubs.ev(player="oop")[combo_images()[swap]])
    np.testing.assert_array_equal(diamonds.strategy(), clubs.strategy()[:, combo_images()[swap]])
    assert clubs.ev("Tc9c") == diamonds.ev("Td9d")
    assert np.isnan(clubs.ev("8c7c", "ip"))
    assert not np.isnan(diamonds.ev("8c7c", "ip"))


def test_lines_are_addresses(turn: SpotSolution) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        for node in walk(turn.root, rng):
            again = turn.at(node.line)
            assert (again.line, again.kind, again.pot, again.board) == (node.line, node.kind, node.pot, node.board)
    node = turn.root.play("bet 50").play("CALL").deal("7c").play("x")
    assert node.line == "b50-c|7c|x"
    assert node.player == "ip"
    assert node.street == "river"
    assert node.board == ["Qs", "Jh", "2h", "3s", "7c"]
    assert [node.back().line, node.back().back().line, node.back().back().kind] == ["b50-c|7c", "b50-c", CHANCE]
    assert turn.root.back().line == ""
    assert turn.at("b120-a").line == turn.at("b120-r200").line == "b120-a"
    assert turn.at("b120-a-c").ending == "run-out"
    assert turn.at("b50-f").ending == "fold"


def test_moves_that_are_not_there_are_refused_with_what_is(turn: SpotSolution) -> None:
    with pytest.raises(InputError, match=r"'b94' is not possible: .* use 50, 120"):
        turn.root.play("b94")
    with pytest.raises(InputError, match="deal the river first"):
        turn.at("x-x-x")
    with pytest.raises(InputError, match="after the end: ip folded"):
        turn.at("b50-f-x")
    with pytest.raises(InputError, match="'r999' is not possible"):
        turn.root.play("b50-r999")  # both or nothing
    with pytest.raises(InputError, match="no action is given"):
        turn.root.play(" ")
    with pytest.raises(InputError, match="betting is not over"):
        turn.root.deal("7c")
    with pytest.raises(InputError, match="Qs is on the board"):
        turn.at("x-x|Qs")
    with pytest.raises(InputError, match="cannot read cards"):
        turn.at("x-x|?")
    with pytest.raises(InputError, match="unknown player 'button'"):
        turn.root.ev("AA", "button")
    with pytest.raises(InputError, match="say which player"):
        turn.at("x-x").ev("AA")
    with pytest.raises(InputError, match="unknown hand 'AX'"):
        turn.root.ev("AX")
    with pytest.raises(InputError, match="use 'combo' or 'class'"):
        turn.root.ev(by="suit")


def test_the_most_common_lines(turn: SpotSolution) -> None:
    every = common_lines(turn.explorer, "", 1000)
    assert sum(one.share for one in every) == pytest.approx(1)
    assert [one.share for one in every] == sorted((one.share for one in every), reverse=True)
    assert common_lines(turn.explorer, "", 3) == every[:3]
    first = every[0]
    assert turn.at(first.line).pot == first.pot
    assert first.share == pytest.approx(weight(turn.at(first.line)) / weight(turn.root))


def test_what_is_handed_out_can_be_changed_without_harm(river: SpotSolution) -> None:
    node = river.root.play("bet 50")
    for ask in (node.strategy, node.action_evs, node.ev, node.equity, node.reach, node.weights):
        first = ask()
        first[:] = 7
        np.testing.assert_array_equal(ask(), river.at("b50").__getattribute__(ask.__name__)())


def test_progress_events_and_stopping() -> None:
    events: list = []
    solution = runout.solve(make_spot("Qs Jh 2h 3s 9d"), target=1.0, progress=events.append)
    assert solution.exploitability <= 1.0
    assert [event.kind for event in events][-1] == "done"
    assert events[-1].unit == "% of the pot"
    assert solution.curve[-1] == (solution.iterations, solution.exploitability)
    again = runout.solve(make_spot("Qs Jh 2h 3s 9d"), target=0.0, iterations=1000, interrupted=lambda: True)
    assert 1 <= again.iterations <= 10
    blinds = runout.solve(make_spot("Qs Jh 2h 3s 9d", big_blind=10), target=1.0)
    assert blinds.exploitability_mbb == pytest.approx(blinds.exploitability * 100)
    assert solution.exploitability_mbb is None


def test_a_line_nobody_takes_still_shows_what_can_be_said() -> None:
    spot = make_spot("2c 2d 2h 2s 3c", ranges={"oop": "AA", "ip": "KK"}, stack=100)
    solution = runout.solve(spot, target=0, iterations=300)
    rng = np.random.default_rng(5)
    for _ in range(20):
        for node in walk(solution.root, rng):
            assert node.kind != DECISION or sum(node.frequencies) == pytest.approx(1)
            assert np.nan_to_num(node.ev(player="oop")).min() >= -0.01
