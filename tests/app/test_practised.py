"""What was practised is kept, summed up and repeated."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from reference.web import RIVER
from runout.app.practised import FILE, PracticeLog
from runout.app.web.server import make_app
from runout.app.web.state import State
from runout.explorers.practice import Graded, Mix
from runout.games.spot import Spot
from runout.run.postflop import solve

MIX = (Mix("x", "check", "check", 0.0, 0.2, 1.0), Mix("b5", "bet 5", "bet", 0.5, 0.8, 3.0))
BLUNDER = Graded("x", MIX, 2.0, "blunder", "chips", 10.0, 2.0, "", "river", "AsKh", "ace high")


def test_losses_are_summed_in_blinds_and_pots_and_mistakes_are_struck_when_made_good(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path)
    log.add("one", "oop", BLUNDER)
    log.add("one", "oop", replace(BLUNDER, hand="QsQh", category="set", ev_lost=0.0, grade="best"))
    log.add("two", "ip", replace(BLUNDER, line="x", street="turn", big_blind=None))
    (river,) = log.sums("street", "one")
    assert (river.name, river.decisions, river.mistakes) == ("river", 2, 1)
    assert (river.lost_bb, river.lost_pot) == (
        pytest.approx(0.5),
        pytest.approx(0.1),
    )  # 2 of 2 and of 10, half the time
    assert {one.name for one in log.sums("street")} == {"river", "turn"}
    assert [one.name for one in log.sums("hand", "one")] == ["ace high", "set"]
    assert len(log.sums("day")) == 1
    (mistake,) = PracticeLog(tmp_path).mistakes("one")  # as a server that was started again sees it
    assert (mistake.hand, mistake.best, mistake.lost_bb) == ("AsKh", "bet 5", 1.0)
    log.add("one", "oop", replace(BLUNDER, action="b5", ev_lost=0.0, grade="best"))
    assert not log.mistakes("one")
    assert len(log.mistakes()) == 1


def test_sessions_are_told_apart_and_older_files_are_taken_up(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path)
    log.add("one", "oop", BLUNDER)
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:  # as it was before sessions were kept
        file.execute("ALTER TABLE decisions DROP COLUMN session")
    for session in ("a", "a", "b"):
        log.add("one", "oop", replace(BLUNDER, grade="best", ev_lost=0.0, hand="2c2d"), session)
    assert [(one.decisions, one.mistakes) for one in log.sums("session", "one")] == [(1, 1), (2, 0), (1, 0)]
    assert sum(one.decisions for one in log.sums("day")) == 4


def test_a_damaged_history_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    log = PracticeLog(tmp_path)
    log.add("one", "oop", BLUNDER)
    assert len(log.mistakes()) == 1
    assert (tmp_path / FILE).with_suffix(".damaged").exists()


def test_drills_history_and_repeats_over_http(tmp_path: Path) -> None:
    solve(Spot(**RIVER), output=tmp_path / "library" / "river")
    with TestClient(make_app(State(tmp_path / "library")), base_url="http://127.0.0.1") as client:
        body = {"solution": "river", "seed": 3, "seat": "oop", "single": True, "hands": "22+,A2+,K2+,Q2+"}
        table = client.post("/api/practice", json=body).json()
        assert (table["seats"], table["streets"]) == (["oop", "ip"], ["river"])
        for _ in range(12):
            worst = min(table["actions"], key=lambda one: one["size"])["token"]
            table = client.post(f"/api/practice/{table['id']}/act", json={"action": worst}).json()
            table = client.post(f"/api/practice/{table['id']}/next").json()
        found = client.get("/api/practice/history", params={"solution": "river"}).json()
        assert found["streets"][0]["decisions"] == 12
        assert sum(row["decisions"] for row in found["hands"]) == 12
        for mistake in found["mistakes"]:
            again = client.post(
                f"/api/practice/{table['id']}/again", json={"line": mistake["line"], "hand": mistake["hand"]}
            ).json()
            assert (again["line"], again["hand"]) == (mistake["line"], mistake["hand"])
        assert client.post("/api/practice", json=body | {"streets": ["flop"]}).status_code == 422
