"""What explorers of hold'em share: from a line to a point of the betting, and from a point to the view of it.

An explorer says what hands do and are worth at a point (`_hands`, `_actor`); chips, actions, the strip, equities of
ranges and notes are put together here.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence

import numpy as np

from runout.cards.cards import DECK, card_name
from runout.cards.equity import run_out_shares
from runout.cards.evaluator import strengths
from runout.cards.hands import COMBO_CARDS
from runout.cursors.hand_means import mean
from runout.cursors.view import (
    CHANCE,
    DECISION,
    FROM_POT,
    FROM_START,
    MATRIX,
    ActionView,
    HandsView,
    NodeView,
    StepView,
)
from runout.explorers.parts import NOBODY_HERE, accuracy_of, action_views, hand_weights
from runout.explorers.remembered import Remembered
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.games.points import Point
from runout.games.showdowns import first_shares
from runout.solutions.reached import Reached

_KEPT = 512  # points whose actions and frequencies are remembered for the strip


class HoldemExplorer(ABC):
    """A `view.Explorer` of a solution of hold'em."""

    def __init__(self, game: HoldemGame) -> None:
        self.game, self.lines, self.shown = game, game.lines, game.board_cards
        self.ev_from = FROM_POT if game.ranges is not None else FROM_START  # spots have ranges and a pot
        self._actions_at = Remembered(self._strip_actions, _KEPT)
        self._seen = self._now()
        self._looking = threading.RLock()  # a server asks from several threads

    def at(self, line: str) -> NodeView:
        with self._looking:
            return self._view(self._point(line))

    def strip(self, line: str) -> tuple[StepView, ...]:
        with self._looking:
            return self._strip(self._point(line))

    @property
    def warning(self) -> str | None:
        """Why nobody should play like this, where it is so; nobody is graded by such a solution."""
        return None

    # What a kind of solution says

    @abstractmethod
    def _hands(self, point: Point) -> tuple[HandsView, HandsView]:
        """The hands of both players with everything that is known of them."""

    @abstractmethod
    def _actor(self, point: Point) -> HandsView:
        """The hands of the player to act, with what the strip shows: strategy and weights."""

    @abstractmethod
    def _reached(self) -> Reached:
        """What the run of this solution reached."""

    def _now(self) -> Hashable:
        """Changes when what was worked out is out of date."""
        return None

    def _forget(self) -> None:
        """Drop what was worked out."""
        self._actions_at.clear()

    def _ending(self, point: Point) -> str | None:
        return point.ending(self.shown)

    def _more_notes(self, point: Point) -> tuple[str, ...]:
        return ()

    def _locked(self, point: Point) -> bool:
        return False

    def _resolved(self, point: Point) -> bool:
        return False

    def _boards(self, point: Point) -> tuple[str, ...]:
        """The only deals that were solved, where that is not all of them."""
        return ()

    # Putting it together

    def _point(self, line: str) -> Point:
        if self._seen != self._now():
            self._forget()
            self._seen = self._now()
        return self.lines.at(line)

    def put_in(self, point: Point) -> tuple[float, float]:
        """What each player has put into the pot, in the unit of the view; nothing where EVs are shares of the pot."""
        if self.ev_from == FROM_POT:
            return 0.0, 0.0
        first, second = ((point.state.rules.pot / 2 + chips) / self.lines.wording.chips for chips in point.state.spent)
        return first, second

    def _view(self, point: Point) -> NodeView:
        wording, state, ending = self.lines.wording, point.state, self._ending(point)
        hands = self._hands(point)
        comes = self.shown - len(point.board) if ending == "run-out" and self.shown else point.deal_count
        actor = hands[state.player] if point.kind == DECISION else None
        return NodeView(
            line=point.line,
            kind=point.kind,
            player=point.player,
            players=wording.players,
            street=point.street,
            board=tuple(card_name(c) for c in point.board),
            pot=state.pot / wording.chips,
            stacks=(state.behind(0) / wording.chips, state.behind(1) / wording.chips),
            to_call=state.to_call / wording.chips if point.kind == DECISION else 0.0,
            unit=wording.unit,
            layout=MATRIX,
            actions=self._actions(point, actor),
            hands=hands,
            evs=_both(hands, "ev"),
            equities=_both(hands, "equity"),
            strip=self._strip(point),
            ending=ending,
            deals=tuple(card_name(c) for c in self.lines.deck if c not in point.board) if comes else (),
            deal_count=comes,
            notes=(*self._notes(hands), *self._more_notes(point)),
            locked=self._locked(point),
            resolved=self._resolved(point),
            boards=self._boards(point),
            ev_from=self.ev_from,
            put_in=self.put_in(point),
            accuracy=accuracy_of(self._reached(), self.game.rules.pot / wording.chips, self._big_blind() or 1.0),
            big_blind=self._big_blind(),
        )

    def _notes(self, hands: tuple[HandsView, ...]) -> tuple[str, ...]:
        if not all(hand_weights(one).any() for one in hands):
            return (NOBODY_HERE,)
        return ()

    def _big_blind(self) -> float | None:
        """In the unit of the view; None where it is not known."""
        if self.lines.wording.unit == "bb":
            return 1.0
        told = getattr(self.game.settings, "big_blind", None)
        return None if told is None else float(told)

    def _actions(self, point: Point, actor: HandsView | None) -> tuple[ActionView, ...]:
        numbers = range(len(point.menu))
        tokens, names = [self.lines.token(point, n) for n in numbers], [self.lines.name(point, n) for n in numbers]
        return action_views(point.state, point.menu, tokens, names, actor)

    def _strip_actions(self, point: Point) -> tuple[ActionView, ...]:
        return self._actions(point, self._actor(point)) if point.kind == DECISION else ()

    def _strip(self, point: Point) -> tuple[StepView, ...]:
        path = point.path
        return tuple(self._step(at, after) for at, after in zip(path, [*path[1:], None], strict=True))

    def _step(self, at: Point, after: Point | None) -> StepView:
        deals = at.kind == CHANCE
        taken = None if after is None else after.dealt[-1] if deals else after.words[-1][-1]
        return StepView(
            line=at.line,
            kind=at.kind,
            player=at.player,
            street=at.street,
            pot=at.state.pot / self.lines.wording.chips,
            actions=self._actions_at(at),
            taken=taken,
            cards=tuple(taken.split()) if taken is not None and deals else (),
            ending=self._ending(at),
        )


