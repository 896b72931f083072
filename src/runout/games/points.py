"""Where a hand of hold'em stands, and the follower of lines: from an address to the point that it leads to.

lines = HoldemLines(start(rules), menu, in_big_blinds(100))
point = lines.at("SBr2.5 BBc|Qs Jh 2h|x")
lines.play(point, "b2 r6")                    # several actions are all followed, or refused
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runout.cards.cards import DECK, cards_text
from runout.cards.cards import cards as parse_cards
from runout.errors import InputError
from runout.games.betting import BETTING, FOLDED, STREET_NAMES, STREET_OVER, Action, BettingState, Offered
from runout.games.lines import IN_CHIPS, Wording

DECISION, CHANCE, TERMINAL = "decision", "chance", "terminal"
BOARD_CARDS = (0, 3, 4, 5)  # by street
_KEPT = 512  # points that are remembered


@dataclass(frozen=True, eq=False)
class Point:
    """Where a hand stands; immutable."""

    state: BettingState
    menu: tuple[Action, ...]
    board: tuple[int, ...]
    words: tuple[tuple[str, ...], ...]  # tokens by street
    dealt: tuple[str, ...]  # cards between streets
    before: Point | None = None
    number: int = -1  # of the action in the menu before; -1 at the start of a street
    wording: Wording = IN_CHIPS

    @property
    def kind(self) -> str:
        """'decision', 'chance' (cards are to come) or 'terminal'."""
        return {BETTING: DECISION, STREET_OVER: CHANCE}.get(self.state.status, TERMINAL)

    @property
    def player(self) -> str | None:
        """Who is to act; None where nobody is."""
        return self.wording.players[self.state.player] if self.kind == DECISION else None

    @property
    def street(self) -> str:
        return STREET_NAMES[self.state.street]

    @property
    def line(self) -> str:
        """The address."""
        return self.wording.join(self.words, self.dealt)

    @property
    def path(self) -> list[Point]:
        """From the start to here."""
        found = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found[::-1]

    @property
    def deal_count(self) -> int:
        """How many cards come next."""
        return BOARD_CARDS[self.state.street + 1] - len(self.board) if self.kind == CHANCE else 0

    def ending(self, shown: int) -> str | None:
        """How the hand ended, where boards of `shown` cards are shown down; None where it has not ended."""
        if self.kind != TERMINAL:
            return None
        if self.state.status == FOLDED:
            return "fold"
        return "showdown" if len(self.board) >= shown else "run-out"


class HoldemLines:
    """Follows the lines of one game of hold'em."""

    def __init__(
        self,
        start: BettingState,
        menu: Offered,
        wording: Wording,
        board: Sequence[int] = (),
        deck: Iterable[int] = range(DECK),
    ) -> None:
        self.menu, self.wording, self.deck = menu, wording, [int(c) for c in deck]
        self.root = Point(start, tuple(menu(start)), tuple(board), ((),), (), wording=self.wording)
        # The same step gives the same point, so what others keep by point is found again.
        self._after_action, self._after_deal = (lru_cache(_KEPT)(step) for step in (self._acted, self._dealt))

    @property
    def big_blind(self) -> int:
        """Chips of the unit of amounts."""
        return self.wording.chips

    def at(self, line: str) -> Point:
        """The point with this address; InputError names the step that is wrong."""
        return self._follow(self.root, line)

    def play(self, point: Point, text: str) -> Point:
        """The point after one action or more as people write them: 'SBr2.5', 'raise to 2.5', 'call', 'SBr2.5 BBc'."""
        after = self._follow(point, text)
        if after is point:
            raise InputError(f"no action {text!r}: use {', '.join(self._names(point))}")
        return after

    def deal(self, point: Point, text: str) -> Point:
        """The point after cards come, 'Qs Jh 2h' or 'Ah'."""
        return self._after_deal(point, text)

    def token(self, point: Point, number: int) -> str:
        """What an action adds to the line: 'SBr2.5' before the flop, 'b2' after it."""
        return self.wording.token(point.menu[number], point.state.street, point.state.player)

    def name(self, point: Point, number: int) -> str:
        """An action as people read it: 'raise to 2.5'."""
        return self.wording.name(point.menu[number])

    def _names(self, point: Point) -> list[str]:
        return [self.token(point, number) for number in range(len(point.menu))]

    def _follow(self, point: Point, text: str) -> Point:
        line = self.wording.read(text)
        deep = self.root.state.rules.stack / self.wording.chips
        if line.stack is not None and line.stack != deep:
            raise InputError(f"this game is {deep:g} bb deep, the line {line.stack:g} bb: solve that")
        for number, words in enumerate(line.streets):
            if number:
                point = self.deal(point, line.cards[number - 1])
            for word in words:
                point = self._after_action(point, self.wording.choose(point.state, point.menu, word))
        return point

    def _acted(self, point: Point, number: int) -> Point:
        words = (*point.words[:-1], (*point.words[-1], self.token(point, number)))
        state = point.state.act(point.menu[number])
        menu = tuple(self.menu(state)) if state.status == BETTING else ()
        return Point(state, menu, point.board, words, point.dealt, point, number, self.wording)

    def _dealt(self, point: Point, text: str) -> Point:
        if point.kind != CHANCE:
            why = "betting is not over" if point.kind == DECISION else "the hand is over"
            raise InputError(f"no cards {text!r} can come after {point.line or 'the start'!r}: {why}")
        found = parse_cards(text)
        if len(found) != point.deal_count:
            need = f"{point.deal_count} cards come" if point.deal_count > 1 else "1 card comes"
            raise InputError(f"{text!r} has {len(found)} cards after {point.line!r}: {need}")
        for card in found:
            if card in point.board:
                raise InputError(f"card {cards_text([card])} is on the board already: deal another one")
            if card not in self.deck:
                raise InputError(f"card {cards_text([card])} is not in this game's deck: use {cards_text(self.deck)}")
        state, board = point.state.next_street(), (*point.board, *found)
        words, dealt = (*point.words, ()), (*point.dealt, cards_text(found))
        return Point(state, tuple(self.menu(state)), board, words, dealt, point, wording=self.wording)
