"""Nodes as CSV and JSON: numbers that a person can work out, for every kind of solution."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from runout.cursors.tables import acting_first, decisions_below, node_record, write_csv
from runout.cursors.view import Explorer
from runout.explorers import open_explorer
from runout.games.flop_holdem import FlopHoldem
from runout.games.preflop import Preflop, push_fold_settings
from runout.games.spot import Spot
from runout.run.flop_holdem import solve_flop_holdem
from runout.run.postflop import solve
from runout.run.preflop import solve_preflop
from runout.run.tabular import solve_game

RIVER: dict[str, Any] = {
    "board": "2c 3h 4d 5s 9s",
    "pot": 100,
    "stack": 50,
    "ranges": {"oop": "AA,KK", "ip": "QQ"},  # AA makes a straight, KK beats QQ: OOP always wins
    "betting": {"river": {"bet": "a", "raise": ""}},
    "solve": {"target": 0.05, "threads": 1},
}


@pytest.fixture(scope="module")
def river() -> Explorer:
    return open_explorer(solve(Spot(**RIVER)))


def rows(explorer: Explorer, line: str = "") -> list[dict[str, str]]:
    out = io.StringIO()
    write_csv(out, ((view, hands) for view in decisions_below(explorer, line) for hands in acting_first(view)))
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def test_csv_of_a_river_that_one_player_always_wins(river: Explorer) -> None:
    found = rows(river)
    assert {row["line"] for row in found} == {"", "x", "a", "x-a"}
    root = [row for row in found if row["line"] == "" and row["player"] == "oop"]
    assert [row["hand"] for row in root][:1] == ["AsAh"]
    assert len(root) == 12
    for row in root:
        assert (row["board"], row["pot"], row["reach"], row["combos"]) == ("2c 3h 4d 5s 9s", "100", "1", "1")
        assert float(row["equity"]) == 1
        assert float(row["check"]) + float(row["all-in 50"]) == pytest.approx(1, abs=1e-6)
    waits = [row for row in found if row["line"] == "" and row["player"] == "ip"]
    assert {row["check"] for row in waits} == {row["ev check"] for row in waits} == {""}
    facing = [row for row in found if row["line"] == "a" and row["player"] == "ip"]
    for row in facing:
        assert float(row["ev fold"]) == pytest.approx(0, abs=1e-4)
        assert float(row["ev call"]) == pytest.approx(-50, abs=1e-4)
    assert {row["category"] for row in root} == {"straight", "overpair"}


def test_json_of_a_node(river: Explorer) -> None:
    found = node_record(river.at("a"))
    assert (found["line"], found["player"], found["pot"], found["unit"]) == ("a", "ip", 150, "chips")
    assert found["actions"] == ["fold", "call"]
    assert sum(found["ev"]) == pytest.approx(150, abs=1e-3)
    assert found["equity"] == [1, 0]
    assert found["ip"]["action_evs"][1] == pytest.approx([-50] * 6, abs=1e-4)
    assert "strategy" not in found["oop"]
    assert list(found)[-2:] == ["ip", "oop"]
    assert node_record(river.at("a-f"))["actions"] == []


def test_games_from_the_blinds_on_are_in_big_blinds() -> None:
    preflop = open_explorer(solve_preflop(Preflop(**push_fold_settings(10)), target=5.0))
    table = rows(preflop)
    assert len(table) == 2 * 2 * 169
    assert (table[0]["hand"], table[0]["combos"], table[0]["pot"]) == ("AA", "6", "1.5")
    assert {row["ev fold"] for row in table if row["line"] == "" and row["player"] == "SB"} == {"-0.5"}
    game = FlopHoldem.of({"ranks": 4, "suits": 2, "solve": {"iterations": 4}})
    flop = [node_record(view) for view in decisions_below(open_explorer(solve_flop_holdem(game)), "")]
    assert flop[0]["actions"] == ["fold", "call", "raise to 2"]
    assert flop[0]["unit"] == "bb"
    assert {node["board"] == [] for node in flop} == {True}  # up to the flop, not beyond
    assert len(flop) == 8


def test_small_games_have_hands_and_no_board() -> None:
    kuhn = open_explorer(solve_game("kuhn", iterations=50))
    found = {node["line"]: node for node in map(node_record, decisions_below(kuhn, ""))}
    assert list(found) == ["", "x", "x-b", "b"]
    assert found["b"]["player 2"]["hands"] == ["K", "Q", "J"]
    assert found["b"]["player 2"]["action_evs"][0] == [-1, -1, -1]  # folding loses the ante
    assert found["b"]["equity"] == []
