"""Flags of `runout solve` that say what the spot is: each is a setting of the YAML file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from runout.games.spot import Spot


class Flag(NamedTuple):
    """A flag of the command line."""

    setting: str  # of the spot, with dots for nested ones
    type: type
    help: str = ""
    short: str = ""


_SIZES = "as in '33%, 75%, a'"
FLAGS = {
    "board": Flag("board", str, "3, 4 or 5 cards, as in 'Qs Jh 2h'.", "-b"),
    "pot": Flag("pot", float, "Chips in the middle; with decimals: big blinds."),
    "stack": Flag("stack", float, "Chips that each player has behind; with decimals: big blinds."),
    "spr": Flag("spr", float, "The stack as a multiple of the pot, instead of --stack."),
    "oop": Flag("ranges.oop", str, "Range of the player who acts first, as in '88+,A8s+'."),
    "ip": Flag("ranges.ip", str, "Range of the player who acts last."),
    "bet": Flag("betting.*.bet", str, f"Bet sizes of every street, {_SIZES}; '' is none."),
    "raise": Flag("betting.*.raise", str, "Raise sizes of every street, as in '60%' or '2.5x'."),
    "flop-bet": Flag("betting.flop.bet", str, "Bet sizes of one street."),
    "flop-raise": Flag("betting.flop.raise", str, "Raise sizes of one street."),
    "turn-bet": Flag("betting.turn.bet", str),
    "turn-raise": Flag("betting.turn.raise", str),
    "turn-donk": Flag("betting.turn.donk", str, "OOP bets into the player who bet the flop."),
    "river-bet": Flag("betting.river.bet", str),
    "river-raise": Flag("betting.river.raise", str),
    "river-donk": Flag("betting.river.donk", str, "OOP bets into the player who bet the turn."),
    "add-all-in": Flag("betting.add_all_in", float, "Add an all-in of at most this many pots."),
    "force-all-in": Flag(
        "betting.force_all_in", float, "All-in instead of a bet that leaves at most this stack-to-pot ratio."
    ),
    "merge": Flag("betting.merge", float, "Drop sizes closer than this to a larger one, as 0.1."),
    "max-bets": Flag("betting.max_bets", int, "Most bets and raises per street."),
    "max-raises": Flag("betting.max_bets", int, "The same, the first bet not counted."),
    "rake": Flag("rake.percent", float, "Rake in % of the pot."),
    "rake-cap": Flag("rake.cap", float, "Most chips that the rake takes."),
    "big-blind": Flag("big_blind", float, "Chips; adds mbb/hand to figures."),
    "positions": Flag("positions", str, "What the players are called, OOP first: 'BB, BTN'."),
    "target": Flag("solve.target", float, "Stop at this exploitability, in % of the pot.", "-t"),
    "iterations": Flag("solve.iterations", int, "Iterations at most.", "-n"),
    "threads": Flag("solve.threads", int, "Threads; 0 uses every core."),
    "storage": Flag("solve.storage", str, "float32 or int16."),
    "algorithm": Flag("solve.algorithm", str, "auto, or a variant such as 'dcfr(1.5,0,2)'.", "-a"),
    "leaf": Flag("solve.leaf", str, "network: solve the first street alone, later ones valued by a network."),
}
_STREETS = ("flop", "turn", "river")


def takes_spot_flags(command: Callable[..., None]) -> Callable[..., None]:
    """`command` with an option for each of `FLAGS`; its parameter `flags` gets those that were given, by name."""
    options = {name.replace("-", "_") + "_": (name, flag) for name, flag in FLAGS.items()}
    parameters = []
    for one in inspect.signature(command, eval_str=True).parameters.values():
        if one.name != "flags":
            parameters.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        for parameter, (name, flag) in options.items():
            names = [f"--{name}", *([flag.short] if flag.short else [])]
            option = typer.Option(None, *names, help=flag.help or None)
            parameters.append(
                inspect.Parameter(
                    parameter, inspect.Parameter.KEYWORD_ONLY, default=option, annotation=flag.type | None
                )
            )

    @wraps(command)
    def run(**given: Any) -> None:
        flags = {name: value for own, (name, _) in options.items() if (value := given.pop(own)) is not None}
        command(flags=flags, **given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def spot_from(
    file: Path | None,
    flags: Mapping[str, Any],
    locks: Iterable[str],
    overrides: Iterable[str],
    earlier: Spot | None = None,
) -> Spot:
    """The spot of a file (an earlier one, or the embedded one) with flags and then `--set` overrides in its place."""
    from runout import config
    from runout.errors import InputError
    from runout.games.holdem_game import raises_to_bets, renamed
    from runout.games.spot import Spot, default_settings

    if file is not None and earlier is not None:
        raise InputError("give a spot or --resume, not both: a resumed solution brings its own spot")
    if file is not None:
        data = config.read_yaml(file)
    elif earlier is not None:
        data = earlier.model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        data = default_settings()
    given = renamed(dict(flags), "max-raises", "max-bets", raises_to_bets)
    if "max-bets" in given and "max_raises" in (data.get("betting") or {}):
        data = {**data, "betting": {key: value for key, value in data["betting"].items() if key != "max_raises"}}
    replaced = "spr" if "stack" in given else "stack" if "spr" in given else ""
    data = {key: value for key, value in data.items() if key != replaced}
    if "big-blind" not in given and _in_blinds(given):
        data.pop("big_blind", None)
    merged = config.apply_overrides(_with(data, given), overrides)
    _refuse_idle(merged, given, overrides)
    if locks:
        merged["locks"] = [*merged.get("locks", ()), *(read_lock(text) for text in locks)]
    try:
        spot = Spot(**merged) if file is None else config.validated(Spot, merged, file.name)
        _refuse_unused(spot, given, overrides)
        return spot
    except InputError as error:
        if file is None:
            raise
        said = str(error).removeprefix(f"{file.name}: ")
        settings = [*(FLAGS[name].setting for name in given), *(text.partition("=")[0].strip() for text in overrides)]
        if any(said.startswith(setting) for setting in settings):  # what is wrong did not come from the file
            raise InputError(said) from None
        raise


def _in_blinds(given: Mapping[str, Any]) -> bool:
    """Whether flags give pot and stack anew and with decimals, which are big blinds."""
    amounts = [given[name] for name in ("pot", "stack") if name in given]
    return "pot" in given and ("stack" in given or "spr" in given) and any(not one.is_integer() for one in amounts)


def _places(name: str) -> list[str]:
    """The settings that a flag gives: one, or one for each street."""
    place = FLAGS[name].setting
    return [place.replace("*", street) for street in (_STREETS if "*" in place else ("",))]


def _with(data: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `data` with the settings that the flags mean; those for one street win over those for all."""
    from runout.config import apply_overrides

    places: dict[str, Any] = {}
    for name, value in given.items():  # flags for one street come after those for every street
        places |= dict.fromkeys(_places(name), value)
    merged = apply_overrides(data, [f"{place}=" for place in places])  # a copy with every group in place
    for place, value in places.items():
        *parents, last = place.split(".")
        group = merged
        for parent in parents:
            group = group[parent]
        group[last] = value
    return merged


