"""A cursor over a solution of any kind: where a hand stands, what every hand does there and what it is worth.

    node = solution.root.play("bet 94").play("call").deal("7c")      # or solution.at("b94-c|7c")
    node.strategy("AsAh"), node.ev("AsAh"), node.equity("AsAh")

A `Node` is an address and an explorer; `node.view` is the record behind every number (`cursors.view`). EVs of a
postflop spot are shares of the node's pot in chips; in games that begin with the blinds they are big blinds won or lost
since the hand began. What a solution does not know is NaN. Arrays are copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from runout.cards import cards as card_text
from runout.cards.hands import CLASSES, COMBO_CLASS, COMBOS, hand_combos
from runout.cards.ranges import Range
from runout.cursors.cells import by_combo, cells
from runout.cursors.hand_means import cell_means, mean
from runout.cursors.html import node_html
from runout.cursors.kinds import fetch, kind_of
from runout.cursors.tables import hand_columns, hand_words
from runout.cursors.view import (
    CHANCE,
    DECISION,
    MATRIX,
    TERMINAL,
    Explorer,
    HandsView,
    NodeView,
    StepView,
    extended,
    hands_of,
    player_named,
    realised,
)
from runout.errors import InputError
from runout.games.lines import PLAYER_NAMES
from runout.games.spot import Spot
from runout.solutions.reached import Solved

if TYPE_CHECKING:
    import pandas

__all__ = ["CHANCE", "DECISION", "TERMINAL", "AnySolution", "Node"]

BY_COMBO, BY_CLASS = "combo", "class"
CHIPS_PER_BLIND = 100  # of spots that are made from games in big blinds
LEAST_ARRIVING = 1e-4  # share of all hands that must get to where a spot begins
UNKNOWN = float("nan")


class Node:
    """A point in a hand: a decision, cards about to come, or the end. A node never changes; moves return new nodes.

    node = solution.root.play("bet 94").play("call").deal("7c")
    node.actions, node.strategy("AsAh"), node.ev("AsAh")
    """

    def __init__(self, explorer: Explorer, line: str = "") -> None:
        self._explorer, self._steps = explorer, explorer.strip(line)

    def __repr__(self) -> str:
        on = f" on {' '.join(self.board)}" if self.board else ""
        return f"Node({self.line!r}, {self.kind}{on}, pot {self.pot:g})"

    # Where it is

    @property
    def _here(self) -> StepView:
        return self._steps[-1]

    @cached_property
    def view(self) -> NodeView:
        """Everything about this node in one record, which terminal and browser draw as well."""
        return self._explorer.at(self.line)

    @property
    def line(self) -> str:
        """The address of this node: 'x-b94-c|Ah|x', 'SBr2.5 BBc'."""
        return self._here.line

    @property
    def kind(self) -> str:
        """'decision', 'chance' (cards are to come) or 'terminal'."""
        return self._here.kind

    @property
    def player(self) -> str | None:
        """The player to act: 'oop' or 'ip', 'SB' or 'BB'; None if nobody acts here."""
        return self._here.player

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players; pairs of numbers (`evs`, `equities`, `stacks`) are in this order."""
        return self.view.players

    @property
    def street(self) -> str:
        """'preflop', 'flop', 'turn' or 'river'; 'round 1' and so on in small games."""
        return self._here.street

    @property
    def board(self) -> list[str]:
        """The cards on the table."""
        return list(self.view.board)

    @property
    def pot(self) -> float:
        """The pot with all bets so far: chips in postflop spots, big blinds in games that start with the blinds."""
        return self._here.pot

    @property
    def stacks(self) -> tuple[float, float] | None:
        """What each player has left to bet."""
        return self.view.stacks

    @property
    def to_call(self) -> float:
        """What it takes to call; 0 where there is no bet."""
        return self.view.to_call

    @property
    def actions(self) -> list[str]:
        """What the player to act can do: ['check', 'bet 94']."""
        return [action.name for action in self._here.actions]

    @property
    def ending(self) -> str | None:
        """How the hand ended: 'fold', 'showdown' or 'run-out' (all-in before the last street); None if it has not."""
        return self._here.ending

    @property
    def deals(self) -> list[str]:
        """The cards that can come, at a chance node; empty at other nodes."""
        return list(self.view.deals) if self.kind == CHANCE else []

    @property
    def resolved(self) -> bool:
        """True if this river was not in the file and has been solved again."""
        return self.view.resolved

    # Moves

    def play(self, text: str) -> Node:
        """The node after one or more actions: 'bet 94', 'b94', 'call', 'SBr2.5 BBr8'. If one is not possible, the
        error says which ones are."""
        if not text.strip():
            raise InputError(f"no action is given after {self.line or 'the start'!r}: use {', '.join(self.actions)}")
        return Node(self._explorer, extended(self._here, text))

    def deal(self, cards: str) -> Node:
        """The node after a card, 'Ah', or a flop, 'Qs Jh 2h', is dealt."""
        if self.kind != CHANCE:
            why = "betting is not over" if self.kind == DECISION else "the hand is over"
            raise InputError(f"no card {cards!r} can come after {self.line or 'the start'!r}: {why}")
        return Node(self._explorer, extended(self._here, cards, cards=True))

    def back(self) -> Node:
        """The node before the last action or deal; the root itself at the root."""
        return Node(self._explorer, self._steps[-2].line) if len(self._steps) > 1 else self

    # What hands do

    @overload
    def strategy(self, hand: str) -> dict[str, float]: ...
    @overload
    def strategy(self, hand: None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def strategy(self, hand: str | None = None, by: str = BY_COMBO) -> dict[str, float] | np.ndarray:
        """How often a hand ('AsAh', 'AKs') takes each action: {'check': 0.3, 'bet 94': 0.7}.

        Without a hand, an array of all hands: [actions, 1326] by combo, or [actions, 169] with by="class".
        """
        return self._by_action("strategy", hand, by)

    @overload
    def action_evs(self, hand: str) -> dict[str, float]: ...
    @overload
    def action_evs(self, hand: None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def action_evs(self, hand: str | None = None, by: str = BY_COMBO) -> dict[str, float] | np.ndarray:
        """What each action is worth to the player to act, in the same forms as `strategy` and the same unit as `ev`."""
        return self._by_action("action_evs", hand, by)

    @property
    def mix(self) -> np.ndarray:
        """float64 [actions, 169]: how often each class takes each action."""
        return np.asarray(self.strategy(by=BY_CLASS))

    @property
    def frequencies(self) -> list[float]:
        """How often the whole range of the player to act takes each action."""
        return [action.frequency for action in self._here.actions]

    @property
    def percents(self) -> list[float]:
        """How many percent of all combos of the deck take each action here; empty if nobody acts."""
        if self.kind != DECISION:
            return []
        hands = hands_of(self.view, str(self.player))
        total = COMBOS if self.view.layout == MATRIX else hands.combos.sum()
        found: list[float] = (np.nan_to_num(hands.strategy) @ (hands.weight * hands.combos) / total * 100).tolist()
        return found

    # What hands are worth

    @overload
    def ev(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def ev(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def ev(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """What a hand is worth; NaN if the player does not hold it. Without a hand, an array of all hands.

        `player` is the player to act by default. An action in its place, ev("76o", "all-in"), gives the EV after it.
        """
        acts = player is not None and self.kind == DECISION and player_named(self.view, player) is None
        if hand is not None and player is not None and acts:
            return float(self._of_hand("action_evs", hand, None)[self._number(player)])
        return self._values("ev", hand, player, by)

    @overload
    def equity(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def equity(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def equity(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """The share of the pot that a hand wins if nobody bets any more, exact over all cards to come."""
        return self._values("equity", hand, player, by)

    @overload
    def eqr(self, hand: str, player: str | None = None) -> float: ...
    @overload
    def eqr(self, hand: None = None, player: str | None = None, by: str = BY_COMBO) -> np.ndarray: ...
    def eqr(self, hand: str | None = None, player: str | None = None, by: str = BY_COMBO) -> float | np.ndarray:
        """Equity realised: what a hand wins of the pot, divided by its equity times the pot."""
        paid = self.view.put_in[self.players.index(self._name(player))]
        worth, share = (np.asarray(self._values(field, hand, player, by)) for field in ("ev", "equity"))
        held = share * self.pot
        found = np.divide(worth + paid, held, out=np.full(held.shape, np.nan), where=held > 0)
        return float(found) if hand is not None else found

    @property
    def evs(self) -> tuple[float, float]:
        """EVs of both whole ranges, in the order of `players`."""
        return self.view.evs or (UNKNOWN, UNKNOWN)

    @property
    def equities(self) -> tuple[float, float]:
        """Equities of both whole ranges."""
        return self.view.equities or (UNKNOWN, UNKNOWN)

    @property
    def eqrs(self) -> tuple[float, float]:
        """Equity realised by both whole ranges."""
        first, second = (realised(self.view, name) for name in self.players)
        return UNKNOWN if first is None else first, UNKNOWN if second is None else second

    # Ranges

    def reach(self, player: str | None = None) -> np.ndarray:
        """How much of each combo gets here, float64 [1326]: its weight in the starting range times the probability of
        the player's own actions so far."""
        hands = self._hands(player)
        return np.asarray(np.nan_to_num(_spread(self.view, hands, hands.weight, BY_COMBO)))

    def weights(self, player: str | None = None) -> np.ndarray:
        """The weight of each combo in means over the range, float64 [1326]: its reach times the reach of the opponent's
        hands that it can meet."""
        hands = self._hands(player)
        return np.asarray(np.nan_to_num(_spread(self.view, hands, hands.weight * hands.met, BY_COMBO)))

    def range(self, player: str | None = None) -> Range:
        """The range that a player (the one to act, by default) holds here."""
        if self.view.layout != MATRIX:
            raise InputError("hands of this game are no hold'em hands: there is no range of them")
        return Range(np.clip(self.reach(player), 0.0, 1.0))

    def spot(self, board: str = "", **settings: Any) -> Spot:
        """What is left of the hand as a spot that can be solved exactly, with the ranges, pot and stacks of this line.

        Args:
            board: the cards that come here, where the line does not have them: 'Qs Jh 2h', or more streets at once.
            settings: settings of `Spot` besides, such as `betting`; those of the embedded spot where none are given.

        Ranges are those that get here by the average strategy, with the most likely hand at weight 1. In games that
        count in big blinds, chips are hundredths of one.
        """
        dealt = len(self._steps) > 1 and self._steps[-2].kind == CHANCE and self.kind == DECISION
        if self.view.layout != MATRIX or not (dealt or self.kind == CHANCE or self.ending == "flop"):
            raise InputError(
                f"no spot begins at {self.line or 'the start'!r}: take a line that ends a street's betting"
            )
        cards = card_text.board(" ".join([*self.board, board]))
        if len(cards) not in (3, 4, 5):
            raise InputError(
                f"a spot has 3, 4 or 5 board cards, not {len(cards)}: give those that come after {self.line!r}"
            )
        chips = CHIPS_PER_BLIND if self.view.unit == "bb" else 1
        given: dict[str, Any] = {"big_blind": float(chips)} if chips > 1 else {}
        if self.players != PLAYER_NAMES:
            given["positions"] = self.players
        ranges = {seat: self._arriving(name) for seat, name in zip(PLAYER_NAMES, self.players, strict=True)}
        return Spot.default(
            board=card_text.cards_text(cards),
            pot=round(self.pot * chips),
            stack=round(min(self.stacks or (0, 0)) * chips),
            ranges=ranges,
            **{**given, **settings},
        )

    def _arriving(self, player: str) -> Range:
        """A player's range here, scaled up; refused where hardly any hand arrives."""
        reach = self.reach(player)
        if reach.sum() < LEAST_ARRIVING * COMBOS:
            share = 100 * reach.sum() / COMBOS
            raise InputError(f"{player} gets to {self.line!r} with {share:.4f}% of hands: too few to solve from")
        return Range(np.clip(reach / reach.max(), 0.0, 1.0))

    # In notebooks

    def frame(self, player: str | None = None, by: str = BY_COMBO) -> pandas.DataFrame:
        """The hands of a player (the one to act, by default) as a pandas table, one row per combo or class.

        The columns are those of `runout export`: combos, reach, ev, equity, eqr, how often each action is taken, the EV
        after it, and from the flop on the category of a hand and its draw. `by="class"` gathers combos into classes.
        """
        try:
            import pandas
        except ImportError:
            raise InputError("tables need pandas: pip install 'runout[pandas]'") from None
        hands = self._hands(player)
        _check_grouping(by)
        words: dict[str, list[str]] = {}
        if by == BY_CLASS and self.view.layout == MATRIX and len(hands.combo):
            hands = _by_class(self.view, hands)
        elif hands.categories:
            words = hand_words(hands)
        names = self.actions if len(hands.strategy) else []
        columns = hand_columns(self.view, hands, names)
        return pandas.DataFrame({**columns, **words}).set_index("hand")

    def _repr_html_(self) -> str:
        """The node as notebooks show it."""
        return node_html(self.view)

    # How numbers are handed out

    def _name(self, player: str | None) -> str:
        """A player's name; the one to act without one."""
        if player is None:
            if self.player is None:
                raise InputError(f"nobody acts after {self.line!r}: say which player is meant, {self._both}")
            return self.player
        named = player_named(self.view, player)
        if named is None:
            raise InputError(f"unknown player {player!r}: use {self._both}")
        return named

    @property
    def _both(self) -> str:
        return " or ".join(repr(name) for name in self.players)

    def _hands(self, player: str | None) -> HandsView:
        return hands_of(self.view, self._name(player))

    def _number(self, action: str) -> int:
        """The number of an action that is named where a player could be."""
        try:
            taken = self.play(action)._steps[len(self._steps) - 1].taken
        except InputError:
            use = f"use {self._both}, or an action: {', '.join(self.actions)}"
            raise InputError(f"unknown player {action!r}: {use}") from None
        return [one.token for one in self._here.actions].index(str(taken))

    def _by_action(self, field: str, hand: str | None, by: str) -> dict[str, float] | np.ndarray:
        if self.kind != DECISION:
            raise InputError(f"nobody acts after {self.line or 'the start'!r}: there is no strategy")
        if hand is None:
            hands = self._hands(None)
            return _spread(self.view, hands, _rows(hands, field, len(self.actions)), by)
        return dict(zip(self.actions, self._of_hand(field, hand, None).tolist(), strict=True))

    def _values(self, field: str, hand: str | None, player: str | None, by: str) -> float | np.ndarray:
        if hand is not None:
            return float(self._of_hand(field, hand, player))
        hands = self._hands(player)
        return _spread(self.view, hands, getattr(hands, field), by)

    def _of_hand(self, field: str, hand: str, player: str | None) -> np.ndarray:
        """The mean over the rows that a hand is."""
        hands = self._hands(player)
        by_action = field in ("strategy", "action_evs")
        values = _rows(hands, field, len(self.actions)) if by_action else getattr(hands, field)
        rows = _rows_of(self.view, hands, hand)
        return mean(values[..., rows], (hands.weight * hands.combos * hands.met)[rows])


def _rows(hands: HandsView, field: str, actions: int) -> np.ndarray:
    """float64 [actions, h]: NaN where a solution does not know them."""
    found: np.ndarray = getattr(hands, field)
    return found if len(found) == actions else np.full((actions, len(hands.names)), np.nan)


def _rows_of(view: NodeView, hands: HandsView, hand: str) -> np.ndarray:
    """int64: the rows that a hand is; none where it is not held."""
    if view.layout != MATRIX:
        if hand not in hands.names:
            raise InputError(f"unknown hand {hand!r}: use {', '.join(hands.names)}")
        return np.array([hands.names.index(hand)])
    combos = hand_combos(hand)
    if len(hands.combo):
        return np.flatnonzero(np.isin(hands.combo, combos))
    return np.flatnonzero(np.isin(hands.cell, COMBO_CLASS[combos]))


def _check_grouping(by: str) -> None:
    if by not in (BY_COMBO, BY_CLASS):
        raise InputError(f"unknown grouping {by!r}: use 'combo' or 'class'")


def _by_class(view: NodeView, hands: HandsView) -> HandsView:
    """Combos gathered into the classes that they belong to; those that nobody holds are left out."""
    found = cells(view, hands)
    held = np.flatnonzero(found.combos > 0)
    return HandsView(
        player=hands.player,
        names=[found.names[index] for index in held],
        cell=held,
        weight=found.weight[held],
        combos=found.combos[held] / found.weight[held],
        met=np.ones(len(held)),
        strategy=found.strategy[:, held],
        action_evs=found.action_evs[:, held],
        ev=found.ev[held],
        equity=found.equity[held],
        eqr=found.eqr[held],
    )


def _spread(view: NodeView, hands: HandsView, values: np.ndarray, by: str) -> np.ndarray:
    """values [..., h] by combo [..., 1326] or class [..., 169], NaN where a hand is not held; as they are in a list."""
    _check_grouping(by)
    if view.layout != MATRIX:
        return values.copy()
    if by == BY_CLASS and not len(hands.combo):
        return values.copy()
    if by == BY_CLASS:
        weights = hands.weight * hands.combos * hands.met
        return cell_means(values, hands.cell, weights, hands.combos, CLASSES)
    return by_combo(hands, values)


class AnySolution(Solved):
    """A solution of any kind: what its run reached, and cursors into it.

    One that was loaded from a directory or saved to one is pickled by its path: whoever unpickles it loads it.
    """

    path: ClassVar[Path | None] = None  # where it was loaded from, or saved to; each has its own

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is None:
            raise TypeError("a solution is pickled by its path: save it first, and load it from there")
        return fetch("cursors.load:load"), (str(self.path),)

    @property
    def title(self) -> str:
        """What was solved, in a few words."""
        raise NotImplementedError

    def __repr__(self) -> str:
        found = self.reached.exploitability
        space = "" if self.reached.unit.startswith("%") else " "
        far = "not measured" if found is None else f"{found:.3g}{space}{self.reached.unit}"
        return f"{type(self).__name__}({self.title}, {self.iterations:,} iterations, {far})"

    def _repr_html_(self) -> str:
        """What was solved and the first decision, as notebooks show it."""
        head = f'<div style="font:14px system-ui,sans-serif;opacity:.8">{escape(repr(self))}</div>'
        return head + node_html(self.root.view)

    @cached_property
    def explorer(self) -> Explorer:
        """The explorer of this solution: `explorer.at(line)` returns everything about a node as one record."""
        found: Explorer = fetch(kind_of(self).explorer)(self)
        return found

    @property
    def root(self) -> Node:
        """The first node."""
        return self.at("")

    def at(self, line: str) -> Node:
        """The node with this address, 'x-b94-c|Ah|x' or 'SBr2.5 BBc|Qs Jh 2h|x'; an empty line is the root."""
        return Node(self.explorer, line)

    def nodes(self, line: str = "") -> list[Node]:
        """The decision at `line` and all that follow on the same street, earlier ones before later ones."""
        found: list[Node] = []
        start = self.at(line)
        waiting: Sequence[Node] = [start]
        while waiting:
            *waiting, node = waiting
            if node.kind == DECISION and node.street == start.street:
                found.append(node)
                waiting = [*waiting, *(node.play(action.token) for action in reversed(node._here.actions))]
        return found
