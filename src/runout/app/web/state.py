"""What the endpoints share."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fastapi import Depends
from fastapi import Path as PathParameter
from starlette.requests import Request

from runout.app.practised import PracticeLog
from runout.app.web.events import Events
from runout.app.web.jobs import Jobs
from runout.app.web.library import ID_PATTERN, Library
from runout.app.web.loaded import Loaded
from runout.app.web.logs import open_logs
from runout.app.web.notes import NoteBook
from runout.app.web.playing import PlayTables
from runout.app.web.tables import PracticeTables
from runout.games.spot import default_settings
from runout.run.spot_check import check_spot


class State:
    """Library, jobs, open solutions, practice tables and what was practised, of one server."""

    def __init__(self, folder: Path, opened: Sequence[Path] = (), memory: int | None = None) -> None:
        self.library = Library(folder, opened)
        open_logs(self.library.folder)
        self.events = Events()
        self.loaded = Loaded(self.library, memory)
        self.jobs = Jobs(self.library, self.events)
        self.tables = PracticeTables()
        self.playing = PlayTables(self.library)
        self.notes = NoteBook(self.library.folder)
        self.practised = PracticeLog(self.library.folder)

    def start(self) -> None:
        """Take up solves that an earlier server left, and load compiled code before somebody waits for it."""
        self.jobs.start()
        threading.Thread(target=check_spot, args=(default_settings(),), daemon=True).start()

    def close(self) -> None:
        """End the running solve with all saved."""
        self.events.close()
        self.jobs.close()
        self.loaded.close()


def _of(request: Request) -> State:
    state: State = request.app.state.runout
    return state


Shared = Annotated[State, Depends(_of)]
SolutionId = Annotated[str, PathParameter(pattern=ID_PATTERN, max_length=400, description="as in the library")]
