"""Situations before the flop under the names that players give them, and what is left of the hand as a spot."""

from __future__ import annotations

import pytest

import runout
from runout import Range
from runout.errors import InputError
from runout.explorers import open_explorer
from runout.explorers.situations import situations
from runout.games.preflop import Preflop
from runout.run.line_spots import line_spot
from runout.run.preflop import solve_preflop
from runout.run.tabular import solve_game


def test_a_push_or_fold_game_has_two_decisions_and_no_flop() -> None:
    solution = solve_preflop(Preflop.push_fold(10), target=5)
    found = situations(open_explorer(solution))
    assert [(one.line, one.name, one.kind) for one in found] == [
        ("", "SB first in", "decision"),
        ("SBa", "BB vs all-in", "decision"),
    ]
    assert found[1].share == pytest.approx(solution.root.frequencies[1])
    assert [one.pot for one in found] == [1.5, 11.0]


def test_lines_of_a_chart_have_the_names_of_players() -> None:
    found = {one.name: one for one in situations(open_explorer(runout.open_chart(100)))}
    assert found["SB vs 3-bet"].line == "SBr2.5 BBr10"
    assert found["SB limp vs raise"].line == "SBc BBr3.5"
    assert found["single-raised pot"].line == "SBr2.5 BBc"
    assert (found["3-bet pot"].kind, found["3-bet pot"].pot) == ("flop", 20.0)
    assert [one for one in found if "pot" in one] == list(found)[-7:]  # decisions come first


def test_of_several_sizes_the_most_common_is_followed() -> None:
    solution = solve_preflop(Preflop(stack_depth=30, raise_sizes=[["2", "3"], ["a"]]), iterations=200)
    root = solution.root
    often = dict(zip(root.actions, root.frequencies, strict=True))
    chosen = max((name for name in often if name.startswith(("raise", "all-in"))), key=lambda name: often[name])
    faced = next(one for one in situations(open_explorer(solution)) if one.name in ("BB vs raise", "BB vs all-in"))
    assert faced.line == root.play(chosen).line
    assert faced.share == pytest.approx(often[chosen])


def test_small_games_have_no_situations() -> None:
    with pytest.raises(InputError, match="before the flop"):
        situations(open_explorer(solve_game("kuhn", iterations=5)))


def test_a_line_becomes_a_spot_with_readable_ranges_and_a_tree_that_fits() -> None:
    node = runout.open_chart(100).at("SBr2.5 BBr10 SBc")
    settings = line_spot(node, "Qs Jh 2h")
    spot = runout.Spot(**settings)
    assert (spot.board, spot.pot, spot.stack, spot.big_blind) == ("Qs Jh 2h", 2000, 9000, 100)
    exact = node.spot("Qs Jh 2h")
    for side in ("oop", "ip"):
        rounded, whole = Range(settings["ranges"][side]).weights, Range(getattr(exact.ranges, side)).weights
        assert abs(rounded - whole).max() <= 0.025 + 1e-9
        assert set((20 * rounded).round(6) % 1) == {0}
    assert settings["betting"]["flop"]["bet"] == "33 75"  # a small pot for its stacks: the richest menu fits
    assert line_spot(runout.open_chart(100).at("SBr2.5 BBc"))["betting"]["flop"]["bet"] == "50"
    with pytest.raises(InputError, match="no spot begins"):
        line_spot(runout.open_chart(100).at("SBr2.5"))
