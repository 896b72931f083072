"""The slow, obvious evaluator: the best of all five-card subsets, each ranked by reading the rules of poker aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

WHEEL = [14, 5, 4, 3, 2]


def five_card_rank(cards: Iterable[int]) -> tuple[int, list[int]]:
    """What orders five-card hands: category 0 to 8, then ranks 2 to 14 in the order in which they decide."""
    cards = list(cards)
    ranks = sorted((c // 4 + 2 for c in cards), reverse=True)
    flush = len({c % 4 for c in cards}) == 1
    if ranks == WHEEL:
        ranks = [5, 4, 3, 2, 1]
    straight = ranks == list(range(ranks[0], ranks[0] - 5, -1))
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in groups]
    deciding = [rank for _, rank in groups]
    if straight and flush:
        return 8, deciding
    if shape == [4, 1]:
        return 7, deciding
    if shape == [3, 2]:
        return 6, deciding
    if flush:
        return 5, deciding
    if straight:
        return 4, deciding
    if shape == [3, 1, 1]:
        return 3, deciding
    if shape == [2, 2, 1]:
        return 2, deciding
    return (1 if shape == [2, 1, 1, 1] else 0), deciding


def best_rank(cards: Iterable[int]) -> tuple[int, list[int]]:
    """The best five-card rank among five to seven cards."""
    return max(five_card_rank(five) for five in combinations(cards, 5))
