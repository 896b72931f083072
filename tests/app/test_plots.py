"""Curves in the terminal: a straight line is a diagonal, and what cannot be drawn is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from runout.app.plots import save_plot, terminal_plot
from runout.errors import InputError


def test_a_power_law_is_a_diagonal() -> None:
    lines = terminal_plot({"cfr": [(10**i, 10.0**-i) for i in range(5)]}, "mA/g", width=49, height=10, color=False)
    body = [line.split("│")[1] for line in lines[:10]]
    starts = [len(row) - len(row.lstrip()) for row in body]
    assert starts == sorted(starts)
    assert body[0].strip()
    assert body[9].strip()
    assert "10,000" in lines[10]
    assert lines[11].endswith("exploitability (mA/g) by iteration: cfr")


def test_several_curves_without_colour_are_told_apart_by_letters() -> None:
    curves = {"cfr": [(1, 1.0), (100, 0.1)], "cfr+": [(1, 1.0), (100, 0.001)]}
    text = "\n".join(terminal_plot(curves, "mA/g", color=False))
    assert "a = cfr  b = cfr+" in text
    assert "aaa" in text.split("└")[0]
    assert "b" in text.split("└")[0]


@pytest.mark.parametrize("curve", [[], [(10, 1.0)], [(0, 1.0), (0, 2.0)], [(1, 0.0), (2, -1e-17), (3, float("nan"))]])
def test_a_curve_without_two_points_is_not_drawn(curve: list[tuple[int, float]]) -> None:
    assert terminal_plot({"cfr": curve}, "mA/g") == []


def test_a_flat_curve_is_drawn() -> None:
    assert len(terminal_plot({"cfr": [(1, 0.5), (10, 0.5)]}, "mA/g", color=False)) == 16


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"use a name that ends in \.png or \.svg"):
        save_plot(tmp_path / "curve.gif", {"cfr": [(1, 1.0), (2, 0.5)]}, "kuhn", "mA/g")


def test_the_same_curve_is_the_same_svg(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save_plot(tmp_path / name, {"cfr": [(1, 1.0), (10, 0.0), (100, 0.1)]}, "kuhn", "mA/g")
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()
