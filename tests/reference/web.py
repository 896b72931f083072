"""A web server for tests: small spots, and a real server in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

RIVER: dict[str, Any] = {
    "board": "Qs Jh 2h 3c 7d",
    "pot": 100,
    "stack": 200,
    "ranges": {"oop": "QQ+,AKs,T9s", "ip": "JJ-99,AQs,KQs"},
    "betting": {"river": {"bet": "50%", "raise": "60%"}},
    "solve": {"target": 0.5, "threads": 1},
}
TURN: dict[str, Any] = RIVER | {
    "board": "Qs Jh 2h 3c",
    "betting": {"turn": {"bet": "50%", "raise": ""}, "river": {"bet": "50%", "raise": ""}},
}
# Far from its target for minutes, yet every iteration is short.
# A turn: a river comes to 0 within rounding, and so to its target, in less than a second.
LONG: dict[str, Any] = TURN | {"solve": {"target": 0.0, "iterations": 100_000_000, "threads": 1}}


class Server:
    """`runout web` in a process of its own."""

    def __init__(self, library: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "runout.app.cli.main", "web", "--port", "0", "--no-open"]
        self.process = subprocess.Popen(
            [*command, "--library", str(library), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first.startswith("Runout is at "), first
        self.address = first.split()[-1]
        self.client = httpx.Client(base_url=self.address.partition("?")[0].partition("#")[0], timeout=300)

    def kill(self) -> None:
        """As when the machine fails: no word to anybody."""
        self.process.kill()
        self.process.wait()
        self.client.close()

    def end(self) -> int:
        """As by Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        self.client.close()
        return self.process.wait(300)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end()


def wait_for(ask: Callable[[], Any], seconds: float = 300.0) -> Any:
    """The first answer that is true."""
    for _ in range(int(seconds / 0.05)):
        found = ask()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it never came true")


def job_in(client: Any, job: str, *states: str) -> Any:
    """A job once it is in one of these states."""

    def reached() -> Any:
        found = client.get(f"/api/jobs/{job}").json()
        assert found["state"] in states or found["state"] != "failed", found
        return found if found["state"] in states else None

    return wait_for(reached)