def _refuse_idle(data: Mapping[str, Any], given: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Sizes that were asked for on a street that is over, or bets into whoever has not raised yet, act nowhere."""
    from runout.cards.cards import cards
    from runout.errors import InputError

    board = data.get("board")
    try:
        first = max(0, len(cards(str(board))) - 3)
    except InputError:
        return  # the board has its own message
    asked = {FLAGS[name].setting: f"--{name}" for name in given}
    asked |= {text.partition("=")[0].strip(): f"--set {text}" for text in overrides}
    for setting, said in asked.items():
        parts = setting.split(".")
        if parts[0] != "betting" or len(parts) < 3 or parts[1] not in _STREETS:
            continue
        street = _STREETS.index(parts[1])
        if street < first:
            raise InputError(f"{said} does nothing: the hand begins on the {_STREETS[min(first, 2)]}")
        if parts[-1] == "donk" and street == first:
            raise InputError(f"{said} does nothing: a donk bet needs a street before it; use --{parts[1]}-bet")


def _refuse_unused(spot: Spot, given: Mapping[str, Any], overrides: Iterable[str]) -> None:
    """Refuse sizes that were asked for and that nobody can ever bet; name those of the file."""
    from runout.errors import InputError
    from runout.games.idle_sizes import idle_sizes

    idle, coming = idle_sizes(spot), _STREETS[spot.street - 1 :]
    asked = {f"--{name}": _places(name) for name in given}
    asked |= {f"--set {text}": [text.partition("=")[0].strip()] for text in overrides}
    for said, places in asked.items():
        live = [place for place in places if place.split(".")[1:2] and place.split(".")[1] in coming]
        if live and all(place in idle for place in live):
            raise InputError(f"{said} does nothing: {idle[live[0]]}")
    if idle:
        told = "; ".join(f"{place} does nothing: {why}" for place, why in idle.items())
        typer.echo(f"note: {told}", err=True)


def read_lock(text: str) -> dict[str, Any]:
    """A lock from 'LINE: ACTION=SHARE, ...' or 'LINE @ HANDS: ACTION=SHARE, ...'."""
    from runout.errors import InputError

    place, colon, shares = text.rpartition(":")
    line, _, hands = place.partition("@")
    try:
        strategy = {word.strip(): float(share) for word, share in (part.split("=") for part in shares.split(","))}
    except ValueError:
        colon = ""
    if not colon:
        raise InputError(f"cannot read --lock {text!r}: use 'x-b94: c=0.75, f=0.25' or 'x-b94 @ QQ+,AK: c=1'")
    return {"line": line.strip(), "strategy": strategy} | ({"hands": hands.strip()} if hands.strip() else {})
