"""A table to sit down at: heads-up no-limit hold'em at any depth against a bot, hand after hand.

1. The button moves from hand to hand. Stacks begin anew every hand, or are carried on and rebought.
2. You act by a word: f, x, c, a (all-in), a number (bet or raise to so many big blinds), 75% (of the pot).
3. Every hand that is over is saved at once, as PHH and as PokerStars text.
4. `grade` then finds what each of your decisions lost (`table_grades`); that takes seconds, so it may run beside the
   next hand, in a thread of its own.
5. The score has raw results and results without the luck of the cards, which is unbiased whoever plays.
"""

from __future__ import annotations

import threading
from collections import deque
from datetime import datetime
from pathlib import Path

import numpy as np

from runout.cards.cards import card_name
from runout.cards.evaluator import name as strength_name
from runout.errors import InputError
from runout.evaluation.aivat import luck_of_cards
from runout.evaluation.intervals import estimate
from runout.explorers.practice import GRADES
from runout.games.betting import (
    ALL_IN,
    BET,
    CALL,
    CHECK,
    CLOSED,
    FOLD,
    FOLDED,
    NOBODY,
    RAISE,
    STREET_NAMES,
    Action,
    Rules,
    start,
)
from runout.games.points import BOARD_CARDS
from runout.run.sitting import Opponent, Sitting
from runout.run.table_hand import BLIND, THEM, YOU, TableHand, action_words, add_to_files
from runout.run.table_view import TableChoice, TableGrade, TableMove, TableScore, TableView
from runout.solvers.bot import next_state

LEAST, MOST = 2.0, 1000.0  # bb of a stack
_PRESETS = ((33, "33%"), (50, "50%"), (75, "75%"), (100, "100%"))


