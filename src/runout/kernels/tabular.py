"""CFR on the sequence form of a two-player game: straight loops over flat arrays.

A *sequence* of a player is the last action it took at one of its information sets (number 0: none yet); perfect recall
makes that its whole past. Information sets of one depth and one number of actions form a *group*, and a group's
sequences lie action by action, so that every loop below runs along neighbouring information sets:

    sequence = first_sequence + action * count + position in the group

One iteration for one player is four passes:

1. add its realisation plan (the reach of each of its sequences) to the average;
2. value of its sequences at the ends of the game: payoff matrix times the opponent's realisation plan;
3. groups from the deepest up: values, regrets, next strategy; the value of a set goes to the sequence above it;
4. groups from the top down: realisation plan of the next strategy.

A variant of CFR is four numbers an iteration (`runout.solvers.schedules`): what positive and negative regrets are
multiplied by before the new ones are added, what the average is multiplied by, and how much of the newest regrets is
added again to predict the next ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runout.kernels.compiling import kernel

# Indices are unsigned: signed ones are checked for being negative, which keeps loops from being vectorised.
ONE = np.uint64(1)


class Side(NamedTuple):
    """One player's half of the sequence form, in that player's own numbering."""

    groups: np.ndarray  # uint64 [groups, 4]: first set, count of sets, first sequence, actions; shallow to deep
    parents: np.ndarray  # uint32 [sets]: sequence that leads to each information set
    buckets: np.ndarray  # uint64 [buckets, 4]: first row, rows, width, first cell of a block of the payoff matrix
    rows: np.ndarray  # uint32 [rows]: sequence of each row
    columns: np.ndarray  # uint32 [cells]: opponent's sequence, column by column of a block
    payoffs: np.ndarray  # float64 [cells]: chips to this player times the odds of chance; 0 where padded


class LearntTables(NamedTuple):
    """What a solver of one player holds; shape [sequences] each, float64."""

    regrets: np.ndarray
    strategy: np.ndarray  # to be played next
    plan: np.ndarray  # reach of each sequence under `strategy`
    average: np.ndarray  # weighted sum of plans
    last: np.ndarray  # strategy played in the last iteration


@kernel
def end_values(side: Side, plan: np.ndarray, values: np.ndarray, scratch: np.ndarray) -> None:
    """values[s] = chips from the ends of the game that follow sequence s with no further own action."""
    values[:] = 0.0
    buckets, rows, columns, payoffs = side.buckets, side.rows, side.columns, side.payoffs
    for bucket in range(buckets.shape[0]):
        first, count = buckets[bucket, 0], buckets[bucket, 1]
        width, cell = buckets[bucket, 2], buckets[bucket, 3]
        if width & ONE:
            for i in range(count):
                scratch[i] = payoffs[cell + i] * plan[columns[cell + i]]
            cell += count
        else:
            for i in range(count):
                scratch[i] = 0.0
        for _ in range(width >> ONE):
            for i in range(count):
                a, b = cell + i, cell + count + i
                scratch[i] += payoffs[a] * plan[columns[a]] + payoffs[b] * plan[columns[b]]
            cell += count + count
        for i in range(count):
            values[rows[first + i]] = scratch[i]


@kernel
def update(
    side: Side,
    values: np.ndarray,
    regrets: np.ndarray,
    strategy: np.ndarray,
    weights: np.ndarray,
    t: int,
    scratch: np.ndarray,
) -> None:
    """Regrets and next strategy from the values of one iteration; its weights are row t, the next one's row t + 1."""
    positive, negative, step = weights[t, 0], weights[t, 1], weights[t, 3]
    next_positive, next_negative = weights[t + 1, 0], weights[t + 1, 1]
    groups, parents = side.groups, side.parents
    for group in range(groups.shape[0] - 1, -1, -1):
        first, count = groups[group, 0], groups[group, 1]
        start, actions = groups[group, 2], groups[group, 3]
        end = start + actions * count
        for i in range(count):
            scratch[i] = strategy[start + i] * values[start + i]
        for row in range(start + count, end, count):
            for i in range(count):
                scratch[i] += strategy[row + i] * values[row + i]
        for i in range(count):
            values[parents[first + i]] += scratch[i]
        # Short loops over two or three arrays each: longer ones are not vectorised.
        for row in range(start, end, count):
            for i in range(count):
                values[row + i] -= scratch[i]
        for i in range(start, end):
            old = regrets[i]
            regrets[i] = old * (positive if old > 0.0 else negative) + values[i]
        for i in range(start, end):
            new = regrets[i]
            strategy[i] = max(new * (next_positive if new > 0.0 else next_negative) + step * values[i], 0.0)
        for i in range(count):
            scratch[i] = strategy[start + i]
        for row in range(start + count, end, count):
            for i in range(count):
                scratch[i] += strategy[row + i]
        uniform = 1.0 / actions
        for row in range(start, end, count):
            for i in range(count):
                strategy[row + i] = strategy[row + i] / scratch[i] if scratch[i] > 0.0 else uniform


