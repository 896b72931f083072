"""Locks: strategies that a spot gives instead of leaving them to the solver, for a whole node or for some hands.

A lock's line has `?` for a card that may be any, so `x-x|?|b94` locks the node on every turn. A board that stands for
others up to suits would hand its lock on to them; where that is not meant, the spot is solved without isomorphism.
"""

from __future__ import annotations

import numpy as np

from runout.cards.cards import card, cards_text
from runout.cards.ranges import Range
from runout.cards.suits import combo_images, symmetries
from runout.errors import InputError
from runout.games.lines import ANY_CARD, parse_action, same_action, split_line, token
from runout.games.spot import Lock, Spot
from runout.games.tree import BettingTree
from runout.solvers.ranges import RangeGame, RangeSolver


def suits_alike(spot: Spot) -> bool:
    """Whether every lock treats hands alike that differ by suits alone, on every card that can come."""
    weights = [spot.range(player).weights for player in range(2)]
    group = symmetries([spot.cards], weights)
    for lock in spot.locks:
        held = Range(lock.hands).weights > 0
        if set(split_line(lock.line)[1]) - {ANY_CARD} or not (held[combo_images()[group]] == held).all():
            return False
    return True


def apply_locks(solver: RangeSolver, spot: Spot) -> None:
    """Lock what the spot says, before the first iteration."""
    for lock in spot.locks:
        street, node = solver.game.tree.node(lock.line)
        player = int(solver.game.tree.streets[street].player[node])
        chances = lock_chances(solver.game.tree, street, node, lock)
        held = Range(lock.hands).weights > 0
        boards = _boards(solver.game, street, lock)
        if not held[solver.hands(player, 0, 0)].any():
            raise InputError(f"lock {lock.line!r}: {('oop', 'ip')[player]} holds none of {lock.hands!r}")
        for board in boards:
            hands = held[solver.hands(player, street, board)]
            solver.lock(street, board, node, np.tile(chances[:, None], (1, len(hands))), hands)


def lock_chances(tree: BettingTree, street: int, node: int, lock: Lock) -> np.ndarray:
    """float64 [actions]: how often each action of the node is taken; an action that is not there is refused."""
    actions = tree.streets[street].actions(node)
    chances = np.zeros(len(actions))
    for word, share in lock.strategy.items():
        wanted = parse_action(word)
        found = [index for index, action in enumerate(actions) if same_action(action, wanted)]
        if not found:
            names = ", ".join(token(action) for action in actions)
            raise InputError(f"lock {lock.line!r}: no action {word!r} there: use {names}")
        chances[found[0]] += share
    return chances


def _boards(game: RangeGame, street: int, lock: Lock) -> np.ndarray:
    """The boards of a street that the cards of the lock's line allow."""
    dealt = split_line(lock.line)[1]
    boards = game.boards[street].cards
    first = boards.shape[1] - len(dealt)
    fits = np.ones(len(boards), bool)
    for column, name in enumerate(dealt):
        if name != ANY_CARD:
            fits &= boards[:, first + column] == card(name)
    if not fits.any():
        raise InputError(f"lock {lock.line!r}: {', '.join(dealt)} cannot come on {cards_text(boards[0, :first])}")
    return np.flatnonzero(fits)
