"""What networks that were trained on boards play in dealt hands, and their explicit average where a deck is small."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import torch

from runout.cards.hands import COMBO_CLASS, combo_index
from runout.games.board_features import BOARD_SIZE, BoardFeatures
from runout.games.flop_choice import flop_choice
from runout.games.flop_features import preflop_rows
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import line_keys, replayed
from runout.solvers.neural.board_networks import BoardNetwork, as_numbers, new_board_network
from runout.solvers.neural.board_plan import BoardPlan
from runout.solvers.neural.board_walk import RememberedFeatures, answer, board_game, holds_every_board, play_street
from runout.solvers.neural.flop_plan import PreflopRows
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import set_weights
from runout.solvers.neural.settings import NetworkSettings
from runout.solvers.schedules import make_schedule


class BoardPolicy:
    """Networks of both players and every part; a `protocols.HoldemPolicy`."""

    def __init__(
        self,
        game: HoldemGame,
        network: NetworkSettings,
        parts: list[np.ndarray],
        weights: np.ndarray,
        iterations: np.ndarray,
    ) -> None:
        torch.set_num_threads(1)
        self.game, self.weights, self.parts, self.iterations = game, weights, parts, iterations
        self.network = network
        self.plan = BoardPlan.of(game, game.tree().dealt_out())
        self._networks = [new_board_network(self.plan, player, network, 0) for player in range(2)]
        self._features = BoardFeatures(game.deck)
        self._loaded = -1
        found = [
            (path, street, *at)
            for street, both in enumerate(self.plan.columns)
            for own in both
            for path, at in own.of.items()
        ]
        keys = line_keys(replayed(game, [list(path) for path, *_ in found]))
        order = np.argsort(keys)
        self._keys = keys[order]
        self._places = np.array([at for _, *at in found], np.int64)[order]  # street, entry, decision, player
        for player, held in enumerate(self._networks):  # refuses networks of another game
            set_weights(held, parts[player][0])

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        """float64 [n, slots] of the players to act."""
        if part != self._loaded:
            for player, network in enumerate(self._networks):
                set_weights(network, self.parts[player][part])
            self._loaded = part
        legal = batch.legal()
        advantages = np.zeros(legal.shape)
        found = line_keys(batch)
        at = np.minimum(np.searchsorted(self._keys, found), len(self._keys) - 1)
        street, entry, decision, player = self._places[at].T
        for who in range(2):
            for on in range(len(self.plan.columns)):
                rows = np.flatnonzero((player == who) & (street == on))
                if len(rows):
                    self._ask(batch, rows, who, on, entry[rows], decision[rows], advantages)
        return matched(advantages, legal)

    def _ask(
        self, batch: HoldemBatch, rows: np.ndarray, player: int, street: int, entry: np.ndarray, decision: np.ndarray,
        out: np.ndarray,
    ) -> None:  # fmt: skip
        """Write what a player's network says of these rows into out [n, slots]."""
        columns, network = self.plan.columns[street][player], self._networks[player]
        cards = batch.cards[rows].astype(np.int64)
        combos = combo_index(cards[:, 2 * player], cards[:, 2 * player + 1])
        with torch.no_grad():
            if street == 0:
                classes, which = np.unique(COMBO_CLASS[combos], return_inverse=True)
                said = network.before(as_numbers(preflop_rows(classes))).numpy()[which.ravel()]
            else:
                numbers = self._shown(cards[:, 4 : 4 + BOARD_CARDS[street]].astype(np.uint8), combos)
                said = network.on[street - 1](as_numbers(numbers), torch.from_numpy(entry)).numpy()
        for number in np.unique(decision):
            some = np.flatnonzero(decision == number)
            own = slice(int(columns.first[number]), int(columns.first[number + 1]))
            out[np.ix_(rows[some], columns.slot[own])] = said[some, own]

    def _shown(self, boards: np.ndarray, combos: np.ndarray) -> np.ndarray:
        """uint8 [n, BOARD_SIZE], board by board."""
        numbers = np.empty((len(boards), BOARD_SIZE), np.uint8)
        distinct, which = np.unique(boards, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(which.ravel(), minlength=len(distinct)))
        for board, own in zip(distinct, np.split(order, ends[:-1]), strict=True):
            numbers[own] = self._features.rows(board, combos[own])
        return numbers

    def gains(self, on_done: Callable[[int, int], None]) -> tuple[float, float] | None:
        """Chips that a best response gains on each seat, exact over all boards; None where the deck is too large."""
        if not holds_every_board(board_game(self.game)):
            return None
        average = BoardAverage(self.game, self.network)
        for part in range(len(self.weights)):
            self.add_part(average, part)
            on_done(part + 1, len(self.weights))
        return average.gains()

    def add_part(self, average: BoardAverage, part: int) -> None:
        """Add a part with its odds."""
        average.add((self.parts[0][part], self.parts[1][part]), float(self.weights[part]))


