"""One form for all hands that differ only by names of suits and by the order in which cards came.

A suit is described by which ranks of it are in the hand, on the flop, on the turn and on the river. Renaming suits only
permutes the four descriptions, so the descriptions in order are the hand: the largest becomes spades, then hearts,
diamonds, clubs. Suits with the same description can be swapped without changing anything.
"""

from __future__ import annotations

from collections.abc import Sequence

MISSING = -1  # a card that is not dealt yet
CARDS = 7  # two of the hand, three of the flop, turn, river


def suit_order(hole: Sequence[int], board: Sequence[int]) -> list[int]:
    """The new name (0 to 3) of each suit."""
    groups = (hole, board[:3], board[3:4], board[4:5])
    described = []
    for suit in range(4):
        masks = tuple(sum(1 << (c // 4) for c in cards if c % 4 == suit) for cards in groups)
        described.append((masks, suit))
    names = [0] * 4
    for name, (_, suit) in enumerate(sorted(described)):
        names[suit] = name
    return names


def canonical(hole: Sequence[int], board: Sequence[int] = ()) -> tuple[int, ...]:
    """Seven card ids: hand and flop each from high to low, turn, river; MISSING for those not dealt."""
    names = suit_order(hole, board)
    renamed = [[c // 4 * 4 + names[c % 4] for c in cards] for cards in (hole, board)]
    held, shown = sorted(renamed[0], reverse=True), renamed[1]
    ids = held + sorted(shown[:3], reverse=True) + shown[3:]
    return tuple(ids) + (MISSING,) * (CARDS - len(ids))
