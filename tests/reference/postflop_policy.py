"""A range solver's average strategy as a policy of the slow twin: looked up by line, real cards and combo."""

from __future__ import annotations

from functools import cache

import numpy as np

from reference.postflop import Board
from runout.cards.suits import card_images, combo_images, symmetries
from runout.solvers.ranges import RangeSolver


class AveragePolicy:
    """Boards that the solver does not hold are found through a renaming of suits that its game allows."""

    def __init__(self, solver: RangeSolver) -> None:
        self.solver = solver
        game = solver.game
        first = len(game.boards[0].cards[0]) or len(game.boards[1].cards[0])
        self.dealt = first  # cards of the first board, or of the flop, whose order does not matter
        self.renamings = symmetries([game.boards[0].cards[0]], game.weights)
        self.places = [{self._key(row): i for i, row in enumerate(street.cards)} for street in game.boards]
        self.node = cache(game.tree.node)
        self.strategy = cache(solver.strategy)
        self.columns = cache(lambda *where: {int(c): k for k, c in enumerate(solver.hands(*where))})

    def __call__(self, line: str, board: Board, hand: int, actions: int) -> np.ndarray:
        street, node = self.node(line)
        for renaming in self.renamings:
            place = self.places[street].get(self._key(card_images()[renaming, list(board)]))
            if place is not None:
                player = int(self.solver.game.tree.streets[street].player[node])
                column = self.columns(player, street, place)[int(combo_images()[renaming, hand])]
                return self.strategy(street, place, node)[:, column].astype(np.float64)
        raise AssertionError(f"no board stands for {board}")

    def _key(self, row: np.ndarray) -> tuple[frozenset[int], tuple[int, ...]]:
        cards = [int(c) for c in row]
        return frozenset(cards[: self.dealt]), tuple(cards[self.dealt :])
