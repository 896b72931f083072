"""How a game before the flop and its solution look in a terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.text import Text

from runout.app.cli.node_view import colored, show_node
from runout.app.matrix import scale_style
from runout.app.words import reached_text
from runout.cards.cards import RANKS
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.cursors.preflop_solution import NEAR_GAMES, WHOLE_GAME, PreflopSolution
from runout.cursors.tables import acting_first, class_record, decisions_below, percents_of_hands, write_csv
from runout.cursors.view import NodeView, hands_of
from runout.explorers import open_explorer
from runout.games.preflop import Preflop

if TYPE_CHECKING:
    from runout.run.preflop import PushFoldChart

LEAVES = {
    WHOLE_GAME: "called pots as the whole game plays them, preflop to river",
    NEAR_GAMES: "ranges of a whole game of this depth; called pots worth what they are in whole games of 20 and 100 bb",
    "solved": "called pots worth what they are in whole games of other depths, mixed by stack (leaf model solved)",
    "equity": "called pots are checked down (leaf model equity): a clean game for computing, no advice on how to play",
    "realization": "called pots by realised equity (leaf model realization)",
    "flop-game": "called pots as a solved flop game plays them (leaf model flop-game)",
}


def describe(game: Preflop) -> str:
    """One line: what is solved."""
    parts = [f"{game.name}: {game.stack_depth:g} bb"]
    if game.blinds[0] / game.blinds[1] != 0.5:
        parts.append(f"blinds {game.blinds[0]:g}/{game.blinds[1]:g}")
    if game.ante:
        parts.append(f"ante {game.ante:g} bb")
    if game.rake.percent:
        cap = "" if game.rake.cap is None else f", at most {game.rake.cap:g} bb"
        parts.append(f"rake {game.rake.percent:g}%{cap}")
    if game.is_push_fold:
        parts.append("all-in or fold")
    elif not any(game.raise_sizes):
        parts.append(f"{len(game.lines)} raises by line")
    else:
        parts.append("raises to " + "; then ".join(", ".join(sizes) for sizes in game.raise_sizes))
        if not game.limps:
            parts.append("no limps")
    parts.append(f"{game.tree().nodes:,} decision{'s' * (game.tree().nodes != 1)}")
    return ", ".join(parts)


def leaf_text(solution: PreflopSolution) -> str:
    """What called pots are worth; nothing to say where none sees a flop."""
    if solution.settings.is_push_fold:
        return "all-ins by exact equity"
    return LEAVES.get(solution.leaf, f"called pots by the leaf model {solution.leaf}")


def reached(solution: PreflopSolution) -> str:
    """One line: how good the solution is, and what the game is worth."""
    asked = solution.settings.solve
    if solution.is_chart:
        figure = f"exploitability of the whole game {solution.exploitability:.0f} mbb/hand"
        return f"{figure}; value to SB {solution.value:+.4f} bb"
    early = solution.exploitability > asked.target and solution.iterations < asked.iterations
    text = reached_text(solution.reached, early=early)
    return f"{text}; value to SB {solution.value:+.6f} bb"


def heading(solution: PreflopSolution) -> str:
    """The line above the prompt."""
    leaf = "" if solution.settings.is_push_fold else f"   leaf model {solution.leaf}"
    figures = f"exploitability {solution.exploitability:.3g} mbb/hand   value to SB {solution.value:+.5f} bb"
    return f"{solution.settings.name}{leaf}   {figures}"


def show_solution(console: Console, solution: PreflopSolution, line: str, theme: str) -> None:
    """What was reached, and the place that `line` leads to; both sides of a push/fold game."""
    console.print(describe(solution.settings), markup=False, soft_wrap=True)
    console.print(reached(solution), markup=False, soft_wrap=True)
    console.print(leaf_text(solution), markup=False)
    explorer, both = open_explorer(solution), solution.settings.is_push_fold and not line
    for view in decisions_below(explorer, "") if both else [explorer.at(line)]:
        console.print()
        show_node(console, view, theme)
        if both:
            verb, share = "pushes" if view.player == "SB" else "calls", percents_of_hands(view)[1]
            text = f"{view.player} {verb} {share:.3f}% of hands (each counted once; above, by what the other can hold)"
            console.print(text, markup=False, soft_wrap=True)


def record(solution: PreflopSolution, line: str = "") -> dict[str, Any]:
    """What `--json` prints: the decision at `line` and all below it."""
    return {
        "name": solution.settings.name,
        "stack_bb": solution.settings.stack_depth,
        "leaf": solution.leaf,
        "value_sb_bb": solution.value,
        "value_bb_bb": solution.assessment.values[0],
        "exploitability_mbb": solution.exploitability,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "algorithm": solution.algorithm,
        "nodes": {view.line: _node_record(view) for view in decisions_below(open_explorer(solution), line)},
    }


def _node_record(view: NodeView) -> dict[str, Any]:
    hands = hands_of(view, str(view.player))
    evs = zip(hands.names, hands.action_evs.T.tolist(), strict=True)
    return {
        **class_record(view),
        "percent_of_hands": [round(x, 6) for x in percents_of_hands(view)],
        "pot_bb": view.pot,
        "ev_bb": {name: [None if math.isnan(ev) else round(ev, 6) for ev in column] for name, column in evs},
    }


def write_tree_csv(file: TextIO, solution: PreflopSolution, line: str = "") -> None:
    """A row for each class of the player to act at each decision from `line` on."""
    views = decisions_below(open_explorer(solution), line)
    write_csv(file, ((view, acting_first(view)[0]) for view in views))


def show_chart(console: Console, chart: PushFoldChart) -> None:
    """Two tables: the largest stack at which each class pushes, and calls."""
    first, last = chart.stacks[0], chart.stacks[-1]
    worst = max(solution.exploitability for solution in chart.solutions)
    console.print(
        f"push/fold from {first:g} to {last:g} bb, {len(chart.stacks)} stacks, "
        f"exploitability at most {worst:.2g} mbb/hand; suited hands above the diagonal",
        soft_wrap=True,
    )
    for title, played in (("SB pushes up to (bb)", chart.pushed), ("BB calls up to (bb)", chart.called)):
        cells = [_chart_text(chart.runs(played[:, index]), first, last) for index in range(len(CLASS_NAMES))]
        wide = max(4, *map(len, cells)) + 1
        console.print(f"\n{title}")
        console.print("     " + "".join(f"{rank:<{wide}}" for rank in reversed(RANKS)), soft_wrap=True)
        for rank, row in zip(reversed(RANKS), MATRIX, strict=True):
            line = Text(f"{rank:<4} ", no_wrap=True, end="")
            for index in row:
                stack = max((end for _, end in chart.runs(played[:, index])), default=0.0)
                line.append_text(_chart_cell(cells[index], stack, first, last, wide, colored(console)))
            console.print(line, soft_wrap=True)
    console.print(
        f"\n7: played at all stacks up to 7; 2,6-7: up to 2 and from 6 to 7; {last:g}+: at the largest stack too; "
        "-: at none of them",
        soft_wrap=True,
    )


def _chart_text(runs: list[tuple[float, float]], first: float, last: float) -> str:
    """Stacks at which a class is played: '7', '2,6-7', '25+', '-'."""
    words = []
    for begin, end in runs:
        if begin == first:
            words.append(f"{end:g}+" if end == last else f"{end:g}")
        elif end == last:
            words.append(f"{begin:g}+")
        else:
            words.append(f"{begin:g}" if begin == end else f"{begin:g}-{end:g}")
    return ",".join(words) or "-"


def _chart_cell(text: str, stack: float, first: float, last: float, wide: int, color: bool) -> Text:
    if not stack:
        return Text(f"{text:<{wide}}", style="dim" if color else "")
    if not color:
        return Text(f"{text:<{wide}}")
    share = (stack - first) / (last - first) if last > first else 1.0
    return Text.assemble((f"{text:<{wide - 1}}", scale_style(share)), " ")


def chart_record(chart: PushFoldChart) -> dict[str, Any]:
    """What `--stacks --json` prints."""
    explorers = [open_explorer(solution) for solution in chart.solutions]
    return {
        "stacks": chart.stacks,
        "value_sb_bb": [solution.value for solution in chart.solutions],
        "exploitability_mbb": [solution.exploitability for solution in chart.solutions],
        "push_percent": [percents_of_hands(one.at(""))[1] for one in explorers],
        "call_percent": [percents_of_hands(one.at("SBa"))[1] for one in explorers],
        "push": dict(zip(CLASS_NAMES, chart.push.tolist(), strict=True)),
        "call": dict(zip(CLASS_NAMES, chart.call.tolist(), strict=True)),
        "push_stacks": {name: chart.runs(chart.pushed[:, i]) for i, name in enumerate(CLASS_NAMES)},
        "call_stacks": {name: chart.runs(chart.called[:, i]) for i, name in enumerate(CLASS_NAMES)},
    }


def write_chart_csv(file: TextIO, chart: PushFoldChart) -> None:
    """One row per class: the largest stacks at which it pushes and calls, 0 where at none, and all of them as text."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["hand", "push", "call", "push_stacks", "call_stacks"])
    first, last = chart.stacks[0], chart.stacks[-1]
    for index, (name, push, call) in enumerate(zip(CLASS_NAMES, chart.push, chart.call, strict=True)):
        runs = (_chart_text(chart.runs(played[:, index]), first, last) for played in (chart.pushed, chart.called))
        writer.writerow([name, f"{push:g}", f"{call:g}", *runs])
