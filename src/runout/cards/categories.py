"""What hole cards are on a board: made-hand and draw categories, for breakdowns of a range.

Made hands. A straight or better counts even where the board makes it alone. Below that only what the hole cards add
counts, and only if it plays: A-9 on 7-7-2 is ace high, A-2 there is middle pair (2 is the board's second rank), 7-5 on
K-K-7-5 is one pair, and 4-4 on K-K-9-9-2 is no made hand.

    set                       a pocket pair and one card of the board
    trips                     one hole card and a pair of the board
    two pair                  each hole card pairs another rank of the board
    overpair, underpair       a pocket pair above the whole board, or below its top card
    top, middle, low pair     a hole card pairs the board's first, second or a lower rank
    ace high, king high       no pair, that card in the hand

Labels, as many as fit. Kickers of trips and of a pair with one card of the board:

    top, good, weak kicker    no rank, one or two, or more would make a better one; weak where it does not play

Draws; none on the river, nor with a hand that the draw cannot improve.

    combo draw                a flush draw and a straight draw
    flush draw                four of a suit, at least one in the hand; nut: with the highest card of it that is left
    open-ended                two ranks or more complete a straight that the hand takes part in (double gutshots too)
    gutshot                   one rank does
    overcards                 no pair, both hole cards above the whole board
    backdoor flush draw       on the flop, both hole cards and one board card of a suit
    backdoor straight draw    on the flop, both hole cards and one board card within five ranks; no other such draw

Blockers, which keep others from having something:

    nut flush blocker         one card, the highest left, of a suit that the board has two of (on the river three), and
                              no flush or flush draw in it
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from runout.cards import cards as card_text
from runout.cards.hands import COMBO_CARDS, COMBOS, hand_combos
from runout.errors import InputError

MADE = (
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "set",
    "trips",
    "two pair",
    "overpair",
    "top pair",
    "underpair",
    "middle pair",
    "low pair",
    "ace high",
    "king high",
    "no made hand",
)
KICKERS = ("top kicker", "good kicker", "weak kicker")
DRAWS = (
    "combo draw",
    "nut flush draw",
    "flush draw",
    "open-ended",
    "gutshot",
    "overcards",
    "backdoor flush draw",
    "backdoor straight draw",
)
BLOCKERS = ("nut flush blocker",)
LABELS = KICKERS + DRAWS + BLOCKERS
NO_DRAW = "no draw"

_M = {name: index for index, name in enumerate(MADE)}
_ACE, _KING = 12, 11


def categories(board: str | Iterable[int], combos: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Indices into `MADE` (uint8 [n]) and which of `LABELS` fit (bool [n, labels]), of combos on a board of 3 to 5
    cards; of all 1326 by default.

    Combos that hold a card of the board get some value without meaning: callers know which those are.
    """
    ids = card_text.cards(board) if isinstance(board, str) else [int(c) for c in board]
    if not 3 <= len(ids) <= 5:
        raise InputError(f"board {card_text.cards_text(ids)!r} has {len(ids)} cards: categories need 3, 4 or 5")
    card_text.require_distinct(ids, " on the board")
    hole = COMBO_CARDS[np.arange(COMBOS) if combos is None else np.asarray(combos)].astype(np.int64)  # [n, 2]
    cards = np.array(ids)
    made = _made(cards, hole)
    return made, np.concatenate(
        [_kickers(cards, hole, made), _draws(cards, hole, made), _blockers(cards, hole)], axis=1
    )


def category(board: str | Iterable[int], hand: str) -> tuple[str, tuple[str, ...]]:
    """Names of the made hand and of the labels of one combo: category('Qs Jh 2h', 'AsQd') is ('top pair',
    ('top kicker',))."""
    ids = card_text.cards(board) if isinstance(board, str) else [int(c) for c in board]
    found = hand_combos(hand)
    if len(found) != 1:
        raise InputError(f"{hand!r} is {len(found)} combos: name two cards, as in AsKh")
    card_text.require_distinct([*ids, *(int(c) for c in COMBO_CARDS[found[0]])], " in the board and the hand")
    made, labels = categories(ids, np.array(found))
    return MADE[made[0]], tuple(name for name, fits in zip(LABELS, labels[0], strict=True) if fits)


