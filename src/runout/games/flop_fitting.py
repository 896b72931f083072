"""How the sets 'fitted-23' to 'fitted-184' are chosen: few flops, with weights, on which ranges fare as on all 1,755.

1. Describe every flop by what it does to pairs of ranges (`RANGES`, all kinds of pots): the mean equity, the equity of
   every tenth part of each range from its worst hand to its best, and how far matchups are decided; besides by its
   ranks, suits, pairs and how connected it is.
2. Two flops are as alike as a kernel of their distance says. A weighted set stands for all flops as well as the mean of
   its kernels is near that of all flops (maximum mean discrepancy): then every smooth function of the description has
   about the same mean on both, whatever spot it comes from.
3. Add the flop that takes off most, with all weights fitted again, one after the other; then exchange flops, one for
   another drawn at random, as long as that helps. The evenly spread set is a second start, and the better end is taken.

`python -m benchmarks.fit_flops` does it again. No solved spot is used, so solved spots can measure the sets.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.cards.ranges import Range
from runout.cards.suits import canonical_boards
from runout.cards.textures import CONNECTEDNESS, PAIRINGS, SUIT_TEXTURES, texture
from runout.games.boards import board_tree, with_run_outs
from runout.games.flop_set import chosen_flops
from runout.kernels.tables import MATRIX
from runout.kernels.threads import thread_map

# First to act, last to act: single-raised, 3-bet, 4-bet, limped and blind-against-blind pots, capped and strong ranges.
RANGES = (
    ("99-22,ATs-A2s,KTs-K6s,Q8s+,J8s+,T8s+,97s+,86s+,75s+,64s+,54s,AJo-A9o,KTo+,QTo+,JTo", "top 22%"),
    ("JJ-22,AJs-A2s,K8s+,Q9s+,J9s+,T8s+,98s,87s,76s,65s,AQo-ATo,KJo+", "77+,A9s+,KTs+,QTs+,JTs,AJo+,KQo"),
    ("top 60%", "top 80%"),
    ("top 35%", "top 25%"),
    ("QQ+,AKs,AKo,A5s-A2s,K9s,Q9s,76s,65s", "JJ-66,AQs-ATs,KQs-KTs,QJs,JTs,T9s,98s,AQo,KQo"),
    ("TT+,AQs+,AKo,KQs,87s,76s", "99-44,AJs-A8s,KJs,QTs+,J9s+,T9s,98s,87s,76s,AJo,KQo"),
    ("77-22,A9s-A2s,K9s-K2s,Q9s-Q4s,J8s-J5s,T8s-T6s,97s-95s,86s-85s,75s,64s,53s", "TT+,AJs+,KQs,AQo+"),
    ("JJ+,AKs,AKo", "TT-77,AQs-AJs,KQs,QJs,JTs,AQo"),
    ("top 15%", "100%"),
    ("100%", "top 15%"),
    ("88+,A2s+,K9s+,QTs+,JTs,T9s,ATo+,KJo+", "TT-22,AQs-A6s,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,AQo-A9o,KTo+,QJo"),
    ("K9s-K2s,Q9s-Q2s,J9s-J4s,T8s-T5s,K9o-K7o,Q9o-Q8o,J8o+,T8o+,98o,66-22", "A2s+,A2o+,77+,KTs+,KJo+"),
)
PARTS = 10  # of a range, from its worst hands to its best
_TRIES, _PATIENCE = 40_000, 6_000  # exchanges that are tried, and in a row without a gain
_LEAST = 0.15  # of the mean weight: no flop counts less


def described(threads: int = 0, on_done: Callable[[int], None] | None = None) -> np.ndarray:
    """float64 [1755, features]: every flop, step 1."""
    boards, _ = canonical_boards(3)
    weights = [(Range(first).weights, Range(second).weights) for first, second in RANGES]
    done = 0

    def describe(cards: np.ndarray) -> np.ndarray:
        nonlocal done
        found = np.concatenate([_of_ranges(cards, weights), _of_cards(cards)])
        done += 1
        if on_done is not None:
            on_done(done)
        return found

    return np.stack(thread_map(describe, list(boards), threads))


def _of_ranges(cards: np.ndarray, weights: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    free = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    (street,) = board_tree(cards.tolist(), np.ones((2, COMBOS)) * free, (), threads=1)
    table = with_run_outs(street.tables, street.cards, np.arange(52), 1)
    hands = table.combos(0, 0)
    width, at = int(table.stride[1, 0]), int(table.table[0, MATRIX])
    gains = table.runouts[at : at + len(hands) * width].reshape(-1, width)[:, : len(hands)].astype(np.float64)
    a, b = COMBO_CARDS[hands].T
    meet = ((a[:, None] != a) & (a[:, None] != b) & (b[:, None] != a) & (b[:, None] != b)).astype(np.float64)
    own = [np.stack([pair[side][hands] for pair in weights]) for side in range(2)]  # [pairs of ranges, hands]
    met = [own[1] @ meet, own[0] @ meet]  # the opponents that each hand can meet
    won = [own[1] @ gains.T, -own[0] @ gains]
    squares = own[1] @ np.square(gains).T
    found = []
    for pair in range(len(weights)):
        pairs = own[0][pair] @ met[0][pair]
        found += [own[0][pair] @ won[0][pair] / pairs, own[0][pair] @ squares[pair] / pairs]
        for side in range(2):
            opponents = met[side][pair]
            mean = np.divide(won[side][pair], opponents, out=np.zeros(len(hands)), where=opponents > 0)
            found.extend(_parts(mean, own[side][pair] * opponents))
    return np.array(found)


def _parts(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of values in each tenth of the weights, from the lowest values to the highest."""
    order = np.argsort(values, kind="stable")
    ends = np.concatenate([[0.0], np.cumsum(weights[order]) / weights.sum()])
    sums = np.concatenate([[0.0], np.cumsum(values[order] * weights[order]) / weights.sum()])
    marks = np.interp(np.arange(PARTS + 1) / PARTS, ends, sums)
    return np.asarray(np.diff(marks) * PARTS)


