"""Strength of a hand against a random one, by listing everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from runout.cards.evaluator import strength


def share(hole: Sequence[int], board: Sequence[int], deck: Sequence[int]) -> float:
    """Of the pot, against every hand that is left."""
    own = strength([*hole, *board])
    left = [card for card in deck if card not in hole and card not in board]
    others = [strength([*other, *board]) for other in combinations(left, 2)]
    return sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others) / len(others)


def expected(hole: Sequence[int], board: Sequence[int], missing: int, deck: Sequence[int]) -> tuple[float, float]:
    """EHS and EHS2 over all run-outs."""
    left = [card for card in deck if card not in hole and card not in board]
    shares = [share(hole, [*board, *more], deck) for more in combinations(left, missing)]
    return sum(shares) / len(shares), sum(x * x for x in shares) / len(shares)
