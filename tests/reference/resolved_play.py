"""A whole game of a small deck played by a blueprint, its last street solved anew everywhere, on the full-width engine.

Everything is held for every hand of every board, so what the play loses is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.cards.hands import COMBOS
from runout.games.betting import STREET_OVER, BettingState
from runout.kernels.gadget import RE_SOLVE
from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.solvers.auto import range_schedule
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.range_plan import storage_places
from runout.solvers.range_values import range_value, range_values
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.subgames import BlueprintKnown, Patience, Place, Subgame, play_as, resolve


@dataclass
class ResolvedPlay:
    """What came of it, in chips a hand, as means over both seats."""

    before: float  # exploitability of the blueprint
    after: float  # of the play that was solved anew
    wins: tuple[float, float]  # what it wins from the blueprint in each seat, more than the blueprint does
    left_open: float  # what solving left open: how much some hand of the opponent gets above its value, at most, mean


def solved_anew(
    policy: BlueprintPolicy, gadget: int = RE_SOLVE, iterations: int = 200, trust: float = 0.0
) -> ResolvedPlay:
    """Solve every subgame that begins with the last street, for both players; two streets."""
    game, known = policy.what.game, BlueprintKnown(policy)
    full = RangeSolver(RangeGame.of(game, threads=1), range_schedule("auto"), 1)
    for player in range(2):
        play_as(full, known, Place(0, 0), player)
    before, values, last = full.exploitability(), range_values(full), full.game.tree.streets[1]
    reach, states = entries_of(full)
    excess = []
    for entry in range(last.entries):
        node = int(last.entry_node[entry])
        for board, cards in enumerate(full.game.boards[1].cards):
            for player in range(2):
                subgame = Subgame(game, states[entry], tuple(int(c) for c in cards), reach[entry], player)
                found = resolve(subgame, known, Place(1, node), gadget, Patience(iterations), trust=trust)
                _take_over(full, found.solver, board, node, player)
                if len(found.alternatives):
                    best = found.solver.values(1 - player, BEST_RESPONSE)
                    excess.append(max(0.0, float((best - found.alternatives).max())))
    after, solved, wins = full.exploitability(), full.averages.copy(), []
    for player in range(2):
        play_as(full, known, Place(0, 0), 1 - player)
        wins.append(range_value(full, player, AVERAGE) - values[player])
        full.averages[:] = solved
    return ResolvedPlay(before, after, (wins[0], wins[1]), float(np.mean(excess)) if excess else 0.0)


def entries_of(full: RangeSolver) -> tuple[list[np.ndarray], list[BettingState]]:
    """Both ranges, float64 [2, 1326], and the state at every entry of the second street."""
    tree, start = full.game.tree.streets[0], full.game.tree.start
    count = int((tree.child_kind == 3).sum())
    reach: list[np.ndarray] = [np.zeros((2, COMBOS))] * count
    states: list[BettingState] = [start] * count
    waiting = [(0, start, full.game.weights.copy())]
    while waiting:
        node, state, ranges = waiting.pop()
        player, combos = int(tree.player[node]), full.hands(int(tree.player[node]), 0, 0)
        shares = np.zeros((len(tree.actions(node)), COMBOS))
        shares[:, combos] = full.strategy(0, 0, node)
        for number, action in enumerate(tree.actions(node)):
            edge = int(tree.first_edge[node]) + number
            after, next_ranges = state.act(action), ranges.copy()
            next_ranges[player] *= shares[number]
            if tree.child_kind[edge] == 0:
                waiting.append((int(tree.child[edge]), after, next_ranges))
            elif after.status == STREET_OVER:
                reach[int(tree.child[edge])], states[int(tree.child[edge])] = next_ranges, after.next_street()
    return reach, states


def _take_over(full: RangeSolver, part: RangeSolver, board: int, node: int, player: int) -> None:
    """Give the full game the strategy of a solved part below a node of the last street."""
    tree, whole = part.game.tree.streets[0], full.game.tree.streets[1]
    first = int((whole.player[whole.edge_owner()[: whole.first_edge[node]]] == player).sum())
    rows = storage_places(tree)[1][player]
    source, target = part.boards[0], full.boards[1]
    at, stride = int(source.store[player, 0]), int(source.stride[player, 0])
    found = np.zeros((rows, COMBOS), np.float32)
    combos = source.combos(player, 0)
    found[:, combos] = part.averages[at : at + rows * stride].reshape(rows, stride)[:, : len(combos)]
    to, wide = int(target.store[player, board]), int(target.stride[player, board])
    place = slice(to + first * wide, to + (first + rows) * wide)
    held = target.combos(player, board)
    new = found[:, held]
    kept = full.averages[place].reshape(rows, wide)
    solved = new.any(axis=0)
    kept[:, : len(held)][:, solved] = new[:, solved]
