"""Solves over HTTP: queued, watched, paused, resumed, stopped, locked; killed with the server and taken up again."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from reference.web import LONG, RIVER, Server, job_in, wait_for
from runout.app.web.job_record import MOST_POINTS
from runout.cursors.spot_solution import load_postflop
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.solutions.format import read_bundle


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, solutions: Path) -> Iterator[Server]:
    library = tmp_path_factory.mktemp("jobs")
    shutil.copytree(solutions / "river", library / "river")
    with Server(library) as found:
        yield found


def add(client: httpx.Client, spot: dict[str, Any], name: str | None = None) -> Any:
    answer = client.post("/api/jobs", json={"spot": spot, "name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def events_until(client: httpx.Client, job: str, state: str, begin: Any) -> list[dict[str, Any]]:
    """What is told of a job from the time of listening on."""
    found = []
    with client.stream("GET", "/api/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("retry"):
                begin()
            if not line.startswith("data: "):
                continue
            event = json.loads(line.removeprefix("data: "))
            if event["type"] == "library" or event["job"]["id"] == job:
                found.append(event)
            if event["type"] == "job" and event["job"]["id"] == job and event["job"]["state"] == state:
                break
    return found


def test_a_solve_is_the_same_as_by_the_command_line(server: Server, solutions: Path) -> None:
    job = add(server.client, RIVER)
    done = job_in(server.client, job["id"], "done", "failed")
    assert done["state"] == "done", done
    assert done["exploitability"] <= done["target"] == 0.5
    assert [point[0] for point in done["curve"]] == sorted(point[0] for point in done["curve"])
    entry = next(row for row in server.client.get("/api/library").json() if row["id"] == done["solution"])
    assert entry["iterations"] == done["iteration"]
    node = server.client.get(f"/api/solutions/{done['solution']}/node").json()
    assert node["evs"] == pytest.approx(load_postflop(solutions / "river").root.evs, abs=1e-4)


def test_pause_resume_and_stop_keep_what_is_solved(server: Server) -> None:
    client = server.client
    job = add(client, LONG, "Long one")["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["iteration"] > 100)
    assert client.post(f"/api/jobs/{job}/pause").json()["asked"] == "pause"
    paused = job_in(client, job, "paused")
    assert paused["solution"] == "long-one"
    saved = client.get("/api/solutions/long-one").json()
    assert saved["iterations"] == paused["iteration"]
    assert client.post(f"/api/jobs/{job}/pause").json()["state"] == "paused"

    events = events_until(client, job, "running", lambda: client.post(f"/api/jobs/{job}/resume"))
    assert events[-1]["job"]["state"] == "running"
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["iteration"] > paused["iteration"] + 100)
    assert client.get("/api/library").json()[0]["job"] == job
    assert client.delete("/api/solutions/long-one").status_code == 409
    client.post(f"/api/jobs/{job}/stop")
    stopped = job_in(client, job, "stopped")
    assert stopped["iteration"] > paused["iteration"]
    assert stopped["curve"][0] == paused["curve"][0]
    iterations = [point[0] for point in stopped["curve"]]
    assert iterations == sorted(set(iterations))
    assert len(iterations) <= MOST_POINTS
    assert client.post(f"/api/jobs/{job}/pause").status_code == 409
    assert client.delete("/api/solutions/long-one").status_code == 204
    assert client.get(f"/api/jobs/{job}").status_code == 404


def test_a_finished_solution_is_gone_on_with(server: Server) -> None:
    client = server.client
    done = job_in(client, add(client, RIVER, "Go on")["id"], "done", "failed")
    before = client.get("/api/solutions/go-on").json()
    assert client.post("/api/solutions/go-on/resume", json={"target": 50}).json()["field"] == "target"
    answer = client.post("/api/solutions/go-on/resume", json={"target": done["exploitability"] / 4})
    assert answer.status_code == 200, answer.text
    job = answer.json()
    assert (job["solution"], job["iteration"]) == ("go-on", before["iterations"])
    again = job_in(client, job["id"], "done", "failed")
    assert again["state"] == "done", again
    assert again["exploitability"] <= done["exploitability"] / 4
    assert again["curve"][: len(done["curve"])] == done["curve"]
    after = client.get("/api/solutions/go-on").json()
    assert after["iterations"] == again["iteration"] > before["iterations"]
    assert after["exploitability"] == pytest.approx(again["exploitability"], abs=1e-5)


def test_only_one_job_goes_on_with_a_solution(server: Server) -> None:
    client = server.client
    job_in(client, add(client, RIVER, "Once")["id"], "done", "failed")
    job = client.post("/api/solutions/once/resume", json={"target": 0}).json()["id"]
    again = client.post("/api/solutions/once/resume", json={"target": 0})
    client.post(f"/api/jobs/{job}/stop")
    job_in(client, job, "stopped", "done")
    assert again.status_code == 409
    assert client.post("/api/solutions/nothing/resume", json={"target": 0}).status_code == 404


def test_the_queue_is_limited_and_runs_one_at_a_time(server: Server) -> None:
    client = server.client
    jobs = [add(client, LONG, f"q{number}")["id"] for number in range(9)]
    assert client.post("/api/jobs", json={"spot": LONG}).status_code == 429
    states = {row["id"]: row["state"] for row in client.get("/api/jobs").json()}
    assert [states[job] for job in jobs] == ["running"] + ["queued"] * 8
    assert client.post(f"/api/jobs/{jobs[2]}/pause").json()["state"] == "paused"
    for job in jobs[1:]:
        assert client.post(f"/api/jobs/{job}/stop").json()["state"] == "stopped"
    client.post(f"/api/jobs/{jobs[0]}/stop")
    job_in(client, jobs[0], "stopped")


def test_a_resumed_job_waits_behind_those_that_were_there(server: Server) -> None:
    client = server.client
    running, first, second = (add(client, LONG, f"w{number}")["id"] for number in range(3))
    client.post(f"/api/jobs/{first}/pause")
    client.post(f"/api/jobs/{first}/resume")
    client.post(f"/api/jobs/{running}/stop")
    job_in(client, second, "running")
    assert client.get(f"/api/jobs/{first}").json()["state"] == "queued"
    for job in (first, second):
        client.post(f"/api/jobs/{job}/stop")
    job_in(client, second, "stopped")


def test_a_locked_node_is_solved_again(server: Server) -> None:
    client = server.client
    node = client.get("/api/solutions/river/node").json()
    bet = node["actions"][1]["token"]
    body = {"line": "", "strategy": {"*": {"x": 1.0}, "AsAh": {"x": 0.333, bet: 0.666}}}
    job = client.post("/api/solutions/river/lock", json=body)
    assert job.status_code == 200, job.text
    done = job_in(client, job.json()["id"], "done", "failed")
    locked = client.get(f"/api/solutions/{done['solution']}/node").json()
    hands = locked["hands"][0]
    bets = dict(zip(hands["names"], hands["strategy"][1], strict=True))
    assert locked["locked"]
    assert bets.pop("AsAh") == pytest.approx(2 / 3, abs=1e-3)
    assert max(bets.values()) == 0
    bad = client.post("/api/solutions/river/lock", json={"line": "x-b7", "strategy": {"*": {"x": 1}}})
    assert (bad.status_code, bad.json()["field"]) == (422, "spot.locks.0")
    bad = client.post("/api/solutions/river/lock", json={"line": "", "strategy": {"*": {"x": 0.5}}})
    assert bad.status_code == 422


def test_a_crash_of_a_solve_harms_nobody_else(server: Server) -> None:
    client = server.client
    job = add(client, LONG, "crash")["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["iteration"] > 0)
    (worker,) = children(server.process.pid)
    os.kill(worker, signal.SIGKILL)
    failed = job_in(client, job, "failed")
    assert "signal 9" in failed["error"]
    after = add(client, RIVER, "after")["id"]
    assert job_in(client, after, "done", "failed")["state"] == "done"


def test_a_killed_server_loses_nothing_and_its_solves_go_on(tmp_path: Path, solutions: Path) -> None:
    shutil.copytree(solutions / "river", tmp_path / "river")
    first = Server(tmp_path)
    job = add(first.client, LONG, "long")["id"]
    waiting = add(first.client, RIVER, "waiting")["id"]
    wait_for(lambda: first.client.get(f"/api/jobs/{job}").json()["iteration"] > 100)
    reached = first.client.get(f"/api/jobs/{job}").json()["iteration"]
    first.kill()
    with Server(tmp_path) as second:  # at once, while the solve of the first may still be saving
        client = second.client
        wait_for(lambda: client.get(f"/api/jobs/{job}").json()["iteration"] > reached)
        running = client.get(f"/api/jobs/{job}").json()
        assert running["state"] == "running"
        assert running["curve"][0][0] == 10  # with what was measured before
        assert client.get(f"/api/jobs/{waiting}").json()["state"] == "queued"
        client.post(f"/api/jobs/{job}/stop")
        job_in(client, job, "stopped")
        assert job_in(client, waiting, "done", "failed")["state"] == "done"
    for name in ("river", "long", "waiting"):
        read_bundle(tmp_path / name)
    assert load_postflop(tmp_path / "long").iterations > reached


def test_ctrl_c_saves_and_the_next_server_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    spot = RIVER | {"solve": {"target": 0.0, "iterations": 5_000, "threads": 1}}
    first = Server(tmp_path)
    job = add(first.client, spot, "river")["id"]
    wait_for(lambda: first.client.get(f"/api/jobs/{job}").json()["iteration"] > 0)
    assert first.end() == 0
    stopped_at = load_postflop(tmp_path / "river").iterations
    assert json.loads((tmp_path / ".jobs" / f"{job}.json").read_text())["state"] in ("running", "done")
    with Server(tmp_path) as second:
        job_in(second.client, job, "done")
    found, whole = load_postflop(tmp_path / "river"), solve(Spot(**spot))
    assert 0 < stopped_at <= found.iterations == whole.iterations == 5_000
    assert found.exploitability == whole.exploitability


def test_strange_files_in_the_library_are_left_alone(tmp_path: Path) -> None:
    jobs = tmp_path / ".jobs"
    jobs.mkdir()
    (jobs / "j000000000000.json").write_text("{")
    (jobs / "jother.json").write_text("[]")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    with Server(tmp_path) as server:
        assert server.client.get("/api/jobs").json() == []
        assert server.client.get("/api/library").json() == []
        done = job_in(server.client, add(server.client, RIVER, "empty")["id"], "done", "failed")
        assert done["solution"] == "empty-2"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def children(parent: int) -> list[int]:
    """Processes that a process started and that run still."""
    found = Path(f"/proc/{parent}/task/{parent}/children")
    if found.exists():
        pids = [
            int(pid)
            for task in Path(f"/proc/{parent}/task").iterdir()
            for pid in (task / "children").read_text().split()
        ]
        return [pid for pid in pids if "runout.app.web.worker" in Path(f"/proc/{pid}/cmdline").read_text()]
    pytest.skip("this system does not list children")
