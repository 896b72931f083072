"""The small record that a report keeps of a solved flop: what the ranges are worth, and every first-street decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from runout.cards.hands import CLASSES
from runout.cursors.cells import cells
from runout.cursors.spot_solution import SpotSolution
from runout.cursors.tables import decisions_below
from runout.cursors.view import NodeView, realised
from runout.explorers.ranges import RangeExplorer
from runout.games.lines import PLAYER_NAMES


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A decision of the first street, as played by the whole range."""

    line: str
    player: str
    pot: float
    reach: float  # share of all pairs of hands that get here
    ev: tuple[float, float]  # of both ranges, as shares of this node's pot in chips
    equity: tuple[float, float]
    eqr: tuple[float, float]
    actions: tuple[str, ...]  # as people read them: "bet 94"
    tokens: tuple[str, ...]  # as lines have them: "b94"
    frequencies: tuple[float, ...]
    action_evs: tuple[float, ...]  # of the hands that take each action


@dataclass(frozen=True, slots=True)
class FlopRecord:
    """What a report knows of one flop."""

    flop: str  # "Qs Jh 2h"
    case: int  # which combination of the grid
    pairs: float  # weight of the pairs of hands that can be dealt on it: how often it comes, beside other flops
    exploitability_pct: float
    iterations: int
    seconds: float  # of solving alone
    memory_mb: float
    decisions: tuple[DecisionRecord, ...]  # the root first, parents before children

    @property
    def root(self) -> DecisionRecord:
        return self.decisions[0]

    @property
    def by_line(self) -> dict[str, DecisionRecord]:
        return {one.line: one for one in self.decisions}

    def to_dict(self) -> dict[str, Any]:
        """As plain data that JSON can hold: None where a number is not known."""
        return {**asdict(self), "decisions": [_without_nan(asdict(one)) for one in self.decisions]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FlopRecord:
        """The record that `to_dict` gave, also after JSON."""
        decisions = tuple(DecisionRecord(**_with_nan(one)) for one in data["decisions"])
        return cls(**{**data, "decisions": decisions})


def _without_nan(data: Mapping[str, Any]) -> dict[str, Any]:
    listed = {key: value for key, value in data.items() if isinstance(value, tuple)}
    return {**data, **{key: [None if x != x else x for x in value] for key, value in listed.items()}}


def _with_nan(data: Mapping[str, Any]) -> dict[str, Any]:
    listed = {key: value for key, value in data.items() if isinstance(value, list)}
    return {**data, **{key: tuple(float("nan") if x is None else x for x in value) for key, value in listed.items()}}


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """The 169 classes at every first-street decision, in the order of the decisions; NaN where a class is not held."""

    weight: np.ndarray  # float32 [decisions, 2, 169]: mean reach of both players' classes
    ev: np.ndarray  # float32 [decisions, 2, 169]
    equity: np.ndarray  # float32 [decisions, 2, 169]
    strategy: np.ndarray  # float32 [actions, 169], of the player to act; actions of all decisions one after the other
    action_ev: np.ndarray  # float32 [actions, 169]

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def flop_record(solution: SpotSolution, case: int = 0) -> tuple[FlopRecord, ClassRecord]:
    """What is kept of a solved flop."""
    views = list(decisions_below(RangeExplorer(solution), ""))
    whole = _pairs(views[0])
    record = FlopRecord(
        flop=" ".join(views[0].board),
        case=case,
        pairs=whole,
        exploitability_pct=solution.exploitability,
        iterations=solution.reached.iterations,
        seconds=solution.reached.seconds,
        memory_mb=solution.memory / 1e6,
        decisions=tuple(_decision(view, whole) for view in views),
    )
    return record, _classes(views)


def _decision(view: NodeView, whole: float) -> DecisionRecord:
    first, second = (realised(view, name) for name in view.players)
    nan = float("nan")
    return DecisionRecord(
        line=view.line,
        player=PLAYER_NAMES[view.players.index(str(view.player))],  # as the columns of a report
        pot=view.pot,
        reach=_pairs(view) / whole,
        ev=view.evs or (nan, nan),
        equity=view.equities or (nan, nan),
        eqr=(nan if first is None else first, nan if second is None else second),
        actions=tuple(action.name for action in view.actions),
        tokens=tuple(action.token for action in view.actions),
        frequencies=tuple(float(action.frequency) for action in view.actions),
        action_evs=tuple(nan if action.ev is None else float(action.ev) for action in view.actions),
    )


def _pairs(view: NodeView) -> float:
    hands = view.hands[0]
    return float((hands.weight * hands.combos * hands.met).sum())


def _classes(views: list[NodeView]) -> ClassRecord:
    shape = (len(views), 2, CLASSES)
    weight, ev, equity = (np.full(shape, np.nan, np.float32) for _ in range(3))
    strategy, action_ev = [], []
    for number, view in enumerate(views):
        for side, hands in enumerate(view.hands):
            found = cells(view, hands)
            weight[number, side], ev[number, side], equity[number, side] = found.weight, found.ev, found.equity
            if hands.player == view.player:
                strategy.append(found.strategy)
                action_ev.append(found.action_evs)
    return ClassRecord(weight, ev, equity, *(np.concatenate(part).astype(np.float32) for part in (strategy, action_ev)))
