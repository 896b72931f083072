"""Reports over the views of any explorer: equity graph, hand categories, run-outs, common lines, two nodes compared."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from runout.cards.categories import BLOCKERS, DRAWS, KICKERS, MADE, NO_DRAW
from runout.cursors.cells import cells
from runout.cursors.hand_means import mean
from runout.cursors.view import CHANCE, DECISION, Explorer, HandsView, NodeView, extended, hands_of
from runout.errors import InputError
from runout.games.betting import FLOP, STREET_NAMES


def _weights(hands: HandsView) -> np.ndarray:
    return np.asarray(hands.weight * hands.combos * hands.met)


@dataclass(frozen=True, slots=True)
class EquityCurve:
    """Equity over a range, from its worst hand to its best: one side of the range-against-range graph."""

    player: str
    share: np.ndarray  # float64 [n]: part of the range up to and with each hand, rising to 1
    equity: np.ndarray  # float64 [n], rising
    names: list[str]  # [n] of the hands


def equity_curve(view: NodeView, player: str) -> EquityCurve:
    """The equity of every hand that is here, in order."""
    hands = hands_of(view, player)
    weights = _weights(hands)
    live = np.flatnonzero((weights > 0) & ~np.isnan(hands.equity))
    order = live[np.argsort(hands.equity[live], kind="stable")]
    total = weights[order].sum()
    share = np.cumsum(weights[order]) / total if total > 0 else np.zeros(0)
    return EquityCurve(player, share, hands.equity[order], [hands.names[i] for i in order])


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """Hands of one kind in a range."""

    name: str  # "top pair", "flush draw"
    share: float  # of the range
    combos: float  # each counted by its reach
    frequencies: tuple[float, ...]  # how often they take each action; none for a player who waits
    parts: tuple[float, ...]  # of all that take the action, how much is of this kind
    ev: float
    equity: float


def breakdown(view: NodeView, player: str, draws: bool = False) -> list[CategoryRow]:
    """The range by made hands, the best first, or by draws, kickers and blockers, of which a hand can have several;
    kinds that nobody holds are left out."""
    hands = hands_of(view, player)
    if not hands.categories:
        raise InputError("hands have kinds from the flop on: deal one first")
    weights, made = _weights(hands), np.array(hands.categories)
    total = weights.sum()
    found = []
    acting = hands.strategy @ weights if len(hands.strategy) else np.zeros(0)
    for label in (*DRAWS, NO_DRAW, *KICKERS, *BLOCKERS) if draws else MADE:
        if label == NO_DRAW:
            fits = np.array([not set(own) & set(DRAWS) for own in hands.labels])
        else:
            fits = np.array([label in own for own in hands.labels]) if draws else made == label
        own = np.where(fits, weights, 0.0)
        if not own.sum() > 0:
            continue
        taken = hands.strategy @ own if len(hands.strategy) else np.zeros(0)
        found.append(
            CategoryRow(
                name=label,
                share=float(own.sum() / total),
                combos=float((hands.weight * hands.combos)[fits].sum()),
                frequencies=tuple((taken / own.sum()).tolist()),
                parts=tuple(np.divide(taken, acting, out=np.zeros(len(taken)), where=acting > 0).tolist()),
                ev=float(mean(hands.ev, own)),
                equity=float(mean(hands.equity, own)),
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Runout:
    """What a card does to the hand."""

    card: str
    line: str
    share: float  # how often it comes, the hands of both players considered
    evs: tuple[float, float] | None
    equities: tuple[float, float] | None
    player: str | None  # who acts first then
    actions: tuple[str, ...]
    frequencies: tuple[float, ...]


def runouts(explorer: Explorer, line: str) -> list[Runout]:
    """One row for each card that can come at a chance node; a flop is too many to list."""
    view = explorer.at(line)
    if view.kind != CHANCE:
        raise InputError(f"no card comes after {line or 'the start'!r}: betting has to be over first")
    if view.deal_count != 1:
        raise InputError(f"{view.deal_count} cards come after {line!r}: run-outs are listed where one does")
    if getattr(explorer, "turns_on_sight", False) and view.street == STREET_NAMES[FLOP]:
        raise InputError("turns are solved one by one here, when they are looked at: deal a card")
    after = [explorer.at(f"{view.line}|{card}") for card in view.deals]
    odds = np.array([_weights(one.hands[0]).sum() if one.hands else np.nan for one in after])
    return [
        Runout(
            card, one.line, float(odd / odds.sum()), one.evs, one.equities, one.player,
            tuple(action.name for action in one.actions), tuple(action.frequency for action in one.actions),
        )
        for card, one, odd in zip(view.deals, after, odds, strict=True)
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommonLine:
    """A way in which the betting of a street goes."""

    line: str
    actions: tuple[str, ...]  # from the node that was asked about on
    share: float  # of the hands that reach that node
    pot: float
    ending: str  # "fold", "showdown", "run-out", ... or "cards come"


def common_lines(explorer: Explorer, line: str, most: int = 10) -> list[CommonLine]:
    """The ways in which betting on this street ends from a node on, the most common first."""
    view = explorer.strip(line)[-1]
    if view.kind != DECISION:
        raise InputError(f"nobody acts after {line!r}: lines begin where a player is to act")
    found: list[CommonLine] = []
    # The most common unfinished line is followed first: endings are met in order, and rare lines are never looked at.
    waiting: list[tuple[float, tuple[int, ...], tuple[str, ...], str]] = [(-1.0, (), (), view.line)]
    while waiting and len(found) < most:
        share, path, actions, at = heappop(waiting)
        node = explorer.strip(at)[-1]
        if node.kind == DECISION and node.street == view.street:
            for number, action in enumerate(node.actions):
                part = share * (action.frequency if action.frequency == action.frequency else 0.0)
                heappush(waiting, (part, (*path, number), (*actions, action.name), extended(node, action.token)))
            continue
        ending = node.ending or ("cards come" if node.kind == CHANCE else "end")
        found.append(CommonLine(node.line, actions, -share, node.pot, ending))
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two nodes, the second less the first; cells are those of both."""

    player: str
    names: list[str]
    actions: tuple[str, ...]  # tokens that both nodes have
    strategy: np.ndarray  # float64 [actions, n]: change of frequency
    weight: np.ndarray  # float64 [n]: change of reach
    ev: np.ndarray  # float64 [n]
    equity: np.ndarray  # float64 [n]
    frequencies: tuple[float, ...]  # change over the whole range
    largest: list[str]  # names of the cells whose strategy changes most, first the largest


