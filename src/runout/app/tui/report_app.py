"""A report over flops in the terminal: all flops by any figure, filters by texture, averages; fills while it runs."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Footer, Static

from runout.cards.textures import CONNECTEDNESS, HEIGHTS, PAIRINGS, SUIT_TEXTURES
from runout.run.report_directory import ReportDirectory
from runout.run.report_tables import TEXTURES, Row, flop_rows

EVERY = 2.0  # seconds between looks at a report that goes on
_BAR = 16  # columns of the strip beside a flop
_WORDS = {"suits": SUIT_TEXTURES, "pairing": PAIRINGS, "connectedness": CONNECTEDNESS, "height": HEIGHTS}
_PLAIN = {"flop", "weight", "pairs", "iterations", "seconds", *TEXTURES}


class ReportApp(App[str | None]):
    """Flops of a report; ends with the name of the solution that was chosen, or None."""

    CSS = "#head { height: auto; padding: 0 1; } DataTable { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit"),
        Binding("f,right", "figure(1)", "next figure"),
        Binding("F,left", "figure(-1)", "figure before", show=False),
        Binding("r", "turn", "turn order"),
        Binding("s", "filter('suits')", "suits"),
        Binding("p", "filter('pairing')", "pairs"),
        Binding("c", "filter('connectedness')", "connected"),
        Binding("h", "filter('height')", "height"),
        Binding("enter", "open", "open"),
    ]

    def __init__(self, report: ReportDirectory, light: bool = False) -> None:
        super().__init__()
        self.theme = "textual-light" if light else "textual-dark"
        self.report = report
        self.rows: list[Row] = []
        self.figure, self.upward = "oop_ev", False
        self.filters: dict[str, str] = {}
        self._total = len(report.plan.tasks())

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield DataTable(id="flops", cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        self.read()
        self.set_interval(EVERY, self.read_more)

    def read_more(self) -> None:
        """Look again, as long as flops are missing."""
        if len(self.rows) < self._total and self.report.done() > len(self.rows):
            self.read()

    def read(self) -> None:
        """Take in all records that are there."""
        self.rows = flop_rows(self.report.plan, list(self.report.records()))
        self.draw()

    @property
    def figures(self) -> list[str]:
        """What flops can be put in order by."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return [name for name in names if name not in _PLAIN and name not in self.report.plan.keys] or [self.figure]

    @property
    def shown(self) -> list[Row]:
        """The flops that pass the filters, in order."""
        kept = [row for row in self.rows if all(row[name] == word for name, word in self.filters.items())]
        return sorted(kept, key=lambda row: _number(row.get(self.figure)), reverse=not self.upward)

    def draw(self) -> None:
        rows, table = self.shown, self.query_one("#flops", DataTable)
        table.clear(columns=True)
        keys = list(self.report.plan.keys)
        others = [name for name in self.figures if name != self.figure and name != "exploitability_pct"]
        table.add_columns("flop", *keys, "weight", self.figure, "", *others)
        values = [_number(row.get(self.figure)) for row in rows]
        low, high = (min(values), max(values)) if values else (0.0, 0.0)
        for row, value in zip(rows, values, strict=True):
            full = round(_BAR * (value - low) / (high - low)) if high > low else _BAR
            table.add_row(
                row["flop"],
                *(str(row[key]) for key in keys),
                f"{100 * row['weight']:.2f}%",
                Text(_text(self.figure, row.get(self.figure)), "bold", justify="right"),
                Text("█" * full, "cyan"),
                *(Text(_text(name, row.get(name)), justify="right") for name in others),
            )
        self.query_one("#head", Static).update(self._head(rows))

    def _head(self, rows: list[Row]) -> Text:
        plan = self.report.plan
        chosen = ", ".join(self.filters.values()) or "all textures"
        means = ", ".join(f"{name} {_text(name, _mean(rows, name))}" for name in self.figures)
        return Text.assemble(
            (f"pot {plan.spot.pot}, stack {plan.spot.stack}", "bold"),
            f"  {len(self.rows):,} of {self._total:,} flops ({plan.set_name})\n",
            (f"{len(rows):,} flops, {chosen}; by {self.figure}\n", "cyan"),
            f"average: {means}",
        )

    def action_figure(self, step: int) -> None:
        """The next figure, or the one before."""
        names = self.figures
        at = names.index(self.figure) if self.figure in names else 0
        self.figure = names[(at + step) % len(names)]
        self.draw()

    def action_turn(self) -> None:
        """The lowest first, or the highest."""
        self.upward = not self.upward
        self.draw()

    def action_filter(self, name: str) -> None:
        """The next word of a texture, then none."""
        words = [None, *_WORDS[name]]
        after = words[(words.index(self.filters.get(name)) + 1) % len(words)]
        self.filters.pop(name, None)
        if after is not None:
            self.filters[name] = after
        self.draw()

    def on_data_table_row_selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """End with the solution of the flop under the cursor, if it was kept; else say how to solve it."""
        rows, at = self.shown, self.query_one("#flops", DataTable).cursor_row
        if not 0 <= at < len(rows):
            return
        row, plan = rows[at], self.report.plan
        case = next(n for n, one in enumerate(plan.cases) if all(row[key] == value for key, value in one.items()))
        kept = self.report.solution(case, row["flop"])
        if (kept / "meta.json").is_file():
            self.exit(str(kept))
        else:
            flop = row["flop"].replace(" ", "")
            self.notify(f"no solution of {row['flop']} was kept: runout solve SPOT.yaml --board {flop} solves it")


def _number(value: Any) -> float:
    return float("-inf") if value is None or value != value else float(value)


def _mean(rows: list[Row], name: str) -> float:
    known = [(row["weight"] * row["pairs"], row[name]) for row in rows if row.get(name) is not None]
    known = [(weight, value) for weight, value in known if value == value]
    total = sum(weight for weight, _ in known)
    return sum(weight * value for weight, value in known) / total if total > 0 else float("nan")


def _text(name: str, value: Any) -> str:
    if value is None or value != value:
        return "–"
    if name.endswith("_ev"):
        return f"{value:.2f}"
    return f"{value:.2f}%" if name == "exploitability_pct" else f"{100 * value:.1f}%"
