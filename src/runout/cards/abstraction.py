"""Card abstraction: hands of like strength and like potential share a bucket.

- Before the flop: the 169 classes, or fewer by equity.
- On the flop and the turn: first by the mean of a hand's strength over all run-outs (EHS), then by the mean of its
  square (EHS2), which is higher for a draw than for a made hand of the same mean. Buckets hold equal shares of deals.
- On the river: by strength.

A bucket says nothing of the streets before. What run-outs come to is exact; it is computed once for a deck, which
takes a minute or two, and kept in the cache directory of the user.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from runout import files
from runout.cards.equity169 import equity_vs_random
from runout.cards.evaluator import tables
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS, combo_index
from runout.cards.suits import SUIT_PERMUTATIONS, canonical_subsets, card_images, combo_images, symmetries
from runout.config import Settings
from runout.errors import InputError
from runout.kernels import abstraction as kernel
from runout.kernels.deals import draw
from runout.kernels.threads import thread_map

MOST = 65_535  # buckets of a street
FULL_BOARD = 5
_ROUNDS = 15  # of k-means
_DEALS = 100_000  # that say where the buckets of the river begin
_VALUES = 1 << 16  # of strengths kept as uint16
_VERSION = 1  # of cached files: a sha256 of the numbers, and the numbers
_DIGEST = 32  # bytes of it


Buckets = Annotated[int, Field(ge=1, le=MOST)] | Literal["lossless"]


class AbstractionSettings(Settings):
    """How many buckets the hands of each street are sorted into. `lossless` tells every hand of every board apart, up
    to a renaming of suits."""

    preflop: int = Field(CLASSES, ge=1, le=CLASSES, description="buckets before the flop; 169: one for each class")
    flop: Buckets = Field(200, description="buckets on the flop, or lossless")
    turn: Buckets = Field(200, description="buckets on the turn, or lossless")
    river: Buckets = Field(200, description="buckets on the river, or lossless")
    river_by: Literal["strength", "opponents"] = Field(
        "strength",
        description="what tells river hands apart: their share of the pot against any hand, or within groups of about "
        "the same share also those against eight clusters of hands",
    )


class Abstraction:
    """Buckets of hands with boards of one deck; hands are shown on `shown` board cards."""

    def __init__(
        self,
        settings: AbstractionSettings,
        deck: Sequence[int] = range(52),
        last_street: int = 3,
        shown: int = FULL_BOARD,
        cache: Path | None = None,
    ) -> None:
        self.settings, self.last_street = settings, last_street
        cards = np.array(sorted(deck), np.uint8)
        hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, cards).all(axis=1)])
        group = symmetries([[int(card) for card in cards]])
        self.flops, self.flop_copies = np.zeros((0, 3), np.uint8), np.zeros(0, np.int64)  # canonical ones
        rows, names, found = [], [], []
        for street, wanted in ((1, settings.flop), (2, settings.turn)):
            size = street + 2
            if last_street < street:
                rows.append(np.zeros(0, np.int32))
                names.append(np.zeros(0, np.uint8))
                found.append(np.zeros((0, COMBOS), np.uint16))
                continue
            boards, counts = canonical_subsets(cards, size, group)
            row, name = _places(boards, size, group)
            if street == 1:
                self.flops, self.flop_copies = boards, counts
            if wanted == "lossless":
                rows.append(row)
                names.append(name)
                found.append(np.zeros((0, COMBOS), np.uint16))
                continue

            def make(boards: np.ndarray = boards, counts: np.ndarray = counts, wanted: int = wanted) -> np.ndarray:
                missing = shown - boards.shape[1]
                return two_way_buckets(*_cached(cards, boards, missing, hands, cache), counts, wanted)

            rows.append(row)
            names.append(name)
            kept = f"buckets-{size}-{wanted}-{_digest(cards, boards.shape, shown, wanted)}"
            found.append(_kept(kept, (len(boards), COMBOS), np.uint16, cache, make))
        known = last_street > 2 and settings.river != "lossless"
        river = np.zeros(0), np.zeros(0, np.int32), np.zeros((0, kernel.CLUSTERS), np.float32)
        clusters = preflop_buckets(kernel.CLUSTERS)
        if known:
            count = int(settings.river)
            kept = f"river-{settings.river_by}-{count}-{_digest(cards, settings.river_by, count)}"
            if settings.river_by == "strength":
                edges = _kept(kept, (count - 1,), np.float64, cache, lambda: _river_edges(cards, hands, count))
                river = edges, *river[1:]
            else:
                first = group_ends(count)
                size = len(first) - 2 + count * kernel.CLUSTERS
                numbers = _kept(
                    kept, (size,), np.float64, cache, lambda: _river_clusters(cards, hands, clusters, first)
                )
                edges, centers = numbers[: len(first) - 2], numbers[len(first) - 2 :]
                river = edges, first, centers.reshape(count, -1).astype(np.float32)
        place, position = np.zeros(COMBOS, np.int32), np.zeros(52, np.int64)
        place[combo_index(hands[:, 0], hands[:, 1])] = np.arange(len(hands))
        position[cards] = np.arange(len(cards))
        self.tables = kernel.BucketTables(
            preflop_buckets(settings.preflop),
            *(rows[0], names[0], found[0], rows[1], names[1], found[1]),
            *river,
            clusters,
            combo_images(),
            hands,
            np.array([False, *(wanted == "lossless" for wanted in (settings.flop, settings.turn, settings.river))]),
            *_fixing(self.flops, group),
            place,
            position,
            card_images(),
            len(cards),
        )

    @cached_property
    def fingerprint(self) -> str:
        """Tells buckets apart that were made otherwise: a hash of all tables."""
        found = hashlib.sha256()
        for table in self.tables:
            found.update(np.ascontiguousarray(table).tobytes())
        return found.hexdigest()[:16]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Buckets of each street that is played."""
        asked, deck, found = self.settings, self.tables.deck_cards, [self.settings.preflop]
        for street, wanted in enumerate((asked.flop, asked.turn, asked.river)[: self.last_street]):
            every = len(self.flops) * deck**street * len(self.tables.hands)
            found.append(every if wanted == "lossless" else wanted)
        return tuple(found)

    def buckets(self, deals: np.ndarray) -> np.ndarray:
        """int32 [n, 2, 4] of deals uint8 [n, 9], by player and street; 0 on streets that are not played."""
        out = np.zeros((len(deals), 2, 4), np.int32)
        kernel.deal_buckets(np.ascontiguousarray(deals, np.uint8), self.last_street, self.tables, tables(), out)
        return out


