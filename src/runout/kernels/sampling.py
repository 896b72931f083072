"""Monte Carlo CFR on a compiled game: one walk over a sampled part of the tree, without recursion.

Chance is always sampled. The two switches give the published schemes: sample the opponent (external sampling), both
players (outcome sampling) or neither (chance sampling). A walk is three passes over the list of visited nodes:

1. forward: list nodes, level by level, with `weight` = opponent's reach / probability that the players' choices on the
   way were sampled; the opponent's average grows by weight * strategy at its nodes;
2. backward: unbiased values, and regrets of the traverser at its nodes, times weight;
3. forward: the traverser's next strategy at the sets it visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import kernel

CHANCE, TERMINAL = -1, -2

SLOWEST = 0.02  # rate at which a baseline follows what it is a mean of, however often it was met


class Tree(NamedTuple):
    """What a walk needs of a game."""

    player: np.ndarray  # int8 [nodes]
    first_child: np.ndarray  # int32 [nodes]
    children: np.ndarray  # int32 [nodes]
    chance: np.ndarray  # float64 [nodes]
    payoff: np.ndarray  # float64 [nodes]: chips to player 0
    infoset: np.ndarray  # int32 [nodes]
    first_sequence: np.ndarray  # int32 [sets]: of the first action
    stride: np.ndarray  # int32 [sets]: from one action to the next


class Visits(NamedTuple):
    """The list of a walk; shape [nodes] each, because no walk visits a node twice."""

    node: np.ndarray  # int32
    child: np.ndarray  # int32: place of the first listed child
    picked: np.ndarray  # int32: action that the traverser sampled
    odds: np.ndarray  # float64: probability with which it did
    weight: np.ndarray  # float64
    value: np.ndarray  # float64: to the traverser


@kernel
def _room(nodes: int) -> Visits:
    return Visits(
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.ones(nodes),
        np.empty(nodes),
        np.empty(nodes),
    )


@kernel
def uniform(generator: np.ndarray) -> float:
    """Next number in [0, 1) of a SplitMix64 generator, whose state is uint64 [1]."""
    generator[0] += np.uint64(0x9E3779B97F4A7C15)
    z = generator[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def _pick_chance(tree: Tree, node: int, draw: float) -> int:
    last = tree.children[node] - 1
    for i in range(last):
        draw -= tree.chance[tree.first_child[node] + i]
        if draw < 0.0:
            return i
    return last


@kernel
def _pick_action(strategy: np.ndarray, first: int, stride: int, actions: int, explore: float, draw: float) -> int:
    """An action of the strategy mixed with `explore` of the uniform one."""
    for action in range(actions - 1):
        draw -= explore / actions + (1.0 - explore) * strategy[first + action * stride]
        if draw < 0.0:
            return action
    return actions - 1


@kernel
def _go_down(
    tree: Tree,
    visits: Visits,
    traverser: int,
    sample_own: bool,
    sample_other: bool,
    explore: float,
    strategy: np.ndarray,
    average: np.ndarray,
    generator: np.ndarray,
) -> int:
    visits.node[0], visits.weight[0] = 0, 1.0
    at, end = 0, 1
    while at < end:
        node, weight = visits.node[at], visits.weight[at]
        player, actions, below = tree.player[node], tree.children[node], tree.first_child[node]
        visits.child[at] = end
        if player == CHANCE:
            visits.node[end] = below + _pick_chance(tree, node, uniform(generator))
            visits.weight[end] = weight
            end += 1
        elif player != TERMINAL:
            first, stride = tree.first_sequence[tree.infoset[node]], tree.stride[tree.infoset[node]]
            own = player == traverser
            if not own:
                for action in range(actions):
                    average[first + action * stride] += weight * strategy[first + action * stride]
            if sample_own if own else sample_other:
                mixed = explore if own else 0.0
                action = _pick_action(strategy, first, stride, actions, mixed, uniform(generator))
                odds = mixed / actions + (1.0 - mixed) * strategy[first + action * stride]
                visits.picked[at], visits.odds[at] = action, odds
                visits.node[end] = below + action
                visits.weight[end] = weight / odds if own else weight
                end += 1
            else:
                for action in range(actions):
                    visits.node[end] = below + action
                    visits.weight[end] = weight if own else weight * strategy[first + action * stride]
                    end += 1
        at += 1
    return end


@kernel
def _go_up(
    tree: Tree,
    visits: Visits,
    end: int,
    traverser: int,
    sample_own: bool,
    sample_other: bool,
    strategy: np.ndarray,
    regrets: np.ndarray,
) -> None:
    value = visits.value
    for at in range(end - 1, -1, -1):
        node, child = visits.node[at], visits.child[at]
        player, actions = tree.player[node], tree.children[node]
        if player == TERMINAL:
            value[at] = tree.payoff[node] if traverser == 0 else -tree.payoff[node]
        elif player == CHANCE or (player != traverser and sample_other):
            value[at] = value[child]
        else:
            first, stride = tree.first_sequence[tree.infoset[node]], tree.stride[tree.infoset[node]]
            sampled = player == traverser and sample_own
            picked = visits.picked[at]
            estimate = value[child] / visits.odds[at] if sampled else 0.0
            total = 0.0
            if sampled:
                total = strategy[first + picked * stride] * estimate
            else:
                for action in range(actions):
                    total += strategy[first + action * stride] * value[child + action]
            value[at] = total
            if player == traverser:
                for action in range(actions):
                    gained = value[child + action] if not sampled else (estimate if action == picked else 0.0)
                    regrets[first + action * stride] += visits.weight[at] * (gained - total)


@kernel
def _match(tree: Tree, visits: Visits, end: int, traverser: int, strategy: np.ndarray, regrets: np.ndarray) -> None:
    for at in range(end):
        node = visits.node[at]
        if tree.player[node] == traverser:
            first, stride = tree.first_sequence[tree.infoset[node]], tree.stride[tree.infoset[node]]
            actions = tree.children[node]
            total = 0.0
            for action in range(actions):
                total += max(regrets[first + action * stride], 0.0)
            for action in range(actions):
                s = first + action * stride
                strategy[s] = max(regrets[s], 0.0) / total if total > 0.0 else 1.0 / actions


@kernel
def sample(
    tree: Tree,
    iterations: int,
    sample_own: bool,
    sample_other: bool,
    explore: float,
    regrets: np.ndarray,
    strategy: np.ndarray,
    average: np.ndarray,
    last: np.ndarray,
    generator: np.ndarray,
) -> None:
    """Do this many iterations, each a walk for player 0 and then one for player 1."""
    nodes = len(tree.player)
    visits = _room(nodes)
    for t in range(iterations):
        if t == iterations - 1:
            last[:] = strategy
        for traverser in range(2):
            end = _go_down(tree, visits, traverser, sample_own, sample_other, explore, strategy, average, generator)
            _go_up(tree, visits, end, traverser, sample_own, sample_other, strategy, regrets)
            _match(tree, visits, end, traverser, strategy, regrets)


@kernel
def _go_up_corrected(
    tree: Tree,
    visits: Visits,
    end: int,
    traverser: int,
    strategy: np.ndarray,
    regrets: np.ndarray,
    baseline: np.ndarray,
    met: np.ndarray,
) -> None:
    """`_go_up` of external sampling where chance and the opponent are corrected by a baseline (VR-MCCFR).

    In place of the value of the child that was drawn stands the mean of the baselines of all children, and what the
    drawn one was worth over its own baseline: the same on average, with less noise. Baselines are running means of what
    histories were worth to player 0; met counts how often each was drawn.
    """
    value = visits.value
    sign = 1.0 if traverser == 0 else -1.0
    for at in range(end - 1, -1, -1):
        node, child = visits.node[at], visits.child[at]
        player, actions, below = tree.player[node], tree.children[node], tree.first_child[node]
        if player == TERMINAL:
            value[at] = sign * tree.payoff[node]
            continue
        if player == traverser:
            first, stride = tree.first_sequence[tree.infoset[node]], tree.stride[tree.infoset[node]]
            total = 0.0
            for action in range(actions):
                total += strategy[first + action * stride] * value[child + action]
            value[at] = total
            for action in range(actions):
                regrets[first + action * stride] += value[child + action] - total
            continue
        drawn = visits.node[child]
        total = value[child] - sign * baseline[drawn]
        if player == CHANCE:
            for action in range(actions):
                total += tree.chance[below + action] * sign * baseline[below + action]
        else:
            first, stride = tree.first_sequence[tree.infoset[node]], tree.stride[tree.infoset[node]]
            for action in range(actions):
                total += strategy[first + action * stride] * sign * baseline[below + action]
        value[at] = total
        met[drawn] += 1
        rate = max(1.0 / met[drawn], SLOWEST)
        baseline[drawn] += rate * (sign * value[child] - baseline[drawn])


@kernel
def collect(
    tree: Tree,
    walks: int,
    traverser: int,
    strategy: np.ndarray,
    generator: np.ndarray,
    own: np.ndarray,
    advantages: np.ndarray,
    others: np.ndarray,
    baseline: np.ndarray,
    met: np.ndarray,
) -> tuple[int, int, int, int]:
    """External sampling that learns nothing itself: what each walk saw, in the order in which it did.

    baseline float64 [nodes] and met int64 [nodes] take out noise (`_go_up_corrected`); without any of them, none is.

    own int32 [n] are information sets of the traverser, advantages float32 [n, most actions] what each of their
    actions won over the mixture; others int32 [m] are sets of the opponent that were passed. A walk meets a set of
    the traverser at most once. How many own and other sets there are, walks done (all, unless room ran out), nodes.
    """
    nodes = len(tree.player)
    visits = _room(nodes)
    regrets, unused = np.zeros(len(strategy)), np.zeros(len(strategy))
    found, passed, done, total = 0, 0, 0, 0
    while done < walks and found + nodes <= len(own) and passed + nodes <= len(others):
        done += 1
        end = _go_down(tree, visits, traverser, False, True, 0.0, strategy, unused, generator)
        if baseline.shape[0] > 0:
            _go_up_corrected(tree, visits, end, traverser, strategy, regrets, baseline, met)
        else:
            _go_up(tree, visits, end, traverser, False, True, strategy, regrets)
        total += end
        for at in range(end):
            node = visits.node[at]
            infoset = tree.infoset[node]
            if tree.player[node] == traverser:
                first, stride = tree.first_sequence[infoset], tree.stride[infoset]
                own[found] = infoset
                for action in range(tree.children[node]):
                    advantages[found, action] = regrets[first + action * stride]
                    regrets[first + action * stride] = 0.0
                found += 1
            elif tree.player[node] == 1 - traverser:
                others[passed] = infoset
                passed += 1
    return found, passed, done, total
