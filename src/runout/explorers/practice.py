"""Practice: play hands against a solution and be graded by it.

1. Both hands are dealt from the ranges at the starting node, cards that one holds taken from the other.
2. The opponent draws actions from the solution's mix for the hand held; cards come at random.
3. Each of your actions is graded by what it loses against the best one, as a share of the pot; what is within the
   accuracy of the solution is an inaccuracy at worst. A solution that knows no EVs (a trained policy) grades by how
   often it takes the action itself.
4. A `Drill` says what is asked: a seat, streets, hands, close decisions alone, one decision a hand. The solution plays
   for you what is not asked.

Everything is drawn from one seeded generator, so a seed and the same actions give the same hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from runout.cards.cards import card, card_name
from runout.cards.evaluator import strength
from runout.cards.hands import COMBO_CARDS, COMBO_CLASS, COMBOS, combo_name, disjoint_combos
from runout.cards.ranges import Range
from runout.cursors.cells import by_combo
from runout.cursors.view import (
    CHANCE,
    FROM_START,
    MATRIX,
    TERMINAL,
    Explorer,
    HandsView,
    NodeView,
    extended,
    hands_of,
    player_named,
)
from runout.errors import InputError
from runout.explorers.holdem_views import HoldemExplorer

# Grades by the EV that is lost: at most this share of the pot.
BY_LOSS = (("best", 0.001), ("correct", 0.01), ("inaccuracy", 0.03), ("wrong", 0.1), ("blunder", float("inf")))
# Without EVs: by the frequency of the action over that of the most frequent one: at least this ratio.
BY_FREQUENCY = (("best", 0.999), ("correct", 0.2), ("inaccuracy", 0.05), ("wrong", 0.01), ("blunder", 0.0))
GRADES = tuple(name for name, _ in BY_LOSS)
YOU, OVER = "you", "over"
_KEPT = 128  # views that a session remembers
_TRIES = 200  # of a deal whose flop a solution may lack, or whose decisions a drill may not ask for
_PURE = 0.95  # how often a hand takes one action where it does not mix
STREETS = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class Drill:
    """What a session asks for; everything, as it is."""

    seat: str | None = None  # one of the solution's players; drawn for each hand without one
    line: str = ""  # where hands begin
    streets: tuple[str, ...] = ()  # on which you decide; none: all
    hands: str = ""  # a range that yours are dealt from; none: the solution's
    close: bool = False  # only decisions at which the solution mixes
    single: bool = False  # one decision a hand


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that you can take."""

    token: str
    name: str
    kind: str  # as in ActionView: what colours go by
    size: float


@dataclass(frozen=True, slots=True)
class Mix:
    """An action with what the solution does and expects with your hand."""

    token: str
    name: str
    kind: str
    size: float
    frequency: float
    ev: float | None


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened: who ("you", "opponent", "cards"), what, and the line before it."""

    who: str
    action: str
    line: str


@dataclass(frozen=True, slots=True)
class Graded:
    """Your last action beside what the solution does with your hand."""

    action: str
    mix: tuple[Mix, ...]
    ev_lost: float | None  # None where the solution knows no EVs
    grade: str  # of GRADES
    unit: str
    pot: float  # when you acted
    big_blind: float | None  # in `unit`; None where it is not known
    line: str  # of the decision
    street: str
    hand: str
    category: str  # "top pair"; "" before the flop


@dataclass(frozen=True, slots=True)
class Result:
    """How the hand ended."""

    shown: str  # the opponent's hand
    won: float | None  # against what you put in from the starting node on (before the flop: from the start)
    board: tuple[str, ...]  # run out where players were all-in


@dataclass(frozen=True, slots=True)
class Score:
    """All hands of a session."""

    hands: int
    decisions: int
    ev_lost: float | None  # None where no EV was known of any decision
    by_grade: dict[str, int]
    pots_lost: float | None = None  # the sum of what was lost as shares of the pots


@dataclass(frozen=True, slots=True)
class PracticeTable:
    """What you see."""

    hand: str
    seat: str
    line: str
    board: tuple[str, ...]
    pot: float
    stacks: tuple[float, float] | None
    to_act: str  # YOU or OVER
    actions: tuple[Choice, ...]
    history: tuple[Moment, ...]
    last: Graded | None
    result: Result | None
    score: Score
    unit: str = "chips"
    big_blind: float | None = None  # in `unit`
    seats: tuple[str, str] = ("", "")
    streets: tuple[str, ...] = ()  # that the solution has


def grade_of(lost: float, pot: float, accuracy: float | None = None) -> str:
    """The grade of an action that loses so much of a pot.

    A loss within the accuracy of the solution may be the solution's own error, so it is an inaccuracy at worst.
    """
    grade = next(name for name, most in BY_LOSS if lost <= most * pot)
    unsure = accuracy is not None and lost <= accuracy
    return min(grade, "inaccuracy", key=GRADES.index) if unsure else grade


def grade_by_frequency(frequencies: np.ndarray, taken: int) -> str:
    """The grade of an action by how often a policy takes it."""
    share = float(frequencies[taken] / max(float(frequencies.max()), 1e-12))
    return next(name for name, least in BY_FREQUENCY if share >= least)


def row_of(view: NodeView, hands: HandsView, combo: int) -> int:
    """The row of a combo among a player's hands; InputError where it is not there."""
    rows = np.flatnonzero(hands.combo == combo if len(hands.combo) else hands.cell == COMBO_CLASS[combo])
    if len(rows):
        return int(rows[0])
    raise InputError(f"the solution says nothing of {combo_name(combo)} after {view.line!r}: deal the next hand")


