"""Raises before the flop that a blueprint does not know: the game before the flop is solved anew with them.

1. Its lines are those of the blueprint, those of the hand so far and, below the new raise, those that follow the
   nearest raise of the blueprint, with amounts larger or smaller in the same ratio. Called pots are worth what charts
   say of them (`solved_leaf`).
2. The player for whom it is solved plays what is known everywhere but below the new raise: the blueprint, or what was
   solved before. The opponent plays what is known up to the new raise, then whatever is best: so not to make the raise
   is worth what it can be against the blueprint.
3. Both learn by regret matching plus. A small part of each of the opponent's hands makes the raise in any case, so that
   its range is never empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from runout.cards.cards import DECK
from runout.cards.hands import CLASSES
from runout.games.betting import (
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    FOLD,
    PREFLOP,
    RAISE,
    RIVER,
    Action,
    BettingState,
    start,
)
from runout.games.holdem import NoLimitHoldem
from runout.games.preflop import BIG_BLIND, WORDING, Preflop
from runout.games.tree import BettingTree
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.called_pots import preflop_strategy
from runout.solvers.preflop import Sweep
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.solved_leaf import shipped_charts

ITERATIONS = 300
LEAST = 30  # iterations, whatever time there is
NEARLY_ALL = 0.7  # of the stack: a raise to so much goes all-in
TREMBLE = 0.02  # share of each hand that makes the raise in any case


def preflop_part(policy: BlueprintPolicy, settings: NoLimitHoldem, more: Sequence[str] = ()) -> Preflop:
    """The game before the flop with just the lines of a blueprint's tree, and more."""
    tree = policy.what.game.tree()
    street = tree.streets[0]
    raises = [tree.line_after(0, int(edge)) for edge in np.flatnonzero(np.isin(street.action, (BET, RAISE, ALL_IN)))]
    return Preflop(
        name="whole game",
        stack_depth=settings.stack_depth,
        raise_sizes=[[]],
        all_in=False,
        limps=settings.limps,
        ante=settings.ante,
        rake=settings.rake,
        lines=[*raises, *more],
    )


@dataclass(frozen=True, eq=False)
class SolvedPreflop:
    """A game before the flop with raises that the blueprint does not have."""

    settings: Preflop
    tree: BettingTree
    shares: Mapping[str, np.ndarray]  # by line after an action: float64 [169], how often each class takes it
    gain: float  # big blinds a hand: what the raise wins over best play without it

    def actions(self, line: str) -> list[Action]:
        """What can be done after a line; amounts in the chips of `Preflop`."""
        return self.tree.streets[0].actions(self.tree.node(line)[1])

    def played(self, line: str) -> np.ndarray:
        """float64 [actions, 169]: how often each class does it."""
        node = self.tree.node(line)[1]
        first, last = self.tree.streets[0].first_edge[node : node + 2]
        return np.stack([self.shares[self.tree.line_after(0, edge)] for edge in range(first, last)])


