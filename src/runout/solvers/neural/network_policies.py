"""What trained networks play in dealt hold'em: `protocols.HoldemPolicy`, from the model buffer of a checkpoint.

Single Deep CFR mixes all networks that it kept, iteration t with odds in proportion to t; one is drawn a hand. Deep CFR
plays its average networks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from runout.cards.hands import COMBO_CLASS, combo_index
from runout.config import validated
from runout.errors import SolutionError
from runout.games.encoders import Features, HoldemEncoder
from runout.games.flop_features import FLOP_SIZE, flop_rows, preflop_rows
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem, settings_of
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.tree import TO_CHANCE, TO_NODE
from runout.solutions.format import Bundle
from runout.solutions.stored import fitting
from runout.solvers.neural import flop_shard, holdem_shard
from runout.solvers.neural.board_policies import BoardPolicy
from runout.solvers.neural.flop_average import FlopAverage
from runout.solvers.neural.flop_plan import player_columns
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import new_network, set_weights
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings, walks_ranges

BOARDS = "boards"  # in a checkpoint: its networks answer for entries and boards


class NetworkPolicy:
    """Networks of limit or no-limit hold'em, of both players and every part."""

    def __init__(
        self, game: HoldemGame, network: NetworkSettings, parts: list[np.ndarray], weights: np.ndarray, averages: bool
    ) -> None:
        torch.set_num_threads(1)
        self.game, self.encoder, self.weights = game, HoldemEncoder(game), weights
        self._parts, self._averages, self._precision = parts, averages, network.precision
        shape = holdem_shard.network_shape(game, network)
        self._networks = [new_network(shape, 0) for _ in range(2)]
        self._loaded = -1
        for held, own in zip(self._networks, parts, strict=True):  # refuses networks of another game
            set_weights(held, own[0])

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        """float64 [n, slots] of the players to act."""
        if part != self._loaded:
            for player, network in enumerate(self._networks):
                set_weights(network, self._parts[player][part])
            self._loaded = part
        features = self.encoder.encode_batch(batch)
        out = np.zeros(features.legal.shape)
        for player, network in enumerate(self._networks):
            rows = np.flatnonzero(batch.player == player)
            if len(rows):
                own = Features(*(column[rows] for column in features))
                found = holdem_shard.answers(network, own, self._precision)
                out[rows] = matched(np.maximum(found, 0) if self._averages else found, own.legal)
        return out


