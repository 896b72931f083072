"""What a network is shown of a decision of Kuhn or Leduc poker.

Kuhn, 10 numbers: own card (3), for each of three places in the betting whether it was passed or bet (6), pot / 5.
Leduc, 23 numbers: own rank (3), rank of the board card (3), for both rounds and four places passed or bet (16),
pot / 26. In Leduc suits mean nothing: cards of one rank are one card, as in `describe`.

A pass is a check or call, a bet also a raise; nobody acts after a fold. Slots are fold, check or call, bet or raise.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any

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


class SmallGameEncoder:
    """Decisions of a game that can be listed whole: the batched form looks them up in a table."""

    card_size = 0
    slots = SLOTS

    def __init__(self, game: AnyGame, number_size: int, numbers: Callable[[Any], np.ndarray]) -> None:
        self.game = game
        self.number_size = number_size
        self._numbers = numbers

    @property
    def size(self) -> int:
        return self.number_size

    def encode(self, state: Hashable) -> Features:
        """One decision."""
        player = self.game.player(state)
        if player in (CHANCE, TERMINAL):
            what = "the game is over" if player == TERMINAL else "the dealer is to act"
            raise InputError(f"{what}: nobody decides anything, so there is nothing to encode")
        legal = np.zeros(len(SLOTS), bool)
        legal[[slot_of(action) for action in self.game.actions(state)]] = True
        return Features(np.zeros(0, np.int8), self._numbers(state), legal)

    def encode_batch(self, batch: Sequence[Hashable]) -> Features:
        """Many decisions, looked up by information set."""
        rows = np.array([self.row(state) for state in batch], np.int64)
        return Features(np.zeros((len(rows), 0), np.int8), self.table.numbers[rows], self.table.legal[rows])

    def row(self, state: Hashable) -> int:
        """Where a decision stands in `table`."""
        if self.game.player(state) in (CHANCE, TERMINAL):
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
    def _listed(self) -> tuple[dict[str, int], Features]:
        index: dict[str, int] = {}
        rows: list[Features] = []
        stack = [self.game.root()]
        while stack:
            state = stack.pop()
            player = self.game.player(state)
            if player == TERMINAL:
                continue
            if player != CHANCE and (key := self.game.infoset(state)) not in index:
                index[key] = len(rows)
                rows.append(self.encode(state))
            stack += [self.game.next(state, action) for action in self.game.actions(state)]
        return index, Features(*(np.stack(column) for column in zip(*rows, strict=True)))


def slot_of(action: str) -> int:
    """The slot that an action of a small game is: 'raise 8' is 2."""
    return _SLOT[action.split()[0]]


def kuhn_encoder() -> SmallGameEncoder:
    """The encoder of Kuhn poker."""
    return SmallGameEncoder(Kuhn(), 3 + 2 * KUHN_PLACES + 1, _kuhn)


def leduc_encoder() -> SmallGameEncoder:
    """The encoder of Leduc hold'em."""
    return SmallGameEncoder(Leduc(), 3 + 3 + 2 * 2 * LEDUC_PLACES + 1, _leduc)


def _kuhn(state: KuhnState) -> np.ndarray:
    tokens = state.line.split("-") if state.line else []
    own = state.cards[len(tokens) % 2]
    pot = 2 + tokens.count("b")
    return _row(_one_hot(kuhn.RANKS, own), _places(tokens, KUHN_PLACES), [pot / KUHN_POT])


def _leduc(state: LeducState) -> np.ndarray:
    own = state.cards[len(state.rounds[-1]) % 2][0]
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
