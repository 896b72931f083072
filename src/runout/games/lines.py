"""The line language: actions, action strings and whole lines as text, from preflop to the river.

A line is the address of a node, the same in Python, JSON, terminal and URL. Streets are separated by the cards dealt
between them, `?` for any card:

    SBr2.5 BBc|Qs Jh 2h|x-b2        a hand that begins with the blinds: amounts are big blinds
    x-b94-c|Ah|x-x|2c|b300          a hand that begins after the flop: amounts are chips

An action is x (check), c (call), f (fold), bN (bet N), rN (raise to N) or a (all-in); N is the player's total on this
street. Before the flop it stands behind the position of the player. `Wording` says how one game writes them.

People may write it their way: `50bb SBr2.5 BBr8`, `SBr2.5BBr8SBc`, `SB raise to 8bb`, `limp`, `all in`; case does not
matter. Whatever cannot be read or played is refused in one line that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from runout.errors import InputError
from runout.games.betting import (
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

ANY_CARD = "?"
POSITIONS = ("BB", "SB")  # players 0 and 1 of a hand that begins with the blinds
PLAYER_NAMES = ("oop", "ip")  # players 0 and 1 of a hand that begins after the flop

_LETTERS = {CHECK: "x", CALL: "c", FOLD: "f", BET: "b", RAISE: "r", ALL_IN: "a"}
_NAMES = {CHECK: "check", CALL: "call", FOLD: "fold", BET: "bet", RAISE: "raise to", ALL_IN: "all-in"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()} | {
    "check": CHECK, "call": CALL, "limp": CALL, "fold": FOLD, "bet": BET, "bet to": BET, "raise": RAISE,
    "raise to": RAISE, "r to": RAISE, "all": ALL_IN, "allin": ALL_IN, "all-in": ALL_IN, "all in": ALL_IN,
}  # fmt: skip
_SIZED = (BET, RAISE, ALL_IN)
_ACCEPTED = "use f (fold), x (check), c (call), b94 (bet 94), r210 (raise to 210) or a (all-in)"

_FINEST = Fraction(1, 10**6)  # chips
_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_STACK = re.compile(rf"\s*({_NUMBER})\s*bb[\s,]*", re.I)
_ACTION = re.compile(rf"((all[\s-]*in|[a-z]+(?:\s+to\b)?)\s*({_NUMBER})?(?:\s*(bb|chips)\b)?)", re.I)
_POSITION = re.compile(r"sb|bb", re.I)


class Word(NamedTuple):
    """One action as somebody wrote it."""

    text: str
    kind: int
    amount: int | None = None  # chips; None where none was given
    player: int | None = None  # None where the word does not say who acts


class Line(NamedTuple):
    """A line that was read: the words of each street, the cards between streets, and the stack in front of it."""

    streets: list[list[Word]]
    cards: list[str]
    stack: float | None = None  # big blinds


@dataclass(frozen=True)
class Wording:
    """How one game writes its lines: the unit of amounts, and who is who."""

    chips: int = 1  # of one unit
    unit: str = "chips"  # or "bb"
    players: tuple[str, str] = PLAYER_NAMES
    preflop: bool = False  # whether hands begin before the flop, where words carry positions

    # Printing

    def amount(self, chips: int) -> str:
        """Chips as they are written: '94', '2.5'."""
        return str(chips) if self.chips == 1 else f"{chips / self.chips:.10g}"

    def quantity(self, chips: int) -> str:
        """Chips with their unit: '94 chips', '2.5 bb'."""
        return f"{self.amount(chips)} {self.unit}"

    def token(self, action: Action, street: int, player: int) -> str:
        """What an action adds to a line: 'x', 'b94', 'SBr2.5'."""
        position = self.players[player] if street == PREFLOP else ""
        size = self.amount(action.amount) if action.kind in (BET, RAISE) else ""
        return f"{position}{_LETTERS[action.kind]}{size}"

    def name(self, action: Action) -> str:
        """An action as people read it: 'check', 'bet 94', 'raise to 2.5', 'all-in 900'."""
        word = _NAMES[action.kind]
        return f"{word} {self.amount(action.amount)}" if action.kind in _SIZED else word

    def join(self, streets: Sequence[Iterable[str]], dealt: Iterable[str] | None = None) -> str:
        """The line with these tokens by street and these cards between streets (none given: any cards)."""
        return join_line(streets, dealt, " " if self.preflop else "-")

    # Reading

    def read(self, line: str) -> Line:
        """A line, or a part of one; whether it can be played is for `choose` to say."""
        stack, rest = read_stack(line) if self.unit == "bb" else (None, line)
        parts, cards = _parts(rest)
        return Line([self.words(part) for part in parts], cards, stack)

    def read_actions(self, text: str) -> list[Word]:
        """One action or more of one street; a text without any is refused."""
        words = self.words(read_stack(text)[1] if self.unit == "bb" else text)
        if not words:
            raise InputError(f"{text!r} has no action: {_ACCEPTED}")
        return words

    def words(self, text: str) -> list[Word]:
        """The actions of one street."""
        if re.search(r"(^|-)\s*(-|$)", text.strip()) and text.strip():
            raise InputError(f"{text.strip()!r} has an empty action: join actions with one '-', as in x-b94-c")
        found, marks = [], self._marks(text)
        ends = [*(start for start, _ in marks), len(text)]
        for (start, player), end in zip([(0, None), *marks], ends, strict=True):
            position = "" if player is None else text[start : start + 2]
            words = self._actions(text[start + len(position) : end], position)
            if position and not words:
                raise InputError(f"{position!r} has no action: {_ACCEPTED.replace('use ', f'add to {position} ')}")
            found += [word._replace(player=player if number == 0 else None) for number, word in enumerate(words)]
        return found

    def _marks(self, text: str) -> list[tuple[int, int]]:
        """Where positions stand, and whose they are: a 'bb' behind a number is its unit unless an action follows."""
        found = []
        for match in _POSITION.finditer(text) if self.unit == "bb" else ():
            number = re.search(r"[\d.]( *)$", text[: match.start()])
            if match[0].lower() == "bb" and number:
                follows = rf"{' *' if number[1] else ''}(?!sb|bb)[a-z]"
                if not re.match(follows, text[match.end() :], re.I):
                    continue
            found.append((match.start(), POSITIONS.index(match[0].upper())))
        return found

    def _actions(self, text: str, position: str = "") -> list[Word]:
        found, rest = [], text.strip(" \t\n,-")
        while rest:
            match = _ACTION.match(rest)
            if match is None:
                if self.unit == "bb" and (late := re.match(rf"{_NUMBER}\s*bb", rest, re.I)):
                    raise InputError(f"stack {late[0]!r} is not in front: write it before the first action")
                raise InputError(f"unknown action {rest!r}: {_ACCEPTED}")
            found.append(self._word(match, position))
            rest, position = rest[match.end() :].lstrip(" \t\n,-"), ""
        return found

    def _word(self, match: re.Match[str], position: str) -> Word:
        body, size, unit = match[1].strip(), match[3], match[4]
        text, kind = position + body, _KINDS.get(" ".join(match[2].lower().replace("-", " ").split()))
        if kind is None:
            if self.unit == "bb" and not position and re.fullmatch(rf"[a-z]{{2,}}[fcxbra]{_NUMBER}?", body, re.I):
                raise InputError(f"unknown position in {text!r}: begin each action with SB or BB, as in SBr2.5")
            where = f"cannot read {text!r}: " if position else ""
            raise InputError(f"{where}unknown action {body!r}: {_ACCEPTED}")
        if size is None:
            return Word(text, kind)
        if kind not in _SIZED:
            raise InputError(f"unknown action {text!r}: {_ACCEPTED}")
        if unit and unit.lower() != self.unit:
            raise InputError(f"{text!r} is in {unit.lower()}: amounts of this game are in {self.unit}")
        return Word(text, kind, self._chips(size, text))

    def _chips(self, size: str, text: str) -> int:
        exact = Fraction(size) * self.chips
        if abs(exact - round(exact)) > _FINEST + exact * _FINEST / 1000:  # thirds of a big blind are printed rounded
            steps = f"use steps of {1 / self.chips:.10g} {self.unit}"
            raise InputError(f"{text!r}: {size} {self.unit} is too fine: {steps}")
        return round(exact)

    # Playing

    def choose(self, state: BettingState, menu: Sequence[Action], word: Word) -> int:
        """The number in `menu` of the action that `word` means; InputError says why there is none."""
        if state.status == STREET_OVER:
            raise InputError(f"{word.text!r} comes too soon: deal the {STREET_NAMES[state.street + 1]} first")
        if state.status != BETTING:
            raise InputError(f"{word.text!r} comes after the end: {self.ending(state)}")
        if word.player not in (None, state.player):
            raise InputError(f"{word.text!r} is out of turn: {self.players[state.player]} is to act")
        if word.amount is None and word.kind in (BET, RAISE):
            return self._only(menu, word)
        wanted = Action(word.kind, word.amount or 0)
        for number, action in enumerate(menu):
            if same_action(action, wanted):
                return number
        raise InputError(f"{word.text!r} is not possible: {self._why_not(state, menu, wanted)}")

    def _only(self, menu: Sequence[Action], word: Word) -> int:
        """The one bet or raise of the menu, which needs no size."""
        found = [number for number, action in enumerate(menu) if action.kind == word.kind]
        if len(found) != 1:
            sizes = ", ".join(self.amount(action.amount) for action in menu if action.kind in _SIZED)
            raise InputError(f"{word.text!r} has no size{f': use {sizes}' if sizes else ''}")
        return found[0]

    def _why_not(self, state: BettingState, menu: Sequence[Action], wanted: Action) -> str:
        owed, larger = state.to_call, [action for action in menu if action.kind in _SIZED]
        if wanted.kind == FOLD:
            return "there is no bet to fold to; check instead"
        if wanted.kind == CHECK:
            return f"cannot check, there are {self.quantity(owed)} to call"
        if wanted.kind == CALL:
            return "this game has no limps: fold or raise" if owed else "there is no bet to call; check instead"
        doing = "bet" if state.facing == 0 else "raise"
        legal = state.legal()
        if not legal.bet_or_raise:
            all_in = state.behind(1 - state.player) == 0
            why = "the other player is all-in" if all_in else f"no more {doing}s are allowed"
            return f"cannot {doing}, {why}: {'fold or call' if owed else 'check'}"
        use = f": use {', '.join(self.amount(action.amount) for action in larger)}" if larger else ""
        if wanted.kind == ALL_IN and not wanted.amount:
            return f"this game has no all-in here{use}"
        if wanted.amount < legal.smallest:
            why = f"the smallest {doing} is {'to ' if state.facing else ''}{self.quantity(legal.smallest)}"
        elif wanted.amount > legal.largest:
            all_in = legal.largest == state.bets[state.player] + state.behind(state.player)
            why = f"the {'stack' if all_in else f'only {doing}'} is {self.quantity(legal.largest)}"
        else:
            why = "it is not one of this game's sizes" if larger else f"this game has no {doing}s here"
        to = "" if state.facing == 0 else "to "
        return f"cannot {doing} {to}{self.quantity(wanted.amount)}, {why}{use}"

    def ending(self, state: BettingState) -> str:
        """How betting ended."""
        if state.status == FOLDED:
            return f"{self.players[state.folder]} folded"
        if state.status == STREET_OVER:
            return f"the pot is called and the {STREET_NAMES[state.street + 1]} comes"
        if state.all_in:
            return "both are all-in"
        return "the pot is called and the flop comes" if state.street == PREFLOP else "hands are shown"


IN_CHIPS = Wording()


def in_big_blinds(big_blind: int, preflop: bool = True) -> Wording:
    """The wording of games of hold'em with blinds; `big_blind` in chips."""
    return Wording(big_blind, "bb", POSITIONS, preflop)