def graded(view: NodeView, player: str, combo: int, taken: int) -> Graded:
    """What a player did with a combo, by the number of the action, beside what the solution does."""
    hands = hands_of(view, player)
    row = row_of(view, hands, combo)
    frequencies = np.nan_to_num(_mix(hands, row, len(view.actions)))
    known = len(hands.action_evs) == len(view.actions) and bool(np.isfinite(hands.action_evs[:, row]).all())
    evs = hands.action_evs[:, row] if known else None
    mix = tuple(
        Mix(
            one.token,
            one.name,
            one.kind,
            one.size,
            float(frequencies[number]),
            None if evs is None else float(evs[number]),
        )
        for number, one in enumerate(view.actions)
    )
    if evs is None:
        lost, grade = None, grade_by_frequency(frequencies, taken)
    else:
        lost = float(evs.max() - evs[taken])
        grade = grade_of(lost, view.pot, view.accuracy)
    return Graded(
        view.actions[taken].token, mix, lost, grade, view.unit, view.pot, view.big_blind, view.line, view.street,
        combo_name(combo), hands.categories[row] if hands.categories else "",
    )  # fmt: skip


class Practice:
    """A session: `deal`, then `act` until the hand is over, then `deal` again; `table` is what you see."""

    def __init__(
        self,
        explorer: Explorer,
        seat: str | None = None,
        seed: int | None = None,
        line: str = "",
        drill: Drill | None = None,
    ) -> None:
        """`seat` and `line` are short for a drill with those."""
        self.drill = drill or Drill(seat, line)
        line = self.drill.line
        start = explorer.at(line)
        if start.layout != MATRIX:
            raise InputError("practice needs a hold'em solution: hands of small games are not dealt")
        if isinstance(explorer, HoldemExplorer) and explorer.warning:
            raise InputError(f"{explorer.warning}: practise with a chart (runout preflop) or another leaf model")
        if start.kind == TERMINAL:
            raise InputError(f"the hand is over after {line!r}: start where a player is to act")
        seat = None if self.drill.seat is None else player_named(start, self.drill.seat)
        if seat is None and self.drill.seat is not None:
            raise InputError(f"unknown seat {self.drill.seat!r}: use {' or '.join(start.players)}")
        left = STREETS[STREETS.index(start.street) :] if start.street in STREETS else ()
        for street in self.drill.streets:
            if street not in left:
                raise InputError(f"no decisions on the {street!r} here: use {', '.join(left) or 'no streets'}")
        self._wanted = Range(self.drill.hands).weights > 0 if self.drill.hands.strip() else np.ones(COMBOS, bool)
        self.explorer, self.seat, self.line, self._streets = explorer, seat, start.line, left
        self._at = lru_cache(_KEPT)(explorer.at)
        self._odds: dict[str, _Odds] = {}  # by line
        self._random = np.random.default_rng(seed)
        self._hands_dealt, self._decisions = 0, 0
        self._lost: float | None = None
        self._pots_lost: float | None = None
        self._by_grade = dict.fromkeys(GRADES, 0)
        self._view, self._you = start, start.players[0]
        self._combos = [0, 0]  # of each player
        self._history: list[Moment] = []
        self._last: Graded | None = None
        self._result: Result | None = None

    def use(self, explorer: Explorer) -> None:
        """Go on with another view of the same game, as after it was solved further."""
        if explorer is not self.explorer:
            self.explorer = explorer
            self._odds.clear()
            self._at = lru_cache(_KEPT)(explorer.at)

    def deal(self) -> PracticeTable:
        """A new hand; one that is not over is thrown away. A drill deals until there is something to decide."""
        start = self._at(self.line)
        for _ in range(_TRIES):
            self._you = self.seat or start.players[int(self._random.integers(2))]
            self._combos = self._odds_at(start).draw(self._random)
            self._begin(start)
            self._go_on()
            if self._result is None or self.drill == Drill(self.drill.seat, self.drill.line):
                break
        else:
            raise InputError("no decision like that came up in 200 hands: ask for more streets, hands or decisions")
        self._hands_dealt += 1
        return self.table()

    def deal_at(self, line: str, hand: str) -> PracticeTable:
        """A decision again: a node by its address, and your hand; the opponent's is drawn from those that get there."""
        view = self._at(line)
        if view.player is None:
            raise InputError(f"nobody acts after {line!r}: name a decision")
        self._you = view.player
        self._combos = self._odds_at(view, hand).draw(self._random)
        self._begin(view)
        self._hands_dealt += 1
        return self.table()

    def _odds_at(self, view: NodeView, hand: str = "") -> _Odds:
        key = f"{view.line} {self._you} {hand}"
        if key not in self._odds:
            wanted = Range(hand).weights > 0 if hand else self._wanted
            if len(self._odds) >= _KEPT:
                self._odds.clear()
            self._odds[key] = _Odds(view, view.players.index(self._you), wanted)
        return self._odds[key]

    def _begin(self, view: NodeView) -> None:
        self._history, self._last, self._result, self._view = [], None, None, view

    def act(self, action: str) -> PracticeTable:
        """Take an action, by its token or its name."""
        view = self._view
        if self._result is not None or view.player != self._you:
            raise InputError("the hand is over: deal the next one")
        names = [(one.token, one.name) for one in view.actions]
        taken = next((number for number, both in enumerate(names) if action in both), None)
        if taken is None:
            raise InputError(f"no action {action!r} here: use {', '.join(token for token, _ in names)}")
        self._last = graded(view, self._you, self._combo(view, self._you), taken)
        self._decisions += 1
        if self._last.ev_lost is not None:
            self._lost = (self._lost or 0.0) + self._last.ev_lost
            self._pots_lost = (self._pots_lost or 0.0) + self._last.ev_lost / max(view.pot, 1e-9)
        self._by_grade[self._last.grade] += 1
        self._play(YOU, view, taken)
        if self.drill.single:
            self._result = Result("", None, self._view.board)
        else:
            self._go_on()
        return self.table()

    def table(self) -> PracticeTable:
        """What you see now."""
        view, over = self._view, self._result is not None
        return PracticeTable(
            hand=combo_name(self._combos[view.players.index(self._you)]),
            seat=self._you,
            line=view.line,
            board=view.board,
            pot=view.pot,
            stacks=view.stacks,
            to_act=OVER if over else YOU,
            actions=() if over else tuple(Choice(one.token, one.name, one.kind, one.size) for one in view.actions),
            history=tuple(self._history),
            last=self._last,
            result=self._result,
            score=Score(self._hands_dealt, self._decisions, self._lost, dict(self._by_grade), self._pots_lost),
            unit=view.unit,
            big_blind=view.big_blind,
            seats=view.players,
            streets=self._streets,
        )

    # How a hand continues

    def _go_on(self) -> None:
        """Up to your next decision, or the end."""
        while True:
            view = self._view
            if view.kind == TERMINAL:
                self._result = self._ended(view)
                return
            if view.kind == CHANCE:
                self._deal_cards(view)
            else:
                who = str(view.player)
                hands = hands_of(view, who)
                mix = np.nan_to_num(_mix(hands, self._row(view, who, hands), len(view.actions)))
                mix = mix / mix.sum() if mix.sum() > 0 else np.full(len(mix), 1 / len(mix))
                if who == self._you and self._asked(view, mix):
                    return
                self._play("opponent" if who != self._you else YOU, view, int(self._random.choice(len(mix), p=mix)))

    def _asked(self, view: NodeView, mix: np.ndarray) -> bool:
        """Whether the drill asks for this decision of yours; the solution takes the others."""
        if self.drill.streets and view.street not in self.drill.streets:
            return False
        return not self.drill.close or float(mix.max()) < _PURE

    def _play(self, who: str, view: NodeView, taken: int) -> None:
        action = view.actions[taken]
        self._history.append(Moment(who, action.name, view.line))
        self._view = self._at(extended(view, action.token))

    def _deal_cards(self, view: NodeView) -> None:
        held = {card_name(int(c)) for combo in self._combos for c in COMBO_CARDS[combo]}
        deck = [name for name in view.deals if name not in held]
        for attempt in range(_TRIES):
            drawn = self._random.choice(len(deck), view.deal_count, replace=False)
            cards = " ".join(deck[i] for i in sorted(drawn, reverse=True))
            try:
                after = self._at(extended(view, cards, cards=True))
            except InputError:
                if attempt + 1 == _TRIES:
                    raise
                continue
            self._history.append(Moment("cards", cards, view.line))
            self._view = after
            return

    def _combo(self, view: NodeView, player: str) -> int:
        return self._combos[view.players.index(player)]

    def _row(self, view: NodeView, player: str, hands: HandsView) -> int:
        return row_of(view, hands, self._combo(view, player))

    # Results

    def _ended(self, view: NodeView) -> Result:
        you = view.players.index(self._you)
        shown = combo_name(self._combos[1 - you])
        if view.ending == "fold":
            folded = next(one.who for one in reversed(self._history) if one.who != "cards")
            return Result(shown, _won(self._at(self.line), view, you, 0.0 if folded == YOU else 1.0), view.board)
        if view.ending not in ("showdown", "run-out"):  # a model of later streets takes over
            hands = hands_of(view, self._you)
            worth = float(hands.ev[self._row(view, self._you, hands)]) if len(hands.ev) else float("nan")
            return Result(shown, worth if np.isfinite(worth) else None, view.board)
        board = [card(name) for name in view.board]
        if view.ending == "run-out":
            seen = {*board, *(int(c) for combo in self._combos for c in COMBO_CARDS[combo])}
            whole = [card(name) for name in view.deals] or range(52)
            deck = [c for c in whole if c not in seen]
            missing = view.deal_count or 5 - len(board)
            board += [deck[i] for i in self._random.choice(len(deck), missing, replace=False)]
        own, other = (strength([*(int(c) for c in COMBO_CARDS[self._combos[side]]), *board]) for side in (you, 1 - you))
        share = 0.5 if own == other else float(own > other)
        return Result(shown, _won(self._at(self.line), view, you, share), tuple(card_name(c) for c in board))


