"""Hands as PokerStars' text: what trackers and other readers of hand histories import."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from runout.cards.cards import card_name, cards_text
from runout.cards.evaluator import name as strength_name
from runout.cards.evaluator import strength
from runout.games.betting import BET, CALL, CHECK, FOLD, PREFLOP, RIVER, STREET_NAMES
from runout.games.points import BOARD_CARDS
from runout.hands.record import HandError, Move, PlayedHand
from runout.hands.replay import Replay, replay
from runout.hands.ring import Ring

_NO_TIME = datetime(2000, 1, 1)
_NAMES = {"$": " USD", "€": " EUR", "£": " GBP"}


def pokerstars_text(hand: PlayedHand, again: Replay | None = None) -> str:
    """A hand as PokerStars writes it; `again` is its replay, where that is at hand."""
    return "\n".join(_Writing(hand, again or replay(hand)).lines()) + "\n"


class _Writing:
    """One hand on its way to text."""

    def __init__(self, hand: PlayedHand, again: Replay) -> None:
        if len(hand.boards) > 1:
            raise HandError("a hand that was run more than once is not written", hand.line)
        if not all(seat.known for seat in hand.seats):
            raise HandError("a hand with stacks that are not known is not written", hand.line)
        self.hand, self.again = hand, again
        self.names = [seat.name for seat in hand.seats]
        folded = {move.seat: move.street for move in hand.moves if move.kind == FOLD}
        self.folded_on = [folded.get(seat) for seat in range(hand.players)]
        self.shown = len(again.live) > 1

    def money(self, chips: int) -> str:
        """Cents in full wherever a hand has any."""
        text = self.hand.text(chips)
        if self.hand.decimals == 2 and "." not in text:
            text += ".00" if self.hand.currency else ""
        return self.hand.currency + text

    def lines(self) -> Iterator[str]:
        yield from self.heading()
        yield "*** HOLE CARDS ***"
        hero = self.hand.hero
        if hero is not None and self.hand.seats[hero].cards:
            yield f"Dealt to {self.names[hero]} [{cards_text(self.hand.seats[hero].cards)}]"
        yield from self.played()
        yield from self.ending()
        yield from self.summary()

    def heading(self) -> Iterator[str]:
        hand, money = self.hand, self.money
        at = (hand.time or _NO_TIME).strftime("%Y/%m/%d %H:%M:%S") + " ET"
        stakes = f"({money(hand.small_blind)}/{money(hand.big_blind)}{_NAMES.get(hand.currency, '')})"
        game = "Hold'em No Limit"
        if hand.tournament:
            game = f"Tournament #{hand.tournament}, Freeroll  {game} - Level I"
        number = hand.id if hand.id.isascii() and hand.id.isdigit() else str(hand.number or 1)
        yield f"PokerStars Hand #{number}: {game} {stakes} - {at}"
        most = max(hand.players, *(seat.number for seat in hand.seats))
        size = next((size for size in (2, 6, 9) if size >= most), 10)
        yield f"Table '{hand.table or 'Runout'}' {size}-max Seat #{hand.seats[-1].number} is the button"
        for seat in sorted(hand.seats, key=lambda one: one.number):
            yield f"Seat {seat.number}: {seat.name} ({money(seat.stack)} in chips)"
        for i, seat in enumerate(hand.seats):
            if seat.ante:
                yield f"{seat.name}: posts the ante {money(seat.ante)}{self.all_in(i, seat.ante)}"
        order = reversed(range(2)) if hand.players == 2 else range(hand.players)
        for i in order:
            seat = hand.seats[i]
            posted = seat.blind + seat.dead
            if posted:
                what = "small & big blinds" if seat.dead else "small blind" if self.is_small(i) else "big blind"
                yield f"{seat.name}: posts {what} {money(posted)}{self.all_in(i, seat.ante + posted)}"

    def is_small(self, seat: int) -> bool:
        if self.hand.players == 2:
            return seat == 1
        return seat == 0 and self.hand.seats[0].blind < self.hand.big_blind and self.hand.seats[1].blind > 0

    def all_in(self, seat: int, spent: int) -> str:
        return " and is all-in" if spent == self.hand.seats[seat].stack else ""

    def played(self) -> Iterator[str]:
        hand, street = self.hand, PREFLOP
        ring = Ring(hand.seats, hand.big_blind)
        for move in hand.moves:
            while street < move.street:
                street += 1
                yield self.dealt(street)
                ring.next_street(street)
            facing, before = ring.facing, ring.bets[move.seat]
            ring.move(move.seat, move.kind, move.amount, check=False)
            yield f"{self.names[move.seat]}: {self.words(move, facing, before)}" + (
                self.all_in(move.seat, ring.spent[move.seat]) if move.kind not in (FOLD, CHECK) else ""
            )
        for seat, back in enumerate(self.again.returned):
            if back:
                yield f"Uncalled bet ({self.money(back)}) returned to {self.names[seat]}"
        while street < RIVER and len(hand.board) > BOARD_CARDS[street]:
            street += 1
            yield self.dealt(street)

    def words(self, move: Move, facing: int, before: int) -> str:
        money = self.money
        if move.kind in (FOLD, CHECK):
            return "folds" if move.kind == FOLD else "checks"
        if move.kind == CALL:
            return f"calls {money(move.amount - before)}"
        if move.kind == BET:
            return f"bets {money(move.amount)}"
        return f"raises {money(move.amount - facing)} to {money(move.amount)}"

    def dealt(self, street: int) -> str:
        before, after = (cards_text(self.hand.board[: BOARD_CARDS[one]]) for one in (street - 1, street))
        name = STREET_NAMES[street].upper()
        if not before:
            return f"*** {name} *** [{after}]"
        return f"*** {name} *** [{before}] [{card_name(self.hand.board[BOARD_CARDS[street] - 1])}]"

    def ending(self) -> Iterator[str]:
        hand, collected = self.hand, self.again.collected
        if self.shown:
            yield "*** SHOW DOWN ***"
            for seat in self.again.live:
                if hand.seats[seat].cards and hand.seats[seat].showed:
                    held = hand.seats[seat].cards
                    yield f"{self.names[seat]}: shows [{cards_text(held)}] ({self.has(held)})"
                else:
                    yield f"{self.names[seat]}: mucks hand"
        for seat, chips in enumerate(collected or ()):
            if chips:
                yield f"{self.names[seat]} collected {self.money(chips)} from pot"
        if not self.shown:
            yield f"{self.names[self.again.live[0]]}: doesn't show hand"

    def has(self, held: tuple[int, ...]) -> str:
        return strength_name(strength([*held, *self.hand.board]))

    def summary(self) -> Iterator[str]:
        hand, again, money = self.hand, self.again, self.money
        yield "*** SUMMARY ***"
        yield f"Total pot {money(again.pot)} | Rake {money(again.rake)}"
        if hand.board:
            yield f"Board [{cards_text(hand.board)}]"
        for seat in sorted(range(hand.players), key=lambda one: hand.seats[one].number):
            yield f"Seat {hand.seats[seat].number}: {self.names[seat]}{self.position(seat)} {self.fate(seat)}"

    def position(self, seat: int) -> str:
        words = ["button"] if seat == self.hand.players - 1 else []
        if self.is_small(seat):
            words.append("small blind")
        elif self.hand.seats[seat].blind and seat < 2 and not self.hand.seats[seat].dead:
            words.append("big blind")
        return "".join(f" ({word})" for word in words)

    def fate(self, seat: int) -> str:
        hand, street = self.hand, self.folded_on[seat]
        if street is not None:
            when = "before Flop" if street == PREFLOP else f"on the {STREET_NAMES[street].capitalize()}"
            bet = street == PREFLOP and not self.again.spent[seat]
            return f"folded {when}" + (" (didn't bet)" if bet else "")
        won = self.again.collected[seat] if self.again.collected else 0
        if not self.shown:
            return f"collected ({self.money(won)})"
        held = hand.seats[seat].cards
        if not held:
            return "mucked"
        if not hand.seats[seat].showed:
            return f"mucked [{cards_text(held)}]"
        with_ = self.has(held)
        return f"showed [{cards_text(held)}] and " + (
            f"won ({self.money(won)}) with {with_}" if won else f"lost with {with_}"
        )
