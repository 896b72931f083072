"""What commands of PioSOLVER's protocol say of a tree, in a script or from a client, and the spot that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runout.cards.cards import board as parse_board
from runout.cards.cards import cards_text
from runout.cards.hands import COMBOS
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.formats.pio_nodes import betting_by_lines, forced, line_numbers
from runout.games.betting import FLOP, IP, OOP, STREET_NAMES, Rules, start
from runout.games.spot import MOST_CHIPS, Spot

PLAYERS = {"OOP": OOP, "IP": IP}
EVERY_HAND = Range.all()
MOST_LINES = 200_000
MOST_INFO = 10_000


@dataclass
class Setup:
    """Ranges, board, chips and lines as they were last set; whether they fit is checked when a tree is built."""

    ranges: list[Range] = field(default_factory=lambda: [EVERY_HAND, EVERY_HAND])
    board: tuple[int, ...] = ()
    pot: int | None = None
    stack: int | None = None
    rake: tuple[float, float | None] = (0.0, None)  # percent and cap
    isomorphism: tuple[int, int] = (1, 1)  # of turn and of river cards
    added: list[tuple[int, ...]] = field(default_factory=list)
    removed: list[tuple[int, ...]] = field(default_factory=list)
    forced: list[tuple[int, ...]] = field(default_factory=list)
    info: list[str] = field(default_factory=list)  # '#Key#value' lines that are stored with the tree

    def spot(self, **solve: Any) -> Spot:
        """The spot; InputError says what is missing or cannot be played."""
        if not self.board:
            raise InputError("no board: set_board is missing")
        if self.pot is None:
            raise InputError("no pot: set_pot is missing")
        if self.stack is None:
            raise InputError("no stack: set_eff_stack is missing")
        root = start(Rules.postflop(self.pot, self.stack, len(self.board) - 2))
        others, locks = forced(root, [*self.added, *self.forced], self.forced)
        betting: dict[str, Any] = {name: {} for name in STREET_NAMES[FLOP:]}
        betting["lines"] = betting_by_lines(root, [*self.added, *self.forced])
        betting["remove_lines"] = [*betting_by_lines(root, self.removed), *others]
        return Spot(
            board=cards_text(self.board),
            pot=self.pot,
            stack=self.stack,
            ranges={"oop": self.ranges[OOP], "ip": self.ranges[IP]},
            betting=betting,
            rake={"percent": self.rake[0], "cap": self.rake[1]},
            solve=solve,
            locks=locks,
        )

    # What commands say

    def set_range(self, player: str, *words: str) -> None:
        side = player_of(player)
        if len(words) == COMBOS:
            found = Range(numbers_of(words, COMBOS, "the range"))
        elif len(words) > 2 and all(word.replace(".", "").isdigit() for word in words):
            raise InputError(f"the range has {len(words)} numbers: use {COMBOS}, or text such as 88+,AJs+")
        else:
            found = Range(" ".join(words))
        self.ranges[side] = found

    def set_board(self, *words: str) -> None:
        cards = parse_board(" ".join(words))
        if not 3 <= len(cards) <= 5:
            raise InputError(f"board {' '.join(words)!r} has {len(cards)} cards: use 3, 4 or 5")
        self.board = tuple(cards)

    def set_eff_stack(self, chips: str) -> None:
        self.stack = whole(chips, MOST_CHIPS)

    def set_pot(self, oop: str, ip: str, start: str) -> None:
        if whole(oop) or whole(ip):
            raise InputError("bets that were made before the tree begins belong to the pot: use 0 0 POT")
        self.pot = whole(start, MOST_CHIPS)

    def set_rake(self, fraction: str, cap: str = "0") -> None:
        share, most = number(fraction), number(cap)
        if not 0 <= share <= 1 or most < 0:
            raise InputError(f"rake {fraction} {cap}: use a share from 0 to 1, and a cap in chips")
        self.rake = share * 100, most or None

    def set_isomorphism(self, flop: str, turn: str) -> None:
        self.isomorphism = whole(flop, 1), whole(turn, 1)

    def add_line(self, *words: str) -> None:
        _add(self.added, words)

    def remove_line(self, *words: str) -> None:
        _add(self.removed, words)

    def force_line(self, *words: str) -> None:
        _add(self.forced, words)

    def cut_line(self, node: str) -> None:
        _add(self.removed, (node,))

    def clear_lines(self) -> None:
        self.added, self.removed, self.forced = [], [], []

    def reset_tree_info(self) -> None:
        self.info = []

    def add_info_line(self, *words: str) -> None:
        if len(self.info) >= MOST_INFO:
            raise InputError(f"a tree may have {MOST_INFO:,} lines of information")
        self.info.append(" ".join(words))


# The commands above with what they take, as tables of commands write it.
BUILDING: dict[str, tuple[str, Callable[..., None]]] = {
    "set_range": ("OOP|IP ...", Setup.set_range),
    "set_board": ("CARDS ...", Setup.set_board),
    "set_eff_stack": ("N", Setup.set_eff_stack),
    "set_pot": ("OOP IP START", Setup.set_pot),
    "set_rake": ("FRACTION [CAP]", Setup.set_rake),
    "set_isomorphism": ("FLOP TURN", Setup.set_isomorphism),
    "add_line": ("N ...", Setup.add_line),
    "remove_line": ("N ...", Setup.remove_line),
    "force_line": ("N ...", Setup.force_line),
    "cut_line": ("NODE", Setup.cut_line),
    "clear_lines": ("", Setup.clear_lines),
    "reset_tree_info": ("", Setup.reset_tree_info),
    "add_info_line": ("...", Setup.add_info_line),
}


def _add(lines: list[tuple[int, ...]], words: tuple[str, ...]) -> None:
    if len(lines) >= MOST_LINES:
        raise InputError(f"a tree may have {MOST_LINES:,} lines")
    named = len(words) == 1 and words[0].startswith("r")
    found = line_numbers(words[0]) if named else [whole(word) for word in words]
    if not found:
        raise InputError("a line needs a number for each action, as in 0 26 230, or a name, as in r:0:c:b26")
    lines.append(tuple(found))


def player_of(name: str) -> int:
    """0 for OOP, 1 for IP."""
    if name not in PLAYERS:
        raise InputError(f"unknown player {name[:40]!r}: use OOP or IP")
    return PLAYERS[name]


def numbers_of(words: Sequence[str], count: int, what: str) -> np.ndarray:
    """float64 [count]; refused where there are more or fewer, or one is no number."""
    if len(words) != count:
        raise InputError(f"{what} has {len(words)} numbers: use {count}")
    try:
        values = np.array(words, np.float64)
    except ValueError:
        values = np.array([number(word) for word in words])  # which names the bad one
    if not np.isfinite(values).all():
        raise InputError(f"{what} has numbers that are not finite")
    return values


def whole(word: str, most: int = 10**15) -> int:
    """Chips: a whole number from 0 to `most`."""
    value = number(word)
    if value != int(value) or not 0 <= value <= most:
        raise InputError(f"{word[:40]!r} is no whole number from 0 to {most:,}")
    return int(value)


def number(word: str) -> float:
    """A plain number; nan and infinity are none."""
    try:
        value = float(word)
    except ValueError:
        raise InputError(f"{word[:40]!r} is no number") from None
    if not -1e300 < value < 1e300:
        raise InputError(f"{word[:40]!r} is no number that can be used")
    return value
