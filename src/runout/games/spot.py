"""A postflop spot: board, pot, stack, two ranges, bet sizes, rake and how to solve it; from YAML or keywords.

spot = Spot.load("spot.yaml")
spot = Spot(board="Qs Jh 2h", pot=180, stack=910, ranges={"oop": "88+,AJs+", "ip": "99-22,KQs"})
spot = Spot.default(board="2c3h4d", spr=10)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from runout.cards.cards import board as parse_board
from runout.cards.cards import cards_text
from runout.cards.hands import COMBO_CARDS
from runout.cards.ranges import FAINTEST, Range
from runout.config import Settings
from runout.errors import InputError
from runout.games.betting import FLOP, IP, OOP, RIVER, STREET_NAMES, Rules, start
from runout.games.holdem_game import NO_RAKE, HoldemDocument, HoldemGame, Rake, raises_to_bets, renamed
from runout.games.lines import PLAYER_NAMES, Wording
from runout.games.menus import NO_BETS, LineList, Menu, StreetMenu
from runout.games.sizes import Size, Thresholds, parse_bet_sizes, parse_sizes, sizes_text


def _listed(value: Any) -> Any:
    """A list or a bare number as the text of sizes or cards, so that its message can name the bad part."""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _bet_text(value: str) -> str:
    return sizes_text(parse_bet_sizes(value))


def _raise_text(value: str) -> str:
    return sizes_text(parse_sizes(value))


def _checked(check: Any) -> BeforeValidator:
    def run(value: Any) -> Any:
        text = _listed(value)
        return check(text) if isinstance(text, str) else text

    return BeforeValidator(run)


def _two_names(value: Any) -> Any:
    """'BB, SB' as the two names in it."""
    names = value.replace(",", " ").split() if isinstance(value, str) else value
    if isinstance(names, list | tuple) and len(names) != 2:
        given = ", ".join(map(str, names)) or "none"
        raise InputError(f"give two names, the player out of position first, not {given}")
    return names


MOST_CHIPS = 10**12  # of a pot or a stack
BetSizes = Annotated[str, _checked(_bet_text)]
RaiseSizes = Annotated[str, _checked(_raise_text)]


class IpSizes(Settings):
    """What IP does differently on a street."""

    bet: BetSizes | None = Field(None, description="sizes of the first bet; none: as for both players")
    raise_: RaiseSizes | None = Field(None, alias="raise", description="sizes of raises; none: as for both players")


class OopSizes(IpSizes):
    """What OOP does differently on a street."""

    donk: BetSizes | None = Field(None, description="sizes of a donk bet; none: as for both players")


class StreetSizes(Settings):
    """The bet sizes of a street: percentages of the pot (75%), multiples of the bet faced (2.5x), chips (100c),
    geometric (e) or all-in (a), separated by commas. An empty text means no bets."""

    bet: BetSizes = Field("", description="sizes of the first bet of the street: '33%, 75%, a'")
    raise_: RaiseSizes = Field("", alias="raise", description="sizes of raises: '60%, a'")
    donk: BetSizes | None = Field(
        None, description="sizes of OOP's bet into the player who bet on the street before; none: as `bet`"
    )
    oop: OopSizes | None = Field(None, description="sizes that differ for OOP: bet, raise, donk")
    ip: IpSizes | None = Field(None, description="sizes that differ for IP: bet, raise")

    def menu(self, thresholds: Thresholds) -> StreetMenu:
        """The street as `menus` takes it."""

        def both(name: str) -> tuple[tuple[Size, ...], tuple[Size, ...]]:
            texts = [getattr(own, name, None) for own in (self.oop, self.ip)]
            first, second = (parse_sizes(getattr(self, name) if text is None else text) for text in texts)
            return first, second

        raises, donk = both("raise_"), getattr(self.oop, "donk", None)
        donk = self.donk if donk is None else donk
        own = None if donk is None else parse_sizes(donk)
        return StreetMenu(both("bet"), ((raises[0],), (raises[1],)), own, thresholds)


USUAL_SIZES = StreetSizes.model_validate({"bet": "50%", "raise": "60%"})


class Betting(Settings):
    """Bets and raises by sizes, by lines, or both, and what happens to sizes where stacks are short.

    A street left out has the usual sizes; where there are lines, it has none but theirs.
    """

    flop: StreetSizes = Field(USUAL_SIZES, description="sizes on the flop: bet, raise, donk, oop, ip")
    turn: StreetSizes = Field(USUAL_SIZES, description="sizes on the turn")
    river: StreetSizes = Field(USUAL_SIZES, description="sizes on the river")
    add_all_in: float = Field(
        0.0, ge=0, description="add an all-in where it is at most this many times the pot; 0: off"
    )
    force_all_in: float = Field(
        0.0, ge=0, description="turn a bet into all-in where stack / pot after a call would be at most this; 0: off"
    )
    merge: float = Field(
        0.0, ge=0, description="drop a size Y below a larger X where (1 + X/pot) / (1 + Y/pot) < 1 + merge; 0: off"
    )
    max_bets: int | None = Field(None, ge=0, description="most bets and raises on each street; none: no limit")
    lines: LineList = Field(
        (), description="lines whose bets and raises are added to the tree, on top of the sizes: 'x-b50-r150|?|x'"
    )
    remove_lines: LineList = Field(
        (), description="lines whose last bet or raise, and everything below it, is taken out of the tree"
    )

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = renamed(data, "max_raises", "max_bets", raises_to_bets)
        if data.get("lines"):
            data = {name: {} for name in STREET_NAMES[FLOP:]} | data
        return data

    @cached_property
    def by_sizes(self) -> Menu:
        """The menu of the sizes alone: lines need to know pot and stack, see `Spot.menu`."""
        thresholds = Thresholds(self.add_all_in, self.force_all_in, self.merge)
        flop, turn, river = (one.menu(thresholds) for one in (self.flop, self.turn, self.river))
        return Menu((NO_BETS, flop, turn, river))


class Ranges(Settings):
    """The two ranges, as text (a Range is taken too)."""

    oop: str = Field(description="range of the player out of position, who acts first: '88+,AJs+'")
    ip: str = Field(description="range of the player in position")

    @field_validator("oop", "ip", mode="before")
    @classmethod
    def _readable(cls, value: Any) -> Any:
        if isinstance(value, str):
            Range(value)
        return str(value) if isinstance(value, Range) else value


class Solve(Settings):
    """When to stop and how to compute."""

    target: float = Field(0.3, ge=0, description="stop at this exploitability, in `unit`")
    unit: Literal["%", "mbb"] = Field(
        "%", description="unit of `target`: % of the pot, or mbb per hand (which needs `big_blind`)"
    )
    iterations: int = Field(1000, ge=1, le=10**9, description="stop after this many iterations at the latest")
    threads: int = Field(0, ge=0, le=1024, description="threads to use; 0: one for each core")
    storage: Literal["float32", "int16"] = Field(
        "float32", description="how numbers are stored; int16 takes half the memory"
    )
    algorithm: str = Field("auto", description="a variant of CFR, such as dcfr(1.5,0,2); auto chooses one")
    leaf: Literal["none", "network"] = Field(
        "none", description="network: solve the first street alone, with what comes after it valued by a network"
    )


class Lock(Settings):
    """A strategy that is given, not solved for."""

    line: str = Field(description="the node: 'x-b94', or 'x-x|?|b94' for every turn card")
    strategy: dict[str, float] = Field(
        description="how often each action is taken, by its token: {c: 0.75, f: 0.25}; adds up to 1"
    )
    hands: str = Field("100%", description="the range that plays like this; other hands are solved for")

    @model_validator(mode="after")
    def _adds_up(self) -> Lock:
        Range(self.hands)
        total = sum(self.strategy.values())
        if min(self.strategy.values(), default=-1.0) < 0 or abs(total - 1) > 1e-6:
            shares = ", ".join(f"{action}: {share:g}" for action, share in self.strategy.items()) or "nothing"
            raise InputError(f"lock {self.line!r} has {shares}: use shares from 0 to 1 that add up to 1")
        return self


class Spot(HoldemDocument):
    """A postflop spot: everything that `runout.solve` needs to know.

    spot = Spot(board="Qs Jh 2h", pot=180, stack=910, ranges={"oop": "88+,AJs+", "ip": "99-22,KQs"})
    """

    board: str = Field(description="3, 4 or 5 cards: 'Qs Jh 2h'")
    pot: int = Field(
        gt=0, le=MOST_CHIPS, description="chips in the middle when betting begins; with decimals, big blinds"
    )
    stack: int = Field(gt=0, le=MOST_CHIPS, description="chips that each player has left; `spr` can be given instead")
    spr: float | None = Field(
        None, gt=0, exclude=True, description="stack as a multiple of the pot, in place of `stack`"
    )
    ranges: Ranges = Field(description="the range of each player: oop, ip")
    betting: Betting = Field(Betting.model_validate({}), description="bet sizes by street, and limits to them")
    rake: Rake = Field(NO_RAKE, description="what the house takes from the pot: percent, cap")
    solve: Solve = Field(Solve.model_validate({}), description="when to stop, and how to compute")
    locks: tuple[Lock, ...] = Field(
        (), description="strategies that are given instead of solved for: line, strategy, hands"
    )
    big_blind: float | None = Field(
        None, gt=0, description="chips of the big blind; with it, figures are also given in mbb per hand"
    )
    positions: Annotated[tuple[str, str], BeforeValidator(_two_names)] | None = Field(
        None, description="what the players are called, the one out of position first: [BB, BTN]; none: OOP and IP"
    )

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            board: str | Sequence[str],
            pot: float,
            stack: float = ...,
            spr: float | None = ...,
            ranges: Ranges | Mapping[str, str | Range],
            betting: Betting | Mapping[str, Any] = ...,
            rake: Rake | Mapping[str, float | None] = ...,
            solve: Solve | Mapping[str, Any] = ...,
            locks: Sequence[Lock | Mapping[str, Any]] = ...,
            big_blind: float | None = ...,
            positions: str | Sequence[str] | None = ...,
        ) -> None: ...

    def lock(self, line: str, strategy: dict[str, float], hands: str = "100%") -> Spot:
        """The same spot with a given strategy at a node, for all hands or for some."""
        return self.replace(locks=[*self.locks, {"line": line, "strategy": strategy, "hands": hands}])

    def replace(self, **changes: Any) -> Self:
        spr = changes.get("spr")
        if isinstance(spr, int | float) and "stack" not in changes:
            changes["stack"] = max(1, int(spr * changes.get("pot", self.pot) + 0.5))
        return super().replace(**changes)

    @classmethod
    def default(cls, **changes: Any) -> Spot:
        """An example to start from, a flop in a 3-bet pot, with some settings changed: Spot.default(board="2c3h4d")."""
        data = default_settings()
        if changes.get("spr") is not None:
            del data["stack"]
        return cls(**(data | changes))

    @model_validator(mode="before")
    @classmethod
    def _stack_from_ratio(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("spr") is None:
            return data
        pot, spr = data.get("pot"), data["spr"]
        if isinstance(spr, bool) or not isinstance(spr, int | float) or not 0 < spr < float("inf"):
            raise InputError(f"spr = {spr!r}: use a number above 0, the stack as a multiple of the pot")
        if not isinstance(pot, int):
            return data  # the pot has its own message
        stack = max(1, int(spr * pot + 0.5))
        if data.get("stack", stack) != stack:
            raise InputError(f"stack {data['stack']} and spr {spr} are both given and differ: give one of the two")
        return data | {"stack": stack}

    @model_validator(mode="before")  # the last one is the first to run
    @classmethod
    def _whole_chips(cls, data: Any) -> Any:
        return in_whole_chips(data) if isinstance(data, dict) else data

    @field_validator("board", mode="before")
    @classmethod
    def _canonical_board(cls, value: Any) -> Any:
        text = _listed(value)
        if not isinstance(text, str):
            return text
        ids = parse_board(text)
        if not ids:
            raise InputError("the board is empty: use 3 (flop), 4 (turn) or 5 cards (river)")
        return cards_text(ids)

    @field_validator("positions")
    @classmethod
    def _can_be_told_apart(cls, names: tuple[str, str] | None) -> tuple[str, str] | None:
        for name in names or ():
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+]{1,7}", name):
                raise InputError(f"unknown position {name!r}: use 2 to 8 letters, digits and +, such as BB, BTN, UTG+1")
        low = tuple(name.lower() for name in names or ())
        if low and (low[0] == low[1] or low[0] == PLAYER_NAMES[1] or low[1] == PLAYER_NAMES[0]):
            raise InputError(f"give two names, the player out of position first, not {' and '.join(names or ())}")
        return names

    @model_validator(mode="after")
    def _playable(self) -> Spot:
        oop, ip = (self.range(player) for player in (OOP, IP))
        if not _some_pair(oop.weights > 0, ip.weights > 0):
            raise InputError("the ranges share cards so that no two hands can meet: add hands to one of them")
        if self.solve.leaf == "network":
            self._require_valued()
        if self.solve.unit == "mbb" and self.big_blind is None:
            raise InputError("a target in mbb needs to know the blinds: set big_blind")
        given = [(lock.line, lock.hands) for lock in self.locks]
        for line, hands in given:
            if given.count((line, hands)) > 1:
                who = "the range" if hands == "100%" else hands
                raise InputError(f"two locks give {who} a strategy at {line or 'the root'!r}: give one of them")
        self.game()  # lines that cannot be played are refused
        return self

    def _require_valued(self) -> None:
        """Refuse what value networks do not know."""
        if self.street == RIVER:
            raise InputError("leaf = network values what comes after the first street, and nothing comes after a river")
        if self.rake.percent > 0 or self.locks:
            raise InputError(f"leaf = network knows no {'rake' if self.rake.percent > 0 else 'locks'}: leave it out")
        if self.solve.storage != "float32":
            raise InputError(f"leaf = network and storage = {self.solve.storage}: use float32")

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The ids of the board's cards, in the order given."""
        return tuple(parse_board(self.board))

    @property
    def players(self) -> tuple[str, str]:
        """What the two players are called, the one out of position first."""
        return self.positions or PLAYER_NAMES

    @property
    def street(self) -> int:
        """FLOP, TURN or RIVER: where betting begins."""
        return len(self.cards) - 2

    @cached_property
    def _ranges(self) -> tuple[Range, Range]:
        oop, ip = self.ranges.oop, self.ranges.ip
        return (
            Range(oop).require_some(self.cards, "ranges.oop", FAINTEST),
            Range(ip).require_some(self.cards, "ranges.ip", FAINTEST),
        )

    def range(self, player: int) -> Range:
        """The range of player 0 (OOP) or 1 (IP), without the hands that the board blocks."""
        return self._ranges[player]

    @property
    def target_percent(self) -> float:
        """The target exploitability in % of the pot."""
        if self.solve.unit == "%":
            return self.solve.target
        return self.solve.target / 1000 * (self.big_blind or 1.0) / self.pot * 100

    @property
    def _valued(self) -> str:
        """What a name says of later streets that were not solved."""
        if self.solve.leaf == "none":
            return ""
        later = "turn and river" if self.street == FLOP else "river"
        return f", {later} valued by a network"

    def mbb(self, chips: float) -> float | None:
        """Chips as thousandths of a big blind; None where the blinds are not known."""
        return None if self.big_blind is None else self.game().mbb(chips)

    @cached_property
    def _game(self) -> HoldemGame:
        rules = Rules.postflop(self.pot, self.stack, self.street, self.betting.max_bets)
        lines, wording = (self.betting.lines, self.betting.remove_lines), Wording(players=self.players)
        return HoldemGame(
            name=f"{self.board.replace(' ', '')}, pot {self.pot}, stack {self.stack}{self._valued}",
            rules=rules,
            menu=self.betting.by_sizes.with_lines(start(rules), wording, *lines),
            wording=wording,
            board=self.cards,
            ranges=self._ranges,
            rake=self.rake,
            big_blind=self.big_blind or 1.0,
            settings=self,
        )


