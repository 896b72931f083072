"""What a network is shown of a decision of a game that can be listed whole.

Kuhn, 10 numbers: own card (3), for each of three places in the betting whether it was passed or bet (6), pot / 5.
Leduc, 23 numbers: own rank (3), rank of the board card (3), for both rounds and four places passed or bet (16),
pot / 26. In Leduc suits mean nothing: cards of one rank are one card, as in `describe`.
Other games: what their own method `features` gives (OpenSpiel's games: the information state tensor), or else the
letters of the key of an information set, one number for each place and letter that some key has there.

In Kuhn and Leduc a pass is a check or call, a bet also a raise; nobody acts after a fold. Their slots are fold, check
or call, bet or raise. Other games have one slot for each name of an action.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from runout.errors import InputError
from runout.games import kuhn, leduc
from runout.games.encoders import Features
from runout.games.kuhn import Kuhn, KuhnState
from runout.games.leduc import Leduc, LeducState
from runout.games.protocol import CHANCE, TERMINAL, AnyGame

SLOTS = ("fold", "check or call", "bet or raise")
_SLOT = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
KUHN_PLACES, LEDUC_PLACES = 3, 4  # actions of a round at most
KUHN_POT = 5.0  # the antes are 0.4
LEDUC_POT = 26.0  # the largest pot: antes, two bets of 2 and two of 4 from each

Numbers = Callable[[Any, int], np.ndarray]  # of a state, as one of the players sees it


@runtime_checkable
class Featured(Protocol):
    """A game that says itself what a network is shown of a state; optional."""

    def features(self, state: Any, player: int) -> Sequence[float]:
        """What a player knows, as numbers: as many for every state."""


class SmallGameEncoder:
    """Decisions of a game that can be listed whole: the batched form looks them up in a table."""

    card_size = 0

    def __init__(
        self, game: AnyGame, numbers: Numbers, slots: Sequence[str], slot_of: Callable[[str], int] | None = None
    ) -> None:
        self.game, self.slots = game, tuple(slots)
        self._numbers = numbers
        named = {name: slot for slot, name in enumerate(self.slots)}
        self.slot_of = slot_of or named.__getitem__

    @property
    def number_size(self) -> int:
        return int(self.table.numbers.shape[1])

    @property
    def size(self) -> int:
        return self.number_size

    def encode(self, state: Hashable, player: int | None = None) -> Features:
        """One decision, as the player to act sees it or as `player` does, who may have to wait: then nothing is legal.

        A state that the game does not have is refused.
        """
        acting = self.game.player(state)
        if acting in (CHANCE, TERMINAL):
            what = "the game is over" if acting == TERMINAL else "the dealer is to act"
            raise InputError(f"{what}: nobody decides anything, so there is nothing to encode")
        seat = acting if player is None else player
        if seat not in (0, 1):
            raise InputError(f"player = {seat}: use 0 or 1")
        if state not in self._states:
            raise InputError(f"{self.game.name} has no state {state!r}: cards or line are not of the game")
        legal = np.zeros(len(self.slots), bool)
        if seat == acting:
            legal[[self.slot_of(action) for action in self.game.actions(state)]] = True
        return Features(np.zeros(0, np.int8), self._numbers(state, seat), legal)

    def encode_batch(self, batch: Sequence[Hashable]) -> Features:
        """Many decisions, looked up by information set."""
        rows = np.array([self.row(state) for state in batch], np.int64)
        return Features(np.zeros((len(rows), 0), np.int8), self.table.numbers[rows], self.table.legal[rows])

    def row(self, state: Hashable) -> int:
        """Where a decision stands in `table`."""
        if self.game.player(state) in (CHANCE, TERMINAL) or state not in self._states:
            self.encode(state)  # says why not
        return self.index[self.game.infoset(state)]

    @property
    def table(self) -> Features:
        """Every information set of the game, one per row."""
        return self._listed[1]

    @property
    def index(self) -> dict[str, int]:
        """The row of every information set."""
        return self._listed[0]

    @cached_property
    def _states(self) -> set[Hashable]:
        """All states at which somebody decides."""
        return {state for state, _ in _decisions(self.game)}

    @cached_property
    def _listed(self) -> tuple[dict[str, int], Features]:
        index: dict[str, int] = {}
        rows: list[Features] = []
        for state, _ in _decisions(self.game):
            if (key := self.game.infoset(state)) not in index:
                index[key] = len(rows)
                rows.append(self.encode(state))
        return index, Features(*(np.stack(column) for column in zip(*rows, strict=True)))


def encoder_of(game: AnyGame) -> SmallGameEncoder:
    """The encoder of any small game."""
    own: dict[type, Numbers] = {Kuhn: _kuhn, Leduc: _leduc}
    known = own.get(type(game))
    if known is not None:
        return SmallGameEncoder(game, known, SLOTS, slot_of)
    keys: dict[str, None] = {}
    names: dict[str, None] = {}  # in the order in which they are met
    for state, actions in _decisions(game):
        keys[game.infoset(state)] = None
        names |= dict.fromkeys(actions)
    if isinstance(game, Featured):
        shown = game

        def told(state: Any, player: int) -> np.ndarray:
            return np.asarray(shown.features(state, player), np.float32)

        return SmallGameEncoder(game, told, tuple(names))
    letters = {pair: place for place, pair in enumerate(sorted({pair for key in keys for pair in enumerate(key)}))}

    def spelt(state: Any, player: int) -> np.ndarray:
        if player != game.player(state):
            raise InputError(f"{game.name} says only what the player to act knows: give it a method `features`")
        row = np.zeros(len(letters), np.float32)
        row[[letters[pair] for pair in enumerate(game.infoset(state))]] = 1.0
        return row

    return SmallGameEncoder(game, spelt, tuple(names))


def _decisions(game: AnyGame) -> list[tuple[Any, Sequence[str]]]:
    """Every state at which a player acts, with its actions."""
    found, stack = [], [game.root()]
    while stack:
        state = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        actions = game.actions(state)
        if player != CHANCE:
            found.append((state, actions))
        stack += [game.next(state, action) for action in actions]
    return found


def slot_of(action: str) -> int:
    """The slot that an action of Kuhn or Leduc is: 'raise 8' is 2."""
    return _SLOT[action.split()[0]]


def kuhn_encoder() -> SmallGameEncoder:
    """The encoder of Kuhn poker."""
    return encoder_of(Kuhn())


def leduc_encoder() -> SmallGameEncoder:
    """The encoder of Leduc hold'em."""
    return encoder_of(Leduc())


