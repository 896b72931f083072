"""Parts of the whole game, solved anew: where one begins, what is played there so far, and how it is entered.

1. A `Known` is a strategy of both players in a betting tree: a blueprint, or a part that was solved before.
2. A `Subgame` is what is left of a hand at some point: betting so far, board, both ranges.
3. `resolve` solves it with the exact range engine. The opponent of the player for whom it is solved comes in through a
   gadget (`kernels.gadget`): what staying out is worth to each hand is what a best response against the known strategy
   of the player would get here, one sweep of the same engine. So the new strategy loses no more to any opponent than
   the known one did, but for what solving leaves open.

A betting tree is numbered depth first, so the nodes below a node, and on later streets the entries below it, are
neighbours: a tree that is built from a point in mid-hand on is numbered as that part of the whole tree is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.games import tree as trees
from runout.games.betting import BettingState
from runout.games.boards import BoardStreet, board_tree
from runout.games.holdem_game import HoldemGame
from runout.games.menus import Menu
from runout.games.points import BOARD_CARDS
from runout.games.tree import RUNOUT, TO_CHANCE, BettingTree
from runout.kernels.abstraction import set_numbers
from runout.kernels.board_buckets import bucket_boards
from runout.kernels.gadget import MAX_MARGIN, NO_GADGET, RE_SOLVE
from runout.kernels.lines import BEST_RESPONSE
from runout.solvers.auto import range_schedule
from runout.solvers.blueprint import new_notes
from runout.solvers.blueprint_game import with_buckets
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.range_plan import storage_places
from runout.solvers.ranges import RangeGame, RangeSolver

GADGETS = {"re-solve": RE_SOLVE, "max-margin": MAX_MARGIN, "none": NO_GADGET}
UNEXPECTED = 0.01  # weight of a hand that the opponent should not have here, beside the most likely one
FAINTEST = 1e-6  # of the most likely hand: what has less of it left is not solved for
SCHEDULE = range_schedule("auto")


def lean(menu: Menu) -> Menu:
    """A menu with fewer bets from the flop on: of the bets of a street the middle size, and no raise but all-in."""
    streets = list(menu.streets)
    for street in range(1, len(streets)):
        own = streets[street]
        bet = tuple(sizes[len(sizes) // 2 : len(sizes) // 2 + 1] for sizes in own.bet)
        streets[street] = replace(own, bet=(bet[0], bet[1]), raises=(((),), ((),)), donk=None)
    return replace(menu, streets=(streets[0], streets[1], streets[2], streets[3]))


class Place(NamedTuple):
    """A decision of a tree: index of its street, and node."""

    street: int
    node: int


class Known(Protocol):
    """A strategy of both players in a betting tree; hands are combos."""

    tree: BettingTree
    menu: Menu  # that the tree was built by

    def rows(self, player: int, street: int, first: int, count: int, board: Sequence[int]) -> np.ndarray:
        """float32 [count, 1326]: numbers of a player's actions on a street, in proportion to which they are played."""


def known_rows(known: Known, place: Place, board: Sequence[int]) -> np.ndarray:
    """float64 [actions, 1326] of a decision: in proportion to how often each action is taken with every hand; 0 for
    hands of which nothing is known."""
    street = known.tree.streets[place.street]
    first, last = street.first_edge[place.node : place.node + 2]
    row = int(storage_places(street)[0][first])
    return known.rows(int(street.player[place.node]), place.street, row, int(last - first), board).astype(np.float64)


def shares_of(rows: np.ndarray) -> np.ndarray:
    """float64 [actions, 1326]: the same as shares that add up to 1; even where nothing is known."""
    total = rows.sum(axis=0)
    return np.asarray(np.divide(rows, total, out=np.full_like(rows, 1 / len(rows)), where=total > 0))