def _both(hands: tuple[HandsView, ...], field: str) -> tuple[float, float] | None:
    first, second = (float(mean(getattr(one, field), hand_weights(one))) for one in hands)
    return None if np.isnan(first) and np.isnan(second) else (first, second)


def free_combos(board: Sequence[int]) -> np.ndarray:
    """bool [1326]: hands that a board leaves."""
    return np.asarray(~np.isin(COMBO_CARDS, board).any(axis=1))


def equities(
    reach: np.ndarray,
    met: np.ndarray,
    held: np.ndarray,
    board: Sequence[int],
    shown: int,
    deck: Sequence[int] = FULL_DECK,
) -> np.ndarray:
    """float64 [2, 1326]: shares of the pot when the hand is checked down to `shown` board cards, of the hands `held`
    (bool [1326]); NaN for the others and for those that meet nobody. reach and met are float64 [2, 1326]."""
    free, deals = held & free_combos(board), 1.0
    if len(board) >= shown:
        share = _shown_down(reach, board, free)
    elif not len(board):
        share = reach[::-1] @ first_shares(shown, tuple(deck)).T
    else:
        gone = [card for card in range(DECK) if card not in deck]
        share, count, _ = run_out_shares(reach, np.flatnonzero(free), board, gone)
        deals = float(count)
    return np.asarray(np.divide(share, met * deals, out=np.full(share.shape, np.nan), where=(met > 0) & free))


def _shown_down(reach: np.ndarray, board: Sequence[int], free: np.ndarray) -> np.ndarray:
    """float64 [2, 1326]: weight that each hand beats, half of what it ties with."""
    live = np.flatnonzero(free)
    rows = np.hstack([np.tile(np.array(board, np.uint8), (len(live), 1)), COMBO_CARDS[live]])
    power = strengths(rows)
    order = np.argsort(power, kind="stable")
    live, power = live[order], power[order]
    weaker, upto = (np.searchsorted(power, power, side=side) for side in ("left", "right"))
    first, second = COMBO_CARDS[live].T
    held = (COMBO_CARDS[live][:, :, None] == np.arange(52)).any(axis=1)  # bool [h, 52]
    found = np.zeros(reach.shape)
    for side in range(2):
        other = reach[1 - side, live]
        total = np.concatenate([[0.0], np.cumsum(other)])
        by_card = np.concatenate([np.zeros((1, 52)), np.cumsum(held * other[:, None], axis=0)])

        less, most = (total[at] - by_card[at, first] - by_card[at, second] for at in (weaker, upto))
        found[side, live] = less + (most + other - less) / 2  # a hand itself was taken off twice
    return np.maximum(found, 0.0)
