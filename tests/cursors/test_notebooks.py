"""What notebooks show: tables, matrices in colour, and short texts."""

from __future__ import annotations

import csv
import io
import re
import sys

import numpy as np
import pytest

import runout
from runout.cursors.tables import write_csv
from runout.cursors.view import hands_of
from runout.errors import InputError


@pytest.fixture(scope="module")
def solution() -> runout.SpotSolution:
    spot = runout.Spot(
        board="Td 9d 6h Qc 2h", pot=100, stack=150, ranges={"oop": "99+,AJs,KJs:0.5", "ip": "TT-88,AQs,87s"}
    )
    return runout.solve(spot, iterations=20)


@pytest.mark.parametrize("player", [None, "ip"])
def test_a_table_has_the_columns_of_an_export(solution: runout.SpotSolution, player: str | None) -> None:
    node = solution.root
    file = io.StringIO()
    write_csv(file, [(node.view, hands_of(node.view, player or "oop"))])
    head, *rows = csv.reader(io.StringIO(file.getvalue()))
    frame = node.frame(player)
    told = [name for name, *column in zip(head, *rows, strict=True) if any(column)]  # actions of who waits are empty
    shown = [name for name in frame.columns if name != "labels" or any(frame["labels"])]
    assert [name for name in told if name not in ("line", "board", "pot", "player", "hand")] == shown
    assert list(frame.index) == [row[head.index("hand")] for row in rows]
    assert frame["ev"].to_numpy() == pytest.approx([float(row[head.index("ev")]) for row in rows], rel=1e-6)


def test_rows_are_what_the_cursor_says(solution: runout.SpotSolution) -> None:
    node = solution.root
    frame, classes = node.frame(), node.frame(by="class")
    for combo in ("AsJs", "QsQd"):
        assert frame.loc[combo, "ev"] == pytest.approx(node.ev(combo))
        assert frame.loc[combo, node.actions].to_dict() == pytest.approx(node.strategy(combo))
    for name in ("QQ", "KJs"):
        assert classes.loc[name, "equity"] == pytest.approx(node.equity(name))
        assert classes.loc[name, node.actions].to_dict() == pytest.approx(node.strategy(name))
    assert classes.loc["KJs", "reach"] == pytest.approx(0.5)
    assert (classes["combos"] * classes["reach"]).sum() == pytest.approx((frame["combos"] * frame["reach"]).sum())
    assert "72o" not in classes.index


def test_small_games_have_tables_too() -> None:
    frame = runout.solve_game("kuhn", iterations=1000).root.frame(by="class")
    assert sorted(frame.index) == ["J", "K", "Q"]
    assert frame[["check", "bet"]].sum(axis=1).to_numpy() == pytest.approx(1)


def test_without_pandas_one_line_says_what_to_install(
    solution: runout.SpotSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match=r"pip install 'runout\[pandas\]'"):
        solution.root.frame()
    monkeypatch.undo()
    with pytest.raises(InputError, match="unknown grouping 'suit'"):
        solution.root.frame(by="suit")


def names_in(html: str) -> list[str]:
    return re.findall(r">([AKQJT2-9]{2}[so]?)<", html)


def test_a_matrix_has_every_class_and_fills_those_that_are_held(solution: runout.SpotSolution) -> None:
    html = solution._repr_html_()
    assert len(names_in(html)) == len(set(names_in(html))) == 169
    filled = set(re.findall(r'title="(\w+)\n', html))
    assert filled == {"AA", "KK", "QQ", "JJ", "TT", "99", "AJs", "KJs"}
    assert "#22c55e" in html  # check
    for action in solution.root.actions:
        assert f"{action} " in html
    assert "OOP to act" in html
    assert "% of the pot" in html
    assert len(html) < 60_000


def test_other_nodes_and_other_games_are_shown_too(solution: runout.SpotSolution) -> None:
    end = solution.root.play("check").play("check")
    assert "showdown" in end._repr_html_()
    kuhn = runout.solve_game("kuhn", iterations=100)._repr_html_()
    assert "kuhn" in kuhn
    assert all(f">{card}<" in kuhn for card in "JQK")


def test_a_range_is_drawn_by_weight() -> None:
    html = runout.Range("AA,AKs:0.5")._repr_html_()
    assert "8 combos" in html
    assert "100% 100% no-repeat" in html  # AA
    assert "100% 50% no-repeat" in html  # AKs
    assert html.count("no-repeat") == 2


def test_texts_are_short(solution: runout.SpotSolution) -> None:
    game = runout.solve_game("leduc", iterations=10)
    things = [
        solution, solution.spot, solution.root, solution.root.view, solution.root.view.hands[0], solution.bundle(),
        game, game.game, runout.equity("AA", "KK"), runout.Range(np.linspace(0, 1, 1326)), runout.Preflop.preset(),
        runout.solve_preflop(runout.Preflop.push_fold(5), iterations=5), runout.TrainConfig(game_type="kuhn"),
        runout.NoLimitHoldem(), runout.NoLimitHoldem().game(), runout.FlopHoldem(), runout.FlopGame(),
    ]  # fmt: skip
    for thing in things:
        assert len(repr(thing)) < 130, repr(thing)
        assert type(thing).__name__ in repr(thing)
