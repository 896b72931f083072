"""Scripts of TexasSolver's console: one command a line, `set_bet_sizes oop,flop,bet,50`, and what they mean for a spot.

Sizes are percentages of the pot after a call, in whole chips. An all-in is there on every street where the script says
so; a bet above `set_allin_threshold` of the stack, to which half of the pot counts, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from runout.cards.ranges import Range
from runout.errors import InputError
from runout.formats.charts import pio_text
from runout.formats.pio_setup import number, whole
from runout.formats.spot_betting import offered, same_tree, with_betting
from runout.games.betting import FLOP, IP, OOP, RIVER, STREET_NAMES, Action, BettingState
from runout.games.sizes import ALL_IN_SIZE, PERCENT, Size
from runout.games.spot import Spot

PLAYERS, STREETS, KINDS = ("oop", "ip"), STREET_NAMES[FLOP:], ("bet", "raise", "donk")
THRESHOLD = 0.67  # of TexasSolver where a script says nothing
MOST_BETS = 4  # bets and raises a street
COMMANDS = (
    "set_pot", "set_effective_stack", "set_board", "set_range_oop", "set_range_ip", "set_bet_sizes",
    "set_allin_threshold", "set_raise_limit", "build_tree", "set_thread_num", "set_accuracy", "set_max_iteration",
    "set_print_interval",
    "set_use_isomorphism", "start_solve", "set_dump_rounds", "dump_result", "exit",
)  # fmt: skip

Sizes = dict[tuple[int, int, str], tuple[Size, ...]]  # by player, street and kind


@dataclass
class TexasScript:
    """What a script says."""

    pot: int | None = None
    stack: int | None = None
    board: str = ""
    ranges: list[str] = field(default_factory=lambda: ["", ""])
    sizes: Sizes = field(default_factory=dict)
    all_in: set[tuple[int, int]] = field(default_factory=set)  # players and streets with an all-in
    threshold: float = THRESHOLD
    most_bets: int = MOST_BETS
    threads: int = 0
    accuracy: float = 0.5  # % of the pot
    iterations: int = 200
    isomorphism: bool = True
    every: int = 10  # iterations between lines that are printed
    dump_rounds: int = 1  # streets that are written
    steps: list[tuple[str, str]] = field(default_factory=list)  # 'start_solve' and 'dump_result' with a file, in order
    unknown: list[str] = field(default_factory=list)  # commands that are none

    def spot(self) -> Spot:
        """The spot; InputError says what is missing."""
        for name, value in (("set_pot", self.pot), ("set_effective_stack", self.stack), ("set_board", self.board)):
            if not value:
                raise InputError(f"the script has no {name}")
        if not all(self.ranges):
            raise InputError("the script has no set_range_oop or no set_range_ip")
        settings: dict[str, Any] = {
            "board": self.board.replace(",", " "),
            "pot": self.pot,
            "stack": self.stack,
            "ranges": dict(zip(PLAYERS, self.ranges, strict=True)),
            "solve": {"target": self.accuracy, "iterations": self.iterations, "threads": self.threads},
        }
        return with_betting(settings, self._betting(), self._menu)

    def _of(self, player: int, street: int, kind: str) -> tuple[Size, ...]:
        own = self.sizes.get((player, street, kind), ())
        return (*own, Size(Fraction(0), ALL_IN_SIZE)) if (player, street) in self.all_in else own

    def _betting(self) -> dict[str, Any]:
        """The betting in sizes, without the threshold."""
        betting: dict[str, Any] = {"max_bets": self.most_bets}
        for street in range(FLOP, RIVER + 1):
            texts = {
                (player, kind): ", ".join(map(str, self._of(player, street, kind)))
                for player in (OOP, IP) for kind in KINDS
            }  # fmt: skip
            found: dict[str, Any] = {"bet": texts[OOP, "bet"], "raise": texts[OOP, "raise"]}
            if street > FLOP and texts[OOP, "donk"] != texts[OOP, "bet"]:
                found["donk"] = texts[OOP, "donk"]
            if any(texts[IP, kind] != texts[OOP, kind] for kind in ("bet", "raise")):
                found["ip"] = {kind: texts[IP, kind] for kind in ("bet", "raise")}
            betting[STREET_NAMES[street]] = found
        return betting

    def _menu(self, state: BettingState) -> list[Action]:
        donk = state.player == OOP and not state.acted and state.last_caller == OOP
        kind = "raise" if state.facing else "donk" if donk else "bet"
        totals: set[int] = set()
        if state.raises < self.most_bets:
            half, before = state.rules.pot / 2, state.spent[state.player] - state.bets[state.player]
            for size in self._of(state.player, state.street, kind):
                total = size.total(state)
                everything = size.unit == ALL_IN_SIZE
                if everything or half + before + total <= self.threshold * (half + state.rules.stack):
                    totals.add(total)
        return offered(state, totals)


def is_texas_script(text: str) -> bool:
    """Whether a text looks like one."""
    return bool(re.search(r"^(set_effective_stack|set_range_oop|set_range_ip|set_bet_sizes)\s", text, re.MULTILINE))


def read_texas_script(text: str) -> TexasScript:
    """A script; InputError names the line that cannot be used. Unknown commands are listed, as TexasSolver goes on."""
    script = TexasScript()
    for place, line in enumerate(text.splitlines(), 1):
        words = line.strip().lstrip("\ufeff").split(None, 1)
        if not words or words[0].startswith("#"):
            continue
        if words[0] not in COMMANDS:
            script.unknown.append(words[0])
            continue
        try:
            _take(script, words[0], words[1].strip() if len(words) > 1 else "")
        except InputError as error:
            raise InputError(f"line {place}: {words[0]}: {error}") from None
    return script


def _take(script: TexasScript, name: str, value: str) -> None:
    simple: dict[str, tuple[str, Callable[[str], Any]]] = {
        "set_pot": ("pot", whole),
        "set_effective_stack": ("stack", whole),
        "set_board": ("board", str),
        "set_allin_threshold": ("threshold", number),
        "set_raise_limit": ("most_bets", whole),
        "set_thread_num": ("threads", _threads),
        "set_accuracy": ("accuracy", number),
        "set_max_iteration": ("iterations", whole),
        "set_print_interval": ("every", whole),
        "set_use_isomorphism": ("isomorphism", lambda text: bool(whole(text, 1))),
        "set_dump_rounds": ("dump_rounds", whole),
    }
    if name in simple:
        setattr(script, simple[name][0], simple[name][1](value))
    elif name.startswith("set_range_"):
        script.ranges[PLAYERS.index(name.removeprefix("set_range_"))] = value
    elif name == "set_bet_sizes":
        _take_sizes(script, value)
    elif name in ("start_solve", "dump_result"):
        if name == "dump_result" and not value:
            raise InputError("name a file")
        script.steps.append((name, value))


def _threads(text: str) -> int:
    return max(0, int(number(text)))  # -1 stands for all


def _take_sizes(script: TexasScript, value: str) -> None:
    player, street, kind, *sizes = [*(part.strip() for part in value.split(",")), "", "", ""][
        : max(3, value.count(",") + 1)
    ]
    if player not in PLAYERS or street not in STREETS or kind not in (*KINDS, "allin"):
        raise InputError(f"cannot read {value!r}: use oop|ip,flop|turn|river,bet|raise|donk,SIZES or …,allin")
    place = PLAYERS.index(player), STREET_NAMES.index(street)
    if kind == "allin":
        script.all_in.add(place)
        return
    found = []
    for size in sizes:
        if size and number(size) <= 0:
            raise InputError(f"size {size!r}: use a percentage above 0")
        found += [Size(Fraction(size), PERCENT)] if size else []
    script.sizes[(*place, kind)] = tuple(found)


def write_texas_script(spot: Spot, result: str = "output_result.json", rounds: int = 2) -> str:
    """A script that builds, solves and dumps a spot; InputError where it has sizes that TexasSolver has not.

    Sizes above the stack are left out there and are all-ins here, so that its tree can have fewer lines.
    """
    for has, what in ((spot.rake.percent, "rake"), (spot.locks, "locks"),
                      (spot.betting.lines or spot.betting.remove_lines, "lines")):  # fmt: skip
        if has:
            raise InputError(f"TexasSolver has no {what}: write the spot without")
    before = [
        f"set_pot {spot.pot}",
        f"set_effective_stack {spot.stack}",
        f"set_board {spot.board.replace(' ', ',')}",
        f"set_range_ip {pio_text(Range(spot.ranges.ip))}",
        f"set_range_oop {pio_text(Range(spot.ranges.oop))}",
        *_size_lines(spot),
        "set_allin_threshold 1",
    ]
    after = [
        "build_tree",
        f"set_thread_num {spot.solve.threads or -1}",
        f"set_accuracy {spot.target_percent:g}",
        f"set_max_iteration {spot.solve.iterations}",
        "set_print_interval 10",
        "set_use_isomorphism 1",
        "start_solve",
        f"set_dump_rounds {rounds}",
        f"dump_result {result}",
    ]
    plain = "\n".join([*before, *after]) + "\n"
    if same_tree(read_texas_script(plain).spot().tree(), spot.tree()):
        return plain
    most = 1000 if spot.betting.max_bets is None else spot.betting.max_bets
    return "\n".join([*before, f"set_raise_limit {most}", *after]) + "\n"  # which older versions do not know


def _size_lines(spot: Spot) -> list[str]:
    found = []
    for street in range(spot.street, RIVER + 1):
        menu = spot.game().menu.streets[street]
        for player, name in enumerate(PLAYERS):
            kinds = {"bet": menu.bet[player], "raise": menu.raises[player][0]}
            if player == OOP and street > spot.street:
                kinds["donk"] = menu.bet[player] if menu.donk is None else menu.donk
            for kind, sizes in kinds.items():
                odd = [str(size) for size in sizes if size.unit not in (PERCENT, ALL_IN_SIZE)]
                if odd:
                    raise InputError(f"TexasSolver has no size {odd[0]!r}: use percentages of the pot and all-ins")
                words = [str(size).removesuffix("%") for size in sizes if size.unit == PERCENT]
                if words:
                    found.append(f"set_bet_sizes {name},{STREET_NAMES[street]},{kind},{','.join(words)}")
            if any(size.unit == ALL_IN_SIZE for sizes in kinds.values() for size in sizes):
                found.append(f"set_bet_sizes {name},{STREET_NAMES[street]},allin")
    return found
