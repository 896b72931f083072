"""Policies of dealt hold'em on the range engine: two streets of limit, where a best response is exact.

A policy that is a mixture of parts plays, seen over many hands, the average of its parts weighed by how likely each
plays the own actions up to a decision. That average is what the engine's storage holds.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from runout import memory
from runout.cards.hands import COMBO_CARDS, COMBOS
from runout.games.betting import CALL, CHECK, FOLD
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import CALL_SLOT, DEAL_CARDS, FIRST_SIZE, FOLD_SLOT, HoldemGame
from runout.games.tree import TO_CHANCE, TO_NODE, BettingTree, StreetTree
from runout.protocols import HoldemPolicy
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.range_values import range_values
from runout.solvers.ranges import RangeSolver, range_game

_SLOTS = {FOLD: FOLD_SLOT, CHECK: CALL_SLOT, CALL: CALL_SLOT}  # others are the one size of limit games


class ExactMeasure:
    """Values and exploitability of policies for one game, exact; for games that the range engine can hold."""

    def __init__(self, game: HoldemGame, threads: int = 0) -> None:
        self.game, self.threads = game, threads
        settings = game.settings
        flop = isinstance(settings, LimitHoldem) and settings.num_streets == 2
        before_flop = game.rules.blinds[0] + (game.rules.fixed_bet(0) or 0) * (game.rules.cap(0) or 0)
        self.possible = flop and before_flop < game.rules.stack  # all-ins before the flop need run-outs

    @cached_property
    def solver(self) -> RangeSolver | None:
        """The engine, its averages to be filled; None where the game is not for it or does not fit."""
        if not self.possible:
            return None
        assert isinstance(self.game.settings, LimitHoldem)
        settings = FlopHoldem.of_limit(self.game.settings)
        game = range_game(settings, threads=self.threads)
        if not memory.fits(estimate(game.tree, game.boards).bytes()):
            return None
        return RangeSolver(game, range_schedule("auto"), self.threads)

    def exploitability(self, policy: HoldemPolicy) -> float | None:
        """mbb/hand; None where it cannot be computed."""
        if self.solver is None:
            return None
        fill_averages(self.solver, self.game, policy)
        return self.game.mbb(self.solver.exploitability())

    def values(self, policy: HoldemPolicy) -> tuple[float, float] | None:
        """mbb/hand that each player wins when both play the policy; None where it cannot be computed."""
        if self.solver is None:
            return None
        fill_averages(self.solver, self.game, policy)
        chips = range_values(self.solver)
        return self.game.mbb(chips[0]), self.game.mbb(chips[1])


def fill_averages(solver: RangeSolver, game: HoldemGame, policy: HoldemPolicy) -> None:
    """Make a policy of `game` the average strategy of a solver of the same game."""
    tree = solver.game.tree
    templates = _templates(tree, game)
    weights = np.asarray(policy.weights, np.float64)
    entered = np.tile(weights[:, None, None, None], (1, 2, 1, COMBOS))  # reach at the entries of the street
    for street in range(len(tree.streets)):
        if tree.streets[street].nodes == 0:
            continue
        batches: dict[int, HoldemBatch] = {}  # by the number of rows: boards differ in their cards alone
        for board in range(len(solver.game.boards[street].cards)):
            after = _fill_board(solver, street, board, templates[street], batches, policy, entered)
        entered = after  # of the one board of the first street


def _fill_board(
    solver: RangeSolver,
    street: int,
    board: int,
    nodes: HoldemBatch,
    batches: dict[int, HoldemBatch],
    policy: HoldemPolicy,
    entered: np.ndarray,
) -> np.ndarray:
    """Fill all nodes of one board; the reach at the entries of the next street, float64 [parts, 2, entries, 1326].

    nodes: a hand at each node; entered float64 [parts, 2, entries, 1326]. A policy of one part needs no reach: what a
    hand never plays does not matter.
    """
    tree = solver.game.tree.streets[street]
    hands = [solver.hands(player, street, board) for player in range(2)]
    shown = np.asarray(solver.game.boards[street].cards[board], np.int64)
    deals = [_deals(nodes.game, shown, hands[player], player) for player in range(2)]
    counts = np.array([len(hands[player]) for player in tree.player])
    ends = np.cumsum(counts)
    if ends[-1] not in batches:
        batches[ends[-1]] = nodes.take(np.repeat(np.arange(tree.nodes), counts))
    batch = batches[ends[-1]]
    batch.cards = np.concatenate([deals[player] for player in tree.player])
    parts = len(entered)
    sums = np.zeros((len(batch), batch.rules.slots))
    after = np.ones((parts, 2, int((tree.child_kind == TO_CHANCE).sum()), COMBOS))
    for part in range(parts):
        found = policy.probabilities(batch, part)
        if parts > 1:
            reach = _reach(tree, found, ends, hands, entered[part], after[part])
            found = found * np.concatenate([reach[n, p, hands[p]] for n, p in enumerate(tree.player)])[:, None]
        sums += found
    for node in range(tree.nodes):
        rows = sums[ends[node] - counts[node] : ends[node]]
        slots = [_slot(action) for action in tree.action[tree.first_edge[node] : tree.first_edge[node + 1]]]
        solver.set_average(street, board, node, rows[:, slots].T)
    return after


def _reach(
    tree: StreetTree,
    found: np.ndarray,
    ends: np.ndarray,
    hands: list[np.ndarray],
    entered: np.ndarray,
    after: np.ndarray,
) -> np.ndarray:
    """float64 [nodes, 2, 1326] under probabilities found [rows, slots]; after [2, entries, 1326] is filled."""
    reach = np.empty((tree.nodes, 2, COMBOS))
    for entry in range(tree.entries):
        reach[tree.entry_node[entry]] = entered[:, entry]
    for node in range(tree.nodes):
        own = int(tree.player[node])
        rows = found[ends[node] - len(hands[own]) : ends[node]]
        for edge in range(tree.first_edge[node], tree.first_edge[node + 1]):
            below = reach[node].copy()
            below[own, hands[own]] *= rows[:, _slot(tree.action[edge])]
            if tree.child_kind[edge] == TO_NODE:
                reach[tree.child[edge]] = below
            elif tree.child_kind[edge] == TO_CHANCE:
                after[:, tree.child[edge]] = below
    return reach


def _templates(tree: BettingTree, game: HoldemGame) -> list[HoldemBatch]:
    """For each street a hand at each of its nodes, with any cards."""
    root = HoldemBatch(game, np.array([game.deck[:DEAL_CARDS]], np.uint8))
    found, entries = [], {0: root}
    for street in tree.streets:
        at = {int(street.entry_node[entry]): batch for entry, batch in entries.items()}
        entries = {}
        for node in range(street.nodes):
            for edge in range(street.first_edge[node], street.first_edge[node + 1]):
                if street.child_kind[edge] in (TO_NODE, TO_CHANCE):
                    below = at[node].take(np.zeros(1, np.int64))
                    below.act(np.array([_slot(street.action[edge])]))
                    place = at if street.child_kind[edge] == TO_NODE else entries
                    place[int(street.child[edge])] = below
        together = root.take(np.zeros(street.nodes, np.int64))
        for node in range(street.nodes):
            together.hands[node], together.added[node] = at[node].hands[0], at[node].added[0]
        found.append(together)
    return found


def _deals(game: HoldemGame, shown: np.ndarray, hands: np.ndarray, player: int) -> np.ndarray:
    """uint8 [h, 9]: a deal for each of a player's hands on a board; cards that the player cannot see are any others."""
    used = np.ones((len(hands), 52), bool)
    used[:, list(game.deck)] = False
    used[:, shown] = True
    np.put_along_axis(used, COMBO_CARDS[hands].astype(np.int64), True, axis=1)
    others = np.argsort(used, axis=1, kind="stable")
    deals = np.empty((len(hands), DEAL_CARDS), np.uint8)
    deals[:, 2 * player : 2 * player + 2] = COMBO_CARDS[hands]
    deals[:, 2 - 2 * player : 4 - 2 * player] = others[:, :2]
    deals[:, 4 : 4 + len(shown)] = shown
    deals[:, 4 + len(shown) :] = others[:, 2 : 7 - len(shown)]
    return deals


def _slot(action: int) -> int:
    return _SLOTS.get(int(action), FIRST_SIZE)
