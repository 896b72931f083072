"""A trained strategy for hold'em that is dealt and played: a table or networks that answer for any decision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runout.cursors.cursor import AnySolution
from runout.cursors.mixtures import mixed
from runout.errors import InputError
from runout.games.holdem import settings_of
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState
from runout.games.lines import action_name
from runout.protocols import HoldemPolicy
from runout.solutions.format import Bundle, read_solution
from runout.solutions.reached import Reached

KINDS = ("mccfr", "neural", "blueprint")


@dataclass(frozen=True, eq=False, repr=False)
class PolicySolution(AnySolution):
    """A trained hold'em strategy: a table, or networks. It plays any hand that is dealt.

    solution = runout.load("runs/limit")
    solution.strategy(solution.game.deal("AsKd 7c7h Qs Jh 2h 9c 3d"))
    """

    game: HoldemGame
    config: dict[str, Any]  # of the training run
    policy: HoldemPolicy
    reached: Reached
    kind: str = "mccfr"

    @property
    def title(self) -> str:
        """The game and how it was trained."""
        return f"{self.game.name}: {self.algorithm or self.kind}"

    def probabilities(self, state: HoldemState) -> np.ndarray:
        """The strategy of the player to act, float64 [slots]: the mean over all parts of the policy, each weighted by
        how likely it is to play the player's own actions up to here.
        """
        if state.over:
            raise InputError("the hand is over: nobody is to act")
        before = _decisions(self.game, state)
        weights = np.array(self.policy.weights, np.float64)
        batch = _batch(self.game, [one for one, _ in before] + [state])
        shares = np.empty((len(weights), len(self.game.slot_names)))
        for part in range(len(weights)):
            found = self.policy.probabilities(batch, part)
            for row, (_, slot) in enumerate(before):
                weights[part] *= found[row, slot]
            shares[part] = found[-1]
        if not weights.any():  # no part ever comes here
            weights = np.array(self.policy.weights, np.float64)
        return np.asarray(mixed(weights[None, :, None], shares[None, :, None])[0, 0])

    def strategy(self, state: HoldemState) -> dict[str, float]:
        """The strategy of the player to act: {'fold': 0.1, 'call': 0.9, ...}."""
        found = self.probabilities(state)
        return {action_name(action): float(found[slot]) for slot, action in sorted(state.menu().items())}

    @classmethod
    def from_bundle(cls, bundle: Bundle) -> PolicySolution:
        """The trained strategy in a checkpoint."""
        game = settings_of(str(bundle.config["game_type"]), bundle.config.get("game") or {}).game()
        return cls(game, bundle.config, _policy(game, bundle), Reached.of(bundle), bundle.kind)


def _decisions(game: HoldemGame, state: HoldemState) -> list[tuple[HoldemState, int]]:
    """The decisions before `state` of the player who is to act there, each with the slot that was played."""
    found, at = [], game.deal(state.cards)
    for street in state.history:
        for action in street:
            if at.player == state.player:
                slot = next((slot for slot, one in at.menu().items() if one == action), None)
                if slot is None:
                    raise InputError(f"{action_name(action)} is not offered by {game.name}: no strategy knows it")
                found.append((at, slot))
            at = at.play_to(action)
    return found


def _batch(game: HoldemGame, states: list[HoldemState]) -> HoldemBatch:
    """The states side by side, replayed."""
    batch = HoldemBatch(game, np.array([state.cards for state in states], np.uint8))
    actions = [[action for street in state.history for action in street] for state in states]
    at = [game.deal(state.cards) for state in states]
    for place in range(max(map(len, actions))):
        slots = np.full(len(states), -1, np.int64)
        for row, played in enumerate(actions):
            if place < len(played):
                menu = at[row].menu()
                found = next((slot for slot, one in menu.items() if one == played[place]), None)
                if found is None:
                    raise InputError(f"{action_name(played[place])} is not offered by {game.name}")
                slots[row] = found
                at[row] = at[row].play_to(played[place])
        batch.act(slots)
    return batch


def load_policy_solution(path: str | Path) -> PolicySolution:
    """The trained strategy saved in `path`."""
    return read_solution(path, PolicySolution.from_bundle, *KINDS)


def _policy(game: HoldemGame, bundle: Bundle) -> HoldemPolicy:
    if bundle.kind == "neural":
        from runout.solvers.neural.network_policies import load_policy

        return load_policy(bundle)
    if bundle.kind == "blueprint":
        from runout.solvers.blueprint_policy import load_blueprint

        return load_blueprint(game, bundle)
    from runout.solvers.mccfr import table_policy

    return table_policy(game, bundle)
