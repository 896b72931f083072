"""How a solved small game looks in a terminal: summary, strategy table, convergence curve."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from runout.app.cli.node_view import colored
from runout.app.matrix import action_colors, shares
from runout.app.plots import terminal_plot
from runout.cursors.colors import hex_color
from runout.cursors.game_solution import GameSolution
from runout.cursors.infosets import InfoSetRow, merged
from runout.evaluation.kuhn import kuhn_family
from runout.games.betting import ACTION_NAMES
from runout.solutions.reached import MILLIANTES as UNIT

BAR = 12  # cells of a strategy bar
MANY = 4  # actions; of more than this only those that are played are printed
OTHERS = ("green", "dark_orange", "red", "magenta", "cyan", "blue")  # for games with other words

# What is known of a game beyond its numbers, by its name.
NOTES = {"kuhn": lambda solution: str(kuhn_family(solution.policy))}


def milliantes(solution: GameSolution, chips: float) -> float:
    return chips * 1000 / solution.game.ante


def show_solution(console: Console, solution: GameSolution, limit: int) -> None:
    """Everything about one solution, at most `limit` rows of its strategy (0: all)."""
    game = solution.game
    updates = "" if solution.alternating else ", simultaneous updates"
    console.print(
        f"{escape(game.name)}: {escape(solution.algorithm)}{updates}, {solution.iterations:,} iterations in "
        f"{solution.seconds:.3g} s, {len(game.infosets)} information sets"
    )
    console.print(f"exploitability {milliantes(solution, solution.exploitability):.6g} {UNIT}", end="")
    console.print(f" (NashConv {milliantes(solution, solution.nash_conv):.6g} {UNIT})", end="")
    console.print(f", value to the first player {milliantes(solution, solution.value):.6f} {UNIT}")
    if game.name in NOTES:
        console.print(NOTES[game.name](solution), soft_wrap=True)
    console.print()
    _show_strategy(console, solution, limit)
    show_curves(console, {solution.algorithm: solution})


def show_comparison(console: Console, solutions: Mapping[str, GameSolution]) -> None:
    """One row for each algorithm, best first, and their curves together."""
    first = next(iter(solutions.values()))
    table = Table(title=first.game.name, title_justify="left", box=None, pad_edge=False)
    table.add_column("algorithm")
    for heading in (f"exploitability ({UNIT})", f"value ({UNIT})", "iterations", "seconds"):
        table.add_column(heading, justify="right")
    for name, solution in sorted(solutions.items(), key=lambda item: item[1].exploitability):
        table.add_row(
            escape(name),
            f"{milliantes(solution, solution.exploitability):.6g}",
            f"{milliantes(solution, solution.value):.4f}",
            f"{solution.iterations:,}",
            f"{solution.seconds:.3g}",
        )
    console.print(table)
    show_curves(console, solutions)


def show_curves(console: Console, solutions: Mapping[str, GameSolution]) -> None:
    curves = {name: solution.reached.curve for name, solution in solutions.items()}
    lines = terminal_plot(curves, UNIT, min(console.width, 90), color=colored(console))
    if lines:
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True)


def _show_strategy(console: Console, solution: GameSolution, limit: int) -> None:
    rows = _arranged(merged(solution.rows()))
    shown = rows[:limit] if limit else rows
    table = Table(box=None, pad_edge=False)
    table.add_column("player")
    table.add_column("information set")
    table.add_column("reach", justify="right")
    if colored(console):
        table.add_column("")
    table.add_column("strategy")
    table.add_column("EV (chips)", justify="right")
    table.add_column(f"regret ({UNIT})", justify="right")
    for row in shown:
        cells = [str(row.infoset.player + 1), escape(row.infoset.text), f"{row.reach:.1%}"]
        if colored(console):
            cells.append(_bar(row))
        cells.append("  ".join(_action(row, i) for i in _shown(row)))
        cells += [_number(row.ev, "+.4f"), _number(milliantes(solution, row.regret), ".3g")]
        table.add_row(*cells)
    console.print(table)
    if len(shown) < len(rows):
        console.print(f"… {len(rows) - len(shown)} more: --rows 0 shows all")


def _arranged(rows: list[InfoSetRow]) -> list[InfoSetRow]:
    """Sets with one line of play together, in the order in which the first words (cards) were first seen."""
    seen: dict[str, int] = {}
    lines: dict[str, int] = {}
    for row in rows:
        card, _, line = row.infoset.text.partition(" ")
        seen.setdefault(card, len(seen))
        lines.setdefault(line, len(lines))
    return sorted(
        rows, key=lambda row: (lines[row.infoset.text.partition(" ")[2]], seen[row.infoset.text.partition(" ")[0]])
    )


def _shown(row: InfoSetRow) -> list[int]:
    """Actions to print: all of a few, of many those that are played."""
    every = list(range(len(row.probabilities)))
    return every if len(every) <= MANY else [i for i in every if row.probabilities[i] >= 0.0005]


def _colors(row: InfoSetRow) -> list[str]:
    words = [action.split()[0].lower() for action in row.infoset.actions]
    if all(word in ACTION_NAMES for word in words):
        return [hex_color(color) for color in action_colors(words)]
    return [OTHERS[place % len(OTHERS)] for place in range(len(words))]


def _action(row: InfoSetRow, action: int) -> str:
    text = f"{escape(row.infoset.actions[action])} {row.probabilities[action]:6.1%}"
    return f"[{_colors(row)[action]}]{text}[/]"


def _bar(row: InfoSetRow) -> str:
    """Shares of the actions as coloured cells."""
    colors = _colors(row)
    return "".join(f"[{colors[owner]}]█[/]" for owner in shares(np.array(row.probabilities), BAR))


def _number(value: float, style: str) -> str:
    return "–" if isnan(value) else format(value, style)
