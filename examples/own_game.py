"""A game of one's own: a half street of AKQ poker. Run it with `python examples/own_game.py`.

Both ante 1; the first player, with A, K or Q, checks (and the cards are shown) or bets 1; the second folds or calls.
In equilibrium it bluffs a third of its queens, the second calls a third of its kings, and betting earns 1/18.
"""

from typing import NamedTuple

import runout
from runout.games.protocol import CHANCE, TERMINAL


class State(NamedTuple):
    cards: str = ""  # of both players, "AQ"
    line: str = ""  # "x", "b", "b-f" or "b-c"


class HalfStreet:
    name = "half-street"
    ante = 1.0

    def root(self):
        return State()

    def player(self, state):
        if not state.cards:
            return CHANCE
        return {"": 0, "b": 1}.get(state.line, TERMINAL)

    def actions(self, state):
        if not state.cards:
            return ("AK", "AQ", "KA", "KQ", "QA", "QK")
        return ("check", "bet") if state.line == "" else ("fold", "call")

    def chance(self, state):
        return (1 / 6,) * 6

    def next(self, state, action):
        if not state.cards:
            return State(action)
        return State(state.cards, {"check": "x", "bet": "b", "fold": "b-f", "call": "b-c"}[action])

    def returns(self, state):
        wins = "QKA".index(state.cards[0]) > "QKA".index(state.cards[1])
        chips = 1 if state.line == "b-f" else (2 if state.line == "b-c" else 1) * (1 if wins else -1)
        return chips, -chips

    def infoset(self, state):
        return f"{state.cards[self.player(state)]} {state.line}".strip()

    describe = infoset


def main():
    game = HalfStreet()
    print("rules broken:", runout.check_game(game) or "none")
    solution = runout.solve_game(game, "pdcfr+", iterations=2000)
    print(f"value {solution.value:.6f}, exploitability {solution.exploitability:.1e} chips")
    for row in solution.rows():
        chosen = ", ".join(f"{a} {p:.3f}" for a, p in zip(row.infoset.actions, row.probabilities, strict=True))
        print(f"{row.infoset.text:4} {chosen}")


if __name__ == "__main__":
    main()
