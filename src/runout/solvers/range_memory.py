"""Memory of a range solver: asked for before it is taken, laid out, and handed to the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runout import memory
from runout.games.betting import STREET_NAMES
from runout.games.boards import BoardStreet
from runout.games.tree import BettingTree
from runout.kernels.showdown import BLOCK
from runout.kernels.tables import (
    MOST_STREETS,
    STORE,
    STORE_ROW,
    Boards,
    Buckets,
    Gadget,
    Rows,
    Scratch,
    Storage,
    StreetPlan,
    SweepGame,
)
from runout.solvers.range_plan import scratch_rows, storage_rows

BYTES = {"float32": 4, "int16": 2}
PARTS = 6  # in which the rivers below a turn are added up
MANY_THREADS = 8  # that share the rivers of a turn: for fewer there are turns enough


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes that a solve needs."""

    streets: tuple[tuple[str, int], ...]  # name and numbers stored of each street: regrets and averages
    rows: int  # rows of numbers, each with a scale as int16
    tables: int  # bytes of boards, hands and run-outs

    def bytes(self, storage: str = "float32") -> int:
        """In all, with a storage of float32 or int16."""
        numbers = sum(count for _, count in self.streets)
        return numbers * BYTES[storage] + (8 * self.rows if storage == "int16" else 0) + self.tables

    def require(self, storage: str, available: int | None = None, cut: str = "") -> None:
        """Refuse what does not fit, naming the largest part and what to `cut` (by default, of a postflop spot)."""
        free = memory.available() if available is None else available
        street, count = max(self.streets, key=lambda part: part[1])
        packed = self.bytes("int16")
        int16 = storage == "float32" and memory.fits(packed, free)
        advice = (
            f"the {street} takes {memory.size(count * BYTES[storage])} of it; "
            f"{cut or f'give fewer {street} bet sizes, a raise cap or narrower ranges'}"
            f"{f', or storage int16 ({memory.size(packed)})' if int16 else ''}"
        )
        memory.require(self.bytes(storage), "this game needs", advice, free)


def estimate(tree: BettingTree, boards: Sequence[BoardStreet]) -> MemoryEstimate:
    """What a solve of this game needs; nothing large is allocated."""
    streets, rows, tables = [], 0, 0
    for street, betting in zip(boards, tree.streets, strict=True):
        per_board = np.array(storage_rows(betting))
        numbers = int((street.tables.stride.T * per_board).sum())
        streets.append((STREET_NAMES[betting.street], 2 * numbers))
        rows += int(per_board.sum()) * len(street.cards)
        tables += street.tables.nbytes
    return MemoryEstimate(tuple(streets), rows, tables)


def place_boards(tree: BettingTree, boards: Sequence[BoardStreet]) -> tuple[tuple[Boards, ...], int, int]:
    """The boards with places in the storage, and its size in numbers and in rows."""
    placed, at, row = [], 0, 0
    for street, betting in zip(boards, tree.streets, strict=True):
        per_board = np.array(storage_rows(betting))
        sizes = (street.tables.stride.T * per_board).ravel()
        rows = np.tile(per_board, len(street.cards))
        ends, row_ends = at + np.cumsum(sizes), row + np.cumsum(rows)
        table = street.tables.table.copy()
        table[:-1, STORE : STORE + 2] = (ends - sizes).reshape(-1, 2)
        table[:-1, STORE_ROW : STORE_ROW + 2] = (row_ends - rows).reshape(-1, 2)
        placed.append(street.tables._replace(table=table))
        at, row = int(ends[-1]), int(row_ends[-1])
    return tuple(placed), at, row


def new_storage(numbers: int, rows: int, kind: str) -> Storage:
    """Empty storage of float32 or int16."""
    scales = rows if kind == "int16" else 0
    return Storage(
        aligned(numbers, kind), aligned(numbers, kind), aligned(scales), aligned(scales), np.zeros((0, 4), np.int64),
        aligned(0),
    )  # fmt: skip


