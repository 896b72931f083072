"""Chips of a table with any number of players: what readers keep count with, and how pots are split.

`games.betting` owns the betting of two players. What it cannot say is told here: the streets on which more than two
are in a hand, and side pots.
"""

from __future__ import annotations

from collections.abc import Sequence

from runout.games.betting import BET, CALL, CHECK, FOLD, PREFLOP, RAISE
from runout.hands.record import HandError, Move, Seat


class Ring:
    """Who has what in front on this street, who is in, and whose turn it is."""

    def __init__(self, seats: Sequence[Seat], big_blind: int) -> None:
        self.seats, self.big_blind, self.street = seats, big_blind, PREFLOP
        count = len(seats)
        self.dead = [seat.ante + seat.dead for seat in seats]
        self.bets = [seat.blind for seat in seats]  # of this street
        self.spent = [dead + bet for dead, bet in zip(self.dead, self.bets, strict=True)]  # over the hand
        self.folded = [False] * count
        self.last_raise, self.acted = big_blind, [False] * count
        self._back = (0, 0)  # uncalled on a street before: nobody bets after that
        big = 1 if self.bets[0] < big_blind and self.bets[1] else 0  # the small blind may be missing
        self.turn = count - 1 if count == 2 else (big + 1) % count

    def behind(self, seat: int) -> int:
        return self.seats[seat].stack - self.spent[seat]

    @property
    def facing(self) -> int:
        """The bet to call; before the flop at least the big blind, also where it was posted short."""
        most = max(self.bets)
        return max(most, self.big_blind) if self.street == PREFLOP and any(seat.blind for seat in self.seats) else most

    @property
    def pot(self) -> int:
        return sum(self.spent)

    @property
    def live(self) -> list[int]:
        return [seat for seat, folded in enumerate(self.folded) if not folded]

    def to_act(self) -> int | None:
        """Whose turn it is; None where betting on the street is over."""
        live, count = self.live, len(self.seats)
        if len(live) < 2:
            return None
        most = max(self.bets)
        for step in range(count):
            seat = (self.turn + step) % count
            if self.folded[seat] or not self.behind(seat):
                continue
            others = any(self.behind(other) for other in live if other != seat)
            if self.bets[seat] < most or (not self.acted[seat] and others):
                return seat
        return None

    def call_total(self, seat: int) -> int:
        """A seat's chips on this street after a call."""
        return min(self.facing, self.bets[seat] + self.behind(seat))

    def move(self, seat: int, kind: int, amount: int, line: int = 0, check: bool = True) -> Move:
        """Play a move and give it back; HandError says why it is not possible. Readers keep count without `check`."""
        if check:
            self._verify(seat, kind, amount, line)
        if kind == FOLD:
            self.folded[seat] = True
        elif kind != CHECK:
            if amount - self.bets[seat] > self.behind(seat):
                left = self.behind(seat)
                raise HandError(f"seat {seat + 1} puts in {amount - self.bets[seat]} with {left} left", line)
            self.last_raise = max(self.last_raise, amount - self.facing)
            self.spent[seat] += amount - self.bets[seat]
            self.bets[seat] = amount
        self.acted[seat] = True
        self.turn = (seat + 1) % len(self.seats)
        return Move(seat, self.street, kind, self.bets[seat], line)

    def _verify(self, seat: int, kind: int, amount: int, line: int) -> None:
        turn = self.to_act()
        if turn is None:
            raise HandError(f"seat {seat + 1} acts and betting on the street is over", line)
        if turn != seat:
            raise HandError(f"seat {seat + 1} acts out of turn: seat {turn + 1} is to act", line)
        owed, all_in = self.facing - self.bets[seat], self.bets[seat] + self.behind(seat)
        if kind == CHECK and owed:
            raise HandError(f"cannot check: there are {owed} chips to call", line)
        if kind == FOLD and not owed:
            raise HandError("cannot fold: there is no bet to fold to", line)
        if kind == CALL and (not owed or amount != self.call_total(seat)):
            raise HandError(f"cannot call to {amount}: a call is to {self.call_total(seat)}", line)
        if kind in (BET, RAISE):
            least = min(self.facing + self.last_raise, all_in)
            if not least <= amount <= all_in:
                raise HandError(f"cannot raise to {amount}: use {least} to {all_in}", line)

    def next_street(self, street: int) -> None:
        self._back = self.uncalled()
        self.street, self.turn, self.last_raise = street, 0, self.big_blind
        self.bets, self.acted = [0] * len(self.seats), [False] * len(self.seats)

    def uncalled(self) -> tuple[int, int]:
        """A seat and the chips of its last bet that nobody called; (0, 0) where there are none."""
        most = max(self.bets)
        seat = self.bets.index(most)
        second = max(bet for other, bet in enumerate(self.bets) if other != seat)
        return (seat, most - second) if most > second else self._back


def split(chips: Sequence[int], dead: int, live: Sequence[int], strengths: Sequence[int]) -> list[int]:
    """What each seat takes: `chips` that each bet, nothing uncalled, and `dead` chips, which are part of the main pot.

    `strengths` are of those in `live`, in their order. A chip that cannot be halved goes to the first after the button.
    """
    taken, floor = [0] * len(chips), 0
    for level in sorted({chips[seat] for seat in live}):
        pot = sum(min(bet, level) - min(bet, floor) for bet in chips) + dead
        inside = [(strength, seat) for seat, strength in zip(live, strengths, strict=True) if chips[seat] >= level]
        best = max(strength for strength, _ in inside)
        winners = [seat for strength, seat in inside if strength == best]
        for place, seat in enumerate(winners):
            taken[seat] += pot // len(winners) + (place < pot % len(winners))
        floor, dead = level, 0
    return taken
