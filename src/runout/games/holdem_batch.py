"""Thousands of hands of one hold'em game at once.

batch = HoldemBatch(game, deals)               deals uint8 [n, 9]
while not batch.over.all():
    legal = batch.legal()                      bool [n, slots]
    batch.act(slots)                           one slot a hand, NO_SLOT for hands that are over
batch.returns()                                float64 [n, 2]
"""

from __future__ import annotations

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.evaluator import tables
from runout.errors import InputError
from runout.games.holdem_game import DEAL_CARDS, FULL_DECK, HoldemGame
from runout.games.sizes import TIMES
from runout.kernels import holdem as kernel
from runout.kernels.deals import first_bad
from runout.kernels.holdem import NO_SLOT, Structure

__all__ = ["NO_SLOT", "HoldemBatch", "structure"]


def structure(game: HoldemGame) -> tuple[Structure, np.ndarray]:
    """The rules of a game as the kernels take them: numbers, and a record a street."""
    rules = game.rules
    streets = np.zeros(4, kernel.STREET)
    for street in range(rules.first_street, rules.last_street + 1):
        cap = rules.cap(street)
        fixed = rules.fixed_bet(street) or 0
        record = streets[street]
        record["fixed"], record["cap"] = fixed, game.actions_a_street if cap is None else cap
        menu = game.menu.streets[street]
        record["opener"], record["all_in"], record["limps"] = rules.opener(street), menu.all_in_pots, menu.limps
        for level, offered in enumerate(game.sizes(street)):
            record["sizes"][level] = len(offered)
            for i, size in enumerate(offered):
                value = size.value if size.unit == TIMES else size.value / 100
                unit = kernel.OF_BET if size.unit == TIMES else kernel.OF_POT
                record["size"][level, i] = unit, value.numerator, value.denominator
    numbers = Structure(
        stack=rules.stack,
        pot=rules.pot,
        ante=rules.ante,
        big_blind=rules.blinds[0],
        small_blind=rules.blinds[1],
        min_bet=rules.min_bet,
        first_street=rules.first_street,
        last_street=rules.last_street,
        all_in_slot=NO_SLOT if game.all_in_slot is None else game.all_in_slot,
        slots=len(game.slot_names),
        shown=game.board_cards,
        rake=game.rake.percent / 100,
        most_rake=float("inf") if game.rake.cap is None else game.rake.cap,
    )
    return numbers, streets


class HoldemBatch:
    """Hands of one game side by side; `act` changes them in place."""

    def __init__(self, game: HoldemGame, deals: np.ndarray) -> None:
        self.game = game
        self.rules, self.streets = structure(game)
        self.hands = np.empty(len(deals), kernel.HAND)  # records; hands["street"] is one number per hand
        self.added = np.empty((len(deals), 4, game.actions_a_street), np.int32)
        self.restart(deals)

    def restart(self, deals: np.ndarray) -> None:
        """Begin as many new hands, with these cards."""
        if len(deals) != len(self):
            raise InputError(f"{len(deals)} deals for {len(self)} hands: give one a hand")
        self.cards = _checked(self.game, deals)  # uint8 [n, 9]
        self.added[:] = kernel.NO_ACTION
        kernel.start(self.rules, self.streets, self.hands)

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def over(self) -> np.ndarray:
        """bool [n]."""
        return np.asarray(self.hands["status"] != kernel.BETTING)

    @property
    def player(self) -> np.ndarray:
        """int8 [n]: who is to act, -1 where a hand is over."""
        return self.hands["player"]

    def totals(self) -> np.ndarray:
        """int64 [n, slots]: the player's chips on this street after each slot, -1 where it is illegal."""
        out = np.empty((len(self), self.rules.slots), np.int64)
        kernel.totals(self.rules, self.streets, self.hands, out)
        return out

    def legal(self) -> np.ndarray:
        """bool [n, slots]: what may be played; nothing where a hand is over."""
        return np.asarray(self.totals() != kernel.ILLEGAL)

    def raise_bounds(self) -> np.ndarray:
        """int64 [n, 2]: smallest and largest total of a bet or raise on this street, 0 where none is legal."""
        out = np.empty((len(self), 2), np.int64)
        kernel.bounds(self.rules, self.streets, self.hands, out)
        return out

    def act(self, slots: np.ndarray, amounts: np.ndarray | None = None) -> None:
        """Play slots int [n]; NO_SLOT leaves a hand as it is. An illegal one is refused before anything is played.

        With amounts int [n], slot 2 is a bet or raise to that total, any that the rules allow.
        """
        slots = self._column(slots)
        totals = np.zeros(len(self), np.int64) if amounts is None else self._column(amounts)
        bad = kernel.advance(self.rules, self.streets, self.hands, self.added, slots, totals)
        if bad >= 0:
            offered = np.flatnonzero(self.legal()[bad]).tolist()
            what = f"use {', '.join(map(str, offered))}" if offered else "the hand is over"
            raise InputError(f"slot {slots[bad]} is illegal in hand {bad}: {what}")

    def act_at_random(self, generator: np.ndarray) -> int:
        """One uniformly random legal slot in every hand that is not over; generator uint64 [1]. How many acted."""
        return int(kernel.advance_at_random(self.rules, self.streets, self.hands, self.added, generator))

    def play_out_at_random(self, generator: np.ndarray) -> int:
        """`act_at_random` until every hand is over; how many actions that took."""
        return int(kernel.play_out_at_random(self.rules, self.streets, self.hands, self.added, generator))

    def returns(self) -> np.ndarray:
        """float64 [n, 2]: chips won by each player; 0 where a hand is not over."""
        out = np.empty((len(self), 2))
        kernel.payoffs(self.rules, self.hands, self.cards, tables(), out)
        return out

    def take(self, rows: np.ndarray) -> HoldemBatch:
        """A new batch of these rows, in this order, repeated where they are."""
        fresh = HoldemBatch.__new__(HoldemBatch)
        fresh.game, fresh.rules, fresh.streets = self.game, self.rules, self.streets
        fresh.cards, fresh.hands, fresh.added = self.cards[rows], self.hands[rows], self.added[rows]
        return fresh

    def _column(self, values: np.ndarray) -> np.ndarray:
        column = np.ascontiguousarray(values, np.int64)
        if column.shape != (len(self),):
            raise InputError(f"actions of shape {column.shape} for {len(self)} hands: give one a hand")
        return column


def _checked(game: HoldemGame, deals: np.ndarray) -> np.ndarray:
    deals = np.ascontiguousarray(deals, np.uint8)
    if deals.ndim != 2 or deals.shape[1] != DEAL_CARDS:
        raise InputError(f"deals of shape {deals.shape}: use rows of {DEAL_CARDS} cards")
    bad = first_bad(deals, np.array(game.board, np.uint8))
    if bad >= 0:
        flop = f", with the flop {cards_text(game.board)}" if game.board else ""
        raise InputError(f"deal {bad} ({deals[bad].tolist()}) is none of this game: use nine different cards{flop}")
    if len(game.deck) < len(FULL_DECK) and not (held := np.isin(deals, game.deck)).all():
        other = cards_text([int(deals[~held][0])])
        last = cards_text(game.deck[-1:])
        raise InputError(f"the deck of {game.name} does not have {other}: its cards go up to {last}")
    return deals
