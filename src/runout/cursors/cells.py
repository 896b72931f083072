"""Hands of a view gathered into cells: the classes of the 13×13 matrix, or the places of a list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.cards.cards import card
from runout.cards.hands import CLASS_NAMES, CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS
from runout.cursors.hand_means import cell_means
from runout.cursors.view import MATRIX, HandsView, NodeView


@dataclass(frozen=True, slots=True)
class Cells:
    """What the hands of each cell do and are worth on average; n cells, NaN where a cell has no hand."""

    names: list[str]  # "AKs"; the hands themselves in a list
    weight: np.ndarray  # float64 [n]: mean reach of the hands that the board leaves, 0 to 1
    combos: np.ndarray  # float64 [n]: combos that are here, each counted by its reach
    strategy: np.ndarray  # float64 [actions, n]
    action_evs: np.ndarray  # float64 [actions, n]
    ev: np.ndarray  # float64 [n]
    equity: np.ndarray  # float64 [n]
    eqr: np.ndarray  # float64 [n]

    def value(self, name: str) -> np.ndarray:
        """float64 [n]: 'ev', 'equity', 'eqr' or 'weight'."""
        found: np.ndarray = getattr(self, name)
        return found


def cells(view: NodeView, hands: HandsView) -> Cells:
    """The hands of one player, cell by cell."""
    matrix = view.layout == MATRIX
    count = CLASSES if matrix else len(hands.names)
    here = np.bincount(hands.cell, hands.weight * hands.combos, count)
    there = _possible(view, hands) if matrix else np.bincount(hands.cell, hands.combos, count)
    weights = hands.weight * hands.combos * hands.met

    def means(values: np.ndarray) -> np.ndarray:
        return cell_means(values, hands.cell, weights, hands.combos, count)

    rows = means(np.stack([hands.ev, hands.equity, hands.eqr]))
    return Cells(
        names=list(CLASS_NAMES) if matrix else hands.names,
        weight=np.divide(here, there, out=np.zeros(count), where=there > 0),
        combos=here,
        strategy=means(hands.strategy),
        action_evs=means(hands.action_evs),
        ev=rows[0],
        equity=rows[1],
        eqr=rows[2],
    )


def by_combo(hands: HandsView, values: np.ndarray) -> np.ndarray:
    """float64 [..., 1326]: values [..., h] of hold'em hands, those of a class for each of its combos; NaN: not held."""
    if not len(hands.combo):
        return values[..., COMBO_CLASS]
    found = np.full((*values.shape[:-1], COMBOS), np.nan)
    found[..., hands.combo] = values
    return found


def _possible(view: NodeView, hands: HandsView) -> np.ndarray:
    """float64 [169]: combos of each class that the board leaves, whether the range has them or not."""
    if not view.board:
        return np.bincount(COMBO_CLASS, minlength=CLASSES).astype(np.float64)
    blocked = np.isin(COMBO_CARDS, [card(name) for name in view.board]).any(axis=1)
    return np.bincount(COMBO_CLASS, ~blocked, CLASSES)
