"""A batch of boards that networks play: hands are listed, networks asked about all of them, and the engine sweeps."""

from __future__ import annotations

from collections import OrderedDict
from math import comb

import numpy as np
import torch

from runout.cards.abstraction import AbstractionSettings
from runout.games.board_features import BoardFeatures
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.games.points import BOARD_CARDS
from runout.kernels.board_networks import play_entries
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.neural.board_networks import BoardNetwork, StreetNetwork, as_numbers
from runout.solvers.neural.board_plan import BoardPlan, StreetColumns
from runout.solvers.neural.flop_plan import PreflopRows
from runout.solvers.neural.networks import device_of
from runout.solvers.schedules import make_schedule

TOGETHER = 1 << 22  # numbers that are answered at a time: entries times hands times columns
REMEMBERED = 4096  # boards whose features are kept
MEASURED_NUMBERS = 60_000_000  # of all hands, boards and actions of a deck that is measured exactly
_ONE = {"flop": 1, "turn": 1, "river": 1}  # buckets: none are asked for


def board_game(game: HoldemGame) -> BlueprintGame:
    """The game for the range engine, with no buckets after the first street. Refused where it cannot be walked so."""
    return BlueprintGame.of(game, AbstractionSettings.model_validate(_ONE))


def holds_every_board(what: BlueprintGame) -> bool:
    """Whether every hand of every board can be held, so that an average is measured exactly, in seconds."""
    deck, rows, hands = len(what.game.deck), what.rows, comb(len(what.game.deck), 2)
    flops = len(what.abstraction.flops)
    numbers = sum(int(rows[:, s].sum()) * flops * deck ** (s - 1) * hands for s in range(1, what.streets))
    return deck < len(FULL_DECK) and numbers <= MEASURED_NUMBERS


class RememberedFeatures:
    """Rows of boards, the newest of which are kept."""

    def __init__(self, deck: tuple[int, ...]) -> None:
        self._features = BoardFeatures(deck)
        self._kept: OrderedDict[bytes, np.ndarray] = OrderedDict()

    def rows(self, board: np.ndarray, combos: np.ndarray) -> np.ndarray:
        """As `BoardFeatures.rows`."""
        key = board.tobytes() + combos.astype(np.int16).tobytes()
        if key not in self._kept:
            self._kept[key] = self._features.rows(board, combos)
            if len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        return self._kept[key]


class BoardWalk:
    """The engine over `batch` boards at a time."""

    def __init__(self, what: BlueprintGame, batch: int, seed: int) -> None:
        self.what, self.plan = what, BoardPlan.of(what.game, what.tree)
        self.engine = BlueprintSolver(what, make_schedule("cfr"), batch, 1, seed, 1, own=True)
        self.preflop = PreflopRows.of(what.root().tables.combos(0, 0))
        self.classes = np.unique(what.abstraction.tables.preflop[what.root().tables.combos(0, 0)])
        self.features = RememberedFeatures(what.game.deck)

    def sweep(
        self, player: int, networks: list[BoardNetwork], cards: np.ndarray, flops: np.ndarray
    ) -> list[list[np.ndarray]]:
        """Regrets of a player under what networks play on these boards are in the engine after it; what was shown of
        every board's hands, [street after the first][board], uint8 [hands, BOARD_SIZE]."""
        shown = self.shown(cards, flops)
        for side, network in enumerate(networks):
            self.play(side, network, shown)
        self.engine.learn(player, cards, flops)
        return shown

    def shown(self, cards: np.ndarray, flops: np.ndarray) -> list[list[np.ndarray]]:
        """What networks are shown of the hands of these boards, as `sweep` gives it."""
        return [
            [self.features.rows(board[: BOARD_CARDS[street]], own) for board, own in zip(cards, combos, strict=True)]
            for street, combos in enumerate(self.engine.listed_combos(cards, flops), 1)
        ]

    def hands(self, street: int) -> int:
        """On every board of a street."""
        return comb(len(self.what.game.deck) - BOARD_CARDS[street], 2)

    def play(self, player: int, network: BoardNetwork, shown: list[list[np.ndarray]]) -> None:
        """Let a player play by a network, whose strategies go where the engine looks for them."""
        buckets = self.engine.buckets
        columns = self.plan.columns[0][player]
        with torch.no_grad():
            early = network.before(as_numbers(self.preflop.numbers)).cpu().numpy()
        answer(early[None], 0, columns, self.classes, self._room(player, 0), int(buckets.width[0]))
        for street, own in enumerate(network.on, 1):
            boards = self.engine.listed_places(street)
            numbers = np.concatenate(shown[street - 1])
            places = np.concatenate(boards)
            play_street(own, self.plan.columns[street][player], numbers, places, self._room(player, street),
                        int(buckets.width[street]))  # fmt: skip

    def _room(self, player: int, street: int) -> np.ndarray:
        buckets, rows = self.engine.buckets, int(self.what.rows[player, street])
        first = int(buckets.first[player, street])
        return buckets.regrets[first : first + rows * int(buckets.width[street])]


def answer(
    advantages: np.ndarray, entry: int, columns: StreetColumns, places: np.ndarray, out: np.ndarray, width: int
) -> None:
    """Regret matching of advantages [entries, hands, columns] into the engine's rows."""
    play_entries(np.ascontiguousarray(advantages, np.float32), entry, columns.rows, columns.first,
                 places.astype(np.int64), width, out)  # fmt: skip


def play_street(
    network: StreetNetwork, columns: StreetColumns, numbers: np.ndarray, places: np.ndarray, out: np.ndarray, width: int
) -> None:
    """What a network plays with all hands, uint8 [n, BOARD_SIZE], at all entries of a street."""
    if not columns.count:
        return
    device = device_of(network)
    with torch.no_grad():
        hands, entries = network.hands(as_numbers(numbers).to(device)), network.entries()
        each = max(1, TOGETHER // max(1, len(numbers) * max(columns.count, hands.shape[1])))
        for first in range(0, columns.entries, each):
            found = network.join(hands[None], entries[first : first + each, None])
            answer(found.cpu().numpy(), first, columns, places, out, width)