class FlopPolicy:
    """Networks of Flop Hold'em, which answer for all betting nodes of a hand and flop at once."""

    def __init__(
        self,
        settings: LimitHoldem,
        network: NetworkSettings,
        parts: list[np.ndarray],
        weights: np.ndarray,
        iterations: np.ndarray,
    ) -> None:
        torch.set_num_threads(1)
        self.game, self.weights, self.parts, self.network = settings.game(), weights, parts, network
        self.iterations = iterations  # at which each part was played
        self.flop_game = FlopHoldem.of_limit(settings)
        sgd, memory = SgdSettings.model_validate({}), MemorySettings.model_validate({})
        problem = flop_shard.FlopProblem(self.flop_game, network, sgd, memory, 0)
        self._networks = [problem.network(player, "", 0) for player in range(2)]
        self._first = self._columns(problem)
        self._loaded = -1
        for held, own in zip(self._networks, parts, strict=True):  # refuses networks of another game
            set_weights(held, own[0])

    def _columns(self, problem: flop_shard.FlopProblem) -> dict[bytes, tuple[int, int]]:
        """By the chips put in so far (a row of `HoldemBatch.added`): street, and first column of the decision."""
        tree = problem.game.tree
        number = []  # of every node among those of its player on its street
        for part in tree.streets:
            ranks = np.zeros(part.nodes, np.int64)
            for player in range(2):
                mine = part.player == player
                ranks[mine] = np.arange(mine.sum())
            number.append(ranks)
        found: dict[bytes, tuple[int, int]] = {}
        batch = HoldemBatch(self.game, np.array([self.game.deck[:9]], np.uint8))
        waiting = [(batch, 0, 0)]
        while waiting:
            at, street, node = waiting.pop()
            betting = tree.streets[street]
            player = int(betting.player[node])
            first = player_columns(tree, player)[street].first[number[street][node]]
            found[at.added[0].tobytes()] = street, int(first)
            for action, slot in enumerate(np.flatnonzero(at.legal()[0])):
                place = int(betting.first_edge[node]) + action
                after = at.take(np.zeros(1, np.int64))
                after.act(np.array([slot]))
                if betting.child_kind[place] == TO_NODE:
                    waiting.append((after, street, int(betting.child[place])))
                elif betting.child_kind[place] == TO_CHANCE:
                    waiting.append((after, 1, int(tree.streets[1].entry_node[betting.child[place]])))
        return found

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        """float64 [n, slots] of the players to act."""
        if part != self._loaded:
            for player, network in enumerate(self._networks):
                set_weights(network, self.parts[player][part])
            self._loaded = part
        legal = batch.legal()
        advantages = np.zeros(legal.shape)
        lines, which = np.unique(batch.added.reshape(len(batch), -1), axis=0, return_inverse=True)
        for number, line in enumerate(lines):
            rows = np.flatnonzero(which.ravel() == number)
            street, first = self._first[np.ascontiguousarray(line).tobytes()]
            slots = np.flatnonzero(legal[rows[0]])
            player = int(batch.player[rows[0]])
            found = self._answers(batch, rows, player, street)
            advantages[np.ix_(rows, slots)] = found[:, first : first + len(slots)]
        return matched(advantages, legal)

    def _answers(self, batch: HoldemBatch, rows: np.ndarray, player: int, street: int) -> np.ndarray:
        """float32 [rows, columns] of a player on a street."""
        network, cards = self._networks[player], batch.cards[rows].astype(np.int64)
        combos = combo_index(cards[:, 2 * player], cards[:, 2 * player + 1])
        if street == 0:
            classes, which = np.unique(COMBO_CLASS[combos], return_inverse=True)
            return flop_shard.answers(network.before, preflop_rows(classes), self.network.precision)[which.ravel()]
        flops, which = np.unique(np.sort(cards[:, 4:7], axis=1), axis=0, return_inverse=True)
        numbers = np.empty((len(rows), FLOP_SIZE), np.uint8)
        for number, flop in enumerate(flops):
            held = np.flatnonzero(which.ravel() == number)
            numbers[held] = flop_rows(flop.astype(np.uint8), combos[held], self.flop_game.game().deck)
        return flop_shard.answers(network.on, numbers, self.network.precision)

    def average(self, threads: int = 2) -> FlopAverage:
        """Where the explicit average of the parts can be built up, on all flops: `add_part` adds one."""
        return FlopAverage(self.flop_game, self.network, threads)

    def add_part(self, average: FlopAverage, part: int) -> None:
        """Add a part with its odds."""
        average.add((self.parts[0][part], self.parts[1][part]), float(self.weights[part]))


def load_policy(bundle: Bundle) -> NetworkPolicy | FlopPolicy | BoardPolicy:
    """What the networks of a checkpoint play."""
    config: Mapping[str, Any] = bundle.config
    settings = settings_of(str(config["game_type"]), config.get("game") or {})
    network = validated(NetworkSettings, config.get("network") or {})
    memory = validated(MemorySettings, config.get("memory") or {})
    deep = config["training"]["solver"] == "deep-cfr"
    name = "network_averages" if deep else "network_advantages"
    parts, weights = [bundle.arrays[f"{name}{player}"] for player in range(2)], bundle.arrays["weights"]
    for number, part in enumerate(parts):
        fitting({name: part}, name, part.shape, np.float32)
        if part.ndim != 2 or not len(part):
            raise SolutionError(f"the checkpoint holds no networks of player {number}")
    fitting({"weights": weights}, "weights", (len(weights),), np.float64, 0)
    if not deep and not weights.sum() > 0:
        raise SolutionError("the checkpoint's networks have no weights")
    if any(part.ndim != 2 or len(part) != len(weights) for part in parts) and not deep:
        raise SolutionError("the checkpoint's networks and their weights do not belong together")
    try:
        if walks_ranges(settings, str(config["training"]["solver"]), memory):
            return FlopPolicy(settings, network, parts, weights, bundle.arrays["kept"])
        if bundle.reached.get("walks") == BOARDS:  # runs of 0.1.0 walked dealt hands
            return BoardPolicy(settings.game(), network, parts, weights, bundle.arrays["kept"])
        return NetworkPolicy(settings.game(), network, parts, np.ones(1) if deep else weights, deep)
    except ValueError as error:
        raise SolutionError(f"the checkpoint's networks do not fit its settings: {error}") from None