def in_whole_chips(data: dict[str, Any]) -> dict[str, Any]:
    """Settings of a spot whose amounts are whole: those with decimals are multiplied by 100, or 1000 where that is not
    enough, and so are all others. Without a big blind, what was given is big blinds; with one, all is chips."""
    given = {name: data[name] for name in ("pot", "stack") if isinstance(data.get(name), float)}
    whole = {name: int(value) for name, value in given.items() if value.is_integer()}
    if len(whole) == len(given):
        return data | whole
    by = next((n for n in (100, 1000) if all(abs(x * n - round(x * n)) < 1e-6 for x in given.values())), None)
    if by is None:
        name, value = next((name, x) for name, x in given.items() if abs(x * 1000 - round(x * 1000)) >= 1e-6)
        raise InputError(f"{name} = {value!r}: give at most three decimals")
    betting, rake = data.get("betting") or {}, data.get("rake") or {}
    if data.get("locks") or (isinstance(betting, dict) and (betting.get("lines") or betting.get("remove_lines"))):
        raise InputError("pot and stack have decimals, and lines name amounts: count in whole chips")
    pot, blind = data.get("pot"), data.get("big_blind")
    if isinstance(pot, int | float) and isinstance(blind, int | float) and pot < blind:
        raise InputError(
            f"pot = {pot:g} is less than big_blind = {blind:g}: both are chips; use big_blind = 1 to count in blinds"
        )
    found = data | {"betting": _smaller_chips(betting, by), "big_blind": (data.get("big_blind") or 1) * by}
    for name in ("pot", "stack"):
        if isinstance(data.get(name), int | float) and not isinstance(data[name], bool):
            found[name] = round(data[name] * by)
    if isinstance(rake, dict) and isinstance(rake.get("cap"), int | float):
        found["rake"] = rake | {"cap": rake["cap"] * by}
    return found