class BlueprintKnown:
    """The average strategy of a blueprint."""

    def __init__(self, policy: BlueprintPolicy) -> None:
        self.what, self._learnt = policy.what, policy.buckets
        self.tree, self.menu = self.what.tree, self.what.game.menu
        self._notes = new_notes()
        self._on_board = lru_cache(256)(self._boards_buckets)

    def rows(self, player: int, street: int, first: int, count: int, board: Sequence[int]) -> np.ndarray:
        width = int(self._learnt.width[street])
        at = int(self._learnt.first[player, street]) + first * width
        table = self._learnt.averages[at : at + count * width].reshape(count, width)
        return np.asarray(np.maximum(table[:, self.buckets(street, board)], 0))

    def buckets(self, street: int, board: Sequence[int]) -> np.ndarray:
        """int32 [1326]: the bucket of every hand on a board; 0 for those that it blocks."""
        if street == 0:
            return self.what.abstraction.tables.preflop
        before = tuple(int(card) for card in board[: BOARD_CARDS[street]])
        if street < 3:
            return np.asarray(self._on_board(street, before)[-1])
        return np.asarray(self._on_board(street, before[:4])[before[4]])

    def _boards_buckets(self, street: int, board: tuple[int, ...]) -> np.ndarray:
        """int32 [53, 1326]: on the board itself (the last row), or, of a turn, on its rivers by the card that comes."""
        tables, deck = self.what.abstraction.tables, self.what.game.deck
        number = np.empty(1, np.int64)
        set_numbers(np.array([[0, 0, 0, 0, *board[:3], 0, 0]], np.uint8), 3, number)
        flop, renaming = int(tables.flop_row[number[0]]), int(tables.flop_renaming[number[0]])
        renamed = [*self.what.abstraction.flops[flop].tolist(), *tables.card_images[renaming, list(board[3:])].tolist()]
        weights = self.what.game.weights * ~np.isin(COMBO_CARDS, renamed).any(axis=1)
        rivers = street == 3
        boards = board_tree(renamed, weights, (1,) if rivers else (), (), False, 1, deck)[-1]
        self.what.abstraction.meet(boards.cards)
        part = with_buckets(boards.tables)
        bucket_boards(part, street, boards.cards, flop, tables, self._notes)
        own = tables.images[renaming].astype(np.int64)  # where each combo goes
        back = np.argsort(tables.card_images[renaming])  # the card that became each
        found = np.zeros((53, COMBOS), np.int32)
        for row in range(len(boards.cards)):
            first, count = int(part.hands[0, row]), int(part.count[0, row])
            by_combo = np.zeros(COMBOS, np.int32)
            by_combo[part.combos(0, row)] = part.bucket[first : first + count]
            found[back[boards.cards[row, 4]] if rivers else -1] = by_combo[own]
        return found


class SolvedKnown:
    """What a solved subgame plays: of the opponent on its first street alone."""

    def __init__(self, solver: RangeSolver, board: Sequence[int], player: int, menu: Menu) -> None:
        self.tree, self.board, self.menu = solver.game.tree, tuple(board), menu
        self._rows: dict[tuple[int, int, tuple[int, ...]], tuple[np.ndarray, np.ndarray]] = {}
        kept = solver.averages
        for street, boards in enumerate(solver.game.boards):
            for side in range(2) if street == 0 else (player,):
                rows = storage_places(self.tree.streets[street])[1][side]
                table = solver.boards[street]
                for index, cards in enumerate(boards.cards):
                    at, stride = int(table.store[side, index]), int(table.stride[side, index])
                    count = int(table.count[side, index])
                    found = kept[at : at + rows * stride].reshape(rows, stride)[:, :count]
                    key = (side, street, tuple(int(card) for card in cards))
                    self._rows[key] = found.astype(np.float32 if street == 0 else np.float16), table.combos(side, index)

    def rows(self, player: int, street: int, first: int, count: int, board: Sequence[int]) -> np.ndarray:
        found = np.zeros((count, COMBOS), np.float32)
        shown = tuple(int(card) for card in board[: len(self.board) + street])
        if (player, street, shown) in self._rows:
            rows, combos = self._rows[player, street, shown]
            found[:, combos] = rows[first : first + count]
        return found


