"""PioSOLVER's tree-building scripts: `#Key#value` lines, and the commands of the protocol that they stand for.

    #Board#Qh Qc 2c
    #Pot#180
    #FlopConfig.BetSize#52

Where a script has `add_line` commands, they are the tree. Without them the keys are: bets and raises in % of the pot,
an all-in where `AddAllin` says so and it is small enough, and a bet that takes most of the stack becomes all-in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runout.cards.ranges import Range
from runout.errors import InputError
from runout.formats.charts import pio_text
from runout.formats.pio_nodes import tree_numbers
from runout.formats.pio_setup import BUILDING, Setup, number
from runout.formats.spot_betting import offered, with_betting
from runout.games.betting import FLOP, IP, OOP, RIVER, STREET_NAMES, Action, BettingState, Offered
from runout.games.sizes import PERCENT, TIMES, parse_size, parse_sizes
from runout.games.spot import Spot

NAMES = tuple(name.capitalize() for name in STREET_NAMES)
_KEY = re.compile(r"#([\w.]+)#(.*)")
_OFF = 100  # of AllinThreshold, in percent
# Keys whose effect is not known well enough to build a tree by; an empty value, False and 0 change nothing.
_UNKNOWN = ("UseUnifiedBetAfterRaise", "ForceOOPBet", "ForceIPBet", "CapEnabled", "RemovedLines", "ExtraLines")


def is_pio_script(text: str) -> bool:
    """Whether a text looks like one."""
    return bool(re.search(r"^(#(TreeBuilding|Range0|Board|Pot)#|add_line |set_eff_stack )", text, re.MULTILINE))


def read_pio_script(text: str) -> Spot:
    """The spot of a script; InputError names the key or line that cannot be used."""
    keys: dict[str, str] = {}
    setup = Setup()
    for place, line in enumerate(text.splitlines(), 1):
        stripped = line.strip().lstrip("\ufeff")
        found = _KEY.fullmatch(stripped)
        if found:
            keys[found[1]] = found[2].strip()
        elif stripped and not stripped.startswith("#"):
            _said(setup, stripped, place)
    try:
        _from_keys(setup, keys)
        return _by_keys(setup, keys) if any("Config" in key for key in keys) else setup.spot()
    except InputError as error:
        raise InputError(f"tree script: {error}") from None


def _said(setup: Setup, line: str, place: int) -> None:
    """A command of the protocol: those that say what the tree is."""
    name, *words = [first or second for first, second in re.findall(r'"([^"]*)"|(\S+)', line)]
    if name not in BUILDING:
        return  # set_threads, build_tree, go, ...
    try:
        BUILDING[name][1](setup, *words)
    except InputError as error:
        raise InputError(f"tree script, line {place}: {error}") from None
    except TypeError:
        raise InputError(f"tree script, line {place}: {name} takes {BUILDING[name][0] or 'nothing'}") from None


def _from_keys(setup: Setup, keys: Mapping[str, str]) -> None:
    """What the keys say and commands have not said."""
    for side, key in enumerate(("Range0", "Range1")):
        if keys.get(key):
            setup.ranges[side] = Range(keys[key])
    if keys.get("Board") and not setup.board:
        setup.set_board(keys["Board"])
    if keys.get("Pot") and setup.pot is None:
        setup.set_pot("0", "0", keys["Pot"])
    if keys.get("EffectiveStacks") and setup.stack is None:
        setup.set_eff_stack(keys["EffectiveStacks"])
    if _true(keys.get("Rake.Enabled", "")):
        setup.set_rake(keys.get("Rake.Fraction", "0"), keys.get("Rake.Cap", "0"))


def _true(value: str) -> bool:
    return value.strip().lower() == "true"


@dataclass(frozen=True)
class _Street:
    """The keys of one player on one street."""

    bet: str
    raises: str
    donk: str | None  # None: no key, so as `bet`
    all_in: bool
    no_3bet: bool


def _by_keys(setup: Setup, keys: Mapping[str, str]) -> Spot:
    """The tree of the lines where there are some, else of the keys; in sizes where they make the same tree."""
    places = [(player, street) for player in (OOP, IP) for street in range(FLOP, RIVER + 1)]
    streets = {place: _street(keys, *place) for place in places}
    most_pots = number(keys.get("AddAllinOnlyIfLessThanThisTimesThePot") or "0") / 100
    by_lines = setup.spot()
    if setup.forced:
        return by_lines
    said = setup.added or setup.removed
    menu: Offered = by_lines.game().menu if said else _menu(keys, streets, most_pots)
    settings = by_lines.model_dump(mode="json", by_alias=True, exclude={"betting"}, exclude_none=True)
    return with_betting(settings, _sizes(streets, most_pots), menu)


def _menu(keys: Mapping[str, str], streets: Mapping[tuple[int, int], _Street], most_pots: float) -> Offered:
    """What players may do by the keys."""
    for key in _UNKNOWN:
        if keys.get(key, "").lower() not in ("", "false", "0"):
            raise InputError(f"{key} = {keys[key]!r} cannot be read: give the tree by add_line commands")
    threshold = number(keys.get("AllinThreshold") or str(_OFF)) / 100
    least = int(number(keys.get("MinimumBetsize") or "0"))

    def menu(state: BettingState) -> list[Action]:
        own = streets[state.player, state.street]
        donk = state.player == OOP and not state.acted and state.last_caller == OOP
        text = own.raises if state.facing else own.donk if donk and own.donk is not None else own.bet
        if state.facing and own.no_3bet and state.raises >= 2:
            text, all_in = "", False
        else:
            all_in = own.all_in and not (donk and own.donk == "")
        pot, top = state.pot + state.to_call, state.bets[state.player] + state.behind(state.player)
        totals = {max(size.total(state), state.facing + least) for size in parse_sizes(text)}
        if all_in and top - state.facing <= most_pots * pot:
            totals.add(top)
        before = state.spent[state.player] - state.bets[state.player]
        if threshold < 1:
            totals = {top if before + total >= threshold * state.rules.stack else total for total in totals}
        return offered(state, totals)

    return menu


def _street(keys: Mapping[str, str], player: int, street: int) -> _Street:
    own = f"{NAMES[street]}Config{'IP' if player == IP else ''}."
    donk = keys.get(f"{own}DonkBetSize") if player == OOP and street > FLOP else None
    return _Street(
        _size_text(keys.get(f"{own}BetSize", "")),
        _size_text(keys.get(f"{own}RaiseSize", "")),
        None if donk is None else _size_text(donk),
        _true(keys.get(f"{own}AddAllin", "")),
        _true(keys.get(f"{own}Dont3bet", "")),
    )


def _size_text(value: str) -> str:
    """'33, 75 3x allin' in Runout's words: plain numbers are percentages of the pot."""
    words = [word if re.search(r"[a-z%]$", word) else f"{word}%" for word in re.split(r"[\s,]+", value.lower()) if word]
    return ", ".join(str(parse_size(word)) for word in words)


