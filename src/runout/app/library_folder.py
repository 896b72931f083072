"""Where the library is, and the id that it knows a solution by: what server and command line agree on."""

from __future__ import annotations

import os
import re
from pathlib import Path

from runout.solutions.format import shipped_blueprints, solution_path
from runout.solvers.solved_leaf import shipped_charts

RUNS, REPORTS, OPEN, CHARTS, READY = "runs", "reports", "open", "charts", "ready"
_READY_FOLDER = Path(__file__).parents[1] / "ready"  # solutions that come with Runout


def default_folder() -> Path:
    """$RUNOUT_LIBRARY, or a folder of the user's."""
    named = os.environ.get("RUNOUT_LIBRARY")
    if named:
        return Path(named).expanduser()
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "runout" / "library"


def shipped() -> dict[str, Path]:
    """What comes with Runout, by id: charts/100bb, ready/4-bet-pot-flop, ready/20bb."""
    ready = [*sorted(path for path in _READY_FOLDER.iterdir() if path.is_dir()), *shipped_blueprints().values()]
    charts = {f"{CHARTS}/{path.name}": path for path in shipped_charts().values()}
    return charts | {f"{READY}/{path.name}": path for path in ready}


def id_of(path: Path, folder: Path) -> str:
    """The id of a solution: as the library has it, or as a server has it that opens it from elsewhere."""
    found, inside = solution_path(path).resolve(), path.resolve()
    own = next((name for name, one in shipped().items() if one.resolve() == found), None)
    if own is not None:
        return own
    if inside.is_relative_to(folder.resolve()):
        return inside.relative_to(folder.resolve()).as_posix()
    return f"{OPEN}/{slug(inside.name)}"


def slug(text: str) -> str:
    """A text as a directory's name: letters, digits and single dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-") or "solution"
