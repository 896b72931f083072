"""The library over HTTP: folders, tags, several at once, one file out and in, files without rivers, what is shipped."""

from __future__ import annotations

import io
import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from reference.web import TURN
from runout.app.web.server import make_app
from runout.app.web.state import State


@pytest.fixture
def own(solutions: Path, tmp_path: Path) -> Iterator[TestClient]:
    """A server whose library may be changed."""
    for name in ("river", "turn", "kuhn"):
        shutil.copytree(solutions / name, tmp_path / "library" / name)
    with TestClient(make_app(State(tmp_path / "library")), base_url="http://127.0.0.1") as found:
        yield found


def rows(client: TestClient) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in client.get("/api/library").json()}


def tar_of(**files: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, body in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    return out.getvalue()


def test_several_are_moved_and_tagged_at_once(own: TestClient) -> None:
    own.put("/api/solutions/river/notes", json={"name": "mine", "notes": "n"})
    both = {"ids": ["river", "turn"]}
    assert own.post("/api/library/move", json={**both, "folder": " 3-bet pots / 100 bb/"}).status_code == 204
    assert own.post("/api/library/tag", json={**both, "tag": "blind"}).status_code == 204
    found = rows(own)
    assert [found[name]["folder"] for name in ("river", "turn", "kuhn")] == ["3-bet pots/100 bb"] * 2 + [""]
    assert (found["river"]["name"], found["river"]["tags"]) == ("mine", ["blind"])
    own.post("/api/library/tag", json={**both, "tag": "blind"})
    assert rows(own)["turn"]["tags"] == []  # all had it
    assert own.post("/api/library/move", json={"ids": ["river", "gone"], "folder": "x"}).status_code == 404
    assert rows(own)["river"]["folder"] == "3-bet pots/100 bb"


def test_one_file_goes_out_and_comes_in_the_same(own: TestClient, tmp_path: Path) -> None:
    own.put("/api/solutions/river/notes", json={"name": "mine", "folder": "f", "tags": ["t"]})
    answer = own.get("/api/archive", params={"id": ["river", "kuhn"]})
    assert 'filename="runout-2.runout.tar"' in answer.headers["content-disposition"]
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as tar:  # what any tar program sees
        assert {name.split("/")[0] for name in tar.getnames()} == {"river", "kuhn", "notes.json"}
    came = own.post("/api/import", content=answer.content)
    assert sorted(came.json()["ids"]) == ["kuhn-2", "river-2"]  # nothing is overwritten
    found = rows(own)
    assert (found["river-2"]["name"], found["river-2"]["folder"], found["river-2"]["tags"]) == ("mine", "f", ["t"])
    for file in (tmp_path / "library" / "river").iterdir():
        assert file.read_bytes() == (tmp_path / "library" / "river-2" / file.name).read_bytes()
    node = own.get("/api/solutions/river/node").json()
    assert own.get("/api/solutions/river-2/node").json() == node


def test_bad_files_are_refused_and_leave_nothing(own: TestClient, tmp_path: Path) -> None:
    before = rows(own).keys()
    good = own.get("/api/archive", params={"id": "river"}).content
    with tarfile.open(fileobj=io.BytesIO(good)) as tar:
        first = tar.getmembers()[0]
    broken = bytearray(good)
    broken[first.offset_data + first.size - 1] ^= 1
    linked = io.BytesIO()
    with tarfile.open(fileobj=linked, mode="w") as tar:
        info = tarfile.TarInfo("river/config.yaml")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)
    for body in (
        b"",
        b"no tar at all",
        bytes(broken),
        good[: len(good) // 2],
        linked.getvalue(),
        tar_of(**{"../x/meta.json": b"{}"}),
        tar_of(**{"a/b/meta.json": b"{}"}),
        tar_of(**{".hidden/meta.json": b"{}"}),
        tar_of(**{"x/meta.json": b"{}"}),
        tar_of(**{"notes.json": b"[]"}),
    ):
        answer = own.post("/api/import", content=body)
        assert answer.status_code == 422, body[:40]
        assert "\n" not in answer.json()["error"]
        assert str(tmp_path) not in answer.json()["error"]
    assert rows(own).keys() == before
    assert not list((tmp_path / "library").glob(".incoming*"))
    assert own.get("/api/archive", params={"id": "gone"}).status_code == 404


def test_rivers_are_left_out_of_a_file(own: TestClient, tmp_path: Path) -> None:
    before = rows(own)["turn"]
    node = own.get("/api/solutions/turn/node").json()
    assert before["rivers"]
    assert own.post("/api/solutions/turn/shrink").status_code == 204
    after = rows(own)["turn"]
    assert not after["rivers"]
    assert after["bytes"] < before["bytes"] / 3
    again = own.get("/api/solutions/turn/node").json()
    assert again["actions"][0]["frequency"] == pytest.approx(node["actions"][0]["frequency"], abs=1e-4)
    assert own.post("/api/solutions/kuhn/shrink").status_code == 403


def test_a_solve_is_saved_without_rivers(own: TestClient) -> None:
    job = own.post("/api/jobs", json={"spot": TURN, "name": "small", "rivers": False}).json()
    for _ in range(1800):
        job = own.get(f"/api/jobs/{job['id']}").json()
        if job["state"] not in ("queued", "running"):
            break
        time.sleep(0.1)
    assert (job["state"], job["error"]) == ("done", None)
    assert not rows(own)["small"]["rivers"]


def test_what_is_shipped_opens_and_cannot_be_deleted(own: TestClient) -> None:
    found = own.get("/api/ready").json()
    assert len(found) == 5  # three spots, two whole games
    for one in found:
        assert own.get(f"/api/solutions/{one['id']}/node").json()["kind"] == "decision"
        assert own.delete(f"/api/solutions/{one['id']}").status_code == 403
        assert one["id"] not in rows(own)


def test_only_so_much_stays_open(solutions: Path, tmp_path: Path) -> None:
    """Of three solutions the two that were looked at last; one that is larger than all room stays alone."""
    for name in ("a", "b", "c"):
        shutil.copytree(solutions / "river", tmp_path / "library" / name)
    size = sum(file.stat().st_size for file in (tmp_path / "library" / "a").iterdir())
    for room, kept in ((size * 5 // 2, {"b", "c"}), (size // 2, {"c"})):
        state = State(tmp_path / "library", memory=room)
        with TestClient(make_app(state), base_url="http://127.0.0.1") as client:
            for name in ("a", "b", "c"):
                assert client.get(f"/api/solutions/{name}/node").status_code == 200
        assert state.loaded.open == kept