class PreflopAnew:
    """Solves the game before the flop of one blueprint with raises that it does not have."""

    def __init__(self, policy: BlueprintPolicy, settings: NoLimitHoldem) -> None:
        self._policy, self._settings = policy, settings
        rules = preflop_part(policy, settings).game().rules
        self._rules = replace(rules, caps=(policy.what.game.rules.cap(PREFLOP),))
        tree, rows = policy.what.tree, preflop_strategy(policy)
        self._known = {tree.line_after(0, edge): rows[edge] for edge in range(tree.streets[0].edges)}

    @classmethod
    def of(cls, policy: BlueprintPolicy) -> PreflopAnew | None:
        """None where charts say nothing of the called pots."""
        game = policy.what.game
        settings = game.settings
        whole = game.rules.last_street == RIVER and len(game.deck) == DECK
        if not isinstance(settings, NoLimitHoldem) or not whole or settings.big_blind_ante or not shipped_charts():
            return None
        return cls(policy, settings)

    def line(self, actions: Sequence[Action], chips: float) -> str:
        """The actions before the flop, as the lines here are written; chips: of a big blind."""
        state, words = start(self._rules), []
        for action in actions:
            if state.status != BETTING:
                break
            amount, legal = round(action.amount * BIG_BLIND / chips), state.legal()
            if action.kind in (BET, RAISE):  # rounding must not make it too small
                amount = min(max(amount, legal.smallest), legal.largest)
            own = state.verify(Action(action.kind, amount))
            words.append(WORDING.token(own, 0, state.player))
            state = state.play(own)
        return " ".join(words)

    def after(
        self, player: int, line: str, before: SolvedPreflop | None, late: Callable[[], bool] = lambda: False
    ) -> SolvedPreflop:
        """Solved for a player after a line whose last raise is new; before: where others were, what came of those.

        late: asked after each iteration from LEAST on, whether to stop early.
        """
        known = self._known if before is None else {**self._known, **before.shares}
        settings = preflop_part(self._policy, self._settings, [*self._followers(line, known), *_raises(known), line])
        game = PreflopGame.of(settings)
        tree = settings.tree()
        strategy, free, trembling = _begin(tree, line, player, known)
        shares, gain = _solve(game, strategy, free, trembling, late)
        by_line = {tree.line_after(0, edge): shares[edge] for edge in range(game.edges)}
        return SolvedPreflop(settings, tree, by_line, gain)

    def _followers(self, line: str, known: Mapping[str, np.ndarray]) -> list[str]:
        """Lines below a new raise: of the nearest raise that is known there, in the ratio of the two."""
        *path, last = line.split()
        made, above = _amount(last), " ".join(path)
        if not made or not self._after(line).legal().largest:  # all-in, or as many raises as there may be
            return []
        beside = {one: _amount(one.split()[-1]) for one in known if one != line and _parent(one) == above}
        beside = {one: amount for one, amount in beside.items() if amount}
        nearest = min(beside, key=lambda one: abs(np.log(beside[one] / made)), default="")
        found = []
        for one in known if nearest else ():
            words = one.split()[len(path) + 1 :]
            if one.startswith(f"{nearest} ") and all(_is_raise(word) for word in words):
                found.append(self._scaled(line, words, made / beside[nearest]))
        return found or [f"{line} {_other(last)}a"]

    def _scaled(self, line: str, words: Sequence[str], ratio: float) -> str:
        """The raises of the words after a line, each times the ratio and at least what is legal; all-in where that is
        nearly all, or where it was all-in."""
        out, state = [line], self._after(line)
        for word in words:
            legal = state.legal()
            if not legal.largest:
                break
            total = _amount(word) * ratio
            total = round(2 * total) / 2 if total >= 5 else round(10 * total) / 10
            amount = max(round(total * BIG_BLIND), legal.smallest)
            far = not total or amount >= NEARLY_ALL * legal.largest
            action = state.verify(Action(RAISE, legal.largest if far else amount))
            out.append(WORDING.token(action, 0, state.player))
            state = state.play(action)
        return " ".join(out)

    def _after(self, line: str) -> BettingState:
        """The state after a line, by the rules of the blueprint's game: with its limit on raises."""
        state = start(self._rules)
        for word in line.split():
            kind = {"f": FOLD, "x": CHECK, "c": CALL, "a": ALL_IN}.get(word[2], RAISE)
            state = state.act(Action(kind, round(_amount(word) * BIG_BLIND)))
        return state


def _amount(word: str) -> float:
    """Big blinds that a raise goes to; 0 of all-in and of other actions."""
    return float(word[3:]) if word[2] == "r" else 0.0


def _is_raise(word: str) -> bool:
    return word[2] in "ra"


def _other(word: str) -> str:
    return "BB" if word.startswith("SB") else "SB"


def _parent(line: str) -> str:
    return " ".join(line.split()[:-1])


def _raises(known: Mapping[str, np.ndarray]) -> list[str]:
    """Lines that end in a raise."""
    return [line for line in known if _is_raise(line.split()[-1])]


