"""Bots by name: `bot:RUN`, where RUN is a blueprint, and how it plays after commas: `bot:runs/hunl-20bb,0.5,turn`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from runout.cursors.load import BOT
from runout.cursors.policy_solution import PolicySolution, load_policy_solution
from runout.errors import InputError
from runout.solutions.format import solution_path
from runout.solvers.blueprint_policy import as_blueprint
from runout.solvers.bot import MODES, Bot, BotSettings

SAFE = "safe"  # the setting that loses no more than the blueprint to anybody, but for what solving leaves open
_USE = (
    f"after the run, give seconds a decision, a mode ({', '.join(MODES)}), {SAFE}, iterations=N, tree=NAME, "
    "gadget=NAME, trust=SHARE or seed=N"
)


def bot_solution(name: str | Path) -> PolicySolution:
    """The bot with this name, as a trained strategy that plays: its `policy` is a `solvers.bot.Bot`."""
    run, *words = [part.strip() for part in str(name).removeprefix(BOT).split(",")]
    return load_bot(run, _settings(words))


def load_bot(run: str | Path, settings: BotSettings | None = None) -> PolicySolution:
    """A bot that plays the blueprint of a training run, or of a checkpoint; a table with a card abstraction too."""
    solution = load_policy_solution(solution_path(run))
    blueprint = as_blueprint(solution.policy)
    if blueprint is None:
        raise InputError(f"{run} is no blueprint: a bot needs one, as `runout train --solver blueprint` makes")
    bot = Bot(blueprint, settings)
    bot.warm()
    return replace(solution, policy=bot)


def _settings(words: list[str]) -> BotSettings:
    found: dict[str, Any] = {}
    for word in words:
        key, given, value = word.partition("=")
        if word in MODES:
            found["mode"] = word
        elif word == SAFE:
            found |= {"gadget": "max-margin", "trust": 0.0}
        elif key in ("mode", "gadget", "tree") and given:
            found[key] = value
        elif key in ("iterations", "seed") and value.isdecimal():
            found[key] = int(value)
        elif key == "trust" and given:
            found[key] = _number(value)
        else:
            found["seconds"] = _number(value if key == "seconds" and given else word)
    return BotSettings(**found)


def _number(word: str) -> float:
    try:
        return float(word.removesuffix("s"))
    except ValueError:
        raise InputError(f"{word!r} says nothing about a bot: {_USE}") from None
