"""Charts over HTTP: the shipped ones, own ones, trees to be solved, lines as spots, pairs of ranges that are kept."""

from __future__ import annotations

import time

import pytest
from fastapi.testclient import TestClient

import runout
from runout.solvers.solved_leaf import shipped_charts


def test_shipped_charts_come_by_stack_and_own_ones_after_them(client: TestClient) -> None:
    found = client.get("/api/charts").json()
    assert [one["stack"] for one in found if one["shipped"]] == list(shipped_charts())
    assert [one["id"] for one in found if not one["shipped"]] == ["push-fold"]
    assert "charts/100bb" not in [one["id"] for one in client.get("/api/library").json()]


def test_a_chart_is_looked_at_practised_and_never_deleted(client: TestClient) -> None:
    node = client.get("/api/solutions/charts/100bb/node", params={"line": "SBr2.5 BBr10"}).json()
    chart = runout.open_chart(100)
    assert node["actions"][1]["frequency"] == pytest.approx(chart.at("SBr2.5 BBr10").frequencies[1], abs=1e-5)
    assert client.post("/api/practice", json={"solution": "charts/100bb"}).status_code == 200
    assert client.delete("/api/solutions/charts/100bb").status_code == 403
    assert client.get("/api/solutions/charts/99bb").status_code == 404
    assert client.get("/api/solutions/kuhn/situations").status_code == 422


def test_a_line_is_given_as_a_spot_that_checks(client: TestClient) -> None:
    line = {"line": "SBr2.5 BBr10 SBc", "board": "QsJh2h"}
    spot = client.get("/api/solutions/charts/100bb/spot", params=line).json()
    assert (spot["board"], spot["pot"], spot["stack"]) == ("Qs Jh 2h", 2000, 9000)
    assert client.post("/api/spots/check", json={"spot": spot}).json()["ok"]
    for bad in ({"line": "SBr2.5"}, {"line": "SBr7"}, {**line, "board": "QsQs2h"}):
        answer = client.get("/api/solutions/charts/100bb/spot", params=bad)
        assert answer.status_code == 422, bad


def test_a_tree_is_checked_solved_and_listed(client: TestClient) -> None:
    bad = {"stack_depth": 0, "raise_sizes": [["9z"]]}
    found = client.post("/api/preflop/check", json={"game": bad}).json()
    assert {one["field"] for one in found["errors"]} == {"stack_depth", "raise_sizes"}
    assert client.post("/api/preflop/solve", json={"game": bad}).status_code == 422
    endless = {"stack_depth": 1000, "raise_sizes": ["2x", "2.1x", "2.2x", "2.3x"]}
    (error,) = client.post("/api/preflop/check", json={"game": endless}).json()["errors"]
    assert error["field"] == "raise_sizes"
    game = {"name": "mine", "stack_depth": 12, "raise_sizes": [["2"], ["a"]], "solve": {"target": 5}}
    assert client.post("/api/preflop/check", json={"game": game}).json()["first"][-1] == "all-in 12"
    job = client.post("/api/preflop/solve", json={"game": game}).json()
    assert (job["unit"], job["target"], job["kind"]) == ("mbb/hand", 5, "preflop")
    for _ in range(1200):
        job = client.get(f"/api/jobs/{job['id']}").json()
        if job["state"] not in ("queued", "running"):
            break
        time.sleep(0.1)
    assert (job["state"], job["error"]) == ("done", None)
    assert job["exploitability"] <= 5
    assert next(one["title"] for one in client.get("/api/charts").json() if not one["shipped"]) == "mine, 12 bb"
    assert client.delete(f"/api/solutions/{job['solution']}").status_code == 204


def test_pairs_of_ranges_are_kept(client: TestClient) -> None:
    pair = {"oop": "QQ+,AKs:0.5", "ip": "99-22", "pot": 20.5, "stack": 90.0, "big_blind": 1.0, "positions": "BB, SB"}
    assert client.put("/api/setups/3-bet pot", json=pair).json() == {"3-bet pot": pair}
    assert client.get("/api/setups").json() == {"3-bet pot": pair}
    assert client.put("/api/setups/bad", json={**pair, "ip": "ZZ"}).json()["field"] == "ip"
    assert client.delete("/api/setups/3-bet pot").json() == {}
    assert client.delete("/api/setups/3-bet pot").status_code == 404
