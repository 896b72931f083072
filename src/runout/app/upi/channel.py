"""What goes out: answers and reports, each written whole, so that they never mix."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from runout import files
from runout.errors import InputError


class Channel:
    """Answers of commands, in order, and reports of the solver between them."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._file: TextIO | None = None  # where answers go instead
        self._writing = threading.Lock()
        self.end: str | None = None  # a line that follows every answer

    def answer(self, lines: Iterable[str]) -> None:
        """One answer, and the end string behind it."""
        self._write([*lines, *([] if self.end is None else [self.end])], self._file or self._out)

    def report(self, lines: Iterable[str]) -> None:
        """Something that nobody asked for; dropped where nobody reads any more, which the next answer will find out."""
        with suppress(OSError, ValueError):
            self._write(lines, self._file or self._out)

    def redirect(self, path: Path | None, append: bool = False) -> None:
        """Write to a file from now on; None: to standard output again."""
        opened: TextIO | None = None
        if path is not None:
            try:
                files.check_place(path)
                opened = path.open("a" if append else "w", encoding="utf-8")
            except (OSError, ValueError) as error:  # a name with a null byte in it
                raise InputError(f"cannot write to {str(path)!r}: {error}") from None
        with self._writing:
            before, self._file = self._file, opened
        if before is not None:
            with suppress(OSError):
                before.close()

    def _write(self, lines: Iterable[str], out: TextIO) -> None:
        text = "".join(f"{line}\n" for line in lines)
        with self._writing:
            out.write(text)
            out.flush()
