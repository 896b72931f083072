"""Numbers, names and sentences about a node, as terminals print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runout.cursors.view import FROM_START, ActionView, NodeView
from runout.solutions.reached import Reached

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def number(value: float | None, width: int = 0) -> str:
    """A value with as many places as are worth reading; '–' where it is not known."""
    if value is None or value != value:
        return f"{'–':>{width}}"
    places = 0 if abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{round(value, places) + 0.0:>{width}.{places}f}"  # no minus before zero


def amount(value: float, width: int = 0) -> str:
    """Chips or big blinds in the middle or behind: '180', '2.5'."""
    return f"{f'{value:.6g}':>{width}}"


def percent(value: float | None, width: int = 0, places: int = 0) -> str:
    """A share in percent; '–' where it is not known."""
    return f"{'–':>{width}}" if value is None or value != value else f"{value * 100:>{width - 1}.{places}f}%"


def title(player: str) -> str:
    """OOP, SB; longer names as they are."""
    return player.upper() if len(player) <= 3 else player


def bets_in_all(actions: Sequence[ActionView]) -> str | None:
    """'all bets 40.5%', where there are several sizes to add up; None where there are not."""
    sized = [action for action in actions if action.kind in ("bet", "raise", "all-in")]
    if len(sized) < 2 or any(action.frequency != action.frequency for action in sized):
        return None
    raises = any(action.kind in ("fold", "call") for action in actions)
    return f"all {'raises' if raises else 'bets'} {sum(action.frequency for action in sized):.1%}"


def measured(value: float, unit: str, digits: int = 3) -> str:
    """A figure with its unit: '0.31% of the pot', '1.2 mbb/hand'."""
    return f"{value:.{digits}g}{'' if unit.startswith('%') else ' '}{unit}"


def reached_text(one: Reached, aside: str = "", early: bool = False) -> str:
    """How good a solution is and what it took; `aside` is said beside the exploitability."""
    far = "not measured" if one.exploitability is None else measured(one.exploitability, one.unit)
    return (
        f"exploitability {far}{f' ({aside})' if aside else ''} after {one.iterations:,} iterations of {one.algorithm} "
        f"in {one.seconds:.3g} s{', stopped early' if early else ''}"
    )


def spot_details(settings: Mapping[str, Any]) -> str:
    """What tells spots of one board, pot and stack apart, from the settings in a file: 'BB and SB · turn 33%, 75%'."""
    betting, said = settings.get("betting") or {}, []
    if names := settings.get("positions"):
        said.append(" and ".join(title(name) for name in names))
    for street in ("flop", "turn", "river")[max(0, len(str(settings.get("board", "")).split()) - 3) :]:
        sizes = betting.get(street) or {}
        own = [(sizes.get(seat) or {}).get("bet", sizes.get("bet", "")) or "no bets" for seat in ("oop", "ip")]
        said.append(f"{street} {own[0] if own[0] == own[1] else f'{own[0]} and {own[1]}'}")
    if locks := len(settings.get("locks") or ()):
        said.append(f"{locks} lock{'s' * (locks > 1)}")
    return " · ".join(said)


def place_text(view: NodeView) -> str:
    """The board, what was done, the pot, and what both players have in it or behind."""
    board = f"{' '.join(view.board)}   " if view.board else ""
    line = view.line or "(nobody has acted)"
    pot = "" if view.pot != view.pot else f"   pot {amount(view.pot)} {view.unit}"
    if view.stacks is None:
        return f"{board}{line}{pot}"
    if view.ev_from == FROM_START:
        depth = f"{amount(view.stacks[0] + view.put_in[0])}{view.unit} "
        both = [f"{title(name)} in {amount(own)}" for name, own in zip(view.players, view.put_in, strict=True)]
        return f"{board}{depth}{line}{pot}   {'   '.join(reversed(both))}"
    both = [f"{title(name)} {amount(own)} behind" for name, own in zip(view.players, view.stacks, strict=True)]
    return f"{board}{line}{pot}   {'   '.join(both)}"


def over_text(view: NodeView) -> str:
    """How the betting ended."""
    ended = {"run-out": "both are all-in", "flop": "the pot is called and the flop comes"}
    pot = "" if view.pot != view.pot else f"; pot {amount(view.pot)} {view.unit}"
    if view.ending == "fold":
        folder = view.players.index(str(view.strip[-2].player))
        winner = title(view.players[1 - folder])
        won = f"{amount(view.put_in[folder])} {view.unit}" if view.stacks and view.ev_from == FROM_START else "the pot"
        return f"betting is over: {title(view.players[folder])} folded; {winner} wins {won}"
    behind = f", {amount(view.stacks[0])} {view.unit} behind" if view.stacks and view.stacks[0] else ""
    return f"betting is over: {ended.get(view.ending or '', view.ending or 'the hand ends')}{pot}{behind}"
