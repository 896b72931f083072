"""`python -m benchmarks neural`: comparisons are kept as they are done, and what is there is not run again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

from benchmarks import neural


def test_comparisons_go_on_and_make_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = {"network": {"hidden_dim": 8, "depth": 1}, "sgd": {"steps": 2, "batch_size": 64}}
    one = neural.Comparison("Kuhn", "kuhn", tiny, neural.NODES, (200, 400), (200, 400, 600), "3.3")
    monkeypatch.setattr(neural, "COMPARISONS", (one,))
    path, table = tmp_path / "found.jsonl", tmp_path / "table.md"
    neural.compare(False, path, table)
    assert "<svg" in (table.parent / neural.PICTURES[neural.NODES]).read_text()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["seed"], row["budget"]) for row in rows] == [(0, 200), (0, 400)]
    assert all(row["commit"] and row["settings"]["training"]["seed"] == 0 for row in rows)
    assert "| Kuhn | 400 nodes |" in table.read_text()
    monkeypatch.setattr(neural, "_measure", lambda *_: pytest.fail("it was run again"))
    neural.compare(False, path, table)
    assert len(path.read_text().splitlines()) == 2
