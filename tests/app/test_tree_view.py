"""The printed betting tree: what it says, and that a large tree stays readable."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from runout.app.cli.tree_view import lines_below, show_tree
from runout.errors import InputError
from runout.games.spot import Spot

RIVER = Spot.default(board="QsJh2h3c4c", pot=100, stack=200, betting={"river": {"bet": "50%", "raise": "a"}})
LARGE = Spot.default(
    pot=60,
    stack=300,
    betting={name: {"bet": "33%, 75%, a", "raise": "2.5x, a"} for name in ("flop", "turn", "river")},
)


def printed(what: RenderableType) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=100, no_color=True).print(what)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_river_in_full() -> None:
    assert printed(lines_below(RIVER.tree())) == [
        "OOP  river: pot 100, 200 behind",
        "├── check",
        "│   ├── check  showdown",
        "│   └── bet 50",
        "│       ├── fold",
        "│       ├── call  showdown",
        "│       └── all-in 200",
        "│           ├── fold",
        "│           └── call  showdown",
        "└── bet 50",
        "    ├── fold",
        "    ├── call  showdown",
        "    └── all-in 200",
        "        ├── fold",
        "        └── call  showdown",
    ]


def test_a_large_tree_fits_and_counts_what_it_leaves_out() -> None:
    tree = LARGE.tree()
    assert tree.nodes > 900
    lines = printed(show_tree(tree, rows=40))
    assert len(lines) < 55
    assert any(line.startswith("all") and f"{tree.nodes:,}" in line for line in lines)
    shown = printed(lines_below(tree, rows=1))
    left_out = [int(line.split("…")[1].split()[0].replace(",", "")) for line in shown if "…" in line]
    assert sum(left_out) == tree.nodes - 1


def test_a_line_further_down() -> None:
    assert printed(lines_below(LARGE.tree(), "x-x", rows=3))[0] == "OOP  turn: pot 60, 300 behind"
    with pytest.raises(InputError, match="nothing below it"):
        lines_below(LARGE.tree(), "b20-f")
