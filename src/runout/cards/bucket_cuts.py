"""Where the buckets of a card abstraction begin and end, worked out from all boards of a deck."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from runout.cards.board_groups import alike, descriptions
from runout.cards.equity169 import equity_vs_random
from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS, combo_index
from runout.cards.suits import canonical_subsets, symmetries
from runout.kept import find_kept, kept_array
from runout.kernels import abstraction as kernel
from runout.kernels.deals import draw
from runout.kernels.threads import thread_map

FULL_BOARD = 5
_ROUNDS = 15  # of k-means
_DEALS = 100_000  # that say where the buckets of the river begin
_VALUES = 1 << 16  # of strengths kept as uint16
_VERSION = 1  # of cached tables
_STRONG = 2.0  # power of its strength by which a hand is weighed where boards are told apart: strong ones play for more
_BOARDS = 4096  # full boards whose hands are looked at together


# Hears how many boards have been looked at, of how many, while tables are made that no cache has.
OnBoards = Callable[[int, int], None]
_hearing: ContextVar[OnBoards | None] = ContextVar("hearing", default=None)


@contextmanager
def telling(on_boards: OnBoards | None) -> Iterator[None]:
    """Tell of the making of tables inside this block."""
    before = _hearing.set(on_boards)
    try:
        yield
    finally:
        _hearing.reset(before)


class Cuts(NamedTuple):
    """Everything that buckets after the first street follow from. G groups of boards, P parts of a group by mean."""

    flop_group: np.ndarray  # uint16 [flops]: the group of each canonical one
    flop_mean: np.ndarray  # int32 [G, P - 1]: means of strength from which on the next part begins
    flop_square: np.ndarray  # int32 [G, P, n]: mean squares from which on the next bucket of the part begins
    turn_group: np.ndarray  # the same of the turn; all are empty where there is nothing to tell apart
    turn_mean: np.ndarray
    turn_square: np.ndarray
    river_group: np.ndarray  # uint16 [full boards]; empty where there is one group
    river: np.ndarray  # float64 [G, n]: as in `kernels.abstraction.BucketTables`, as are the next two
    river_first: np.ndarray
    river_centers: np.ndarray


def street_shapes(boards: int, buckets: int, groups: int) -> tuple[tuple[int, ...], ...]:
    """Shapes of groups, means and squares of `Cuts` for so many boards of the flop or the turn."""
    sizes = np.diff(part_ends(buckets // groups))
    return (boards,), (groups, len(sizes) - 1), (groups, len(sizes), int(sizes.max()) - 1)


def cuts_from(settings: Any, deck: np.ndarray, last_street: int, arrays: Mapping[str, np.ndarray]) -> Cuts:
    """The cuts in arrays by name, of a file. ValueError where they are not of these settings: kernels do not check."""
    renamings = symmetries([[int(card) for card in deck]])
    shapes: list[tuple[int, ...]] = []
    for street, wanted, groups in _streets(settings):
        if last_street < street or wanted in ("lossless", 1):
            shapes += (part.shape for part in _NOTHING)
        else:
            shapes += street_shapes(len(canonical_subsets(deck, street + 2, renamings)[0]), int(wanted), groups)
    if last_street > 2 and settings.river != "lossless":
        number, groups = int(settings.river), int(settings.river_boards)
        first = group_ends(number) if settings.river_by == "opponents" else np.zeros(0, np.int32)
        full = len(canonical_subsets(deck, FULL_BOARD, renamings)[0]) if groups > 1 else 0
        edges = (1, len(first) - 2) if len(first) else (groups, number // groups - 1)
        shapes += ((full,), edges, first.shape, (number if len(first) else 0, kernel.CLUSTERS))
    else:
        shapes += (part.shape for part in _no_river())
    found = Cuts(*(np.asarray(arrays[CUTS + name]) for name in Cuts._fields))
    for name, array, shape, kind in zip(Cuts._fields, found, shapes, _KINDS, strict=True):
        if array.shape != shape or array.dtype != kind:
            raise ValueError(f"{CUTS}{name} is {array.dtype} {array.shape} where {np.dtype(kind)} {shape} belongs")
    for group, cuts in ((found.flop_group, found.flop_mean), (found.turn_group, found.turn_mean), found[6:8]):
        if len(group) and int(group.max()) >= len(cuts):
            raise ValueError("its groups of boards are more than its buckets have")
    if len(found.river_first) and not np.array_equal(found.river_first, group_ends(int(settings.river))):
        raise ValueError("its buckets of the river do not follow each other")
    return found


def cut_arrays(cuts: Cuts) -> dict[str, np.ndarray]:
    """Cuts as arrays of a file."""
    return {CUTS + name: array for name, array in cuts._asdict().items()}


def _streets(settings: Any) -> tuple[tuple[int, int | str, int], ...]:
    return (1, settings.flop, settings.flop_boards), (2, settings.turn, settings.turn_boards)


CUTS = "cuts_"
_KINDS = (np.uint16, np.int32, np.int32, np.uint16, np.int32, np.int32, np.uint16, np.float64, np.int32, np.float32)
_NOTHING = np.zeros(0, np.uint16), np.zeros((0, 0), np.int32), np.zeros((0, 0, 0), np.int32)


def make_cuts(settings: Any, deck: np.ndarray, last_street: int, shown: int, cache: Path | None) -> Cuts:
    """What `settings`, of `abstraction.AbstractionSettings`, come to for a deck; from the cache, or put there."""
    hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, deck).all(axis=1)])
    renamings = symmetries([[int(card) for card in deck]])
    found: list[np.ndarray] = []
    for street, wanted, groups in _streets(settings):
        if last_street < street or wanted in ("lossless", 1):
            found += _NOTHING
            continue
        boards, counts = canonical_subsets(deck, street + 2, renamings)
        found += _street_cuts(deck, boards, counts, shown, hands, int(wanted), groups, cache)
    known = last_street > 2 and settings.river != "lossless"
    return Cuts(*found, *(_river_cuts(settings, deck, hands, renamings, cache) if known else _no_river()))


def _no_river() -> tuple[np.ndarray, ...]:
    return np.zeros(0, np.uint16), np.zeros((1, 0)), np.zeros(0, np.int32), np.zeros((0, kernel.CLUSTERS), np.float32)


def _river_cuts(
    settings: Any, deck: np.ndarray, hands: np.ndarray, renamings: np.ndarray, cache: Path | None
) -> tuple[np.ndarray, ...]:
    number, groups, by = int(settings.river), int(settings.river_boards), settings.river_by
    of, _, first, centers = _no_river()
    name = f"river-{by}-{number}-{_digest(deck, by, number)}"
    if groups > 1:
        full, copies = canonical_subsets(deck, FULL_BOARD, renamings)
        of = kept_array(
            f"river-boards-{groups}-{_digest(deck, groups)}", (len(full),), np.uint16, cache,
            lambda: _river_groups(full, copies, hands, groups),
        )  # fmt: skip
        each, name = number // groups, f"river-edges-{groups}-{number}-{_digest(deck, groups, number, _STRONG)}"
        edges = kept_array(
            name, (groups, each - 1), np.float64, cache, lambda: _edges_by_group(full, copies, of, hands, each)
        )  # fmt: skip
    elif by == "strength":
        edges = kept_array(name, (1, number - 1), np.float64, cache, lambda: _river_edges(deck, hands, number))
    else:
        first, clusters = group_ends(number), preflop_buckets(kernel.CLUSTERS)
        groups = len(first) - 2
        size = groups + number * kernel.CLUSTERS
        numbers = kept_array(name, (size,), np.float64, cache, lambda: _river_clusters(deck, hands, clusters, first))
        edges, centers = numbers[None, :groups], numbers[groups:].reshape(number, -1).astype(np.float32)
    return of, edges, first, centers


def _street_cuts(
    deck: np.ndarray,
    boards: np.ndarray,
    counts: np.ndarray,
    shown: int,
    hands: np.ndarray,
    buckets: int,
    groups: int,
    cache: Path | None,
) -> list[np.ndarray]:
    """Groups, means and squares of `Cuts` for the flop or the turn."""
    size, shapes = boards.shape[1], street_shapes(len(boards), buckets, groups)
    places = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])

    def make() -> np.ndarray:
        known = all_strengths(deck, boards, shown - size, hands, cache)
        return np.concatenate([part.ravel() for part in two_way_cuts(known[0], known[1], counts, buckets, groups)])

    name = f"cuts-{size}-{buckets}-{_digest(deck, boards.shape, shown, buckets, groups, _STRONG)}"
    numbers = kept_array(name, (int(places[-1]),), np.int32, cache, make)
    found = [numbers[places[i] : places[i + 1]].reshape(shape) for i, shape in enumerate(shapes)]
    return [found[0].astype(np.uint16), *found[1:]]


def part_ends(buckets: int) -> np.ndarray:
    """int32 [parts + 1]: where the buckets of each part by mean begin; a part has about half the root of all."""
    inner = max(1, int(np.sqrt(buckets) / 2))
    sizes = np.full(max(1, buckets // inner), inner)
    sizes[: buckets - inner * len(sizes)] += 1  # parts with one more, so that all buckets are used
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)


def two_way_cuts(
    mean: np.ndarray, square: np.ndarray, counts: np.ndarray, buckets: int, groups: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups, means and squares of `Cuts`, from mean and square uint16 [boards, 1326], 0 where a hand is blocked.

    counts [boards]: what each board stands for. Where there are groups of boards, a hand is weighed by its strength.
    """
    of = alike(descriptions(mean, square, kernel.SCALE - 1), counts, groups) if groups > 1 else np.zeros(len(mean), int)
    ends = part_ends(buckets // groups)
    sizes = np.diff(ends)
    means = np.full((groups, len(sizes) - 1), _VALUES, np.int32)
    squares = np.full((groups, len(sizes), int(sizes.max()) - 1), _VALUES, np.int32)
    for group in range(groups):
        own = np.flatnonzero(of == group)
        held = mean[own] > 0
        weights = np.broadcast_to(counts[own, None], held.shape)[held].astype(np.float64)
        first, second = mean[own][held].astype(np.int64), square[own][held].astype(np.int64)
        weights *= (first / _VALUES) ** (_STRONG if groups > 1 else 0.0)
        means[group] = _cut(np.bincount(first, weights, _VALUES), ends[1:-1] / ends[-1])
        part = np.searchsorted(means[group], first, side="right")
        spread = np.bincount(part * _VALUES + second, weights, len(sizes) * _VALUES).reshape(-1, _VALUES)
        for i, size in enumerate(sizes):
            squares[group, i, : size - 1] = _cut(spread[i], np.arange(1, size) / size)
    return of, means, squares


def _cut(weights: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The values from which on the next bucket begins, when these shares of weights [values] lie below."""
    middle = np.cumsum(weights) - weights / 2  # a value goes where the middle of its weight lies
    bucket = np.searchsorted(shares * weights.sum(), middle, side="right")
    return np.searchsorted(bucket, np.arange(1, len(shares) + 1), side="left")


def _strengths_name(deck: np.ndarray, boards: np.ndarray, missing: int) -> str:
    return f"strengths2-{boards.shape[1]}-{missing}-{_digest(deck, boards.shape, missing)}"


def all_strengths(
    deck: np.ndarray, boards: np.ndarray, missing: int, hands: np.ndarray, cache: Path | None
) -> np.ndarray:
    """What `strengths` gives for all boards of a street, from the cache or put there."""
    name, shape = _strengths_name(deck, boards, missing), (2, len(boards), COMBOS)
    return kept_array(name, shape, np.uint16, cache, lambda: strengths(deck, boards, missing, hands))


def kept_strengths(deck: np.ndarray, boards: np.ndarray, missing: int, cache: Path | None) -> np.ndarray | None:
    """What `strengths` gave for all boards of a street, where it is in the cache."""
    return find_kept(_strengths_name(deck, boards, missing), (2, len(boards), COMBOS), np.uint16, cache)


def preflop_buckets(count: int) -> np.ndarray:
    """int32 [1326]: classes, or groups of them with about as many combos each, the weakest first."""
    if count == CLASSES:
        return COMBO_CLASS.astype(np.int32)
    order = np.argsort(equity_vs_random(), kind="stable")
    middle = np.cumsum(CLASS_COMBOS[order]) - CLASS_COMBOS[order] / 2
    groups = np.empty(CLASSES, np.int32)
    groups[order] = np.minimum(middle * count // COMBOS, count - 1)
    return np.asarray(groups[COMBO_CLASS])


def _digest(deck: np.ndarray, *more: object) -> str:
    what = " ".join(map(str, (_VERSION, deck.tolist(), *more)))
    return hashlib.sha256(what.encode()).hexdigest()[:12]


def strengths(deck: np.ndarray, boards: np.ndarray, missing: int, hands: np.ndarray) -> np.ndarray:
    """uint16 [2, boards, 1326]: EHS and EHS2 in steps of 1 / 65534 from 1 on; 0 for hands that a board blocks."""
    index = combo_index(hands[:, 0], hands[:, 1])
    out = np.zeros((2, len(boards), COMBOS), np.uint16)
    on_boards, done = _hearing.get(), count(1)

    def fill(board: int) -> None:
        mean, square = np.empty(len(hands)), np.empty(len(hands))
        kernel.expected_strengths(boards[board], missing, deck, hands, tables(), mean, square)
        for part, values in enumerate((mean, square)):
            out[part, board, index] = np.where(values < 0, 0, 1 + np.rint(values * (kernel.SCALE - 1)))
        if on_boards is not None:
            on_boards(next(done), len(boards))

    thread_map(fill, range(len(boards)))
    return out


def _river_edges(deck: np.ndarray, hands: np.ndarray, buckets: int) -> np.ndarray:
    """Strengths on the river that cut many deals into buckets of equal shares; the same deals every time."""
    if buckets == 1:
        return np.zeros(0)
    deals = np.empty((_DEALS // 2, 9), np.uint8)
    draw(np.array([0], np.uint64), deck.copy(), np.zeros(0, np.uint8), deals)
    shares = np.empty((len(deals), 2))
    kernel.dealt_shares(deals, hands, tables(), shares)
    return np.quantile(shares, np.arange(1, buckets) / buckets, method="lower")


def _river_groups(boards: np.ndarray, copies: np.ndarray, hands: np.ndarray, groups: int) -> np.ndarray:
    """int64 [n]: the group of each full board uint8 [n, 5]."""
    most = float(2 * _opponents(hands))
    parts = [descriptions(shares, None, most) for _, shares in _all_shares(boards, hands)]
    return alike(np.concatenate(parts), copies, groups)


def _edges_by_group(
    boards: np.ndarray, copies: np.ndarray, of: np.ndarray, hands: np.ndarray, buckets: int
) -> np.ndarray:
    """float64 [groups, buckets - 1]: shares that cut the hands of each group of boards into equal parts."""
    most = 2 * _opponents(hands)
    counts = np.zeros((int(of.max()) + 1, most + 2))
    for rows, shares in _all_shares(boards, hands):
        at = of[rows].astype(np.int64)[:, None] * (most + 2) + shares
        counts += np.bincount(at.ravel(), np.repeat(copies[rows], COMBOS), counts.size).reshape(counts.shape)
    below = np.cumsum(counts[:, 1:] * (np.arange(1, most + 2) / most) ** _STRONG, axis=1)
    ends = [np.searchsorted(row, np.arange(1, buckets) / buckets * row[-1]) for row in below]
    return (np.stack(ends) + 0.5) / most  # between two shares that hands can have


def _all_shares(boards: np.ndarray, hands: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Shares of all hands on full boards (`kernel.river_shares`), some thousand boards at a time."""
    on_boards = _hearing.get()
    for first in range(0, len(boards), _BOARDS):
        rows = slice(first, min(first + _BOARDS, len(boards)))
        part, out = boards[rows], np.zeros((rows.stop - first, COMBOS), np.uint16)
        own = np.array_split(np.arange(len(part)), 8)
        thread_map(lambda at: kernel.river_shares(part[at], hands, tables(), out[at[0] : at[-1] + 1]), own)  # noqa: B023
        yield rows, out
        if on_boards is not None:
            on_boards(rows.stop, len(boards))


def _opponents(hands: np.ndarray) -> int:
    """Hands that a hand can meet on a full board."""
    cards = len(np.unique(hands)) - FULL_BOARD - 2
    return comb(cards, 2)


def group_ends(buckets: int) -> np.ndarray:
    """int32 [groups + 1]: where the buckets of each group of like shares begin; a group has about sqrt(n) / 4."""
    inner = max(1, round(np.sqrt(buckets) / 4))
    sizes = np.full(max(1, buckets // inner), inner)
    sizes[: buckets - inner * len(sizes)] += 1
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)


def _river_clusters(deck: np.ndarray, hands: np.ndarray, clusters: np.ndarray, first: np.ndarray) -> np.ndarray:
    """float64: edges between groups of like shares against any hand, then the centers of the buckets, CLUSTERS each, by
    k-means within each group."""
    buckets = int(first[-1])
    deals = np.empty((max(_DEALS, 40 * buckets) // 2, 9), np.uint8)
    draw(np.array([0], np.uint64), deck.copy(), np.zeros(0, np.uint8), deals)
    shares, against = np.empty((len(deals), 2)), np.empty((len(deals), 2, kernel.CLUSTERS))

    def fill(part: np.ndarray) -> None:
        rows = slice(int(part[0]), int(part[-1]) + 1)
        kernel.dealt_cluster_shares(deals[rows], hands, clusters, tables(), shares[rows], against[rows])

    thread_map(fill, np.array_split(np.arange(len(deals)), 64))
    edges = np.quantile(shares, first[1:-1] / buckets, method="lower")
    group = np.searchsorted(edges, shares.ravel(), side="right")
    points = against.reshape(-1, kernel.CLUSTERS)
    centers = [_centers(points[group == number], int(size)) for number, size in enumerate(np.diff(first))]
    return np.concatenate([edges, np.concatenate(centers).ravel()])


def _centers(points: np.ndarray, count: int) -> np.ndarray:
    """float64 [count, d]: centers of clusters of points [n, d] by Lloyd's iteration, the weakest first.

    It begins with points spread evenly over the order of their sums, so that it needs no random numbers.
    """
    if len(points) == 0:
        return np.zeros((count, points.shape[1]))
    order = np.argsort(points.sum(axis=1), kind="stable")
    centers = points[order[(2 * np.arange(count) + 1) * len(points) // (2 * count)]]
    for _ in range(_ROUNDS):
        nearest = ((points[:, None, :] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
        held = np.bincount(nearest, minlength=count)
        sums = np.stack([np.bincount(nearest, column, count) for column in points.T], axis=1)
        centers = np.where(held[:, None] > 0, sums / np.maximum(held, 1)[:, None], centers)
    return np.asarray(centers[np.argsort(centers.sum(axis=1), kind="stable")])