def read_stack(line: str) -> tuple[float | None, str]:
    """The stack in front of a line, '50bb SBr2.5', in big blinds (None where there is none), and the rest."""
    match = _STACK.match(line)
    return (float(match[1]), line[match.end() :]) if match else (None, line)


def same_action(action: Action, wanted: Action) -> bool:
    """Whether `wanted`, as a person may write it, is `action`: a bet may be called a raise, an all-in may be either."""
    if action.kind in _SIZED and wanted.kind in _SIZED:
        same = wanted.amount == action.amount and (wanted.kind != ALL_IN or action.kind == ALL_IN)
        return same or (action.kind == wanted.kind == ALL_IN and wanted.amount == 0)
    return action.kind == wanted.kind


def token(action: Action) -> str:
    """An action in chips as it stands in a line after the flop: 'x', 'b94', 'a'."""
    return IN_CHIPS.token(action, PREFLOP + 1, 0)


def action_name(action: Action) -> str:
    """An action in chips as people read it: 'check', 'bet 94', 'raise to 210', 'all-in 900'."""
    return IN_CHIPS.name(action)


def parse_action(text: str) -> Action:
    """A token ('b94') or a name ('bet 94', 'All-in') in chips as an action; an all-in may leave its amount out (0)."""
    words = IN_CHIPS.words(text)
    if len(words) != 1 or (words[0].amount is None and words[0].kind in (BET, RAISE)):
        raise InputError(f"unknown action {text!r}: {_ACCEPTED}")
    return Action(words[0].kind, words[0].amount or 0)


