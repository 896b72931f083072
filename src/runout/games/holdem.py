"""Limit and no-limit hold'em as games to be dealt and played: settings, and the rules that they stand for.

    game = LimitHoldem(stack_depth=20, num_streets=2).game()
    game = NoLimitHoldem(stack_depth=25, bet_sizes=[0.5, 1]).game()
    state = game.deal("AsKd 7c7h Qs Jh 2h 9c 3d")           player 0, player 1, board

Seats are those of `betting`: player 0 is the big blind, player 1 the small blind, who is on the button. An action is
also a *slot*, which means the same in every state: fold, check or call, bet or raise of size i, all-in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator

from runout.cards import cards as card_text
from runout.config import Document
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FLOP, FOLD, PREFLOP, RAISE, Action, BettingState, Rules
from runout.games.sizes import PERCENT, TIMES, Size

if TYPE_CHECKING:
    from runout.games.holdem_state import HoldemState

SEATS = ("BB", "SB")  # players 0 and 1
BOARD_CARDS = (0, 3, 4, 5)  # by street
FULL_DECK = tuple(range(52))
DEAL_CARDS = 9  # two hole cards each and five of the board
FOLD_SLOT, CALL_SLOT, FIRST_SIZE = 0, 1, 2
MAX_CAP = 20  # bets and raises a street: encoders keep room for each
MAX_SIZES = 12  # as in kernels.holdem
LARGEST_SIZE = 1000
DEEPEST = 10_000  # bb of a stack
LIMIT_BLIND = 2  # chips of the big blind
NO_LIMIT_BLIND = 100

_FINEST = 10_000  # largest denominator of a bet size: 0.33333333 is 1/3


class LimitHoldem(Document):
    """Limit hold'em: blinds 1 and 2, bets of 2, of 4 from the turn on. `num_streets` 2 is Flop Hold'em."""

    stack_depth: float = Field(100.0, gt=0, le=DEEPEST)  # bb of each player, the blind included
    num_streets: Literal[2, 4] = 4  # 2: hands are shown on the flop, best five of five cards
    max_raises_early: int = 3  # bets and raises before and on the flop; an opening bet counts, a blind does not
    max_raises_late: int = 4  # on the turn and on the river
    max_raises: tuple[int, ...] | None = None  # one a street, instead of the two above
    ranks: int = Field(13, ge=1, le=13)  # of the deck: the lowest so many, from 2 up
    suits: int = Field(4, ge=1, le=4)  # the first so many of c, d, h, s

    @model_validator(mode="after")
    def _playable(self) -> LimitHoldem:
        if self.ranks * self.suits < DEAL_CARDS:
            cards = self.ranks * self.suits
            raise InputError(
                f"a deck of {self.ranks} ranks and {self.suits} suits has {cards} cards: a deal takes {DEAL_CARDS}"
            )
        if self.max_raises is not None and len(self.max_raises) != self.num_streets:
            given, streets = len(self.max_raises), self.num_streets
            raise InputError(f"max_raises has {given} entries for {streets} streets: give one a street")
        for name in ("max_raises_early", "max_raises_late", "max_raises"):
            value = getattr(self, name)
            for cap in (value,) if isinstance(value, int) else value or ():
                _check_cap(name, cap)
        _check_stack(self.stack_depth, LIMIT_BLIND)
        return self

    @property
    def caps(self) -> tuple[int, ...]:
        early, late = self.max_raises_early, self.max_raises_late
        return self.max_raises or (early, early, late, late)[: self.num_streets]

    def game(self) -> Holdem:
        """The rules with these settings."""
        bets = (2, 2, 4, 4)[: self.num_streets]
        rules = Rules.limit(_check_stack(self.stack_depth, LIMIT_BLIND), (LIMIT_BLIND, 1), bets, self.caps)
        name = "Flop Hold'em" if self.num_streets == 2 else "limit hold'em"
        deck = tuple(4 * rank + suit for rank in range(self.ranks) for suit in range(self.suits))
        held = "" if len(deck) == len(FULL_DECK) else f", {len(deck)} cards"
        return Holdem(f"{name}, {self.stack_depth:g} bb{held}", rules, big_blind=LIMIT_BLIND, settings=self, deck=deck)


class NoLimitHoldem(Document):
    """No-limit hold'em in chips of a hundredth of a big blind; the board is always run out to five cards."""

    stack_depth: float = Field(100.0, gt=0, le=DEEPEST)  # bb of each player, the blind (or its part of `pot`) included
    bet_sizes: tuple[float, ...] = (0.5, 1.0)  # fractions of the pot; of the pot after calling for a raise
    preflop_raises: tuple[float, ...] | None = None  # multiples of the bet faced; None: bet_sizes hold there too
    max_raises_per_street: int = 3  # bets and raises, the blinds not counted
    all_in: bool = True  # offered wherever a raise is legal; without it only where a size comes to it
    num_streets: int = Field(4, ge=1, le=4)  # streets that are bet on, preflop counted
    board: str = ""  # a flop to start from, 'Qs Jh 2h'; none: the hand starts before the flop
    pot: float = Field(2.0, gt=0)  # bb in the middle where the hand starts from a flop, half of it from each

    @field_validator("bet_sizes", "preflop_raises")
    @classmethod
    def _sizes(cls, sizes: tuple[float, ...] | None) -> tuple[float, ...] | None:
        if sizes and len(sizes) > MAX_SIZES:
            raise InputError(f"{len(sizes)} bet sizes are too many: use at most {MAX_SIZES}")
        for size in sizes or ():
            if not size > 0 or _fraction(size) == 0:
                raise InputError(f"bet size {size:g} is not positive: use a fraction of the pot above 0, as in 0.5")
            if size > LARGEST_SIZE:
                raise InputError(f"bet size {size:g} is too large: use at most {LARGEST_SIZE} times the pot")
        return None if sizes is None else tuple(sorted(set(sizes)))

    @model_validator(mode="after")
    def _playable(self) -> NoLimitHoldem:
        _check_cap("max_raises_per_street", self.max_raises_per_street)
        if self.preflop_raises and min(self.preflop_raises) <= 1:
            raise InputError(
                f"preflop raise {min(self.preflop_raises):g} is not above the bet faced: use a multiple above 1"
            )
        flop = card_text.board(self.board)
        if len(flop) not in (0, 3):
            raise InputError(f"board {self.board!r} has {len(flop)} cards: a hand starts before the flop or on it")
        if flop and self.num_streets < 2:
            raise InputError("num_streets = 1 ends before the flop: use 2 or more with a board")
        stack = _check_stack(self.stack_depth, NO_LIMIT_BLIND)
        if abs(self._half_pot() - self.pot * NO_LIMIT_BLIND / 2) > 1e-6:
            raise InputError(f"pot = {self.pot:g} bb is too fine: use steps of {2 / NO_LIMIT_BLIND:g} bb")
        if flop and self._half_pot() >= stack:
            raise InputError(f"stack_depth = {self.stack_depth:g} is all in the pot of {self.pot:g} bb already")
        return self

    def _half_pot(self) -> int:
        return round(self.pot * NO_LIMIT_BLIND / 2)

    def game(self) -> Holdem:
        """The rules with these settings."""
        flop = tuple(sorted(card_text.board(self.board), reverse=True))
        stack, streets = _check_stack(self.stack_depth, NO_LIMIT_BLIND), self.num_streets - bool(flop)
        caps = (self.max_raises_per_street,) * streets
        if flop:
            rules = Rules(stack, FLOP, self.num_streets - 1, ante=self._half_pot(), min_bet=NO_LIMIT_BLIND, caps=caps)
        else:
            rules = Rules.no_limit(
                stack, NO_LIMIT_BLIND // 2, NO_LIMIT_BLIND, last_street=self.num_streets - 1, caps=caps
            )
        postflop = tuple(Size(_fraction(size) * 100, PERCENT) for size in self.bet_sizes)
        raises = self.preflop_raises
        preflop = postflop if raises is None else tuple(Size(_fraction(size), TIMES) for size in raises)
        name = f"no-limit hold'em{' from ' + card_text.cards_text(flop) if flop else ''}, {self.stack_depth:g} bb"
        return Holdem(
            name, rules, (preflop, postflop, postflop, postflop), True, self.all_in, flop, 5, NO_LIMIT_BLIND, self
        )


