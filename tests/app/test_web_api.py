"""The API as pages use it: every answer fits its model and agrees with what the Python API says."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from reference import played_hands as samples
from reference.web import RIVER
from runout.app.web import models
from runout.app.web.plain import plain
from runout.app.web.schemas import model_of
from runout.app.web.server import STATIC
from runout.app.words import spot_details
from runout.cards.ranges import Range
from runout.cursors.spot_solution import load_postflop
from runout.cursors.view import NodeView, Summary
from runout.explorers.node_reports import CategoryRow, CommonLine, Runout
from runout.games.spot import Spot

KINDS = {"river": "postflop", "turn": "postflop", "push-fold": "preflop", "kuhn": "tabular"}


def found(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_library_says_what_tells_spots_apart(client: TestClient) -> None:
    details = {row["id"]: row["details"] for row in found(client, "/api/library")}
    assert (details["turn"], details["river"], details["kuhn"]) == ("turn 50% · river 50%", "river 50%", "")
    changed = Spot(**RIVER, positions=["BB", "Btn"]).replace(betting={"river": {"bet": "33%", "ip": {"bet": ""}}})
    told = spot_details(changed.lock("x", {"x": 1.0}).model_dump(mode="json", by_alias=True))
    assert told == "BB and BTN · river 33% and no bets · 1 lock"


def test_the_library_lists_every_kind(client: TestClient) -> None:
    rows = [models.Entry.model_validate(row) for row in found(client, "/api/library")]
    assert {row.id: row.kind for row in rows} == KINDS
    river = next(row for row in rows if row.id == "river")
    assert river.title == "QsJh2h3c7d, pot 100, stack 200"
    assert river.exploitability is not None
    assert river.exploitability <= 0.5
    assert (river.unit, river.job) == ("% of the pot", None)


@pytest.mark.parametrize("name", [*KINDS, "runs/k/checkpoint_20", "runs/k"])
def test_every_kind_opens_and_fits_the_models(client: TestClient, name: str) -> None:
    model_of(Summary).model_validate(found(client, f"/api/solutions/{name}"))
    root = model_of(NodeView).model_validate(found(client, f"/api/solutions/{name}/node"))
    assert root.line == ""
    for hands in root.hands:
        assert len(hands.names) == len(hands.weight) == len(hands.ev) == len(hands.cell)
        assert all(len(row) == len(hands.names) for row in hands.strategy)
    after = found(client, f"/api/solutions/{name}/node", line=root.actions[0].token)
    assert [step["line"] for step in after["strip"]] == ["", after["line"]]
    for rows, model in (("lines", model_of(CommonLine)), ("graph", None)):
        answer = found(client, f"/api/solutions/{name}/{rows}")
        if model is None:
            models.Graph.model_validate(answer)
        else:
            assert abs(sum(model.model_validate(row).share or 0 for row in answer) - 1) < 1e-3


def test_a_node_says_what_the_cursor_says(client: TestClient, solutions: Path) -> None:
    cursor = load_postflop(solutions / "river").at("x")
    node = found(client, "/api/solutions/river/node", line="x")
    assert node["player"] == cursor.player
    assert [action["name"] for action in node["actions"]] == cursor.actions
    assert [action["frequency"] for action in node["actions"]] == pytest.approx(cursor.frequencies, abs=1e-5)
    assert node["evs"] == pytest.approx(cursor.evs, abs=1e-4)
    hands = node["hands"][node["players"].index(node["player"])]
    at = hands["names"].index("JsJd")
    mix = [row[at] for row in hands["strategy"]]
    assert mix == pytest.approx(list(cursor.strategy("JsJd").values()), abs=1e-5)
    assert hands["ev"][at] == pytest.approx(cursor.ev("JsJd"), abs=1e-4)


def test_numbers_that_are_not_known_are_null(client: TestClient) -> None:
    answer = client.get("/api/solutions/river/node", params={"line": "x-x"})
    assert answer.json()["kind"] == "terminal"
    assert "NaN" not in answer.text
    assert "Infinity" not in answer.text


def test_small_numbers_keep_their_digits() -> None:
    assert plain([5.8424634e-08, 0.0, 123.45678912, 0.0123456789]) == [5.84246e-08, 0.0, 123.456789, 0.0123457]


def test_the_graph_rises_to_the_whole_range(client: TestClient) -> None:
    graph = found(client, "/api/solutions/turn/graph")
    assert graph["players"] == ["oop", "ip"]
    for curve in graph["curves"]:
        assert curve[-1][0] == pytest.approx(1)
        assert curve == sorted(curve)
        assert [point[1] for point in curve] == sorted(point[1] for point in curve)


def test_runouts_share_out_all_cards(client: TestClient) -> None:
    rows = [model_of(Runout).model_validate(row) for row in found(client, "/api/solutions/turn/runouts", line="x-x")]
    assert len(rows) == 48
    assert sum(row.share or 0 for row in rows) == pytest.approx(1, abs=1e-4)
    assert client.get("/api/solutions/turn/runouts").status_code == 422


def test_categories_share_out_the_range(client: TestClient) -> None:
    rows = found(client, "/api/solutions/turn/breakdown", player="ip")
    assert sum(model_of(CategoryRow).model_validate(row).share or 0 for row in rows) == pytest.approx(1, abs=1e-4)


def test_the_table_comes_as_csv(client: TestClient) -> None:
    answer = client.get("/api/solutions/river/csv", params={"line": "x", "player": "ip"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    node = found(client, "/api/solutions/river/node", line="x")
    assert [row["hand"] for row in rows] == node["hands"][1]["names"]
    assert float(rows[0]["check"]) == pytest.approx(node["hands"][1]["strategy"][0][0], abs=1e-6)


@pytest.mark.parametrize("text", ["QQ+,AKs:0.5", "22+", "top 15%", "AsKh,AK", ""])
def test_ranges_round_trip(client: TestClient, text: str) -> None:
    answer = client.post("/api/ranges/parse", json={"text": text}).json()
    expected = Range(text) if text else Range({})
    assert answer["combos"] == expected.weights.tolist()
    assert answer["count"] == pytest.approx(expected.combos(), abs=1e-3)
    assert Range(answer["text"]) == expected if text else answer["text"] == ""
    again = client.post("/api/ranges/format", json={"weights": answer["weights"]}).json()
    assert again["count"] == pytest.approx(answer["count"], abs=1e-3)


def test_the_top_of_all_hands(client: TestClient) -> None:
    assert sum(found(client, "/api/ranges/top", percent=100)["weights"]) == 169
    assert sum(found(client, "/api/ranges/top", percent=0)["weights"]) == 0
    assert found(client, "/api/ranges/top", percent=0.45)["text"].startswith("AA")


def test_saved_ranges_are_kept(client: TestClient) -> None:
    assert client.put("/api/ranges/saved/button open", json={"text": "22+, AK"}).status_code == 200
    assert found(client, "/api/ranges/saved")["button open"] == str(Range("22+,AK"))
    assert found(client, "/api/ranges/saved/button open")["count"] == 94
    assert client.delete("/api/ranges/saved/button open").json() == {}
    assert client.delete("/api/ranges/saved/button open").status_code == 404
    assert client.put("/api/ranges/saved/x", json={"text": "ZZ"}).json()["field"] == "text"


def test_cards_are_read_as_people_paste_them(client: TestClient) -> None:
    assert client.post("/api/cards/parse", json={"text": "[Ah Kd 10c]"}).json() == {"cards": ["Ah", "Kd", "Tc"]}
    assert client.post("/api/cards/parse", json={"text": "AhAh"}).status_code == 422


def test_classes_hold_every_combo_once(client: TestClient) -> None:
    classes = found(client, "/api/classes")
    assert classes["names"][classes["matrix"][0][1]] == "AKs"
    assert len({name for combos in classes["combos"] for name in combos}) == 1326


def test_example_spots_can_be_solved(client: TestClient) -> None:
    for example in found(client, "/api/spots"):
        checked = client.post("/api/spots/check", json={"spot": yaml.safe_load(example["yaml"])}).json()
        assert checked["ok"], example["name"]
        assert checked["nodes"] > 0


def test_a_spot_is_checked_part_by_part(client: TestClient) -> None:
    bad = RIVER | {"pot": "x", "ranges": {"oop": "ZZ", "ip": "AA"}, "betting": {"river": {"bet": "52p"}}, "stak": 3}
    answer = client.post("/api/spots/check", json={"spot": bad}).json()
    assert not answer["ok"]
    assert {one["field"] for one in answer["errors"]} == {"pot", "ranges.oop", "betting.river.bet", "stak"}
    blocked = RIVER | {"ranges": {"oop": "QQ", "ip": "QsQh"}, "board": "Qs Qh Qd 2c 3c"}
    fields = [one["field"] for one in client.post("/api/spots/check", json={"spot": blocked}).json()["errors"]]
    assert fields == ["ranges.oop"]
    locked = RIVER | {"locks": [{"line": "x-b7", "strategy": {"c": 1}}]}
    assert client.post("/api/spots/check", json={"spot": locked}).json()["errors"][0]["field"] == "locks.0"


def test_memory_is_that_of_the_solver(client: TestClient, solutions: Path) -> None:
    answer = client.post("/api/spots/check", json={"spot": RIVER}).json()
    solution = load_postflop(solutions / "river")
    assert answer["ok"]
    assert answer["fits"]
    assert answer["nodes"] == Spot(**RIVER).tree().nodes
    stored = solution.solver.regrets.nbytes + solution.solver.averages.nbytes  # type: ignore[union-attr]
    assert stored <= answer["memory_float_mb"] * 1e6 <= 2 * stored
    assert answer["actions"] == solution.root.actions
    assert Spot(**answer["canonical"]) == Spot(**RIVER)


def test_training_runs_and_their_checkpoints(client: TestClient) -> None:
    (run,) = (models.Run.model_validate(row) for row in found(client, "/api/runs"))
    assert (run.id, run.solver, run.iterations, run.unit) == ("runs/k", "mccfr", 20, "mA/g")
    assert run.checkpoints[-1].id == "runs/k/checkpoint_20"
    assert not run.running  # all iterations that were asked for are done
    assert found(client, "/api/solutions/runs/k") == found(client, "/api/solutions/runs/k/checkpoint_20")
    rows = found(client, "/api/runs/runs/k/metrics")["rows"]
    assert [row["iteration"] for row in rows] == sorted(row["iteration"] for row in rows)
    assert rows[-1]["exploitability"] == pytest.approx(run.exploitability)
    assert client.get("/api/runs/river/metrics").status_code == 404


def test_practice_over_http(client: TestClient) -> None:
    for name, seat in (("river", "oop"), ("push-fold", "SB"), ("turn", None)):
        answer = client.post("/api/practice", json={"solution": name, "seat": seat, "seed": 7})
        table = models.Seat.model_validate(answer.json())
        for _ in range(10):
            while table.to_act == "you":
                answer = client.post(f"/api/practice/{table.id}/act", json={"action": table.actions[-1].token})
                table = models.Seat.model_validate(answer.json())
                assert table.last is not None
            assert table.result is not None
            table = models.Seat.model_validate(client.post(f"/api/practice/{table.id}/next").json())
        assert table.score.hands == 11
        assert sum(table.score.by_grade.values()) == table.score.decisions
    assert client.post("/api/practice", json={"solution": "river", "seat": "SB"}).status_code == 422
    assert client.post("/api/practice", json={"solution": "nothing"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/solutions/nothing/node", 404, "no solution 'nothing'"),
        ("/api/solutions/river/node?line=x-b7", 422, "'b7' is not possible"),
        ("/api/solutions/river/csv?player=nobody", 422, "'nobody'"),
        ("/api/jobs/j000000000000", 404, "no job"),
        ("/api/ranges/top?percent=101", 422, "percent"),
        ("/api/nothing", 404, "/api/nothing"),
    ],
)
def test_errors_are_one_clear_line(client: TestClient, path: str, status: int, said: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "field"}
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_pages_are_served_with_their_types(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for name, kind in (("vendor/preact.js", "text/javascript"), ("style.css", "text/css"), ("icon.svg", "image/svg")):
        file = client.get(f"/static/{name}")
        assert file.headers["content-type"].startswith(kind)
        assert file.content == (STATIC / name).read_bytes()
        again = client.get(f"/static/{name}", headers={"if-none-match": file.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_pages_are_packed_for_who_takes_that(client: TestClient) -> None:
    plain = client.get("/static/vendor/uplot.js", headers={"accept-encoding": "identity"})
    packed = client.get("/static/vendor/uplot.js", headers={"accept-encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content == (STATIC / "vendor" / "uplot.js").read_bytes()
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    head = client.head("/static/style.css")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize("path", ["nothing.js", "", "../server.py", "%2e%2e/web/server.py", "app", "app/%00"])
def test_nothing_else_is_served_as_a_page(client: TestClient, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404
    assert client.post("/static/style.css").status_code == 405


def test_played_hands_are_read_with_the_spots_to_solve(client: TestClient) -> None:
    broken = samples.RING.replace("$2.50", "$2")
    text = samples.BETWEEN.join([samples.GG, broken, samples.SIDE_POT, samples.RING])
    found = client.post("/api/hands", json={"text": text}).json()
    assert (found["found"], [hand["number"] for hand in found["hands"]]) == (4, [1, 3, 4])
    assert [(one["hand"], "a call is to 300" in one["why"]) for one in found["failures"]] == [(2, True)]
    first, side_pot, ring = found["hands"]
    assert first["spot"]["board"] == "9c 5h 2s"
    assert first["spot"]["solve"]["target"] == 0.5
    assert side_pot["spot"] is None
    assert "more than two players" in side_pot["why_not"]
    assert [player["cards"] for player in ring["players"]] == [[], [], ["Ac", "Kh"]]
    assert client.post("/api/hands", json={"text": ""}).json()["failures"][0]["line"] == 1


def test_a_hand_is_graded_only_by_a_solution_of_its_spot(client: TestClient) -> None:
    def grade(hand: int, solution: str, text: str = samples.GG) -> Any:
        return client.post("/api/hands/grade", json={"text": text, "hand": hand, "solution": solution})

    assert grade(2, "river").status_code == 404
    wrong = grade(1, "river")
    assert wrong.status_code == 422
    assert "no solution of hand 1" in wrong.json()["error"]
    assert "cannot be graded" in grade(1, "river", samples.SIDE_POT).json()["error"]


def test_names_notes_and_tags_are_kept_beside_solutions(client: TestClient) -> None:
    said = {"name": "c-bets on low boards", "notes": "as in the course", "tags": ["3-bet", "study"], "folder": "course"}
    assert client.put("/api/solutions/river/notes", json=said).json() == said
    entry = next(one for one in client.get("/api/library").json() if one["id"] == "river")
    assert {key: entry[key] for key in said} == said
    assert entry["bytes"] > 1000
    assert client.put("/api/solutions/nothing/notes", json=said).status_code == 404
    assert client.put("/api/solutions/river/notes", json={"tags": ["x" * 50]}).status_code == 422
    client.put("/api/solutions/river/notes", json={})
    entry = next(one for one in client.get("/api/library").json() if one["id"] == "river")
    assert (entry["name"], entry["notes"], entry["tags"]) == ("", "", [])
