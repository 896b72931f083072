"""The record of one played hand of no-limit hold'em, whatever it was read from or is written to.

Chips are whole numbers of the smallest amount that the hand has: with `decimals` = 2 they are cents. Seats are in the
order in which players act after the flop, the button last: heads-up, seat 0 is the big blind and seat 1 the button, as
in `games.betting`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FOLD, RAISE
from runout.games.lines import POSITIONS

KINDS = (FOLD, CHECK, CALL, BET, RAISE)  # of moves; an all-in is a call, bet or raise of what is left
MOST_SEATS = 10
MOST_CHIPS = 10**15
_LATE = ("LJ", "HJ", "CO", "BTN")
UNKNOWN = 10**18  # a stack that is not told


@dataclass(frozen=True, slots=True)
class Seat:
    """A player of a hand."""

    name: str
    stack: int  # chips before anything is posted
    number: int  # of the seat at the table
    cards: tuple[int, ...] = ()  # two card ids, none where they are not known
    ante: int = 0  # chips posted: dead
    blind: int = 0  # chips posted that count as a bet
    dead: int = 0  # chips posted beside a blind that count as no bet
    showed: bool = False  # whether the cards were turned up; `cards` may be known without

    @property
    def known(self) -> bool:
        """Whether the stack is told."""
        return self.stack < UNKNOWN


class Move(NamedTuple):
    """What a player did."""

    seat: int
    street: int  # of games.betting: PREFLOP to RIVER
    kind: int  # of KINDS
    amount: int  # the player's chips on this street after it, blinds included
    line: int = 0  # of the file, from 1; 0 where there is none


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A played hand: who sat where with what, what was posted, done, dealt and won."""

    id: str  # as the site numbers it
    seats: tuple[Seat, ...]
    small_blind: int  # chips, of the table
    big_blind: int
    moves: tuple[Move, ...]
    boards: tuple[tuple[int, ...], ...] = ((),)  # card ids dealt; more than one where it was run more than once
    collected: tuple[int, ...] = ()  # chips that each seat took from the pot; empty where that is not told
    rake: int | None = None  # chips; None where it is not told
    pot: int | None = None  # chips in the end, as told
    added: int = 0  # chips in the pot that are of no player
    decimals: int = 0  # of the amounts when they are written
    currency: str = ""  # "$", "€"; nothing for play money and tournaments
    site: str = ""
    table: str = ""
    tournament: str = ""  # its number
    hero: int | None = None  # the seat whose cards were seen from the start
    time: datetime | None = None
    file: str = field(default="", compare=False)
    number: int = field(default=0, compare=False)  # in the file, from 1
    line: int = field(default=0, compare=False)  # of the file, where it begins

    @property
    def board(self) -> tuple[int, ...]:
        return self.boards[0]

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def where(self) -> str:
        """Where it was read: 'hands.phhs, hand 12, line 180'."""
        return place(self.file, self.number, self.line)

    def text(self, chips: int) -> str:
        """Chips as an amount of money: '7.60'."""
        return amount_text(chips, self.decimals)

    def position(self, seat: int) -> str:
        """What players call a seat: SB, BB, UTG, CO, BTN; heads-up BB and SB."""
        if self.players == 2:
            return POSITIONS[seat]
        blinds = ("SB", "BB") if self.seats[0].blind < self.big_blind else ("BB",)  # nobody has to be the small blind
        others = self.players - len(blinds)
        early = max(1, others - len(_LATE)) if others >= len(_LATE) else 0
        first = tuple(f"UTG+{n}" if n else "UTG" for n in range(early))
        names: tuple[str, ...] = (*blinds, *first, *_LATE[len(_LATE) - others + early :])
        return names[seat]

    def big_blinds(self, chips: float) -> float:
        return chips / self.big_blind


@dataclass(frozen=True, slots=True)
class HandFailure:
    """A hand that cannot be used, and why."""

    number: int  # of the hand in its file, from 1
    line: int  # of the file, from 1
    why: str
    file: str = ""

    def __str__(self) -> str:
        return f"{place(self.file, self.number, self.line)}: {self.why}"


class HandError(InputError):
    """A hand cannot be read or replayed; `line` says where, 0: at its beginning."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


def place(file: str, number: int, line: int) -> str:
    """Where a hand stands, in words."""
    return f"{file}, hand {number}, line {line}" if file else f"hand {number}, line {line}"


def amount_text(chips: int, decimals: int) -> str:
    """Chips as an amount: '7.60', '12', '-0.50'."""
    if not decimals:
        return str(chips)
    sign, (whole, part) = "-" if chips < 0 else "", divmod(abs(chips), 10**decimals)
    return f"{sign}{whole}.{part:0{decimals}d}" if part else f"{sign}{whole}"
