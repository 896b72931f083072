"""AIVAT for small games, exactly: what every way to play a game through is worth once luck is taken out.

1. Histories that look the same to whoever knows the public line and the hands of the players that are *not* known form
   a class; the classes form a tree.
2. The mean value of a class, over the reach of chance and of the known players, is its baseline. Where chance or a
   known player acts, what the step was expected to come to is added and what it came to is taken off.
3. At the end stands the mean payoff of the last class. Its expectation is that of the payoff, whatever the baseline and
   whatever the unknown players do; its spread is nothing where the baseline is the value of what is played.

Burch, Schmid, Moravcik, Morrill, Bowling 2018.
"""

from __future__ import annotations

import numpy as np

from runout.explorers.public_lines import PublicTree, history_values
from runout.games.compiled import NO_INFOSET, CompiledGame
from runout.games.protocol import TERMINAL

BOTH = (True, True)


def small_aivat(
    game: CompiledGame,
    strategy: np.ndarray,
    known: tuple[bool, bool] = BOTH,
    baseline: np.ndarray | None = None,
) -> np.ndarray:
    """float64 [nodes]: at terminals, what AIVAT makes of a game that ends there, in chips to player 0.

    strategy float64 [sequences]: of the players that are known. baseline float64 [nodes]: any value of every history to
    player 0; without one, what it is worth under `strategy`.
    """
    values = history_values(game, strategy)[1] if baseline is None else baseline
    values = np.where(game.player == TERMINAL, game.payoff, values)
    odds, where = _odds(game, strategy, known), _classes(game, known)
    reach = odds.copy()
    levels = list(zip(game.levels[1:-1], game.levels[2:], strict=True))
    for start, end in levels:
        reach[start:end] *= reach[game.parent[start:end]]
    weight = np.bincount(where, reach)
    mean = _over(np.bincount(where, reach * values), weight)  # by class
    below = np.flatnonzero(game.parent >= 0)
    after = _over(np.bincount(where[game.parent[below]], (reach * values)[below], len(weight)), weight)
    acts = np.array([*known, True])[game.player]  # chance is -1; terminals do not matter
    found = np.zeros(len(reach))
    for start, end in levels:
        above = game.parent[start:end]
        term = after[where[above]] - mean[where[start:end]]
        found[start:end] = found[above] + np.where(acts[above], term, 0.0)
    return np.asarray(np.where(game.player == TERMINAL, found + mean[where], 0.0))


def _over(sums: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return np.asarray(np.divide(sums, weight, out=np.zeros(len(weight)), where=weight > 0))


def _odds(game: CompiledGame, strategy: np.ndarray, known: tuple[bool, bool]) -> np.ndarray:
    """float64 [nodes]: of the step to each node, 1 where an unknown player made it."""
    odds = game.chance.copy()
    for node in range(1, len(odds)):
        above = int(game.parent[node])
        player = int(game.player[above])
        if player >= 0 and known[player]:
            sequences = game.infosets[game.infoset[above]].sequences
            odds[node] = strategy[sequences[node - int(game.first_child[above])]]
    return odds


def _classes(game: CompiledGame, known: tuple[bool, bool]) -> np.ndarray:
    """int64 [nodes]: number of the class of each."""
    lines = PublicTree(game).line_of
    unknown = [player for player in range(2) if not known[player]]
    hands = [_hands(game, player) for player in unknown]
    found: dict[tuple[object, ...], int] = {}
    where = np.zeros(len(game.parent), np.int64)
    for node, line in enumerate(lines):
        above, index = int(game.parent[node]), int(game.infoset[node])
        acts = index != NO_INFOSET and game.infosets[index].player in unknown
        seen = index if acts else NO_INFOSET  # lines may merge what an unknown player tells apart, as suits of a board
        label = (where[above] if above >= 0 else -1, line, seen, *(held[node] for held in hands))
        where[node] = found.setdefault(label, len(found))
    return where


def _hands(game: CompiledGame, player: int) -> list[str]:
    """What a player holds at every node, '' where nothing was dealt: the first word of the keys of its decisions."""
    held = [""] * len(game.parent)
    for node in range(len(held)):
        above, index = int(game.parent[node]), int(game.infoset[node])
        held[node] = held[above] if above >= 0 else ""
        if index != NO_INFOSET and game.infosets[index].player == player:
            held[node] = game.infosets[index].key.partition(" ")[0]
    for node in reversed(range(len(held))):  # before the first decision: what all decisions below agree on
        first, last = int(game.first_child[node]), int(game.first_child[node] + game.children[node])
        if not held[node] and last > first and len(set(held[first:last])) == 1:
            held[node] = held[first]
    for node in range(1, len(held)):
        held[node] = held[node] or held[int(game.parent[node])]
    return held
