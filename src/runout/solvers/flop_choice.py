"""Which flops something is measured on: all of a deck, a named set that stands for all, or those of a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.cards import cards as card_text
from runout.cards.abstraction import Abstraction
from runout.errors import InputError
from runout.games.flop_set import ALL_FLOPS, chosen_flops
from runout.kernels.abstraction import set_numbers

NAME = "even"  # of the sets of `games.flop_set`: every n-th flop in order of suits, pairs and ranks, by weight


@dataclass(frozen=True)
class FlopChoice:
    """Flops by number among the canonical ones of a deck, and the share of all flops that each stands for."""

    name: str
    flops: np.ndarray  # int64 [n]
    shares: np.ndarray  # float64 [n], adding up to one
    of: int  # canonical flops that there are

    @property
    def all(self) -> bool:
        return len(self.flops) == self.of

    def __str__(self) -> str:
        return f"all {self.of:,} flops" if self.all else f"the {len(self.flops)} flops of {self.name}"


def flop_choice(abstraction: Abstraction, wanted: str = "all") -> FlopChoice:
    """'all', a number or 'even-95' (flops that stand for all of a full deck), or a file: a flop and weight a line."""
    boards, copies = abstraction.flops, abstraction.flop_copies
    named = re.fullmatch(rf"(?:{NAME}-)?(\d+)", wanted)
    if wanted == "all" or (named and int(named[1]) >= len(boards)):
        return FlopChoice("all", np.arange(len(boards)), copies / copies.sum(), len(boards))
    if named and int(named[1]):
        if len(boards) != ALL_FLOPS:
            raise InputError(f"flops {wanted!r}: sets are for a full deck; measure all {len(boards)} flops of this one")
        picked, shares = chosen_flops(int(named[1]))
        return FlopChoice(f"{NAME}-{named[1]}", picked, shares, len(boards))
    if not Path(wanted).is_file():
        raise InputError(f"unknown flops {wanted!r}: use all, a number (95), a set ({NAME}-95) or a file")
    return _read(Path(wanted), abstraction)


def _read(path: Path, abstraction: Abstraction) -> FlopChoice:
    """Lines as 'Qs Jh 2h' or 'QsJh2h:0.5', '#' before a comment; weights are 1 where none is given."""
    total = np.zeros(len(abstraction.flops))
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    for number, line in enumerate(lines, 1):
        text, _, weight = line.partition("#")[0].strip().partition(":")
        if not text:
            continue
        try:
            cards, share = card_text.board(text), float(weight or 1)
        except (InputError, ValueError) as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        held = set(abstraction.tables.hands.ravel().tolist())
        if len(cards) != 3 or not held.issuperset(cards) or not 0 < share < float("inf"):
            raise InputError(f"{path}, line {number}: {line!r} is not a flop of this deck with a weight above 0")
        deal = np.zeros((1, 9), np.uint8)
        deal[0, 4:7] = cards
        found = np.empty(1, np.int64)
        set_numbers(deal, 3, found)
        total[abstraction.tables.flop_row[found[0]]] += share
    flops = np.flatnonzero(total)
    if not len(flops):
        raise InputError(f"{path} names no flop: give one a line, as in 'Qs Jh 2h' or 'QsJh2h:0.5'")
    return FlopChoice(path.name, flops, total[flops] / total.sum(), len(total))