def _of_cards(cards: np.ndarray) -> np.ndarray:
    ranks, lies = cards // 4, texture(cards)
    words = [lies.suits == one for one in SUIT_TEXTURES] + [lies.pairing == one for one in PAIRINGS]
    words += [lies.connectedness == one for one in CONNECTEDNESS]
    return np.array([*((ranks == rank).sum() for rank in range(13)), *words], np.float64)


CARD_FEATURES = 13 + len(SUIT_TEXTURES) + len(PAIRINGS) + len(CONNECTEDNESS)


def kernel(features: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """float64 [n, n]: how alike flops are, step 2. What is said of ranges and what of cards count for half each."""
    centered = features - shares @ features
    spread = np.sqrt(shares @ centered**2)
    scaled = centered / np.where(spread > 0, spread, 1.0)
    ranges, cards = scaled[:, :-CARD_FEATURES], scaled[:, -CARD_FEATURES:]
    points = np.hstack([ranges / np.sqrt(ranges.shape[1]), cards / np.sqrt(cards.shape[1])])
    size = (points**2).sum(axis=1)
    distance = np.maximum(size[:, None] + size - 2 * points @ points.T, 0.0)
    middle = np.median(distance[np.triu_indices(len(points), 1)])
    return np.asarray(np.exp(-distance / (2 * middle)) + points @ points.T)


def fit(alike: np.ndarray, shares: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """int64 [size]: the flops of a set, and float64 [size]: their weights, step 3."""
    mean = alike @ shares
    starts = [_greedy(alike, mean, size), chosen_flops(size)[0].tolist()]
    found = [_exchanged(alike, mean, one) for one in starts if len(one) == size]
    picked, weights = min(found, key=lambda one: _loss(alike, mean, *one))
    order = np.argsort(picked)
    return np.array(picked)[order], weights[order]


def _greedy(alike: np.ndarray, mean: np.ndarray, size: int) -> list[int]:
    picked: list[int] = []
    weights = np.zeros(0)
    for _ in range(size):
        gain = (mean - (alike[:, picked] @ weights if picked else 0.0)) ** 2 / np.diag(alike)
        gain[picked] = -1.0
        picked.append(int(gain.argmax()))
        weights = _weights(alike, mean, picked)
    return picked


def _exchanged(alike: np.ndarray, mean: np.ndarray, picked: list[int]) -> tuple[list[int], np.ndarray]:
    """The set with flops exchanged one at a time, as long as that takes something off."""
    random = np.random.Generator(np.random.PCG64(0))
    weights = _weights(alike, mean, picked)
    best = _loss(alike, mean, picked, weights)
    since = 0
    for _ in range(_TRIES):
        place, other = int(random.integers(len(picked))), int(random.integers(len(mean)))
        since += 1
        if other in picked:
            continue
        tried = [*picked[:place], other, *picked[place + 1 :]]
        found = _weights(alike, mean, tried)
        loss = _loss(alike, mean, tried, found)
        if loss < best:
            picked, weights, best, since = tried, found, loss, 0
        if since > _PATIENCE:
            break
    return picked, weights


def _loss(alike: np.ndarray, mean: np.ndarray, picked: list[int], weights: np.ndarray) -> float:
    own = alike[np.ix_(picked, picked)]
    return float(weights @ own @ weights - 2 * weights @ mean[picked])


def _weights(alike: np.ndarray, mean: np.ndarray, picked: list[int]) -> np.ndarray:
    """Weights that add up to one, none below a part of the mean, with the least loss: by an active set."""
    own, wanted, count = alike[np.ix_(picked, picked)], mean[picked], len(picked)
    low = _LEAST / count
    free = np.ones(count, bool)
    weights = np.full(count, 1.0 / count)
    for _ in range(count):
        held = np.flatnonzero(~free)
        part = np.flatnonzero(free)
        if not len(part):
            break
        matrix = np.zeros((len(part) + 1, len(part) + 1))
        matrix[:-1, :-1] = own[np.ix_(part, part)] + 1e-9 * np.eye(len(part))
        matrix[:-1, -1] = matrix[-1, :-1] = 1.0
        right = np.append(wanted[part] - own[np.ix_(part, held)].sum(axis=1) * low, 1.0 - low * len(held))
        found = np.linalg.solve(matrix, right)[:-1]
        weights[held], weights[part] = low, found
        short = part[found < low]
        if not len(short):
            break
        free[short] = False
    return np.asarray(weights / weights.sum())
