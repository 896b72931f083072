"""Reservoir sampling: a uniform sample, of fixed size, of everything that was ever offered (Vitter's algorithm R).

Item i (from 0) goes to a place drawn from 0..i; it is kept where that place is inside the reservoir, and displaces what
was there. So after n items each is held with the same probability, size / n, whichever came first.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from runout.solutions.stored import fitting


class Reservoir:
    """Columns of samples, each an array with one row a sample; room is taken as it is needed."""

    def __init__(self, capacity: int, columns: Mapping[str, tuple[tuple[int, ...], type]], seed: int) -> None:
        self.capacity = capacity
        self.seen = 0
        self._shapes = dict(columns)
        self._held: dict[str, np.ndarray] = {
            name: np.empty((0, *shape), kind) for name, (shape, kind) in columns.items()
        }
        self._random = np.random.default_rng(seed)

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def __getitem__(self, name: str) -> np.ndarray:
        """Column [samples, ...]; a view."""
        return self._held[name][: len(self)]

    def add(self, **rows: np.ndarray) -> None:
        """Offer samples, one per row of every column."""
        count = len(next(iter(rows.values())))
        number = np.arange(self.seen, self.seen + count)
        place = np.where(number < self.capacity, number, (self._random.random(count) * (number + 1)).astype(np.int64))
        kept = np.flatnonzero(place < self.capacity)
        # Of several offers for one place the last stays, as if they had come one after the other.
        _, last = np.unique(place[kept][::-1], return_index=True)
        kept = kept[::-1][last]
        self.seen += count
        self._grow(len(self))
        for name, held in self._held.items():
            held[place[kept]] = rows[name][kept]

    def _grow(self, needed: int) -> None:
        for name, held in self._held.items():
            if len(held) < needed:
                room = min(self.capacity, max(needed, 2 * len(held), 1024))
                fresh = np.empty((room, *held.shape[1:]), held.dtype)
                fresh[: len(held)] = held
                self._held[name] = fresh

    def clear(self) -> None:
        """Forget everything but the state of the generator."""
        self.seen = 0

    @property
    def nbytes(self) -> int:
        return sum(held.nbytes for held in self._held.values())

    def state(self) -> dict[str, np.ndarray]:
        """Columns, how much was offered, and the generator; to continue from."""
        return {
            **{name: self[name].copy() for name in self._held},
            "seen": np.array(self.seen),
            "random": random_state(self._random),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        seen, length = int(state["seen"]), len(state[next(iter(self._held))])
        if length != min(seen, self.capacity):
            raise ValueError(f"a memory of {seen:,} samples holds {length:,}")
        held = {name: fitting(state, name, (length, *one.shape[1:]), one.dtype) for name, one in self._held.items()}
        self.seen, self._held = seen, {name: one.copy() for name, one in held.items()}
        set_random_state(self._random, state["random"])


def random_state(generator: np.random.Generator) -> np.ndarray:
    """uint64 [6]: the state of a PCG64 generator as an array."""
    found = generator.bit_generator.state
    low = (1 << 64) - 1
    numbers = [found["state"]["state"], found["state"]["inc"]]
    parts = [part for number in numbers for part in (number & low, number >> 64)]
    return np.array([*parts, found["has_uint32"], found["uinteger"]], np.uint64)


def set_random_state(generator: np.random.Generator, state: np.ndarray) -> None:
    """The reverse of `random_state`."""
    a, b, c, d, has, spare = (int(x) for x in state)
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": a | b << 64, "inc": c | d << 64},
        "has_uint32": has,
        "uinteger": spare,
    }
