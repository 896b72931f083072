"""What a called pot that sees a flop is worth: a model that the user picks and that the output names.

`equity`       the hand is checked down: each side gets its all-in equity;
`realization`  shares go by equity times a factor of each hand and position: e·f / (e·f + e'·f'), so they add up to one;
`flop-game`    a table for each pot, worked out from a solved flop game (`solvers.flop_game_leaf`);
`solved`       what such pots are worth in solved whole games of the same depth (`solvers.solved_leaf`).

A model gives the small blind's share of the pot, classes against classes; it is asked once for each called pot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from runout.cards.equity169 import equity_table
from runout.cards.hands import CLASSES
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.preflop import Preflop, Realization

REST = "rest"  # in a table of factors: every hand that no earlier range holds


@dataclass(frozen=True, slots=True)
class Leaf:
    """A called pot that sees a flop."""

    line: str  # 'SBr2.5 BBc'
    pot: float  # bb, before rake
    stack: float  # bb that each player has behind


class LeafModel(Protocol):
    """Values of called pots. Returning the same array for several pots makes them one matrix product."""

    name: str

    def shares(self, leaf: Leaf) -> np.ndarray:
        """float64 [169, 169]: what the SB's class (row) gets of the pot less rake against the BB's (column), 0 to 1."""


class EquityLeaf:
    """Hands are checked down."""

    name = "equity"

    def shares(self, leaf: Leaf) -> np.ndarray:
        return equity_table()


class RealizationLeaf:
    """Equity times factors by position and hand, made to add up to one."""

    name = "realization"

    def __init__(self, table: Realization | None = None) -> None:
        chosen = DEFAULT_TABLE if table is None else table
        sb, bb = factors(chosen.sb, "realization.sb"), factors(chosen.bb, "realization.bb")
        equity = equity_table()
        own, other = equity * sb[:, None], (1 - equity) * bb[None, :]
        self._shares = own / (own + other)

    def shares(self, leaf: Leaf) -> np.ndarray:
        return np.asarray(self._shares)


class StoredLeaf:
    """Tables by line, as a saved solution holds them."""

    def __init__(self, name: str, tables: Mapping[str, np.ndarray]) -> None:
        self.name, self._tables = name, tables

    def shares(self, leaf: Leaf) -> np.ndarray:
        if leaf.line not in self._tables:
            raise InputError(f"the leaf model {self.name!r} has no table for the called pot {leaf.line!r}")
        return self._tables[leaf.line]


def factors(table: dict[str, float], name: str = "realization") -> np.ndarray:
    """float64 [169]: the factor of each class; 1 where no range of the table holds it, and 'rest' holds every hand."""
    found = np.ones(CLASSES)
    for text, factor in reversed(list(table.items())):  # the first wins
        try:
            found[(Range.all() if text == REST else Range(text)).classes > 0] = factor
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    return found


def leaf_model(game: Preflop) -> LeafModel:
    """The model that the game's settings name."""
    if game.leaf == "equity":
        return EquityLeaf()
    if game.leaf == "realization":
        return RealizationLeaf(game.realization)
    if game.leaf == "solved":
        from runout.solvers.solved_leaf import SolvedLeaf

        return SolvedLeaf()
    raise InputError(
        "the leaf model 'flop-game' needs a solved flop game: runout game flop-game -o DIR, then --flop-game DIR here"
    )


# A rule of thumb, not a solution: in position hands realise more than their equity, out of position less; suited and
# connected hands and large pairs more, offsuit hands without a straight less.
DEFAULT_TABLE = Realization(
    sb={
        "TT+": 1.05,
        "A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,54s": 1.1,
        "22-99": 1.0,
        "K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s": 1.05,
        "A2o+,KTo+,QTo+,JTo": 1.0,
        "rest": 0.95,
    },
    bb={
        "TT+": 1.0,
        "A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,54s": 0.95,
        "22-99": 0.9,
        "K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s": 0.85,
        "A2o+,KTo+,QTo+,JTo": 0.85,
        "rest": 0.7,
    },
)
