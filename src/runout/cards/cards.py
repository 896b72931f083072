"""Cards: ids 0 to 51 as 4 * rank + suit, 2c = 0 to As = 51, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from runout.errors import InputError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = 52

_SUIT_SYMBOLS = str.maketrans("♣♦♥♠", "cdhs")


def card(text: str) -> int:
    """The id of a card such as 'As', 'td' or '10h'."""
    name = text.strip().translate(_SUIT_SYMBOLS).replace("10", "T")
    if len(name) == 2:
        rank, suit = RANKS.find(name[0].upper()), SUITS.find(name[1].lower())
        if rank >= 0 and suit >= 0:
            return 4 * rank + suit
    raise InputError(f"unknown card {text!r}: use a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), as in Ah or Td")


def card_name(card_id: int) -> str:
    """The text of a card id: 51 is 'As'."""
    if not 0 <= card_id < DECK:
        raise InputError(f"no card has the id {card_id}: use 0 (2c) to {DECK - 1} (As)")
    return RANKS[card_id // 4] + SUITS[card_id % 4]


def cards(text: str) -> list[int]:
    """The ids in 'Qs Jh 2h', 'QsJh2h' or '[Qs,Jh,2h]', in the order given; a card given twice is refused."""
    body = re.sub(r"[\s,\[\]()]+", "", text.translate(_SUIT_SYMBOLS)).replace("10", "T")
    if len(body) % 2:
        raise InputError(f"cannot read cards {text!r}: use two letters a card, as in 'Qs Jh 2h'")
    ids = [card(body[i : i + 2]) for i in range(0, len(body), 2)]
    require_distinct(ids)
    return ids


def cards_text(ids: Iterable[int], separator: str = " ") -> str:
    """Card ids as text in the order given."""
    return separator.join(card_name(int(c)) for c in ids)


def require_distinct(ids: Iterable[int], where: str = "") -> None:
    """Refuse a list of cards in which one stands twice, naming it."""
    seen: set[int] = set()
    for c in ids:
        if c in seen:
            raise InputError(f"card {card_name(c)} is given twice{where}: every card may appear once")
        seen.add(c)


def board(text: str) -> list[int]:
    """The ids of a board: no cards, a flop, a turn (4) or a river (5)."""
    ids = cards(text)
    if len(ids) not in (0, 3, 4, 5):
        count = f"{len(ids)} card{'s' * (len(ids) != 1)}"
        raise InputError(f"board {text!r} has {count}: use 3 (flop), 4 (turn) or 5 (river)")
    return ids
