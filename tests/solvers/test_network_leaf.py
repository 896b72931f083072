"""One street solved with the next valued by a network; subgames to learn from; networks that do not fit."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import runout
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS, combo, disjoint_combos
from runout.errors import InputError, SolutionError
from runout.explorers import open_explorer
from runout.explorers.node_reports import runouts
from runout.games.showdowns import run_out_matrix
from runout.games.spot import Spot
from runout.kernels.lines import AVERAGE
from runout.run import value_networks
from runout.run.spot_check import check_spot
from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solutions.output import Output
from runout.solvers.auto import range_schedule
from runout.solvers.neural.network_leaf import LeafSolver
from runout.solvers.neural.value_networks import KIND, NAME, ValueNetwork, load_network, weights_of
from runout.solvers.ranges import RangeGame, RangeSolver, first_street
from runout.solvers.subgames import opponents_met
from runout.solvers.value_subgames import RATIOS, ValueSubgame, draw, solve

RANGES = {"oop": "AA,KQs,JTs,98s,55,A5s:0.5", "ip": "KK,QJs,T9s,77,44,AQo:0.5"}
LATER = {"turn": {}, "river": {}}


def mean_ev(node: Any, seat: str) -> float:
    """Chips that a range gets of the pot."""
    hands = node.frame(seat)
    held = [combo(*cards(name)) for name in hands.index]
    return float(np.average(hands["ev"], weights=node.weights(seat)[held]))


class CheckedDown(torch.nn.Module):
    """Stands in for a network: every hand is checked down, exactly, on the boards of a solver."""

    def __init__(self, solver: LeafSolver, spot: Spot) -> None:
        super().__init__()
        boards, width = solver.game.boards[1], solver.streets[1].width
        self.won, self.met = (torch.zeros((len(boards.cards), *width)) for _ in range(2))
        for number, board in enumerate(boards.cards.tolist()):
            sides = [solver.hands(player, 1, number) for player in range(2)]
            every = np.unique(np.concatenate(sides))
            place = np.ix_(*(np.searchsorted(every, side) for side in sides))
            apart = disjoint_combos()[np.ix_(*sides)]
            result = run_out_matrix(board, every, spot.game())[place] * apart / 2
            self.won[number, : len(sides[0]), : len(sides[1])] = torch.tensor(result)
            self.met[number, : len(sides[0]), : len(sides[1])] = torch.tensor(apart.astype(np.float32))

    def forward(self, hands: Any, mean: Any, ranges: Any, ratio: Any) -> Any:
        first, second = ranges
        theirs = (second @ self.won.transpose(1, 2), second @ self.met.transpose(1, 2))
        own = (-(first @ self.won), first @ self.met)
        return tuple(won / met.clamp(min=1e-12) for won, met in (theirs, own))


@pytest.mark.parametrize("board", ["Td 9d 6h", "Td 9d 6h 2c"])
def test_where_later_streets_are_checked_down_it_is_the_exact_game_without_bets_there(board: str) -> None:
    street = "flop" if len(cards(board)) == 3 else "turn"
    betting = {**LATER, street: {"bet": "60%", "raise": "a"}, "max_bets": 2}
    spot = Spot(board=board, pot=100, stack=300, ranges=RANGES, betting=betting)
    schedule = range_schedule("dcfr")
    exact = RangeSolver(RangeGame.of(spot), schedule, 1)
    whole = RangeGame.of(spot.replace(solve={"leaf": "network"}))
    found = LeafSolver(first_street(spot, whole), schedule, ValueNetwork())
    found.network = CheckedDown(found, spot)  # type: ignore[assignment]
    for solver in (exact, found):
        solver.step(12)
    for player in range(2):
        scale = spot.pot * exact.ranges[1 - player].sum()
        values = [solver.values(player, AVERAGE) / scale for solver in (exact, found)]
        assert values[1] == pytest.approx(values[0], abs=2e-5)
    for node in range(exact.game.tree.streets[0].nodes):
        assert found.strategy(0, 0, node) == pytest.approx(exact.strategy(0, 0, node), abs=2e-3)
    assert found.exploitability() == pytest.approx(exact.exploitability(), abs=0.01)


def test_a_turn_by_the_network_is_near_the_exact_one_and_opens_again(tmp_path: Path) -> None:
    spot = Spot.default(board="Td 9d 6h Qc")
    quick = runout.solve(spot.replace(solve={"leaf": "network"}), target=0.3, output=tmp_path / "quick")
    exact = runout.solve(spot, target=0.3)
    assert "river valued by a network" in quick.title
    for seat in exact.root.players:
        assert mean_ev(quick.root, seat) == pytest.approx(mean_ev(exact.root, seat), abs=0.02 * spot.pot)
    quick.save(tmp_path / "again")
    opened = runout.load(tmp_path / "again")
    measured = runout.evaluate(opened)
    assert (measured.method, measured.exploitability) == ("by a value network", quick.exploitability)
    assert opened.root.frequencies == pytest.approx(quick.root.frequencies)
    river = opened.at("x-x|2h")  # solved when it is looked at
    assert river.resolved
    assert sum(river.frequencies) == pytest.approx(1)


def test_from_a_flop_one_goes_on_to_turns_and_rivers_that_are_solved_exactly() -> None:
    spot = Spot(
        board="Td 9d 6h", pot=100, stack=200, ranges=RANGES, betting={"flop": {"bet": "50%"}, "turn": {"bet": "50%"}},
        solve={"leaf": "network", "iterations": 20},
    )  # fmt: skip
    found = runout.solve(spot)
    turn, river = found.at("x-x|2c"), found.at("x-x|2c|x-x|3c")
    assert turn.resolved
    assert river.resolved
    assert "later streets by a network" in open_explorer(found).summary.title
    with pytest.raises(InputError, match="deal a card"):
        runouts(open_explorer(found), "x-x")
    assert len(turn.frequencies) == len(turn.actions) == 2
    assert sum(mean_ev(turn, seat) for seat in turn.players) == pytest.approx(spot.pot, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"board": "Td 9d 6h Qc 2c"}, "nothing comes after a river"),
        ({"rake": {"percent": 5}}, "knows no rake"),
        ({"locks": [{"line": "x", "strategy": {"x": 1.0}}]}, "knows no locks"),
        ({"solve": {"leaf": "network", "storage": "int16"}}, "use float32"),
    ],
    ids=["river", "rake", "locks", "int16"],
)
def test_what_networks_do_not_know_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Spot.default(**{"solve": {"leaf": "network"}} | change)


def test_it_is_not_resumed_and_takes_the_place_of_no_exact_solution(tmp_path: Path) -> None:
    spot = Spot.default(board="Td 9d 6h Qc", solve={"leaf": "network", "iterations": 2})
    runout.solve(spot, output=tmp_path / "spot")
    with pytest.raises(InputError, match="cannot be resumed"):
        runout.solve(resume=tmp_path / "spot", iterations=4)
    for exact in (True, True, False):  # in place of the first, of itself, and then the other way round
        chosen = spot.replace(solve={"iterations": 2, "leaf": "none"}) if exact else spot
        with (
            nullcontext() if exact else pytest.raises(SolutionError, match="--force"),
            Output(tmp_path / "spot") as held,
        ):
            runout.solve(chosen, output=held)


def test_several_are_solved_by_processes_and_little_memory_is_asked_for() -> None:
    spot = Spot.default(board="Td 9d 6h Qc", solve={"leaf": "network", "iterations": 2})
    found = runout.solve_many([spot, spot.replace(board="Td 9d 6h Qh")], workers=2)
    assert [one.iterations for one in found] == [2, 2]
    data = Spot.default().model_dump(mode="json", by_alias=True, exclude_none=True)
    quick = check_spot({**data, "solve": {"leaf": "network"}})
    assert quick.fits
    assert quick.float32 < check_spot(data).float32 / 100


# Subgames


@pytest.mark.parametrize("size", [4, 5])
def test_a_subgame_is_the_same_every_time_and_makes_sense(size: int) -> None:
    pots = value_networks.called_pots()
    for number in range(5):
        one, again = (draw(pots, size, 3, number) for _ in range(2))
        assert one.board == again.board
        assert np.array_equal(one.ranges, again.ranges)
        assert len(set(one.board)) == size
        assert one.ratio in RATIOS
        assert one.ranges.max(axis=1) == pytest.approx(1)
        assert not one.ranges[:, np.isin(COMBO_CARDS, one.board).any(axis=1)].any()
    assert draw(pots, size, 4, 0).board != draw(pots, size, 3, 0).board


def test_gains_add_up_to_nothing_and_with_no_chips_behind_they_are_the_equity() -> None:
    subgame = draw(value_networks.called_pots(), 5, 0, 1)
    gains, lost = solve(ValueSubgame(subgame.board, 0.05, subgame.ranges), 60)
    assert 0 <= lost < 0.5
    weights = np.where(subgame.live(), np.maximum(subgame.ranges, 1e-4), 0.0)
    total = 0.0
    for player in range(2):
        live = np.flatnonzero(weights[player])
        met = opponents_met(weights[1 - player], live)
        total += float(weights[player, live] * met @ gains[player, live])
    assert total == pytest.approx(0, abs=1e-2)
    live = np.flatnonzero(subgame.live())
    game = Spot.default(board="Td 9d 6h Qc 2c").game()
    won = run_out_matrix(subgame.board, live, game) / 2 * disjoint_combos()[np.ix_(live, live)]
    equity = won @ weights[1, live] / opponents_met(weights[1], live)
    assert gains[0, live] == pytest.approx(equity, abs=0.06)


def test_the_nuts_win_the_pot_and_more() -> None:
    board = cards("As Ks Qs 2h 3d")
    ranges = np.zeros((2, 1326))
    ranges[0, combo(*cards("Js Ts"))] = 1
    ranges[1, [combo(*cards(hand)) for hand in ("Ad Ah", "7c 6c")]] = 1
    gains, _ = solve(ValueSubgame(tuple(board), 1.0, ranges), 200)
    assert gains[0, combo(*cards("Js Ts"))] > 0.499
    assert gains[1, combo(*cards("7c 6c"))] == pytest.approx(-0.5, abs=1e-2)


# Data and networks on disk


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(value_networks, "PART", {"turn": 2, "river": 24})
    for number in range(3):
        value_networks.make_part((tmp_path, "river", number, 0))
    return tmp_path


def test_fitting_lowers_the_error_and_what_is_saved_says_the_same(data: Path, capsys: Any) -> None:
    value_networks.main(["fit", str(data), "--street", "river", "--seconds", "4", "-o", str(data / "net")])
    said = [float(line.split("Huber ")[1].split()[0]) for line in capsys.readouterr().out.splitlines()]
    assert said[-1] < 0.8 * said[0]
    network, reached = load_network(5, data / "net")
    assert reached["huber"] == pytest.approx(said[-1], abs=1e-5)
    assert weights_of(network).tolist() == read_bundle(data / "net").arrays[NAME].tolist()
    with pytest.raises(SolutionError, match="of the river, not of the turn"):
        load_network(4, data / "net")
    write_bundle(data / "odd", Bundle(KIND, {"street": "river"}, {}, {NAME: np.zeros(7, np.float32)}))
    with pytest.raises(SolutionError, match="weights, not 7"):
        load_network(5, data / "odd")


def test_data_that_is_cut_short_or_no_number_is_refused(data: Path) -> None:
    part = data / "river-00001"
    values = part / "values.npy"
    values.write_bytes(values.read_bytes()[:-1000])
    with pytest.raises(SolutionError, match="river-00001"):
        value_networks.fit(data, "river", 1)
    arrays = dict(read_bundle(data / "river-00002").arrays)
    arrays["ratios"] = np.full_like(arrays["ratios"], np.nan)
    write_bundle(part, Bundle(value_networks.KIND, {}, {}, arrays))
    with pytest.raises(InputError, match="no number"):
        value_networks.fit(data, "river", 1)
    arrays["boards"] = arrays["boards"][:3]
    write_bundle(part, Bundle(value_networks.KIND, {}, {}, arrays))
    with pytest.raises(SolutionError, match="make it again"):
        value_networks.fit(data, "river", 1)


def test_making_goes_on_where_it_was_stopped(data: Path, capsys: Any) -> None:
    before = {path: path.stat().st_mtime_ns for path in value_networks.parts(data, "river")}
    value_networks.main(["make", str(data), "--rivers", "72", "--workers", "1"])
    assert {path: path.stat().st_mtime_ns for path in value_networks.parts(data, "river")} == before
    assert capsys.readouterr().out == ""