def worth_saying(labels: Iterable[str]) -> list[str]:
    """Labels without those that others say already: a nut flush draw is a flush draw, a combo draw is its parts."""
    found = list(labels)
    return [name for name in found if name != "combo draw" and (name != "flush draw" or "nut flush draw" not in found)]


def _made(board: np.ndarray, hole: np.ndarray) -> np.ndarray:
    high, low = hole[:, 0] // 4, hole[:, 1] // 4
    on_board = np.bincount(board // 4, minlength=13)  # [13] board cards by rank
    together = on_board + (np.arange(13) == high[:, None]) + (np.arange(13) == low[:, None])  # [n, 13]
    most, paired = together.max(axis=1), (together >= 2).sum(axis=1)
    by_suit = _suit_masks(board, hole)  # [n, 4]
    return np.select(
        [
            (_straights(by_suit) > 0).any(axis=1),
            most == 4,
            (most == 3) & (paired >= 2),
            (np.bitwise_count(by_suit) >= 5).any(axis=1),
            _straights(np.bitwise_or.reduce(by_suit, axis=1)) > 0,
        ],
        [_M["straight flush"], _M["quads"], _M["full house"], _M["flush"], _M["straight"]],
        _pairs_and_less(on_board, high, low),
    ).astype(np.uint8)


def _pairs_and_less(on_board: np.ndarray, high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Categories below a straight, taking it that there is no full house or quads."""
    present = on_board > 0
    ranks_above = present[::-1].cumsum()[::-1] - present  # [13] distinct board ranks above each rank
    pairs_above = (on_board >= 2)[::-1].cumsum()[::-1] - (on_board >= 2)  # [13] board pairs above each rank
    pocket = high == low
    high_pairs, low_pairs = ~pocket & (on_board[high] == 1), ~pocket & (on_board[low] == 1)
    rank = np.where(high_pairs | pocket, high, low)  # rank of the best pair, where there is one
    plays = pairs_above[rank] < 2  # a hand shows two pairs at most
    pair = (high_pairs | low_pairs) & plays
    return np.select(
        [
            pocket & (on_board[high] == 1),
            (on_board[high] == 2) | (on_board[low] == 2),
            high_pairs & low_pairs & (pairs_above[low] == 0),
            pocket & (ranks_above[high] == 0),
            pair & (ranks_above[rank] == 0),
            pocket & plays,
            pair & (ranks_above[rank] == 1),
            pair,
            (high == _ACE) & ~pocket,
            (high == _KING) & ~pocket,
        ],
        [_M[name] for name in MADE[_M["set"] : _M["no made hand"]]],
        _M["no made hand"],
    )


def _kickers(board: np.ndarray, hole: np.ndarray, made: np.ndarray) -> np.ndarray:
    """bool [n, 3]: which of `KICKERS` a hand has."""
    high, low = hole[:, 0] // 4, hole[:, 1] // 4
    on_board = np.bincount(board // 4, minlength=13)
    pairs = np.isin(made, [_M[name] for name in ("trips", "top pair", "middle pair", "low pair")]) & (high != low)
    paired = np.where(on_board[high] > 0, high, low)  # with a card of the board
    kicker = np.where(paired == high, low, high)
    trips = on_board[paired] == 2
    other = on_board[None, :] * (np.arange(13) != paired[:, None])  # [n, 13] board cards beside the pair, by rank
    singles, board_pair = other == 1, (other >= 2).any(axis=1)
    room = np.where(trips, 2, np.where(board_pair, 1, 3))  # cards that count beside trips, two pair or a pair
    above = np.arange(13) > kicker[:, None]
    plays = (singles & above).sum(axis=1) < room
    better = (above & (on_board == 0)[None, :] & (np.arange(13) != paired[:, None])).sum(axis=1)
    top, good = plays & (better == 0), plays & (better > 0) & (better <= 2)
    return np.stack([pairs & top, pairs & good, pairs & ~top & ~good], axis=1)


def _draws(board: np.ndarray, hole: np.ndarray, made: np.ndarray) -> np.ndarray:
    """bool [n, 8]: which of `DRAWS` a hand has."""
    if len(board) == 5:
        return np.zeros((len(hole), len(DRAWS)), bool)
    by_suit = _suit_masks(board, hole)
    count = np.bitwise_count(by_suit)  # [n, 4] cards of each suit
    held = (hole[:, :, None] % 4 == np.arange(4)).sum(axis=1)  # [n, 4] hole cards of each suit
    four = (count == 4) & (held >= 1) & (made > _M["flush"])[:, None]  # [n, 4]
    flush = four.any(axis=1)
    highest = np.array([_highest_left(board, suit) for suit in range(4)])  # ids of cards
    nut = (four & (hole[:, :, None] == highest).any(axis=1)).any(axis=1)
    outs = np.where(made > _M["straight"], _straight_outs(board, np.bitwise_or.reduce(by_suit, axis=1)), 0)
    flop = len(board) == 3
    backdoor_flush = ((count == 3) & (held == 2)).any(axis=1) & (made > _M["flush"]) & flop
    backdoor_straight = _within_five(board, hole) & (made > _M["straight"]) & (outs == 0) & flop
    overcards = (hole[:, 1] // 4 > board.max() // 4) & (made >= _M["ace high"])
    found = [flush & (outs > 0), nut, flush, outs >= 2, outs == 1, overcards, backdoor_flush, backdoor_straight]
    return np.stack(found, axis=1)


def _blockers(board: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """bool [n, 1]: which of `BLOCKERS` a hand has."""
    river = len(board) == 5
    on_board = np.bincount(board % 4, minlength=4)
    held = (hole[:, :, None] % 4 == np.arange(4)).sum(axis=1)  # [n, 4] hole cards of each suit
    highest = np.array([_highest_left(board, suit) for suit in range(4)])
    threat = (on_board >= 2 + river) & (on_board + 1 < 4 + river)  # a flush or a draw to it, but none with one card
    found = (hole[:, :, None] == highest).any(axis=1) & (held == 1) & threat  # [n, 4]
    return np.asarray(found.any(axis=1, keepdims=True))


def _highest_left(board: np.ndarray, suit: int) -> int:
    """The highest card of a suit that is not on the board."""
    return next(card for card in range(48 + suit, -1, -4) if card not in board)


def _within_five(board: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """bool [n]: both hole cards and one of another rank on the board lie within five ranks, the ace high or low."""
    on_board, own = int(np.bitwise_or.reduce(1 << (board // 4))), 1 << (hole // 4)
    both = own[:, 0] | own[:, 1]
    found = np.zeros(len(hole), bool)
    for low in range(-1, 9):
        window = sum(1 << rank % 13 for rank in range(low, low + 5))
        found |= ((both & ~window) == 0) & ((on_board & window & ~both) != 0)
    return np.asarray(found & (own[:, 0] != own[:, 1]))


def _straight_outs(board: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """How many ranks complete a straight [n] that beats the one the board would have with that card."""
    board_ranks = int(np.bitwise_or.reduce(1 << (board // 4)))
    outs = np.zeros(len(ranks), dtype=np.int64)
    for rank in range(13):
        shared = _straights(np.array(board_ranks | 1 << rank))
        ours = _straights(ranks | 1 << rank)  # includes all of `shared`
        outs += (ours & ~shared) > shared
    return outs


def _suit_masks(board: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """Ranks as bits (bit 0 = deuce) of each suit among board and hole cards [n, 4]."""
    cards = np.concatenate([np.broadcast_to(board, (len(hole), len(board))), hole], axis=1)  # [n, 5 to 7]
    bits = np.where(cards[:, :, None] % 4 == np.arange(4), 1 << (cards[:, :, None] // 4), 0)
    return np.asarray(np.bitwise_or.reduce(bits, axis=1))


def _straights(ranks: np.ndarray) -> np.ndarray:
    """One bit for each straight in rank bits, the wheel lowest; a larger number has the better straight."""
    with_low_ace = ranks << 1 | ranks >> 12 & 1
    return with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4
