"""One dealt hand of hold'em, for people and tests: immutable, readable, counted by the betting engine.

All nine cards are dealt beforehand and turned up as streets begin, so a state is a player's decision or the end of a
hand, never chance. `OneDeal` makes the hand that follows a deal a game of the small protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runout.cards.canonical import canonical
from runout.cards.cards import cards_text, require_distinct
from runout.cards.evaluator import name as hand_name
from runout.cards.evaluator import strength
from runout.errors import InputError
from runout.games.betting import CLOSED, FOLDED, NOBODY, STREET_NAMES, STREET_OVER, Action, BettingState, start
from runout.games.holdem_game import DEAL_CARDS, HoldemGame
from runout.games.lines import POSITIONS, action_name, join_line, parse_action, token
from runout.games.points import BOARD_CARDS
from runout.games.protocol import TERMINAL


@dataclass(frozen=True)
class HoldemState:
    """Where one hand stands."""

    game: HoldemGame
    cards: tuple[int, ...]  # nine: two of player 0, two of player 1, five of the board
    betting: BettingState
    history: tuple[tuple[Action, ...], ...] = ((),)  # actions by street from preflop, those not played empty

    @property
    def over(self) -> bool:
        return self.betting.over

    @property
    def player(self) -> int:
        """Who is to act: 0, 1, or TERMINAL."""
        return TERMINAL if self.over else self.betting.player

    @property
    def board(self) -> tuple[int, ...]:
        """Board cards that lie open; at a showdown all that hands are shown on."""
        shown = BOARD_CARDS[self.betting.street]
        if self.betting.status == CLOSED:
            shown = self.game.board_cards
        return self.cards[4 : 4 + shown]

    def hole(self, player: int) -> tuple[int, ...]:
        return self.cards[2 * player : 2 * player + 2]

    def menu(self) -> dict[int, Action]:
        """Legal actions by slot."""
        return self.game.slots(self.betting)

    def slots(self) -> list[int]:
        """Legal slots, ascending."""
        return sorted(self.menu())

    def actions(self) -> list[str]:
        """Names of the legal actions: 'call', 'raise to 250'."""
        return [action_name(action) for action in self.menu().values()]

    def play(self, action: int | str) -> HoldemState:
        """The state after a slot, or after an action by its name or token ('call', 'r250')."""
        menu = self.menu()
        if isinstance(action, str):
            wanted = self.betting.verify(parse_action(action))
            if wanted not in menu.values():
                raise InputError(f"{action!r} is not offered here: use {', '.join(self.actions())}")
            return self.play_to(wanted)
        if action not in menu:
            names = self.game.slot_names
            what = names[action] if 0 <= action < len(names) else f"slot {action}"
            raise InputError(f"cannot {what}: {self._offered(menu)}")
        return self.play_to(menu[action])

    def _offered(self, menu: dict[int, Action]) -> str:
        if not menu:
            return "the hand is over"
        return "use " + ", ".join(f"{slot} ({action_name(action)})" for slot, action in menu.items())

    def play_to(self, action: Action) -> HoldemState:
        """The state after any action that the rules allow, offered by the game or not."""
        action = self.betting.verify(action)
        after = self.betting.act(action)
        history = (*self.history[:-1], (*self.history[-1], action))
        if after.status == STREET_OVER:
            after, history = after.next_street(), (*history, ())
        return replace(self, betting=after, history=history)

    def returns(self) -> tuple[float, float]:
        """Chips won by each player, the rake taken off; an InputError before the hand is over."""
        return self.betting.returns(self.winner(), self.game.rake.of)

    def winner(self) -> int:
        """Who shows the better hand, NOBODY for a tie or where hands are not shown."""
        if self.betting.status != CLOSED:
            return NOBODY
        first, second = (strength(self.hole(player) + self.board) for player in (0, 1))
        return NOBODY if first == second else int(second > first)

    def canonical_cards(self, player: int) -> tuple[int, ...]:
        """What a player sees, in the form shared by all renamings of suits: 7 ids, MISSING where not dealt."""
        return canonical(self.hole(player), self.board)

    def infoset(self) -> str:
        """Key of what the player to act knows: 'AsKd c-x|QsJh2h|b2', suits renamed, cards in order."""
        if self.over:
            raise InputError("the hand is over: nobody is to act")
        ids = self.canonical_cards(self.player)
        streets = [[token(action) for action in street] for street in self.history]
        dealt = [cards_text(part, "") for part in _streets(ids[2:])[: len(streets) - 1]]
        return f"{cards_text(ids[:2], '')} {join_line(streets, dealt)}".rstrip()

    def line(self) -> str:
        """The address of this point, as `game.lines.at` reads it: 'SBc BBx|Qs Jh 2h|b1'."""
        rules, wording, words = self.game.rules, self.game.wording, []
        for street in range(rules.first_street, len(self.history)):
            first, played = rules.opener(street), enumerate(self.history[street])
            words.append([wording.token(action, street, (first + turn) % 2) for turn, action in played])
        dealt = _streets(self.cards[4:])[rules.first_street : len(self.history) - 1]
        return wording.join(words, [cards_text(part) for part in dealt])

    def describe(self) -> str:
        """What the player to act knows, for people."""
        return f"{POSITIONS[self.player]} {self.infoset()}"

    def __str__(self) -> str:
        betting = self.betting
        hands = "  ".join(f"{POSITIONS[p]} {cards_text(self.hole(p), '')} ({betting.behind(p)})" for p in (1, 0))
        board = cards_text(self.board) or "-"
        where = (
            f"{STREET_NAMES[betting.street]}  board {board}  pot {betting.pot}\n{hands}\nline {self.line() or '-'}\n"
        )
        if not self.over:
            return where + f"{POSITIONS[self.player]} to act: {', '.join(self.actions())}"
        won = "  ".join(f"{POSITIONS[p]} {self.returns()[p]:+g}" for p in (1, 0))
        return where + f"{self._ending()}: {won}"

    def _ending(self) -> str:
        if self.betting.status == FOLDED:
            return f"{POSITIONS[self.betting.folder]} folded"
        shown = [hand_name(strength(self.hole(p) + self.board)) for p in (0, 1)]
        winner = self.winner()
        if winner == NOBODY:
            return f"split with {shown[0]}"
        return f"{POSITIONS[winner]} wins with {shown[winner]} against {shown[1 - winner]}"


def _streets(board: Sequence[int]) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """The flop, the turn and the river of five cards."""
    return board[:3], board[3:4], board[4:5]


def new_hand(game: HoldemGame, cards: Sequence[int]) -> HoldemState:
    """The start of a hand with these nine cards; one that starts from a flop must be dealt that flop, in any order."""
    if len(cards) != DEAL_CARDS:
        raise InputError(f"a deal has {len(cards)} cards: give {DEAL_CARDS}, two a player and five of the board")
    require_distinct(cards, " in the deal")
    other = next((card for card in cards if card not in game.deck), None)
    if other is not None:
        raise InputError(
            f"the deck of {game.name} does not have {cards_text([other])}: its cards go up to "
            f"{cards_text(game.deck[-1:])}"
        )
    if game.board and sorted(cards[4:7]) != sorted(game.board):
        raise InputError(
            f"the deal has the flop {cards_text(cards[4:7])}: the game starts from {cards_text(game.board)}"
        )
    return HoldemState(game, tuple(cards), start(game.rules), ((),) * (game.rules.first_street + 1))


class OneDeal:
    """The game that follows one deal, under the protocol of small games: no chance, everything else as it is."""

    def __init__(self, game: HoldemGame, cards: str | Sequence[int]) -> None:
        self.state = game.deal(cards)
        self.name = game.name
        self.ante = float(game.big_blind)

    def root(self) -> HoldemState:
        return self.state

    def player(self, state: HoldemState) -> int:
        return state.player

    def actions(self, state: HoldemState) -> Sequence[str]:
        return state.actions()

    def chance(self, state: HoldemState) -> Sequence[float]:
        raise InputError("a dealt hand has no chance left")

    def next(self, state: HoldemState, action: str) -> HoldemState:
        return state.play(action)

    def returns(self, state: HoldemState) -> tuple[float, float]:
        return state.returns()

    def infoset(self, state: HoldemState) -> str:
        return f"{POSITIONS[state.player]} {state.infoset()}"

    def describe(self, state: HoldemState) -> str:
        return state.describe()
