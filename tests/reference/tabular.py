"""Slow, obvious twins: CFR and best response by plain recursion over a game's states, written as in the papers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from runout.games.compiled import CompiledGame
from runout.games.protocol import CHANCE, TERMINAL, AnyGame
from runout.solvers.game_response import backed_up

Policy = Mapping[str, Mapping[str, float]]


class RecursiveCFR:
    """Each published variant in its own words: regrets are floored or discounted right after an update."""

    def __init__(self, game: AnyGame, variant: str, alternating: bool = True) -> None:
        self.game, self.variant, self.alternating = game, variant, alternating
        self.t = 0
        self.regrets: dict[str, dict[str, float]] = {}
        self.latest: dict[str, dict[str, float]] = {}  # regrets of the last iteration alone
        self.sums: dict[str, dict[str, float]] = {}
        self.owner: dict[str, int] = {}
        self.visited: dict[str, tuple[float, Mapping[str, float]]] = {}  # own reach and strategy in this iteration
        self._collect(game.root())

    def _collect(self, state: Any) -> None:
        player = self.game.player(state)
        if player == TERMINAL:
            return
        if player != CHANCE:
            key = self.game.infoset(state)
            self.owner[key] = player
            for table in (self.regrets, self.latest, self.sums):
                table[key] = dict.fromkeys(self.game.actions(state), 0.0)
        for action in self.game.actions(state):
            self._collect(self.game.next(state, action))

    def strategy(self, key: str) -> dict[str, float]:
        predicted = self._predicted(key)
        positive = {action: max(regret, 0.0) for action, regret in predicted.items()}
        total = sum(positive.values())
        return {a: p / total if total > 0 else 1 / len(positive) for a, p in positive.items()}

    def _predicted(self, key: str) -> dict[str, float]:
        step = {"pcfr+": 1.0, "pdcfr+": 1.0, "sapcfr+": 1 / 3}.get(self.variant, 0.0)
        keep = self.t**2.3 / (self.t**2.3 + 1) if self.variant == "pdcfr+" else 1.0
        return {a: r * keep + step * self.latest[key][a] for a, r in self.regrets[key].items()}

    def iterate(self) -> None:
        strategies = {key: self.strategy(key) for key in self.regrets}
        self.t += 1
        for players in ((0,), (1,)) if self.alternating else ((0, 1),):
            found = {player: defaultdict(float) for player in players}
            for player in players:
                self._walk(self.game.root(), player, 1.0, 1.0, strategies, found[player])
            for player in players:
                self._learn(player, found[player])
            if self.alternating:
                strategies = {key: self.strategy(key) if self.owner[key] in players else s
                              for key, s in strategies.items()}  # fmt: skip

    def _walk(self, state: Any, player: int, own: float, other: float, strategies: Policy, found: Any) -> float:
        """Value to `player`; `other` is the reach of chance and opponent."""
        actor = self.game.player(state)
        if actor == TERMINAL:
            return self.game.returns(state)[player]
        actions = self.game.actions(state)
        if actor == CHANCE:
            odds = self.game.chance(state)
            return sum(
                p * self._walk(self.game.next(state, a), player, own, other * p, strategies, found)
                for a, p in zip(actions, odds, strict=True)
            )
        key = self.game.infoset(state)
        chosen = strategies[key]
        if actor != player:
            return sum(
                chosen[a] * self._walk(self.game.next(state, a), player, own, other * chosen[a], strategies, found)
                for a in actions
            )
        values = {
            a: self._walk(self.game.next(state, a), player, own * chosen[a], other, strategies, found) for a in actions
        }
        mean = sum(chosen[a] * values[a] for a in actions)
        for action in actions:
            found[key, action] += other * (values[action] - mean)
        self.visited[key] = (own, chosen)
        return mean

    def _learn(self, player: int, found: Mapping[tuple[str, str], float]) -> None:
        t = self.t
        gamma = {"cfr": 0, "cfr+": 1, "lcfr": 1, "dcfr": 2, "dcfr+": 4, "pcfr+": 2, "pdcfr+": 5, "sapcfr+": 5}
        for key in [key for key, owner in self.owner.items() if owner == player]:
            own, chosen = self.visited[key]
            for action, regret in self.regrets[key].items():
                new = regret + found[key, action] * (t if self.variant == "lcfr" else 1)
                if self.variant == "dcfr":  # discounted after the update, by the sign it then has
                    new *= t**1.5 / (t**1.5 + 1) if new > 0 else 0.5
                elif self.variant in ("dcfr+", "pdcfr+"):
                    power = 1.5 if self.variant == "dcfr+" else 2.3
                    keep = (t - 1) ** power / ((t - 1) ** power + 1)
                    new = max(regret * keep + found[key, action], 0.0)
                elif self.variant.endswith("+"):
                    new = max(new, 0.0)
                self.regrets[key][action] = new
                self.latest[key][action] = found[key, action]
                self.sums[key][action] += t ** gamma[self.variant] * own * chosen[action]

    def average(self) -> dict[str, dict[str, float]]:
        policy = {}
        for key, sums in self.sums.items():
            total = sum(sums.values())
            policy[key] = {a: s / total if total > 0 else 1 / len(sums) for a, s in sums.items()}
        return policy


def value(game: AnyGame, policy: Policy, state: Any | None = None) -> float:
    """Chips to player 0 when both follow `policy`."""
    state = game.root() if state is None else state
    actor = game.player(state)
    if actor == TERMINAL:
        return game.returns(state)[0]
    actions = game.actions(state)
    odds = game.chance(state) if actor == CHANCE else [policy[game.infoset(state)][a] for a in actions]
    return sum(p * value(game, policy, game.next(state, a)) for a, p in zip(actions, odds, strict=True))


def best_response_value(game: AnyGame, policy: Policy, player: int) -> float:
    """What `player` wins with the best reply to `policy`, chosen once for each information set."""
    members: dict[str, list[tuple[Any, float]]] = defaultdict(list)  # infoset -> (state, reach of the others)

    def collect(state: Any, reach: float) -> None:
        actor = game.player(state)
        if actor == TERMINAL:
            return
        actions = game.actions(state)
        if actor == player:
            members[game.infoset(state)].append((state, reach))
            odds: Any = [1.0] * len(actions)
        else:
            odds = game.chance(state) if actor == CHANCE else [policy[game.infoset(state)][a] for a in actions]
        for action, p in zip(actions, odds, strict=True):
            collect(game.next(state, action), reach * p)

    collect(game.root(), 1.0)
    choice: dict[str, str] = {}

    def worth(state: Any) -> float:
        actor = game.player(state)
        if actor == TERMINAL:
            return game.returns(state)[player]
        if actor == player:
            return worth(game.next(state, choose(game.infoset(state))))
        actions = game.actions(state)
        odds = game.chance(state) if actor == CHANCE else [policy[game.infoset(state)][a] for a in actions]
        return sum(p * worth(game.next(state, a)) for a, p in zip(actions, odds, strict=True))

    def choose(key: str) -> str:
        if key not in choice:
            actions = game.actions(members[key][0][0])
            choice[key] = max(
                actions, key=lambda a: sum(reach * worth(game.next(state, a)) for state, reach in members[key])
            )
        return choice[key]

    return worth(game.root())


def policy_array(game: CompiledGame, table: Policy) -> np.ndarray:
    """A table {information set: {action: probability}} as float64 [sequences] of a compiled game."""
    strategy = np.ones(game.sequences)
    for infoset in game.infosets:
        strategy[infoset.sequences] = [table[infoset.key].get(action, 0.0) for action in infoset.actions]
    return strategy


def best_response(game: CompiledGame, strategy: np.ndarray, player: int) -> np.ndarray:
    """`strategy` with the part of `player` replaced by a pure best response to the other, float64 [sequences]."""
    action_values, _ = backed_up(game, strategy, player, best=True)
    reply = strategy.copy()
    first = game.sequence_start[player]
    for infoset in game.infosets[game.infoset_start[player] : game.infoset_start[player + 1]]:
        reply[infoset.sequences] = 0.0
        reply[infoset.sequences[np.argmax(action_values[infoset.sequences - first])]] = 1.0
    return reply