class BoardAverage:
    """The explicit average of Single Deep CFR on every board of a small deck, and its exact best responses.

    The strategies of a network go to one number for every hand of every board (up to suits); a sweep of all boards adds
    each player's own reach times strategy, as a blueprint does.
    """

    def __init__(self, game: HoldemGame, network: NetworkSettings, threads: int = 1) -> None:
        self.game, self.threads = game, threads
        self.what = BlueprintGame.of(game, None)
        self.plan = BoardPlan.of(self.what.game, self.what.tree)
        self._networks = [new_board_network(self.plan, player, network, 0) for player in range(2)]
        self._features = RememberedFeatures(game.deck)
        self._boards = [self._below(flop) for flop in range(len(self.what.abstraction.flops))]
        self._engine = BlueprintSolver(self.what, make_schedule("cfr"), len(self._boards[0]), 1, 0, 1)
        root = self.what.root().tables
        self._preflop = PreflopRows.of(root.combos(0, 0))
        self._classes = np.unique(self.what.abstraction.tables.preflop[root.combos(0, 0)])
        self._last = 0.0  # weight of the network added last

    def _below(self, flop: int) -> np.ndarray:
        """uint8 [boards, 5]: all turns and rivers of a flop, in either order."""
        cards = self.what.abstraction.flops[flop]
        left = [card for card in self.game.deck if card not in cards.tolist()]
        pairs = list(permutations(left, 2)) if self.what.streets > 2 else [tuple(left[:2])]
        return np.array([[*cards.tolist(), *pair] for pair in pairs], np.uint8)

    def add(self, weights: tuple[np.ndarray, np.ndarray], weight: float) -> None:
        """Add what networks with these weights (of player 0 and 1) play, with odds in proportion to `weight`."""
        buckets, engine = self._engine.buckets, self._engine
        for player, network in enumerate(self._networks):
            set_weights(network, weights[player])
            self._play_early(player, network)
        for flop, cards in enumerate(self._boards):
            numbers = np.full(len(cards), flop, np.int64)
            self._play(cards, numbers)
        kept = buckets.regrets.copy()
        np.multiply(buckets.averages, np.float32(self._last / weight), out=buckets.averages)
        self._last = weight
        for player in range(2):
            for flop, cards in enumerate(self._boards):
                buckets.regrets[:] = kept  # sweeps add regrets to what was played
                engine.learn(player, cards, np.full(len(cards), flop, np.int64))

    def _play_early(self, player: int, network: BoardNetwork) -> None:
        with torch.no_grad():
            early = network.before(as_numbers(self._preflop.numbers)).numpy()
        width = int(self._engine.buckets.width[0])
        answer(early[None], 0, self.plan.columns[0][player], self._classes, self._room(player, 0), width)

    def _play(self, cards: np.ndarray, flops: np.ndarray) -> None:
        combos = self._engine.listed_combos(cards, flops)
        for street in range(1, self.what.streets):
            places = np.concatenate(self._engine.listed_places(street)).astype(np.int64)
            shown = np.concatenate([
                self._features.rows(board[: BOARD_CARDS[street]], own)
                for board, own in zip(cards, combos[street - 1], strict=True)
            ])  # fmt: skip
            _, first = np.unique(places, return_index=True)
            for player, network in enumerate(self._networks):
                width = int(self._engine.buckets.width[street])
                columns, room = self.plan.columns[street][player], self._room(player, street)
                play_street(network.on[street - 1], columns, shown[first], places[first], room, width)

    def _room(self, player: int, street: int) -> np.ndarray:
        buckets, rows = self._engine.buckets, int(self.what.rows[player, street])
        first = int(buckets.first[player, street])
        return buckets.regrets[first : first + rows * int(buckets.width[street])]

    def gains(self) -> tuple[float, float]:
        """Chips a hand that a best response gains on each seat; exact over all boards."""
        choice = flop_choice("all", self.what.game.deck)
        found = measure_flops(self.what, self._engine.buckets, choice, self.threads).gains
        return found[0], found[1]

    def exploitability(self) -> float:
        """Chips a hand, the mean of both players."""
        return sum(self.gains()) / 2
