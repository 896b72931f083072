"""Locks on a solution in memory: a strategy that is given for a node, or that stays as it is, while others learn on.

A solved board that stands for others up to suits would hand a lock on to them. Such a lock is refused, unless it treats
hands alike that differ by suits alone; a spot that is solved without isomorphism takes any.
"""

from __future__ import annotations

import numpy as np

from runout.cards.hands import COMBOS
from runout.cards.suits import SUIT_PERMUTATIONS, combo_images
from runout.errors import InputError
from runout.explorers.places import SolvedBoard
from runout.explorers.ranges import RangeExplorer, Standing
from runout.solvers.ranges import RangeSolver

_CLOSE = 1e-6  # how far shares of hands that are alike may be apart


def set_strategy(explorer: RangeExplorer, line: str, strategy: np.ndarray) -> None:
    """Let a node play [actions, 1326] by combo on the table, up to a factor a hand, and learn on from there."""
    standing, solver, player = _decision(explorer, line)
    place, board = standing.place, (standing.place.street, standing.place.board, standing.index)
    if strategy.shape != (len(standing.strategy), COMBOS) or not (np.isfinite(strategy) & (strategy >= 0)).all():
        raise InputError(f"a strategy has {len(standing.strategy)} × {COMBOS} numbers of 0 or more here")
    given = _solved(place, strategy)
    total = given.sum(axis=0)
    shares = np.where(total > 0, given / np.where(total > 0, total, 1.0), 1 / len(given))
    _require_alike(explorer, place, shares)
    mask = solver.lock_mask(*board)
    solver.unlock(*board)
    hands = place.hands[player]
    solver.lock(*board, shares[:, hands].astype(np.float32), np.ones(len(hands), bool))
    solver.unlock(*board)
    if mask.any():
        solver.lock(*board, shares[:, hands].astype(np.float32), mask)


def lock(explorer: RangeExplorer, line: str, combos: np.ndarray | None = None) -> None:
    """Keep the strategy of a node as it is, for all hands or for those of `combos` (bool [1326], on the table)."""
    standing, solver, player = _decision(explorer, line)
    place, hands = standing.place, standing.place.hands[player]
    chosen = np.ones(COMBOS, bool) if combos is None else _solved(place, combos)
    _require_alike(explorer, place, chosen.astype(np.float64)[None])
    board = (place.street, place.board, standing.index)
    solver.unlock(*board)
    if chosen[hands].any():
        solver.lock(*board, standing.strategy.astype(np.float32), chosen[hands])


def unlock(explorer: RangeExplorer, line: str) -> None:
    """Let the node learn again."""
    standing, solver, _ = _decision(explorer, line)
    solver.unlock(standing.place.street, standing.place.board, standing.index)


def locked(explorer: RangeExplorer, line: str) -> np.ndarray:
    """bool [1326] by combo on the table: whose strategy is fixed."""
    standing, solver, player = _decision(explorer, line)
    mask = solver.lock_mask(standing.place.street, standing.place.board, standing.index)
    return np.asarray(standing.place.on_table(standing.place.spread(player, mask, 0.0)) > 0)


def _decision(explorer: RangeExplorer, line: str) -> tuple[Standing, RangeSolver, int]:
    hands, standing = explorer.playing(line), explorer.standing(line)
    solver = explorer.solution.solver
    if solver is None or standing.place.resolved:
        raise InputError("this solution was loaded without rivers: nothing in it can be locked")
    return standing, solver, explorer.lines.wording.players.index(hands.player)


def _solved(place: SolvedBoard, values: np.ndarray) -> np.ndarray:
    """values [..., 1326] by combo on the table, as numbers by solved combo."""
    back = np.argsort(SUIT_PERMUTATIONS[place.renaming])
    inverse = int(np.flatnonzero((back == SUIT_PERMUTATIONS).all(axis=1))[0])
    return np.asarray(values[..., combo_images()[inverse]])


def _require_alike(explorer: RangeExplorer, place: SolvedBoard, rows: np.ndarray) -> None:
    if not getattr(explorer.solution, "isomorphism", False):
        return
    board = place.board
    for street in range(place.street, 0, -1):
        boards = place.game.boards[street]
        if boards.copies[board] > 1:
            raise InputError("this board stands for others up to suits: build the tree without isomorphism to lock it")
        board = int(boards.parent[board])
    for change in place.group():
        if np.abs(rows[:, combo_images()[change]] - rows).max() > _CLOSE:
            raise InputError("hands that differ by suits alone are treated apart: build the tree without isomorphism")
