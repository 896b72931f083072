"""`runout practice`: play hands against a solution in the terminal, each decision graded."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.explorers.practice import Practice, PracticeTable


def practice_command(
    bundle: Path | None = typer.Argument(None, help="A solution; the chart of 100 big blinds without one."),
    seat: str | None = typer.Option(None, "--seat", help="One player's decisions: OOP, IP, SB or BB."),
    line: str = typer.Option("", "--line", help="Where hands begin: 'x-b94', 'SBr2.5 BBr10'."),
    streets: list[str] = typer.Option([], "--street", help="Only decisions on this street; give it again for more."),
    hands: str = typer.Option("", "--hands", help="A range that yours are dealt from."),
    close: bool = typer.Option(False, "--close", help="Only decisions at which the solution mixes."),
    single: bool = typer.Option(False, "--single", help="One decision a hand."),
    seconds: float = typer.Option(
        0.0, "--seconds", min=0, help="Time for a decision; when it is up you fold or check."
    ),
    count: int = typer.Option(0, "-n", "--hands-dealt", min=0, help="End after this many hands; 0: when you quit."),
    seed: int | None = typer.Option(None, "--seed", min=0, help="The same hands again."),
) -> None:
    """Play hands of a solution; every action is graded by the EV that it gives away."""
    from runout.cursors.preflop_solution import open_chart
    from runout.explorers import open_explorer
    from runout.explorers.practice import Drill, Practice

    explorer = open_explorer(open_chart(100) if bundle is None else bundle)
    names = {name.lower(): name for name in explorer.at("").players}
    chosen = None if seat is None else names.get(seat.lower(), seat)
    drill = Drill(chosen, line, tuple(streets), hands, close, single)
    practice = Practice(explorer, seed=seed, drill=drill)
    print(f"{explorer.summary.title}. Answer with an action (its number, letter or token); q quits.")
    play(practice, count, seconds)


def play(practice: Practice, count: int = 0, seconds: float = 0.0, read: Callable[[], str] | None = None) -> None:
    """Deal and ask until enough hands are played, the word is quit or the input ends; then tell the score."""
    ask = read or _line
    dealt = 0
    table = practice.deal()
    while True:
        if table.to_act == "over":
            dealt += 1
            print(_ending(table))
            if count and dealt >= count:
                break
            table = practice.deal()
            continue
        print(_asked(table))
        began = time.monotonic()
        words = ask()
        if words in ("q", "quit", "exit", ""):
            break
        token = _meant(table, words)
        if seconds and time.monotonic() - began > seconds:
            token = table.actions[0].token
            print(f"time is up: {table.actions[0].name}")
        if token is None:
            print(f"unknown action {words!r}: use {', '.join(one.token for one in table.actions)}")
            continue
        table = practice.act(token)
        print(_graded(table))
    print(_score(table))


def _line() -> str:
    if sys.stdin.isatty():
        print("> ", end="", flush=True)
    line = sys.stdin.readline()
    return line.strip().lower() or ("?" if line else "")  # an empty line is no end


def _meant(table: PracticeTable, words: str) -> str | None:
    """The token of an action: by its number, token, name, or the letter that only it begins with."""
    if words.isdecimal() and 1 <= int(words) <= len(table.actions):
        return table.actions[int(words) - 1].token
    exact = [one.token for one in table.actions if words in (one.token.lower(), one.name.lower())]
    begun = [one.token for one in table.actions if one.name.lower().startswith(words)]
    found = exact or begun
    return found[0] if len(found) == 1 else None


def _asked(table: PracticeTable) -> str:
    from runout.app.words import amount, title

    said = " ".join(f"{'you' if one.who == 'you' else one.who} {one.action}," for one in table.history).rstrip(",")
    board = " ".join(table.board)
    head = f"\n{title(table.seat)} with {table.hand}" + (f" on {board}" if board else "")
    choices = "  ".join(f"{number} {one.name}" for number, one in enumerate(table.actions, 1))
    return f"{head}, pot {amount(table.pot)} {table.unit}{f'; {said}' if said else ''}\n{choices}"


def _graded(table: PracticeTable) -> str:
    last = table.last
    if last is None:
        return ""
    lost = "" if last.ev_lost is None else f", {100 * last.ev_lost / last.pot:.2g}% of the pot lost"
    mix = ", ".join(
        f"{one.name} {one.frequency:.0%}" + ("" if one.ev is None else f" (EV {one.ev:.2f})") for one in last.mix
    )
    return f"{last.grade}{lost if last.ev_lost else ''}: {mix}"


def _ending(table: PracticeTable) -> str:
    result = table.result
    if result is None or result.won is None:
        return "on to the next hand"
    shown = f"the opponent had {result.shown}; " if result.shown else ""
    return f"{shown}you {'win' if result.won >= 0 else 'lose'} {abs(result.won):.2f} {table.unit}"


def _score(table: PracticeTable) -> str:
    score = table.score
    grades = ", ".join(f"{name} {number}" for name, number in score.by_grade.items() if number)
    lost = "" if score.ev_lost is None else f", EV lost {score.ev_lost:.2f} {table.unit}"
    return f"\n{score.decisions} decisions in {score.hands} hands{lost}{': ' + grades if grades else ''}"
