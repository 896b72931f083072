"""The terminal explorer: a node on screen, and the keys, clicks and words that lead to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, Static

from runout.app.entries import follow, named_cells, with_letter
from runout.app.matrix import action_colors
from runout.app.tui.board_picker import BoardPicker
from runout.app.tui.drawing import DARK, LIGHT, Palette, screen_theme
from runout.app.tui.exact import ExactSolve
from runout.app.tui.hand_list import HandList
from runout.app.tui.heading import Heading
from runout.app.tui.matrix_view import SIDE, STRATEGY, VIEWS, MatrixView
from runout.app.tui.node_strip import NodeStrip
from runout.app.tui.panels import ActionsPanel, HandsPanel, KindsPanel, RangesPanel
from runout.app.tui.reports import ReportScreen, graph_screen, help_text, runouts_screen
from runout.app.tui.styles import CSS
from runout.app.words import measured, percent
from runout.cursors.cells import Cells, cells
from runout.cursors.view import CHANCE, LIST, MATRIX, Explorer, HandsView, NodeView, extended, hands_of
from runout.errors import InputError, RunoutError
from runout.explorers.node_reports import breakdown
from runout.explorers.parts import indifference
from runout.explorers.units import InUnits

_RIGHT = 28  # columns that the right side needs
_TALL = 36  # lines from which on hands and kinds of hands are shown together
HANDS, KINDS = "hands", "kinds"  # what a short screen shows of a range


class ExplorerApp(App[None]):
    """Shows one solution."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    TITLE = "runout explore"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1,0)", show=False),
        Binding("down", "move(1,0)", show=False),
        Binding("left", "move(0,-1)", show=False),
        Binding("right", "move(0,1)", show=False),
        Binding("enter", "press", show=False),
        Binding("1", "play(1)", "play", key_display="1-9"),
        *(Binding(str(n), f"play({n})", show=False) for n in range(2, 10)),
        Binding("backspace", "step_back", "back", key_display="⌫"),
        Binding("u", "step_back", show=False),
        Binding("home", "root", show=False),
        Binding("v", "next_view", "view"),
        Binding("p", "player", "player"),
        Binding("i", "kinds", show=False),
        Binding("g", "graph", show=False),
        Binding("o", "runouts", "run-outs"),
        Binding("colon", "prompt", "go to", key_display=":"),
        Binding("slash", "prompt", show=False),
        Binding("y", "copy", show=False),
        Binding("l", "light", show=False),
        Binding("dollar_sign", "units", show=False),
        Binding("e", "exact", show=False),
        Binding("question_mark", "help", "keys", key_display="?"),
        Binding("q", "leave", "quit"),
        Binding("escape", "close_prompt", show=False),
    ]

    def __init__(self, explorer: Explorer, line: str = "", theme: str = "standard", light: bool = False) -> None:
        super().__init__()
        self.explorer, self.action_theme = InUnits(explorer), theme
        self._exact: ExactSolve | None = None  # that is under way, or that led to what is shown
        self._outer: tuple[InUnits, str] | None = None  # where an exact solution was entered from
        self.node: NodeView = explorer.at(line)
        self.shown = self.node.player or self.node.players[0]
        self.view, self.detail = STRATEGY, HANDS
        self.cell = 0
        self.register_theme(screen_theme("runout-dark", DARK, True))
        self.register_theme(screen_theme("runout-light", LIGHT, False))
        self.theme = "runout-light" if light else "runout-dark"

    @property
    def palette(self) -> Palette:
        return LIGHT if self.theme == "runout-light" else DARK

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield NodeStrip(id="strip")
        with Horizontal(id="main"):
            with Vertical(id="left"):
                yield Heading(id="heading")
                yield MatrixView(self.palette, self.action_theme, id="matrix")
                yield HandList(id="list")
                yield BoardPicker(self.palette, id="picker")
                yield Static(id="notes")
            with Vertical(id="right"):
                yield RangesPanel(id="ranges")
                yield ActionsPanel(id="actions")
                yield Static(id="selected")
                with VerticalScroll(id="scroll", can_focus=False):
                    yield HandsPanel(id="hands")
                    yield Static(id="mixing")
                    yield KindsPanel("", id="kinds")
        yield Static(id="line")
        hint = "an action (b94, SBr2.5), cards (Ah), a hand (AKs) or a whole line"
        yield Input(placeholder=hint, id="prompt", select_on_focus=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#prompt").display = False
        self.show(self.node)
        self.call_after_refresh(self.refresh_bindings)  # nothing has the focus, so nothing else tells the footer

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size.width, event.size.height)
        self.call_after_refresh(self._draw)

    def _lay_out(self, width: int, height: int) -> None:
        """Give the matrix whole cells and the rest to the right side."""
        left = self.query_one("#left")
        if self.node.layout == LIST:
            left.styles.width = max(40, width - max(_RIGHT, width * 45 // 100))
            return
        size = MatrixView.cell_size(width - max(_RIGHT, width * 36 // 100), height - 9)
        left.styles.width = SIDE * size.width + 1
        self.query_one("#matrix").styles.height = SIDE * size.height

    # What is on screen

    def show(self, node: NodeView) -> None:
        """Draw another node."""
        self.node = node
        names = [hands.player for hands in node.hands]
        self.shown = node.player or (self.shown if self.shown in names else node.players[0])
        self.query_one("#matrix").display = node.layout == MATRIX and node.kind != CHANCE
        self.query_one("#list").display = node.layout == LIST and node.kind != CHANCE
        picker = self.query_one(BoardPicker)
        picker.display = node.kind == CHANCE
        if node.kind == CHANCE:
            picker.show(node.deals, node.deal_count, node.boards, self.palette)
        self._draw()
        self.call_after_refresh(self._draw)  # what was hidden until now has its size only then

    def _hands(self) -> HandsView | None:
        try:
            return hands_of(self.node, self.shown)
        except InputError:
            return self.node.hands[0] if self.node.hands else None

    def _draw(self) -> None:
        node, palette = self.node, self.palette
        hands = self._hands()
        found: Cells | None = cells(node, hands) if hands is not None else None
        colors = action_colors([action.kind for action in node.actions], self.action_theme)
        own = colors if hands is not None and len(hands.strategy) else []
        self.query_one(NodeStrip).show(node, palette)
        self.query_one("#title", Static).update(self._title())
        self.query_one(Heading).show(node, self.shown, self.view, palette)
        self.query_one(MatrixView).show(found, own, self.view, palette)
        if node.layout == LIST:
            self.query_one(HandList).show(node, colors, self.action_theme, palette)
        self.query_one(RangesPanel).show(node, self.shown, palette)
        self.query_one(ActionsPanel).show(node, colors, found, self._picked(), palette)
        self.query_one("#notes", Static).update(Text(" ".join(node.notes), style=palette.accent))
        self.query_one("#line", Static).update(self._line())
        self._draw_hands(hands, found, own)

    def _picked(self) -> int:
        return self.query_one(HandList).place if self.node.layout == LIST else self.query_one(MatrixView).cell

    def _draw_hands(self, hands: HandsView | None, found: Cells | None, colors: list[Any]) -> None:
        panel, heading, mixing = (
            self.query_one(HandsPanel),
            *(self.query_one(i, Static) for i in ("#selected", "#mixing")),
        )
        kinds, both = self.query_one(KindsPanel), self.size.height >= _TALL
        sorts = hands is not None and bool(hands.categories)
        kinds.display = sorts and (both or self.detail == KINDS)
        for part in (panel, mixing):
            part.display = hands is not None and (both or not kinds.display)
        heading.update("")
        if hands is None or found is None:
            return
        cell, palette, theme = self._picked(), self.palette, self.action_theme
        if panel.display:
            text = Text(found.names[cell], style="bold")
            here = f"{found.combos[cell]:.3g} combos" if self.node.layout == MATRIX else percent(found.weight[cell])
            text.append(f"  {here} here", style=palette.dim)
            heading.update(text)
            panel.show_class(hands, cell, [one.kind for one in self.node.actions], colors, theme, palette)
            note = indifference(hands, np.flatnonzero(hands.cell == cell), self.node.accuracy)
            mixing.update(Text(note or "", style=palette.accent))
        if kinds.display:
            kinds.show(breakdown(self.node, hands.player), colors, theme, palette)

    def _title(self) -> Text:
        one = self.explorer.summary
        text = Text(f" {one.title} ", style="bold", no_wrap=True, overflow="ellipsis")
        far = "" if one.exploitability is None else f" · {measured(one.exploitability, one.unit)}"
        return text.append(f" {one.kind}{far} · {one.iterations:,} iterations of {one.algorithm}", style="dim")

    def _line(self) -> Text:
        text = Text(" line ", style="dim", no_wrap=True, overflow="ellipsis")
        return text.append(self.node.line or "(the start)", style="bold")

    # Where one goes

    def go(self, line: str) -> None:
        """Show the node with an address; say why where there is none."""
        try:
            self.show(self.explorer.at(line))
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=6)

    def action_help(self) -> None:
        """All keys."""
        self.push_screen(ReportScreen([help_text(self.palette)]))

    def action_play(self, place: int) -> None:
        if self.node.kind == CHANCE:
            self.query_one(BoardPicker).type(str(place))
        elif place <= len(self.node.actions):
            self.go(extended(self.node, self.node.actions[place - 1].token))

    def action_step_back(self) -> None:
        if self.node.kind == CHANCE and self.query_one(BoardPicker).take_back():
            return
        if len(self.node.strip) > 1:
            self.go(self.node.strip[-2].line)
        elif self._outer is not None:
            (self.explorer, line), self._outer = self._outer, None
            self.go(line)

    def action_exact(self) -> None:
        """Solve the spot that begins here, and walk on in its solution; a step back from its start leads here again."""
        if self._exact is not None:
            self._exact.stopped = True
            return
        try:
            work = self._exact = ExactSolve(self.explorer.explorer, self.node.line)
        except RunoutError as error:
            self.notify(str(error), severity="warning", timeout=6)
            return
        self._tell("solving exactly; e stops")
        self.run_worker(lambda: self._solve(work), thread=True)

    def _solve(self, work: ExactSolve) -> None:
        work.run(
            lambda text: self.call_from_thread(self._tell, text), lambda one: self.call_from_thread(self._enter, one)
        )
        self._exact = None

    def _tell(self, text: str) -> None:
        self.query_one("#notes", Static).update(Text(text, style=self.palette.accent))

    def _enter(self, found: Explorer) -> None:
        assert self._exact is not None
        if self._outer is None:
            self._outer = self.explorer, self._exact.line
        self.explorer = InUnits(found)
        self.go("")

    def on_unmount(self) -> None:
        if self._exact is not None:
            self._exact.stopped = True

    def action_root(self) -> None:
        self.go("")

    def action_move(self, rows: int, columns: int) -> None:
        if self.node.kind == CHANCE:
            self.query_one(BoardPicker).move(rows, columns)
        elif self.node.layout == LIST:
            chosen = self.query_one(HandList)
            chosen.pick(chosen.place + rows + columns)
        else:
            self.query_one(MatrixView).move(rows, columns)

    def action_press(self) -> None:
        if self.node.kind == CHANCE:
            self.query_one(BoardPicker).press()

    def action_next_view(self) -> None:
        self.view = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
        self._draw()

    def action_player(self) -> None:
        names = [hands.player for hands in self.node.hands]
        if len(names) > 1:
            self.shown = names[1 - names.index(self.shown)] if self.shown in names else names[0]
            self._draw()

    def action_kinds(self) -> None:
        self.detail = HANDS if self.detail == KINDS else KINDS
        self._draw()

    def action_graph(self) -> None:
        self._report(lambda: graph_screen(self.node, self.palette, self.size.width, self.size.height))

    def action_runouts(self) -> None:
        self._report(lambda: runouts_screen(self.explorer, self.node, self.palette))

    def _report(self, make: Callable[[], ReportScreen]) -> None:
        try:
            self.push_screen(make())
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=6)

    def action_copy(self) -> None:
        self.copy_to_clipboard(self.node.line)
        self.notify(f"copied {self.node.line or 'the empty line of the start'}", timeout=2)

    def action_light(self) -> None:
        self.theme = "runout-dark" if self.theme == "runout-light" else "runout-light"
        self._draw()

    def action_units(self) -> None:
        """Chips, big blinds, % of the pot."""
        self.explorer.next()
        self.go(self.node.line)
        self.notify(f"amounts in {self.node.unit}", timeout=2)

    def action_leave(self) -> None:
        if self.node.kind == CHANCE and self.query_one(BoardPicker).plain():
            self.query_one(BoardPicker).type("q")  # a queen; ctrl+q leaves everywhere
        else:
            self.exit()

    def action_prompt(self, text: str = "") -> None:
        prompt = self.query_one(Input)
        prompt.display = True
        prompt.value = text
        prompt.focus()
        prompt.cursor_position = len(text)

    def action_close_prompt(self) -> None:
        prompt = self.query_one(Input)
        prompt.display = False
        self.set_focus(None)

    # What comes in

    def on_key(self, event: events.Key) -> None:
        letter = event.character or ""
        if self.focused is not None or not letter.isalnum():
            return
        if self.node.kind == CHANCE:
            picker = self.query_one(BoardPicker)
            if not picker.type(letter) and letter.lower() == "r" and not picker.typed:
                picker.deal_random()
            return
        meant = with_letter(self.node, letter)
        if len(meant) == 1:
            self.action_play(meant[0] + 1)
        elif meant:
            self.action_prompt(letter)
            event.stop()
            event.prevent_default()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value
        self.action_close_prompt()
        if self.node.kind == CHANCE and text.strip().lower() in ("random", "deal random"):
            self.query_one(BoardPicker).deal_random()
            return
        hands = self._hands()
        if hands is not None and text.strip():
            named = named_cells(self.node, hands, text)
            if named:
                chosen = self.query_one(HandList) if self.node.layout == LIST else self.query_one(MatrixView)
                chosen.pick(named[0])
                return
        try:
            self.show(follow(self.explorer, self.node, text))
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=6)

    def on_matrix_view_picked(self) -> None:
        self._draw()

    def on_heading_view_chosen(self, event: Heading.ViewChosen) -> None:
        self.view = event.view
        self._draw()

    def on_heading_player_clicked(self) -> None:
        self.action_player()

    def on_hand_list_picked(self) -> None:
        self._draw()

    def on_actions_panel_played(self, event: ActionsPanel.Played) -> None:
        self.action_play(event.number + 1)

    def on_node_strip_chosen(self, event: NodeStrip.Chosen) -> None:
        self.go(event.line)

    def on_board_picker_dealt(self, event: BoardPicker.Dealt) -> None:
        self.go(extended(self.node, " ".join(event.cards), cards=True))
