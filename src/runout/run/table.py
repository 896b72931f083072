"""A table to sit down at: heads-up no-limit hold'em at any depth against a bot, hand after hand.

1. The button moves from hand to hand. Stacks begin anew every hand, or are carried on and rebought.
2. You act by a word: f, x, c, a (all-in), a number (bet or raise to so many big blinds), 75% (of the pot).
3. After a hand every decision of yours is graded: what it lost, in big blinds. Before the flop by the chart of the
   blueprint where there is one, else against the blueprint's range: the street is played on, later streets count by
   equity (`Aivat.action_values`).
4. Every hand that is over is saved at once, as PHH and as PokerStars text.
5. The score has raw results and results without the luck of the cards, which is unbiased whoever plays.

Chips are hundredths of a big blind. Seats are those of `games.betting`: 0 the big blind, 1 the button.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import numpy as np

from runout.cards.cards import card_name
from runout.cards.evaluator import name as strength_name
from runout.cards.evaluator import strength
from runout.cards.hands import combo
from runout.cursors.preflop_solution import load_preflop
from runout.cursors.view import extended, hands_of
from runout.errors import InputError
from runout.evaluation.aivat import Aivat, luck_of_cards
from runout.evaluation.intervals import estimate
from runout.explorers.practice import GRADES, grade_of, row_of
from runout.explorers.preflop import PreflopExplorer
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
    BettingState,
    Rules,
    start,
)
from runout.games.holdem_game import CALL_SLOT, FOLD_SLOT
from runout.games.points import BOARD_CARDS
from runout.hands.phh import phh_text
from runout.hands.pokerstars_writer import pokerstars_text
from runout.hands.record import Move, PlayedHand, Seat
from runout.run.sitting import Sitting, after
from runout.run.table_view import TableChoice, TableGrade, TableMove, TableScore, TableView
from runout.solvers.bot import Bot
from runout.solvers.solved_leaf import shipped_charts

BLIND = 100  # chips of the big blind
NAMES = ("You", "Runout")
YOU, THEM = 0, 1
LEAST, MOST = 2.0, 1000.0  # bb of a stack
_FIRST_ID = 10**12
_SAME, _TOO_FAR = 0.06, 0.75  # of the logarithm of sizes: taken as equal, and not graded any more
_PRESETS = ((33, "33%"), (50, "50%"), (75, "75%"), (100, "100%"))


@dataclass
class _Hand:
    """A hand that is being played."""

    cards: list[int]  # nine, by seat of the betting engine
    seat: int  # yours
    state: BettingState
    history: list[TableMove] = field(default_factory=list)
    stakes: list[float] = field(default_factory=list)  # bb that could be won when each street came
    thought: str = ""


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
        self._hand: _Hand | None = None
        self._result, self._won = "", 0.0
        self._graded: tuple[TableGrade, ...] = ()
        self._raw: list[float] = []
        self._adjusted: list[float] = []
        self._grades = dict.fromkeys(GRADES, 0)
        self._lost = 0.0
        self._graders: dict[float, tuple[Aivat, Aivat]] = {}
        self._charts: dict[float, PreflopExplorer | None] = {}
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
        self._hand = _Hand(cards, self._number % 2, start(rules))
        self._result, self._won, self._graded = "", 0.0, ()
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

    def _in_play(self) -> _Hand:
        if self._hand is None:
            raise InputError("no hand was dealt yet: deal one")
        return self._hand

    def _go_on(self) -> None:
        hand = self._in_play()
        while not hand.state.over and hand.state.player != hand.seat:
            hole = hand.cards[2 * hand.state.player : 2 * hand.state.player + 2]
            action, hand.thought = self.sitting.decide(hand.state, self._board(), hole, self._rng)
            self._play("bot", action)
        if hand.state.over:
            self._end()

    def _board(self) -> list[int]:
        hand = self._in_play()
        shown = BOARD_CARDS[hand.state.street]
        if hand.state.status == CLOSED:
            shown = 5
        return hand.cards[4 : 4 + shown]

    def _play(self, who: str, action: Action) -> None:
        hand = self._in_play()
        before, hand.state = hand.state, after(hand.state, action)
        hand.history.append(TableMove(who, action_words(before, action), STREET_NAMES[before.street]))
        last = 3 if hand.state.status == CLOSED else hand.state.street
        for street in range(before.street + 1, last + 1):
            hand.stakes.append(min(hand.state.spent) / BLIND)
            new = hand.cards[4 + BOARD_CARDS[street - 1] : 4 + BOARD_CARDS[street]]
            hand.history.append(TableMove("cards", " ".join(map(card_name, new)), STREET_NAMES[street]))

    def _end(self) -> None:
        hand = self._in_play()
        state, seat = hand.state, hand.seat
        winner = NOBODY
        if state.status == CLOSED:
            first, second = (strength([*hand.cards[2 * s : 2 * s + 2], *hand.cards[4:9]]) for s in range(2))
            winner = NOBODY if first == second else int(second > first)
        won = state.returns(winner)[seat] / BLIND
        self._won = won
        self._result = self._in_words(winner)
        if self.keep:
            for side, sign in ((YOU, 1), (THEM, -1)):
                self._bankroll[side] = round(self._bankroll[side] + sign * won, 6)
        depth, bot = self.sitting.at(state.rules.stack / BLIND)
        self._raw.append(won)
        self._adjusted.append(won - self._luck(depth, bot))
        self._graded = self._grade(depth, bot)
        for one in self._graded:
            self._grades[one.grade] += 1
            self._lost += one.lost_bb
        self._save(winner)

    def _in_words(self, winner: int) -> str:
        hand = self._in_play()
        if hand.state.status == FOLDED:
            who = "You fold" if hand.state.folder == hand.seat else "Runout folds"
            return f"{who}: {_signed(self._won)} bb"
        names = [strength_name(strength([*hand.cards[2 * s : 2 * s + 2], *hand.cards[4:9]])) for s in range(2)]
        if winner == NOBODY:
            return f"Split, both {names[0]}: {_signed(self._won)} bb"
        who = "You win" if winner == hand.seat else "Runout wins"
        return f"{who} with {names[winner]}: {_signed(self._won)} bb"

    # Luck, grades, files

    def _aivats(self, depth: float, bot: Bot) -> tuple[Aivat, Aivat]:
        """One that knows nobody, for luck, and one that knows the blueprint, for grades."""
        if depth not in self._graders:
            nobody = Aivat(bot.game, (None, None), bot.policy)
            both = Aivat(bot.game, (bot.policy, bot.policy), bot.policy, nobody.boards, nobody.tree)
            self._graders[depth] = nobody, both
        return self._graders[depth]

    def _luck(self, depth: float, bot: Bot) -> float:
        """bb that you were lucky: dealt hands by the blueprint's values, boards by equity times what was at stake."""
        hand = self._in_play()
        dealt = -self._aivats(depth, bot)[0].deal_luck(hand.cards) / bot.game.big_blind
        found = dealt + luck_of_cards(bot.game, hand.cards, hand.stakes)
        return found if hand.seat == 0 else -found

    def _grade(self, depth: float, bot: Bot) -> tuple[TableGrade, ...]:
        hand = self._in_play()
        slots, apart, mine = self._on_tree(bot)
        found = self._aivats(depth, bot)[1].action_values(hand.cards, slots, hand.seat)
        graded = []
        for (slot, values), number in zip(found, mine, strict=False):
            street, board, before, action, menu = self._moment(bot, slots, number)
            if street == STREET_NAMES[0]:
                known = self._chart_values(depth, bot, slots[:number])
                values = values if known is None else known
            if not np.isfinite(values[slot]) or apart[number] > _TOO_FAR:
                continue
            lost = max(0.0, float(np.nanmax(values) - values[slot])) / bot.game.big_blind
            best = menu[int(np.nanargmax(values))]
            words = action_words(before, action)
            pot = before.pot / BLIND
            same = apart[number] < _SAME
            graded.append(TableGrade(street, board, words, best, lost, grade_of(lost, pot), same))
        return tuple(graded)

    def _chart_values(self, depth: float, bot: Bot, slots: list[int]) -> np.ndarray | None:
        """float64 [slots]: what your actions before the flop are worth by the chart, in chips; None without a chart."""
        if depth not in self._charts:
            path = shipped_charts().get(depth)
            self._charts[depth] = None if path is None else PreflopExplorer(load_preflop(path))
        chart = self._charts[depth]
        if chart is None:
            return None
        hand, there, line = self._in_play(), bot.game.start(), ""
        for slot in [*slots, None]:
            view, menu = chart.at(line), bot.game.slots(there)
            if len(view.actions) != len(menu):
                return None  # a chart of another tree
            if slot is None:
                break
            line = extended(view, view.actions[list(menu).index(slot)].token)
            there = after(there, menu[slot])
        hands = hands_of(view, str(view.player))
        row = row_of(view, hands, combo(*hand.cards[2 * hand.seat : 2 * hand.seat + 2]))
        values = np.full(len(bot.game.slot_names), np.nan)
        values[list(menu)] = np.asarray(hands.action_evs)[:, row] * bot.game.big_blind
        return values

    def _on_tree(self, bot: Bot) -> tuple[list[int], list[float], list[int]]:
        """The hand in slots of the blueprint's game, the nearest sizes; how far they are off; and which are yours."""
        hand = self._in_play()
        here, there = start(hand.state.rules), bot.game.start()
        slots: list[int] = []
        exact: list[float] = []
        mine: list[int] = []
        for action in hand.state.played:
            if there.over or there.player != here.player or there.street != here.street:
                break
            slot, same = _nearest_slot(bot, there, here, action)
            if here.player == hand.seat:
                mine.append(len(slots))
            slots.append(slot)
            exact.append(same)
            there = after(there, bot.game.slots(there)[slot])
            here = after(here, action)
        return slots, exact, mine

    def _moment(
        self, bot: Bot, slots: list[int], number: int
    ) -> tuple[str, tuple[str, ...], BettingState, Action, dict[int, str]]:
        hand = self._in_play()
        here, there = start(hand.state.rules), bot.game.start()
        for action, slot in list(zip(hand.state.played, slots, strict=False))[:number]:
            here, there = after(here, action), after(there, bot.game.slots(there)[slot])
        board = tuple(card_name(c) for c in hand.cards[4 : 4 + BOARD_CARDS[here.street]])
        menu = {slot: action_words(there, action) for slot, action in bot.game.slots(there).items()}
        return STREET_NAMES[here.street], board, here, hand.state.played[number], menu

    def _save(self, winner: int) -> None:
        if self.files is None:
            return
        record = self.record(winner)
        phh, text = self.files
        phh.parent.mkdir(parents=True, exist_ok=True)
        with phh.open("a", encoding="utf-8") as file:
            file.write(phh_text(record, header=True) + "\n")
        with text.open("a", encoding="utf-8") as file:
            file.write(pokerstars_text(record) + "\n\n")

    def record(self, winner: int) -> PlayedHand:
        """The hand that is over, as a record; a big blind is 1.00."""
        hand = self._in_play()
        state = hand.state
        pot = 2 * min(state.spent)
        closed = state.status == CLOSED
        if not closed:
            winner = 1 - state.folder
        taken = tuple(pot // 2 if winner == NOBODY else pot * (winner == seat) for seat in range(2))
        seats = []
        for seat in range(2):
            who = YOU if seat == hand.seat else THEM
            seats.append(
                Seat(
                    name=NAMES[who],
                    stack=round(self._stack_before(who) * BLIND),
                    number=who + 1,
                    cards=tuple(hand.cards[2 * seat : 2 * seat + 2]),
                    blind=state.rules.blinds[seat],
                    showed=closed,
                )
            )
        moves = []
        here = start(state.rules)
        for action in state.played:
            kind = action.kind
            if kind == ALL_IN:
                kind = RAISE if here.facing else BET
            moves.append(Move(here.player, here.street, kind, action.amount))
            here = after(here, action)
        board = tuple(hand.cards[4 : 4 + (5 if closed else BOARD_CARDS[state.street])])
        return PlayedHand(
            id=str(_FIRST_ID + int(self._began.timestamp()) % 10**9 * 1000 + self._number),
            seats=tuple(seats),
            small_blind=BLIND // 2,
            big_blind=BLIND,
            moves=tuple(moves),
            boards=(board,),
            collected=taken,
            rake=0,
            pot=pot,
            decimals=2,
            currency="$",
            site="Runout",
            table="Runout play",
            hero=hand.seat,
            time=datetime.now().replace(microsecond=0),
            number=self._number,
        )

    def _stack_before(self, who: int) -> float:
        gained = (self._won if who == YOU else -self._won) if self.keep else 0.0
        return self._bankroll[who] - gained

    # What is seen

    def view(self) -> TableView:
        """What you see now."""
        hand = self._in_play()
        state, seat = hand.state, hand.seat
        over = state.over
        legal = state.legal()
        shown = hand.cards[2 * (1 - seat) : 2 * (1 - seat) + 2] if state.status == CLOSED else []
        depth, _ = self.sitting.at(state.rules.stack / BLIND)
        before = [self._stack_before(who) if over else self._bankroll[who] for who in (YOU, THEM)]
        return TableView(
            number=self._number,
            seat="SB" if seat == 1 else "BB",
            stack=state.rules.stack / BLIND,
            blueprint=depth,
            street=STREET_NAMES[state.street],
            board=tuple(card_name(c) for c in self._board()),
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
            graded=self._graded,
            score=self.score(),
            thought=hand.thought,
            bankroll=(before[YOU], before[THEM]),
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


def _nearest_slot(bot: Bot, there: BettingState, here: BettingState, action: Action) -> tuple[int, float]:
    """The slot of the blueprint's game that is nearest to an action at the table, and how far off it is (a log)."""
    menu = bot.game.slots(there)
    if action.kind == FOLD and FOLD_SLOT in menu:
        return FOLD_SLOT, 0.0
    sizes = {slot: one for slot, one in menu.items() if slot > CALL_SLOT}
    if action.kind in (FOLD, CHECK, CALL) or not sizes:
        return CALL_SLOT if CALL_SLOT in menu else min(menu), 0.0 if action.kind in (CHECK, CALL) else np.inf
    slot = max(sizes)
    if action.amount == here.bets[here.player] + here.behind(here.player) and sizes[slot].kind == ALL_IN:
        return slot, 0.0
    wanted = (action.amount - here.facing) / (here.pot + here.to_call)
    shares = {slot: (one.amount - there.facing) / (there.pot + there.to_call) for slot, one in sizes.items()}
    slot = min(shares, key=lambda one: abs(np.log(max(shares[one], 1e-6) / max(wanted, 1e-6))))
    return slot, float(abs(np.log(max(shares[slot], 1e-6) / max(wanted, 1e-6))))


def _signed(bb: float) -> str:
    return f"{bb:+g}" if bb else "0"