def _mix(hands: HandsView, row: int, actions: int) -> np.ndarray:
    """float64 [actions]: how a hand plays; evenly where the solution does not say."""
    return hands.strategy[:, row] if len(hands.strategy) == actions else np.full(actions, 1 / actions)


def _won(start: NodeView, end: NodeView, you: int, share: float) -> float | None:
    """What a share of the last pot, less rake, is against what was put in."""
    if end.stacks is None or start.stacks is None:
        return None
    whole = end.ev_from == FROM_START  # all chips of the pot are the players' own
    total = sum(end.evs) if end.evs is not None else float("nan")
    rake = (-total if whole else end.pot - total) if np.isfinite(total) else 0.0
    rake = rake if rake > 1e-3 * end.pot else 0.0  # EVs of a solve have rounding
    paid = end.put_in[you] if whole else start.stacks[you] - end.stacks[you]
    return share * (end.pot - rake) - paid


class _Odds:
    """How likely pairs of hands are at a node."""

    def __init__(self, view: NodeView, side: int, wanted: np.ndarray) -> None:
        """`wanted`, bool [1326]: the hands that the player `side` is dealt."""
        board = np.isin(COMBO_CARDS, [card(name) for name in view.board]).any(axis=1)
        first, second = (np.where(board, 0.0, _combo_weights(view, name)) for name in view.players)
        if side == 0:
            first = np.where(wanted, first, 0.0)
        else:
            second = np.where(wanted, second, 0.0)
        odds = first * (disjoint_combos() @ second)
        if not odds.sum() > 0:
            who = "nobody gets" if wanted.all() else "no hand of yours gets"
            raise InputError(f"{who} to {view.line or 'the start'!r}: no hands can be dealt there")
        self._first, self._second = odds / odds.sum(), second

    def draw(self, random: np.random.Generator) -> list[int]:
        """A combo for each player."""
        own = int(random.choice(COMBOS, p=self._first))
        left = self._second * disjoint_combos()[own]
        return [own, int(random.choice(COMBOS, p=left / left.sum()))]


def _combo_weights(view: NodeView, player: str) -> np.ndarray:
    """float64 [1326]: the reach of a player's combos; of all combos alike where a view does not have them."""
    hands = next((one for one in view.hands if one.player == player), None)
    if hands is None:
        return np.ones(COMBOS)
    return np.asarray(np.nan_to_num(by_combo(hands, hands.weight)))