def _smaller_chips(sizes: Any, by: int) -> Any:
    """The same bet sizes where chips are `by` times as many: '2.5c' becomes '250c'."""
    if isinstance(sizes, dict):
        return {key: _smaller_chips(value, by) for key, value in sizes.items()}
    if not isinstance(sizes, str):
        return sizes
    return re.sub(r"(\d+\.?\d*|\.\d+)(?=\s*c\b)", lambda found: f"{float(found[1]) * by:.10g}", sizes)


def default_settings() -> dict[str, Any]:
    """The embedded spot as settings: big blind against button in a 3-bet pot, 100 big blinds deep."""
    return {
        "board": "Td 9d 6h",
        "pot": 200,
        "stack": 900,
        "ranges": {
            "oop": "99+,AJs+,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,87s:0.5,AJo+,KQo",
            "ip": "JJ-44,AQs-A8s,A5s-A2s,K9s+,Q9s+,J9s+,T8s+,98s,87s,76s,65s,AQo-AJo,KJo+,QJo",
        },
        "betting": {
            "flop": {"bet": "75%", "raise": "60%"},
            "turn": {"bet": "66%", "raise": "60%"},
            "river": {"bet": "75%", "raise": "60%"},
            "force_all_in": 0.25,
        },
        "big_blind": 10,
    }


