"""`runout practice`: play hands against a solution in the terminal, each decision graded."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.app.practised import PracticeLog
    from runout.explorers.practice import Graded, Practice, PracticeTable

_MOST_ROWS = 10


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
    mistakes: bool = typer.Option(False, "--mistakes", help="Repeat the mistakes that were made with this solution."),
    history: bool = typer.Option(False, "--history", help="Tell what was practised of it so far, and end."),
    library: Path | None = typer.Option(
        None, "--library", help="Folder where decisions are kept; as for `runout web` without one."
    ),
    keep: bool = typer.Option(
        True, "--keep/--no-keep", help="Keep what is decided, with what was done in the browser."
    ),
) -> None:
    """Play hands of a solution; every action is graded by the EV that it gives away, and kept."""
    from runout.app.library_folder import default_folder, id_of
    from runout.app.practised import PracticeLog
    from runout.cursors.preflop_solution import open_chart
    from runout.explorers import open_explorer
    from runout.explorers.practice import Drill, Practice
    from runout.solutions.format import solution_path

    folder = library or default_folder()
    name = "charts/100bb" if bundle is None else id_of(bundle, folder)
    explorer = open_explorer(open_chart(100) if bundle is None else solution_path(bundle))
    log = PracticeLog(folder)
    if history:
        _tell(log, name)
        return
    drill = Drill(seat, line, tuple(streets), hands, close, single)
    practice = Practice(explorer, seed=seed, drill=drill)
    wrong = [(one.line, one.hand) for one in log.mistakes(name)] if mistakes else None
    if wrong == []:
        print("no mistakes are left to repeat")
        return
    session = f"t{secrets.token_hex(6)}"

    def kept(seat: str, last: Graded) -> None:
        if keep:
            log.add(name, seat, last, session)

    print(f"{explorer.summary.title}. Answer with an action (its number, letter or token); q quits.")
    play(practice, count, seconds, kept=kept, repeat=wrong)


def play(
    practice: Practice,
    count: int = 0,
    seconds: float = 0.0,
    read: Callable[[], str] | None = None,
    kept: Callable[[str, Graded], None] | None = None,
    repeat: list[tuple[str, str]] | None = None,
) -> None:
    """Deal and ask until enough hands are played, the word is quit or the input ends; then tell the score.

    `kept` hears each graded decision with its seat. `repeat` are decisions to deal, by line and hand, and no others.
    """
    ask, to_come = read or _line, iter(repeat or ())

    def deal() -> PracticeTable | None:
        if repeat is None:
            return practice.deal()
        again = next(to_come, None)
        return None if again is None else practice.deal_at(*again)

    dealt = 0
    table = next_table = deal()
    while next_table is not None:
        table = next_table
        if table.to_act == "over":
            dealt += 1
            print(_ending(table))
            next_table = None if count and dealt >= count else deal()
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
        next_table = practice.act(token)
        if kept is not None and next_table.last is not None:
            kept(next_table.seat, next_table.last)
        print(_graded(next_table))
    print(_score(practice.table()))


def _tell(log: PracticeLog, name: str) -> None:
    """What was practised of a solution: losses by street, hand, line, day and session, and mistakes that are left."""
    from runout.app.words import title

    if not log.sums("street", name):
        print(f"nothing was practised of {name} yet")
        return
    for by in ("street", "hand", "line", "day", "session"):
        print(f"{'by ' + by:<28}{'decisions':>10}{'mistakes':>10}{'bb lost':>10}{'% of pot':>10}")
        rows = log.sums(by, name)
        for one in rows[-_MOST_ROWS:] if by in ("day", "session") else rows[:_MOST_ROWS]:
            pots = None if one.lost_pot is None else 100 * one.lost_pot
            lost = "".join(f"{'-' if value is None else f'{value:.3g}':>10}" for value in (one.lost_bb, pots))
            print(f"{(one.name or 'root')[:27]:<28}{one.decisions:>10}{one.mistakes:>10}{lost}")
        print()
    wrong = log.mistakes(name)
    print(f"{len(wrong)} mistakes to repeat (--mistakes)" if wrong else "no mistakes are left to repeat")
    for mistake in wrong[:_MOST_ROWS]:
        lost = "" if mistake.lost_pot is None else f", {100 * mistake.lost_pot:.3g}% of the pot lost"
        where = f"{title(mistake.seat)} {mistake.hand} at {mistake.line or 'the root'}"
        print(f"{where}: {mistake.action}, best {mistake.best}{lost}")


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
    if last.ev_lost and last.big_blind:
        lost += f" ({last.ev_lost / last.big_blind:.2g} bb)"
    mix = ", ".join(
        f"{one.name} {one.frequency:.0%}" + ("" if one.ev is None else f" (EV {one.ev:.2f})") for one in last.mix
    )
    return f"{last.grade}{lost if last.ev_lost else ''}: {mix}"


def _ending(table: PracticeTable) -> str:
    result = table.result
    if result is None or result.won is None:
        return "on to the next hand"
    shown = f"the opponent had {result.shown}; " if result.shown else ""
    if not round(result.won, 2):
        return f"{shown}you break even"
    return f"{shown}you {'win' if result.won >= 0 else 'lose'} {abs(result.won):.2f} {table.unit}"


def _score(table: PracticeTable) -> str:
    score = table.score
    grades = ", ".join(f"{name} {number}" for name, number in score.by_grade.items() if number)
    lost = "" if score.ev_lost is None else f", EV lost {score.ev_lost:.2f} {table.unit}"
    made = f"{score.decisions} decision{'' if score.decisions == 1 else 's'}"
    return f"\n{made} in {score.hands} hand{'' if score.hands == 1 else 's'}{lost}{': ' + grades if grades else ''}"