@dataclass(frozen=True)
class Subgame:
    """What is left of a hand."""

    game: HoldemGame
    state: BettingState  # somebody is to act
    board: tuple[int, ...]  # open cards
    ranges: np.ndarray  # float64 [2, 1326]: both players', any scale
    player: int  # for whom it is solved
    menu: Menu | None = None  # what may be done; None: what the game offers

    def tree(self) -> BettingTree:
        """The betting from here on."""
        start = replace(self.state, rules=self.game.rules)
        built = trees.build(start, self.menu or self.game.menu, None, self.game.wording)
        return built.with_streets(self.game.rules.last_street - start.street + 1)

    def weights(self) -> np.ndarray:
        """float64 [2, 1326]: ranges that are solved with, the most likely hand at 1. The player has what has got here,
        the opponent any hand that the board leaves: those that should not be here a little."""
        live = self.game.weights[0] > 0
        live &= ~np.isin(COMBO_CARDS, self.board).any(axis=1)
        found = np.where(live, self.ranges, 0.0)
        found /= np.maximum(found.max(axis=1, keepdims=True), 1e-300)
        found[found < FAINTEST] = 0
        if not found[self.player].any():
            found[self.player] = live
        found[1 - self.player] = np.maximum(found[1 - self.player], np.where(live, UNEXPECTED, 0.0))
        return found

    def range_game(self, tree: BettingTree, weights: np.ndarray, threads: int = 1) -> RangeGame:
        """As the range engine takes it."""
        return RangeGame(tree, self.boards(tree, weights, threads), weights, self.game.rake.of)

    def boards(self, tree: BettingTree, weights: np.ndarray, threads: int = 1) -> list[BoardStreet]:
        cards = BOARD_CARDS[self.state.street : self.game.rules.last_street + 1]
        deals = tuple(after - before for before, after in pairwise(cards))
        runouts = [bool((street.terminal_kind == RUNOUT).any()) for street in tree.streets]
        return board_tree(self.board, weights, deals, runouts, False, threads, self.game.deck)


def below(known: BettingTree, place: Place, part: BettingTree) -> list[np.ndarray]:
    """int64 [2] a street of `part`: the first row of each player among those of the street of `known`, where `part` was
    built from `place` of it on; ValueError where it was not."""
    found, node = [], place.node
    for index, street in enumerate(part.streets):
        whole = known.streets[place.street + index]
        edges = slice(int(whole.first_edge[node]), int(whole.first_edge[node]) + street.edges)
        if street.nodes == 0:
            found.append(np.zeros(2, np.int64))
            continue
        same = np.array_equal(whole.action[edges], street.action) and np.array_equal(whole.amount[edges], street.amount)
        if not same:
            raise ValueError("the part was not built from that place of the tree")
        before = whole.player[whole.edge_owner()[: edges.start]]
        found.append(np.array([(before == player).sum() for player in range(2)]))
        on = np.flatnonzero(whole.child_kind[edges] == TO_CHANCE)
        if len(on) and index + 1 < len(part.streets):
            node = int(known.streets[place.street + index + 1].entry_node[whole.child[edges][on].min()])
    return found


def play_as(solver: RangeSolver, known: Known, place: Place, player: int) -> None:
    """Make what is known from `place` on the average strategy of a player in a solver of the part that begins there."""
    firsts = below(known.tree, place, solver.game.tree)
    kept = solver.averages
    for street, boards in enumerate(solver.game.boards):
        rows = storage_places(solver.game.tree.streets[street])[1][player]
        table = solver.boards[street]
        for index, cards in enumerate(boards.cards if rows else ()):
            found = known.rows(player, place.street + street, int(firsts[street][player]), rows, cards)
            at, stride = int(table.store[player, index]), int(table.stride[player, index])
            count = int(table.count[player, index])
            target = kept[at : at + rows * stride].reshape(rows, stride)
            target[:, :count] = found[:, table.combos(player, index)]


def opponents_met(weights: np.ndarray, combos: np.ndarray) -> np.ndarray:
    """float64 [h]: weight of the hands, float64 [1326], that share no card with each of some combos."""
    by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(weights, 2), 52)
    return np.asarray(weights.sum() - by_card[COMBO_CARDS[combos]].sum(axis=1) + weights[combos])


