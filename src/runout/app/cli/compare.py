"""`runout compare`: two nodes side by side, of one solution or of two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.cursors.view import NodeView

MOST = 10  # hands that are listed


def compare_command(
    first: Path = typer.Argument(metavar="A", help="A solution directory."),
    second: Path = typer.Argument(metavar="B", help="Another one, or the same."),
    line: str = typer.Option("", "--line", help="Address of the node in both, as in 'x-b94-c|Ah|x'."),
    other: str | None = typer.Option(None, "--at", help="Address in B, where it is another one."),
    units: str = typer.Option("own", "--units", help="Of EVs: own (chips or bb), bb, or pot (% of the pot)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Frequencies, EVs and equities of two nodes, and the hands that play differently."""
    import json

    from runout.app.words import title
    from runout.cursors.cells import cells
    from runout.cursors.view import hands_of
    from runout.errors import InputError
    from runout.explorers import open_explorer
    from runout.explorers.node_reports import compare
    from runout.explorers.units import InUnits

    views = [
        InUnits(open_explorer(path), units).at(place)
        for path, place in ((first, line), (second, line if other is None else other))
    ]
    sides = [None if view.player is None else view.players.index(view.player) for view in views]
    if sides[0] is None or sides[0] != sides[1]:
        who = " and ".join(title(view.player or "nobody") for view in views)
        raise InputError(f"{who} act at the two nodes: choose two decisions of the same player")
    found = compare(views[0], views[1])
    rows = [{one.token: place for place, one in enumerate(view.actions)} for view in views]
    both = [[row[token] for token in found.actions] for row in rows]
    names = [views[0].actions[place].name for place in both[0]]
    figures = _figures(views[0], views[1], both)
    mixes = [cells(view, hands_of(view, str(view.player))) for view in views]
    hands = [
        {"hand": name, "mixes": [[round(float(mix.strategy[a, at]), 6) for a in own]
                                 for mix, own in zip(mixes, both, strict=True)]}
        for name, at in ((name, found.names.index(name)) for name in found.largest[:MOST])
    ]  # fmt: skip
    if as_json:
        print(json.dumps({"player": found.player, "actions": names, "figures": figures, "hands": hands}))
        return
    print(f"{'':14}{'A':>12}{'B':>12}{'A less B':>12}   {title(found.player)} to act, {views[0].unit}")
    for one in figures:
        name, a, b = one["name"], one["first"], one["second"]
        form = ".1%" if one["share"] else ".2f"
        print(f"{name:14}{a:>12{form}}{b:>12{form}}{a - b:>+12{form}}")
    if not hands:
        print("\nno hand that both have plays differently")
        return
    print(f"\n{'hand':14}" + "".join(f"{name:>22}" for name in names))
    for hand in hands:
        pairs = (f"{a:.0%} against {b:.0%}" for a, b in zip(*hand["mixes"], strict=True))
        print(f"{hand['hand']:14}" + "".join(f"{pair:>22}" for pair in pairs))


def _figures(first: NodeView, second: NodeView, both: list[list[int]]) -> list[dict[str, Any]]:
    """Frequencies, EVs and equities of both nodes; those that are not known are left out."""
    from runout.app.words import title

    found = [
        (first.actions[a].name, first.actions[a].frequency, second.actions[b].frequency, True)
        for a, b in zip(*both, strict=True)
    ]
    for side, player in enumerate(first.players):
        if first.evs is not None and second.evs is not None:
            found.append((f"EV {title(player)}", first.evs[side], second.evs[side], False))
        if first.equities is not None and second.equities is not None:
            found.append((f"equity {title(player)}", first.equities[side], second.equities[side], True))
    return [{"name": name, "first": a, "second": b, "share": share} for name, a, b, share in found if a == a and b == b]
