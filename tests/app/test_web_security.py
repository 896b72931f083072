"""What must not get in: other sites and hosts, huge or broken bodies, paths out of the library; and what must go on."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from reference.web import RIVER, Server
from runout.app.web.events import MOST_LISTENERS, Events
from runout.app.web.jobs import Jobs
from runout.app.web.library import Library
from runout.app.web.security import Access
from runout.app.web.server import make_app
from runout.app.web.state import State
from runout.errors import InputError
from runout.games.spot import Spot

TOKEN = "a-token-of-tests"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[TestClient]:
    """A server for other machines, behind a token."""
    app = make_app(State(tmp_path / "library"), Access("0.0.0.0", TOKEN))
    with TestClient(app, base_url="http://poker.example", follow_redirects=False) as found:
        yield found


TRAVERSALS = [
    "../river", "..%2f..%2fetc%2fpasswd", "%2e%2e%2fsecret", "%252e%252e%252fsecret", "....//secret", "/etc/passwd",
    "%2fetc%2fpasswd", "river/../../secret", "river%2f..%2f..%2fsecret", "..\\secret", "%5c..%5csecret", ".jobs",
    ".ranges.json", "river%00", "river%2f.", "~root", "file:%2f%2f%2fetc", "a" * 5000, "%ff%fe", "\u202e",
]  # fmt: skip


@pytest.mark.parametrize("name", TRAVERSALS)
@pytest.mark.parametrize("end", ["", "/node", "/csv", "/graph"])
def test_no_path_leads_out_of_the_library(client: TestClient, name: str, end: str) -> None:
    answer = client.get(f"/api/solutions/{name}{end}")
    assert 400 <= answer.status_code < 500, answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("name", TRAVERSALS)
def test_nothing_outside_can_be_deleted_run_or_served(client: TestClient, name: str) -> None:
    assert 400 <= client.delete(f"/api/solutions/{name}").status_code < 500
    assert 400 <= client.get(f"/api/runs/{name}/metrics").status_code < 500
    answer = client.get(f"/static/{name}")
    assert 400 <= answer.status_code < 500
    assert "root:" not in answer.text


def test_links_out_of_the_library_are_refused(solutions: Path, tmp_path: Path) -> None:
    library, outside = tmp_path / "library", tmp_path / "outside"
    shutil.copytree(solutions / "river", outside)
    shutil.copytree(solutions / "river", library / "inside")
    (library / "linked").symlink_to(outside)
    (library / "again").symlink_to("inside")
    (library / "inside" / "notes.txt").symlink_to(outside / "config.yaml")
    (library / "runs").mkdir()
    (library / "runs" / "linked").symlink_to(outside)
    with TestClient(make_app(State(library)), base_url="http://127.0.0.1") as client:
        assert client.get("/api/library").json() == []
        assert client.get("/api/runs").json() == []
        for name in ("linked", "inside", "again", "runs/linked"):
            assert client.get(f"/api/solutions/{name}").status_code == 403
        assert client.delete("/api/solutions/linked").status_code == 403
        (library / "inside" / "notes.txt").unlink()
        assert client.get("/api/solutions/again").status_code == 200
        assert client.delete("/api/solutions/again").status_code == 403
        assert client.delete("/api/solutions/inside").status_code == 204
    assert (outside / "meta.json").exists()


def test_solutions_from_elsewhere_are_opened_and_never_deleted(solutions: Path, tmp_path: Path) -> None:
    copy = tmp_path / "my solution"
    shutil.copytree(solutions / "river", copy)
    opened = [copy, solutions / "river", solutions / "river", solutions / "runs" / "k"]
    with TestClient(make_app(State(tmp_path / "library", opened)), base_url="http://127.0.0.1") as client:
        rows = {row["id"]: row["kind"] for row in client.get("/api/library").json()}
        assert rows == dict.fromkeys(["open/my-solution", "open/river", "open/river-2"], "postflop") | {
            "open/k": "tabular"
        }
        assert client.get("/api/solutions/open/my-solution/node").status_code == 200
        assert client.delete("/api/solutions/open/my-solution").status_code == 403
        assert client.post("/api/solutions/open/my-solution/resume", json={"target": 0}).status_code == 403
        assert (copy / "meta.json").exists()
        shutil.rmtree(copy)  # by hand, while the server runs
        assert client.get("/api/solutions/open/my-solution/node").status_code == 404
        assert "open/my-solution" not in {row["id"] for row in client.get("/api/library").json()}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8470", "127.0.0.1.evil.example", "", "[::2]:80"])
def test_other_names_for_this_machine_are_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/library", headers={"host": host})
    assert answer.status_code == 421
    assert set(answer.json()) == {"error", "field"}


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8470", "[::1]:8470", "LOCALHOST:1"])
def test_names_of_this_machine_are_taken(client: TestClient, host: str) -> None:
    assert client.get("/api/classes", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9", "https://127.0.0.1.evil.example", "http://["]
)
def test_pages_of_other_sites_are_refused(client: TestClient, origin: str) -> None:
    answer = client.post("/api/jobs", json={"spot": RIVER}, headers={"origin": origin})
    assert answer.status_code == 403
    assert client.get("/api/jobs").json() == []
    assert client.get("/api/library", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/api/library", headers={"origin": "http://127.0.0.1"}).status_code == 200


def test_a_form_cannot_post(client: TestClient) -> None:
    body = json.dumps({"text": "AA"})
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        assert client.post("/api/ranges/parse", content=body, headers={"content-type": kind}).status_code == 422


def test_every_response_has_a_strict_policy(client: TestClient) -> None:
    for path in ("/", "/api/classes", "/static/nothing", "/api/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_a_token_is_needed_by_other_machines(guarded: TestClient) -> None:
    assert guarded.get("/").status_code == 401
    assert guarded.get("/api/library").status_code == 401
    assert guarded.get("/api/library?token=wrong").status_code == 401
    assert guarded.get("/api/library", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert guarded.get("/api/library", headers={"authorization": "Bearer \u00fc".encode("latin-1")}).status_code == 401
    assert guarded.get("/api/library", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert guarded.get("/api/library", headers={"cookie": "runout_token=; \x7f==;;"}).status_code == 401


def test_a_token_moves_from_the_address_to_a_cookie(guarded: TestClient) -> None:
    moved = guarded.get(f"/?a=1&token={TOKEN}")
    assert moved.status_code == 303
    assert moved.headers["location"] == "/?a=1"
    cookie = moved.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guarded.get("/api/library").status_code == 200
    away = guarded.get(f"//evil.example/?token={TOKEN}")
    assert not away.headers.get("location", "/").startswith("//")


def test_a_server_for_others_has_a_token() -> None:
    with pytest.raises(ValueError, match="token"):
        Access("0.0.0.0")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"", 422),
        (b"[]", 422),
        (b"nothing", 422),
        (b'{"text": 3}', 422),
        (b'{"text": "AA", "more": 1}', 422),
        (b'{"text": "' + b"A" * 50_000 + b'"}', 422),
        (b"[" * 100_000, 400),
        (b'{"text": ' + b"9" * 5000 + b"}", 400),
        (b'\xff\xfe{"', 422),
        (b'{"text": "' + b"A" * 1_100_000 + b'"}', 413),
    ],
)
def test_bad_bodies_get_one_line(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post("/api/ranges/parse", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error", "field"}
    assert "\n" not in answer.json()["error"]


def test_a_body_without_a_length_is_measured_on_the_way(client: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 50_000

    answer = client.post("/api/ranges/parse", content=parts(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize("spot", [{}, {"board": 3}, {"pot": 10**400}, {"locks": "x"}, {"betting": {"flop": []}}])
def test_strange_spots_are_answered(client: TestClient, spot: dict) -> None:
    answer = client.post("/api/spots/check", json={"spot": RIVER | spot})
    assert answer.status_code == 200
    assert client.post("/api/jobs", json={"spot": RIVER | {"pot": 10**400}}).status_code == 422


@pytest.mark.parametrize("settings", [{"threads": 10**9}, {"iterations": 10**30}, {"target": 1e999}, {"threads": -1}])
def test_solves_that_would_take_the_machine_are_refused(client: TestClient, settings: dict) -> None:
    body = json.dumps({"spot": RIVER | {"solve": settings}})
    answer = client.post("/api/jobs", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["field"] == f"spot.solve.{next(iter(settings))}"


def test_what_is_said_of_long_input_is_short(client: TestClient) -> None:
    for line in ("b" + "9" * 1900, "x-" * 900, "x|" + "A" * 1900):
        answer = client.get("/api/solutions/river/node", params={"line": line})
        assert answer.status_code == 422
        assert len(answer.text) < 1000
    locked = RIVER | {"locks": [{"line": "x" * 100_000, "strategy": {"c": 1}}], "y" * 10_000: 1}
    assert len(client.post("/api/spots/check", json={"spot": locked}).text) < 3000


def test_no_job_has_more_threads_than_there_are_cores(tmp_path: Path) -> None:
    jobs = Jobs(Library(tmp_path), Events())
    jobs._closing = True  # nothing starts
    jobs.add(Spot(**RIVER | {"solve": {"threads": 1000}}))
    (file,) = jobs.folder.glob("j*.json")
    assert json.loads(file.read_text())["spot"]["solve"]["threads"] <= (os.cpu_count() or 1)
    jobs.close()


def test_a_tree_without_end_is_refused(client: TestClient) -> None:
    sizes = {"bet": "10%, 20%, 30%, 40%, 50%", "raise": "2x, 3x, 4x"}
    spot = RIVER | {"board": "Qs Jh 2h", "stack": 10**6, "betting": dict.fromkeys(("flop", "turn", "river"), sizes)}
    answer = client.post("/api/spots/check", json={"spot": spot}).json()
    assert answer["errors"][0]["field"] == "betting"


def test_one_server_a_library(tmp_path: Path) -> None:
    first = State(tmp_path)
    with pytest.raises(InputError, match="another `runout web`"):
        State(tmp_path)
    first.close()
    State(tmp_path).close()


def test_paths_that_no_client_has_cleaned(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = httpx.URL(server.address)
        for path in (
            "/static/..",
            "/static/../../../../../../etc/passwd",
            "/api/solutions/../../../etc/passwd",
            "/..",
            "*",
        ):
            connection = http.client.HTTPConnection(host.host, host.port or 80)
            connection.putrequest("GET", path, skip_host=False)
            connection.endheaders()
            answer = connection.getresponse()
            assert 400 <= answer.status < 500, path
            assert b"root:" not in answer.read()
            connection.close()


def test_a_thousand_requests_at_once(solutions: Path, tmp_path: Path) -> None:
    shutil.copytree(solutions / "river", tmp_path / "river")
    paths = ["/api/library", "/api/solutions/river/node?line=x", "/api/solutions/nothing", "/api/jobs", "/"]

    async def ask(address: str) -> list[int]:
        limits = httpx.Limits(max_connections=1000)
        async with httpx.AsyncClient(base_url=address, timeout=300, limits=limits) as client:
            answers = await asyncio.gather(*(client.get(paths[i % len(paths)]) for i in range(1000)))
        return [answer.status_code for answer in answers]

    with Server(tmp_path) as server:
        statuses = asyncio.run(ask(server.address))
        assert set(statuses) == {200, 404}
        assert statuses.count(404) == 200
        assert server.client.get("/api/library").status_code == 200


def test_listeners_are_limited_and_do_not_keep_the_server_up(tmp_path: Path) -> None:
    async def listen(address: str) -> list[int]:
        async with httpx.AsyncClient(base_url=address, timeout=300) as client:
            streams = [client.send(client.build_request("GET", "/api/events"), stream=True) for _ in range(40)]
            answers = await asyncio.gather(*streams)
            return [answer.status_code for answer in answers]

    with Server(tmp_path) as server:
        statuses = asyncio.run(listen(server.address))
        assert statuses.count(200) == MOST_LISTENERS
        assert statuses.count(429) == 40 - MOST_LISTENERS
        assert server.client.get("/api/classes").status_code == 200
        assert server.end() == 0
