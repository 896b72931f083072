"""Flop Hold'em as OpenSpiel's `universal_poker`: the same rules by another hand, and strategies carried over to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import factorial
from typing import Protocol

import numpy as np

from reference.showdown import value
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS
from runout.games.betting import Rules
from runout.games.compiled import CompiledGame, compile_game
from runout.games.flop_holdem import FLOP_CARDS
from runout.games.openspiel import History, OpenSpielGame
from runout.solvers.ranges import RangeSolver

Cards = tuple[int, ...]
Policy = Callable[[Cards, Cards, str, int], Sequence[float]]  # hand, flop, line, actions -> probability of each action


class LimitGame(Protocol):
    """What is asked of a limit game: Flop Hold'em, or one of more streets."""

    ranks: int
    suits: int

    def rules(self) -> Rules: ...


def game_text(game: LimitGame, deals: Sequence[int] = (FLOP_CARDS,)) -> str:
    """The parameters of `universal_poker`; its player 0 is the big blind too. deals: cards before each later street."""
    rules = game.rules()
    return (
        f"universal_poker(betting=limit,blind={_listed(rules.blinds)},firstPlayer={_listed([2] + [1] * len(deals))},"
        f"maxRaises={_listed(rules.caps)},numBoardCards={_listed([0, *deals])},numHoleCards=2,"
        f"numPlayers=2,numRanks={game.ranks},numRounds={rules.streets},numSuits={game.suits},"
        f"raiseSize={_listed(rules.fixed_bets)},stack={rules.stack} {rules.stack})"
    )


def _listed(numbers: Iterable[object] | None) -> str:
    return " ".join(map(str, numbers or ()))


class UniversalPoker(OpenSpielGame):
    """OpenSpiel deals one card at a time; here the cards of a hand or a flop come together, in any order.

    What a player knows does not tell orders apart, so this is the same game with 24 times fewer histories.
    """

    def __init__(self, game: LimitGame, deals: Sequence[int] = (FLOP_CARDS,)) -> None:
        super().__init__(game_text(game, deals))
        self.deal = deals[0]
        assert set(deals) == {self.deal}, "streets must deal alike"

    def _size(self, state: History) -> int:
        return self.deal if len(state) >= 4 else 2

    def actions(self, state: History) -> tuple[str, ...]:
        if not self._at(state).is_chance_node():
            return super().actions(state)
        return tuple(" ".join(map(str, some)) for some in self._deals(state))

    def _deals(self, state: History) -> list[tuple[int, ...]]:
        return list(combinations(self._at(state).legal_actions(), self._size(state)))

    def chance(self, state: History) -> tuple[float, ...]:
        at, size = self._at(state).clone(), self._size(state)
        odds = float(factorial(size))
        for _ in range(size):
            (card, chance), *_ = at.chance_outcomes()
            odds *= chance
            at.apply_action(card)
        return (odds,) * len(self._deals(state))

    def infoset(self, state: History) -> str:
        """OpenSpiel's text sorts the board; which card came on which street is what a player remembers."""
        dealt = [move.action for move in self._at(state).full_history() if move.player < 0][4:]
        return f"{super().infoset(state)} {dealt}"

    def next(self, state: History, action: str) -> History:
        if not self._at(state).is_chance_node():
            return super().next(state, action)
        return (*state, *map(int, action.split()))


def compiled(game: LimitGame, deals: Sequence[int] = (FLOP_CARDS,)) -> CompiledGame:
    return compile_game(UniversalPoker(game, deals), check=False)


_KEY = re.compile(r"\[Private: (\w+)\]\[Public: (\w*)\]\[Sequences: ([cfr|]*)\]")


def strategy_of(game: CompiledGame, policy: Policy) -> np.ndarray:
    """A policy as an array [sequences] of the compiled game."""
    found = np.ones(game.sequences)
    for infoset in game.infosets:
        match = _KEY.search(infoset.key)
        assert match is not None, infoset.key
        hand, flop = (tuple(sorted(cards(text))) for text in match.groups()[:2])
        found[infoset.sequences] = policy(hand, flop, match[3], len(infoset.actions))
    return found


def teach(solver: RangeSolver, policy: Policy) -> None:
    """Make a policy the average strategy of a range solver; it must not tell suits apart."""
    game = solver.game
    for street, (tree, boards) in enumerate(zip(game.tree.streets, game.boards, strict=True)):
        for node in range(tree.nodes):
            line, player = letters(game.tree.line_of(street, node)), int(tree.player[node])
            for board, row in enumerate(boards.cards):
                flop = tuple(sorted(int(c) for c in row))
                hands = [tuple(sorted(map(int, COMBO_CARDS[c]))) for c in solver.hands(player, street, board)]
                place, rows, count = solver._place(street, board, node)
                actions = rows.stop - rows.start
                table = solver.storage.averages[place].reshape(actions, -1)
                table[:, :count] = np.array([policy(hand, flop, line, actions) for hand in hands]).T


def taught(solver: RangeSolver) -> Policy:
    """The average strategy of a range solver of a game whose boards were all solved (no isomorphism)."""
    game, tables = solver.game, {}
    for street, (tree, boards) in enumerate(zip(game.tree.streets, game.boards, strict=True)):
        for node in range(tree.nodes):
            line, player = letters(game.tree.line_of(street, node)), int(tree.player[node])
            for board, row in enumerate(boards.cards):
                strategy = solver.strategy(street, board, node).astype(np.float64)
                flop = tuple(sorted(int(c) for c in row))
                for combo, column in zip(solver.hands(player, street, board), strategy.T, strict=True):
                    tables[tuple(sorted(map(int, COMBO_CARDS[combo]))), flop, line] = column / column.sum()
    return lambda hand, flop, line, actions: tables[hand, flop, line]


def letters(line: str) -> str:
    """A line of the betting tree in OpenSpiel's letters: 'c-x|?|b2' is 'cc|r'."""
    first, *later = line.split("|?")
    words = [re.findall(r"[a-z]", part) for part in (first, *later)]
    return "|".join("".join({"x": "c", "b": "r", "a": "r"}.get(word, word) for word in part) for part in words)


def uniform(hand: Cards, flop: Cards, line: str, actions: int) -> list[float]:
    return [1 / actions] * actions


def skewed(hand: Cards, flop: Cards, line: str, actions: int) -> list[float]:
    """Somebody who bets good hands too often and folds too much; suits count only by what they make."""
    if len(hand) + len(flop) >= 5:
        strength = sum(value([*hand, *flop])) + len(line)
    else:
        low, high = (c // 4 for c in hand)
        strength = low + 2 * high + 9 * (low == high) + 3 * (hand[0] % 4 == hand[1] % 4) + 2 * len(line)
        strength += sum(c // 4 in (low, high) for c in flop)
    weights = [1.0 + (3 * strength + 5 * action) % 7 for action in range(actions)]
    return [w / sum(weights) for w in weights]
