"""Reports over a cursor: the most common lines, a table of what each next card does, and nodes hand by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from runout.analysis.cursor import CHANCE, DECISION, Node
from runout.cards.hands import combo_name
from runout.errors import InputError
from runout.games.spot import PLAYER_NAMES


@dataclass(frozen=True, slots=True)
class LineShare:
    """A way in which the betting of a street goes."""

    line: str
    actions: tuple[str, ...]  # from the node that was asked about on: "check", "bet 94", "call"
    share: float  # of the hands that reach that node
    pot: int  # at the end
    ending: str  # "fold", "showdown", "run-out", or the street that comes next


def common_lines(node: Node, most: int = 10) -> list[LineShare]:
    """The ways in which betting on this street ends from `node` on, the most common first."""
    if node.kind != DECISION:
        raise InputError(f"nobody acts after {node.line!r}: lines begin where a player is to act")
    found = []
    for end, actions in _endings(node, ()):
        share = end.deal_weight / node.deal_weight if node.deal_weight > 0 else float("nan")
        ending = end.ending or ("turn" if end.street == "flop" else "river")
        found.append(LineShare(end.line, actions, share, end.pot, ending))
    return sorted(found, key=lambda one: -one.share)[:most]


def _endings(node: Node, actions: tuple[str, ...]) -> Iterator[tuple[Node, tuple[str, ...]]]:
    for name in node.actions:
        after = node.play(name)
        if after.kind == DECISION:
            yield from _endings(after, (*actions, name))
        else:
            yield after, (*actions, name)


@dataclass(frozen=True, slots=True)
class NextCard:
    """What a card does to the hand."""

    card: str
    share: float  # how often it comes, the hands of both players considered
    evs: tuple[float, float]
    equities: tuple[float, float]
    player: str  # who acts first then
    actions: tuple[str, ...]
    frequencies: tuple[float, ...]


def next_cards(node: Node) -> list[NextCard]:
    """One row for each card that can come at a chance node."""
    if node.kind != CHANCE:
        raise InputError(f"no card comes after {node.line or 'the start'!r}: betting has to be over first")
    after = [node.deal(card) for card in node.deals]
    total = sum(one.deal_weight for one in after) or float("nan")
    return [
        NextCard(
            one.board[-1], one.deal_weight / total, one.evs, one.equities, str(one.player), tuple(one.actions),
            tuple(one.frequencies),
        )
        for one in after
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandTable:
    """A player's hands at a node; h of them, every array in their order."""

    player: str
    hands: list[str]
    reach: np.ndarray  # float64 [h]
    ev: np.ndarray  # float64 [h]: chips of the node's pot; NaN where no opponent can be met
    equity: np.ndarray  # float64 [h]
    strategy: np.ndarray  # float64 [actions, h]; no rows for the player who waits
    action_evs: np.ndarray  # float64 [actions, h]; the same


def hand_table(node: Node, player: str) -> HandTable:
    """Reach, EV, equity and, for the player to act, strategy of every hand that the board leaves in the range."""
    held = np.flatnonzero(node.possible(player))[::-1]  # highest cards first
    acts = node.player == player
    none = np.zeros((0, len(held)))
    return HandTable(
        player=player,
        hands=[combo_name(int(c)) for c in held],
        reach=node.reach(player)[held],
        ev=node.ev(player=player)[held],
        equity=node.equity(player=player)[held],
        strategy=node.strategy()[:, held] if acts else none,
        action_evs=node.action_evs()[:, held] if acts else none,
    )


def hand_tables(node: Node) -> list[HandTable]:
    """Of both players, the one to act first."""
    first = node.player or PLAYER_NAMES[0]
    return [hand_table(node, name) for name in sorted(PLAYER_NAMES, key=lambda name: name != first)]


def decisions_below(node: Node) -> Iterator[Node]:
    """`node` and the decisions of its street below it, parents first."""
    if node.kind != DECISION:
        return
    yield node
    for name in node.actions:
        yield from decisions_below(node.play(name))
