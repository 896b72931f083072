"""The table of commands: a name, what it takes, and the function that answers.

    @command("calc_ev OOP|IP NODE")
    def calc_ev(engine: Engine, player: str, node: str) -> Answer: ...

A function returns the lines of its answer, or None for `NAME ok!`; an InputError becomes `ERROR: ...`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runout.errors import InputError

if TYPE_CHECKING:
    from runout.app.upi.engine import Engine

Answer = Sequence[str] | None
COMMANDS: dict[str, Command] = {}


@dataclass(frozen=True, slots=True)
class Command:
    """One command."""

    name: str
    usage: str  # its arguments: words, [optional ones], and '...' for any number
    answer: Callable[..., Answer]
    reads: bool  # whether it looks at what the solver computes, and so waits for the step under way

    def run(self, engine: Engine, words: Sequence[str]) -> Answer:
        """Check how many words there are, and answer."""
        least = sum(not part.startswith("[") and part != "..." for part in self.usage.split())
        most = len(words) if "..." in self.usage else len(self.usage.split())
        if not least <= len(words) <= most:
            raise InputError(f"{self.name} takes {self.usage or 'no arguments'}")
        if self.reads and engine.solving is not None:
            with engine.solving.gate.reading():
                return self.answer(engine, *words)
        return self.answer(engine, *words)


def command(usage: str, *, reads: bool = False) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Put a function into the table: 'NAME ARGUMENT [OPTIONAL] ...'."""
    name, _, arguments = usage.partition(" ")

    def add(function: Callable[..., Answer]) -> Callable[..., Answer]:
        COMMANDS[name] = Command(name, arguments, function, reads)
        return function

    return add


# Commands of the protocol that mean nothing here, and why.
MISSING: dict[str, str] = {
    "show_step": "the step of the algorithm is not a setting here",
    "change_step": "the step of the algorithm is not a setting here",
    "forget": "streets are left out when a tree is saved: dump_tree FILE no_rivers",
    "estimate_rebuild_forgotten_streets": "rivers that were left out are solved when they are looked at",
    "set_mes": "a strategy cannot be replaced by a best response",
    "round_up_to": "strategies are not rounded",
    "solve_partial": "only whole trees are solved",
    "solve_all_splits": "only whole trees are solved",
    "eliminate_path": "use remove_line or cut_line before build_tree",
    "explo_partial": "exploitability is of the whole tree: calc_results",
    "calc_matchups_line": "use calc_ev, whose second line has matchups",
    "add_preflop_line": "trees begin on the flop; use `runout preflop` for what comes before",
    "remove_preflop_line": "trees begin on the flop",
    "clear_preflop_lines": "trees begin on the flop",
    "build_preflop_tree": "trees begin on the flop; use `runout preflop` for what comes before",
    "add_schematic_tree": "trees begin on the flop",
    "estimate_schematic_tree": "trees begin on the flop",
}


def find(name: str) -> Command:
    """The command of this name; InputError where there is none, or none here."""
    found = COMMANDS.get(name)
    if found is None:
        why = MISSING.get(name)
        raise InputError(f"{name} is not supported: {why}" if why else f"unknown command {name[:60]!r}")
    return found


def chosen(value: str, *accepted: str, what: str) -> str:
    """A word that must be one of a few."""
    if value not in accepted:
        raise InputError(f"unknown {what} {value[:40]!r}: use {' or '.join(accepted)}")
    return value
