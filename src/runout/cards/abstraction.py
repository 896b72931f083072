"""Card abstraction: hands of like strength and like potential share a bucket.

- Before the flop: the 169 classes, or fewer by equity.
- On the flop and the turn: first by the mean of a hand's strength over all run-outs (EHS), then by the mean of its
  square (EHS2), which is higher for a draw than for a made hand of the same mean. Buckets hold equal shares of deals.
- On the river: by strength.
- Where more than one group of boards is asked for, each group of boards that play alike (`board_groups`) has buckets of
  its own.

A bucket says nothing of the streets before. Where one bucket ends and the next begins follows from all boards of a deck
(`bucket_cuts`); that takes a minute or two, once, and is kept in the cache directory of the user and with everything
that is learnt. What the hands of one board come to takes milliseconds, and is found when the board is first met.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from math import comb
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from runout.cards.bucket_cuts import (
    FULL_BOARD,
    Cuts,
    all_strengths,
    kept_strengths,
    make_cuts,
    part_ends,
    preflop_buckets,
    strengths,
)
from runout.cards.evaluator import tables
from runout.cards.hands import CLASSES, COMBO_CARDS, COMBOS, combo_index
from runout.cards.suits import SUIT_PERMUTATIONS, canonical_subsets, card_images, combo_images, symmetries
from runout.config import Settings
from runout.errors import InputError
from runout.kernels import abstraction as kernel

MOST = 65_535  # buckets of the flop and of the turn, and groups of boards
MOST_RIVER = 1_000_000
_MANY = 0.1  # of a street's boards, met at once: then what all of them come to is worked out and kept

Buckets = Annotated[int, Field(ge=1, le=MOST)] | Literal["lossless"]
RiverBuckets = Annotated[int, Field(ge=1, le=MOST_RIVER)] | Literal["lossless"]


class AbstractionSettings(Settings):
    """How many buckets the hands of each street are sorted into. `lossless` tells every hand of every board apart, up
    to a renaming of suits."""

    preflop: int = Field(CLASSES, ge=1, le=CLASSES, description="buckets before the flop; 169: one for each class")
    flop: Buckets = Field(200, description="buckets on the flop, or lossless")
    turn: Buckets = Field(200, description="buckets on the turn, or lossless")
    river: RiverBuckets = Field(200, description="buckets on the river, or lossless")
    flop_boards: int = Field(1, ge=1, le=MOST, description="groups of flops that have buckets of their own, of `flop`")
    turn_boards: int = Field(1, ge=1, le=MOST, description="the same of boards on the turn")
    river_boards: int = Field(1, ge=1, le=MOST, description="the same of boards on the river")
    river_by: Literal["strength", "opponents"] = Field(
        "strength",
        description="what tells river hands apart: their share of the pot against any hand, or within groups of about "
        "the same share also those against eight clusters of hands",
    )

    @model_validator(mode="after")
    def _shared_out(self) -> AbstractionSettings:
        for street in ("flop", "turn", "river"):
            buckets, boards = getattr(self, street), getattr(self, f"{street}_boards")
            if boards > 1 and buckets == "lossless":
                raise InputError(f"{street}_boards = {boards}: lossless tells every board apart already")
            if boards > 1 and boards > buckets:
                raise InputError(f"{street} = {buckets} buckets are too few for {boards} groups of boards")
        if self.river_boards > 1 and self.river_by != "strength":
            raise InputError("river_boards goes with river_by: strength")
        return self


class Abstraction:
    """Buckets of hands with boards of one deck; hands are shown on `shown` board cards.

    cuts: where buckets begin, if that is known already, as it is for what was learnt before.
    """

    def __init__(
        self,
        settings: AbstractionSettings,
        deck: Sequence[int] = range(52),
        last_street: int = 3,
        shown: int = FULL_BOARD,
        cache: Path | None = None,
        cuts: Cuts | None = None,
    ) -> None:
        self.settings, self.last_street, self.shown, self.cache = settings, last_street, shown, cache
        self.deck = np.array(sorted(deck), np.uint8)
        hands = np.ascontiguousarray(COMBO_CARDS[np.isin(COMBO_CARDS, self.deck).all(axis=1)])
        group = symmetries([[int(card) for card in self.deck]])
        boards = {
            street: canonical_subsets(self.deck, street + 2, group) for street in range(1, min(last_street, 2) + 1)
        }
        self._boards = {street: found for street, (found, _) in boards.items()}
        self.flops, self.flop_copies = boards.get(1, (np.zeros((0, 3), np.uint8), np.zeros(0, np.int64)))
        self.cuts = make_cuts(settings, self.deck, last_street, shown, cache) if cuts is None else cuts
        rows, names, found = [], [], []
        self._kept: dict[int, np.ndarray | None] = {}
        self._known: dict[int, np.ndarray] = {}  # by street: of which boards the buckets are in their table
        for street in (1, 2):
            played, wanted = street in self._boards, (settings.flop, settings.turn)[street - 1]
            row, name = np.zeros(0, np.int32), np.zeros(0, np.uint8)
            if played:
                row, name = board_places(self._boards[street], street + 2, group)
            rows.append(row)
            names.append(name)
            shared = played and wanted != "lossless"
            found.append(np.zeros((len(self._boards[street]) if shared else 0, COMBOS), np.uint16))
            if shared and wanted != 1:
                self._known[street] = np.zeros(len(self._boards[street]), np.bool_)
        river_board = np.zeros(0, np.uint16)
        if len(self.cuts.river_group):
            full, _ = canonical_subsets(self.deck, FULL_BOARD, group)
            river_board = self.cuts.river_group[board_places(full, FULL_BOARD, group)[0]]
        place, position = np.zeros(COMBOS, np.int32), np.zeros(52, np.int64)
        place[combo_index(hands[:, 0], hands[:, 1])] = np.arange(len(hands))
        position[self.deck] = np.arange(len(self.deck))
        self.tables = kernel.BucketTables(
            preflop_buckets(settings.preflop),
            *(rows[0], names[0], found[0], rows[1], names[1], found[1]),
            river_board,
            # Copies can be written to: kernels are compiled apart for arrays that can, and that cannot.
            *(self.cuts.river.copy(), self.cuts.river_first.copy(), self.cuts.river_centers.copy()),
            preflop_buckets(kernel.CLUSTERS),
            combo_images(),
            hands,
            np.array([False, *(wanted == "lossless" for wanted in (settings.flop, settings.turn, settings.river))]),
            *_fixing(self.flops, group),
            place,
            position,
            card_images(),
            len(self.deck),
        )

    @cached_property
    def fingerprint(self) -> str:
        """Tells buckets apart that were made otherwise."""
        found = hashlib.sha256(self.settings.model_dump_json().encode())
        for table in (self.deck, *self.cuts):
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

    def meet(self, boards: np.ndarray) -> None:
        """Have the buckets of the hands on these boards uint8 [n, 3 to 5] in their tables."""
        for street, known in self._known.items():
            size = street + 2
            if boards.shape[1] >= size and not known.all():
                cards = np.zeros((len(boards), 9), np.uint8)
                cards[:, 4 : 4 + size] = boards[:, :size]
                numbers = np.empty(len(boards), np.int64)
                kernel.set_numbers(cards, size, numbers)
                row = (self.tables.flop_row, self.tables.turn_row)[street - 1][numbers]
                fresh = np.unique(row[~known[row]])
                if len(fresh):
                    self._fill(street, fresh)

    def _fill(self, street: int, rows: np.ndarray) -> None:
        size, cuts = street + 2, self.cuts
        group, mean, square = cuts[3 * (street - 1) : 3 * street]
        buckets = int((self.settings.flop, self.settings.turn)[street - 1])
        groups = (self.settings.flop_boards, self.settings.turn_boards)[street - 1]
        boards, missing, known = self._boards[street], self.shown - size, self._kept_strengths(street)
        if known is None and len(rows) > _MANY * len(boards):
            known = self._kept[street] = all_strengths(self.deck, boards, missing, self.tables.hands, self.cache)
        found = strengths(self.deck, boards[rows], missing, self.tables.hands) if known is None else known[:, rows]
        fresh, each = np.zeros((len(rows), COMBOS), np.uint16), buckets // groups
        kernel.bucket_rows(*found, group[rows], mean, square, part_ends(each), each, fresh)
        (self.tables.flop, self.tables.turn)[street - 1][rows] = fresh
        self._known[street][rows] = True

    def _kept_strengths(self, street: int) -> np.ndarray | None:
        """Strengths of all boards of a street, where making cuts has left them in the cache."""
        if street not in self._kept:
            self._kept[street] = kept_strengths(self.deck, self._boards[street], self.shown - street - 2, self.cache)
        return self._kept[street]

    def buckets(self, deals: np.ndarray) -> np.ndarray:
        """int32 [n, 2, 4] of deals uint8 [n, 9], by player and street; 0 on streets that are not played."""
        self.meet(np.asarray(deals, np.uint8)[:, 4:])
        out = np.zeros((len(deals), 2, 4), np.int32)
        kernel.deal_buckets(np.ascontiguousarray(deals, np.uint8), self.last_street, self.tables, tables(), out)
        return out


def board_places(boards: np.ndarray, size: int, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row of every set of `size` cards, and the renaming that takes its hands to that row; by number of the set.

    group: renamings that leave the deck as it is, among which the boards are told apart.
    """
    sets = comb(52, size)
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
