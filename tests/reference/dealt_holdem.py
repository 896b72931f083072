"""Hold'em with a small deck as a game of the small protocol: one chance node deals all nine cards."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from runout.games.compiled import CompiledGame
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState, new_hand
from runout.games.lines import POSITIONS
from runout.games.protocol import CHANCE


class DealtHoldem:
    """The whole game with its chance. Cards that nobody will see are not told apart."""

    def __init__(self, game: HoldemGame) -> None:
        self.game, self.name, self.ante = game, game.name, float(game.big_blind)
        self.deals = list(self._deals())

    def _deals(self):
        deck = set(self.game.deck)
        for first in combinations(sorted(deck), 2):
            for second in combinations(sorted(deck - {*first}), 2):
                left = deck - {*first, *second}
                for flop in combinations(sorted(left), 3):
                    rest = sorted(left - {*flop})
                    if self.game.board_cards == 3:
                        yield (*first, *second, *flop, *rest[:2])
                        continue
                    for turn in rest:
                        for river in rest:
                            if river != turn:
                                yield (*first, *second, *flop, turn, river)

    def root(self):
        return None

    def player(self, state: HoldemState | None) -> int:
        return CHANCE if state is None else state.player

    def actions(self, state):
        return list(map(str, range(len(self.deals)))) if state is None else [str(slot) for slot in state.slots()]

    def chance(self, state):
        return [1 / len(self.deals)] * len(self.deals)

    def next(self, state, action):
        return new_hand(self.game, self.deals[int(action)]) if state is None else state.play(int(action))

    def returns(self, state):
        return state.returns()

    def infoset(self, state) -> str:
        return f"{POSITIONS[state.player]} {state.infoset()}"

    def describe(self, state) -> str:
        return "" if state is None else state.describe()


def strategy_of(game: CompiledGame, dealt: DealtHoldem, policy) -> np.ndarray:
    """float64 [sequences]: a policy of one part at every information set, asked through one dealt hand of each."""
    states: dict[str, HoldemState] = {}
    waiting = [dealt.next(None, str(i)) for i in range(len(dealt.deals))]
    while waiting:
        state = waiting.pop()
        if state.over:
            continue
        states.setdefault(dealt.infoset(state), state)
        waiting += [state.play(slot) for slot in state.slots()]
    strategy = np.ones(game.sequences)
    for infoset in game.infosets:
        state = states[infoset.key]
        odds = policy.probabilities(_batch(state), 0)[0]
        strategy[infoset.sequences] = odds[[int(action) for action in infoset.actions]]
    return strategy


def _batch(state: HoldemState) -> HoldemBatch:
    batch = HoldemBatch(state.game, np.array([state.cards], np.uint8))
    at = new_hand(state.game, state.cards)
    for action in (one for street in state.history for one in street):
        slot = next(slot for slot, offered in at.menu().items() if offered == action)
        batch.act(np.array([slot]))
        at = at.play(slot)
    return batch
