"""A hand at the table against the bot: what was dealt and done, and its record for files.

Chips are hundredths of a big blind. Seats are those of `games.betting`: 0 the big blind, 1 the button.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from runout.cards.evaluator import strength
from runout.games.betting import (
    ALL_IN,
    BET,
    CALL,
    CHECK,
    CLOSED,
    FOLD,
    NOBODY,
    RAISE,
    Action,
    BettingState,
    start,
)
from runout.games.points import BOARD_CARDS
from runout.hands.phh import phh_text
from runout.hands.pokerstars_writer import pokerstars_text
from runout.hands.record import Move, PlayedHand, Seat
from runout.run.table_view import TableMove
from runout.solvers.bot import next_state

BLIND = 100  # chips of the big blind
NAMES = ("You", "Runout")
YOU, THEM = 0, 1
_FIRST_ID = 10**12


@dataclass
class TableHand:
    """A hand that is being played, or is over."""

    number: int
    cards: list[int]  # nine, by seat of the betting engine
    seat: int  # yours
    state: BettingState
    bankroll: tuple[float, float]  # bb of you and of the bot before it
    history: list[TableMove] = field(default_factory=list)
    stakes: list[float] = field(default_factory=list)  # bb that could be won when each street came
    thought: str = ""

    @property
    def board(self) -> list[int]:
        """Open cards."""
        return self.cards[4:9] if self.state.status == CLOSED else self.cards[4 : 4 + BOARD_CARDS[self.state.street]]

    def strength(self, seat: int) -> int:
        """Of a seat's hand at showdown; the higher wins."""
        return strength([*self.cards[2 * seat : 2 * seat + 2], *self.cards[4:9]])

    @property
    def winner(self) -> int:
        """The seat that wins; NOBODY where the pot is split."""
        if self.state.status != CLOSED:
            return 1 - self.state.folder
        first, second = self.strength(0), self.strength(1)
        return NOBODY if first == second else int(second > first)

    @property
    def won(self) -> float:
        """bb that you won."""
        return self.state.returns(self.winner)[self.seat] / BLIND

    def record(self, began: datetime) -> PlayedHand:
        """The hand that is over, as a record; a big blind is 1.00."""
        state, pot, winner = self.state, 2 * min(self.state.spent), self.winner
        closed = state.status == CLOSED
        seats = []
        for seat in range(2):
            who = YOU if seat == self.seat else THEM
            seats.append(
                Seat(
                    name=NAMES[who],
                    stack=round(self.bankroll[who] * BLIND),
                    number=who + 1,
                    cards=tuple(self.cards[2 * seat : 2 * seat + 2]),
                    blind=state.rules.blinds[seat],
                    showed=closed,
                )
            )
        return PlayedHand(
            id=str(_FIRST_ID + int(began.timestamp()) % 10**9 * 1000 + self.number),
            seats=tuple(seats),
            small_blind=BLIND // 2,
            big_blind=BLIND,
            moves=tuple(self._moves()),
            boards=(tuple(self.board),),
            collected=tuple(pot // 2 if winner == NOBODY else pot * (winner == seat) for seat in range(2)),
            rake=0,
            pot=pot,
            decimals=2,
            currency="$",
            site="Runout",
            table="Runout play",
            hero=self.seat,
            time=datetime.now().replace(microsecond=0),
            number=self.number,
        )

    def _moves(self) -> list[Move]:
        here, moves = start(self.state.rules), []
        for action in self.state.played:
            kind = action.kind
            if kind == ALL_IN:
                kind = RAISE if here.facing else BET
            moves.append(Move(here.player, here.street, kind, action.amount))
            here = next_state(here, action)
        return moves


def add_to_files(record: PlayedHand, phh: Path, text: Path) -> None:
    """Save a hand at the end of both files, which are made where they are not there."""
    phh.parent.mkdir(parents=True, exist_ok=True)
    with phh.open("a", encoding="utf-8") as file:
        file.write(phh_text(record, header=True) + "\n")
    with text.open("a", encoding="utf-8") as file:
        file.write(pokerstars_text(record) + "\n\n")


def action_words(state: BettingState, action: Action) -> str:
    """'fold', 'call 2', 'raise to 7.5', 'all-in 100', in big blinds."""
    blind = state.rules.blinds[0]
    if action.kind in (FOLD, CHECK):
        return "fold" if action.kind == FOLD else "check"
    if action.kind == CALL:
        return f"call {state.to_call / blind:g}"
    if action.amount == state.bets[state.player] + state.behind(state.player):
        return f"all-in {action.amount / blind:g}"
    return f"{'raise to' if state.facing else 'bet'} {action.amount / blind:g}"
