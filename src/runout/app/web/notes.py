"""What people write about solutions of the library: a name, notes and tags, in `.notes.json`."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from runout import files
from runout.app.web.errors import ApiError
from runout.app.web.models import Notes

FILE = ".notes.json"
MOST = 5000  # solutions with notes


class NoteBook:
    """Notes by the id of a solution."""

    def __init__(self, folder: Path) -> None:
        self._path, self._writing = folder / FILE, threading.Lock()

    def all(self) -> dict[str, Notes]:
        """Everything that was written; nothing where the file cannot be read."""
        found: Any = None
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            return {str(name): Notes.model_validate(one) for name, one in found.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def write(self, solution: str, notes: Notes) -> None:
        """Keep what is said of a solution; forget it where that is nothing."""
        with self._writing:
            found = self.all()
            found[solution] = notes
            if notes == Notes():
                del found[solution]
            if len(found) > MOST:
                raise ApiError(409, f"{MOST:,} solutions have notes: clear some first")
            kept = {name: one.model_dump() for name, one in found.items()}
            files.write_text(self._path, json.dumps(kept, ensure_ascii=False, indent=1))
