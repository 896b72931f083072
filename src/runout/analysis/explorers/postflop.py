"""Views of a solved postflop spot."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np

from runout.analysis.cursor import CHANCE, DECISION, Node
from runout.analysis.explorers.parts import NOBODY_HERE, action_views, combo_hands, mix_note, ratio, size_share
from runout.analysis.postflop import Solution
from runout.analysis.view import MATRIX, ActionView, HandsView, NodeView, StepView, Summary
from runout.games.betting import ACTION_NAMES
from runout.games.lines import join_line, split_line, token
from runout.games.spot import PLAYER_NAMES

_KEPT = 256  # nodes that are remembered with what was worked out for them


class PostflopExplorer:
    """A `view.Explorer` of a `Solution`."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._nodes: OrderedDict[str, Node] = OrderedDict()
        self._root, self._seen = solution.root, self._now()
        self._looking = threading.Lock()

    def _now(self) -> tuple[int, int]:
        """Changes when the solver goes on behind an explorer's back, or a node is locked."""
        solver = self.solution.solver
        return (solver.iteration, solver.storage.masks.size) if solver is not None else (-1, 0)

    @property
    def summary(self) -> Summary:
        one = self.solution
        return Summary(
            title=f"{''.join(one.root.board)}, pot {one.spot.pot}, stack {one.spot.stack}",
            kind="postflop",
            settings=settings_of(one.spot),
            **one.reached.values(),
        )

    def node(self, line: str) -> Node:
        """The cursor at an address; nodes seen lately are not worked out again."""
        streets, cards = split_line(line)
        if self._seen != self._now():  # what was worked out is out of date
            self._nodes.clear()
            self._root, self._seen = replace(self._root), self._now()
        node = self._root
        done: list[list[str]] = []
        for number, words in enumerate(streets):
            done.append([])
            if number:
                node = self._step(node, join_line(done, cards[:number]), cards[number - 1], deals=True)
            for word in words:
                done[-1].append(word)
                node = self._step(node, join_line(done, cards[:number]), word, deals=False)
        return node

    def _step(self, node: Node, line: str, move: str, deals: bool) -> Node:
        if line not in self._nodes:
            self._nodes[line] = node.deal(move) if deals else node.play(move)
            while len(self._nodes) > _KEPT:
                self._nodes.popitem(last=False)
        self._nodes.move_to_end(line)
        return self._nodes[line]

    def at(self, line: str) -> NodeView:
        with self._looking:  # cursors work things out when they are asked, and a server asks from several threads
            return postflop_view(self.node(line))


def settings_of(document: Any) -> dict[str, Any]:
    """A settings model as config.yaml has it."""
    found: dict[str, Any] = document.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


def postflop_view(node: Node) -> NodeView:
    """Everything about the node of a postflop cursor."""
    hands = tuple(_hands(node, name) for name in PLAYER_NAMES)
    actor = hands[node.state.player] if node.kind == DECISION else None
    equities, evs = node.equities, node.evs
    return NodeView(
        line=node.line,
        kind=node.kind,
        player=node.player,
        players=PLAYER_NAMES,
        street=node.street,
        board=tuple(node.board),
        pot=float(node.pot),
        stacks=(float(node.stacks[0]), float(node.stacks[1])),
        to_call=float(node.to_call),
        unit="chips",
        layout=MATRIX,
        actions=action_views(node.state, node.menu, [token(a) for a in node.menu], node.actions, actor),
        hands=hands,
        evs=evs,
        equities=equities,
        strip=_strip(node),
        ending=node.ending,
        deals=tuple(node.deals),
        deal_count=1 if node.kind == CHANCE else 0,
        notes=_notes(node, actor),
        locked=_locked(node),
        resolved=node.resolved,
    )


def _hands(node: Node, player: str) -> HandsView:
    side = PLAYER_NAMES.index(player)
    acts = node.player == player
    worth, share = node.ev(player=player), node.equity(player=player)
    return combo_hands(
        player,
        np.flatnonzero(node.possible(player))[::-1],  # highest cards first
        node.cards,
        node.reach(player),
        node.place.on_table(node._met[side]),
        node.strategy() if acts else None,
        node.action_evs() if acts else None,
        worth,
        share,
        ratio(worth, share * node.pot),
    )


def _strip(node: Node) -> tuple[StepView, ...]:
    steps = [_step_view(node, None)]
    while node.before is not None:
        before = node.back()
        steps.append(_step_view(before, node))
        node = before
    return tuple(reversed(steps))


def _step_view(node: Node, after: Node | None) -> StepView:
    taken: str | None = None
    if after is not None:
        taken = after.dealt[-1] if node.kind == CHANCE else after.words[-1][-1]
    cards = (taken,) if taken is not None and node.kind == CHANCE else ()
    actions = tuple(
        ActionView(token(action), name, ACTION_NAMES[action.kind], size_share(node.state, action), frequency)
        for action, name, frequency in zip(node.menu, node.actions, node.frequencies, strict=True)
    )
    return StepView(node.line, node.kind, node.player, node.street, float(node.pot), actions, taken, cards)


def _notes(node: Node, actor: HandsView | None) -> tuple[str, ...]:
    found = []
    if not node.deal_weight > 0:
        found.append(NOBODY_HERE)
    elif actor is not None and (note := mix_note(actor, node.pot)):
        found.append(note)
    if node.resolved:
        found.append("this river was left out of the file and has been solved again by itself, to 0.05% of its pot")
    return tuple(found)


def _locked(node: Node) -> bool:
    solver = getattr(node.place.source, "solver", None)
    if solver is None or node.kind != DECISION:
        return False
    return bool(solver.lock_mask(node.place.street, node.place.board, node.index - node.place.first_node).any())
