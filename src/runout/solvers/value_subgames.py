"""Subgames that value networks learn from: what is left of hands at the start of a turn or river, solved exactly.

1. `draw` makes one up: a board, chips, and two ranges. Most ranges are those of called pots before the flop, played on:
   on every street in between somebody may have bet, and what is left of a range depends on how strong its hands are
   there, in a way that is drawn. The others are made up altogether.
2. `solve` plays it with the range engine and bets of `BETTING`, and gives what every hand of both players gains.

Subgame n of a seed is always the same, whoever makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from runout.cards.cards import DECK
from runout.cards.hands import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS
from runout.cards.strength_features import beaten_shares
from runout.games import tree as trees
from runout.games.betting import Rules, start
from runout.games.boards import board_tree
from runout.games.holdem_game import FULL_DECK
from runout.games.lines import IN_CHIPS
from runout.games.spot import Betting
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels.lines import AVERAGE
from runout.solvers.auto import range_schedule
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.subgames import opponents_met

BETTING = Betting.model_validate(
    {
        "turn": {"bet": "66%", "raise": "60%"},
        "river": {"bet": "75%", "raise": "60%"},
        "force_all_in": 0.25,
        "max_bets": 3,
    }
)
ITERATIONS = {4: 30, 5: 80}  # by board cards: about 2% of the pot on a turn, 0.1% on a river
POT = 1000  # chips
RATIOS = np.geomspace(0.05, 60, 48)  # stacks as multiples of the pot: those in between are taken as the nearest
PLAYED = 0.75  # share of subgames whose ranges are those of called pots
BETS = (0.33, 0.5, 0.66, 0.75, 1.0, 1.5)  # that may have been made before, of the pot
NOISE = 0.15  # in how strong a hand is taken to be


@dataclass(frozen=True)
class CalledRanges:
    """A pot that was called before the flop: who may still be in it."""

    ranges: np.ndarray  # float64 [2, 1326]
    pot: float
    stack: float
    chance: float  # of getting there


@dataclass(frozen=True)
class ValueSubgame:
    """What is left of a hand: board, chips and ranges."""

    board: tuple[int, ...]
    ratio: float  # stack as a multiple of the pot
    ranges: np.ndarray  # float64 [2, 1326]: the most likely hand has 1

    def live(self) -> np.ndarray:
        """bool [1326]: hands that the board leaves."""
        return np.asarray(~np.isin(COMBO_CARDS, self.board).any(axis=1))


def draw(pots: Sequence[CalledRanges], cards: int, seed: int, number: int) -> ValueSubgame:
    """Subgame `number` of a seed, on a board with so many cards."""
    random = np.random.default_rng([seed, cards, number])
    while True:
        board = random.choice(DECK, cards, replace=False).tolist()
        live = ~np.isin(COMBO_CARDS, board).any(axis=1)
        found, ratio = _played(random, pots, board) if pots and random.random() < PLAYED else _made_up(random, board)
        found = found * live
        if (found.max(axis=1) > 0).all() and opponents_met(found[0], np.flatnonzero(found[1])).max() > 0:
            nearest = float(RATIOS[np.abs(np.log(RATIOS / ratio)).argmin()])
            return ValueSubgame(tuple(board), nearest, found / found.max(axis=1, keepdims=True))


def _played(
    random: np.random.Generator, pots: Sequence[CalledRanges], board: Sequence[int]
) -> tuple[np.ndarray, float]:
    """Ranges of a called pot after the streets that come before the last card of a board, and the chips."""
    odds = np.sqrt([one.chance for one in pots])
    began = pots[int(random.choice(len(pots), p=odds / odds.sum()))]
    found, pot, stack = began.ranges.copy(), began.pot, began.stack
    for cards in range(3, len(board)):
        bet = min(float(random.choice(BETS)) * pot, 0.95 * stack) if random.random() < 0.5 else 0.0
        pot, stack = pot + 2 * bet, stack - bet
        for player in range(2):
            found[player] *= _kept(random, board[:cards])
    return found, stack / pot


def _made_up(random: np.random.Generator, board: Sequence[int]) -> tuple[np.ndarray, float]:
    """Ranges that need not make sense."""
    found = np.stack([_kept(random, board) * _kept(random, board) for _ in range(2)])
    for player in range(2):
        found[player] *= (random.random(CLASSES) < random.uniform(0.15, 1.0))[COMBO_CLASS]
    return found, float(np.exp(random.uniform(np.log(0.1), np.log(30))))


def _kept(random: np.random.Generator, board: Sequence[int]) -> np.ndarray:
    """float64 [1326]: how much of each hand is left after a street, by how strong it is on a board: mostly the strong
    ones, the weak ones, both, those in between, or no matter."""
    combos = np.flatnonzero(~np.isin(COMBO_CARDS, board).any(axis=1))
    share = beaten_shares(np.array([board], np.uint8), combos)[0] + random.normal(0, NOISE, len(combos))
    share = np.clip(share, 0, 1)
    far = np.abs(2 * share - 1)
    shape = (share, 1 - share, far, 1 - far, np.ones_like(share))[int(random.integers(5))]
    least = random.uniform(0, 0.5)
    found = np.zeros(COMBOS)
    found[combos] = least + (1 - least) * shape ** random.uniform(0.5, 4)
    return found


@lru_cache(256)
def _tree(cards: int, chips: int) -> BettingTree:
    rules = Rules.postflop(POT, chips, cards - 2, BETTING.max_bets)
    return trees.build(start(rules), BETTING.by_sizes, None, IN_CHIPS).with_streets(rules.streets)


def solve(subgame: ValueSubgame, iterations: int | None = None) -> tuple[np.ndarray, float]:
    """float64 [2, 1326]: what every hand gains over half the pot, in pots, against the other's range as both play on;
    NaN where it meets no hand. And exploitability, in % of the pot."""
    cards = len(subgame.board)
    tree = _tree(cards, max(1, round(subgame.ratio * POT)))
    # Every hand is told its value, also those that a range does not hold.
    weights = np.where(subgame.live(), np.maximum(subgame.ranges, 1e-4), 0.0)
    runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
    boards = board_tree(subgame.board, weights, (1,) * (5 - cards), runouts, True, 1, FULL_DECK)
    solver = RangeSolver(RangeGame(tree, boards, weights, _no_rake), range_schedule("auto"), 1)
    solver.step(ITERATIONS[cards] if iterations is None else iterations)
    found = np.full((2, COMBOS), np.nan)
    for player in range(2):
        combos = solver.hands(player, 0, 0)
        met = opponents_met(weights[1 - player], combos)
        gains = solver.values(player, AVERAGE) / POT
        found[player, combos] = np.divide(gains, met, out=np.full_like(gains, np.nan), where=met > 1e-9)
    return found, 100 * solver.exploitability() / POT


def _no_rake(_: float) -> float:
    return 0.0
