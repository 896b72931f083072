"""Heads-up hold'em betting: the one place where chips are counted and the one owner of what is legal.

    state = start(Rules.no_limit(stack=20000, small_blind=50, big_blind=100))
    state = state.act(Action(RAISE, 250)).act(Action(CALL)).next_street()

`state.verify(action)` raises the reason why an action is illegal and gives it back in its normal form; `can` asks the
same question; `act` plays it. Chips are whole numbers. An amount is the player's total on this street after the action.

Seats are in postflop order: player 0 is out of position (the big blind), player 1 in position (button, small blind).
Both begin with the same stack: what the deeper one has beyond that can never be played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from runout.errors import InputError

OOP, IP = 0, 1
NOBODY = -1

PREFLOP, FLOP, TURN, RIVER = range(4)
STREET_NAMES = ("preflop", "flop", "turn", "river")

# What an action is. ALL_IN is a bet or raise of all chips; a call is CALL even where it takes the last chip.
FOLD, CHECK, CALL, BET, RAISE, ALL_IN = range(6)
ACTION_NAMES = ("fold", "check", "call", "bet", "raise", "all-in")

# Where a hand stands.
BETTING = 0  # somebody is to act
STREET_OVER = 1  # betting on this street is closed and both have chips left: `next_street` continues
FOLDED = 2  # somebody folded
CLOSED = 3  # no more betting, both still in: hands are shown; before the last street both are all-in


class Action(NamedTuple):
    """A kind and, for bets and raises, the player's total on this street after it."""

    kind: int
    amount: int = 0


class Trail(NamedTuple):
    """What was played, shared by all lines that begin alike: a tree of states takes one of these a state."""

    action: Action
    before: Trail | None


class Legal(NamedTuple):
    """What the player to act may do; `smallest` and `largest` are totals on this street, 0 where no raise is legal."""

    fold: bool
    check: bool
    call: bool
    smallest: int
    largest: int

    @property
    def bet_or_raise(self) -> bool:
        return self.largest > 0


@dataclass(frozen=True)
class Rules:
    """A betting structure as data. Tuples by street are indexed from the first street played."""

    stack: int  # chips of each player before blinds and antes
    first_street: int = PREFLOP
    last_street: int = RIVER
    pot: int = 0  # chips in the middle before anybody acts, blinds and antes not included
    blinds: tuple[int, int] = (0, 0)  # of player 0 (big) and player 1 (small)
    ante: int = 0  # of each player, on top of the blinds
    min_bet: int = 1  # no-limit: the smallest bet, and the smallest raise before anybody has bet
    fixed_bets: tuple[int, ...] | None = None  # limit: the bet of each street; None is no-limit
    caps: tuple[int | None, ...] | None = None  # bets and raises per street, blinds not counted; None is no cap
    first_to_act: tuple[int, ...] | None = None  # None: the button before the flop, the other player after it

    def __post_init__(self) -> None:
        if not PREFLOP <= self.first_street <= self.last_street <= RIVER:
            raise InputError("streets must run forwards, from preflop at the earliest to the river at the latest")
        posted = self.ante + max(self.blinds)
        if self.stack <= 0 or self.stack < posted:
            raise InputError(f"a stack of {self.stack} is too short: blinds and ante alone take {max(posted, 1)}")
        if min(self.blinds) < 0 or self.ante < 0 or self.pot < 0 or self.min_bet < 1:
            raise InputError("blinds, ante and pot may not be negative and the smallest bet is at least 1 chip")
        for name in ("fixed_bets", "caps", "first_to_act"):
            values = getattr(self, name)
            if values is not None and len(values) != self.streets:
                raise InputError(f"{name} has {len(values)} entries for {self.streets} streets: give one a street")
        if self.fixed_bets and min(self.fixed_bets) < 1:
            raise InputError(f"a limit bet of {min(self.fixed_bets)} is too small: bets are at least 1 chip")
        for cap in self.caps or ():
            if cap is not None and cap < 0:
                raise InputError(f"a raise cap of {cap} is below zero: use 0 or more, or none")

    @classmethod
    def no_limit(cls, stack: int, small_blind: int, big_blind: int, **more: object) -> Rules:
        """No-limit hold'em from the blinds on; `more` are further fields."""
        return cls(stack=stack, blinds=(big_blind, small_blind), min_bet=big_blind, **more)  # type: ignore[arg-type]

    @classmethod
    def limit(cls, stack: int, blinds: tuple[int, int], bets: tuple[int, ...], caps: tuple[int | None, ...]) -> Rules:
        """Limit hold'em with as many streets as there are `bets`; `blinds` are big, small."""
        return cls(stack=stack, blinds=blinds, fixed_bets=bets, caps=caps, last_street=len(bets) - 1)

    @classmethod
    def postflop(cls, pot: int, stack: int, street: int, cap: int | None = None) -> Rules:
        """No-limit from a postflop pot to the river; any bet of at least 1 chip is legal."""
        return cls(stack=stack, pot=pot, first_street=street, caps=(cap,) * (RIVER - street + 1))

    @property
    def streets(self) -> int:
        """How many streets are bet on."""
        return self.last_street - self.first_street + 1

    def cap(self, street: int) -> int | None:
        return self.caps[street - self.first_street] if self.caps else None

    def fixed_bet(self, street: int) -> int | None:
        return self.fixed_bets[street - self.first_street] if self.fixed_bets else None

    def opener(self, street: int) -> int:
        """Who acts first on a street."""
        if self.first_to_act:
            return self.first_to_act[street - self.first_street]
        return IP if street == PREFLOP else OOP


