"""Open any solution by its path."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from runout.cursors.cursor import AnySolution
from runout.cursors.kinds import fetch, named
from runout.errors import InputError, SolutionError
from runout.solutions.format import read_meta, solution_path

if TYPE_CHECKING:
    from runout.cursors.game_solution import GameSolution
    from runout.games.compiled import CompiledGame
    from runout.games.protocol import AnyGame

BOT = "bot:"  # how the names of bots begin


def is_bot(name: str | Path) -> bool:
    """Whether a name is that of a bot (`cursors.bots`)."""
    return str(name).startswith(BOT)


def load(path: str | Path, game: AnyGame | CompiledGame | None = None) -> AnySolution:
    """Open the solution saved in a directory, whatever its kind; of a training run, its latest checkpoint.

    Args:
        path: the directory; or a bot that plays a blueprint and solves subgames anew, 'bot:runs/hunl-20bb,0.5,turn'.
        game: the rules of a small game of your own, which Runout does not know by name; not needed otherwise.
    """
    if is_bot(path):
        bot: AnySolution = fetch("cursors.bots:bot_solution")(path)
        return bot
    path = solution_path(path)
    name = read_meta(path)["kind"]
    kind = named(name)
    if kind is None:
        raise SolutionError(f"{path} is a {name} solution, which this Runout does not know: update Runout")
    if game is not None:
        if name not in ("tabular", "game-networks"):
            raise InputError(f"{path} is a {name} solution: `game` is for small games of your own, leave it out")
        taken: AnySolution = fetch(kind.load)(path, game)
        return taken
    found: AnySolution = fetch(kind.load)(path)
    return found


def load_game_solution(path: str | Path, game: AnyGame | CompiledGame | None = None) -> GameSolution:
    """The older name of `load` for small games."""
    warnings.warn("load_game_solution is now load", DeprecationWarning, stacklevel=2)
    found: GameSolution = fetch("cursors.game_solution:load_tabular")(path, game)
    return found
