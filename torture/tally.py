"""What was tried and what failed, and children in which something may go wrong without taking the campaign along."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

FAILURES = ("traceback", "hang", "crash", "lost", "believed", "wrong")  # the kinds that are told apart
LONGEST = 60.0  # seconds that one trial may take before it counts as hanging


@dataclass
class Tally:
    """One row of the table."""

    name: str
    tried: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of this process and of its children that are over
    notes: list[str] = field(default_factory=list)  # the first of each kind of failure, and what was left out

    def fail(self, kind: str, note: str) -> None:
        """Count a failure; the first three are kept to be looked at."""
        self.failed[kind] = self.failed.get(kind, 0) + 1
        if self.failed[kind] <= 3:
            self.notes.append(f"{kind}: {note[:400]}")


def cpu_seconds() -> float:
    """Of this process and of its children that are over: what a busy machine does not change."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def in_child(task: Callable[[], Any], seconds: float = LONGEST) -> tuple[str, Any]:
    """What a task gives, run in a forked process: ("done", value), ("raised", text), ("crash", why) or ("hang", "")."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            found: tuple[str, Any] = ("done", task())
        except BaseException:
            found = ("raised", traceback.format_exc())
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(found, pipe)
        os._exit(0)
    os.close(write)
    ends, content = time.monotonic() + seconds, b""
    os.set_blocking(read, False)
    while time.monotonic() < ends:
        try:
            part = os.read(read, 1 << 20)
        except BlockingIOError:
            time.sleep(0.002)
            continue
        if not part:
            break
        content += part
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(read)
        return "hang", ""
    os.close(read)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) or not content:
        return "crash", f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status}"
    found = pickle.loads(content)  # written by this very program
    return found


def show(tallies: list[Tally]) -> int:
    """Print the table; how many failed."""
    print(f"{'what':<34}{'tried':>8}{'failed':>8}{'seconds':>9}{'CPU':>7}  how")
    for one in tallies:
        how = ", ".join(f"{count} {kind}" for kind, count in sorted(one.failed.items()))
        print(f"{one.name:<34}{one.tried:>8,}{sum(one.failed.values()):>8,}{one.seconds:>9.1f}{one.cpu:>7.0f}  {how}")
    for one in tallies:
        for note in one.notes:
            print(f"  {one.name}: {' '.join(note.split())}", file=sys.stderr)
    return sum(sum(one.failed.values()) for one in tallies)