class PlayTable:
    """A table: `deal`, then `act` until the hand is over, then `deal` again; `view` is what you see."""

    def __init__(
        self,
        sitting: Sitting,
        stack: float = 100.0,
        seed: int | None = None,
        keep: bool = False,
        save: Path | None = None,
    ) -> None:
        """keep: stacks are carried from hand to hand; who has less than a big blind buys in again.

        save: a folder for the hands that were played.
        """
        if not LEAST <= stack <= MOST:
            raise InputError(f"stack = {stack:g}: use {LEAST:g} to {MOST:g} big blinds")
        self.sitting, self.buy_in, self.keep, self.save = sitting, stack, keep, save
        self._rng = np.random.default_rng(seed)
        self._began = datetime.now().replace(microsecond=0)
        self._bankroll = [stack, stack]
        self._number = 0
        self._hand: TableHand | None = None
        self._result, self._won = "", 0.0
        self._graded: tuple[int, tuple[TableGrade, ...]] = (0, ())  # of which hand
        self._ungraded: deque[TableHand] = deque()
        self._grading = threading.Lock()
        self._raw: list[float] = []
        self._adjusted: list[float] = []
        self._grades = dict.fromkeys(GRADES, 0)
        self._lost = 0.0
        if save is not None and save.exists() and not save.is_dir():
            raise InputError(f"{save} is no folder: name one for the hands")

    @property
    def files(self) -> tuple[Path, Path] | None:
        """Where hands are saved: PHH and PokerStars text."""
        if self.save is None:
            return None
        name = f"runout-{self._began:%Y%m%d-%H%M%S}"
        return self.save / f"{name}.phhs", self.save / f"{name}.txt"

    def deal(self) -> TableView:
        """The next hand; one that is not over is refused."""
        if self._hand is not None and not self._hand.state.over:
            raise InputError("the hand is not over: act first")
        if self.keep:
            self._bankroll = [self.buy_in if chips < 1.0 else chips for chips in self._bankroll]
        else:
            self._bankroll = [self.buy_in, self.buy_in]
        self._number += 1
        cards = [int(c) for c in self._rng.permutation(52)[:9]]
        chips = round(min(self._bankroll) * BLIND)
        rules = Rules.no_limit(chips, BLIND // 2, BLIND)
        self._hand = TableHand(
            self._number, cards, self._number % 2, start(rules), (self._bankroll[0], self._bankroll[1])
        )
        self._result, self._won = "", 0.0
        self._go_on()
        return self.view()

    def act(self, word: str) -> TableView:
        """Do something, by a word; the bot and the cards answer."""
        hand = self._in_play()
        if hand.state.over:
            raise InputError("the hand is over: deal the next one")
        self._play("you", self.action(word))
        self._go_on()
        return self.view()

    def action(self, word: str) -> Action:
        """What a word means now; an InputError says what would be accepted."""
        state = self._in_play().state
        text = word.strip().lower().removeprefix("bet ").removeprefix("raise ").removeprefix("to ").removesuffix("bb")
        simple = {"f": FOLD, "fold": FOLD, "x": CHECK, "k": CHECK, "check": CHECK, "c": CALL, "call": CALL, "a": ALL_IN}
        simple |= {"all-in": ALL_IN, "allin": ALL_IN, "all in": ALL_IN}
        if text in simple:
            kind = simple[text]
            if kind == CALL and not state.to_call:
                kind = CHECK
            if kind == ALL_IN and not state.legal().largest:
                kind = CALL
            return state.verify(Action(kind))
        share = text.endswith("%")
        try:
            number = float(text.rstrip("%").lstrip("br").strip())
        except ValueError:
            raise InputError(f"unknown action {word!r}: use f, x, c, a, 6.5 (to 6.5 bb) or 75% (of the pot)") from None
        if not np.isfinite(number) or number <= 0:
            raise InputError(f"a bet of {number:g}: use a size above 0")
        total = state.facing + number / 100 * (state.pot + state.to_call) if share else number * BLIND
        chips = round(min(total, 10.0 * state.rules.stack))
        legal = state.legal()
        if share and legal.largest:
            chips = min(max(chips, legal.smallest), legal.largest)
        try:
            return state.verify(Action(RAISE if state.facing else BET, chips))
        except InputError:
            if not legal.largest:
                raise
            low, high = legal.smallest / BLIND, legal.largest / BLIND
            raise InputError(f"{number:g} bb is not legal: bet or raise to {low:g} to {high:g} bb") from None

    # How a hand goes on

    def _in_play(self) -> TableHand:
        if self._hand is None:
            raise InputError("no hand was dealt yet: deal one")
        return self._hand

    def _go_on(self) -> None:
        hand = self._in_play()
        while not hand.state.over and hand.state.player != hand.seat:
            hole = hand.cards[2 * hand.state.player : 2 * hand.state.player + 2]
            action, hand.thought = self.sitting.decide(hand.state, hand.board, hole, self._rng)
            self._play("bot", action)
        if hand.state.over:
            self._end()

    def _play(self, who: str, action: Action) -> None:
        hand = self._in_play()
        before, hand.state = hand.state, next_state(hand.state, action)
        hand.history.append(TableMove(who, action_words(before, action), STREET_NAMES[before.street]))
        last = 3 if hand.state.status == CLOSED else hand.state.street
        for street in range(before.street + 1, last + 1):
            hand.stakes.append(min(hand.state.spent) / BLIND)
            new = hand.cards[4 + BOARD_CARDS[street - 1] : 4 + BOARD_CARDS[street]]
            hand.history.append(TableMove("cards", " ".join(map(card_name, new)), STREET_NAMES[street]))

    def _end(self) -> None:
        hand = self._in_play()
        self._won, self._result = hand.won, _in_words(hand)
        if self.keep:
            for side, sign in ((YOU, 1), (THEM, -1)):
                self._bankroll[side] = round(self._bankroll[side] + sign * self._won, 6)
        self._raw.append(self._won)
        self._adjusted.append(self._won - _luck(hand, self.sitting.at(hand.state.rules.stack / BLIND)))
        if any(move.who == "you" for move in hand.history):
            self._ungraded.append(hand)
        if self.files is not None:
            add_to_files(hand.record(self._began), *self.files)

    def grade(self) -> None:
        """Grade the hands that are over and were not graded yet; from any thread, also beside the next hand."""
        with self._grading:
            while self._ungraded:
                hand = self._ungraded[0]
                try:
                    found = self.sitting.at(hand.state.rules.stack / BLIND).grader.grade(hand)
                finally:
                    self._ungraded.popleft()
                for one in found:
                    self._grades[one.grade] += 1
                    self._lost += one.lost_bb
                self._graded = hand.number, found

    # What is seen

    def view(self) -> TableView:
        """What you see now."""
        hand = self._in_play()
        state, seat = hand.state, hand.seat
        over = state.over
        legal = state.legal()
        shown = hand.cards[2 * (1 - seat) : 2 * (1 - seat) + 2] if state.status == CLOSED else []
        return TableView(
            number=self._number,
            seat="SB" if seat == 1 else "BB",
            stack=state.rules.stack / BLIND,
            blueprint=self.sitting.at(state.rules.stack / BLIND).depth,
            street=STREET_NAMES[state.street],
            board=tuple(card_name(c) for c in hand.board),
            hand=tuple(card_name(c) for c in sorted(hand.cards[2 * seat : 2 * seat + 2], reverse=True)),  # type: ignore[arg-type]
            shown=tuple(card_name(c) for c in sorted(shown, reverse=True)),
            pot=state.pot / BLIND,
            bets=(state.bets[seat] / BLIND, state.bets[1 - seat] / BLIND),
            behind=(state.behind(seat) / BLIND, state.behind(1 - seat) / BLIND),
            to_act="over" if over else "you",
            choices=() if over else self._choices(),
            smallest=legal.smallest / BLIND,
            largest=legal.largest / BLIND,
            history=tuple(hand.history),
            result=self._result,
            won_bb=self._won,
            graded=self._graded[1],
            graded_hand=self._graded[0],
            grading=bool(self._ungraded),
            score=self.score(),
            thought=hand.thought,
            bankroll=hand.bankroll,
        )

    def _choices(self) -> tuple[TableChoice, ...]:
        state = self._in_play().state
        legal = state.legal()
        found = []
        if legal.fold:
            found.append(TableChoice("f", "fold", "fold", 0.0))
        if legal.check:
            found.append(TableChoice("x", "check", "check", state.facing / BLIND))
        if legal.call:
            found.append(TableChoice("c", f"call {state.to_call / BLIND:g}", "call", state.facing / BLIND))
        word = "raise to" if state.facing else "bet"
        kind = "raise" if state.facing else "bet"
        seen: set[int] = set()
        sizes = [(round(2.5 * BLIND), "")] if state.street == 0 and state.facing == BLIND else []
        sizes += [(round(state.facing + share / 100 * (state.pot + state.to_call)), label) for share, label in _PRESETS]
        for chips, label in sorted(sizes):
            total = max(chips, legal.smallest)
            if legal.largest and total < legal.largest and total not in seen:
                seen.add(total)
                note = f" ({label})" if label and total == chips else ""
                found.append(TableChoice(f"{total / BLIND:g}", f"{word} {total / BLIND:g}{note}", kind, total / BLIND))
        if legal.largest:
            found.append(TableChoice("a", f"all-in {legal.largest / BLIND:g}", "all-in", legal.largest / BLIND))
        return tuple(found)

    def score(self) -> TableScore:
        """What the hands so far come to."""
        per_100 = [None if not values else estimate(100 * np.array(values)) for values in (self._raw, self._adjusted)]
        means = [None if one is None else one.mean for one in per_100]
        spans = [None if one is None or not np.isfinite(one.low) else (one.low, one.high) for one in per_100]
        return TableScore(
            hands=len(self._raw),
            won_bb=float(sum(self._raw)),
            raw=means[0],
            raw_interval=spans[0],
            adjusted=means[1],
            adjusted_interval=spans[1],
            decisions=sum(self._grades.values()),
            lost_bb=self._lost,
            grades=dict(self._grades),
        )


def _luck(hand: TableHand, opponent: Opponent) -> float:
    """bb that you were lucky: dealt hands by the blueprint's values, boards by equity times what was at stake."""
    game = opponent.bot.game
    dealt = -opponent.luck.deal_luck(hand.cards) / game.big_blind
    found = dealt + luck_of_cards(game, hand.cards, hand.stakes)
    return found if hand.seat == 0 else -found


def _in_words(hand: TableHand) -> str:
    """How a hand ended."""
    won = _signed(hand.won)
    if hand.state.status == FOLDED:
        who = "You fold" if hand.state.folder == hand.seat else "Runout folds"
        return f"{who}: {won} bb"
    names = [strength_name(hand.strength(seat)) for seat in range(2)]
    if hand.winner == NOBODY:
        return f"Split, both {names[0]}: {won} bb"
    who = "You win" if hand.winner == hand.seat else "Runout wins"
    return f"{who} with {names[hand.winner]}: {won} bb"


def _signed(bb: float) -> str:
    return f"{bb:+g}" if bb else "0"
