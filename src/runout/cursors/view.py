"""What an explorer shows of a solution: plain records, the same for every kind.

Terminal and browser draw these and nothing else. `Explorer.at` gives the node with an address (a line), whatever the
solution is: `x-b94-c|Ah|x` postflop, `SBr2.5 BBc|Qs Jh 2h|x` from preflop on, `b-c|K|x` in small games.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from runout.errors import InputError
from runout.games.lines import PLAYER_NAMES
from runout.games.points import CHANCE as CHANCE
from runout.games.points import DECISION as DECISION
from runout.games.points import TERMINAL as TERMINAL
from runout.solutions.reached import Reached

FROM_POT, FROM_START = "pot", "start"  # EVs: shares of this node's pot, or won and lost since the hand began
PREFLOP = "preflop"  # the street whose actions are words of an action string
MATRIX, LIST = "matrix", "list"  # how hands are laid out: 13x13 classes, or one after the other


@dataclass(frozen=True, slots=True)
class ActionView:
    """What a player can do at a node."""

    token: str  # what it adds to the line: "x", "b94", "SBr2.5"
    name: str  # as people read it: "bet 94"
    kind: str  # "fold", "check", "call", "bet", "raise", "all-in": what colours go by
    size: float  # share of the pot, of a raise after calling, as sizes are written; 0 for fold, check and call
    frequency: float  # of the whole range that is here; NaN where it cannot be said
    ev: float | None = None  # of the hands that take it; None where values are not known


@dataclass(frozen=True, slots=True, repr=False)
class HandsView:
    """A player's hands at a node, h of them, every array in their order; NaN or an empty array: not known."""

    player: str
    names: list[str]  # "AsKh" where combos are told apart, else "AKs", "K", "Q on K"
    cell: np.ndarray  # int64 [h]: number of the class (0 to 168) in a matrix, or the place in a list
    weight: np.ndarray  # float64 [h]: reach, 0 to 1
    combos: np.ndarray  # float64 [h]: how many deals a row stands for (1 for combos; 4, 6 or 12 for classes)
    met: np.ndarray  # float64 [h]: weight of opponents that it can meet; means weigh by weight * combos * met
    strategy: np.ndarray  # float64 [actions, h]; no rows for a player who waits
    action_evs: np.ndarray  # float64 [actions, h]; the same
    ev: np.ndarray  # float64 [h]
    equity: np.ndarray  # float64 [h]
    eqr: np.ndarray  # float64 [h]
    categories: list[str] = field(default_factory=list)  # [h] made hands, "top pair"; empty before the flop
    labels: list[tuple[str, ...]] = field(default_factory=list)  # [h] kickers and draws: "top kicker", "flush draw"
    combo: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # int64 [h]: numbers of the combos;
    # empty where rows are classes or a list

    def __repr__(self) -> str:
        return f"HandsView({self.player}, {len(self.names)} hands)"


@dataclass(frozen=True, slots=True)
class StepView:
    """One card of the strip: a node on the way, with everything that could have been done there."""

    line: str  # its own address
    kind: str
    player: str | None
    street: str
    pot: float
    actions: tuple[ActionView, ...]
    taken: str | None  # token of the action, or the cards, that lead on; None at the node that is shown
    cards: tuple[str, ...] = ()  # dealt here, at a chance node
    ending: str | None = None  # as in NodeView


@dataclass(frozen=True, slots=True, repr=False)
class NodeView:
    """Everything on screen about one node."""

    line: str  # its address
    kind: str  # DECISION, CHANCE or TERMINAL
    player: str | None  # who is to act
    players: tuple[str, str]
    street: str  # "preflop", "flop", ...; "round 1" in small games
    board: tuple[str, ...]
    pot: float
    stacks: tuple[float, float] | None
    to_call: float
    unit: str  # of EVs, pot and stacks: "chips" or "bb"
    layout: str  # MATRIX or LIST
    actions: tuple[ActionView, ...]
    hands: tuple[HandsView, ...]  # of both players, in the order of `players`; fewer where only the actor's are known
    evs: tuple[float, float] | None  # of both ranges
    equities: tuple[float, float] | None
    strip: tuple[StepView, ...]  # from the root to this node, itself the last
    ending: str | None = None  # how the hand ended: "fold", "showdown", "run-out"; "flop" where a model takes over
    deals: tuple[str, ...] = ()  # cards that can come, at a chance node or when a hand is run out
    deal_count: int = 0  # how many come at once: 3 for a flop
    notes: tuple[str, ...] = ()  # plain sentences about the node
    locked: bool = False
    resolved: bool = False  # a river that was left out of the file and solved again to be looked at
    boards: tuple[str, ...] = ()  # at a chance node whose deals were not all solved: those that were, "Kc Jc 2d"
    ev_from: str = FROM_POT  # what EVs count: FROM_POT or FROM_START
    put_in: tuple[float, float] = (0.0, 0.0)  # by each player since the hand began; zeros where EVs are FROM_POT
    accuracy: float | None = None  # the exploitability that was reached, in `unit`; None where it was not measured
    big_blind: float | None = None  # in `unit`; None where there is none

    def __repr__(self) -> str:
        on = f" on {' '.join(self.board)}" if self.board else ""
        return f"NodeView({self.line!r}, {self.kind}{on}, pot {self.pot:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Reached):
    """What a solution is, in a few words, and what its run reached."""

    title: str  # "QsJh2h, pot 180, stack 910"
    kind: str  # "postflop", "preflop", "tabular", "flop-holdem", "mccfr", "neural", ...
    settings: dict[str, Any]  # config.yaml


class Explorer(Protocol):
    """A solution that can be looked at."""

    @property
    def summary(self) -> Summary:
        """What it is and what it reached."""

    def at(self, line: str) -> NodeView:
        """The node with this address, '' for the root; an InputError names what is wrong with another."""

    def strip(self, line: str) -> tuple[StepView, ...]:
        """The steps from the root to the node with this address, without its hands: much cheaper than `at`."""


def player_named(view: NodeView, name: str) -> str | None:
    """The player of a view that is called so, in any case; OOP and IP are the first and the second. None: nobody is."""
    for own, seat in zip(view.players, PLAYER_NAMES, strict=True):
        if name.lower() in (own.lower(), seat):
            return own
    return None


def hands_of(view: NodeView, player: str) -> HandsView:
    """A player's hands; an InputError where the view does not have them."""
    named = player_named(view, player)
    for hands in view.hands:
        if hands.player == named:
            return hands
    names = ", ".join(hands.player for hands in view.hands) or "nobody"
    raise InputError(f"no hands of {player!r} after {view.line or 'the start'!r}: there are those of {names}")


def realised(view: NodeView, player: str) -> float | None:
    """EQR of a player's whole range: what it wins of the pot over its equity in it; None where it is not known."""
    if view.evs is None or view.equities is None:
        return None
    side = view.players.index(player)
    held = view.equities[side] * view.pot
    return (view.evs[side] + view.put_in[side]) / held if held > 0 else None


def extended(view: NodeView | StepView, step: str, cards: bool = False) -> str:
    """The address after an action's token, or after cards."""
    if cards:
        return f"{view.line}|{step}"
    bars = view.line.count("|")
    if bars % 2:  # the street has begun and nobody has acted
        return f"{view.line}|{step}"
    if not view.line:
        return step
    return f"{view.line}{' ' if view.street == PREFLOP else '-'}{step}"
