"""Saved postflop solutions: the same numbers again, goings-on, files without rivers, and damage that is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

import runout
from runout.cursors.spot_solution import SpotSolution, load_postflop
from runout.errors import InputError, SolutionError
from runout.solutions.format import meta_text, write_bundle
from runout.solvers.range_lines import LiveLines

SIZES = {"bet": "50%", "raise": "60%"}


def make_spot(**changes: object) -> runout.Spot:
    data: dict = {
        "board": "Qs Jh 2h 3s",
        "pot": 100,
        "stack": 250,
        "ranges": {"oop": "QQ+,AKs,AQs:0.5,T9s,65s", "ip": "JJ-99,AQs,KQs,87s:0.25,A5s"},
        "betting": {"flop": SIZES, "turn": SIZES, "river": SIZES, "force_all_in": 0.3},
    }
    return runout.Spot(**(data | changes))


@pytest.fixture(scope="module")
def solution() -> SpotSolution:
    return runout.solve(make_spot(), target=0, iterations=200)


@pytest.fixture
def saved(solution: SpotSolution, tmp_path: Path) -> Path:
    solution.save(tmp_path / "spot.runout")
    return tmp_path / "spot.runout"


LINES = ("", "x", "b50", "x-b50-c", "b50-f", "x-x|7c", "x-b50-c|7d|x", "b50-c|2c|x-a")


def test_a_saved_solution_says_the_same(solution: SpotSolution, saved: Path) -> None:
    again = runout.load(saved)
    assert isinstance(again, SpotSolution)
    assert (again.iterations, again.exploitability, again.algorithm) == (
        200,
        solution.exploitability,
        solution.algorithm,
    )
    assert again.curve == solution.curve
    assert again.spot == solution.spot
    for line in LINES:
        one, two = solution.at(line), again.at(line)
        assert one.evs == two.evs
        assert one.frequencies == two.frequencies
        np.testing.assert_array_equal(one.ev(player="ip"), two.ev(player="ip"))


def test_values_of_the_first_street_are_kept_and_worked_out_where_they_are_missing(solution: SpotSolution) -> None:
    record = solution.bundle()
    assert {name for name in record.arrays if name.startswith("first")} == {"first_values_oop", "first_values_ip"}
    assert solution.solver is not None
    plain, kept, other = (LiveLines(solution.solver) for _ in range(3))
    kept.take_first_values(record.arrays)
    other.take_first_values({"first_values_oop": np.zeros((3, 4)), "first_values_ip": np.zeros((3, 4))})
    for lines in (kept, other):
        for player in range(2):
            np.testing.assert_array_equal(lines.lines(0, 0, 0).after[player], plain.lines(0, 0, 0).after[player])


def test_the_spot_can_be_read_from_the_directory(saved: Path) -> None:
    assert runout.Spot.load(saved / "config.yaml") == make_spot(solve={"target": 0, "iterations": 200})
    meta = json.loads((saved / "meta.json").read_text())
    assert (meta["kind"], meta["reached"]["iterations"]) == ("postflop", 200)
    assert set(yaml.safe_load((saved / "config.yaml").read_text())) >= {"board", "pot", "stack", "ranges", "betting"}


def test_a_resumed_solve_ends_where_one_in_one_piece_does(tmp_path: Path, solution: SpotSolution) -> None:
    runout.solve(make_spot(), target=0, iterations=70, output=tmp_path / "part")
    events: list = []
    whole = runout.solve(target=0, iterations=200, resume=tmp_path / "part", progress=events.append)
    assert events[0].iteration == 80
    assert whole.iterations == 200
    assert whole.exploitability == solution.exploitability
    np.testing.assert_array_equal(whole.root.strategy(), solution.root.strategy())
    assert whole.curve[-1] == solution.curve[-1]
    on = runout.solve(target=0, iterations=220, resume=whole)  # in memory, in place
    assert on.iterations == 220
    assert on.solver is whole.solver


def test_only_the_same_spot_and_algorithm_can_be_resumed(saved: Path) -> None:
    with pytest.raises(InputError, match="another spot: its pot is 100, not 120"):
        runout.solve(make_spot(pot=120), resume=saved)
    with pytest.raises(InputError, match=r"cannot resume with cfr\+"):
        runout.solve(make_spot(), algorithm="cfr+", resume=saved)
    with pytest.raises(InputError, match="cannot resume with int16"):
        runout.solve(make_spot(), storage="int16", resume=saved)


def test_int16_storage_is_saved_and_resumed(tmp_path: Path, solution: SpotSolution) -> None:
    packed = runout.solve(make_spot(), target=0, iterations=60, storage="int16", output=tmp_path / "packed")
    assert packed.memory < 0.6 * solution.memory
    on = runout.solve(resume=tmp_path / "packed", iterations=200)
    whole = runout.solve(make_spot(), target=0, iterations=200, storage="int16")
    assert on.exploitability == whole.exploitability
    assert on.root.evs == whole.root.evs
    assert on.root.evs == pytest.approx(solution.root.evs, abs=0.1)
    packed.save(tmp_path / "small", rivers=False)
    assert load_postflop(tmp_path / "small").root.evs == pytest.approx(packed.root.evs)


def test_a_file_without_rivers(solution: SpotSolution, saved: Path, tmp_path: Path) -> None:
    solution.save(tmp_path / "small.runout", river=False)
    sizes = [sum(f.stat().st_size for f in path.iterdir()) for path in (saved, tmp_path / "small.runout")]
    assert sizes[1] < sizes[0] / 20
    small = load_postflop(tmp_path / "small.runout")
    assert not small.rivers
    assert solution.rivers
    for line in ("", "x", "b50", "x-b50-c", "b50-f", "x-x"):
        one, two = solution.at(line), small.at(line)
        assert one.frequencies == pytest.approx(two.frequencies)
        assert one.evs == pytest.approx(two.evs, abs=1e-4)
        assert not two.resolved
    for line in ("x-x|7c", "x-b50-c|7d|x", "b50-c|8c"):
        one, two = solution.at(line), small.at(line)
        assert two.resolved
        assert two.actions == one.actions
        np.testing.assert_array_equal(one.reach() > 0, two.reach() > 0)
        assert two.evs == pytest.approx(one.evs, abs=0.01 * one.pot)
        assert sum(two.evs) == pytest.approx(two.pot, rel=1e-4)
    with pytest.raises(InputError, match="cannot be resumed"):
        runout.solve(resume=tmp_path / "small.runout")
    with pytest.raises(InputError, match="without rivers"):
        small.save(tmp_path / "large.runout")
    small.save(tmp_path / "again.runout", river=False)
    assert load_postflop(tmp_path / "again.runout").root.evs == small.root.evs


def test_a_flop_without_rivers_keeps_its_turns(tmp_path: Path) -> None:
    tiny = {"flop": {"bet": "50%"}, "turn": {"bet": "50%"}, "river": {"bet": "50%"}}
    spot = make_spot(board="Ah Kh Qh", betting=tiny, ranges={"oop": "QQ,A5s,76s", "ip": "JJ,ATs,55"})
    full = runout.solve(spot, target=0, iterations=150, output=tmp_path / "flop", rivers=False)
    small = load_postflop(tmp_path / "flop")
    for line in ("x-b50", "x-x|2s|x", "x-b50-c|2d|x-b100"):
        assert small.at(line).evs == pytest.approx(full.at(line).evs, abs=1e-3)
        assert not small.at(line).resolved
    node = small.at("x-x|2s|x-x|3d")
    assert node.resolved
    assert node.evs == pytest.approx(full.at(node.line).evs, abs=2)


def test_rivers_that_were_left_out_have_the_lines_of_the_spot(tmp_path: Path) -> None:
    lines = {"lines": ["x-b40-c|?|x-b111-a", "x-x|?|b25"], "remove_lines": ["x-x|?|b25"]}
    whole = runout.solve(make_spot(betting=lines), target=0, iterations=10)
    whole.save(tmp_path / "turn.runout", rivers=False)
    again = runout.load(tmp_path / "turn.runout")
    assert isinstance(again, SpotSolution)
    for line, actions in {
        "x-b40-c|7d|x": ["check", "bet 111"],
        "x-b40-c|7d|x-b111": ["fold", "call", "all-in 210"],
        "x-x|7d": ["check"],
    }.items():
        assert again.at(line).actions == whole.at(line).actions == actions


def test_a_river_spot_is_saved_whole_whatever_is_asked(tmp_path: Path) -> None:
    river = runout.solve(make_spot(board="Qs Jh 2h 3s 9d"), target=1)
    river.save(tmp_path / "river", river=False)
    assert load_postflop(tmp_path / "river").rivers


def test_damage_is_named_in_one_line(saved: Path) -> None:
    target = saved / "averages.npy"
    whole = target.read_bytes()
    target.write_bytes(whole[:-100])
    with pytest.raises(SolutionError, match=r"damaged: averages\.npy does not match its checksum"):
        runout.load(saved)
    target.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(SolutionError, match="does not match its checksum"):
        runout.load(saved)
    target.unlink()
    with pytest.raises(SolutionError, match=r"incomplete: averages\.npy is missing"):
        runout.load(saved)


def test_a_newer_format_and_foreign_kinds_are_refused(saved: Path, tmp_path: Path) -> None:
    meta = json.loads((saved / "meta.json").read_text())
    (saved / "meta.json").write_text(json.dumps(meta | {"format": 99}))
    with pytest.raises(SolutionError, match="has format 99"):
        runout.load(saved)
    (saved / "meta.json").write_text(meta_text(meta | {"kind": "chess"}))
    with pytest.raises(SolutionError, match="is a chess solution"):
        runout.load(saved)
    with pytest.raises(SolutionError, match="does not exist"):
        runout.load(tmp_path / "nothing")


def test_arrays_that_do_not_fit_the_spot_are_refused(solution: SpotSolution, tmp_path: Path) -> None:
    whole = solution.bundle()
    write_bundle(tmp_path / "short", replace(whole, arrays=whole.arrays | {"regrets": np.zeros(7, np.float32)}))
    with pytest.raises(SolutionError, match="short is not a complete postflop solution: regrets has 7 numbers where"):
        load_postflop(tmp_path / "short")
    write_bundle(tmp_path / "less", replace(whole, arrays={}))
    with pytest.raises(SolutionError, match="less is not a complete postflop solution"):
        load_postflop(tmp_path / "less")


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "keep.txt").write_text("mine")
    with pytest.raises(SolutionError, match="nothing was overwritten"):
        runout.solve(make_spot(), target=5, output=tmp_path / "notes")
    assert (tmp_path / "notes" / "keep.txt").read_text() == "mine"


def test_small_game_solutions_load_too(tmp_path: Path) -> None:
    runout.solve_game("kuhn", iterations=10, output=tmp_path / "kuhn")
    assert isinstance(runout.load(tmp_path / "kuhn"), runout.GameSolution)
