"""The text of actions and lines: the address of a node, the same in Python, JSON, terminal and URL.

A line is written `x-b94-c|Ah|x-x|2c|b300`: actions of a street joined by '-', streets separated by the cards dealt
between them. Tokens: x check, c call, f fold, bN bet N, rN raise to N (totals on this street), a all-in.
A betting tree knows no cards: its lines have '?' for them, `x-b94-c|?|x-x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Action

ANY_CARD = "?"

_LETTERS = {CHECK: "x", CALL: "c", FOLD: "f", BET: "b", RAISE: "r", ALL_IN: "a"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_WORDS = {
    "check": CHECK,
    "call": CALL,
    "fold": FOLD,
    "bet": BET,
    "raise": RAISE,
    "raise to": RAISE,
    "all-in": ALL_IN,
    "allin": ALL_IN,
    "all in": ALL_IN,
}
_ACCEPTED = "use x (check), c (call), f (fold), b94 (bet 94), r210 (raise to 210) or a (all-in)"


def token(action: Action) -> str:
    """An action as it stands in a line: 'x', 'b94', 'a'."""
    letter = _LETTERS[action.kind]
    return f"{letter}{action.amount}" if action.kind in (BET, RAISE) else letter


def action_name(action: Action) -> str:
    """An action as people read it: 'check', 'bet 94', 'raise to 210', 'all-in 900'."""
    words = {CHECK: "check", CALL: "call", FOLD: "fold", BET: "bet", RAISE: "raise to", ALL_IN: "all-in"}
    sized = action.kind in (BET, RAISE, ALL_IN)
    return f"{words[action.kind]} {action.amount}" if sized else words[action.kind]


def parse_action(text: str) -> Action:
    """A token ('b94') or a name ('bet 94', 'All-in') as an action; an all-in may leave its amount out (0)."""
    body = " ".join(text.lower().split())
    if match := re.fullmatch(r"([xcfa])|([br])(\d+)", body):
        return Action(_KINDS[match[1] or match[2]], int(match[3] or 0))
    if match := re.fullmatch(r"(.*?)(?: (\d+))?", body):
        kind = _WORDS.get(match[1])
        if kind is not None and (kind in (BET, RAISE)) <= (match[2] is not None):
            return Action(kind, int(match[2] or 0))
    raise InputError(f"unknown action {text!r}: {_ACCEPTED}")


def split_line(line: str) -> tuple[list[list[str]], list[str]]:
    """The tokens of each street, and the cards between the streets: 'x-x|2c|b9' is [['x', 'x'], ['b9']] and ['2c']."""
    parts = [part.strip() for part in line.split("|")]
    if len(parts) % 2 == 0:  # ends with a card: the next street has begun and nobody has acted
        parts.append("")
    streets = [[word.strip() for word in part.split("-")] if part else [] for part in parts[::2]]
    for index, dealt in enumerate(parts[1::2]):
        if not dealt:
            raise InputError(
                f"line {line!r} has no card after street {index + 1}: write the card between two bars, |Ah|"
            )
    if any("" in words for words in streets):
        raise InputError(f"line {line!r} has an empty action: join actions with one '-', as in x-b94-c")
    return streets, parts[1::2]


def join_line(streets: Sequence[Iterable[str]], dealt: Iterable[str] | None = None) -> str:
    """The line with these tokens by street and these cards between streets (none given: unknown cards)."""
    between = list(dealt) if dealt is not None else [ANY_CARD] * (len(streets) - 1)
    line = "-".join(streets[0]) if streets else ""
    for cards, words in zip(between, streets[1:], strict=True):
        tokens = "-".join(words)
        line += f"|{cards}|{tokens}" if tokens else f"|{cards}"
    return line