def compare(first: NodeView, second: NodeView, player: str | None = None) -> Comparison:
    """How hands of a player (the one to act, unless told) play and fare at one node against another."""
    who = hands_of(first, player or first.player or first.players[0]).player
    other = second.players[first.players.index(who)]  # who may have another name there
    before, after = cells(first, hands_of(first, who)), cells(second, hands_of(second, other))
    if before.names != after.names:
        raise InputError("the two nodes have different hands: compare nodes of the same game")
    acts = (first.player, second.player) == (who, other)
    shared = [one.token for one in first.actions if one.token in {two.token for two in second.actions}] if acts else []
    rows = [[view.actions[i].token for i in range(len(view.actions))] for view in (first, second)]
    at = [[row.index(token) for token in shared] for row in rows]
    strategy = after.strategy[at[1]] - before.strategy[at[0]] if shared else np.zeros((0, len(before.names)))
    change = np.nan_to_num(np.abs(strategy)).sum(axis=0) * np.minimum(before.weight, after.weight)
    order = np.argsort(-change, kind="stable")
    return Comparison(
        player=who,
        names=before.names,
        actions=tuple(shared),
        strategy=strategy,
        weight=after.weight - before.weight,
        ev=after.ev - before.ev,
        equity=after.equity - before.equity,
        frequencies=tuple(
            second.actions[b].frequency - first.actions[a].frequency for a, b in zip(at[0], at[1], strict=True)
        ),
        largest=[before.names[i] for i in order if change[i] > 0],
    )