def working_memory(
    plans: tuple[tuple[StreetPlan, ...], tuple[StreetPlan, ...]],
    boards: tuple[Boards, ...],
    storage: Storage,
    ranges: np.ndarray,
    threads: int,
    buckets: Buckets | None = None,
) -> tuple[SweepGame, list[Scratch]]:
    """What the threads share, and the working rows of each; those of the first street are shared too."""
    missing = MOST_STREETS - len(boards)
    sides = [(*side, *[_nothing(side[0])] * missing) for side in plans]
    all_boards = (*boards, *[_nothing(boards[0])] * missing)
    sizes = all_boards[1].stride * sides[0][1].entry_count
    parts = PARTS if len(boards) == 3 and buckets is None else 1
    after = sides[0][2].entry_count * int(all_boards[1].stride.max(initial=0))
    shared = len(all_boards[1].weight) * parts * after if parts > 1 and threads >= MANY_THREADS else 0
    game = SweepGame(
        streets=len(boards),
        plans=(sides[0], sides[1]),
        boards=all_boards,
        storage=storage,
        ranges=ranges,
        out=aligned(int(sizes.sum(axis=1).max(initial=0))),
        out_first=np.ascontiguousarray(np.cumsum(sizes, axis=1) - sizes),  # one layout: one compilation
        buckets=no_buckets() if buckets is None else buckets,
        gadget=no_gadget(),
        parts=parts,
        partial=aligned(shared),
    )
    widest = max(int(street.stride.max()) for street in boards)
    actions = max(int(np.diff(plan.nodes[:, 0]).max(initial=0)) for plan in plans[0])
    root = _new_rows(game, 0)
    scratch = [
        Scratch(
            rows=(root, *(_new_rows(game, street) for street in range(1, MOST_STREETS))),
            path=np.zeros(MOST_STREETS, np.int64),
            child=np.zeros(MOST_STREETS, np.int64),
            lanes=aligned((3 * widest + 54) * BLOCK),
            packing=aligned(2 * actions * widest),
        )
        for _ in range(threads)
    ]
    return game, scratch


def no_buckets() -> Buckets:
    """Of games in which every hand of every board has numbers of its own."""
    return Buckets(aligned(0), aligned(0), np.zeros((2, MOST_STREETS), np.int64), np.zeros(MOST_STREETS, np.int64))


def no_gadget() -> Gadget:
    """Of games that both players come into with the ranges that they have."""
    return Gadget(0, 0, aligned(0), aligned(0), aligned(0), aligned(0))


def _new_rows(game: SweepGame, street: int) -> Rows:
    """Room for the largest group of lines on the largest board of a street, whoever is updated."""
    if street >= game.streets:
        return Rows(*(aligned(0) for _ in Rows._fields))
    stride = int(game.boards[street].stride.max())
    after = game.plans[0][street + 1].entry_count if street + 1 < game.streets else 0
    needs = [scratch_rows(side[street], after) for side in game.plans]
    reach, values = (max(both) * stride for both in zip(*needs, strict=True))
    entries = game.plans[0][street].entry_count * stride
    part = after * stride if game.parts > 1 and street == game.streets - 2 else 0
    return Rows(aligned(reach), aligned(reach), aligned(reach), aligned(values), aligned(entries), aligned(part))


def aligned(size: int, kind: str = "float32") -> np.ndarray:
    """Zeros that begin on a cache line."""
    raw = np.zeros(size + 64 // BYTES[kind], kind)
    start = (-raw.ctypes.data % 64) // BYTES[kind]
    return raw[start : start + size]


def _nothing(like: StreetPlan | Boards) -> Any:
    """A plan or boards of a street that is not there, of the same types."""

    def empty(field: np.ndarray | None) -> Any:
        return None if field is None else np.zeros((1, field.shape[1]) if field.ndim == 2 else 0, field.dtype)

    return type(like)(*map(empty, like))