def preflop_buckets(count: int) -> np.ndarray:
    """int32 [1326]: classes, or groups of them with about as many combos each, the weakest first."""
    if count == CLASSES:
        return COMBO_CLASS.astype(np.int32)
    order = np.argsort(equity_vs_random(), kind="stable")
    middle = np.cumsum(CLASS_COMBOS[order]) - CLASS_COMBOS[order] / 2
    groups = np.empty(CLASSES, np.int32)
    groups[order] = np.minimum(middle * count // COMBOS, count - 1)
    return np.asarray(groups[COMBO_CLASS])


def two_way_buckets(mean: np.ndarray, square: np.ndarray, counts: np.ndarray, buckets: int) -> np.ndarray:
    """uint16 of the shape of mean and square, uint16 [boards, 1326]: by mean, and within that by square.

    counts [boards]: what each board stands for. Blocked hands (0 in both) get any.
    """
    held = mean > 0
    weights = np.broadcast_to(counts[:, None], mean.shape)[held].astype(np.float64)
    first, second = mean[held].astype(np.int64), square[held].astype(np.int64)
    inner = max(1, int(np.sqrt(buckets) / 2))  # of a group by mean
    groups = max(1, buckets // inner)
    sizes = np.full(groups, inner)
    sizes[: buckets - inner * groups] += 1  # groups with one more, so that all buckets are used
    ends = np.cumsum(sizes)
    by_mean = _cut(np.bincount(first, weights, _VALUES), ends[:-1] / buckets)
    group = by_mean[first]
    spread = np.bincount(group * _VALUES + second, weights, groups * _VALUES).reshape(groups, _VALUES)
    by_square = np.stack([_cut(spread[i], np.arange(1, size) / size) for i, size in enumerate(sizes)])
    found = np.zeros(mean.shape, np.uint16)
    found[held] = (ends - sizes)[group] + by_square[group, second]
    return found


def _cut(weights: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """int64 [values]: the bucket of each value of weights [values], when these shares of the weight lie below edges."""
    middle = np.cumsum(weights) - weights / 2  # a value goes where the middle of its weight lies
    return np.searchsorted(shares * weights.sum(), middle, side="right")


def _places(boards: np.ndarray, size: int, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row of every set of `size` cards, and the renaming that takes its hands to that row; by number of the set.

    group: renamings that leave the deck as it is, among which the boards are told apart.
    """
    sets = 22100 if size == 3 else 270725
    row, name = np.zeros(sets, np.int32), np.zeros(sets, np.uint8)
    inverse = np.argsort(SUIT_PERMUTATIONS, axis=1)
    back = [int(np.flatnonzero((one == SUIT_PERMUTATIONS).all(axis=1))[0]) for one in inverse]
    for renaming in group:
        cards = np.zeros((len(boards), 9), np.uint8)
        cards[:, 4 : 4 + size] = card_images()[renaming][boards]
        numbers = np.empty(len(boards), np.int64)
        kernel.set_numbers(cards, size, numbers)
        row[numbers], name[numbers] = np.arange(len(boards)), back[renaming]
    return row, name


def _fixing(flops: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Renamings of `group` that leave a flop as it is: where those of each begin, int32 [n + 1], and all of them."""
    images = np.sort(card_images()[group][:, flops], axis=2)  # [renamings, flops, 3]
    flop, renaming = np.nonzero((images == np.sort(flops, axis=1)).all(axis=2).T)
    first = np.searchsorted(flop, np.arange(len(flops) + 1)).astype(np.int32)
    return first, np.asarray(group, np.uint8)[renaming]


def _cached(
    deck: np.ndarray, boards: np.ndarray, missing: int, hands: np.ndarray, folder: Path | None
) -> tuple[np.ndarray, np.ndarray]:
    """EHS and EHS2, uint16 [boards, 1326], from the cache or computed and put there; 0 for blocked hands."""
    name = f"strengths2-{boards.shape[1]}-{missing}-{_digest(deck, boards.shape, missing)}"
    found = _kept(
        name, (2, len(boards), COMBOS), np.uint16, folder, lambda: strengths(deck, boards, missing, hands)
    )  # fmt: skip
    return found[0], found[1]


def _digest(deck: np.ndarray, *more: object) -> str:
    what = " ".join(map(str, (_VERSION, deck.tolist(), *more)))
    return hashlib.sha256(what.encode()).hexdigest()[:12]


def _kept(
    name: str, shape: tuple[int, ...], dtype: type, folder: Path | None, make: Callable[[], np.ndarray]
) -> np.ndarray:
    """An array of the cache, or what `make` gives, put there."""
    path = (cache_folder() if folder is None else folder) / name
    with suppress(FileNotFoundError, NotADirectoryError):
        try:
            content = path.read_bytes()
            if content[:_DIGEST] == hashlib.sha256(content[_DIGEST:]).digest():
                return np.frombuffer(content, dtype, offset=_DIGEST).reshape(shape)
        except (PermissionError, IsADirectoryError, ValueError):
            pass
        logging.getLogger("runout").warning("%s is damaged and is made again", path)
    found: np.ndarray = np.ascontiguousarray(make(), dtype).reshape(shape)
    with suppress(OSError, InputError):  # no room or no right to write: computed again next time
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.replacing(path, binary=True) as file:
            file.write(hashlib.sha256(found.data).digest())
            file.write(found.data)
    return found


def cache_folder() -> Path:
    """Where tables that take a while are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "runout"


def strengths(deck: np.ndarray, boards: np.ndarray, missing: int, hands: np.ndarray) -> np.ndarray:
    """uint16 [2, boards, 1326]: EHS and EHS2 in steps of 1 / 65534 from 1 on; 0 for hands that a board blocks."""
    index = combo_index(hands[:, 0], hands[:, 1])
    out = np.zeros((2, len(boards), COMBOS), np.uint16)

    def fill(board: int) -> None:
        mean, square = np.empty(len(hands)), np.empty(len(hands))
        kernel.expected_strengths(boards[board], missing, deck, hands, tables(), mean, square)
        for part, values in enumerate((mean, square)):
            out[part, board, index] = np.where(values < 0, 0, 1 + np.rint(values * (kernel.SCALE - 1)))

    thread_map(fill, range(len(boards)))
    return out


def _river_edges(deck: np.ndarray, hands: np.ndarray, buckets: int) -> np.ndarray:
    """Strengths on the river that cut many deals into buckets of equal shares; the same deals every time."""
    deals = np.empty((_DEALS // 2, 9), np.uint8)
    draw(np.array([0], np.uint64), deck.copy(), np.zeros(0, np.uint8), deals)
    shares = np.empty((len(deals), 2))
    kernel.dealt_shares(deals, hands, tables(), shares)
    return np.quantile(shares, np.arange(1, buckets) / buckets, method="lower")


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
