"""The web explorer on the community benchmark: first paint of a loaded solution and clicks, over HTTP, a real server.

The spot is solved to 1% of the pot first and saved; the server opens it as it would any other. Clicks go down lines of
all three streets, each to a node that nobody has asked for before. Targets: 0.5 s for the first paint, 100 ms a click.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import line
from runout.games.spot import Spot
from runout.run.postflop import solve

SPOT = Path(__file__).parent.parent / "configs" / "spots" / "community.yaml"
RIVER = SPOT.with_name("river.yaml")
START = "from runout.app.cli.main import main; main()"
CARDS = ("7c", "Ah", "2d", "Ts", "9h", "Kc")


def run(full: bool) -> None:
    """The river; with `full`, the community benchmark too, which has to be solved first."""
    spots = [("river", RIVER)] + ([("community", SPOT)] if full else [])
    with tempfile.TemporaryDirectory() as folder:
        for name, file in spots:
            solve(Spot.load(file), target=1.0, output=Path(folder) / name)
        command = [sys.executable, "-c", START, "web", "--library", folder, "--port", "0", "--no-open"]
        started = time.perf_counter()
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            get(address, "/api/library")
            line("start of the server", f"{time.perf_counter() - started:.2f} s")
            for name, _ in spots:
                _measure(address, name)
            _check(address)
        finally:
            server.terminate()
            server.wait()


def get(address: str, path: str, body: Any = None, **query: str) -> tuple[Any, float, int]:
    """The answer, seconds until all of it was here, and its bytes."""
    text = f"{address.rstrip('/')}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(text, data, {"content-type": "application/json"})
    started = time.perf_counter()
    with urllib.request.urlopen(request) as answer:
        content = answer.read()
    took = time.perf_counter() - started
    return json.loads(content), took, len(content)


def _measure(address: str, name: str) -> None:
    where = f"/api/solutions/{name}"
    _, opening, _ = get(address, where)
    line(f"{name}: open the file, checksums included", f"{opening:.2f} s")
    root, first, size = get(address, f"{where}/node", line="")
    line(f"{name}: first paint of the loaded solution", f"{first * 1000:.0f} ms, {size / 1000:.0f} kB")
    by_street: dict[str, list[float]] = {}
    for path in _walks(address, where, root):
        node, took, _ = get(address, f"{where}/node", line=path)
        by_street.setdefault(f"{node['street']} {node['kind']}", []).append(took)
    for kind, times in by_street.items():
        ms = 1000 * np.array(times)
        figure = f"median {np.median(ms):.0f} ms, slowest {ms.max():.0f} ms of {len(ms)}"
        line(f"{name}: click to a {kind}", figure)


def _walks(address: str, where: str, root: Any) -> list[str]:
    """Addresses of nodes along lines of every street, none of them asked for before; parents first."""
    if root["street"] == "river":
        bet = root["actions"][1]["token"]
        return ["x", bet, f"{bet}-c", f"{bet}-f", "x-x"]
    found = ["x", "x-x"]
    for card in CARDS:
        found += [f"x-x|{card}", f"x-x|{card}|x", f"x-x|{card}|x-x", f"x-x|{card}|x-x|3s", f"x-x|{card}|x-x|3s|x"]
    return found


def _check(address: str) -> None:
    import yaml

    spot = yaml.safe_load(SPOT.read_text(encoding="utf-8"))
    times = []
    for stack in (910, 900, 890, 880, 870):
        times.append(get(address, "/api/spots/check", {"spot": spot | {"stack": stack}})[1])
    line(
        "check of the community spot, first and next", f"{times[0] * 1000:.0f} ms, {np.median(times[1:]) * 1000:.0f} ms"
    )
