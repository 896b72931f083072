"""Postflop spots that several tests solve, and what a test asks of a range solver."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from runout.cards.hands import COMBO_CARDS
from runout.games.spot import Spot
from runout.games.tree import NO_PARENT, TO_CHANCE
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LiveLines
from runout.solvers.ranges import AVERAGE, RangeGame, RangeSolver

FILES = Path(__file__).parents[2] / "configs" / "spots"
NO_BETS: dict[str, Any] = {"flop": {}, "turn": {}, "river": {}}


def published(name: str) -> Spot:
    """A benchmark spot."""
    return Spot.load(FILES / f"{name}.yaml")


def spot(board: str, oop: str, ip: str, pot: int = 20, stack: int = 30, sizes: Any = NO_BETS, **more: Any) -> Spot:
    """A spot with the same sizes on every street, or with `sizes` by street."""
    if not set(sizes) & {"flop", "turn", "river"}:
        sizes = dict.fromkeys(("flop", "turn", "river"), sizes)
    return Spot(board=board, pot=pot, stack=stack, ranges={"oop": oop, "ip": ip}, betting=sizes, **more)


def solver_of(
    spot: Spot, iterations: int = 0, algorithm: str = "dcfr", threads: int = 1, isomorphism: bool = True
) -> RangeSolver:
    solver = RangeSolver(RangeGame.of(spot, isomorphism=isomorphism), range_schedule(algorithm), threads=threads)
    if iterations:
        solver.step(iterations)
    return solver


def evs(solver: RangeSolver, mode: int = AVERAGE) -> np.ndarray:
    """float64 [2]: both players' shares of the pot, in chips."""
    gains = [root_weights(solver, player) @ solver.values(player, mode) for player in range(2)]
    return solver.game.tree.starting_pot / 2 + np.array(gains) / solver.deals


def hand_evs(solver: RangeSolver, player: int, mode: int = AVERAGE) -> dict[int, float]:
    """Chips by combo, of those that can meet a hand of the opponent."""
    combos = solver.hands(player, 0, 0)
    met = opponents(solver.game.weights[1 - player], combos)
    gains = solver.values(player, mode)
    pot = solver.game.tree.starting_pot
    return {int(c): pot / 2 + g / m for c, g, m in zip(combos, gains, met, strict=True) if m > 0}


def root_weights(solver: RangeSolver, player: int) -> np.ndarray:
    return solver.game.weights[player][solver.hands(player, 0, 0)]


def opponents(weights: np.ndarray, combos: np.ndarray) -> np.ndarray:
    """Weight of the hands that each combo can meet; weights float64 [1326]."""
    apart = ~(COMBO_CARDS[combos][:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))
    return apart @ weights


def percent(solver: RangeSolver) -> float:
    """Exploitability in % of the pot."""
    return 100 * solver.exploitability() / solver.game.tree.starting_pot


class Look(NamedTuple):
    """A node under the average strategies, by the hands that each player can hold there."""

    reach: list[np.ndarray]  # float64 [h] a player: weight in the range times own actions so far
    value: list[np.ndarray]  # float64 [h] a player: gain over half of the starting pot, summed over opponents' reach
    action_values: np.ndarray  # float64 [actions, h]: the same after each action of the player who acts


def look(solver: RangeSolver, street: int, board: int, node: int) -> Look:
    """What the solver says of a node; reach is worked out from the strategies above it."""
    tree = solver.game.tree.streets[street]
    lines, edges = LiveLines(solver).lines(street, board, node), slice(*tree.first_edge[node : node + 2].tolist())
    after = [rows[edges.start - lines.first_edge : edges.stop - lines.first_edge].astype(float) for rows in lines.after]
    actor = int(tree.player[node])
    value = [rows.sum(axis=0) for rows in after]
    value[actor] = (solver.strategy(street, board, node) * after[actor]).sum(axis=0)
    reach = _reach(solver, street, board, node)
    return Look([reach[side][solver.hands(side, street, board)] for side in range(2)], value, after[actor])


def _reach(solver: RangeSolver, street: int, board: int, node: int) -> np.ndarray:
    """float64 [2, 1326]."""
    reach = solver.game.weights.copy()
    while True:
        tree = solver.game.tree.streets[street]
        edge = int(tree.parent_edge[node])
        if edge == NO_PARENT:
            if street == 0:
                return reach
            entry, board = tree.entry_of(node), int(solver.game.boards[street].parent[board])
            street -= 1
            tree = solver.game.tree.streets[street]
            edge = int(np.flatnonzero((tree.child_kind == TO_CHANCE) & (tree.child == entry))[0])
        node = int(tree.edge_owner()[edge])
        actor = int(tree.player[node])
        played = np.zeros(1326)
        row = solver.strategy(street, board, node)[edge - tree.first_edge[node]]
        played[solver.hands(actor, street, board)] = row
        reach[actor] *= played
