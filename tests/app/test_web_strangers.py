"""Half-open connections, floods and other strangers; what watches the server; and a way back for what was deleted."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from reference.web import RIVER, Server, wait_for
from runout.app.web import connections
from runout.app.web.errors import ApiError
from runout.app.web.security import Access
from runout.app.web.server import make_app
from runout.app.web.state import State
from runout.app.web.turns import Turns

RUNAWAY = {"flop": {"bet": "1c", "raise": "1c"}, "turn": {"bet": "1c"}, "river": {"bet": "1c"}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(State(tmp_path / "library")), base_url="http://127.0.0.1") as found:
        yield found


def test_half_open_connections_keep_nobody_out_and_are_closed(tmp_path: Path) -> None:
    with Server(tmp_path / "library", "--connections", "100") as server:
        place = urlsplit(server.address)
        assert place.hostname is not None
        assert place.port is not None
        half = []
        for _ in range(140):
            one = socket.create_connection((place.hostname, place.port))
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            half.append(one)
        for _ in range(5):
            assert server.client.get("/api/spots").status_code == 200
        metrics = server.client.get("/metrics").text
        open_now = int(metrics.partition("\nrunout_connections ")[2].partition("\n")[0])
        assert open_now <= 100
        assert int(metrics.partition("\nrunout_connections_closed_total ")[2].partition("\n")[0]) >= 40
        half[-1].settimeout(connections.ASK_SECONDS + 10)
        try:
            left = half[-1].recv(1)
        except ConnectionResetError:
            left = b""
        assert left == b"", "a connection that never asks is closed"
        for one in half:
            one.close()


def test_runaway_spots_are_refused_and_few_are_checked_at_once(client: TestClient) -> None:
    spot = RIVER | {"board": "Ts 9d 6h", "pot": 10, "stack": 100_000, "betting": RUNAWAY}
    answer = client.post("/api/spots/check", json={"spot": spot})
    assert answer.status_code == 200
    assert "the flop goes on for more than 200 bets and raises" in answer.json()["errors"][0]["message"]
    turns = Turns(1, 0, "spots are being checked")
    with turns, pytest.raises(ApiError, match="too many spots are being checked: try again") as refused:
        turns.__enter__()
    assert refused.value.status == 429
    with turns:
        pass


def test_health_asks_for_nothing_and_metrics_for_the_token(tmp_path: Path) -> None:
    token = "a-token-of-tests"
    app = make_app(State(tmp_path / "library"), Access("127.0.0.1", token, "solver.example.org"))
    with TestClient(app, base_url="http://solver.example.org") as client:
        assert client.get("/healthz").text == "ok\n"
        assert client.get("/healthz", headers={"host": "another.example"}).status_code == 200
        assert client.get("/metrics").status_code == 401
        assert client.get("/api/library", headers={"host": "another.example"}).status_code == 421
        client.headers["authorization"] = f"Bearer {token}"
        assert client.get("/api/library").json() == []
        lines = client.get("/metrics").text.splitlines()
    assert any(line.startswith('runout_answers_total{method="GET",status="401"} ') for line in lines)
    assert all(line.startswith(("#", "runout_")) for line in lines)
    with pytest.raises(ValueError, match="needs a token"):
        Access("127.0.0.1", None, "solver.example.org")


def test_requests_and_solves_are_logged_without_queries(client: TestClient, tmp_path: Path) -> None:
    client.get("/api/library", params={"token": "secret-in-a-query"})
    job = client.post("/api/jobs", json={"spot": RIVER}).json()["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] == "done")
    log = tmp_path / "library" / ".log"
    assert "GET /api/library 200 " in (log / "access.log").read_text()
    assert "secret-in-a-query" not in (log / "access.log").read_text()
    jobs = wait_for(lambda: [line for line in (log / "jobs.log").read_text().splitlines() if " done " in line])
    assert job in jobs[-1]

    name = client.get(f"/api/jobs/{job}").json()["solution"]
    assert client.delete(f"/api/solutions/{name}").status_code == 204
    assert client.get(f"/api/solutions/{name}").status_code == 404
    assert client.post(f"/api/solutions/{name}/restore").json() == {"id": name}
    assert client.get(f"/api/solutions/{name}").status_code == 200
    assert client.post(f"/api/solutions/{name}/restore").status_code == 404
    client.delete(f"/api/solutions/{name}")
    [kept] = (tmp_path / "library" / ".deleted").iterdir()
    kept.rename(kept.with_name(f"{int(time.time()) - 90_000}-{kept.name.split('-', 1)[1]}"))
    assert client.get("/api/library").json() == []
    client.app.state.runout.library.empty_bin()  # type: ignore[attr-defined]
    assert client.post(f"/api/solutions/{name}/restore").status_code == 404


def test_a_flood_of_messages_is_cut_short() -> None:
    import logging

    quiet = connections.Quiet(each_minute=3)
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "Invalid HTTP request received.", (), None)
    assert [quiet.filter(record) for _ in range(6)] == [True] * 3 + [False] * 3
    quiet._until = 0.0
    assert quiet.filter(record)
    assert "3 more messages" in record.getMessage()
