"""Ranges and charts of other programs: small files in their formats, and ranges that go there and back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from runout import Range
from runout.app.cli.main import app
from runout.app.web.library import Library
from runout.cards.hands import CLASS_NAMES, COMBOS
from runout.errors import InputError
from runout.formats.charts import gto_text, monker_line, pio_text, read_hrc, read_monker, read_ranges, write_range
from runout.formats.convert import convert

NODE = {
    "player": 0,
    "street": 0,
    "children": 2,
    "sequence": [],
    "actions": [{"type": "F", "amount": 0, "node": 1}, {"type": "R", "amount": 2500, "node": 155}],
    "hands": {
        "AA": {"weight": 1.0, "played": [0.0, 1.0], "evs": [0, 2.5]},
        "T9s": {"weight": 0.5, "played": [0.25, 0.75], "evs": [0, 0.01]},
        "72o": {"weight": 1.0, "played": [1.0, 0.0], "evs": [0, -1]},
    },
}
weights = st.lists(st.sampled_from([0.0, 0.125, 0.3, 0.5, 1.0]), min_size=169, max_size=169)


@settings(max_examples=30, deadline=None)
@given(weights, st.lists(st.integers(0, COMBOS - 1), max_size=5))
def test_text_of_pio_and_gto_goes_there_and_back(classes: list[float], single: list[int]) -> None:
    combos = Range(np.array(classes)).weights.copy()
    combos[single] = 0.7
    range_ = Range(combos)
    if not range_:
        return
    assert Range(pio_text(range_)) == range_
    assert np.allclose(Range(gto_text(range_)).weights, range_.weights, atol=1e-9)
    assert not any(mark in pio_text(range_) for mark in ("+", "-", "[", " "))


@settings(max_examples=10, deadline=None)
@given(weights)
def test_charts_go_there_and_back(tmp_path_factory: pytest.TempPathFactory, classes: list[float]) -> None:
    range_, folder = Range(np.array(classes)), tmp_path_factory.mktemp("charts")
    for name in ("0.0.40100.1.rng", "node.json"):
        write_range(range_, folder / name)
        assert list(read_ranges(folder / name).values()) == [range_]


def test_gto_plus_groups_by_weight() -> None:
    assert gto_text(Range("AA,JTs:0.5,KJo:0.5")) == "AA,[50.0]JTs,KJo[/50.0]"
    assert pio_text(Range("AA,KK:0.5,AhKh")) == "AA,KK:0.5,AhKh"


def test_a_file_of_monker() -> None:
    found, evs = read_monker("AA\n1.0;5230.5\nAKs\n0.25;100\nT9o\n0.0;-3\n")
    assert found == Range("AA,AKs:0.25")
    assert evs == {"AA": 5230.5, "AKs": 100, "T9o": -3}
    assert monker_line("0.0.40100.1.rng") == ["fold", "fold", "raise 100% of the pot", "call"]
    assert monker_line("14.3.5") == ["raise to 1.5 bb", "all-in", "min-raise"]
    assert monker_line("16") == ["raise to 2.5 bb"]


def test_a_node_of_hrc_is_a_range_for_each_action(tmp_path: Path) -> None:
    assert read_hrc(NODE) == {"fold": Range("72o,T9s:0.125"), "raise to 2500": Range("AA,T9s:0.375")}
    (tmp_path / "nodes").mkdir()
    for number in (0, 10, 9):
        (tmp_path / "nodes" / f"{number}.json").write_text(json.dumps(NODE), encoding="utf-8")
    found = read_ranges(tmp_path)
    assert list(found)[:3] == ["0: fold", "0: raise to 2500", "9: fold"]
    with pytest.raises(InputError, match="--name"):
        convert(tmp_path, tmp_path / "out.txt")
    assert "T9s" not in convert(tmp_path, tmp_path / "out.txt", name="10: raise to 2500")
    assert Range((tmp_path / "out.txt").read_text(encoding="utf-8")) == Range("AA,T9s:0.375")


def test_classes_that_tell_combos_apart_are_kept_out_of_charts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="AKs have different weights"):
        write_range(Range("AA,AhKh"), tmp_path / "a.rng")
    assert not (tmp_path / "a.rng").exists()


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [("a.rng", "AA\n", "frequency;EV"), ("a.rng", "AA\nx;1\n", "no number"), ("a.rng", "AA\n3;1\n", "out of range"),
     ("a.rng", "XX\n1;1\n", "XX"), ("a.json", "{}", "no chart"), ("a.json", "{", "no JSON"), ("a.txt", "what", "what"),
     ("a.json", '{"hands": {"AA": {"weight": 1}}, "actions": [{"type": "Z"}]}', "unknown action"),
     ("a.json", '{"hands": {"AA": {"weight": 1}}, "actions": [{"type": "F"}]}', "no frequency")],
)  # fmt: skip
def test_charts_that_cannot_be_read_say_why(name: str, text: str, word: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=word):
        read_ranges(tmp_path / name)


def test_every_class_has_a_line(tmp_path: Path) -> None:
    write_range(Range("22+"), tmp_path / "pairs.rng")
    lines = (tmp_path / "pairs.rng").read_text(encoding="utf-8").split()
    assert lines[::2] == list(CLASS_NAMES)


def test_ranges_of_a_folder_of_charts_go_into_the_library(tmp_path: Path) -> None:
    charts = tmp_path / "charts"
    charts.mkdir()
    (charts / "0.rng").write_text("AA\n1;0\nAKs\n0.5;0\n", encoding="utf-8")
    (charts / "1.rng").write_text("22\n1;0\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["convert", str(charts), str(tmp_path / "library"), "--to", "library"])
    assert done.exit_code == 0, done.output
    kept = Library(tmp_path / "library").ranges.all()
    assert {name: Range(text) for name, text in kept.items()} == read_ranges(charts)
    assert len(kept) == 2
    refused = CliRunner().invoke(
        app, ["convert", str(charts), str(tmp_path / "library"), "--to", "library", "--name", "9"]
    )
    assert isinstance(refused.exception, InputError)
