"""The server among strangers: half-open connections and floods, and how long a normal user waits meanwhile."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from torture.tally import Tally


def _median(host: str, port: int, seconds: float = 4.0) -> float:
    """Milliseconds that a user's requests take, one after the other, half of them on new connections."""
    import http.client

    took, ends = [], time.monotonic() + seconds
    while time.monotonic() < ends:
        begun = time.perf_counter()
        connection = http.client.HTTPConnection(host, port, timeout=30)
        for _ in range(2):
            connection.request("GET", "/api/spots", headers={"Host": f"{host}:{port}"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise OSError(f"status {answer.status}")
        connection.close()
        took.append((time.perf_counter() - begun) / 2)
        time.sleep(0.01)
    return 1000 * statistics.median(took)


async def _flood(host: str, port: int, count: int) -> int:
    """So many requests at once; how many were answered with 200."""

    async def one() -> bool:
        try:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(f"GET /api/spots HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), 60)
            writer.close()
        except (OSError, TimeoutError):
            return False
        return answer.startswith(b"HTTP/1.1 200")

    return sum(await asyncio.gather(*(one() for _ in range(count))))


def strangers(tally: Tally, folder: Path, rng: random.Random, half_open: int = 300, flood: int = 1000) -> None:
    """300 half-open connections, then 1,000 requests at once, then garbage: a normal user is answered throughout."""
    command = [sys.executable, "-m", "runout", "web", "--port", "0", "--no-open", "--library", str(folder / "library")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        place = urlsplit(server.stdout.readline().split()[-1])
        host, port = str(place.hostname), int(place.port or 0)
        time.sleep(5)
        quiet = _median(host, port)
        half = [socket.create_connection((host, port)) for _ in range(half_open)]
        for one in half:
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        among = _median(host, port)
        tally.tried += half_open
        for one in half:
            one.close()
        child = subprocess.Popen(
            [sys.executable, "-c", f"import asyncio\nfrom torture.strangers import _flood\n"
             f"print(asyncio.run(_flood({host!r}, {port}, {flood})))"], stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(1.0)
        flooded = _median(host, port)
        answered = int(child.communicate(timeout=120)[0])
        tally.tried += flood
        if answered < flood:
            tally.fail("wrong", f"{flood - answered} of {flood} requests at once were not answered")
        for _ in range(50):
            with socket.create_connection((host, port)) as one:
                one.sendall(rng.randbytes(rng.randrange(1, 3000)))
            tally.tried += 1
        after = _median(host, port, 1.0)
        tally.notes.append(
            f"a user's median answer: quiet {quiet:.1f} ms, among {half_open} half-open connections {among:.1f} ms, "
            f"during {flood} requests at once {flooded:.1f} ms, after garbage {after:.1f} ms"
        )
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=60)
        if len(said) > 20_000 or "Traceback" in said:
            tally.fail("wrong", f"{len(said)} characters of messages: {said[-300:]}")
    except (OSError, subprocess.TimeoutExpired) as error:
        tally.fail("hang", f"{type(error).__name__}: {error}")
    finally:
        server.kill()
        server.wait()
