"""The one record of a game of hold'em: rules, menu, deck, ranges, boards, rake, and how its lines are written.

    game = Spot.load("spot.yaml").game()            settings of every kind are front ends with a `game()`
    game.tree(); game.boards(); game.lines.at("x-b94")
    state = game.deal("AsKd 7c7h Qs Jh 2h 9c 3d")   one hand: player 0, player 1, board

Seats are those of `betting`: player 0 is out of position after the flop (the big blind), player 1 has the button. In
games that are dealt and played an action is also a *slot*, which means the same in every state: fold, check or call,
bet or raise of size i, all-in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from runout.cards import cards as card_text
from runout.cards.hands import COMBO_CARDS
from runout.cards.ranges import Range
from runout.config import Document, Settings
from runout.errors import InputError
from runout.games import tree as trees
from runout.games.betting import CALL, CHECK, FLOP, FOLD, PREFLOP, Action, BettingState, Rules, start
from runout.games.boards import BoardStreet, board_tree
from runout.games.flop_set import ALL_FLOPS, flop_set
from runout.games.lines import IN_CHIPS, Wording
from runout.games.menus import Menu
from runout.games.points import BOARD_CARDS, HoldemLines
from runout.games.sizes import Size
from runout.kernels.holdem import LEVELS

if TYPE_CHECKING:
    from runout.games.holdem_state import HoldemState

FULL_DECK = tuple(range(card_text.DECK))
DEAL_CARDS = 9  # two hole cards each and five of the board
FOLD_SLOT, CALL_SLOT, FIRST_SIZE = 0, 1, 2


def small_deck(ranks: int, suits: int) -> tuple[int, ...]:
    """The ids of the lowest `ranks` ranks, from 2 up, in the first `suits` of c, d, h, s."""
    return tuple(4 * rank + suit for rank in range(ranks) for suit in range(suits))


def renamed(data: dict[str, Any], old: str, new: str, convert: Callable[[Any], Any] | None = None) -> dict[str, Any]:
    """Settings in which the old name of a key is its new one; refused where both are there and differ."""
    if old not in data:
        return data
    value = convert(data[old]) if convert else data[old]
    if new in data and data[new] != value:
        raise InputError(f"{new} = {data[new]} and {old} = {data[old]} are both given and differ: give {new} alone")
    return {new if key == old else key: given for key, given in data.items() if key != new} | {new: value}


def raises_to_bets(raises: Any) -> Any:
    """A cap that does not count the first bet of a street as one that does."""
    return raises + 1 if isinstance(raises, int) and not isinstance(raises, bool) else raises


class Rake(Settings):
    """Taken from the pot when the hand ends."""

    percent: float = Field(0.0, ge=0, le=100, description="percent of the pot")
    cap: float | None = Field(
        None, ge=0, description="the most that is taken, in chips (big blinds before the flop); none: no limit"
    )

    def of(self, pot: float) -> float:
        """What is taken from a pot, in the same unit."""
        share = pot * self.percent / 100
        return share if self.cap is None else min(share, self.cap)


NO_RAKE = Rake.model_validate({})


@dataclass(frozen=True, repr=False)
class HoldemGame:
    """A game of hold'em."""

    name: str
    rules: Rules
    menu: Menu  # what players may do: menu(state)
    wording: Wording = IN_CHIPS  # unit of amounts and names of the players
    board: tuple[int, ...] = ()  # cards that lie open at the start
    shown: int | None = None  # board cards at showdown; None: those of the last street
    deck: tuple[int, ...] = FULL_DECK  # cards that are dealt from, ascending
    ranges: tuple[Range, Range] | None = None  # None: every hand that the board leaves
    flops: int = 0  # how many stand for all where the last street is run out from the flop; 0: all
    rake: Rake = NO_RAKE
    big_blind: float = 1.0  # chips; 1 where the blinds are not known
    settings: Document | None = field(default=None, compare=False)  # what it was made from

    def __repr__(self) -> str:
        return f"HoldemGame({self.name})"

    @property
    def board_cards(self) -> int:
        """Board cards on which hands are shown."""
        return BOARD_CARDS[self.rules.last_street] if self.shown is None else self.shown

    def start(self) -> BettingState:
        """The state before the first action."""
        return start(self.rules)

    @cached_property
    def weights(self) -> np.ndarray:
        """float64 [2, 1326]: how much of each hand the players hold at the start."""
        if self.ranges is not None:
            return np.stack([one.weights for one in self.ranges])
        held = np.isin(COMBO_CARDS, self.deck).all(axis=1) & ~np.isin(COMBO_CARDS, self.board).any(axis=1)
        return np.stack([held, held]).astype(np.float64)

    def tree(self, most: int | None = None) -> trees.BettingTree:
        """The betting tree, without cards, one street after the other to the last; `most` as in `tree.build`."""
        return self._tree if most is None else self._built(most)

    @cached_property
    def _tree(self) -> trees.BettingTree:
        return self._built(None)

    def _built(self, most: int | None) -> trees.BettingTree:
        tree = trees.build(self.start(), self.menu, most, self.wording)
        return tree.with_streets(self.rules.streets)

    def boards(self, isomorphism: bool = True, threads: int = 0, streets: int | None = None) -> list[BoardStreet]:
        """The boards of every street, or of the first few, up to suits where `isomorphism` is on."""
        cards = BOARD_CARDS[self.rules.first_street : self.rules.last_street + 1]
        if self.board_cards > cards[-1]:
            if self.rules.last_street != FLOP or self.board or self.ranges or self.deck != FULL_DECK:
                raise InputError(f"{self.name}: only games that begin before the flop are run out from the flop")
            return list(flop_set(self.flops or ALL_FLOPS, threads).boards)
        runouts = [bool((street.terminal_kind == trees.RUNOUT).any()) for street in self.tree().streets]
        deals = tuple(after - before for before, after in pairwise(cards[:streets]))
        return board_tree(self.board, self.weights, deals, runouts, isomorphism, threads, self.deck)

    @cached_property
    def lines(self) -> HoldemLines:
        """Follows the lines of this game."""
        return HoldemLines(self.start(), self.menu, self.wording, self.board, self.deck)

    def mbb(self, chips: float) -> float:
        """Chips as thousandths of a big blind."""
        return chips / self.big_blind * 1000

    def accuracy(self, threads: int = 0) -> str:
        """What stands between this and the game with every flop."""
        if not self.flops:
            return "exact: all flops"
        low, high = flop_set(self.flops, threads).coverage
        return f"{self.flops} flops stand for {ALL_FLOPS:,}: two hands see a flop {low:.1%} to {high:.1%} of the time"

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # not what was worked out from them

    # Dealt and played: the same slots in every state

    @property
    def no_limit(self) -> bool:
        return self.rules.fixed_bets is None

    def sizes(self, street: int) -> list[tuple[Size, ...]]:
        """The sizes of a street of a game that is dealt and played, smallest first: by how many bets and raises were
        made (LEVELS of them), and over a limp."""
        if not self.no_limit:
            return []
        menu = self.menu.streets[street]
        by_raise = menu.raises[0] if street == PREFLOP else (menu.bet[0], *menu.raises[0])
        levels = [by_raise[min(level, len(by_raise) - 1)] for level in range(LEVELS)]
        return [*levels, levels[0] if menu.iso is None else menu.iso]

    @property
    def size_slots(self) -> int:
        lists = [sizes for street in range(len(BOARD_CARDS)) for sizes in self.sizes(street)]
        return max(map(len, lists)) if self.no_limit else 1

    @property
    def all_in_slot(self) -> int | None:
        """The slot of an all-in; None in limit games, where it is a bet or raise like others."""
        return FIRST_SIZE + self.size_slots if self.no_limit else None

    @cached_property
    def slot_names(self) -> tuple[str, ...]:
        if not self.no_limit:
            return ("fold", "check or call", "bet or raise")
        sizes = (f"bet or raise of size {i + 1}" for i in range(self.size_slots))
        return ("fold", "check or call", *sizes, "all-in")

    @cached_property
    def actions_a_street(self) -> int:
        """The most actions that a street can have: a check or limp, every raise, a call."""
        caps = [self.rules.cap(street) for street in range(self.rules.first_street, self.rules.last_street + 1)]
        least = min(self.rules.fixed_bets or (self.rules.min_bet,))
        return max(self.rules.stack // least + 1 if cap is None else cap for cap in caps) + 2

    def slots(self, state: BettingState) -> dict[int, Action]:
        """What the player to act may do, by slot, ascending."""
        found: dict[int, Action] = {}
        legal, sizes = state.legal(), self.menu.streets[state.street].sizes(state) if self.no_limit else ()
        totals = [min(max(size.total(state), legal.smallest), legal.largest) for size in sizes if legal.largest]
        for action in self.menu(state):
            if action.kind == FOLD:
                found[FOLD_SLOT] = action
            elif action.kind in (CHECK, CALL):
                found[CALL_SLOT] = action
            elif not self.no_limit:
                found[FIRST_SIZE] = action
            elif action.amount == legal.largest:
                found[FIRST_SIZE + self.size_slots] = action
            else:
                found[FIRST_SIZE + totals.index(action.amount)] = action
        return found

    def deal(self, cards: str | Sequence[int]) -> HoldemState:
        """The start of a hand with these nine cards: of player 0, of player 1, of the board."""
        from runout.games.holdem_state import new_hand

        return new_hand(self, card_text.cards(cards) if isinstance(cards, str) else [int(c) for c in cards])


class HoldemDocument(Document):
    """Settings that stand for one game of hold'em."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game().name})"

    def __str__(self) -> str:
        return repr(self)

    def game(self) -> HoldemGame:
        """The game with these settings."""
        return self._game

    @cached_property
    def _game(self) -> HoldemGame:
        raise NotImplementedError

    def rules(self) -> Rules:
        """The rules of the betting."""
        return self.game().rules

    def start(self) -> BettingState:
        """The state before the first action."""
        return self.game().start()

    def tree(self) -> trees.BettingTree:
        """The betting tree, without cards."""
        return self.game().tree()

    def menu(self, state: BettingState) -> list[Action]:
        """What the player to act may do."""
        return self.game().menu(state)

    @property
    def weights(self) -> np.ndarray:
        """float64 [2, 1326]: how much of each hand the players hold at the start."""
        return self.game().weights
