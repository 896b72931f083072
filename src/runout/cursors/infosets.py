"""What a strategy of a compiled game does and is worth at every information set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runout.games.compiled import CompiledGame, InfoSet
from runout.solvers.game_response import backed_up, plan


@dataclass(frozen=True, slots=True)
class InfoSetRow:
    """One information set under a pair of strategies. Chips are those of its own player, given that it is reached."""

    infoset: InfoSet
    reach: float  # probability that play comes here
    probabilities: tuple[float, ...]  # of each action
    action_evs: tuple[float, ...]  # chips; nan where chance and the opponent never lead here
    ev: float  # chips
    regret: float  # chips that the best action is better than the mixture, what follows being unchanged


def infoset_rows(game: CompiledGame, strategy: np.ndarray) -> list[InfoSetRow]:
    """A row for every information set, in the order in which play first comes to them."""
    plans = [plan(game, strategy, player) for player in range(2)]
    rows: list[InfoSetRow] = []
    acting = game.infoset >= 0
    for player in range(2):
        first, end = game.infoset_start[player], game.infoset_start[player + 1]
        others = game.chance_reach * plans[1 - player][game.sequence[1 - player]]
        own = plans[player][game.sequence[player]]
        outside = np.bincount(game.infoset[acting], weights=others[acting], minlength=len(game.infosets))
        reached = np.bincount(game.infoset[acting], weights=(others * own)[acting], minlength=len(game.infosets))
        values, set_values = backed_up(game, strategy, player, best=False)
        for number in range(first, end):
            infoset = game.infosets[number]
            weight = outside[number] if outside[number] > 0 else np.nan
            evs = values[infoset.sequences - game.sequence_start[player]] / weight
            ev = set_values[number - first] / weight
            rows.append(
                InfoSetRow(
                    infoset,
                    float(reached[number]),
                    tuple(strategy[infoset.sequences].tolist()),
                    tuple(evs.tolist()),
                    float(ev),
                    float(evs.max() - ev),
                )
            )
    first_node = np.full(len(game.infosets), len(game.player))
    np.minimum.at(first_node, game.infoset[acting], np.flatnonzero(acting))
    return [rows[number] for number in np.argsort(first_node, kind="stable")]


def merged(rows: list[InfoSetRow]) -> list[InfoSetRow]:
    """Rows with one text (sets that differ in suits only) joined, each weighed by its reach."""
    together: dict[tuple[int, str, tuple[str, ...]], list[InfoSetRow]] = {}
    for row in rows:
        together.setdefault((row.infoset.player, row.infoset.text, row.infoset.actions), []).append(row)
    return [group[0] if len(group) == 1 else _joined(group) for group in together.values()]


def _joined(group: list[InfoSetRow]) -> InfoSetRow:
    reach = np.array([row.reach for row in group])
    share = reach / reach.sum() if reach.sum() > 0 else np.full(len(group), 1 / len(group))
    return InfoSetRow(
        group[0].infoset,
        float(reach.sum()),
        tuple((share @ np.array([row.probabilities for row in group])).tolist()),
        tuple((share @ np.array([row.action_evs for row in group])).tolist()),
        float(share @ np.array([row.ev for row in group])),
        float(share @ np.array([row.regret for row in group])),
    )


def policy_table(game: CompiledGame, strategy: np.ndarray) -> dict[str, dict[str, float]]:
    """`strategy` as {information set: {action: probability}}."""
    return {
        infoset.key: dict(zip(infoset.actions, strategy[infoset.sequences].tolist(), strict=True))
        for infoset in game.infosets
    }
