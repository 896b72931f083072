"""From a line of a chart to a spot that can be set up: its ranges as people write them, pot, stack, and sizes that fit.

Ranges are rounded to a twentieth, so that they read as ranges. Sizes are the richest of a few usual menus whose tree
takes no more memory than a minute or two of solving needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runout import memory
from runout.cards.ranges import Range
from runout.cursors.cursor import Node
from runout.run.spot_check import check_spot

ANY_FLOP = "Ks 7h 2d"  # for a line that comes without cards: ranges, pot and stack do not depend on them
MOST_BYTES = 3_000_000_000  # of a tree that is offered unasked, in int16
_STEP = 20  # weights are whole twentieths
_FORCE = 0.25
_MENUS = (("33 75", "66", "75", 3), ("33 75", "66", "75", 2), ("50", "66", "75", 2), ("50", "66", "75", 1))


def line_spot(node: Node, board: str = "") -> dict[str, Any]:
    """Settings of the spot that begins at a node (keys of a spot file); an InputError where none does."""
    begun = node.view.board
    spot = node.spot(board or ("" if begun else ANY_FLOP))
    settings: dict[str, Any] = {
        "board": spot.board,
        "pot": spot.pot,
        "stack": spot.stack,
        "ranges": {"oop": _readable(spot.ranges.oop), "ip": _readable(spot.ranges.ip)},
        "solve": {"target": 0.5, "storage": "int16"},
    }
    if spot.big_blind is not None:
        settings["big_blind"] = spot.big_blind
    if spot.positions is not None:
        settings["positions"] = list(spot.positions)
    return {**settings, "betting": _sizes(settings)}


def _readable(text: str) -> str:
    """A range with weights in twentieths; its most likely hand has weight 1, so some are left."""
    return str(Range(np.round(Range(text).weights * _STEP) / _STEP))


def _sizes(settings: dict[str, Any]) -> dict[str, Any]:
    """The richest menu whose tree is small enough; the leanest where none is."""
    most = min(MOST_BYTES, memory.available() // 2)
    found: dict[str, Any] = {}
    for flop, turn, river, bets in _MENUS:
        streets = {
            name: {"bet": sizes, "raise": "60"}
            for name, sizes in zip(("flop", "turn", "river"), (flop, turn, river), strict=True)
        }
        found = {**streets, "force_all_in": _FORCE, "max_bets": bets}
        if check_spot({**settings, "betting": found}).int16 <= most:
            break
    return found
