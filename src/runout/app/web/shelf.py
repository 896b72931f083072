"""Named things that people keep in the library, all of a kind in one small JSON file: ranges, pairs of ranges."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

from runout import files
from runout.app.web.errors import ApiError, not_found

NAME_PATTERN = r"^[^\x00-\x1f\x7f/\\]{1,60}$"
MOST = 1000


class Shelf:
    """What is kept, by name; `what` is what messages call one of them."""

    def __init__(self, path: Path, what: str) -> None:
        self._path, self._what, self._writing = path, what, threading.Lock()

    def all(self) -> dict[str, Any]:
        """Everything by name; 409 where the file cannot be read, so that nothing is written over it."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            raise ApiError(409, f"the {self._what}s cannot be read: look at {self._path.name} in the library") from None
        return {str(name): one for name, one in found.items()} if isinstance(found, dict) else {}

    def get(self, name: str) -> Any:
        found = self.all()
        if name not in found:
            raise not_found(f"no {self._what} {name!r}")
        return found[name]

    def put(self, name: str, value: Any) -> None:
        """Keep something, in place of what has its name."""
        if not re.match(NAME_PATTERN, name):
            raise ApiError(422, "a name has 1 to 60 characters, no slashes", "name")
        with self._writing:
            found = {**self.all(), name: value}
            if len(found) > MOST:
                raise ApiError(409, f"there are {MOST} {self._what}s: delete one first")
            self._write(found)

    def drop(self, name: str) -> None:
        with self._writing:
            self.get(name)
            self._write({kept: one for kept, one in self.all().items() if kept != name})

    def _write(self, found: dict[str, Any]) -> None:
        files.write_text(self._path, json.dumps(found, ensure_ascii=False, indent=1))
