"""A heads-up no-limit game before the flop: stack, blinds, raise sizes, rake, what a flop is worth; YAML or keywords.

game = Preflop.load("preflop.yaml")
game = Preflop(stack_depth=100, raise_sizes=[[2.5], ["3x"], ["2.2x", "a"]])
game = Preflop.preset("standard", stack_depth=50)
game = Preflop.push_fold(10)

The betting engine counts in chips of a thousandth of a big blind; whatever people read or write is in big blinds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from runout.config import Settings
from runout.errors import InputError
from runout.games.betting import PREFLOP, Rules, start
from runout.games.holdem_game import NO_RAKE, HoldemDocument, HoldemGame, Rake, renamed
from runout.games.lines import in_big_blinds
from runout.games.menus import NO_BETS, LineList, Menu, StreetMenu
from runout.games.sizes import ALL_IN_SIZE, PERCENT, TIMES, TO, Size, parse_size
from runout.games.spot import Lock

BIG_BLIND = 1000  # chips: a chip is a mbb
SHORT = 25.0  # bb up to which all-ins over any bet are usual
WORDING = in_big_blinds(BIG_BLIND)

_SIZES = "use big blinds (2.5), a multiple of the last raise (3x), of the pot (50%) or all-in (a)"
_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(?:bb)?")


def chips(big_blinds: float, what: str) -> int:
    """Big blinds as whole chips; `what` is what a message calls the number."""
    exact = big_blinds * BIG_BLIND
    if abs(exact - round(exact)) > 1e-6:
        raise InputError(f"{what} of {big_blinds:.10g} bb is too fine: use steps of 0.001 bb")
    return round(exact)


def parse_raise(text: str) -> Size:
    """What one word of `raise_sizes` means."""
    body = text.strip().lower()
    if match := _NUMBER.fullmatch(body):
        total = chips(float(match[1]), "a raise")
        if total <= BIG_BLIND:
            raise InputError(f"raise size {text.strip()!r} is not above the big blind: use 2 or more")
        return Size(Fraction(total), TO)
    try:
        size = parse_size(body)
    except InputError as error:
        raise InputError(str(error) if "no legal bet" in str(error) else _unknown(text)) from None
    if size.unit not in (PERCENT, TIMES, ALL_IN_SIZE):
        raise InputError(_unknown(text))
    return size


def _unknown(text: str) -> str:
    return f"unknown raise size {text.strip()!r}: {_SIZES}"


def _size_lists(value: Any) -> Any:
    """Sizes for every raise ('2.5, 3x') or lists of them by raise number, as lists of words."""
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    if isinstance(value, dict):
        raise InputError("sizes by raise number are a list of lists, as in [[2.5, 3], [8, 10], [25, a]]")
    if not isinstance(value, list | tuple) or not value:
        raise InputError(f"sizes are missing: {_SIZES}, or lists of them, one for each raise")
    nested = [isinstance(part, list | tuple) for part in value]
    if any(nested) and not all(nested):
        raise InputError("single sizes and lists are mixed: give one list for every raise, or a list for each raise")
    lists = value if all(nested) else [value]
    words = [[_word(part) for part in sizes] for sizes in lists]
    return tuple(tuple(dict.fromkeys(row)) for row in words)


def _word(part: Any) -> str:
    if isinstance(part, bool) or not isinstance(part, str | int | float):
        raise InputError(f"unknown raise size {part!r}: {_SIZES}")
    text = f"{part:.10g}" if isinstance(part, int | float) else part.strip().lower()
    parse_raise(text)
    return text


class PreflopSolve(Settings):
    """When to stop and how to compute."""

    target: float = Field(0.1, ge=0, description="stop at this exploitability, in mbb per hand")
    iterations: int = Field(20_000, ge=0, description="stop after this many iterations at the latest")
    algorithm: str = Field("auto", description="a variant of CFR, such as dcfr(1.5,0,2); auto chooses one")


class Realization(Settings):
    """How much of its equity a hand realises after the flop: a factor for each range. The first range with the hand
    counts."""

    sb: dict[str, float] = Field(description="factors of the small blind, who is in position after the flop")
    bb: dict[str, float] = Field(description="factors of the big blind")

    @field_validator("sb", "bb")
    @classmethod
    def _positive(cls, table: dict[str, float]) -> dict[str, float]:
        for hands, factor in table.items():
            if not 0 < factor <= 10:
                raise InputError(f"factor {factor:g} of {hands!r}: use a number above 0 and at most 10")
        return table


class Preflop(HoldemDocument):
    """A heads-up game before the flop: everything that `runout.solve_preflop` needs to know. Amounts are in big blinds.

    game = Preflop(stack_depth=100, raise_sizes=[[2.5], ["3x"], ["2.2x", "a"]])
    """

    name: str = Field("preflop", description="a name to tell games apart")
    stack_depth: float = Field(gt=0, le=100_000, description="stack of each player, blind and ante included")
    raise_sizes: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_size_lists)] = Field(
        description="one list of sizes for every raise, or a list for each raise in turn (the last one holds for all "
        "that follow): big blinds (2.5), multiples of the last raise (3x), of the pot (50%), all-in (a)"
    )
    all_in: bool = Field(True, description="offer all-in wherever a raise is possible")
    limps: bool = Field(True, description="let the small blind just call")
    max_bets: int | None = Field(None, ge=0, description="most raises, blinds not counted; none: no limit")
    blinds: tuple[float, float] = Field((0.5, 1.0), description="small and big blind; only their ratio counts")
    ante: float = Field(0.0, ge=0, description="ante of each player")
    rake: Rake = Field(NO_RAKE, description="what the house takes where a flop is seen; the cap is in big blinds")
    leaf: Literal["solved", "equity", "realization", "flop-game"] = Field(
        "solved",
        description="what a called pot is worth: what it is in solved whole games of this depth, the equity (checked "
        "down), part of it by position, or a solved flop game",
    )
    realization: Realization | None = Field(
        None, description="factors of the leaf model `realization`: sb, bb; none: a table that comes with Runout"
    )
    lines: LineList = Field(
        (), description="lines whose raises are added to the tree, on top of the sizes: 'SBr2.5 BBr8'"
    )
    remove_lines: LineList = Field((), description="lines whose last raise is taken out of the tree")
    locks: tuple[Lock, ...] = Field(
        (), description="strategies that are given and not solved for: line, strategy ({f: 0.6, c: 0.4}), hands"
    )
    solve: PreflopSolve = Field(PreflopSolve.model_validate({}), description="when to stop, and how to compute")

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            name: str = ...,
            stack_depth: float,
            raise_sizes: str | float | Sequence[str | float | Sequence[str | float]],
            all_in: bool = ...,
            limps: bool = ...,
            max_bets: int | None = ...,
            blinds: Sequence[float] = ...,
            ante: float = ...,
            rake: Rake | Mapping[str, float | None] = ...,
            leaf: Literal["solved", "equity", "realization", "flop-game"] = ...,
            realization: Realization | Mapping[str, Mapping[str, float]] | None = ...,
            lines: str | Sequence[str] = ...,
            remove_lines: str | Sequence[str] = ...,
            locks: Sequence[Lock | Mapping[str, Any]] = ...,
            solve: PreflopSolve | Mapping[str, Any] = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        return renamed(data, "max_raises", "max_bets") if isinstance(data, dict) else data

    @classmethod
    def preset(cls, name: str = "standard", **changes: Any) -> Preflop:
        """A game that comes with Runout (standard, aggressive or tiny), with some settings changed."""
        if name not in PRESETS:
            raise InputError(f"unknown preset {name!r}: use {', '.join(PRESETS)}")
        return cls(**({"name": name} | PRESETS[name] | changes))

    @classmethod
    def push_fold(cls, stack_depth: float, **changes: Any) -> Preflop:
        """The game in which the small blind moves all-in or folds and the big blind calls or folds."""
        return cls(**(push_fold_settings(stack_depth) | changes))

    @field_validator("blinds")
    @classmethod
    def _ordered(cls, value: tuple[float, float]) -> tuple[float, float]:
        small, big = value
        if not 0 < small <= big:
            raise InputError(f"{small:g} and {big:g} are no small and big blind: use two numbers such as [0.5, 1]")
        return value

    @model_validator(mode="after")
    def _playable(self) -> Preflop:
        posted = BIG_BLIND + chips(self.ante, "an ante")
        if chips(self.stack_depth, "a stack_depth") <= posted:
            raise InputError(
                f"stack_depth = {self.stack_depth:g}: blind and ante alone take {WORDING.quantity(posted)}; use more"
            )
        self.game()  # lines that cannot be played are refused
        return self

    @property
    def is_push_fold(self) -> bool:
        """True if only all-in, fold and call are possible."""
        return not self.limps and all(set(sizes) <= {"a"} for sizes in self.raise_sizes)

    def unused_sizes(self) -> tuple[str, ...]:
        """Sizes of raises that nobody can ever make: too small or too large to be legal, or after the last raise."""
        made = {int(total) for total in self.tree().streets[0].amount}
        most = len(self.raise_sizes) if self.max_bets is None else self.max_bets
        used = {word for sizes in self.raise_sizes[:most] for word in sizes if _makes(parse_raise(word), made)}
        return tuple(dict.fromkeys(word for sizes in self.raise_sizes for word in sizes if word not in used))

    @cached_property
    def _game(self) -> HoldemGame:
        small = round(BIG_BLIND * self.blinds[0] / self.blinds[1])
        stack, ante = chips(self.stack_depth, "a stack_depth"), chips(self.ante, "an ante")
        rules = Rules.no_limit(stack, small, BIG_BLIND, ante=ante, last_street=PREFLOP, caps=(self.max_bets,))
        menu = Menu((self.street_menu(), NO_BETS, NO_BETS, NO_BETS))
        return HoldemGame(
            name=f"{self.name}, {self.stack_depth:g} bb",
            rules=rules,
            menu=menu.with_lines(start(rules), WORDING, self.lines, self.remove_lines),
            wording=WORDING,
            shown=5,
            rake=Rake(percent=self.rake.percent, cap=None if self.rake.cap is None else self.rake.cap * BIG_BLIND),
            big_blind=BIG_BLIND,
            settings=self,
        )

    def street_menu(self) -> StreetMenu:
        """Raises before the flop: a size in big blinds that is not legal is left out, others are moved to the nearest
        legal raise."""
        sizes = tuple(tuple(parse_raise(word) for word in words) for words in self.raise_sizes)
        return StreetMenu(raises=(sizes, sizes), all_in=self.all_in, limps=self.limps)


def _makes(size: Size, totals: set[int]) -> bool:
    """Whether a size can be one of these raises: all can but fixed totals, which are not moved to a legal one."""
    return size.unit != TO or int(size.value) in totals


def push_fold_settings(stack_depth: float) -> dict[str, Any]:
    """What `Preflop.push_fold` is made of."""
    return {
        "name": "push-fold",
        "stack_depth": stack_depth,
        "raise_sizes": ["a"],
        "limps": False,
        "solve": {"target": 0.0001},
    }


def usual_settings(stack_depth: float) -> dict[str, Any]:
    """Sizes that are usual at a depth, few enough to be read: what `runout preflop --stack 60` solves."""
    if stack_depth <= SHORT:
        return {"name": "usual", "stack_depth": stack_depth, "raise_sizes": [["2"], ["2.5x"], ["a"]]}
    sizes = [["2.5"], ["4x"], ["2.3x"], ["a"]]
    return {"name": "usual", "stack_depth": stack_depth, "raise_sizes": sizes, "all_in": False}


PRESETS: dict[str, dict[str, Any]] = {
    "standard": {"stack_depth": 100, "raise_sizes": [2.5, 3, 6, 8, 10, 15, 20, 25, 50, 100]},
    "aggressive": {"stack_depth": 100, "raise_sizes": [3, 4, 10, 12, 25, 30, 60, 100]},
    "tiny": {"stack_depth": 20, "raise_sizes": [2.5, 8]},
}
