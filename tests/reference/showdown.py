"""The slow, obvious evaluator: the best five of a hand's cards as a tuple that compares as poker does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations


def five_card_value(cards: Sequence[int]) -> tuple[int, ...]:
    """Category (8 straight flush to 0 high card), then ranks by how often they occur and how high they are."""
    counts = Counter(card // 4 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    wheel = sorted(ranks) == [0, 1, 2, 3, 12]
    straight = len(ranks) == 5 and (max(ranks) - min(ranks) == 4 or wheel)
    if straight:
        return (8 if flush else 4, 3 if wheel else max(ranks))
    if shape[0] == 4:
        return (7, *ranks)
    if shape == [3, 2]:
        return (6, *ranks)
    if flush:
        return (5, *ranks)
    return ({(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), *ranks)


def value(cards: Iterable[int]) -> tuple[int, ...]:
    """The value of the best five of five to seven cards."""
    return max(five_card_value(five) for five in combinations(cards, 5))
