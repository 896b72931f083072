"""Bet sizes: their text, and the bets and raises that they make at a point of a hand.

    50%   of the pot; for a raise of the pot after calling, on top of the bet faced; 50 alone means the same
    2.5x  times the bet faced (total on this street): raises only
    100c  chips; for a raise on top of the bet faced
    e     geometric: the same share of the pot on every street left ends all-in on the last; 2e, 3e: on 2, 3
    a     all-in

A size is rounded to the nearest chip, halves up, and clamped between the smallest legal bet or raise and all-in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from runout.errors import InputError
from runout.games.betting import ALL_IN, BET, RAISE, Action, BettingState

PERCENT, TIMES, CHIPS, GEOMETRIC, ALL_IN_SIZE = "%", "x", "c", "e", "a"
TO = "to"  # a total in chips, left out where it is not legal; written in big blinds, before the flop only

_ACCEPTED = "use a percentage (52%), a multiple (2.5x), chips (100c), geometric (e, 2e, 3e) or all-in (a)"
_NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
_LEAST_PERCENT = 10  # a smaller number without a unit may be meant as a multiple: '1,5x'
_FUZZ = 1e-9  # roots are not exact: 4.5 may come as 4.499999999999999


@dataclass(frozen=True)
class Size:
    """One bet size: a number and its unit; 0 streets for a plain `e`, and 0 for `a`."""

    value: Fraction
    unit: str

    def __str__(self) -> str:
        if self.unit == ALL_IN_SIZE or (self.unit == GEOMETRIC and not self.value):
            return self.unit
        return f"{_decimal(self.value)}{self.unit}"

    def total(self, state: BettingState) -> int:
        """The total on this street that this size asks for, before legality: rounded, not clamped."""
        facing, pot = state.facing, state.pot + state.to_call
        top, bottom = self.value.numerator, self.value.denominator
        if self.unit == PERCENT:
            return facing + _rounded(pot * top, 100 * bottom)
        if self.unit == TIMES:
            return _rounded(facing * top, bottom)
        if self.unit == TO:
            return int(self.value)
        if self.unit == CHIPS:
            return facing + _rounded(top, bottom)
        behind = state.behind(state.player) - state.to_call
        if self.unit == ALL_IN_SIZE:
            return facing + behind
        streets = int(self.value) or state.rules.last_street - state.street + 1
        if streets == 1:
            return facing + behind
        growth = (1 + 2 * behind / pot) ** (1 / streets)  # of the pot, by a called bet on each street
        return int(facing + floor(pot * (growth - 1) / 2 + 0.5 + _FUZZ))


@dataclass(frozen=True)
class Thresholds:
    """What changes a list of sizes where stacks are short; each 0 = off."""

    add_all_in: float = 0.0  # add an all-in where it is at most this many times the pot
    force_all_in: float = 0.0  # make it all-in where the stack-to-pot ratio after a call would be at most this
    merge: float = 0.0  # drop a size Y under a larger X where (1 + X/pot) / (1 + Y/pot) < 1 + merge


def parse_size(text: str) -> Size:
    """The size that one word means."""
    body = text.strip().lower()
    if body in ("a", "all-in", "allin"):
        return Size(Fraction(0), ALL_IN_SIZE)
    if match := re.fullmatch(r"(\d*)e", body):
        if match[1] and not 1 <= int(match[1]) <= 9:
            raise InputError(f"bet size {text.strip()!r} spreads over {match[1]} streets: use e, 1e, 2e or 3e")
        return Size(Fraction(int(match[1] or 0)), GEOMETRIC)
    if re.fullmatch(_NUMBER, body) and Fraction(body) >= _LEAST_PERCENT:
        body += PERCENT
    match = re.fullmatch(_NUMBER + r"\s*([%xc])", body)
    if not match:
        raise InputError(f"unknown bet size {text.strip()!r}: {_ACCEPTED}")
    value, unit = Fraction(match[1]), match[2]
    if value <= 0 or (unit == TIMES and value <= 1):
        least = "a multiple above 1" if unit == TIMES else "a number above 0"
        raise InputError(f"bet size {text.strip()!r} makes no legal bet: use {least}")
    return Size(value, unit)


def parse_sizes(text: str) -> tuple[Size, ...]:
    """A list of sizes, '60%, e, a' or '33 75' (commas or spaces between them); an empty text is no sizes: no bets."""
    if not text.strip():
        return ()
    words = re.split(r",|(?<=[%xcea\d])\s+(?=[\d.ea])", text)
    if not all(word.strip() for word in words):
        raise InputError(f"empty bet size in {text!r}: separate sizes with one comma, as in '50%, a'")
    return tuple(dict.fromkeys(parse_size(word) for word in words))


def parse_bet_sizes(text: str) -> tuple[Size, ...]:
    """`parse_sizes` for a first bet, where a multiple of the bet faced means nothing."""
    sizes = parse_sizes(text)
    for size in sizes:
        if size.unit == TIMES:
            raise InputError(
                f"bet size '{size}' makes no legal bet: there is no bet yet to multiply; use a percentage (50%)"
            )
    return sizes


def sizes_text(sizes: Iterable[Size]) -> str:
    """Sizes as text that `parse_sizes` reads back."""
    return ", ".join(str(size) for size in sizes)


def bets_and_raises(
    state: BettingState, sizes: Iterable[Size], thresholds: Thresholds, offer_all_in: bool = False
) -> list[Action]:
    """The bets or raises that `sizes` make here, smallest first; none where none is legal."""
    legal = state.legal()
    if not legal.bet_or_raise:
        return []
    facing, all_in = state.facing, legal.largest
    pot = state.pot + state.to_call
    totals = set()
    for size in sizes:
        total = size.total(state)
        if size.unit != TO or legal.smallest <= total <= all_in:
            totals.add(min(max(total, legal.smallest), all_in))
    if offer_all_in or all_in - facing <= thresholds.add_all_in * pot:
        totals.add(all_in)
    forced = {t for t in totals if all_in - t <= thresholds.force_all_in * (pot + 2 * (t - facing))}
    if forced:
        totals = (totals - forced) | {all_in}
    kept: list[int] = []
    for total in sorted(totals, reverse=True):
        # In whole chips: (pot + X) against (1 + merge) (pot + Y), each counted on top of the bet faced.
        if not kept or pot + kept[-1] - facing >= (1 + thresholds.merge) * (pot + total - facing) * (1 - 1e-12):
            kept.append(total)
    kind, everything = RAISE if facing else BET, state.bets[state.player] + state.behind(state.player)
    return [Action(ALL_IN if total == everything else kind, total) for total in reversed(kept)]


def _rounded(top: int, bottom: int) -> int:
    """The whole number nearest to top / bottom, halves up."""
    return (2 * top + bottom) // (2 * bottom)


def _decimal(value: Fraction) -> str:
    """A fraction that came from a decimal, as that decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    digits = 1
    while (value * 10**digits).denominator != 1:
        digits += 1
    scaled = int(value * 10**digits)
    return f"{scaled // 10**digits}.{scaled % 10**digits:0{digits}d}"
