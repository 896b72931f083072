"""External sampling in lock step: thousands of dealt hands go down together, and their values come back up.

At the traverser's decisions every legal slot is played, at the opponent's one that is drawn from the strategy; boards
and hands come with the deals. Each level is one batch, so a network sees all its decisions at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from runout.games.encoders import Features, HoldemEncoder
from runout.games.holdem_batch import HoldemBatch

Strategy = Callable[[int, Features], np.ndarray]  # of a player's decisions: float64 [n, slots]


class Seen(NamedTuple):
    """Decisions that a walk came by, n of them."""

    features: Features
    values: np.ndarray  # float32 [n, slots]: advantages of the traverser in big blinds, or what the opponent played
    deal: np.ndarray  # int64 [n]: the deal of each


class _Level(NamedTuple):
    mine: np.ndarray  # rows at which the traverser acts
    theirs: np.ndarray
    played: np.ndarray  # float64 [rows, slots]
    legal: np.ndarray  # bool [rows, slots]
    child: np.ndarray  # int64 [rows, slots]: place among the children, -1 where it was not played
    over: np.ndarray  # bool [children]
    returns: np.ndarray  # float64 [children]: to the traverser, where the hand is over
    features: Features
    deal: np.ndarray  # int64 [rows]


def walk(
    encoder: HoldemEncoder, deals: np.ndarray, traverser: int, strategy: Strategy, random: np.random.Generator
) -> tuple[list[Seen], list[Seen], int]:
    """The traverser's decisions with their advantages, the opponent's with what was played, and nodes visited."""
    batch, deal = HoldemBatch(encoder.game, deals), np.arange(len(deals))
    levels: list[_Level] = []
    nodes = len(deals)
    while len(batch):
        level, children = _expand(encoder, batch, deal, traverser, strategy, random)
        levels.append(level)
        nodes += len(children)
        going = np.flatnonzero(~level.over)
        parents = _parents(level)
        batch, deal = children.take(going), deal[parents[going]]
    mine, theirs = [], []
    below = np.zeros(0)
    for level in reversed(levels):
        below, seen = _back_up(level, below, encoder.game.big_blind)
        mine.append(seen)
        other = level.theirs
        if len(other):
            rows = Features(*(part[other] for part in level.features))
            theirs.append(Seen(rows, level.played[other].astype(np.float32), level.deal[other]))
    return mine, theirs, nodes


def _expand(
    encoder: HoldemEncoder,
    batch: HoldemBatch,
    deal: np.ndarray,
    traverser: int,
    strategy: Strategy,
    random: np.random.Generator,
) -> tuple[_Level, HoldemBatch]:
    features = encoder.encode_batch(batch)
    legal = features.legal
    played = np.zeros(legal.shape)
    chosen = legal.copy()
    sides = [np.flatnonzero(batch.player == player) for player in range(2)]
    for player, rows in enumerate(sides):
        if not len(rows):
            continue
        played[rows] = strategy(player, Features(*(part[rows] for part in features)))
        if player != traverser:
            drawn = (random.random(len(rows))[:, None] >= played[rows].cumsum(axis=1)).sum(axis=1)
            last = legal.shape[1] - 1 - legal[rows][:, ::-1].argmax(axis=1)  # rounding may leave a draw beyond the sum
            chosen[rows] = False
            chosen[rows, np.minimum(drawn, last)] = True
    rows, slots = np.nonzero(chosen)
    child = np.full(legal.shape, -1, np.int64)
    child[rows, slots] = np.arange(len(rows))
    children = batch.take(rows)
    children.act(slots)
    returns = children.returns()[:, traverser]
    return (
        _Level(sides[traverser], sides[1 - traverser], played, legal, child, children.over, returns, features, deal),
        children,
    )


def _parents(level: _Level) -> np.ndarray:
    """int64 [children]."""
    rows, slots = np.nonzero(level.child >= 0)
    found = np.empty(len(level.over), np.int64)
    found[level.child[rows, slots]] = rows
    return found


def _back_up(level: _Level, below: np.ndarray, unit: float) -> tuple[np.ndarray, Seen]:
    """Values [rows] of a level from those of the rows below it that continue, and what the traverser's are to learn."""
    values = level.returns.copy()
    values[~level.over] = below
    by_slot = np.where(level.child >= 0, values[level.child], 0.0)
    found = by_slot.sum(axis=1)  # one child where the opponent acts
    mine = level.mine
    found[mine] = (by_slot[mine] * level.played[mine]).sum(axis=1)
    gains = np.where(level.legal[mine], by_slot[mine] - found[mine][:, None], 0.0) / unit
    return found, Seen(Features(*(part[mine] for part in level.features)), gains.astype(np.float32), level.deal[mine])
