"""Practice: play hands against a solution and be graded by it.

1. Both hands are dealt from the ranges at the starting node, cards that one holds taken from the other.
2. The opponent draws actions from the solution's mix for the hand held; cards come at random.
3. Each of your actions is graded by what it loses against the best one, as a share of the pot; a solution that knows no
   EVs (a trained policy) grades by how often it takes the action itself.

Everything is drawn from one seeded generator, so a seed and the same actions give the same hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from runout.cards.cards import card, card_name
from runout.cards.evaluator import strength
from runout.cards.hands import COMBO_CARDS, COMBO_CLASS, COMBOS, combo_name, disjoint_combos
from runout.cursors.cells import by_combo
from runout.cursors.view import CHANCE, FROM_START, MATRIX, TERMINAL, Explorer, HandsView, NodeView, extended, hands_of
from runout.errors import InputError

# Grades by the EV that is lost: at most this share of the pot.
BY_LOSS = (("best", 0.001), ("correct", 0.01), ("inaccuracy", 0.03), ("wrong", 0.1), ("blunder", float("inf")))
# Without EVs: by the frequency of the action over that of the most frequent one: at least this ratio.
BY_FREQUENCY = (("best", 0.999), ("correct", 0.2), ("inaccuracy", 0.05), ("wrong", 0.01), ("blunder", 0.0))
GRADES = tuple(name for name, _ in BY_LOSS)
YOU, OVER = "you", "over"
_KEPT = 128  # views that a session remembers
_TRIES = 200  # of a deal whose flop a solution may lack


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


def grade_of(lost: float, pot: float) -> str:
    """The grade of an action that loses this share of a pot."""
    return next(name for name, most in BY_LOSS if lost <= most * pot)


def grade_by_frequency(frequencies: np.ndarray, taken: int) -> str:
    """The grade of an action by how often a policy takes it."""
    share = float(frequencies[taken] / max(float(frequencies.max()), 1e-12))
    return next(name for name, least in BY_FREQUENCY if share >= least)


class Practice:
    """A session: `deal`, then `act` until the hand is over, then `deal` again; `table` is what you see."""

    def __init__(self, explorer: Explorer, seat: str | None = None, seed: int | None = None, line: str = "") -> None:
        """`seat` is one of the solution's players, drawn for each hand without one; hands begin at `line`."""
        start = explorer.at(line)
        if start.layout != MATRIX:
            raise InputError("practice needs a hold'em solution: hands of small games are not dealt")
        if start.kind == TERMINAL:
            raise InputError(f"the hand is over after {line!r}: start where a player is to act")
        if seat is not None and seat not in start.players:
            raise InputError(f"unknown seat {seat!r}: use {' or '.join(start.players)}")
        self.explorer, self.seat, self.line = explorer, seat, start.line
        self._at = lru_cache(_KEPT)(explorer.at)
        self._odds: _Odds | None = None
        self._random = np.random.default_rng(seed)
        self._hands_dealt, self._decisions = 0, 0
        self._lost: float | None = None
        self._by_grade = dict.fromkeys(GRADES, 0)
        self._view, self._you = start, start.players[0]
        self._combos = [0, 0]  # of each player
        self._history: list[Moment] = []
        self._last: Graded | None = None
        self._result: Result | None = None

    def use(self, explorer: Explorer) -> None:
        """Go on with another view of the same game, as after it was solved further."""
        if explorer is not self.explorer:
            self.explorer, self._odds = explorer, None
            self._at = lru_cache(_KEPT)(explorer.at)

    def deal(self) -> PracticeTable:
        """A new hand; one that is not over is thrown away."""
        start = self._at(self.line)
        self._odds = self._odds or _Odds(start)
        self._you = self.seat or start.players[int(self._random.integers(2))]
        self._combos = self._odds.draw(self._random)
        self._history, self._last, self._result = [], None, None
        self._view = start
        self._hands_dealt += 1
        self._go_on()
        return self.table()

    def act(self, action: str) -> PracticeTable:
        """Take an action, by its token or its name."""
        view = self._view
        if self._result is not None or view.player != self._you:
            raise InputError("the hand is over: deal the next one")
        names = [(one.token, one.name) for one in view.actions]
        taken = next((number for number, both in enumerate(names) if action in both), None)
        if taken is None:
            raise InputError(f"no action {action!r} here: use {', '.join(token for token, _ in names)}")
        self._last = self._graded(view, taken)
        self._decisions += 1
        if self._last.ev_lost is not None:
            self._lost = (self._lost or 0.0) + self._last.ev_lost
        self._by_grade[self._last.grade] += 1
        self._play(YOU, view, taken)
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
            score=Score(self._hands_dealt, self._decisions, self._lost, dict(self._by_grade)),
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
            elif view.player == self._you:
                return
            else:
                hands = hands_of(view, str(view.player))
                mix = np.nan_to_num(_mix(hands, self._row(view, str(view.player), hands), len(view.actions)))
                mix = mix / mix.sum() if mix.sum() > 0 else np.full(len(mix), 1 / len(mix))
                self._play("opponent", view, int(self._random.choice(len(mix), p=mix)))

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

    def _row(self, view: NodeView, player: str, hands: HandsView) -> int:
        combo = self._combos[view.players.index(player)]
        rows = np.flatnonzero(hands.combo == combo if len(hands.combo) else hands.cell == COMBO_CLASS[combo])
        if len(rows):
            return int(rows[0])
        raise InputError(f"the solution says nothing of {combo_name(combo)} after {view.line!r}: deal the next hand")

    # Grading and results

    def _graded(self, view: NodeView, taken: int) -> Graded:
        hands = hands_of(view, self._you)
        row = self._row(view, self._you, hands)
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
            grade = grade_of(lost, view.pot)
        return Graded(view.actions[taken].token, mix, lost, grade, view.unit)

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

    def __init__(self, view: NodeView) -> None:
        board = np.isin(COMBO_CARDS, [card(name) for name in view.board]).any(axis=1)
        first, second = (np.where(board, 0.0, _combo_weights(view, name)) for name in view.players)
        odds = first * (disjoint_combos() @ second)
        if not odds.sum() > 0:
            raise InputError(f"nobody gets to {view.line or 'the start'!r}: no hands can be dealt there")
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