@kernel
def realise(side: Side, strategy: np.ndarray, plan: np.ndarray) -> None:
    """plan[s] = probability that the player itself plays all of sequence s."""
    plan[0] = 1.0
    groups, parents = side.groups, side.parents
    for group in range(groups.shape[0]):
        first, count = groups[group, 0], groups[group, 1]
        start, actions = groups[group, 2], groups[group, 3]
        for row in range(start, start + actions * count, count):
            for i in range(count):
                plan[row + i] = plan[parents[first + i]] * strategy[row + i]


@kernel
def _add_plan(average: np.ndarray, plan: np.ndarray, discount: float) -> None:
    for i in range(average.shape[0]):
        average[i] = average[i] * discount + plan[i]


@kernel
def _learn(
    side: Side, mine: LearntTables, values: np.ndarray, weights: np.ndarray, t: int, scratch: np.ndarray
) -> None:
    """Passes 1, 3 and 4 of one player's iteration; pass 2 has filled `values`."""
    _add_plan(mine.average, mine.plan, weights[t, 2])
    update(side, values, mine.regrets, mine.strategy, weights, t, scratch)
    realise(side, mine.strategy, mine.plan)


@kernel
def iterate(
    sides: tuple[Side, Side], tables: tuple[LearntTables, LearntTables], weights: np.ndarray, alternating: bool
) -> None:
    """Do `len(weights) - 1` iterations; weights is float64 [iterations + 1, 4], see `runout.solvers.schedules`."""
    (side0, side1), (mine0, mine1) = sides, tables
    values0, values1 = np.empty(len(mine0.plan)), np.empty(len(mine1.plan))
    scratch = np.empty(max(len(values0), len(values1)))
    iterations = weights.shape[0] - 1
    for t in range(iterations):
        if t == iterations - 1:
            mine0.last[:] = mine0.strategy
            mine1.last[:] = mine1.strategy
        end_values(side0, mine1.plan, values0, scratch)
        if alternating:
            _learn(side0, mine0, values0, weights, t, scratch)
            end_values(side1, mine0.plan, values1, scratch)
        else:
            end_values(side1, mine0.plan, values1, scratch)
            _learn(side0, mine0, values0, weights, t, scratch)
        _learn(side1, mine1, values1, weights, t, scratch)


@kernel
def normalise(side: Side, sums: np.ndarray, strategy: np.ndarray) -> None:
    """Sums over an information set's actions to probabilities; uniform where they are all zero."""
    groups = side.groups
    strategy[0] = 1.0
    for group in range(groups.shape[0]):
        count = groups[group, 1]
        start, actions = groups[group, 2], groups[group, 3]
        for i in range(start, start + count):
            total = 0.0
            for action in range(actions):
                total += sums[i + action * count]
            for action in range(actions):
                s = i + action * count
                strategy[s] = sums[s] / total if total > 0.0 else 1.0 / actions


@kernel
def back_up(side: Side, values: np.ndarray, strategy: np.ndarray, best: bool, set_values: np.ndarray) -> None:
    """Add to `values` (of the ends) what follows: under `strategy`, or under the best reply when `best`.

    set_values[i] becomes the value of information set i; values[0] that of the game.
    """
    groups, parents = side.groups, side.parents
    for group in range(groups.shape[0] - 1, -1, -1):
        first, count = groups[group, 0], groups[group, 1]
        start, actions = groups[group, 2], groups[group, 3]
        for i in range(count):
            value = values[start + i] if best else strategy[start + i] * values[start + i]
            for row in range(start + count, start + actions * count, count):
                value = max(value, values[row + i]) if best else value + strategy[row + i] * values[row + i]
            set_values[first + i] = value
            values[parents[first + i]] += value