def _begin(
    tree: BettingTree, line: str, player: int, known: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, int]:
    """The strategy float64 [edges, 169] to begin with, bool [nodes]: where it is learnt; and the edge of the raise."""
    street, lines, above = tree.streets[0], tree.lines(0), _parent(line)
    strategy = np.zeros((street.edges, CLASSES))
    free, trembling = np.zeros(street.nodes, bool), -1
    for node in range(street.nodes):
        first, last = (int(edge) for edge in street.first_edge[node : node + 2])
        names = [tree.line_after(0, edge) for edge in range(first, last)]
        below = f"{lines[node]} ".startswith(f"{line} ")
        under = f" {lines[node]} ".startswith(f" {above} ".replace("  ", " "))
        if lines[node] == above:
            trembling = first + names.index(line)
            own = street.player[node] == player
            if own:  # somebody raised for it: with every hand
                strategy[trembling] = 1.0
                trembling = -1
                continue
        free[node] = below or (under and street.player[node] != player and trembling >= 0)
        strategy[first:last] = _mixed(np.stack([known.get(name, np.zeros(CLASSES)) for name in names]))
    return strategy, free, trembling


def _solve(
    game: PreflopGame, strategy: np.ndarray, free: np.ndarray, trembling: int, late: Callable[[], bool]
) -> tuple[np.ndarray, float]:
    """The averages of regret matching plus, weighed by the iteration; and what the raise gains."""
    street, owner = game.street, game.street.edge_owner()
    sweep, learns = Sweep(game, once=True), free[owner]
    regrets, sums = np.zeros_like(strategy), np.zeros_like(strategy)
    who = street.player[owner]
    nodes = np.flatnonzero(free)
    first = street.first_edge
    for t in range(1, ITERATIONS + 1):
        if t > LEAST and late():
            break
        for player in range(2):
            mine = learns & (who == player)
            if not mine.any():
                continue
            sweep.find_values(strategy, player)
            gains = sweep.edge_values[mine] - sweep.node_values[owner[mine]]
            rows = sweep.realise(strategy, player)
            sums[mine] += t * strategy[mine] * rows[game.lines.node_row[player, owner[mine]]]
            regrets[mine] = np.maximum(regrets[mine] + gains, 0)
            for node in nodes[street.player[nodes] == player]:
                strategy[first[node] : first[node + 1]] = _mixed(regrets[first[node] : first[node + 1]])
            if trembling >= 0 and who[trembling] == player:
                node = owner[trembling]
                strategy[first[node] : first[node + 1]] *= 1 - TREMBLE
                strategy[trembling] += TREMBLE
    for node in nodes:
        strategy[first[node] : first[node + 1]] = _mixed(sums[first[node] : first[node + 1]])
    return strategy, _gain(game, sweep, strategy, trembling)


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers of a decision's actions, float64 [actions, 169], in proportion; even where there are none."""
    total = numbers.sum(axis=0)
    return np.asarray(np.where(total > 0, numbers / np.where(total > 0, total, 1.0), 1 / len(numbers)))


def _gain(game: PreflopGame, sweep: Sweep, strategy: np.ndarray, raised: int) -> float:
    """What the raise wins over the best other action, played best, with the hands that get there."""
    if raised < 0:
        return 0.0
    street, node = game.street, int(game.street.edge_owner()[raised])
    player = int(street.player[node])
    sweep.find_values(strategy, player, best=True)
    edges = [edge for edge in range(*street.first_edge[node : node + 2]) if edge != raised]
    better = sweep.edge_values[raised] - sweep.edge_values[edges].max(axis=0)
    reach = sweep.realise(strategy, player)[game.lines.node_row[player, node]]
    return float(reach @ np.maximum(better, 0))


def raisers(state: BettingState) -> list[int]:
    """Who raised before the flop, in order."""
    found, now = [], start(state.rules)
    for action in state.played:
        if now.status != BETTING:
            break
        if action.kind not in (FOLD, CHECK, CALL):
            found.append(now.player)
        now = now.play(action)
    return found


def from_preflop(state: BettingState, action: Action, big_blind: float) -> Action:
    """An action of a game before the flop in the chips of the hand."""
    if action.kind in (FOLD, CHECK, CALL):
        return state.verify(Action(action.kind))
    legal, total = state.legal(), round(action.amount * big_blind / BIG_BLIND)
    if not legal.largest:
        return state.verify(Action(CALL))
    return state.verify(Action(RAISE, min(max(total, legal.smallest), legal.largest)))