def split_line(line: str) -> tuple[list[list[str]], list[str]]:
    """The tokens of each street, and the cards between the streets: 'x-x|2c|b9' is [['x', 'x'], ['b9']] and ['2c'].

    Tokens may be any words: small games have their own.
    """
    parts, cards = _parts(line)
    streets = [[word.strip() for word in part.split("-")] if part else [] for part in parts]
    if any("" in words for words in streets):
        raise InputError(f"line {line!r} has an empty action: join actions with one '-', as in x-b94-c")
    return streets, cards


def _parts(line: str) -> tuple[list[str], list[str]]:
    """The text of each street, and the cards between the streets."""
    parts = [part.strip() for part in line.split("|")]
    if len(parts) % 2 == 0:  # ends with a card: the next street has begun and nobody has acted
        parts.append("")
    for index, dealt in enumerate(parts[1::2]):
        if not dealt:
            raise InputError(
                f"line {line!r} has no card after street {index + 1}: write the card between two bars, |Ah|"
            )
    return parts[::2], parts[1::2]


def join_line(streets: Sequence[Iterable[str]], dealt: Iterable[str] | None = None, first: str = "-") -> str:
    """The line with these tokens by street and these cards between streets (none given: any cards).

    `first` stands between the tokens of the first street.
    """
    between = list(dealt) if dealt is not None else [ANY_CARD] * (len(streets) - 1)
    line = first.join(streets[0]) if streets else ""
    for cards, words in zip(between, streets[1:], strict=True):
        tokens = "-".join(words)
        line += f"|{cards}|{tokens}" if tokens else f"|{cards}"
    return line
