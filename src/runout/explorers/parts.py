"""Pieces that views of every kind of solution are made of: actions, hands by combo, and plain sentences about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from runout.cards.categories import LABELS, MADE, categories
from runout.cards.hands import COMBO_CLASS, COMBOS, combo_name
from runout.cursors.hand_means import mean
from runout.cursors.kinds import named
from runout.cursors.view import ActionView, HandsView, Summary
from runout.games.betting import ACTION_NAMES, ALL_IN, BET, RAISE, Action, BettingState
from runout.solutions.reached import OF_POT, Reached

MIXED = 0.05  # an action that a hand takes less often than that is not part of its mix

COMBO_NAMES = np.array([combo_name(c) for c in range(COMBOS)])
NOBODY_HERE = "nobody gets here: what is shown is what was left over from the first iterations"


def settings_of(document: Any) -> dict[str, Any]:
    """A settings model as config.yaml has it."""
    found: dict[str, Any] = document.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


def summary_of(kind: str, settings: dict[str, Any], reached: Reached, title: str | None = None) -> Summary:
    """What a solution of a kind is and what it reached; titled by the table of kinds unless told."""
    row = named(kind)
    assert row is not None, kind
    return Summary(title=title or row.title(kind, settings), kind=kind, settings=settings, **reached.values())


def size_share(state: BettingState, action: Action) -> float:
    """A bet as a share of the pot, a raise of the pot after calling, as sizes are written; 0 for others."""
    if action.kind not in (BET, RAISE, ALL_IN):
        return 0.0
    return max(action.amount - state.facing, 0) / max(state.pot + state.to_call, 1)


def action_views(
    state: BettingState,
    menu: Sequence[Action],
    tokens: Sequence[str],
    names: Sequence[str],
    hands: HandsView | None,
) -> tuple[ActionView, ...]:
    """The actions of a node; frequencies and EVs are means over `hands` of the player who acts."""
    frequencies, evs = range_actions(hands, len(menu))
    return tuple(
        ActionView(token, name, ACTION_NAMES[action.kind], size_share(state, action), frequency, ev)
        for action, token, name, frequency, ev in zip(menu, tokens, names, frequencies, evs, strict=True)
    )


def range_actions(hands: HandsView | None, actions: int) -> tuple[list[float], list[float | None]]:
    """How often the range takes each action, and the EV of the hands that take it."""
    if hands is None or len(hands.strategy) != actions:
        return [float("nan")] * actions, [None] * actions
    weights = hand_weights(hands)
    if not weights.any():  # nobody gets here: as if everybody did
        weights = hands.combos
    frequencies = [float(x) for x in mean(hands.strategy, weights)]
    evs: list[float | None] = [None] * actions
    for number, row in enumerate(hands.action_evs):
        value = float(mean(row, weights * hands.strategy[number])) if len(row) else float("nan")
        evs[number] = None if np.isnan(value) else value
    return frequencies, evs


def hand_weights(hands: HandsView) -> np.ndarray:
    """float64 [h]: what each hand weighs in means over the range."""
    return np.asarray(hands.weight * hands.combos * hands.met)


def combo_hands(
    player: str,
    held: np.ndarray,
    board: Sequence[int],
    weight: np.ndarray,
    met: np.ndarray,
    strategy: np.ndarray | None = None,
    action_evs: np.ndarray | None = None,
    ev: np.ndarray | None = None,
    equity: np.ndarray | None = None,
    eqr: np.ndarray | None = None,
) -> HandsView:
    """The hands `held` (combos) of a player; every other array is by combo [..., 1326], None where it is not known."""

    def rows(values: np.ndarray | None) -> np.ndarray:
        return np.zeros((0, len(held))) if values is None else values[:, held]

    def row(values: np.ndarray | None) -> np.ndarray:
        return np.full(len(held), np.nan) if values is None else values[held]

    made, labels = combo_categories(tuple(board))
    return HandsView(
        player=player,
        names=COMBO_NAMES[held].tolist(),
        cell=COMBO_CLASS[held].astype(np.int64),
        weight=weight[held],
        combos=np.ones(len(held)),
        met=met[held],
        strategy=rows(strategy),
        action_evs=rows(action_evs),
        ev=row(ev),
        equity=row(equity),
        eqr=row(eqr),
        categories=made[held].tolist() if len(made) else [],
        labels=[labels[combo] for combo in held] if labels else [],
        combo=held.astype(np.int64),
    )


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """NaN where there is nothing to divide by."""
    return np.asarray(np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0))


@lru_cache(256)
def combo_categories(board: tuple[int, ...]) -> tuple[np.ndarray, list[tuple[str, ...]]]:
    """Names of made hands, and kickers and draws, of all combos on a board; nothing before the flop."""
    if len(board) < 3:
        return np.zeros(0, np.str_), []
    made, labels = categories(board)
    kinds, which = np.unique(labels, axis=0, return_inverse=True)
    names = [tuple(name for name, fits in zip(LABELS, row, strict=True) if fits) for row in kinds]
    return np.array(MADE)[made], [names[kind] for kind in which.ravel()]


def accuracy_of(reached: Reached, pot: float, chips: float) -> float | None:
    """The exploitability that was reached in the unit of EVs; `pot` is the first, `chips` a big blind or an ante."""
    if reached.exploitability is None:
        return None
    return reached.exploitability * (pot / 100 if reached.unit == OF_POT else chips / 1000)


def indifference(hands: HandsView, rows: np.ndarray, accuracy: float | None) -> str | None:
    """A word on indifference, where each hand of `rows` mixes actions that are worth the same within `accuracy`."""
    rows = np.asarray(rows)[hands.weight[rows] > 0]
    if accuracy is None or len(hands.action_evs) < 2 or not len(rows):
        return None
    taken, evs = hands.strategy[:, rows] >= MIXED, hands.action_evs[:, rows]
    high, low = np.where(taken, evs, -np.inf).max(axis=0), np.where(taken, evs, np.inf).min(axis=0)
    if not ((taken.sum(axis=0) >= 2) & (high - low <= accuracy)).all():
        return None
    still = "the frequencies still matter against a good opponent"
    if len(rows) > 1:
        return f"indifferent, each of these hands: what it mixes is worth the same within {accuracy:.2g}; {still}"
    count = int(taken.sum())
    worth = f"{'both are' if count == 2 else f'all {count} are'} worth {round(float(evs[taken].mean()), 1) + 0.0:.1f}"
    return f"indifferent: {worth}; {still}"
