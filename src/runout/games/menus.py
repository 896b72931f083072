"""What players may do in a game of hold'em: fold, call and check always, bets and raises by sizes, by lines, or both.

A menu is asked at a betting state: `menu(state)` lists the actions, the passive ones first, then bets or raises, the
smallest first. Lines add the bets and raises that they make, or take the last action of a line (and with it everything
below) out of the tree. They are looked up by what was played, so they also hold where a tree begins in mid-hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import BeforeValidator

from runout.errors import InputError
from runout.games.betting import (
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    FOLD,
    OOP,
    PREFLOP,
    RAISE,
    STREET_OVER,
    Action,
    BettingState,
)
from runout.games.lines import ANY_CARD, Word, Wording
from runout.games.sizes import Size, Thresholds, bets_and_raises

LineList = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]
Sizes = tuple[Size, ...]
AS_THEY_ARE = Thresholds()
BETS, DONKS, RAISES, ISOS = "bet", "donk", "raise", "iso"  # the lists of a street
AtNodes = dict[tuple[Action, ...], frozenset[Action]]  # by everything that was played before


@dataclass(frozen=True)
class StreetMenu:
    """The bets and raises of one street; pairs are by player."""

    bet: tuple[Sizes, Sizes] = ((), ())  # first bet of the street
    raises: tuple[tuple[Sizes, ...], tuple[Sizes, ...]] = (((),), ((),))  # by number of the raise; the last holds on
    donk: Sizes | None = None  # player 0 bets into the player who bet the street before; None: as `bet`
    thresholds: Thresholds = AS_THEY_ARE
    all_in: bool = False  # offered wherever a bet or raise is legal
    limps: bool = True  # whether the first player may just call the blind
    iso: Sizes | None = None  # raises over a limp; None: as the first raise

    @classmethod
    def of(cls, bets: Sequence[Size], raises: Sequence[Sequence[Size]], all_in_pots: float) -> StreetMenu:
        """For both players alike; raises: one list for each raise, the last holds on. `all_in_pots`: see there."""
        by_number = tuple(tuple(sizes) for sizes in raises)
        thresholds = Thresholds(add_all_in=max(all_in_pots, 0.0)) if all_in_pots < float("inf") else AS_THEY_ARE
        return cls(
            (tuple(bets),) * 2, (by_number,) * 2, thresholds=thresholds, all_in=all_in_pots == float("inf")
        )  # fmt: skip

    @property
    def all_in_pots(self) -> float:
        """An all-in is offered where it is at most this many pots; infinity: everywhere, -1: by sizes alone."""
        return float("inf") if self.all_in else self.thresholds.add_all_in or -1.0

    def part(self, state: BettingState) -> tuple[str, int]:
        """The list of sizes that the player to act chooses from: BETS, DONKS, ISOS, or RAISES with its number."""
        if state.facing:
            if self.iso is not None and state.street == PREFLOP and state.raises == 0 and state.acted:
                return ISOS, 0
            number = state.raises - (state.street != PREFLOP)  # after the flop, the first bet is no raise
            return RAISES, min(number, len(self.raises[state.player]) - 1)
        donk = state.player == OOP and state.acted == 0 and state.last_caller == OOP
        return (DONKS if donk and self.donk is not None else BETS), 0

    def sizes(self, state: BettingState) -> Sizes:
        """The sizes of the player to act."""
        kind, number = self.part(state)
        if kind == RAISES:
            return self.raises[state.player][number]
        return {BETS: self.bet[state.player], DONKS: self.donk, ISOS: self.iso}[kind] or ()


NO_BETS = StreetMenu()
FIXED = StreetMenu(all_in=True)  # limit games: the one legal bet or raise is also the largest


@dataclass(frozen=True)
class Menu:
    """The actions that a game offers, by street from preflop."""

    streets: tuple[StreetMenu, StreetMenu, StreetMenu, StreetMenu]
    added: AtNodes = field(default_factory=dict, hash=False)
    removed: AtNodes = field(default_factory=dict, hash=False)

    @property
    def forgetful(self) -> bool:
        """True if what may be done depends on the bets alone, and not on the line that led there."""
        return not self.added and not self.removed

    def __call__(self, state: BettingState) -> list[Action]:
        """What the player to act may do, in normal form; nothing where nobody is."""
        if state.status != BETTING:
            return []
        street = self.streets[state.street]
        if not state.to_call:
            passive = [Action(CHECK)]
        elif street.limps or state.acted or state.street != PREFLOP:
            passive = [Action(FOLD), Action(CALL)]
        else:
            passive = [Action(FOLD)]
        larger = bets_and_raises(state, street.sizes(state), street.thresholds, street.all_in)
        if self.added or self.removed:
            offered = self.added.get(state.played, frozenset()).union(larger)
            larger = sorted(offered - self.removed.get(state.played, frozenset()), key=lambda action: action.amount)
        return [state.verify(action) for action in passive] + larger

    def with_lines(
        self, start: BettingState, wording: Wording, lines: Iterable[str] = (), removed: Iterable[str] = ()
    ) -> Menu:
        """The menu with the bets and raises of `lines`, and without the last action of each of `removed`."""
        added: dict[tuple[Action, ...], set[Action]] = {}
        for line in lines:
            for state, action in _steps(start, wording, line, "lines", self):
                if action.kind in (BET, RAISE, ALL_IN):
                    added.setdefault(state.played, set()).add(action)
        grown = replace(self, added=_frozen(added))
        gone: dict[tuple[Action, ...], set[Action]] = {}
        for line in removed:
            steps = list(_steps(start, wording, line, "remove_lines", grown, offered=True))
            if not steps or steps[-1][1].kind not in (BET, RAISE, ALL_IN):
                raise InputError(f"remove_lines: {line!r} ends with no bet or raise: folds, calls and checks stay")
            gone.setdefault(steps[-1][0].played, set()).add(steps[-1][1])
        return replace(grown, removed=_frozen(gone))


def _frozen(found: dict[tuple[Action, ...], set[Action]]) -> AtNodes:
    return {played: frozenset(actions) for played, actions in found.items()}


def _steps(
    start: BettingState,
    wording: Wording,
    line: str,
    what: str,
    menu: Callable[[BettingState], list[Action]],
    offered: bool = False,
) -> Iterator[tuple[BettingState, Action]]:
    """Every decision of a line with what is done there: anything legal, or only what the menu has (`offered`)."""
    try:
        found = wording.read(line)
        if any(cards != ANY_CARD for cards in found.cards):
            raise InputError(f"betting is the same on all cards: write '{ANY_CARD}' for {', '.join(found.cards)}")
        state = start
        for number, words in enumerate(found.streets):
            if number:
                if state.status != STREET_OVER:
                    raise InputError("cards come before the betting of a street is over")
                state = state.next_street()
            for word in words:
                action = None if offered else _legal(state, word)
                if action is None:
                    here = menu(state)
                    action = here[wording.choose(state, here, word)]
                yield state, action
                state = state.act(action)
    except InputError as error:
        raise InputError(f"{what}: line {line!r}: {error}") from None


def _legal(state: BettingState, word: Word) -> Action | None:
    """The bet or raise that a word means, whatever its size; None where it is none or is not legal."""
    if state.status != BETTING or word.player not in (None, state.player) or word.kind not in (BET, RAISE, ALL_IN):
        return None
    if word.amount is None and word.kind != ALL_IN:
        return None
    kind = word.kind if word.kind == ALL_IN else RAISE if state.facing else BET
    wanted = Action(kind, word.amount or 0)
    return state.verify(wanted) if state.can(wanted) else None