def _sizes(streets: Mapping[tuple[int, int], _Street], most_pots: float) -> dict[str, Any]:
    """The betting that the keys most likely are, in sizes: all-ins for everybody or for nobody."""
    betting: dict[str, Any] = {"add_all_in": most_pots if all(one.all_in for one in streets.values()) else 0.0}
    for street in range(FLOP, RIVER + 1):
        oop, ip = streets[OOP, street], streets[IP, street]
        found: dict[str, Any] = {"bet": oop.bet, "raise": oop.raises}
        if oop.donk is not None and oop.donk != oop.bet:
            found["donk"] = oop.donk
        if (ip.bet, ip.raises) != (oop.bet, oop.raises):
            found["ip"] = {"bet": ip.bet, "raise": ip.raises}
        betting[STREET_NAMES[street]] = found
    return betting


def write_pio_script(spot: Spot) -> str:
    """A script of a spot: its keys, and commands that build its very tree by lines."""
    if spot.locks:
        raise InputError("tree scripts have no locks: write the spot without them")
    game = spot.game()
    rake = spot.rake
    lines = [
        "#TreeBuilding#V2",
        "#Type#NoLimit",
        f"#Range0#{pio_text(Range(spot.ranges.oop))}",
        f"#Range1#{pio_text(Range(spot.ranges.ip))}",
        f"#Board#{spot.board}",
        f"#Pot#{spot.pot}",
        f"#EffectiveStacks#{spot.stack}",
        f"#AllinThreshold#{_OFF}",
        *_config_keys(spot),
        f"#Rake.Enabled#{bool(rake.percent)}",
        f"#Rake.Fraction#{rake.percent / 100:g}",
        f"#Rake.Cap#{rake.cap or 0:g}",
        f"set_range OOP {_weights(spot.range(OOP))}",
        f"set_range IP {_weights(spot.range(IP))}",
        f"set_board {spot.board.replace(' ', '')}",
        f"set_eff_stack {spot.stack}",
        f"set_pot 0 0 {spot.pot}",
        f"set_rake {rake.percent / 100:g} {rake.cap or 0:g}",
        "clear_lines",
        *("add_line " + " ".join(map(str, numbers)) for numbers in tree_numbers(game.start(), game.menu)),
        "build_tree",
    ]
    return "\n".join(lines) + "\n"


def _weights(range_: Range) -> str:
    """1326 numbers with as many digits as they have."""
    return " ".join(repr(weight).removesuffix(".0") for weight in range_.weights.tolist())


def _config_keys(spot: Spot) -> list[str]:
    """Sizes of streets and players, those that a key can hold; the lines below them are what counts."""
    found = []
    for street in range(FLOP, RIVER + 1):
        menu = spot.game().menu.streets[street]
        for player, name in ((OOP, f"{NAMES[street]}Config"), (IP, f"{NAMES[street]}ConfigIP")):
            kinds = {"BetSize": menu.bet[player], "RaiseSize": menu.raises[player][0]}
            if player == OOP and street > FLOP and menu.donk is not None:
                kinds["DonkBetSize"] = menu.donk
            for key, sizes in kinds.items():
                words = [str(one).removesuffix("%") for one in sizes if one.unit in (PERCENT, TIMES, "e")]
                found.append(f"#{name}.{key}#{','.join(words)}")
            every = any(one.unit == "a" for one in (*menu.bet[player], *menu.raises[player][0]))
            found.append(f"#{name}.AddAllin#{every}")
    return found