HoldemSettings = LimitHoldem | NoLimitHoldem
GAME_TYPES: dict[str, type[LimitHoldem] | type[NoLimitHoldem]] = {
    "hunl_postflop": NoLimitHoldem,
    "limit_holdem": LimitHoldem,
}


def settings_of(game_type: str, data: Mapping[str, Any]) -> HoldemSettings:
    """The settings of a game by the name that configs give it."""
    if game_type not in GAME_TYPES:
        raise InputError(f"unknown game type {game_type!r}: use {' or '.join(GAME_TYPES)}")
    return GAME_TYPES[game_type](**data)


def game_type(settings: HoldemSettings) -> str:
    """The name that configs give a game."""
    return next(name for name, model in GAME_TYPES.items() if isinstance(settings, model))


@dataclass(frozen=True)
class Holdem:
    """A game of hold'em: betting rules, what sizes are offered, and what board is shown."""

    name: str
    rules: Rules
    sizes: tuple[tuple[Size, ...], ...] = ((), (), (), ())  # by street from preflop, smallest first; limit: none
    no_limit: bool = False
    offer_all_in: bool = False
    flop: tuple[int, ...] = ()  # given to start from
    shown: int | None = None  # board cards at showdown; None: those of the last street
    big_blind: int = 1  # chips
    settings: HoldemSettings | None = None
    deck: tuple[int, ...] = FULL_DECK  # cards that are dealt from, ascending

    @property
    def board_cards(self) -> int:
        """Board cards on which hands are shown."""
        return BOARD_CARDS[self.rules.last_street] if self.shown is None else self.shown

    @property
    def size_slots(self) -> int:
        return max(map(len, self.sizes)) if self.no_limit else 1

    @property
    def all_in_slot(self) -> int | None:
        """The slot of an all-in; None in limit games, where it is a bet or raise like others."""
        return FIRST_SIZE + self.size_slots if self.no_limit else None

    @cached_property
    def slot_names(self) -> tuple[str, ...]:
        sizes = (
            tuple(f"bet or raise of size {i + 1}" for i in range(self.size_slots))
            if self.no_limit
            else ("bet or raise",)
        )
        return ("fold", "check or call", *sizes, *(("all-in",) if self.no_limit else ()))

    @cached_property
    def actions_a_street(self) -> int:
        """The most actions that a street can have: a check or limp, every raise, a call."""
        caps = [self.rules.cap(street) for street in range(self.rules.first_street, self.rules.last_street + 1)]
        least = min(self.rules.fixed_bets or (self.rules.min_bet,))
        return max(self.rules.stack // least + 1 if cap is None else cap for cap in caps) + 2

    def menu(self, state: BettingState) -> dict[int, Action]:
        """What the player to act may do, by slot."""
        legal = state.legal()
        if not (legal.check or legal.call):
            return {}
        found = {FOLD_SLOT: Action(FOLD)} if legal.fold else {}
        found[CALL_SLOT] = Action(CALL if legal.call else CHECK)
        if legal.bet_or_raise:
            kind = RAISE if state.facing else BET
            if not self.no_limit:
                found[FIRST_SIZE] = Action(kind, legal.smallest)
            else:
                totals = [min(max(s.total(state), legal.smallest), legal.largest) for s in self.sizes[state.street]]
                for i, total in enumerate(totals):
                    if total < legal.largest and total not in totals[:i]:
                        found[FIRST_SIZE + i] = Action(kind, total)
                if self.offer_all_in or legal.largest in totals:
                    found[FIRST_SIZE + self.size_slots] = Action(kind, legal.largest)
        return {slot: state.verify(action) for slot, action in found.items()}

    def deal(self, cards: str | Sequence[int]) -> HoldemState:
        """The start of a hand with these nine cards: of player 0, of player 1, of the board."""
        from runout.games.holdem_state import new_hand

        return new_hand(self, card_text.cards(cards) if isinstance(cards, str) else [int(c) for c in cards])

    @property
    def first_board(self) -> tuple[int, ...]:
        """Board cards that are there before anybody acts."""
        return self.flop if self.rules.first_street > PREFLOP else ()


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
