"""Reports over views: parts that must add up to the whole."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from reference.spots import spot
from runout.cards.categories import DRAWS
from runout.cursors.cells import cells
from runout.cursors.view import Explorer, realised
from runout.errors import InputError
from runout.explorers import open_explorer
from runout.explorers.node_reports import breakdown, common_lines, compare, equity_curve, runouts


@pytest.fixture(scope="module")
def turn() -> runout.Solution:
    sizes = {"bet": "60%", "raise": "60%"}
    ranges = "QQ+,AKs,AQs:0.5,T9s,65s", "JJ-99,AQs,KQs,A5s"
    return runout.solve(spot("Qs Jh 2h 3s", *ranges, 100, 200, sizes), target=0.3)


@pytest.fixture(scope="module")
def explorer(turn: runout.Solution) -> Explorer:
    return open_explorer(turn)


@pytest.mark.parametrize("line", ["", "x", "x-b60", "x-x|Ah"])
def test_cells_are_the_cursors_classes(turn: runout.Solution, explorer: Explorer, line: str) -> None:
    view, node = explorer.at(line), turn.at(line)
    for hands in view.hands:
        found = cells(view, hands)
        np.testing.assert_allclose(found.ev, node.ev(player=hands.player, by="class"))
        np.testing.assert_allclose(found.equity, node.equity(player=hands.player, by="class"))
        if hands.player == node.player:
            np.testing.assert_allclose(found.strategy, node.strategy(by="class"))
    assert [realised(view, name) for name in view.players] == pytest.approx(node.eqrs)


def test_cards_that_come_are_worth_what_the_deal_is_worth(turn: runout.Solution, explorer: Explorer) -> None:
    deal, rows = explorer.at("x-x"), runouts(explorer, "x-x")
    assert len(rows) == 48
    assert sum(row.share for row in rows) == pytest.approx(1)
    assert deal.evs is not None
    assert deal.equities is not None
    for side in range(2):
        assert sum(row.share * (row.evs or (0, 0))[side] for row in rows) == pytest.approx(deal.evs[side], rel=1e-4)
        mean = sum(row.share * (row.equities or (0, 0))[side] for row in rows)
        assert mean == pytest.approx(deal.equities[side], rel=1e-9)
    weights = [turn.at(row.line).weights("oop").sum() for row in rows]
    assert [row.share for row in rows] == pytest.approx([one / sum(weights) for one in weights])


def test_common_lines_are_all_that_can_happen(turn: runout.Solution, explorer: Explorer) -> None:
    found = common_lines(explorer, "", most=100)
    assert common_lines(explorer, "", most=3) == found[:3]
    assert sum(line.share for line in found) == pytest.approx(1)
    whole = turn.root.weights("oop").sum()
    for line in found:
        assert line.share == pytest.approx(turn.at(line.line).weights("oop").sum() / whole, abs=1e-9)


def test_kinds_of_hands_are_the_whole_range(explorer: Explorer) -> None:
    view = explorer.at("")
    rows = breakdown(view, "oop")
    assert sum(row.share for row in rows) == pytest.approx(1)
    assert sum(row.combos for row in rows) == pytest.approx(view.hands[0].weight.sum())
    for place, action in enumerate(view.actions):
        assert sum(row.share * row.frequencies[place] for row in rows) == pytest.approx(action.frequency)
        assert sum(row.parts[place] for row in rows) == pytest.approx(1)
    assert view.evs is not None
    assert sum(row.share * row.ev for row in rows) == pytest.approx(view.evs[0])
    assert not breakdown(view, "ip")[0].frequencies  # he waits


def test_a_hand_counts_for_each_of_its_draws(explorer: Explorer) -> None:
    view = explorer.at("")
    hands, rows = view.hands[0], {row.name: row for row in breakdown(view, "oop", draws=True)}
    for name in ("gutshot", "flush draw", "top kicker"):
        own = [weight for weight, labels in zip(hands.weight, hands.labels, strict=True) if name in labels]
        assert rows[name].combos == pytest.approx(sum(own)) if own else name not in rows
    without = [w for w, labels in zip(hands.weight, hands.labels, strict=True) if not set(labels) & set(DRAWS)]
    assert rows["no draw"].combos == pytest.approx(sum(without))


def test_the_equity_graph_rises_and_holds_the_ranges_equity(explorer: Explorer) -> None:
    view = explorer.at("x")
    for side, player in enumerate(view.players):
        curve = equity_curve(view, player)
        assert (np.diff(curve.equity) >= 0).all()
        assert curve.share[-1] == pytest.approx(1)
        parts = np.diff(np.concatenate([[0.0], curve.share]))
        assert view.equities is not None
        assert parts @ curve.equity == pytest.approx(view.equities[side])


def test_a_node_differs_from_itself_by_nothing_and_from_another_both_ways(explorer: Explorer) -> None:
    first, second = explorer.at("x-x|Ah"), explorer.at("x-x|2c")
    same = compare(first, first)
    assert np.nansum(np.abs(same.strategy)) == 0
    assert same.largest == []
    there, back = compare(first, second), compare(second, first)
    np.testing.assert_allclose(there.strategy, -back.strategy)
    np.testing.assert_allclose(there.ev, -back.ev)
    assert there.actions == ("x", "b60")
    assert sum(there.frequencies) == pytest.approx(0)
    assert there.largest
    with pytest.raises(InputError, match="different hands"):
        compare(first, open_explorer(runout.solve_game("kuhn", iterations=1)).at(""))


def test_reports_that_make_no_sense_are_refused(explorer: Explorer) -> None:
    with pytest.raises(InputError, match="no card comes"):
        runouts(explorer, "x")
    with pytest.raises(InputError, match="nobody acts"):
        common_lines(explorer, "x-x")
    with pytest.raises(InputError, match="no hands of 'SB'"):
        equity_curve(explorer.at(""), "SB")
