"""Flop textures: how a flop lies in suits, pairs, straights and height.

suits          monotone (one suit), two-tone, rainbow (three suits)
pairing        unpaired, paired, trips
connectedness  connected: two hole cards can make a straight, as on 9-8-5 or A-3-2;
               semi-connected: no straight, but two of the ranks leave an open-ended draw, as on K-T-4 or Q-J-2;
               disconnected: neither, as on K-8-3 or A-K-4
height         by the highest card: high (A, K, Q), middle (J, T, 9), low (8 and below)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from runout.cards.cards import RANKS, board, cards_text, require_distinct
from runout.errors import InputError

SUIT_TEXTURES = ("rainbow", "two-tone", "monotone")
PAIRINGS = ("unpaired", "paired", "trips")
CONNECTEDNESS = ("disconnected", "semi-connected", "connected")
HEIGHTS = ("low", "middle", "high")

_NINE, _QUEEN = RANKS.index("9"), RANKS.index("Q")
_STRAIGHTS = [{12, 0, 1, 2, 3}, *({low + i for i in range(5)} for low in range(9))]  # the wheel first
_OPEN_ENDED = [{low + i for i in range(4)} for low in range(9)]  # 2345 to TJQK: a fifth card fits at either end


@dataclass(frozen=True, slots=True)
class Texture:
    """The texture of a flop; each field is one of the words above."""

    top: str  # rank of the highest card: 'Q'
    suits: str
    pairing: str
    connectedness: str
    height: str

    def __str__(self) -> str:
        return f"{self.top}-high, {self.suits}, {self.pairing}, {self.connectedness}"


def texture(cards: str | Iterable[int]) -> Texture:
    """The texture of a flop, or of the flop (the first three cards) of a longer board."""
    ids = board(cards) if isinstance(cards, str) else [int(c) for c in cards]
    if not 3 <= len(ids) <= 5:
        raise InputError(f"no flop in {cards_text(ids)!r}: a texture needs 3 cards or more, as in 'Qs Jh 2h'")
    require_distinct(ids, " on the board")
    flop = ids[:3]
    ranks = {c // 4 for c in flop}
    top = max(ranks)
    return Texture(
        top=RANKS[top],
        suits=SUIT_TEXTURES[3 - len({c % 4 for c in flop})],
        pairing=PAIRINGS[3 - len(ranks)],
        connectedness=_connectedness(ranks),
        height="high" if top >= _QUEEN else "middle" if top >= _NINE else "low",
    )


def _connectedness(ranks: set[int]) -> str:
    if len(ranks) == 3 and any(ranks <= straight for straight in _STRAIGHTS):
        return "connected"
    if any(len(ranks & run) >= 2 for run in _OPEN_ENDED):
        return "semi-connected"
    return "disconnected"
