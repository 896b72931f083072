"""A client of `runout upi` as programs that drive PioSOLVER are written: a process, an end string, blocks of lines."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Sequence

END = "END"


class Client:
    """Starts the engine, sends lines, reads answers up to the end string; keeps reports of the solver apart."""

    def __init__(self, cwd: str | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "runout", "upi"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env={**os.environ},
        )
        self.reports: list[list[str]] = []
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self.banner = self._until_first_end()

    def _until_first_end(self) -> list[str]:
        self.send(f"set_end_string {END}")
        found = []
        while (line := self._out.readline().rstrip("\n")) != END:
            found.append(line)
        assert found[-1] == "set_end_string ok!"
        return found[:-1]

    def send(self, line: str) -> None:
        self._in.write(line + "\n")
        self._in.flush()

    def answer(self) -> list[str]:
        """The lines of the next answer."""
        found: list[str] = []
        while True:
            line = self._out.readline()
            assert line, "the engine is gone"
            line = line.rstrip("\n")
            if line.startswith("SOLVER:"):
                assert not found, "a report stands inside an answer"
                self.reports.append([line])
                while line == "SOLVER:" or self.reports[-1][0] == "SOLVER:":
                    line = self._out.readline().rstrip("\n")
                    self.reports[-1].append(line)
                    if line == END:
                        break
                continue
            if line == END:
                return found
            found.append(line)

    def ask(self, line: str) -> list[str]:
        self.send(line)
        return self.answer()

    def ok(self, line: str) -> None:
        answer = self.ask(line)
        assert answer == [f"{line.split()[0]} ok!"], answer

    def close(self) -> None:
        self.ok("exit")
        assert self._process.wait(300) == 0


class Lines(io.StringIO):
    """Output of an engine in this process; whole writes only, as a pipe would get them."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        with self._lock:
            self.writes.append(text)
        return len(text)


def run_lines(lines: Sequence[str]) -> list[str]:
    """What an engine in this process writes for these lines, a text for each answer or report."""
    from runout.app.upi.session import Session

    out = Lines()
    Session(io.BytesIO("".join(f"{line}\n" for line in lines).encode()).read, out).run()
    return out.writes
