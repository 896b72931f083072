"""A blueprint as a policy of dealt hands: which decision of the tree a hand stands at, and what its bucket plays."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from runout.cards.abstraction import AbstractionSettings
from runout.errors import InputError
from runout.games.betting import BETTING, NOBODY, STREET_OVER, BettingState
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import DEAL_CARDS, HoldemGame
from runout.games.tree import NO_PARENT, BettingTree
from runout.kernels import blueprint as kernel
from runout.kernels.mccfr import batch_keys
from runout.kernels.tables import Buckets
from runout.solutions.format import Bundle
from runout.solutions.stored import fitting
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.mccfr import TablePolicy
from runout.solvers.range_plan import storage_places


class BlueprintPolicy:
    """The average strategy of a blueprint; a `protocols.HoldemPolicy`."""

    weights = np.ones(1)

    def __init__(self, what: BlueprintGame, buckets: Buckets) -> None:
        self.what, self.buckets = what, buckets

    @cached_property
    def _lines(self) -> tuple[kernel.Decisions, np.ndarray, np.ndarray]:
        """The decisions of the tree, the keys of their lines in ascending order, and whose key each is."""
        decisions, paths = _decisions(self.what.game, self.what.tree)
        keys = line_keys(replayed(self.what.game, paths))
        order = np.argsort(keys)
        return decisions, keys[order], order

    def probabilities(self, batch: HoldemBatch, part: int = 0) -> np.ndarray:
        """float64 [n, slots] of a batch without hands that are over."""
        decisions, keys, order = self._lines
        found = line_keys(batch)
        at = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
        if (keys[at] != found).any():
            raise InputError(f"{self.what.game.name} has no such line: its blueprint knows only its own bet sizes")
        rows = np.arange(len(batch))
        buckets = self.what.abstraction.buckets(batch.cards)[rows, batch.player, batch.hands["street"]]
        out = np.empty((len(batch), batch.rules.slots))
        kernel.average_strategies(self.buckets, decisions, order[at], buckets.astype(np.int64), out)
        return out


def load_blueprint(game: HoldemGame, bundle: Bundle) -> BlueprintPolicy:
    """The policy of a checkpoint."""
    settings = bundle.config.get("abstraction")
    asked = None if settings is None else AbstractionSettings.model_validate(settings)
    what = BlueprintGame.of(game, asked, bundle.arrays)
    averages = np.asarray(bundle.arrays["averages"])
    if averages.dtype == np.uint8:  # a compact one: shares of 255
        averages = averages.astype(np.float32)
    averages = fitting({"averages": averages}, "averages", (what.numbers,), np.float32)
    return BlueprintPolicy(what, what.empty_buckets()._replace(averages=averages))


def compact(policy: BlueprintPolicy) -> np.ndarray:
    """uint8: the averages of a blueprint as shares of 255 at each decision, a quarter of their size.

    A share below half a step is left out: an action that is hardly ever taken is never taken.
    """
    places, decisions = policy.buckets, _decisions(policy.what.game, policy.what.tree)[0]
    found = np.zeros(policy.what.numbers, np.uint8)
    for number in range(len(decisions.street)):
        street, player = int(decisions.street[number]), int(decisions.player[number])
        actions = int(decisions.first_edge[number + 1] - decisions.first_edge[number])
        width = int(places.width[street])
        first = int(places.first[player, street]) + int(decisions.row[number]) * width
        here = slice(first, first + actions * width)
        shares = np.maximum(places.averages[here], 0).reshape(actions, width)
        total = shares.sum(axis=0)
        parts = np.divide(255.0 * shares, total, out=np.full_like(shares, 255.0 / actions), where=total > 0)
        found[here] = np.rint(parts).astype(np.uint8).ravel()
    return found


def as_blueprint(policy: Any) -> BlueprintPolicy | None:
    """The policy as a blueprint, where it is one or a table of the same buckets; None where it is neither."""
    if isinstance(policy, BlueprintPolicy):
        return policy
    if not isinstance(policy, TablePolicy) or policy.cards.abstraction is None or policy.game.board:
        return None
    what = BlueprintGame(policy.game, policy.game.tree().dealt_out(), policy.cards.abstraction)
    return _of_table(what, policy)


def _of_table(what: BlueprintGame, policy: TablePolicy) -> BlueprintPolicy:
    """Every strategy of a table, decision by decision and bucket by bucket; even play where the table knows nothing."""
    places = what.empty_buckets()
    found = BlueprintPolicy(what, places._replace(averages=np.zeros(what.numbers, np.float32)))
    decisions, paths = _decisions(what.game, what.tree)
    batch, sizes = replayed(what.game, paths), what.abstraction.sizes
    for number in range(len(paths)):
        street, player = int(decisions.street[number]), int(decisions.player[number])
        same = batch.take(np.full(sizes[street], number))
        shares = policy.of_buckets(same, np.arange(sizes[street]))
        first, last = decisions.first_edge[number : number + 2]
        for k, slot in enumerate(decisions.slot[first:last]):
            at = int(places.first[player, street] + (decisions.row[number] + k) * places.width[street])
            found.buckets.averages[at : at + sizes[street]] = shares[:, slot]
    return found


def _decisions(game: HoldemGame, tree: BettingTree) -> tuple[kernel.Decisions, list[list[int]]]:
    """All decisions, and the slots that lead to each."""
    first_edge, row, slot, street_of, player = [0], [], [], [], []
    paths: list[list[int]] = []
    entries: dict[int, tuple[BettingState, list[int]]] = {0: (game.start(), [])}
    for index, street in enumerate(tree.streets):
        at: dict[int, tuple[BettingState, list[int]]] = {}  # by node
        below: dict[int, tuple[BettingState, list[int]]] = {}
        places, _ = storage_places(street)
        for node in range(street.nodes):
            if street.player[node] == NOBODY:
                continue
            if street.parent_edge[node] == NO_PARENT:
                at[node] = entries[street.entry_of(node)]
            state, path = at.pop(node)
            slots = {action: number for number, action in game.slots(state).items()}
            for edge, action in enumerate(street.actions(node), int(street.first_edge[node])):
                slot.append(slots[action])
                after = state.act(action)
                if after.status == STREET_OVER:
                    below[int(street.child[edge])] = after.next_street(), [*path, slots[action]]
                elif after.status == BETTING:
                    at[int(street.child[edge])] = after, [*path, slots[action]]
            first_edge.append(len(slot))
            row.append(int(places[street.first_edge[node]]))
            street_of.append(index)
            player.append(int(street.player[node]))
            paths.append(path)
        entries = below
    numbers = (np.array(part, np.int64) for part in (first_edge, row, slot, street_of, player))
    return kernel.Decisions(*numbers), paths


def replayed(game: HoldemGame, paths: list[list[int]]) -> HoldemBatch:
    """Hands with any cards at the end of lines given by their slots."""
    batch = HoldemBatch(game, np.tile(np.array(game.deck[:DEAL_CARDS], np.uint8), (len(paths), 1)))
    for place in range(max(map(len, paths))):
        batch.act(np.array([path[place] if place < len(path) else NO_SLOT for path in paths]))
    return batch


def line_keys(batch: HoldemBatch) -> np.ndarray:
    """uint64 [n]: of what was bet in each hand, whatever the cards."""
    keys = np.empty(len(batch), np.uint64)
    batch_keys(batch.rules, batch.hands, batch.added, np.zeros(len(batch), np.uint64), keys)
    return keys
