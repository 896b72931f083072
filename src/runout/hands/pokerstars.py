"""Hand histories in PokerStars' text, and in GG's close copy of it, from text to records.

1. A text is cut into blocks, one a hand (`blocks`).
2. Its lines are gone through once: seats, posts, what players do and show, boards, and what is told of the pot.
3. Those who posted or acted are seated from the button on, and moves get totals by street.

Players are found by their whole name: names may hold spaces, colons and brackets. What is no line of the grammar is
talk between lines and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from runout.cards.cards import cards as parse_cards
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FOLD, PREFLOP, RAISE, STREET_NAMES
from runout.games.points import BOARD_CARDS
from runout.hands.amounts import NUMBER, chips_of
from runout.hands.record import MOST_SEATS, HandError, Move, PlayedHand, Seat
from runout.hands.ring import Ring

GAME = "Hold'em No Limit"
_MONEY = rf"[^\d\s()\[\]]*({NUMBER})"
_HEADER = re.compile(r"(PokerStars|Poker)\b[^#:]*\b(?:Hand|Game) #([^:\s]+):\s*(.*)")
_BLINDS = re.compile(rf"\(([^\d\s()]*)({NUMBER})/[^\d\s()]*({NUMBER})")
_TOURNAMENT = re.compile(r"Tournament #(\w+)")
_TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d)")
_TABLE = re.compile(r"Table '(.*)'.*? Seat #(\d+) is the button.*")
_SEAT = re.compile(rf"Seat (\d+): (.+) \({_MONEY} in chips.*")
_POST = re.compile(rf"posts (?:the )?(.+?) {_MONEY}(?: and is all-in)?")
_MOVE = re.compile(rf"(folds|checks|calls|bets|raises)(?: {_MONEY})?(?: to {_MONEY})?( and .*)?( \[.*\])?")
_STREET = re.compile(r"\*\*\* (?:(FIRST|SECOND|THIRD) )?(FLOP|TURN|RIVER) \*\*\* (.*)")
_SHOWS = re.compile(r"shows \[([^\]]*)\].*")
_DEALT = re.compile(r"Dealt to (.+) \[([^\]]*)\]")
_COLLECTED = re.compile(rf"(.+) collected {_MONEY} from .*pot.*")
_TOTAL = re.compile(rf"Total pot {_MONEY}(.*)")
_FEE = re.compile(rf"\| [A-Z][\w ]* {_MONEY}")
_ADDED = re.compile(rf"Cash Drop to Pot *: *total {_MONEY}")
_SUMMARY_CARDS = re.compile(r"Seat (\d+): .* (showed|mucked) \[([^\]]*)\].*")

_KINDS = {"folds": FOLD, "checks": CHECK, "calls": CALL, "bets": BET, "raises": RAISE}
_RUNS = {None: 0, "FIRST": 0, "SECOND": 1, "THIRD": 2}


class _Told(NamedTuple):
    """A move as it stands in the text."""

    name: str
    street: int
    kind: int
    amount: str | None  # chips added; of a raise, what it is raised to
    line: int


def is_pokerstars(text: str) -> bool:
    """Whether a text looks like hands of PokerStars or GG."""
    return re.search(rf"^\ufeff?\s*{_HEADER.pattern}", text, re.MULTILINE) is not None


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The text of each hand with the line it begins in: from header to header, or between two empty lines or more."""
    begun, found, empty = 0, list[str](), 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip("\ufeff \t")
        if not line:
            empty += 1
            continue
        if found and (empty > 1 or _HEADER.match(line)):
            yield begun, "\n".join(found)
            found = []
        if not found:
            begun = number
        found += [""] * (empty if found else 0) + [line]
        empty = 0
    if found:
        yield begun, "\n".join(found)


def read_pokerstars(block: str, line: int = 1) -> PlayedHand:
    """The hand in a block; `line` is where it begins. HandError says what is wrong, and where."""
    return _Reading(block, line).hand()


