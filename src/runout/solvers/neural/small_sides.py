"""A player of a small game as a network sees it: decisions that look alike are one row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.errors import InputError
from runout.games.compiled import CompiledGame
from runout.games.small_encoders import SmallGameEncoder
from runout.kernels import tabular as kernels


@dataclass(frozen=True, eq=False)
class SmallSide:
    """Rows, and where every action of the player's information sets (n actions in all) belongs."""

    player: int
    numbers: np.ndarray  # float32 [rows, numbers]
    legal: np.ndarray  # bool [rows, slots]
    set_row: np.ndarray  # int64 [sets of the player]
    sequence: np.ndarray  # int64 [n]: in arrays of shape [sequences]
    set: np.ndarray  # int64 [n]: number among the player's sets
    slot: np.ndarray  # int64 [n]
    action: np.ndarray  # int64 [n]: number among the actions of its set

    @classmethod
    def of(cls, game: CompiledGame, encoder: SmallGameEncoder, player: int) -> SmallSide:
        """The rows of `player`."""
        sets = game.infosets[game.infoset_start[player] : game.infoset_start[player + 1]]
        places = [encoder.index[infoset.key] for infoset in sets]
        numbers, first, set_row = np.unique(
            encoder.table.numbers[places], axis=0, return_index=True, return_inverse=True
        )
        set_row = set_row.ravel()
        legal = encoder.table.legal[places]
        for number in np.flatnonzero((legal != legal[first[set_row]]).any(axis=1))[:1]:
            alike = sets[first[set_row[number]]].key
            raise InputError(
                f"{game.name} shows networks the same of {sets[number].key!r} and {alike!r}, which have other actions"
            )
        listed = [
            (sequence, number, encoder.slot_of(name), action)
            for number, infoset in enumerate(sets)
            for action, (name, sequence) in enumerate(zip(infoset.actions, infoset.sequences, strict=True))
        ]
        sequence, number, slot, action = (np.array(column, np.int64) for column in zip(*listed, strict=True))
        return cls(player, numbers, legal[first], set_row.astype(np.int64), sequence, number, slot, action)

    @property
    def rows(self) -> np.ndarray:
        """int64 [n]: the row of every action."""
        return np.asarray(self.set_row[self.set])

    def gathered(self, values: np.ndarray) -> np.ndarray:
        """float64 [rows, slots]: sums of values [n] over the sets that look alike."""
        shape = self.legal.shape
        flat = np.bincount(self.rows * shape[1] + self.slot, weights=values, minlength=shape[0] * shape[1])
        return flat.reshape(shape)

    def spread(self, table: np.ndarray, strategy: np.ndarray) -> None:
        """Write probabilities [rows, slots] into a strategy float64 [sequences]."""
        strategy[self.sequence] = table[self.rows, self.slot]


def advantages(game: CompiledGame, side: SmallSide, strategy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counterfactual regrets float64 [rows, slots] of a strategy, and what chance and the opponent reach [rows]."""
    player, first = side.player, game.sequence_start[side.player]
    own, other = game.part(strategy, player), game.part(strategy, 1 - player)
    reach = np.empty(len(other))
    kernels.realise(game.sides[1 - player], other, reach)
    values, scratch = np.empty(len(own)), np.empty(len(own))
    kernels.end_values(game.sides[player], reach, values, scratch)
    set_values = np.empty(len(game.sides[player].parents))
    kernels.back_up(game.sides[player], values, own, False, set_values)
    acting = game.player == player
    outside = (game.chance_reach * reach[game.sequence[1 - player]])[acting]
    rows = side.set_row[game.infoset[acting] - game.infoset_start[player]]
    return (
        side.gathered(values[side.sequence - first] - set_values[side.set]),
        np.bincount(rows, weights=outside, minlength=len(side.numbers)),
    )


def own_reach(game: CompiledGame, side: SmallSide, strategy: np.ndarray) -> np.ndarray:
    """float64 [n]: probability that the player plays each own action and all own actions before it."""
    part = game.part(strategy, side.player)
    reach = np.empty(len(part))
    kernels.realise(game.sides[side.player], part, reach)
    return np.asarray(reach[side.sequence - game.sequence_start[side.player]])
