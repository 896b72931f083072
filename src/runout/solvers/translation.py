"""Bets of any size as bets of a tree: where a hand stands in the tree of a blueprint that has other sizes.

A bet of x pots between two sizes A < B of the tree is taken as A with the pseudo-harmonic odds of Ganzfried and
Sandholm (2013): (B - x)(1 + A) / ((B - A)(1 + x)). Which of the two it is, is drawn by what everybody saw, so that a
hand is always read in the same way. Below the smallest size, A is a check or a call, 0 pots: else too many hands would
be folded to a small bet. Above the largest it is the largest.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from runout.games.betting import CALL, CHECK, FOLD, Action, BettingState


def pseudo_harmonic(low: float, high: float, bet: float) -> float:
    """The odds that a bet is taken as the lower of two sizes, all in pots."""
    if bet <= low or high <= low:
        return 1.0
    return 0.0 if bet >= high else (high - bet) * (1 + low) / ((high - low) * (1 + bet))


def pots(state: BettingState, amount: int) -> float:
    """A bet or raise to this total as a share of the pot after calling."""
    return (amount - state.facing) / (state.pot + state.to_call)


def translated(
    state: BettingState, action: Action, there: BettingState, offered: Sequence[Action], draw: float
) -> int | None:
    """The number of the offered action of the tree, at `there`, that an action at `state` is taken as; draw in [0, 1).

    None where the tree offers no bet or raise any more. A call is a check where a small bet was taken as one.
    """
    passive = [(0.0, number) for number, one in enumerate(offered) if one.kind in (CHECK, CALL)]
    if action.kind in (CHECK, CALL):
        return passive[0][1] if passive else None
    if action.kind == FOLD:
        return next((number for number, one in enumerate(offered) if one.kind == FOLD), None)
    sizes = [
        (pots(there, one.amount), number) for number, one in enumerate(offered) if one.kind not in (FOLD, CHECK, CALL)
    ]
    if not sizes:
        return None
    wanted = pots(state, action.amount)
    lower = [size for size in sizes if size[0] <= wanted] or passive
    higher = [size for size in sizes if size[0] > wanted]
    if not lower or not higher:
        return min(higher)[1] if higher else max(lower)[1]
    low, high = max(lower), min(higher)
    return low[1] if draw < pseudo_harmonic(low[0], high[0], wanted) else high[1]


def draw_of(seed: int, *seen: object) -> float:
    """A number in [0, 1) that depends on a seed and on what everybody saw."""
    return zlib.crc32(repr((seed, seen)).encode()) / 2**32