@dataclass(frozen=True, slots=True)
class BettingState:
    """Where the betting of one hand stands; immutable."""

    rules: Rules
    street: int
    status: int  # BETTING, STREET_OVER, FOLDED or CLOSED
    player: int  # who is to act, or NOBODY
    spent: tuple[int, int]  # chips each put in over the hand, blinds and antes included
    bets: tuple[int, int]  # chips each put in on this street
    raises: int  # bets and raises on this street, blinds not counted
    last_raise: int  # what a full raise must at least add to the bet
    acted: int  # actions on this street
    folder: int = NOBODY
    last_caller: int = NOBODY  # who called last on the street before; NOBODY where it was checked through
    trail: Trail | None = field(default=None, compare=False, repr=False)  # the last action, and what was before it

    @property
    def played(self) -> tuple[Action, ...]:
        """Every action so far, in normal form."""
        found, at = [], self.trail
        while at is not None:
            found.append(at.action)
            at = at.before
        return tuple(reversed(found))

    @property
    def pot(self) -> int:
        """All chips in the middle, bets of this street included."""
        return self.rules.pot + self.spent[0] + self.spent[1]

    @property
    def over(self) -> bool:
        return self.status in (FOLDED, CLOSED)

    @property
    def all_in(self) -> bool:
        """Betting ended because both have all their chips in."""
        return self.status == CLOSED and self.behind(0) == 0

    @property
    def facing(self) -> int:
        """The larger of the two bets on this street."""
        return max(self.bets)

    @property
    def to_call(self) -> int:
        """Chips that the player to act must add to call."""
        return self.facing - self.bets[self.player]

    def behind(self, player: int) -> int:
        """Chips that a player has left."""
        return self.rules.stack - self.spent[player]

    def legal(self) -> Legal:
        """Everything that the player to act may do."""
        if self.status != BETTING:
            return Legal(False, False, False, 0, 0)
        owed = self.to_call > 0
        smallest, largest = self._raise_bounds()
        return Legal(owed, not owed, owed, smallest, largest)

    def _raise_bounds(self) -> tuple[int, int]:
        """Totals on this street; (0, 0) where no bet or raise is legal."""
        facing = self.facing
        all_in = self.bets[self.player] + self.behind(self.player)
        cap = self.rules.cap(self.street)
        if all_in <= facing or (cap is not None and self.raises >= cap):
            return 0, 0
        fixed = self.rules.fixed_bet(self.street)
        if fixed is not None:
            only = min(facing + fixed, all_in)
            return only, only
        return min(facing + self.last_raise, all_in), all_in

    def verify(self, action: Action) -> Action:
        """The action in its normal form, amount filled in, ALL_IN for all chips; InputError says why it is illegal."""
        if self.status != BETTING:
            why = "the street is over: deal the next one" if self.status == STREET_OVER else "the hand is over"
            raise InputError(f"nobody can act: {why}")
        kind, facing, own = action.kind, self.facing, self.bets[self.player]
        if kind == FOLD:
            if facing == own:
                raise InputError("cannot fold: there is no bet to fold to; check instead")
            return Action(FOLD, own)
        if kind == CHECK:
            if facing > own:
                raise InputError(f"cannot check: there are {facing - own} chips to call")
            return Action(CHECK, own)
        if kind == CALL:
            if facing == own:
                raise InputError("cannot call: there is no bet; check instead")
            return Action(CALL, facing)
        return self._verify_raise(kind, action.amount)

    def _verify_raise(self, kind: int, amount: int) -> Action:
        word = "bet" if self.facing == 0 else "raise"
        if kind == BET and self.facing:
            raise InputError(f"cannot bet: there is a bet of {self.facing} already; raise instead")
        if kind == RAISE and not self.facing:
            raise InputError("cannot raise: there is no bet yet; bet instead")
        smallest, largest = self._raise_bounds()
        if not largest:
            if self.behind(self.player) <= self.to_call:
                whose = "the opponent is all-in" if self.to_call else "there are no chips left"
                raise InputError(f"cannot {word}: {whose}")
            cap = self.rules.cap(self.street)
            raise InputError(f"cannot {word}: {cap} bets and raises are the most on this street")
        all_in = self.bets[self.player] + self.behind(self.player)
        if kind == ALL_IN:
            amount = all_in
        if not smallest <= amount <= largest:
            to = "" if word == "bet" else "to "
            bounds = f"use {smallest} to {largest}" if smallest < largest else f"only {smallest} is legal"
            raise InputError(f"cannot {word} {to}{amount}: {bounds}")
        if amount == all_in:
            return Action(ALL_IN, amount)
        return Action(BET if self.facing == 0 else RAISE, amount)

    def can(self, action: Action) -> bool:
        """Whether the player to act may do this."""
        try:
            self.verify(action)
        except InputError:
            return False
        return True

    def act(self, action: Action) -> BettingState:
        """The state after the player to act does this; InputError says why it is illegal."""
        return self.play(self.verify(action))

    def play(self, action: Action) -> BettingState:
        """`act` for an action in its normal form that is known to be legal, as those of a menu are."""
        kind, amount = action
        player, other = self.player, 1 - self.player
        added = amount - self.bets[player]
        spent, bets = _with(self.spent, player, self.spent[player] + added), _with(self.bets, player, amount)
        raises, last_raise, status, folder = self.raises, self.last_raise, BETTING, NOBODY
        if kind == FOLD:
            status, folder = FOLDED, player
        elif kind in (CHECK, CALL):
            if spent[player] == self.rules.stack:
                status = CLOSED
            elif self.acted:  # the first check or limp leaves the opponent the option
                status = CLOSED if self.street == self.rules.last_street else STREET_OVER
        else:
            raises += 1
            last_raise = max(last_raise, amount - self.facing)
        caller = player if kind == CALL and status != BETTING else NOBODY
        return BettingState(
            rules=self.rules,
            street=self.street,
            status=status,
            player=other if status == BETTING else NOBODY,
            spent=spent,
            bets=bets,
            raises=raises,
            last_raise=last_raise,
            acted=self.acted + 1,
            folder=folder,
            last_caller=self.last_caller if status == BETTING else caller,
            trail=Trail(action, self.trail),
        )

    def next_street(self) -> BettingState:
        """The state at the start of the next street, once betting on this one is closed."""
        if self.status != STREET_OVER:
            raise InputError("the street is not over: there is nothing to deal yet")
        street = self.street + 1
        return BettingState(
            rules=self.rules,
            street=street,
            status=BETTING,
            player=self.rules.opener(street),
            spent=self.spent,
            bets=(0, 0),
            raises=0,
            last_raise=self.rules.min_bet,
            acted=0,
            last_caller=self.last_caller,
            trail=self.trail,
        )

    def returns(self, winner: int = NOBODY, rake: Callable[[float], float] = lambda pot: 0.0) -> tuple[float, float]:
        """What each player wins less what each put in; `winner` is who shows the better hand, NOBODY for a tie.

        rake: what is taken from a pot, of which an uncalled bet is no part.
        """
        if not self.over:
            raise InputError("the hand is not over: nobody has won anything yet")
        if self.status == FOLDED:
            winner = 1 - self.folder
        share = (0.5, 0.5) if winner == NOBODY else (1.0 - winner, float(winner))
        # An uncalled bet comes back by itself: the winner of the whole pot gets the own chips back too.
        pot = self.pot - rake(self.rules.pot + 2 * min(self.spent))
        return pot * share[0] - self.spent[0], pot * share[1] - self.spent[1]


def start(rules: Rules) -> BettingState:
    """The state before the first action, blinds and antes posted."""
    return BettingState(
        rules=rules,
        street=rules.first_street,
        status=BETTING,
        player=rules.opener(rules.first_street),
        spent=(rules.ante + rules.blinds[0], rules.ante + rules.blinds[1]),
        bets=rules.blinds,
        raises=0,
        last_raise=rules.min_bet,
        acted=0,
    )


Offered = Callable[[BettingState], Sequence[Action]]  # what a game lets the player to act do


def _with(pair: tuple[int, int], index: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if index == 0 else (pair[0], value)
