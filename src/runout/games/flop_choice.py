"""Which flops something is done on: all of a deck, a named set that stands for all, or those of a file.

This is the one place that reads `--flops`: 'all', a number, a set by name ('even-95', 'fitted-49') or a file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.cards import cards as card_text
from runout.cards.suits import canonical_subsets, card_images, symmetries
from runout.errors import InputError
from runout.games.fitted_flops import SIZES as FITTED_SIZES
from runout.games.fitted_flops import fitted_flops
from runout.games.flop_set import ALL_FLOPS, chosen_flops

EVEN = "even"  # sets of `games.flop_set`: every n-th flop in order of suits, pairs and ranks, by weight
FITTED = "fitted"  # sets of `games.fitted_flops`: chosen and weighed so that ranges fare as on all flops


@dataclass(frozen=True)
class FlopChoice:
    """Flops by number among the canonical ones of a deck, and the share of all flops that each stands for."""

    name: str
    flops: np.ndarray  # int64 [n]
    shares: np.ndarray  # float64 [n], adding up to one
    of: int  # canonical flops that there are
    cards: np.ndarray  # uint8 [n, 3], the highest first; as they are written, where they come from a file

    @property
    def all(self) -> bool:
        return len(self.flops) == self.of

    def __str__(self) -> str:
        return f"all {self.of:,} flops" if self.all else f"the {len(self.flops)} flops of {self.name}"


def flop_choice(wanted: str = "all", deck: Sequence[int] = range(52)) -> FlopChoice:
    """'all', a number or a set as 'even-95' or 'fitted-49' (flops that stand for all of a full deck), or a file."""
    group = symmetries([deck])
    boards, copies = canonical_subsets(np.array(sorted(deck)), 3, group)
    named = re.fullmatch(rf"(?:({EVEN}|{FITTED})-)?(\d+)", wanted)
    if wanted == "all" or (named and named[1] != FITTED and int(named[2]) >= len(boards)):
        every = np.arange(len(boards))
        return FlopChoice("all", every, copies / copies.sum(), len(boards), _highest_first(boards))
    if named and int(named[2]):
        if len(boards) != ALL_FLOPS:
            raise InputError(f"flops {wanted!r}: sets are for a full deck; take all {len(boards)} flops of this one")
        if named[1] == FITTED:
            return _read(fitted_flops(int(named[2])), wanted, wanted, boards, group)
        picked, shares = chosen_flops(int(named[2]))
        return FlopChoice(f"{EVEN}-{named[2]}", picked, shares, len(boards), _highest_first(boards[picked]))
    if not Path(wanted).is_file():
        sets = f"{EVEN}-95, {FITTED}-{', -'.join(map(str, FITTED_SIZES))}"
        raise InputError(f"unknown flops {wanted!r}: use all, a number (95), a set ({sets}) or a file")
    try:
        text = Path(wanted).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {wanted}: {error}") from None
    return _read(text, wanted, Path(wanted).name, boards, group)


def _highest_first(boards: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(np.sort(boards, axis=1)[:, ::-1])


def _read(text: str, path: str, name: str, boards: np.ndarray, group: np.ndarray) -> FlopChoice:
    """Lines as 'Qs Jh 2h' or 'QsJh2h:0.5', '#' before a comment; weights are 1 where none is given."""
    places = {tuple(row): at for at, row in enumerate(np.sort(boards, axis=1).tolist())}
    renamings = card_images()[group]
    total, written = np.zeros(len(boards)), np.zeros(boards.shape, np.uint8)
    for number, line in enumerate(text.splitlines(), 1):
        flop, _, weight = line.partition("#")[0].strip().partition(":")
        if not flop:
            continue
        try:
            cards, share = card_text.board(flop), float(weight or 1)
        except (InputError, ValueError) as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        images = np.sort(renamings[:, list(cards)], axis=1) if len(cards) == 3 else np.zeros((0, 3), np.uint8)
        at = next((places[image] for image in map(tuple, images.tolist()) if image in places), None)
        if at is None or not 0 < share < float("inf"):
            raise InputError(f"{path}, line {number}: {line!r} is not a flop of this deck with a weight above 0")
        if not total[at]:
            written[at] = cards
        total[at] += share
    flops = np.flatnonzero(total)
    if not len(flops):
        raise InputError(f"{path} names no flop: give one a line, as in 'Qs Jh 2h' or 'QsJh2h:0.5'")
    return FlopChoice(name, flops, total[flops] / total.sum(), len(total), written[flops])
