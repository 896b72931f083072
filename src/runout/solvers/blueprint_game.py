"""What a blueprint is learnt for: the tree of a game, buckets of hands, and room for what is learnt."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from runout import memory
from runout.cards.abstraction import Abstraction, AbstractionSettings
from runout.errors import InputError
from runout.games.betting import STREET_NAMES
from runout.games.boards import BoardStreet, board_tree
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels.simd import LANES
from runout.kernels.tables import (
    IMAGE_COUNT,
    MOST_STREETS,
    Buckets,
)
from runout.solvers.range_memory import aligned
from runout.solvers.range_plan import storage_rows
from runout.solvers.ranges import RangeGame


@dataclass(frozen=True)
class BlueprintGame:
    """What is solved: the tree of a game, its all-ins dealt out, and the buckets of hands."""

    game: HoldemGame
    tree: BettingTree
    abstraction: Abstraction

    @classmethod
    def of(cls, game: HoldemGame, settings: AbstractionSettings | None) -> BlueprintGame:
        """Refused where the game does not begin before the flop with all hands; without settings, every hand is told
        apart."""
        if game.board or game.ranges is not None or game.rules.last_street == 0:
            raise InputError(f"{game.name}: a blueprint is of a game from before the flop on, with all hands")
        if game.board_cards != BOARD_CARDS[game.rules.last_street]:
            raise InputError(f"{game.name}: a blueprint wants betting on every street up to the showdown")
        every = AbstractionSettings.model_validate(dict.fromkeys(("flop", "turn", "river"), "lossless"))
        abstraction = Abstraction(settings or every, game.deck, game.rules.last_street, game.board_cards)
        return cls(game, game.tree().dealt_out(), abstraction)

    @property
    def streets(self) -> int:
        return len(self.tree.streets)

    @property
    def rows(self) -> np.ndarray:
        """int64 [2, MOST_STREETS]: actions of each player on each street."""
        found = np.zeros((2, MOST_STREETS), np.int64)
        for street, tree in enumerate(self.tree.streets):
            found[:, street] = storage_rows(tree)
        return found

    @property
    def width(self) -> np.ndarray:
        """int64 [MOST_STREETS]: numbers of an action, one for each bucket, in whole vectors."""
        found = np.zeros(MOST_STREETS, np.int64)
        found[: self.streets] = self.abstraction.sizes
        return -(-found // LANES) * LANES

    @property
    def numbers(self) -> int:
        """Regrets in all; averages are as many."""
        return int((self.rows * self.width).sum())

    def empty_buckets(self) -> Buckets:
        """Where everything that is learnt stands, without room for it."""
        sizes = (self.rows * self.width).ravel()
        return Buckets(aligned(0), aligned(0), (np.cumsum(sizes) - sizes).reshape(2, MOST_STREETS), self.width)

    def new_buckets(self) -> Buckets:
        """Room for everything that is learnt, with nothing in it."""
        return self.empty_buckets()._replace(regrets=aligned(self.numbers), averages=aligned(self.numbers))

    def require_memory(self, batch: int, threads: int) -> None:
        """Refuse what does not fit, with the setting to lower."""
        widest = comb(len(self.game.deck) - 3, 2)
        sweeping = 8 * widest * int(self.rows.max(axis=0)[1:].sum()) * (batch + threads)
        learnt = 8 * self.numbers
        by_street = (self.rows * self.width).sum(axis=0)
        street = STREET_NAMES[int(by_street.argmax())]
        advice = f"regrets and averages take {memory.size(learnt)}, most of it the {street}: lower abstraction.{street}"
        if sweeping > learnt:
            advice = f"the boards of an iteration take {memory.size(sweeping)}: lower blueprint.boards"
        memory.require(sweeping + learnt, "this blueprint needs", f"{advice}, or give fewer bet sizes")

    def range_game(self) -> RangeGame:
        """Betting, ranges and rake for the range engine, without boards."""
        return RangeGame(self.tree, [], self.game.weights, self.game.rake.of)

    def root(self) -> BoardStreet:
        """The empty board, with what all-ins before the flop come to."""
        all_in = bool((self.tree.streets[0].terminal_kind == RUNOUT).any())
        root = board_tree((), self.game.weights, (3,), (all_in,), deck=self.game.deck)[0]
        table = root.tables.table.copy()
        table[:, IMAGE_COUNT] = 1  # hands that differ by suits share a bucket
        bucket = np.zeros(int(root.tables.stride[:, 0].sum()), np.int32)
        for player in range(2):
            first = int(root.tables.hands[player, 0])
            combos = root.tables.combos(player, 0)
            bucket[first : first + len(combos)] = self.abstraction.tables.preflop[combos]
        return BoardStreet(root.cards, root.parent, root.copies, root.tables._replace(table=table, bucket=bucket))
