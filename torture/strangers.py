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

ELSEWHERE = "127.0.0.2"  # this machine under an address that the server takes for another's


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


async def _flood(host: str, port: int, count: int, source: str) -> None:
    """So many requests at once, each followed by another until standard input says something.

    Says 'go' when the first of each client is sent, and at the end how many were sent and how many got a 200. `source`
    is the address that they come from; one that is turned away asks again a little later.
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
            if not got:
                await asyncio.sleep(0.2)

    async def one() -> bool:
        try:
            reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
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


def _flooded(host: str, port: int, count: int, source: str) -> tuple[float, int, int]:
    """A user's median answer while so many requests are under way; how many were sent, and how many answered."""
    call = f"_flood({host!r}, {port}, {count}, {source!r})"
    code = f"import asyncio\nfrom torture.strangers import _flood\nasyncio.run({call})"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    child.stdout.readline()  # 'go': from here to the end of the measurement there are so many at any moment
    median = _median(host, port, 9.0)
    sent, answered = map(int, child.communicate("stop\n", timeout=120)[0].split())
    return median, sent, answered


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
        through, sent, answered = _flooded(host, port, flood, host)  # as from a proxy: all of them count as users
        if answered < sent:
            tally.fail("wrong", f"{sent - answered} of {sent} requests, {flood} at once, were not answered")
        half += _half_open(host, port, half_open)
        away, others, let_in = _flooded(host, port, flood, ELSEWHERE)
        tally.tried += len(half) + sent + others
        for one in half:
            one.close()
        for _ in range(50):
            with socket.create_connection((host, port)) as one:
                one.sendall(rng.randbytes(rng.randrange(1, 3000)))
            tally.tried += 1
        after = _median(host, port, 1.0)
        tally.notes.append(
            f"a user's median answer: quiet {quiet:.1f} ms, among {half_open} half-open connections {among:.1f} ms, "
            f"among as many and {flood} requests at once from another address {away:.1f} ms ({let_in:,} of {others:,} "
            f"answered), from his own, as through a proxy, {through:.1f} ms ({answered:,} of {sent:,} answered), "
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
