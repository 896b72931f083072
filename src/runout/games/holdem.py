"""Limit and no-limit hold'em to be dealt and played: the settings.

game = LimitHoldem(stack_depth=20, num_streets=2).game()
game = NoLimitHoldem(stack_depth=25, bet_sizes=[0.5, 1]).game()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from runout.cards import cards as card_text
from runout.errors import InputError
from runout.games.betting import FLOP, PREFLOP, Rules
from runout.games.holdem_game import (
    DEAL_CARDS,
    FULL_DECK,
    NO_RAKE,
    HoldemDocument,
    HoldemGame,
    Rake,
    renamed,
    small_deck,
)
from runout.games.lines import in_big_blinds
from runout.games.menus import FIXED, Menu, StreetMenu
from runout.games.sizes import PERCENT, TIMES, Size
from runout.kernels.holdem import LEVELS

MAX_CAP = 20  # bets and raises per street: encoders keep room for each
MAX_SIZES = 12  # as in kernels.holdem
LARGEST_SIZE = 1000
DEEPEST = 10_000  # bb of a stack
LIMIT_BLIND = 2  # chips of the big blind
NO_LIMIT_BLIND = 100

_FINEST = 10_000  # largest denominator of a bet size: 0.33333333 is 1/3


def _sizes(sizes: tuple[float, ...]) -> tuple[float, ...]:
    """Sizes in order; a size or a number of them that no game has is refused."""
    if len(sizes) > MAX_SIZES:
        raise InputError(f"{len(sizes)} bet sizes are too many: use at most {MAX_SIZES}")
    for size in sizes:
        if not size > 0 or _fraction(size) == 0:
            raise InputError(f"bet size {size:g} is not positive: use a fraction of the pot above 0, as in 0.5")
        if size > LARGEST_SIZE:
            raise InputError(f"bet size {size:g} is too large: use at most {LARGEST_SIZE} times the pot")
    return tuple(sorted(set(sizes)))


SizeList = Annotated[tuple[float, ...], AfterValidator(_sizes)]


class LimitHoldem(HoldemDocument):
    """Limit hold'em for training and play: blinds 1 and 2, bets of 2, of 4 from the turn on.

    game = LimitHoldem(stack_depth=20, num_streets=2)
    """

    stack_depth: float = Field(
        100.0, gt=0, le=DEEPEST, description="big blinds of each player, the blind included; steps of 0.5"
    )
    num_streets: Literal[2, 4] = Field(
        4, description="streets that are bet on; 2 is Flop Hold'em, which ends on the flop, best five of five cards"
    )
    max_bets_early: int = Field(
        3, description="most bets and raises on each street up to the flop; an opening bet counts, a blind does not"
    )
    max_bets_late: int = Field(4, description="most bets and raises on the turn and on the river")
    max_bets: tuple[int, ...] | None = Field(
        None, description="most bets and raises, one number for each street, in place of the two settings above"
    )
    ranks: int = Field(13, ge=1, le=13, description="ranks of the deck, counted from 2 up; nine cards at least")
    suits: int = Field(4, ge=1, le=4, description="suits of the deck, the first of c, d, h, s")

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            stack_depth: float = ...,
            num_streets: Literal[2, 4] = ...,
            max_bets_early: int = ...,
            max_bets_late: int = ...,
            max_bets: Sequence[int] | None = ...,
            ranks: int = ...,
            suits: int = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        for end in ("_early", "_late", "") if isinstance(data, dict) else ():
            data = renamed(data, f"max_raises{end}", f"max_bets{end}")
        return data

    @model_validator(mode="after")
    def _playable(self) -> LimitHoldem:
        if self.ranks * self.suits < DEAL_CARDS:
            cards = self.ranks * self.suits
            raise InputError(
                f"a deck of {self.ranks} ranks and {self.suits} suits has {cards} cards: a deal takes {DEAL_CARDS}"
            )
        if self.max_bets is not None and len(self.max_bets) != self.num_streets:
            given, streets = len(self.max_bets), self.num_streets
            raise InputError(f"max_bets has {given} entries for {streets} streets: give one a street")
        for name in ("max_bets_early", "max_bets_late", "max_bets"):
            value = getattr(self, name)
            for cap in (value,) if isinstance(value, int) else value or ():
                _check_cap(name, cap)
        _check_stack(self.stack_depth, LIMIT_BLIND)
        return self

    @property
    def caps(self) -> tuple[int, ...]:
        """Most bets and raises on each street."""
        early, late = self.max_bets_early, self.max_bets_late
        return self.max_bets or (early, early, late, late)[: self.num_streets]

    @cached_property
    def _game(self) -> HoldemGame:
        bets = (2, 2, 4, 4)[: self.num_streets]
        rules = Rules.limit(_check_stack(self.stack_depth, LIMIT_BLIND), (LIMIT_BLIND, 1), bets, self.caps)
        name = "Flop Hold'em" if self.num_streets == 2 else "limit hold'em"
        deck = small_deck(self.ranks, self.suits)
        held = "" if len(deck) == len(FULL_DECK) else f", {len(deck)} cards"
        return HoldemGame(
            name=f"{name}, {self.stack_depth:g} bb{held}",
            rules=rules,
            menu=Menu((FIXED,) * 4),
            wording=in_big_blinds(LIMIT_BLIND),
            deck=deck,
            big_blind=LIMIT_BLIND,
            settings=self,
        )


class NoLimitHoldem(HoldemDocument):
    """No-limit hold'em for training and play, in chips of a hundredth of a big blind.

    game = NoLimitHoldem(stack_depth=25, bet_sizes=[0.5, 1], preflop_raises=[[2.5], [4], [2.4]])
    """

    stack_depth: float = Field(
        100.0,
        gt=0,
        le=DEEPEST,
        description="big blinds of each player, the blind (or half of `pot`) included; steps of 0.01",
    )
    bet_sizes: SizeList = Field(
        (0.5, 1.0), description="fractions of the pot, for a raise of the pot after calling; at most 12"
    )
    turn_bet_sizes: SizeList | None = Field(None, description="the same on the turn; none: as on the flop")
    river_bet_sizes: SizeList | None = Field(None, description="the same on the river; none: as on the turn")
    raise_sizes: SizeList | None = Field(None, description="raises after the flop; none: as the bets of the street")
    preflop_raises: SizeList | tuple[SizeList, ...] | None = Field(
        None,
        description="raises before the flop, as multiples of the bet faced: one list, or lists for open, 3-bet, 4-bet "
        "(the last holds on); none: `bet_sizes` are used there too",
    )
    limps: bool = Field(True, description="let the small blind just call")
    iso_raises: SizeList | None = Field(
        None, description="raises over a limp, as multiples of the big blind; none: as an open"
    )
    max_bets: int | tuple[int, ...] = Field(
        3, description="most bets and raises on each street, blinds not counted; a list: by street"
    )
    all_in: bool | Annotated[float, Field(gt=0, le=LARGEST_SIZE)] = Field(
        True,
        description="offer all-in wherever a raise is legal; a number: where it is at most that many pots; false: only "
        "where a size comes to all chips",
    )
    ante: float = Field(0.0, ge=0, le=100, description="big blinds that each player posts besides the blinds")
    big_blind_ante: float = Field(0.0, ge=0, le=100, description="big blinds that the big blind posts for both players")
    rake: Rake = Field(NO_RAKE, description="what is taken from a pot when the hand ends; the cap is in big blinds")
    num_streets: int = Field(
        4,
        ge=1,
        le=4,
        description="streets that are bet on, preflop counted; the board always has five cards in the end",
    )
    board: str = Field("", description="a flop to start from, 'Qs Jh 2h'; empty: hands start before the flop")
    pot: float = Field(
        2.0, gt=0, description="big blinds in the middle of hands that start from a flop, half of it from each player"
    )

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            stack_depth: float = ...,
            bet_sizes: Sequence[float] = ...,
            turn_bet_sizes: Sequence[float] | None = ...,
            river_bet_sizes: Sequence[float] | None = ...,
            raise_sizes: Sequence[float] | None = ...,
            preflop_raises: Sequence[float] | Sequence[Sequence[float]] | None = ...,
            limps: bool = ...,
            iso_raises: Sequence[float] | None = ...,
            max_bets: int | Sequence[int] = ...,
            all_in: bool | float = ...,
            ante: float = ...,
            big_blind_ante: float = ...,
            rake: Rake | Mapping[str, float] = ...,
            num_streets: int = ...,
            board: str = ...,
            pot: float = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        return renamed(data, "max_raises_per_street", "max_bets") if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _playable(self) -> NoLimitHoldem:
        streets = self.num_streets - bool(self.board)
        if isinstance(self.max_bets, tuple) and len(self.max_bets) != streets:
            raise InputError(f"max_bets has {len(self.max_bets)} entries for {streets} streets: give one a street")
        for cap in self._caps(streets):
            _check_cap("max_bets", cap)
        for size in (*(size for sizes in self._preflop or () for size in sizes), *(self.iso_raises or ())):
            if size <= 1:
                raise InputError(f"preflop raise {size:g} is not above the bet faced: use a multiple above 1")
        if self._preflop is not None and len(self._preflop) > LEVELS:
            raise InputError(f"preflop_raises has {len(self._preflop)} lists: use at most {LEVELS}, the last holds on")
        if self.iso_raises is not None and not self.limps:
            raise InputError("iso_raises are raises over a limp: limps = false leaves none")
        for name in ("ante", "big_blind_ante"):
            amount = getattr(self, name)
            if abs(self._chips(amount) - amount * NO_LIMIT_BLIND) > 1e-6:
                raise InputError(f"{name} = {amount:g} bb is too fine: use steps of {1 / NO_LIMIT_BLIND:g} bb")
        if self.board and not self.limps:
            raise InputError("limps = false is for hands that start before the flop: leave out the board")
        if self.board and (self.ante or self.big_blind_ante):
            raise InputError("antes are in the pot of a hand that starts from a flop: give pot alone")
        flop = card_text.board(self.board)
        if len(flop) not in (0, 3):
            raise InputError(f"board {self.board!r} has {len(flop)} cards: a hand starts before the flop or on it")
        if flop and self.num_streets < 2:
            raise InputError("num_streets = 1 ends before the flop: use 2 or more with a board")
        stack = _check_stack(self.stack_depth, NO_LIMIT_BLIND)
        if stack - self._chips(self.ante) - self._chips(self.big_blind_ante) < NO_LIMIT_BLIND:
            raise InputError(f"stack_depth = {self.stack_depth:g} bb is too short for blinds and antes")
        if abs(self._half_pot() - self.pot * NO_LIMIT_BLIND / 2) > 1e-6:
            raise InputError(f"pot = {self.pot:g} bb is too fine: use steps of {2 / NO_LIMIT_BLIND:g} bb")
        if flop and self._half_pot() >= stack:
            raise InputError(f"stack_depth = {self.stack_depth:g} is all in the pot of {self.pot:g} bb already")
        return self

    def _caps(self, streets: int) -> tuple[int, ...]:
        return self.max_bets if isinstance(self.max_bets, tuple) else (self.max_bets,) * streets

    def _half_pot(self) -> int:
        return round(self.pot * NO_LIMIT_BLIND / 2)

    @staticmethod
    def _chips(amount: float) -> int:
        return round(amount * NO_LIMIT_BLIND)

    @property
    def _preflop(self) -> tuple[SizeList, ...] | None:
        """Multiples of the bet faced, a list for each raise before the flop."""
        given = self.preflop_raises
        if given is None or (given and isinstance(given[0], tuple)):
            return given
        return (given,)  # type: ignore[return-value]

    def _menu(self) -> Menu:
        pots = float("inf") if self.all_in is True else self.all_in or -1.0
        streets = []
        sizes = self.bet_sizes
        for own in (None, self.turn_bet_sizes, self.river_bet_sizes):
            sizes = sizes if own is None else own
            bets = [Size(_fraction(size) * 100, PERCENT) for size in sizes]
            raises = bets if self.raise_sizes is None else [Size(_fraction(s) * 100, PERCENT) for s in self.raise_sizes]
            streets.append(StreetMenu.of(bets, [raises], pots))
        preflop = streets[0]
        if self._preflop is not None:
            lists = [[Size(_fraction(size), TIMES) for size in one] for one in self._preflop]
            preflop = StreetMenu.of(lists[0], lists, pots)
        if not self.limps:
            preflop = replace(preflop, limps=False)
        if self.iso_raises is not None:
            preflop = replace(preflop, iso=tuple(Size(_fraction(size), TIMES) for size in self.iso_raises))
        return Menu((preflop, streets[0], streets[1], streets[2]))

    @cached_property
    def _game(self) -> HoldemGame:
        flop = tuple(sorted(card_text.board(self.board), reverse=True))
        stack, streets = _check_stack(self.stack_depth, NO_LIMIT_BLIND), self.num_streets - bool(flop)
        caps = self._caps(streets)
        dead = self._chips(self.big_blind_ante)  # nobody gets it back, so it is as if both stacks were shorter by it
        if flop:
            rules = Rules(stack, FLOP, self.num_streets - 1, ante=self._half_pot(), min_bet=NO_LIMIT_BLIND, caps=caps)
        else:
            rules = Rules.no_limit(
                stack - dead,
                NO_LIMIT_BLIND // 2,
                NO_LIMIT_BLIND,
                pot=dead,
                ante=self._chips(self.ante),
                last_street=self.num_streets - 1,
                caps=caps,
            )
        cap = None if self.rake.cap is None else self.rake.cap * NO_LIMIT_BLIND
        rake = Rake(percent=self.rake.percent, cap=cap)
        return HoldemGame(
            name=f"no-limit hold'em{' from ' + card_text.cards_text(flop) if flop else ''}, {self.stack_depth:g} bb",
            rules=rules,
            menu=self._menu(),
            wording=in_big_blinds(NO_LIMIT_BLIND, preflop=rules.first_street == PREFLOP),
            board=flop,
            shown=5,
            rake=rake,
            big_blind=NO_LIMIT_BLIND,
            settings=self,
        )


HoldemSettings = LimitHoldem | NoLimitHoldem
GAME_TYPES: dict[str, type[LimitHoldem] | type[NoLimitHoldem]] = {
    "no_limit_holdem": NoLimitHoldem,
    "limit_holdem": LimitHoldem,
}
OLD_GAME_TYPES = {"hunl_postflop": "no_limit_holdem"}  # names that configs of earlier versions have


def settings_of(game_type: str, data: Mapping[str, Any]) -> HoldemSettings:
    """The settings of a game by the name that configs give it."""
    name = OLD_GAME_TYPES.get(game_type, game_type)
    if name not in GAME_TYPES:
        raise InputError(f"unknown game type {game_type!r}: use {' or '.join(GAME_TYPES)}")
    return GAME_TYPES[name](**data)


def game_type(settings: HoldemSettings) -> str:
    """The name that configs give a game."""
    return next(name for name, model in GAME_TYPES.items() if isinstance(settings, model))


def _fraction(size: float) -> Fraction:
    return Fraction(repr(float(size))).limit_denominator(_FINEST)


def _check_cap(name: str, cap: int) -> None:
    if not 0 <= cap <= MAX_CAP:
        raise InputError(
            f"{name}: a raise cap of {cap} is {'below zero' if cap < 0 else 'too high'}: use 0 to {MAX_CAP}"
        )


def _check_stack(depth: float, big_blind: int) -> int:
    """Chips of a stack in big blinds."""
    chips = round(depth * big_blind)
    if chips < big_blind:
        raise InputError(f"stack_depth = {depth:g} bb is too short for the blinds: use 1 or more")
    if abs(chips - depth * big_blind) > 1e-6:
        raise InputError(f"stack_depth = {depth:g} bb is no whole number of chips: use steps of {1 / big_blind:g} bb")
    return chips
