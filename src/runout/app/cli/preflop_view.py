"""How a game before the flop and its solution look in a terminal, as JSON and as CSV."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from rich.console import Console
from rich.text import Text

from runout.analysis.explorers import open_explorer
from runout.analysis.preflop import PreflopNode, PreflopSolution
from runout.analysis.tables import acting_first, decisions_below, write_csv
from runout.app.matrix import legend, matrix_lines, plain_lines, scale_style
from runout.cards.cards import RANKS
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.games.preflop import BIG_BLIND, WORDING, Preflop

if TYPE_CHECKING:
    from runout.run.preflop import PushFoldChart

RARE = 5e-4  # reach below which a class is not drawn: what it would do there was hardly learnt
LEAVES = {
    "equity": "called pots are checked down (leaf model equity)",
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
    early = solution.exploitability > asked.target and solution.iterations < asked.iterations
    return (
        f"exploitability {solution.exploitability:.3g} mbb/hand after {solution.iterations:,} iterations of "
        f"{solution.algorithm} in {solution.seconds:.3g} s{' (stopped early)' if early else ''}; "
        f"value to SB {solution.value:+.6f} bb"
    )


def colored(console: Console) -> bool:
    return console.is_terminal and not console.no_color


def place_text(node: PreflopNode) -> str:
    """The history and the pot."""
    state = node.state
    history = " ".join(node.moves) or "(nobody has acted)"
    bets = "   ".join(f"{WORDING.players[p]} in {state.spent[p] / BIG_BLIND:g}" for p in (1, 0))
    return f"{state.rules.stack / BIG_BLIND:g}bb {history}   pot {node.pot:g} bb   {bets}"


def show_node(console: Console, node: PreflopNode, theme: str = "standard") -> None:
    """History and pot, the matrix of the player to act, and the legend; or how betting ended."""
    console.print(place_text(node), markup=False, soft_wrap=True)
    if node.over:
        console.print(over_text(node), markup=False)
        return
    total = sum(node.percents)
    share = "" if total > 99.99995 else f" with {total:.1f}% of hands"
    console.print(f"{node.player} to act{share}", style="bold" if colored(console) else None, markup=False)
    weight = shown(node)
    if colored(console):
        for line in matrix_lines(node.menu, node.mix, weight, console.width, theme):
            console.print(line)
    else:
        for row in plain_lines(node.menu, node.mix, weight):
            console.print(row, soft_wrap=True, markup=False)
    console.print(legend(node.menu, node.frequencies, theme, colored(console), node.actions, console.width))


def shown(node: PreflopNode) -> np.ndarray:
    """float64 [169]: how much of each class to draw; all of it where nobody gets here."""
    kept = np.where(node.reach >= RARE, node.reach, 0.0)
    return kept if kept.any() else np.ones_like(kept)


def over_text(node: PreflopNode) -> str:
    state = node.state
    text = f"betting is over: {WORDING.ending(state)}"
    if state.folder >= 0:
        return f"{text}; {WORDING.players[1 - state.folder]} wins {state.spent[state.folder] / BIG_BLIND:g} bb"
    behind = state.behind(0) / BIG_BLIND
    return f"{text}; pot {node.pot:g} bb" + (f", {behind:g} bb behind" if behind else "")


def hand_text(node: PreflopNode, hand: str) -> str:
    """What one class does here, and the EV of each action."""
    mix, index = node.strategy(hand), CLASS_NAMES.index(hand)
    evs = node.evs[:, index]
    parts = [
        f"{name} {share:.1%}" + ("" if math.isnan(ev) else f" (EV {ev:+.4f} bb)")
        for (name, share), ev in zip(mix.items(), evs, strict=True)
        if share > 5e-4 or len(mix) <= 3
    ]
    return f"{hand}: " + ", ".join(parts)


def show_solution(console: Console, solution: PreflopSolution, line: str, theme: str) -> None:
    """What was reached, and the place that `line` leads to; both sides of a push/fold game."""
    console.print(describe(solution.settings), markup=False, soft_wrap=True)
    console.print(reached(solution), markup=False, soft_wrap=True)
    console.print(leaf_text(solution), markup=False)
    node = solution.at(line)
    nodes = solution.nodes() if solution.settings.is_push_fold and not line else [node]
    for one in nodes:
        console.print()
        show_node(console, one, theme)
        if solution.settings.is_push_fold and not one.over:
            verb = "pushes" if one.player == "SB" else "calls"
            console.print(f"{one.player} {verb} {one.percents[1]:.3f}% of hands", markup=False)


def record(solution: PreflopSolution, line: str = "") -> dict[str, Any]:
    """What `--json` prints: the decision at `line` and all below it."""
    nodes = {}
    for node in solution.nodes(line):
        nodes[node.line] = {
            "player": node.player,
            "actions": node.actions,
            "frequencies": node.frequencies,
            "percent_of_hands": [round(x, 6) for x in node.percents],
            "pot_bb": node.pot,
            "hands": node.hands(),
            "ev_bb": _evs(node),
        }
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
        "nodes": nodes,
    }


def _evs(node: PreflopNode) -> dict[str, list[float | None]]:
    columns = node.evs.T.tolist()
    return {
        name: [None if math.isnan(ev) else round(ev, 6) for ev in column]
        for name, column in zip(CLASS_NAMES, columns, strict=True)
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
    for title, largest in (("SB pushes up to (bb)", chart.push), ("BB calls up to (bb)", chart.call)):
        console.print(f"\n{title}")
        console.print("     " + "".join(f"{rank:<5}" for rank in reversed(RANKS)))
        for rank, row in zip(reversed(RANKS), MATRIX, strict=True):
            line = Text(f"{rank:<4} ", no_wrap=True, end="")
            for index in row:
                line.append_text(_chart_cell(float(largest[index]), first, last, colored(console)))
            console.print(line, soft_wrap=True)
    console.print(f"\n{last:g}+ is played at the largest stack too; - at none of them")


def _chart_cell(stack: float, first: float, last: float, color: bool) -> Text:
    if not stack:
        return Text(f"{'-':<5}", style="dim" if color else "")
    text = f"{stack:g}+" if stack == last else f"{stack:g}"
    if not color:
        return Text(f"{text:<5}")
    share = (stack - first) / (last - first) if last > first else 1.0
    return Text.assemble((f"{text:<4}", scale_style(share)), " ")


def chart_record(chart: PushFoldChart) -> dict[str, Any]:
    """What `--stacks --json` prints."""
    roots = [solution.root for solution in chart.solutions]
    return {
        "stacks": chart.stacks,
        "value_sb_bb": [solution.value for solution in chart.solutions],
        "exploitability_mbb": [solution.exploitability for solution in chart.solutions],
        "push_percent": [root.percents[1] for root in roots],
        "call_percent": [root.play("all-in").percents[1] for root in roots],
        "push": dict(zip(CLASS_NAMES, chart.push.tolist(), strict=True)),
        "call": dict(zip(CLASS_NAMES, chart.call.tolist(), strict=True)),
    }


def write_chart_csv(file: TextIO, chart: PushFoldChart) -> None:
    """A row a class: the largest stacks at which it pushes and calls, 0 where at none."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["hand", "push", "call"])
    for name, push, call in zip(CLASS_NAMES, chart.push, chart.call, strict=True):
        writer.writerow([name, f"{push:g}", f"{call:g}"])
