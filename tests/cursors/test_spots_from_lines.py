"""From a line of another solution to a spot: ranges, pot and stacks as they are there."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runout.cards.ranges import Range
from runout.cursors.preflop_solution import PreflopSolution
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.run.preflop import solve_preflop


@cache
def solved() -> PreflopSolution:
    return solve_preflop(Preflop(stack_depth=20, raise_sizes=[2.5, 6]), iterations=100)


def test_a_called_raise_becomes_a_spot() -> None:
    node = solved().at("SBr2.5 BBc")
    spot = node.spot("Qs Jh 2h")
    assert (spot.board, spot.pot, spot.stack, spot.big_blind) == ("Qs Jh 2h", 500, 1750, 100)
    for seat, player in (("oop", "BB"), ("ip", "SB")):
        reach, weights = node.reach(player), Range(getattr(spot.ranges, seat)).weights
        np.testing.assert_allclose(weights[weights > 0], (reach / reach.max())[weights > 0], atol=1e-4)
        assert weights.max() == 1
    assert spot.betting == Spot.default().betting
    assert spot.players == ("BB", "SB")
    assert node.spot("QsJh2h", betting={"flop": {"bet": "33%"}}).betting.flop.bet == "33%"


def test_a_spot_of_a_spot_begins_where_its_street_does() -> None:
    first = solve(Spot.default(), iterations=2)
    deeper = first.root.play("check").play("check").deal("2c")
    spot = deeper.spot()
    assert (spot.board, spot.pot, spot.stack, spot.positions) == ("Td 9d 6h 2c", 200, 900, None)
    assert first.root.play("check").play("check").spot("2c 3c").board == "Td 9d 6h 2c 3c"


@pytest.mark.parametrize(
    ("line", "board", "why"),
    [
        ("SBr2.5", "Qs Jh 2h", "no spot begins"),
        ("SBf", "Qs Jh 2h", "no spot begins"),
        ("SBr2.5 BBc", "", "not 0"),
        ("SBr2.5 BBc", "Qs Qs 2h", "twice"),
    ],
)
def test_what_is_no_spot_is_refused(line: str, board: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        solved().at(line).spot(board)


def test_a_line_that_hardly_any_hand_takes_is_refused() -> None:
    """A raise of ten blinds in a game in which two and a half do as well, after many iterations."""
    wide = solve_preflop(Preflop(stack_depth=100, raise_sizes=[[2.5, 25], [60]]), iterations=3000)
    assert wide.at("SBr25 BBc").reach("SB").sum() < 0.1
    with pytest.raises(InputError, match=r"SB gets to .* with 0\.00.*% of hands"):
        wide.at("SBr25 BBc").spot("Qs Jh 2h")