class _Reading:
    """One hand on its way from text to a record."""

    def __init__(self, block: str, line: int) -> None:
        self.lines, self.first = block.split("\n"), line
        header = _HEADER.match(self.lines[0])
        if header is None:
            raise HandError("no header: a hand begins with 'PokerStars Hand #...' or 'Poker Hand #...'", line)
        self.site, self.id, rest = header.groups()
        blinds = _BLINDS.search(rest)
        if GAME not in rest:
            raise HandError(f"{rest.split(' - ')[0][:60].strip()!r} is not read: {GAME} is", line)
        if blinds is None:
            raise HandError("the header has no blinds: they stand as ($0.50/$1.00) in it", line)
        self.decimals = 2 if any(re.search(r"\d\.\d", one) for one in (blinds[0], *self.lines[1:])) else 0
        self.currency = blinds[1]
        self.small, self.big = self.chips(blinds[2], line), self.chips(blinds[3], line)
        if not self.big:
            raise HandError("the big blind is nothing", line)
        tournament, at = _TOURNAMENT.search(rest), _TIME.search(rest)
        self.tournament, self.time = tournament[1] if tournament else "", _time(at)
        self.table, self.button = "", 0
        self.stacks: dict[str, tuple[int, int]] = {}  # number and chips by name
        self.posts: dict[str, dict[str, int]] = {}
        self.told: list[_Told] = []
        self.boards: dict[int, tuple[int, ...]] = {}
        self.cards: dict[str, tuple[int, ...]] = {}
        self.showed: set[str] = set()
        self.collected: dict[str, int] = {}
        self.hero, self.added = "", 0
        self.pot: int | None = None
        self.rake: int | None = None

    def chips(self, text: str, line: int) -> int:
        try:
            return chips_of(text, self.decimals)
        except HandError as error:
            raise HandError(str(error), line) from None

    def hand(self) -> PlayedHand:
        self.go_through()
        names = self.seated()
        seats = [self.seat(name) for name in names]
        moves = self.moves(seats, {name: place for place, name in enumerate(names)})
        return PlayedHand(
            id=self.id,
            seats=tuple(seats),
            small_blind=self.small,
            big_blind=self.big,
            moves=tuple(moves),
            boards=tuple(self.boards[run] for run in sorted(self.boards)) or ((),),
            collected=tuple(self.collected.get(name, 0) for name in names) if self.collected else (),
            rake=self.rake,
            pot=self.pot,
            added=self.added,
            decimals=self.decimals,
            currency=self.currency,
            site="PokerStars" if self.site == "PokerStars" else "GG",
            table=self.table,
            tournament=self.tournament,
            hero=names.index(self.hero) if self.hero in names else None,
            time=self.time,
            line=self.first,
        )

    def seat(self, name: str) -> Seat:
        (number, stack), posted = self.stacks[name], self.posts.get(name, {})
        cards, showed = self.cards.get(name, ()), name in self.showed
        ante, blind, dead = (posted.get(key, 0) for key in ("ante", "blind", "dead"))
        return Seat(name, stack, number, cards, ante, blind, dead, showed)

    def go_through(self) -> None:
        street, summary = PREFLOP, False
        for number, line in enumerate(self.lines[1:], self.first + 1):
            try:
                if summary:
                    self.summed_up(line, number)
                elif line.startswith("*** "):
                    summary = line.startswith("*** SUMMARY")
                    street = self.dealt(line, street)
                elif line.startswith("Seat ") and (match := _SEAT.fullmatch(line)) and not self.told:
                    self.stacks[match[2]] = int(match[1]), self.chips(match[3], number)
                elif match := _TABLE.fullmatch(line):
                    self.table, self.button = match[1], int(match[2][:4])
                elif match := _DEALT.fullmatch(line):
                    self.hero = match[1]
                    self.cards[match[1]] = _hole(match[2])
                elif said := self.said(line):
                    self.act(*said, street, number)
                elif (match := _COLLECTED.fullmatch(line)) and match[1] in self.stacks:
                    self.collected[match[1]] = self.collected.get(match[1], 0) + self.chips(match[2], number)
                elif match := _ADDED.fullmatch(line):
                    self.added += self.chips(match[1], number)
            except HandError as error:
                raise HandError(str(error), error.line or number) from None
            except InputError as error:
                raise HandError(str(error), number) from None
        if self.table == "" and self.button == 0:
            raise HandError("no button: the line \"Table '...' Seat #1 is the button\" is missing", self.first)

    def said(self, line: str) -> tuple[str, str] | None:
        """Who a line is about, and what it says of him; None for talk."""
        at = line.find(": ")
        while at >= 0:
            if line[:at] in self.stacks:
                return line[:at], line[at + 2 :]
            at = line.find(": ", at + 1)
        return None

    def act(self, name: str, what: str, street: int, line: int) -> None:
        if match := _MOVE.fullmatch(what):
            kind = _KINDS[match[1]]
            amount = match[3] if kind == RAISE else match[2]
            if amount is None and kind not in (FOLD, CHECK):
                raise HandError(f"cannot read {what!r}: an amount is missing", line)
            self.told.append(_Told(name, street, kind, amount, line))
        elif match := _POST.fullmatch(what):
            self.post(name, match[1], self.chips(match[2], line))
        elif match := _SHOWS.fullmatch(what):
            held = _hole(match[1])
            if held:
                self.cards[name] = held
                self.showed.add(name)
        elif what.split(" ", 1)[0] in (*_KINDS, "posts"):
            raise HandError(f"cannot read {what!r}", line)

    def post(self, name: str, what: str, chips: int) -> None:
        posted = self.posts.setdefault(name, {})
        if what == "ante":
            posted["ante"] = posted.get("ante", 0) + chips
        elif what in ("small blind", "big blind", "missed blind"):
            posted["blind"] = posted.get("blind", 0) + chips
        elif what in ("small & big blinds", "small & big blind"):
            posted["blind"] = min(chips, self.big)
            posted["dead"] = chips - posted["blind"]
        elif what in ("dead", "dead blind"):
            posted["dead"] = posted.get("dead", 0) + chips
        else:
            raise HandError(f"hands with a {what} are not read")

    def dealt(self, line: str, street: int) -> int:
        """The street that begins with a line of stars."""
        match = _STREET.fullmatch(line)
        if match is None:
            return street
        street = STREET_NAMES.index(match[2].lower())
        found = tuple(parse_cards(match[3]))
        if len(found) != BOARD_CARDS[street]:
            raise HandError(f"the {match[2].lower()} has {len(found)} board cards: it has {BOARD_CARDS[street]}")
        self.boards[_RUNS[match[1]]] = found
        return street

    def summed_up(self, line: str, number: int) -> None:
        if match := _TOTAL.fullmatch(line):
            self.pot = self.chips(match[1], number)
            fees = [self.chips(fee, number) for fee in _FEE.findall(match[2])]
            self.rake = sum(fees) if fees else None
        elif match := _SUMMARY_CARDS.fullmatch(line):
            name = next((name for name, (seat, _) in self.stacks.items() if seat == int(match[1][:4])), None)
            held = _hole(match[3])
            if name is not None and held:
                self.cards.setdefault(name, held)
                if match[2] == "showed":
                    self.showed.add(name)

    def seated(self) -> list[str]:
        """Who took part, from the first after the button to the button."""
        took_part = self.posts.keys() | {one.name for one in self.told}
        names = sorted((name for name in self.stacks if name in took_part), key=lambda name: self.stacks[name][0])
        if not 2 <= len(names) <= MOST_SEATS:
            raise HandError(f"{len(names)} players took part: hands have 2 to {MOST_SEATS}", self.first)
        after = sum(self.stacks[name][0] <= self.button for name in names)
        names = names[after:] + names[:after]
        if len(names) == 2 and self.button not in (self.stacks[name][0] for name in names):
            names.sort(key=lambda name: -self.posts.get(name, {}).get("blind", 0))
        return names

    def moves(self, seats: list[Seat], places: dict[str, int]) -> list[Move]:
        ring, found = Ring(seats, self.big), []
        for one in self.told:
            if one.street != ring.street:
                ring.next_street(one.street)
            seat, total = places[one.name], 0
            if one.amount is not None:
                total = self.chips(one.amount, one.line) + (ring.bets[seat] if one.kind == CALL else 0)
            found.append(ring.move(seat, one.kind, total, one.line, check=False))
        return found


def _hole(text: str) -> tuple[int, ...]:
    """Two cards; none where fewer are seen."""
    found = tuple(parse_cards(text))
    return found if len(found) == 2 else ()


def _time(match: re.Match[str] | None) -> datetime | None:
    try:
        return datetime(*map(int, match.groups())) if match else None  # type: ignore[arg-type]
    except ValueError:
        return None
