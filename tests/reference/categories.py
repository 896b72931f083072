"""The slow, obvious twin of `runout.cards.categories`: best five of seven by hand, definitions word for word."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

FIVE_CARD_NAMES = (
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
)


def straight_top(ranks: set[int]) -> int:
    """Highest rank of the best straight in a set of ranks (0 to 12), the wheel's being 3; -1 where there is none."""
    for top in range(12, 3, -1):
        if {top - i for i in range(5)} <= ranks:
            return top
    return 3 if {12, 0, 1, 2, 3} <= ranks else -1


def five_card_name(cards: tuple[int, ...]) -> str:
    counts = sorted(Counter(c // 4 for c in cards).values(), reverse=True)
    flush = len({c % 4 for c in cards}) == 1
    straight = straight_top({c // 4 for c in cards}) >= 0
    if straight and flush:
        return "straight flush"
    if counts[0] == 4:
        return "quads"
    if counts[:2] == [3, 2]:
        return "full house"
    if flush:
        return "flush"
    if straight:
        return "straight"
    return {3: "three of a kind", 2: "two pair" if counts[:2] == [2, 2] else "pair", 1: "high card"}[counts[0]]


def best_name(cards: list[int]) -> str:
    return min((five_card_name(five) for five in combinations(cards, 5)), key=FIVE_CARD_NAMES.index)


def made(board: list[int], hole: list[int]) -> str:
    best = best_name(board + hole)
    if FIVE_CARD_NAMES.index(best) <= FIVE_CARD_NAMES.index("straight"):
        return best
    high, low = sorted((c // 4 for c in hole), reverse=True)
    board_ranks = [c // 4 for c in board]
    distinct = sorted(set(board_ranks), reverse=True)
    board_pairs = [rank for rank in distinct if board_ranks.count(rank) >= 2]

    def shown(rank: int) -> bool:
        """A pair of this rank is among the two best pairs of the seven cards."""
        return sum(pair > rank for pair in board_pairs) < 2

    if high == low:
        if high in distinct:
            return "set"
        if high > distinct[0]:
            return "overpair"
        return "underpair" if shown(high) else "no made hand"
    if any(board_ranks.count(rank) == 2 for rank in (high, low)):
        return "trips"
    paired = [rank for rank in (high, low) if rank in distinct and board_ranks.count(rank) == 1]
    if len(paired) == 2 and not any(pair > low for pair in board_pairs):
        return "two pair"
    if paired and shown(paired[0]):
        return ("top pair", "middle pair", "low pair")[min(distinct.index(paired[0]), 2)]
    return {12: "ace high", 11: "king high"}.get(high, "no made hand")


def labels(board: list[int], hole: list[int]) -> tuple[str, ...]:
    return (*kicker(board, hole), *draws(board, hole), *blockers(board, hole))


def blockers(board: list[int], hole: list[int]) -> list[str]:
    """A lone card that nobody else can have the best flush without, where the hand has none and draws to none."""
    for card in hole:
        suit, others = card % 4, [c for c in board if c % 4 == card % 4]
        alone = sum(c % 4 == suit for c in hole) == 1
        best = all(c in board for c in range(card + 4, 52, 4))
        needed = 3 if len(board) == 5 else 2
        if alone and best and len(others) == needed:
            return ["nut flush blocker"]
    return []


def kicker(board: list[int], hole: list[int]) -> list[str]:
    strength, ranks, own = made(board, hole), [c // 4 for c in board], [c // 4 for c in hole]
    if strength not in ("trips", "top pair", "middle pair", "low pair"):
        return []
    paired, side = own if own[0] in ranks else own[::-1]
    rest = [rank for rank in ranks if rank != paired]
    pairs = [rank for rank in rest if rest.count(rank) > 1]
    room = 2 if ranks.count(paired) == 2 else 1 if pairs else 3
    if sum(rank > side for rank in rest if rank not in pairs) >= room:
        return ["weak kicker"]
    better = [rank for rank in range(side + 1, 13) if rank not in ranks and rank != paired]
    return ["top kicker" if not better else "good kicker" if len(better) <= 2 else "weak kicker"]


def draws(board: list[int], hole: list[int]) -> list[str]:
    if len(board) == 5:
        return []
    strength = made(board, hole)
    high_order = FIVE_CARD_NAMES[:4]  # nothing here is helped by a flush or a straight
    suits = Counter(c % 4 for c in board + hole)
    own = {c % 4 for c in hole}
    found, outs = [], 0
    if strength not in (*high_order, "straight"):
        for rank in range(13):
            with_hand = straight_top({c // 4 for c in board + hole} | {rank})
            with_board = straight_top({c // 4 for c in board} | {rank})
            outs += with_hand > with_board
    flushes = [suit for suit in own if suits[suit] == 4 and strength not in high_order]
    if flushes and outs:
        found.append("combo draw")
    if any(max(c for c in range(52) if c % 4 == suit and c not in board) in hole for suit in flushes):
        found.append("nut flush draw")
    if flushes:
        found.append("flush draw")
    if outs:
        found.append("open-ended" if outs >= 2 else "gutshot")
    if strength in ("ace high", "king high", "no made hand") and min(hole) // 4 > max(board) // 4:
        found.append("overcards")
    if len(board) == 3 and len(own) == 1 and suits[hole[0] % 4] == 3 and strength not in high_order:
        found.append("backdoor flush draw")
    pair = {c // 4 for c in hole}
    if len(board) == 3 and len(pair) == 2 and not outs and strength not in (*high_order, "straight"):
        for top in range(3, 13):
            five = {rank if rank >= 0 else 12 for rank in range(top - 4, top + 1)}
            if pair <= five and any(c // 4 in five - pair for c in board):
                found.append("backdoor straight draw")
                break
    return found