def example_spots() -> dict[str, dict[str, Any]]:
    """Spots to begin with, by name: the embedded one, one street and two streets later, and a single-raised pot."""
    usual = default_settings()
    sizes = {name: {"bet": "33%, 75%", "raise": "60%"} for name in ("flop", "turn", "river")}
    single = {
        "board": "Ks 7h 2d",
        "pot": 60,
        "stack": 970,
        "ranges": {
            "oop": "TT-22,AQs-A2s,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,75s+,64s+,54s,AQo-ATo,KTo+,QTo+,JTo",
            "ip": "22+,A2s+,K7s+,Q8s+,J8s+,T8s+,97s+,86s+,76s,65s,A8o+,KTo+,QTo+,JTo",
        },
        "betting": {**sizes, "max_bets": 2, "force_all_in": 0.25},
        "big_blind": 10,
        "solve": {"target": 0.5},
    }
    return {
        "3-bet pot, flop": usual,
        "3-bet pot, turn": {**usual, "board": "Td 9d 6h Qc"},
        "3-bet pot, river": {**usual, "board": "Td 9d 6h Qc 2h"},
        "single-raised pot, flop": single,
    }


def _some_pair(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether some hand of one range shares no card with some hand of the other; bool [1326] each."""
    by_card = np.bincount(COMBO_CARDS[second].ravel(), minlength=52)
    meets = second.sum() - by_card[COMBO_CARDS].sum(axis=1) + second  # the same hand was taken off twice
    return bool((meets[first] > 0).any())