@dataclass(frozen=True)
class Patience:
    """How long a subgame is solved: so many iterations, or as many as there is time for."""

    iterations: int | None = None
    seconds: float = 1.0  # from `begun` on
    begun: float = 0.0  # by the clock
    clock: Callable[[], float] = time.perf_counter
    most: int = 1000  # iterations, where there is time for more
    threads: int = 1


@dataclass(frozen=True)
class Resolved:
    """A subgame that was solved."""

    solver: RangeSolver
    alternatives: np.ndarray  # float64 [hands of the opponent]: what staying out is worth; empty without a gadget
    seconds: float  # of an iteration

    @property
    def iterations(self) -> int:
        return self.solver.iteration


def size(tree: BettingTree, weights: np.ndarray, board_cards: int, deck: int) -> int:
    """Numbers that an iteration looks at: actions times hands times boards."""
    hands, found, boards = (weights > 0).sum(axis=1), 0, 1
    for index, street in enumerate(tree.streets):
        rows = storage_places(street)[1]
        found += boards * int(rows[0] * hands[0] + rows[1] * hands[1])
        boards *= deck - board_cards - index
    return found


def alternatives(game: RangeGame, known: Known, place: Place, player: int) -> np.ndarray:
    """float64 [hands of the opponent]: what each gets by a best response to what is known of `player` from a place on;
    `game` is the part that begins there."""
    solver = RangeSolver(game, SCHEDULE, 1)
    play_as(solver, known, place, player)
    return solver.values(1 - player, BEST_RESPONSE)


def resolve(
    subgame: Subgame,
    known: Known,
    place: Place | None,
    gadget: int,
    effort: Patience,
    before: Subgame | None = None,
    scale: float = 1.0,
    trust: float = 0.0,
) -> Resolved:
    """Solve a subgame that stands at `place` of what is known (without a gadget, nothing has to be known).

    before: the point that the place stands for, where that is another one than the subgame's: the opponent's last
    action is not in the known tree, and staying out is worth what the actions before which it was taken are; or pots
    differ because bets were translated; or the subgame has another menu than what is known. scale: what values there
    are multiplied by to be values here. trust: share of the opponent that comes in with the range that is expected,
    whatever the gadget says; 0 is safe.
    """
    weights, tree, other = subgame.weights(), subgame.tree(), 1 - subgame.player
    solver = RangeSolver(subgame.range_game(tree, weights, effort.threads), SCHEDULE, effort.threads)
    instead = np.zeros(0)
    if gadget != NO_GADGET and place is not None:
        if before is None:
            play_as(solver, known, place, subgame.player)
            instead = solver.values(other, BEST_RESPONSE)
            solver.averages[:] = 0
        else:
            whole = before.range_game(before.tree(), weights, effort.threads)
            instead = alternatives(whole, known, place, subgame.player) * scale
        combos = solver.hands(other, 0, 0)
        met = opponents_met(weights[subgame.player], combos)
        expected = np.where(weights[other] > UNEXPECTED, weights[other], 0.0)[combos]
        if gadget == RE_SOLVE:
            coming = weights[other][combos]
        else:
            coming = np.divide(1, met, out=np.zeros_like(met), where=met > 0)
            expected = expected / max(float(expected @ met), 1e-300)  # one deal, as what is chosen is
        solver.enter_through(gadget, other, trust * expected, (1 - trust) * coming, instead)
    return Resolved(solver, instead, _run(solver, effort))


def _run(solver: RangeSolver, effort: Patience) -> float:
    """Step by the clock, in a few calls; the seconds of an iteration."""
    begun = effort.clock()
    if effort.iterations is not None:
        solver.step(effort.iterations)
        return (effort.clock() - begun) / effort.iterations
    ahead, one = 1, 0.0
    while ahead >= 1:
        at = effort.clock()
        solver.step(ahead)
        now = effort.clock()
        one = max((now - at) / ahead, 1e-7)
        left = effort.begun + effort.seconds - now
        ahead = min(int(0.9 * left / one), 4 * ahead, effort.most - solver.iteration)
    return one
