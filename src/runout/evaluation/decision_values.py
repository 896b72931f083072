"""What every action of a hand that is over was worth to one player, with the hand that was held.

1. The hand is followed in the tree of a blueprint, bets of other sizes as the nearest (`followed`): that gives the
   ranges of both players on every street.
2. On the flop both play the blueprint from then on: one sweep over every turn and every river (`FlopValues`).
3. On turn and river the rest of the hand is solved anew with the ranges that got there, at the stacks and with the bets
   of the table, to a small share of the pot (`solved_values`).

Values are chips, the same constant added to all actions of a decision; only differences mean something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from runout.cards.hands import COMBO_CARDS, combo
from runout.games.betting import ALL_IN, CALL, CHECK, FOLD, Action, BettingState, start
from runout.games.holdem_game import HoldemGame
from runout.games.menus import Menu
from runout.games.points import BOARD_CARDS
from runout.solvers.blueprint_measure import BlueprintMeasure
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.bot import MOST_NUMBERS, next_place, next_state
from runout.solvers.range_lines import LiveLines
from runout.solvers.ranges import RangeSolver
from runout.solvers.subgames import (
    FAINTEST,
    SCHEDULE,
    BlueprintKnown,
    Place,
    Subgame,
    known_rows,
    opponents_met,
    shares_of,
    size,
)

GOOD, GOOD_ENOUGH = 0.002, 0.01  # exploitability as a share of the pot: solving stops there; above it nothing is said
MOST_ITERATIONS, AT_ONCE = 600, 50
TOO_FAR = 0.75  # of the logarithm of sizes: a bet that is so far from all of the tree is none of them
_HELD = 1e-3  # of the most likely hand: the hand that was held is solved for even if it should not be here


@dataclass(frozen=True, eq=False)
class HandStep:
    """A decision of a hand, at the table and in the tree of a blueprint."""

    here: BettingState
    there: BettingState
    place: Place
    ranges: np.ndarray  # float64 [2, 1326]: what the blueprint leaves of both players' hands
    action: Action  # what was done at the table
    taken: int  # number of the action of the tree that is nearest to what was done
    off: float  # how far that is from it: a logarithm of sizes, 0 where it is the same


@dataclass(frozen=True, eq=False)
class Worth:
    """A decision, and what its actions were worth."""

    step: HandStep
    state: BettingState  # what `actions` are legal at
    actions: tuple[Action, ...]
    values: np.ndarray  # float64 [actions]
    taken: int
    off: float


def followed(policy: BlueprintKnown, game: HoldemGame, played: BettingState, cards: Sequence[int]) -> list[HandStep]:
    """The decisions of a hand; those after the tree and the table have come apart are left out."""
    here, there, place = start(played.rules), game.start(), Place(0, 0)
    ranges, steps = game.weights.copy(), list[HandStep]()
    for action in played.played:
        if there.over or there.player != here.player or there.street != here.street:
            break
        board = [int(card) for card in cards[4 : 4 + BOARD_CARDS[there.street]]]
        offered = policy.tree.streets[place.street].actions(place.node)
        taken, off = _nearest(here, action, there, offered)
        steps.append(HandStep(here, there, place, ranges, action, taken, off))
        shares = shares_of(known_rows(policy, place, board))[taken]
        after = ranges.copy()
        after[here.player] *= shares
        onward = next_place(policy.tree, place, taken)
        here, there = next_state(here, action), next_state(there, offered[taken])
        shown = [int(card) for card in cards[4 : 4 + BOARD_CARDS[there.street]]]
        after *= ~np.isin(COMBO_CARDS, shown).any(axis=1)
        if off <= TOO_FAR and after.any(axis=1).all():
            ranges = after  # else it should never do this, and nothing is learnt from it
        else:
            ranges = ranges * ~np.isin(COMBO_CARDS, shown).any(axis=1)
        if onward is None:
            break
        place = onward
    return steps


def _nearest(here: BettingState, action: Action, there: BettingState, offered: Sequence[Action]) -> tuple[int, float]:
    """The number of the action that is nearest to one at the table, and how far off it is."""
    quiet = {one.kind: number for number, one in enumerate(offered) if one.kind in (FOLD, CHECK, CALL)}
    bets = {number: one for number, one in enumerate(offered) if one.kind not in (FOLD, CHECK, CALL)}
    if action.kind in (FOLD, CHECK, CALL):
        passive = quiet.get(CALL, quiet.get(CHECK, 0))
        return quiet.get(action.kind, passive), 0.0 if action.kind in quiet else np.inf
    if not bets:
        return quiet.get(CALL, quiet.get(CHECK, 0)), np.inf
    largest = max(bets)
    if action.amount >= here.legal().largest and bets[largest].kind == ALL_IN:
        return largest, 0.0
    wanted = (action.amount - here.facing) / (here.pot + here.to_call)
    apart = {
        number: abs(np.log(max((one.amount - there.facing) / (there.pot + there.to_call), 1e-6) / max(wanted, 1e-6)))
        for number, one in bets.items()
    }
    nearest = min(apart, key=apart.__getitem__)
    return nearest, float(apart[nearest])


class FlopValues:
    """Decisions on the flop, both players playing the blueprint from there on; exact, over all turns and rivers."""

    def __init__(self, policy: BlueprintPolicy) -> None:
        self._measure = BlueprintMeasure(policy.what, policy.buckets)

    def worths(self, steps: Sequence[HandStep], cards: Sequence[int], seat: int) -> list[Worth]:
        """Of the decisions of a seat on the flop, in their order."""
        own = [step for step in steps if step.place.street == 1 and step.here.player == seat]
        if not own:
            return []
        after, combos = self._measure.after_actions([int(card) for card in cards[4:7]], seat)
        held = int(np.flatnonzero(combos == combo(int(cards[2 * seat]), int(cards[2 * seat + 1])))[0])
        tree, found = self._measure.what.tree.streets[1], []
        for step in own:
            edges = slice(int(tree.first_edge[step.place.node]), int(tree.first_edge[step.place.node + 1]))
            met = float(opponents_met(step.ranges[1 - seat], combos[held : held + 1])[0])
            if met > 0:
                values = after[edges, held].astype(np.float64) / met
                actions = tuple(tree.actions(step.place.node))
                found.append(Worth(step, step.there, actions, values, step.taken, step.off))
        return found


def solved_values(
    game: HoldemGame, steps: Sequence[HandStep], cards: Sequence[int], seat: int, threads: int = 1
) -> list[Worth]:
    """The decisions of a seat on the one street that `steps` are of, solved from its beginning on; none where that
    would take too much, or does not get close enough."""
    first = steps[0]
    board = tuple(int(card) for card in cards[4 : 4 + BOARD_CARDS[first.here.street]])
    held = combo(int(cards[2 * seat]), int(cards[2 * seat + 1]))
    played = first.here.rules
    caps = None if game.rules.caps is None else _room_for(game.rules.caps, steps)
    own = replace(game, rules=replace(played, caps=caps), menu=_with_bets(game.menu, steps), big_blind=played.blinds[0])
    weights = np.where(np.isin(COMBO_CARDS, board).any(axis=1), 0.0, first.ranges)
    if not weights.any(axis=1).all():
        return []
    weights /= weights.max(axis=1, keepdims=True)
    weights[weights < FAINTEST] = 0
    weights[seat, held] = max(weights[seat, held], _HELD)
    subgame = Subgame(own, first.here, board, weights, seat)
    tree = subgame.tree()
    if size(tree, weights, len(board), len(game.deck)) > MOST_NUMBERS:
        return []
    solver = RangeSolver(subgame.range_game(tree, weights, threads), SCHEDULE, threads)
    if not _solved(solver, first.here.pot):
        return []
    return _read(solver, steps, seat, held)


def _room_for(caps: Sequence[int | None], steps: Sequence[HandStep]) -> tuple[int | None, ...]:
    """Caps of raises under which all that was played on a street is legal."""
    street, made = steps[0].here.street, 1 + max(step.here.raises for step in steps)
    return tuple(cap if cap is None or at != street else max(cap, made) for at, cap in enumerate(caps))


def _with_bets(menu: Menu, steps: Sequence[HandStep]) -> Menu:
    """A menu with every bet and raise of a street as it was made."""
    added = dict(menu.added)
    for step in steps:
        if step.action.kind not in (FOLD, CHECK, CALL):
            added[step.here.played] = added.get(step.here.played, frozenset()) | {step.action}
    return replace(menu, added=added)


def _solved(solver: RangeSolver, pot: float) -> bool:
    """HandStep until little is left; whether little enough is."""
    left = np.inf
    while left > GOOD * pot and solver.iteration < MOST_ITERATIONS:
        solver.step(AT_ONCE)
        left = solver.exploitability()
    return bool(left <= GOOD_ENOUGH * pot)


def _read(solver: RangeSolver, steps: Sequence[HandStep], seat: int, held: int) -> list[Worth]:
    tree, lines = solver.game.tree.streets[0], LiveLines(solver)
    combos = [solver.hands(player, 0, 0) for player in range(2)]
    row = int(np.flatnonzero(combos[seat] == held)[0])
    against = solver.game.weights[1 - seat].copy()
    found, node = [], 0
    for step in steps:
        actions = tuple(tree.actions(node))
        taken = actions.index(step.action)
        edge = int(tree.first_edge[node])
        if step.here.player == seat:
            met = float(opponents_met(against, combos[seat][row : row + 1])[0])
            if met <= 0:
                break
            after = lines.lines(0, 0, node)
            rows = slice(edge - after.first_edge, edge - after.first_edge + len(actions))
            values = after.after[seat][rows, row].astype(np.float64) / met
            found.append(Worth(step, step.here, actions, values, taken, 0.0))
        else:
            against[combos[1 - seat]] *= solver.strategy(0, 0, node)[taken]
        onward = next_place(solver.game.tree, Place(0, node), taken)
        if onward is None or onward.street > 0:
            break
        node = onward.node
    return found
