"""A table in the terminal: sit down against the bot and play by keys."""

from __future__ import annotations

from typing import ClassVar

from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Resize
from textual.widgets import Footer, Input, Static

from runout.errors import RunoutError
from runout.run.table import PlayTable
from runout.run.table_view import HOW, TableScore, TableView

_SUITS = {"c": ("♣", "green"), "d": ("♦", "blue"), "h": ("♥", "red"), "s": ("♠", "default")}
_TONES = {"best": "green", "correct": "green", "inaccuracy": "yellow", "wrong": "dark_orange", "blunder": "red"}
_KINDS = {"fold": "blue", "check": "green", "call": "green", "bet": "dark_orange", "raise": "dark_orange"}
_WIDE = 100  # columns from which on score and grades stand beside the table


class PlayApp(App[None]):
    """Hand after hand; ends with q."""

    CSS = """
    #main { height: 1fr; }
    #table { width: 1fr; height: 1fr; padding: 0 1; }
    #side { width: 42; height: 1fr; padding: 0 1; }
    .narrow #main { layout: vertical; }
    .narrow #table { height: auto; }
    .narrow #side { width: 1fr; height: 1fr; }
    #size { display: none; height: 3; }
    #size.open { display: block; }
    Footer { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "act('f')", "fold"),
        Binding("c,x", "act('c')", "check or call"),
        Binding("b,r", "size", "bet or raise to"),
        Binding("a", "act('a')", "all-in"),
        *(Binding(str(number), f"choose({number})", show=False) for number in range(1, 10)),
        Binding("enter,space,n", "next", "next hand"),
        Binding("escape", "close", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, table: PlayTable, light: bool = False) -> None:
        super().__init__()
        self.theme = "textual-light" if light else "textual-dark"
        self.table, self.message, self.busy = table, "dealing", False
        self.view: TableView | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="main"):
            yield Static(id="table")
            with VerticalScroll(id="side"):
                yield Static(id="notes")
        yield Input(id="size", placeholder="to how many big blinds, or 75% of the pot")
        yield Footer()

    def on_mount(self) -> None:
        self.ask(None)

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < _WIDE, "narrow")
        self.draw()

    @work(thread=True, exclusive=True)
    def ask(self, word: str | None) -> None:
        """Deal, or act by a word, where the bot may think without holding up the screen."""
        self.busy = True
        view: TableView | None
        try:
            view, message = self.table.deal() if word is None else self.table.act(word), ""
        except RunoutError as error:
            view, message = self.view, str(error)
        except OSError as error:  # the hand is over and counted; it could not be saved
            view, message = self.table.view(), f"the hand could not be saved: {error.strerror or error}"
        self.busy = False
        self.call_from_thread(self.show, view, message)

    def show(self, view: TableView | None, message: str) -> None:
        self.view, self.message = view, message
        self.draw()
        if view is not None and view.grading:
            self.grade()

    @work(thread=True, group="grades")
    def grade(self) -> None:
        """Grade the hand that is over; the next one may be played meanwhile."""
        self.table.grade()
        self.call_from_thread(self.show_grades)

    def show_grades(self) -> None:
        if not self.busy:  # else they come with the answer of the bot
            self.view = self.table.view()
            self.draw()

    def action_act(self, word: str) -> None:
        """One of the plain actions."""
        if self.view is not None and self.view.to_act == "you" and not self.busy:
            self.message = "the bot thinks"
            self.ask(word)

    def action_choose(self, number: int) -> None:
        """The action with a number on the screen."""
        if self.view is not None and number <= len(self.view.choices):
            self.action_act(self.view.choices[number - 1].token)

    def action_size(self) -> None:
        """Ask for a size."""
        if self.view is not None and self.view.to_act == "you" and self.view.largest:
            box = self.query_one("#size", Input)
            box.placeholder = f"{self.view.smallest:g} to {self.view.largest:g} big blinds, or 75% of the pot"
            box.set_class(True, "open")
            box.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        word = event.value
        self.action_close()
        if word.strip():
            self.action_act(word)

    def action_close(self) -> None:
        """Leave the size as it is."""
        box = self.query_one("#size", Input)
        box.value = ""
        box.set_class(False, "open")
        self.set_focus(None)

    def action_next(self) -> None:
        """The next hand, once this one is over."""
        if self.view is not None and self.view.to_act == "over" and not self.busy:
            self.ask(None)

    def draw(self) -> None:
        if not self.query("#table"):
            return
        self.query_one("#table", Static).update(_drawn(self.view, self.message, self.size.width < _WIDE))
        self.query_one("#notes", Static).update("" if self.view is None else _noted(self.view))


def _drawn(view: TableView | None, message: str, narrow: bool) -> RenderableType:
    if view is None:
        return Text(message or "", "dim")
    felt = Grid.grid(expand=True)
    felt.add_column(justify="center")
    button = Text("● ", "bold yellow")
    bot = Text.assemble(button if view.seat == "BB" else "", ("Runout", "bold"), f"  {view.behind[1]:g} bb")
    felt.add_row(bot)
    felt.add_row(_cards(view.shown) if view.shown else _backs())
    felt.add_row(Text(f"bets {view.bets[1]:g}" if view.bets[1] else "", "dark_orange"))
    if not narrow:
        felt.add_row("")
    felt.add_row(_cards(view.board) if view.board else Text("– – –", "dim"))
    felt.add_row(Text.assemble("pot ", (f"{view.pot:g}", "bold"), " bb", style="default"))
    felt.add_row(Text(f"bets {view.bets[0]:g}" if view.bets[0] else "", "dark_orange"))
    felt.add_row(_cards(view.hand))
    you = Text.assemble(button if view.seat == "SB" else "", ("You", "bold"), f"  {view.behind[0]:g} bb  ({view.seat})")
    felt.add_row(you)
    title = f"hand {view.number}, {view.stack:g} bb; the bot plays its blueprint of {view.blueprint:g} bb"
    table = Panel(felt, title=title, border_style="green", padding=(0, 1))
    lines: list[RenderableType] = [table, _history(view)]
    if view.to_act == "you":
        choices = Text()
        for number, one in enumerate(view.choices, 1):
            choices.append(f" {number} ", f"bold reverse {_KINDS.get(one.kind, 'red')}")
            choices.append(f" {one.name}  ")
        lines.append(choices)
    else:
        tone = "green" if view.won_bb > 0 else "red" if view.won_bb < 0 else "default"
        lines.append(Text(f"{view.result}   (Enter: next hand)", f"bold {tone}"))
    if message:
        lines.append(Text(message, "yellow"))
    return Group(*lines) if narrow else Align(Group(*lines), "center")


def _history(view: TableView) -> Text:
    text = Text()
    for move in view.history:
        if move.who == "cards":
            text.append(" | ")
            text.append_text(_cards(tuple(move.text.split())))
            text.append(" | ")
        else:
            text.append(f"{'you' if move.who == 'you' else 'bot'} ", "dim")
            text.append(f"{move.text}  ")
    return text


def _noted(view: TableView) -> RenderableType:
    """Grades of the hand that is over, and the score."""
    lines: list[RenderableType] = []
    if view.grading:
        lines += [Text("your decisions are being graded", "dim"), Text("")]
    if view.graded:
        grades = Grid(
            title=f"your decisions in hand {view.graded_hand}",
            box=None,
            expand=True,
            title_justify="left",
            padding=(0, 1),
        )
        for name in ("", "played", "best", "bb lost"):
            grades.add_column(name, justify="right" if name == "bb lost" else "left", no_wrap=name != "best")
        for one in view.graded:
            about = "" if one.exact else "≈ "
            grades.add_row(
                Text(one.street[:2], "dim"),
                one.action,
                about + one.best,
                Text(f"{one.lost_bb:.2f}", _TONES[one.grade]),
            )
        hows = {one.how: HOW[one.how] for one in view.graded}
        lines += [grades, Text("; ".join(hows.values()), "dim"), Text("")]
    lines.append(_scored(view.score))
    if view.thought:
        lines.append(Text(f"the bot's last action: {view.thought}", "dim"))
    return Group(*lines)


def _scored(score: TableScore) -> RenderableType:
    grid = Grid(title="score", box=None, expand=True, show_header=False, title_justify="left", padding=(0, 1))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_row("hands", f"{score.hands}")
    grid.add_row("won", f"{score.won_bb:+.1f} bb")
    if score.raw is not None and score.adjusted is not None:
        grid.add_row("raw, bb/100", _spread(score.raw, score.raw_interval))
        grid.add_row("without luck (AIVAT)", _spread(score.adjusted, score.adjusted_interval))
    grid.add_row("lost by decisions", f"{score.lost_bb:.2f} bb")
    for name, count in score.grades.items():
        if count:
            grid.add_row(Text(f"  {name}", _TONES[name]), f"{count}")
    return grid


def _spread(mean: float, interval: tuple[float, float] | None) -> str:
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:.0f}"
    return f"{mean:+.0f}{half}"


def _cards(names: tuple[str, ...]) -> Text:
    text = Text()
    for number, name in enumerate(names):
        symbol, tone = _SUITS[name[1]]
        text.append(" " if number else "")
        text.append(f"{name[0]}{symbol}", f"bold {tone}")
    return text


def _backs() -> Text:
    return Text("▒▒ ▒▒", "dim")