def _kuhn(state: KuhnState, player: int) -> np.ndarray:
    tokens = state.line.split("-") if state.line else []
    pot = 2 + tokens.count("b")
    return _row(_one_hot(kuhn.RANKS, state.cards[player]), _places(tokens, KUHN_PLACES), [pot / KUHN_POT])


def _leduc(state: LeducState, player: int) -> np.ndarray:
    own = state.cards[player][0]
    board = state.cards[2][0] if len(state.rounds) == 2 else ""
    second = state.rounds[1] if len(state.rounds) == 2 else ()
    history = [*_places(state.rounds[0], LEDUC_PLACES), *_places(second, LEDUC_PLACES)]
    pot = 2 * leduc.ANTE + sum(map(sum, map(_paid, state.rounds)))
    return _row(_one_hot("JQK", own), _one_hot("JQK", board), history, [pot / LEDUC_POT])


def _paid(betting: Sequence[str]) -> list[int]:
    """Chips of each player in a round of Leduc."""
    paid = [0, 0]
    for turn, token in enumerate(betting):
        if token[0] in "br":
            paid[turn % 2] = int(token[1:])
        elif token == "c":
            paid[turn % 2] = max(paid)
    return paid


def _places(tokens: Sequence[str], places: int) -> list[float]:
    """Two numbers a place: passed, bet."""
    marks = [0.0] * (2 * places)
    for place, token in enumerate(tokens):
        marks[2 * place + (token[0] in "br")] = 1.0
    return marks


def _one_hot(ranks: str, rank: str) -> list[float]:
    return [float(rank == one) for one in ranks]


def _row(*parts: Sequence[float]) -> np.ndarray:
    return np.array([number for part in parts for number in part], np.float32)
