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


async def _flood(host: str, port: int, count: int) -> None:
    """So many requests at once, each followed by another until standard input says something.

    Says 'go' when the first of each client is sent, and at the end how many were sent and how many got a 200.
    """
    sent, answered, over = 0, 0, False

    async def client() -> None:
        nonlocal sent, answered
        while not over:
            sent += 1
            if sent == count:
                print("go", flush=True)
            got = await one()
            answered += got

    async def one() -> bool:
        try:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(f"GET /api/spots HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), 60)
            writer.close()
        except (OSError, TimeoutError):
            return False
        return answer.startswith(b"HTTP/1.1 200")

    async def wait() -> None:
        nonlocal over
        await asyncio.to_thread(sys.stdin.readline)
        over = True

    await asyncio.gather(wait(), *(client() for _ in range(count)))
    print(sent, answered)


def _half_open(host: str, port: int, count: int) -> list[socket.socket]:
    """Connections that begin to ask and never end."""
    found = [socket.create_connection((host, port)) for _ in range(count)]
    for one in found:
        one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
    return found


def strangers(tally: Tally, folder: Path, rng: random.Random, half_open: int = 300, flood: int = 1000) -> None:
    """300 half-open connections, then 1,000 requests at once besides, then garbage: a user is answered throughout."""
    command = [sys.executable, "-m", "runout", "web", "--port", "0", "--no-open", "--library", str(folder / "library")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        place = urlsplit(server.stdout.readline().split()[-1])
        host, port = str(place.hostname), int(place.port or 0)
        time.sleep(5)
        quiet = _median(host, port)
        half = _half_open(host, port, half_open)
        among = _median(host, port)
        half += _half_open(host, port, half_open)  # the first ones will not live through what follows
        tally.tried += len(half)
        code = f"import asyncio\nfrom torture.strangers import _flood\nasyncio.run(_flood({host!r}, {port}, {flood}))"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        child.stdout.readline()  # 'go': from here to the end of the measurement there are so many at any moment
        flooded = _median(host, port, 9.0)
        sent, answered = map(int, child.communicate("stop\n", timeout=120)[0].split())
        tally.tried += sent
        if answered < sent:
            tally.fail("wrong", f"{sent - answered} of {sent} requests, {flood} at once, were not answered")
        for one in half:
            one.close()
        for _ in range(50):
            with socket.create_connection((host, port)) as one:
                one.sendall(rng.randbytes(rng.randrange(1, 3000)))
            tally.tried += 1
        after = _median(host, port, 1.0)
        tally.notes.append(
            f"a user's median answer: quiet {quiet:.1f} ms, among {half_open} half-open connections {among:.1f} ms, "
            f"among as many and {flood} requests at once {flooded:.1f} ms ({answered:,} others answered), "
            f"after garbage {after:.1f} ms"
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
