"""How a postflop spot and its solution look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from runout.analysis.cursor import Node
from runout.analysis.postflop import Solution
from runout.analysis.reports import common_lines
from runout.app.matrix import legend, matrix_lines, plain_lines
from runout.cards.cards import cards_text
from runout.games.betting import STREET_NAMES
from runout.games.spot import PLAYER_NAMES, Spot
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame

_SUITS = {"c": ("♣", "green"), "d": ("♦", "blue"), "h": ("♥", "red"), "s": ("♠", "")}
_RARE = 0.0005  # lines below this share would print as 0.0%


def board_text(cards: Iterable[int], color: bool) -> Text:
    """Cards with suit symbols in the four colours, or plain."""
    if not color:
        return Text(cards_text(cards))
    text = Text()
    for name in cards_text(cards).split():
        symbol, style = _SUITS[name[1]]
        text.append(name[0] + symbol + " ", style=f"bold {style}")
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
    for player, name in enumerate(PLAYER_NAMES):
        own = spot.range(player)
        text = spot.ranges.oop if player == 0 else spot.ranges.ip
        line = Text(f"{name.upper():<4}{own.combos():6.1f} combos  {text}")
        line.truncate(console.width, overflow="ellipsis")
        console.print(line)


def show_estimate(console: Console, game: RangeGame, storage: str) -> None:
    """How large the game is, before anything large is allocated."""
    words = {"flop": "flops", "turn": "turns", "river": "rivers"}
    later = [f"{len(boards.cards):,} {words[STREET_NAMES[tree.street]]}"
             for boards, tree in zip(game.boards[1:], game.tree.streets[1:], strict=True)]  # fmt: skip
    boards = f", {' and '.join(later)} up to suits" if later else ""
    needs, other = estimate(game.tree, game.boards), "int16" if storage == "float32" else "float32"
    memory = f"memory {needs.bytes(storage) / 1e6:,.1f} MB as {storage} ({needs.bytes(other) / 1e6:,.1f} as {other})"
    console.print(f"tree {game.tree.nodes:,} decisions{boards}; {memory}", soft_wrap=True)


def show_solution(console: Console, solution: Solution, lines: int, theme: str) -> None:
    """What was reached, the root's figures, its matrix and its most common lines."""
    console.print(_reached(solution))
    console.print()
    console.print(figures(solution.root))
    console.print()
    show_matrix(console, solution.root, theme)
    if lines:
        console.print()
        console.print(lines_table(solution.root, lines))


def _reached(solution: Solution) -> str:
    settings = solution.spot.solve
    mbb = solution.exploitability_mbb
    more = "" if mbb is None else f" ({f'{mbb:,.0f}' if mbb >= 100 else f'{mbb:.3g}'} mbb/hand)"
    early = solution.exploitability > solution.spot.target_percent and solution.iterations < settings.iterations
    return (
        f"exploitability {solution.exploitability:.3g}% of the pot{more} after {solution.iterations:,} iterations of "
        f"{escape(solution.algorithm)} in {solution.seconds:.3g} s{', stopped early' if early else ''}"
    )


def figures(node: Node) -> Table:
    """EV, equity and equity realised of both players."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for heading in ("EV", "of the pot", "equity", "EQR"):
        table.add_column(heading, justify="right")
    for name, ev, equity, eqr in zip(PLAYER_NAMES, node.evs, node.equities, node.eqrs, strict=True):
        table.add_row(name.upper(), f"{ev:,.2f}", f"{ev / node.pot:.1%}", f"{equity:.2%}", f"{eqr:.1%}")
    return table


def show_matrix(console: Console, node: Node, theme: str = "standard") -> None:
    """What each class of hands does at a node, and the legend with the whole range's frequencies."""
    strategy, weight = node.strategy(by="class"), node.class_reach()
    console.print(f"{str(node.player).upper()} to act{' after ' + node.line if node.line else ''}")
    if colored(console):
        for line in matrix_lines(node.menu, strategy, weight, console.width, theme):
            console.print(line)
    else:
        for row in plain_lines(node.menu, strategy, weight):
            console.print(row, soft_wrap=True)
    console.print(legend(node.menu, node.frequencies, theme, colored(console)))


def lines_table(node: Node, most: int) -> Table:
    """The most common lines of the street."""
    table = Table(box=None, pad_edge=False, title="most common lines", title_justify="left")
    table.add_column("share", justify="right")
    table.add_column("line")
    table.add_column("pot", justify="right")
    table.add_column("then")
    for one in common_lines(node, most):
        if one.share < _RARE:
            break
        table.add_row(f"{one.share:.1%}", one.line, f"{one.pot:,}", one.ending)
    return table


def colored(console: Console) -> bool:
    return console.is_terminal and not console.no_color
