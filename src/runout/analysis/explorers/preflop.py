"""Views of a solved game before the flop: hands are the 169 classes, amounts big blinds.

EVs are won or lost from the start of the hand, so folding the small blind costs 0.5.
"""

from __future__ import annotations

import numpy as np

from runout.analysis.explorers.parts import NOBODY_HERE, action_views, hand_weights, mix_note, ratio
from runout.analysis.explorers.postflop import settings_of
from runout.analysis.hand_means import mean
from runout.analysis.preflop import PreflopNode, PreflopSolution
from runout.analysis.view import (
    DECISION,
    FROM_START,
    MATRIX,
    TERMINAL,
    ActionView,
    HandsView,
    NodeView,
    StepView,
    Summary,
)
from runout.cards.equity169 import equity_table, pair_table
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, CLASSES
from runout.games.betting import FOLDED
from runout.games.preflop import BIG_BLIND, WORDING


class PreflopExplorer:
    """A `view.Explorer` of a `PreflopSolution`."""

    def __init__(self, solution: PreflopSolution) -> None:
        self.solution = solution

    @property
    def summary(self) -> Summary:
        one = self.solution
        return Summary(
            title=f"{one.settings.name}, {one.settings.stack_depth:g} bb",
            kind="preflop",
            settings=settings_of(one.settings),
            **one.reached.values(),
        )

    def at(self, line: str) -> NodeView:
        return preflop_view(self.solution.at(line))


def preflop_view(node: PreflopNode) -> NodeView:
    """Everything about the node of a preflop cursor."""
    state = node.state
    hands = tuple(_hands(node, side) for side in range(2))
    actor = None if node.over else hands[state.player]
    sides = [(mean(one.ev, hand_weights(one)), mean(one.equity, hand_weights(one))) for one in hands]
    return NodeView(
        line=node.line,
        kind=TERMINAL if node.over else DECISION,
        player=None if node.over else node.player,
        players=WORDING.players,
        street="preflop",
        board=(),
        pot=node.pot,
        stacks=(state.behind(0) / BIG_BLIND, state.behind(1) / BIG_BLIND),
        to_call=0.0 if node.over else state.to_call / BIG_BLIND,
        unit="bb",
        layout=MATRIX,
        actions=_actions(node, actor),
        hands=hands,
        evs=(float(sides[0][0]), float(sides[1][0])),
        equities=(float(sides[0][1]), float(sides[1][1])),
        strip=_strip(node),
        ending=_ending(node),
        notes=_notes(node, hands, actor),
        ev_from=FROM_START,
        put_in=(state.spent[0] / BIG_BLIND, state.spent[1] / BIG_BLIND),
    )


def _actions(node: PreflopNode, actor: HandsView | None) -> tuple[ActionView, ...]:
    tokens = [WORDING.token(action, node.state.street, node.state.player) for action in node.menu]
    return action_views(node.state, node.menu, tokens, node.actions, actor)


def _ending(node: PreflopNode) -> str | None:
    if not node.over:
        return None
    if node.state.status == FOLDED:
        return "fold"
    return "run-out" if node.state.all_in else "flop"


def _reach(node: PreflopNode) -> np.ndarray:
    """float64 [2, 169]: how much of each class both players still hold."""
    if not node.over:
        rows = node.solution.game.lines.node_row[:, node.index]
        return np.stack([node.solution.reach[side][rows[side]] for side in range(2)])
    assert node.before is not None
    reach = _reach(node.before)
    reach[node.before.state.player] *= node.solution.policy[node.index]
    return reach


def _hands(node: PreflopNode, side: int) -> HandsView:
    reach, acts = _reach(node), not node.over and node.state.player == side
    met = reach[1 - side] @ pair_table() / CLASS_COMBOS  # combos of the opponent for each own combo
    odds = reach[1 - side] @ node.solution.game.weights
    values = node.solution.slot_values[side]
    if node.over:
        worth = values[node.index]
    elif acts:
        worth = (node.mix * values[node.slots]).sum(axis=0)
    else:
        worth = values[node.slots].sum(axis=0)
    ev = ratio(worth, odds)
    equity = ratio((equity_table() * pair_table()) @ reach[1 - side], met * CLASS_COMBOS)
    own = ev + node.state.spent[side] / BIG_BLIND  # of the pot
    none = np.zeros((0, CLASSES))
    return HandsView(
        player=WORDING.players[side],
        names=list(CLASS_NAMES),
        cell=np.arange(CLASSES),
        weight=reach[side],
        combos=CLASS_COMBOS.astype(np.float64),
        met=met,
        strategy=node.mix if acts else none,
        action_evs=node.evs if acts else none,
        ev=ev,
        equity=equity,
        eqr=ratio(own, equity * node.pot),
    )


def _strip(node: PreflopNode) -> tuple[StepView, ...]:
    steps: list[StepView] = []
    at: PreflopNode | None = node
    taken: str | None = None
    while at is not None:
        actor = None if at.over else _hands(at, at.state.player)
        kind, player = (TERMINAL, None) if at.over else (DECISION, at.player)
        steps.append(StepView(at.line, kind, player, "preflop", at.pot, _actions(at, actor), taken))
        taken = at.moves[-1] if at.moves else None
        at = at.before
    return tuple(reversed(steps))


def _notes(node: PreflopNode, hands: tuple[HandsView, ...], actor: HandsView | None) -> tuple[str, ...]:
    if not all((one.weight * one.met).any() for one in hands):
        return (NOBODY_HERE,)
    if actor is not None:
        note = mix_note(actor, node.pot)
        return (note,) if note else ()
    if _ending(node) == "flop":
        return (f"the pot is called and the flop comes: worth what the leaf model {node.solution.leaf!r} says",)
    return ()
