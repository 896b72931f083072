"""How a postflop spot and its solution look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from runout.app.cli.node_view import colored, show_node
from runout.app.words import SUIT_SIGNS, percent, reached_text, title
from runout.cards.cards import cards_text
from runout.cursors.spot_solution import SpotSolution
from runout.cursors.view import Explorer, NodeView, realised
from runout.explorers import open_explorer
from runout.explorers.node_reports import common_lines
from runout.games.betting import STREET_NAMES
from runout.games.spot import Spot
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame

_SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": ""}
COARSE = 100  # pots of stack from which on int16 rounds away what small pots are about
_RARE = 0.0005  # lines below this share would print as 0.0%


def board_text(cards: Iterable[int], color: bool) -> Text:
    """Cards with suit symbols in the four colours, or plain."""
    if not color:
        return Text(cards_text(cards))
    text = Text()
    for name in cards_text(cards).split():
        text.append(f"{name[0]}{SUIT_SIGNS[name[1]]} ", style=f"bold {_SUIT_STYLES[name[1]]}")
    text.rstrip()
    return text


def show_spot(console: Console, spot: Spot) -> None:
    """What is about to be solved."""
    line = Text(f"{STREET_NAMES[spot.street]} ").append_text(board_text(spot.cards, colored(console)))
    line.append(f"   pot {spot.pot:,}   stack {spot.stack:,} ({spot.stack / spot.pot:.3g} pots)")
    if spot.rake.percent:
        cap = "" if spot.rake.cap is None else f", at most {spot.rake.cap:g}"
        line.append(f"   rake {spot.rake.percent:g}%{cap}")
    console.print(line)
    wide = max(len(name) for name in spot.players) + 1
    for player, name in enumerate(spot.players):
        own = spot.range(player)
        text = spot.ranges.oop if player == 0 else spot.ranges.ip
        line = Text(f"{title(name):<{wide}}{own.combos():6.1f} combos  {text}")
        line.truncate(console.width, overflow="ellipsis")
        console.print(line)
    if spot.solve.storage == "int16" and spot.stack > COARSE * spot.pot:
        console.print(
            f"int16 is coarse for stacks above {COARSE} pots: exploitability may stay at some % of the pot",
            soft_wrap=True,
        )


def show_estimate(console: Console, game: RangeGame, storage: str) -> None:
    """How large the game is, before anything large is allocated."""
    words = {"flop": "flops", "turn": "turns", "river": "rivers"}
    later = [f"{len(boards.cards):,} {words[STREET_NAMES[tree.street]]}"
             for boards, tree in zip(game.boards[1:], game.tree.streets[1:], strict=True)]  # fmt: skip
    boards = f", {' and '.join(later)} up to suits" if later else ""
    needs, other = estimate(game.tree, game.boards), "int16" if storage == "float32" else "float32"
    memory = f"memory {needs.bytes(storage) / 1e6:,.1f} MB as {storage} ({needs.bytes(other) / 1e6:,.1f} as {other})"
    console.print(f"tree {game.tree.nodes:,} decisions{boards}; {memory}", soft_wrap=True)


def show_solution(console: Console, solution: SpotSolution, lines: int, theme: str) -> None:
    """What was reached, the root's figures, its matrix and its most common lines."""
    explorer = open_explorer(solution)
    root, mbb = explorer.at(""), solution.exploitability_mbb
    aside = "" if mbb is None else f"{f'{mbb:,.0f}' if mbb >= 100 else f'{mbb:.3g}'} mbb/hand"
    asked = solution.spot.solve
    early = solution.exploitability > solution.spot.target_percent and solution.iterations < asked.iterations
    console.print(reached_text(solution.reached, aside, early), markup=False)
    if asked.leaf == "network":
        console.print(
            "by the values of a network, so the true exploitability is higher; later streets are solved on sight"
        )
    console.print()
    console.print(figures(root))
    console.print()
    show_node(console, root, theme, place=False)
    if lines:
        console.print()
        console.print(lines_table(explorer, lines))


def figures(view: NodeView) -> Table:
    """EV, equity and equity realised of both players."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("EV", "of the pot", "equity", "EQR"):
        table.add_column(heading, justify="right")
    for name, ev, equity in zip(view.players, view.evs or (), view.equities or (), strict=True):
        eqr = percent(realised(view, name), 1, 1)
        table.add_row(title(name), f"{ev:,.2f}", f"{ev / view.pot:.1%}", f"{equity:.2%}", eqr)
    return table


def lines_table(explorer: Explorer, most: int) -> Table:
    """The most common lines of the street."""
    table = Table(box=None, pad_edge=False, title="most common lines", title_justify="left")
    table.add_column("share", justify="right")
    table.add_column("line")
    table.add_column("pot", justify="right")
    table.add_column("then")
    comes = {"flop": "turn", "turn": "river"}.get(explorer.at("").street, "")
    for one in common_lines(explorer, "", most):
        if one.share < _RARE:
            break
        table.add_row(
            f"{one.share:.1%}", one.line, f"{one.pot:,g}", comes if one.ending == "cards come" else one.ending
        )
    return table


def record(solution: SpotSolution) -> dict[str, Any]:
    """What `--json` prints."""
    explorer = open_explorer(solution)
    root = explorer.at("")
    found: dict[str, Any] = {
        "ev": root.evs,
        "equity": root.equities,
        "exploitability_pct": solution.exploitability,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "memory_mb": solution.memory / 1e6,
        "algorithm": solution.algorithm,
        "leaf": solution.spot.solve.leaf,
        "root": {
            "player": root.player,
            "actions": [action.name for action in root.actions],
            "frequencies": [action.frequency for action in root.actions],
        },
        "lines": [{"line": one.line, "share": one.share, "pot": one.pot} for one in common_lines(explorer, "")],
    }
    if solution.exploitability_mbb is not None:
        found["exploitability_mbb"] = solution.exploitability_mbb
    return found
