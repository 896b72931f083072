"""Lines of a hand that is dealt from the start, `SBr2.5 BBc|Qs Jh 2h|x-b2`: where they lead in the betting.

Before the flop an action is a word with its position, after it a token; amounts are big blinds. A hand that begins on
a flop has no words before it, `x-b1.5-c|Ah|x`.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from runout.analysis.view import CHANCE, DECISION, TERMINAL
from runout.cards.cards import DECK, cards_text
from runout.cards.cards import cards as parse_cards
from runout.errors import InputError
from runout.games.betting import (
    ACTION_NAMES,
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    FOLD,
    FOLDED,
    PREFLOP,
    RAISE,
    STREET_NAMES,
    STREET_OVER,
    Action,
    BettingState,
)
from runout.games.holdem import BOARD_CARDS, SEATS

LETTERS = {FOLD: "f", CHECK: "x", CALL: "c", BET: "b", RAISE: "r", ALL_IN: "a"}
_WORDS = {"fold": "f", "check": "x", "call": "c", "limp": "c", "bet": "b", "raise": "r", "all": "a", "allin": "a"}
_KEPT = 512  # points that are remembered
Menu = Callable[[BettingState], Sequence[Action]]


@dataclass(frozen=True, eq=False)
class Point:
    """Where a hand stands; immutable."""

    state: BettingState
    menu: tuple[Action, ...]
    board: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]  # by street
    dealt: tuple[str, ...]  # between streets
    before: Point | None = None
    number: int = -1  # of the action in the menu before; -1 at the start of a street

    @property
    def kind(self) -> str:
        return {BETTING: DECISION, STREET_OVER: CHANCE}.get(self.state.status, TERMINAL)

    @property
    def player(self) -> str | None:
        return SEATS[self.state.player] if self.kind == DECISION else None

    @property
    def street(self) -> str:
        return STREET_NAMES[self.state.street]

    @property
    def line(self) -> str:
        """The address."""
        joined = [("-" if number or self.begins_later else " ").join(words) for number, words in enumerate(self.words)]
        text = joined[0]
        for cards, words in zip(self.dealt, joined[1:], strict=True):
            text += f"|{cards}|{words}" if words else f"|{cards}"
        return text

    @property
    def begins_later(self) -> bool:
        """Whether the hand begins after the flop came."""
        return self.state.rules.first_street > PREFLOP

    @property
    def path(self) -> list[Point]:
        """From the start to here."""
        found = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found[::-1]

    @property
    def deal_count(self) -> int:
        """Cards that come next."""
        return BOARD_CARDS[self.state.street + 1] - len(self.board) if self.kind == CHANCE else 0

    def ending(self, shown: int) -> str | None:
        """How the hand ended, where boards of `shown` cards are shown down."""
        if self.kind != TERMINAL:
            return None
        if self.state.status == FOLDED:
            return "fold"
        return "showdown" if len(self.board) >= shown else "run-out"


class HoldemLines:
    """Follows lines of one game."""

    def __init__(
        self,
        start: BettingState,
        menu: Menu,
        big_blind: int,
        board: Sequence[int] = (),
        deck: Iterable[int] = range(DECK),
    ) -> None:
        self.menu, self.big_blind, self.deck = menu, big_blind, [int(c) for c in deck]
        self.root = Point(start, tuple(menu(start)), tuple(board), ((),), ())
        self._kept: OrderedDict[str, Point] = OrderedDict()

    def at(self, line: str) -> Point:
        """The point with this address; InputError names the step that is wrong."""
        parts = [part.strip() for part in line.split("|")]
        point = self.root
        for number, part in enumerate(parts):
            if number % 2:
                point = self._kept_step(point, part, deals=True)
                continue
            words = part.replace(",", " ").split() if not (number or point.begins_later) else part.split("-")
            for word in words if part else ():
                point = self._kept_step(point, word, deals=False)
        return point

    def _kept_step(self, point: Point, text: str, deals: bool) -> Point:
        key = f"{point.line}>{text}"
        if key not in self._kept:
            self._kept[key] = self.deal(point, text) if deals else self.play(point, text)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def token(self, point: Point, number: int) -> str:
        """What an action adds to the line: 'SBr2.5' before the flop, 'b2' after it."""
        action, seat = point.menu[number], SEATS[point.state.player]
        size = self.amount(action) if action.kind in (BET, RAISE) else ""
        position = seat if point.state.street == PREFLOP else ""
        return f"{position}{LETTERS[action.kind]}{size}"

    def name(self, point: Point, number: int) -> str:
        """An action as people read it: 'raise to 2.5'."""
        action = point.menu[number]
        word = "raise to" if action.kind == RAISE else ACTION_NAMES[action.kind]
        return f"{word} {self.amount(action)}" if action.kind in (BET, RAISE, ALL_IN) else word

    def amount(self, action: Action) -> str:
        return f"{action.amount / self.big_blind:.10g}"

    def play(self, point: Point, text: str) -> Point:
        """The point after an action as a person writes it: 'SBr2.5', 'r2.5', 'raise to 2.5', 'call'."""
        if point.kind != DECISION:
            what = "deal cards first" if point.kind == CHANCE else "the hand is over"
            raise InputError(f"nobody can {text!r} after {point.line!r}: {what}")
        number = self._number(point, text)
        words = (*point.words[:-1], (*point.words[-1], self.token(point, number)))
        state = point.state.act(point.menu[number])
        menu = tuple(self.menu(state)) if state.status == BETTING else ()
        return Point(state, menu, point.board, words, point.dealt, point, number)

    def _number(self, point: Point, text: str) -> int:
        body = " ".join(text.lower().split())
        if body[:2] in ("sb", "bb"):
            if body[:2].upper() != point.player:
                raise InputError(f"{text!r} is out of turn: {point.player} is to act")
            body = body[2:].strip()
        match = re.fullmatch(r"([a-z]+)(?:[ -]?(?:in|to))?\s*(\d+(?:\.\d*)?|\.\d+)?(?:\s*bb)?", body)
        letter = _WORDS.get(match[1], match[1]) if match else ""
        size = float(match[2]) if match and match[2] else None
        for number, action in enumerate(point.menu):
            sized = action.kind in (BET, RAISE, ALL_IN)
            same = letter == LETTERS[action.kind] or (letter in ("b", "r") and sized and size is not None)
            right = size is None or abs(size - action.amount / self.big_blind) < 1e-9
            if same and right and (not sized or size is not None or letter == "a" or self._only(point, action)):
                return number
        names = ", ".join(self.token(point, number) for number in range(len(point.menu)))
        raise InputError(f"no action {text!r} after {point.line or 'the start'!r}: use {names}")

    @staticmethod
    def _only(point: Point, action: Action) -> bool:
        """Whether there is one size of this kind, so that it needs no number."""
        return sum(other.kind == action.kind for other in point.menu) == 1

    def deal(self, point: Point, text: str) -> Point:
        """The point after cards come, 'Qs Jh 2h' or 'Ah'."""
        if point.kind != CHANCE:
            why = "betting is not over" if point.kind == DECISION else "the hand is over"
            raise InputError(f"no cards {text!r} can come after {point.line or 'the start'!r}: {why}")
        found = parse_cards(text)
        if len(found) != point.deal_count:
            need = f"{point.deal_count} card{'s' * (point.deal_count > 1)}"
            raise InputError(f"{text!r} has {len(found)} cards after {point.line!r}: {need} come")
        for card in found:
            if card in point.board:
                raise InputError(f"card {cards_text([card])} is on the board already: deal another one")
            if card not in self.deck:
                raise InputError(f"card {cards_text([card])} is not in this game's deck: use {cards_text(self.deck)}")
        state, board = point.state.next_street(), (*point.board, *found)
        words, dealt = (*point.words, ()), (*point.dealt, cards_text(found))
        return Point(state, tuple(self.menu(state)), board, words, dealt, point)
