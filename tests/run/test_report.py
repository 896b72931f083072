"""Reports: each flop is what it is when solved alone, means are means, and nothing that was done is done again."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas
import pyarrow.parquet
import pytest

import runout
from reference.small_reports import FLOPS, SPOT, records, written_flops
from runout.config import dump
from runout.errors import InputError
from runout.files import FileLock
from runout.games.flop_choice import flop_choice
from runout.protocols import Event
from runout.run import report as reports
from runout.run.executors import Processes
from runout.run.report_directory import ReportDirectory
from runout.run.report_tables import averages


@pytest.fixture
def flops(tmp_path: Path) -> str:
    return written_flops(tmp_path)


@pytest.fixture(scope="module")
def alone() -> dict[str, runout.SpotSolution]:
    return {flop: runout.solve(SPOT.replace(board=flop)) for flop in FLOPS}


def test_each_flop_is_what_it_is_alone(
    flops: str, alone: dict[str, runout.SpotSolution], tmp_path: Path
) -> None:  # fmt: skip
    table = runout.report(SPOT, flops, output=tmp_path / "r", workers=1).set_index("flop")
    assert set(table.index) == set(FLOPS)
    for flop, solution in alone.items():
        root, row = solution.root, table.loc[flop]
        assert (row["oop_ev"], row["ip_ev"]) == root.evs
        assert (row["oop_equity"], row["oop_eqr"]) == (root.equities[0], root.eqrs[0])
        assert [row[name] for name in root.actions] == root.frequencies
        assert row["weight"] == FLOPS[flop] / 4
        record = ReportDirectory(tmp_path / "r").record(0, flop)
        classes = ReportDirectory(tmp_path / "r").classes(0, flop)
        assert record is not None
        assert classes is not None
        for number, one in enumerate(record.decisions):
            node = runout.Node(runout.open_explorer(solution), one.line)
            assert list(one.frequencies) == node.frequencies
            side = node.players.index(str(node.player))
            assert np.array_equal(classes.ev[number, side], node.ev(by="class").astype(np.float32), equal_nan=True)
        assert np.array_equal(classes.strategy[:2], root.mix.astype(np.float32), equal_nan=True)
        assert len(classes.strategy) == sum(len(one.actions) for one in record.decisions)
        lines = {one.line: one for one in record.decisions}
        assert lines["x"].reach == pytest.approx(root.frequencies[0])  # OOP's checks are what reaches IP
        assert lines["x-b50"].reach == pytest.approx(lines["x"].reach * lines["x"].frequencies[1])


def test_means_weigh_flops_by_how_often_they_come(flops: str, tmp_path: Path) -> None:
    runout.report(SPOT, flops, output=tmp_path / "r", workers=1)
    found = list(ReportDirectory(tmp_path / "r").records())
    means = {one.line: one for one in averages(found)}
    weights = np.array([flop.share * record.pairs for flop, record in found])
    evs = np.array([record.root.ev for _, record in found])
    assert means[""].ev == pytest.approx(weights @ evs / weights.sum())
    assert sum(means[""].ev) == pytest.approx(100)
    assert sum(means["x"].frequencies) == pytest.approx(1)
    checks = weights * [record.root.frequencies[0] for _, record in found]
    assert means["x"].reach == pytest.approx(checks.sum() / weights.sum())
    bets = [record.by_line["x"].frequencies[1] for _, record in found]
    assert means["x"].frequencies[1] == pytest.approx(checks @ bets / checks.sum())


def test_one_process_two_processes_and_two_runs_give_the_same_bits(flops: str, tmp_path: Path) -> None:
    plan = reports.make_plan(SPOT, flops, {"stack": [150, 90]})
    serial, processes, halves = (tmp_path / name for name in ("serial", "processes", "halves"))
    events: list[Event] = []
    reports.run_report(serial, plan, workers=1, progress=events.append)
    reports.run_report(processes, plan, executor=Processes(2))
    assert len(records(serial)) == 12  # three flops, two stacks, two files each
    assert records(processes) == records(serial)
    assert [event.iteration for event in events] == [1, 2, 3, 4, 5, 6, 6]
    assert (events[-1].kind, events[-1].counted, events[-1].total) == ("done", "flops", 6)
    assert events[0].remaining == pytest.approx(5 * events[0].elapsed)

    reports.run_report(halves, reports.make_plan(SPOT, flops, {"stack": [150, 90]}), workers=1)
    gone = sorted((halves / "flops").glob("*.json"))[::2]
    for file in gone:
        file.unlink()
    left = {file: file.stat().st_mtime_ns for file in (halves / "flops").glob("*.json")}
    run = reports.run_report(halves, plan, resume=True, workers=1)
    assert (run.solved, run.done, run.total) == (3, 6, 6)
    assert {file: file.stat().st_mtime_ns for file in left} == left  # what was there was left alone
    assert records(halves) == records(serial)


def test_tables_say_what_records_say(flops: str, tmp_path: Path) -> None:
    table = runout.report(SPOT, flops, {"stack": [150, 90]}, output=tmp_path / "r", workers=1)
    assert table[["flop", "stack"]].value_counts().max() == 1
    assert table.groupby("stack").size().to_dict() == {90: 3, 150: 3}
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "r" / "flops.parquet"), table)
    read = pandas.read_csv(tmp_path / "r" / "flops.csv")
    assert np.allclose(read["oop_ev"], table["oop_ev"], rtol=1e-12)
    decisions = pyarrow.parquet.read_table(tmp_path / "r" / "decisions.parquet").to_pandas()
    root = decisions[(decisions["line"] == "") & (decisions["action"] == "check") & (decisions["stack"] == 150)]
    assert root["frequency"].tolist() == table[table["stack"] == 150]["check"].tolist()
    classes = pyarrow.parquet.read_table(tmp_path / "r" / "classes.parquet").to_pandas()
    assert set(classes[classes["player"] == "oop"]["hand"]) <= {"QQ", "KK", "AA", "AKs", "T9s"}
    shares = classes.groupby(["flop", "stack", "line", "hand"])["frequency"].sum()
    assert np.allclose(shares, 1, atol=1e-6)


def test_pio_folders_have_a_row_a_flop_and_the_mean(flops: str, tmp_path: Path) -> None:
    table = runout.report(SPOT, flops, output=tmp_path / "r", workers=1).set_index("flop")
    root = tmp_path / "r" / "pio" / "Root"
    lines = list(csv.reader((root / "report.csv").read_text(encoding="utf-8").splitlines()))
    assert lines[0] == ["Aggregation analysis", "Runout", " EV in chips"]
    assert lines[2] == ["Action Line", "Root"]
    head = "Flop,Global %,OOP Equity,OOP EV,OOP EQR,IP Equity,IP EV,IP EQR,BET 50 freq,CHECK freq"
    assert lines[3] == head.split(",")
    rows = {row[0]: [float(cell) for cell in row[1:]] for row in lines[4:]}
    assert set(rows) == {*FLOPS, "  "}
    for flop in FLOPS:
        assert rows[flop][0] == 100
        assert rows[flop][2] == pytest.approx(table.loc[flop, "oop_ev"], rel=1e-5)
        assert rows[flop][8] == pytest.approx(100 * table.loc[flop, "check"], abs=0.006)
    below = list(csv.reader((root / "CHECK" / "BET 50" / "report.csv").read_text(encoding="utf-8").splitlines()))
    assert below[2] == ["Action Line", "Root CHECK BET 50"]
    assert below[3][-2:] == ["CALL freq", "FOLD freq"]


def test_solutions_are_kept_where_asked(flops: str, alone: dict[str, runout.SpotSolution], tmp_path: Path) -> None:
    runout.report(SPOT, flops, output=tmp_path / "r", keep_solutions=True, workers=1)
    kept = runout.load(tmp_path / "r" / "solutions" / "0-QsJh2h.runout")
    assert kept.root.frequencies == pytest.approx(alone["Qs Jh 2h"].root.frequencies, abs=1e-6)


def test_a_flop_that_cannot_be_solved_is_named_and_the_others_are_there(flops: str, tmp_path: Path) -> None:
    with open(flops, "a", encoding="utf-8") as file:
        file.write("Qs Qh Qd\n")  # there is no pair of queens left
    narrow = SPOT.replace(ranges={"oop": "QQ", "ip": "JJ-99"})
    with pytest.warns(RuntimeWarning, match=r"^1 flop failed: Qs Qh Qd \(.*ranges\.oop"):
        table = runout.report(narrow, flops, output=tmp_path / "r", workers=1)
    assert len(table) == 3
    assert [one["flop"] for one in ReportDirectory(tmp_path / "r").failures()] == ["Qs Qh Qd"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"flops": "some"}, "unknown flops 'some'"),
        ({"grid": {"board": ["Qs Jh 2h"]}}, "--flops"),
        ({"grid": {"stak": [1]}}, "unknown key 'stak': did you mean 'stack'"),
        ({"grid": {"stack": []}}, "list of values"),
        ({"workers": 0}, "workers = 0"),
        ({"resume": True}, "no report to go on with"),
        ({"spot": SPOT.replace(board="Ks 8h 3d 2c")}, "begins on one"),
        ({"spot": SPOT.replace(ranges={"oop": "AsKh,QQ"})}, "ranges.oop tells suits apart"),
    ],
)
def test_bad_input_is_refused(asked: dict[str, object], said: str, flops: str, tmp_path: Path) -> None:
    given = {"spot": SPOT, "flops": flops, "output": tmp_path / "r", **asked}
    with pytest.raises(InputError, match=said):
        runout.report(**given)  # type: ignore[arg-type]


def test_a_directory_is_not_taken_by_mistake(flops: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").touch()
    with pytest.raises(InputError, match="holds something else"):
        runout.report(SPOT, flops, output=tmp_path / "other")
    runout.report(SPOT, flops, output=tmp_path / "r", workers=1)
    with pytest.raises(InputError, match="--resume"):
        runout.report(SPOT, flops, output=tmp_path / "r")
    with pytest.raises(InputError, match="another spot or grid"):
        runout.report(SPOT.replace(stack=99), flops, output=tmp_path / "r", resume=True)


def test_one_writer_at_a_time(flops: str, tmp_path: Path) -> None:
    runout.report(SPOT, flops, output=tmp_path / "r", workers=1)
    before = (tmp_path / "r" / "report.json").read_bytes()
    with FileLock(tmp_path / "r" / ".lock"), pytest.raises(InputError, match=r"is being written by process \d+"):
        runout.report(SPOT, "even-23", output=tmp_path / "r", resume=True)
    assert (tmp_path / "r" / "report.json").read_bytes() == before


def test_grids_as_the_command_line_has_them() -> None:
    found = reports.read_grid(["stack=500,910", "flop_bet=33%; 33%, 75%", "solve.target=1"])
    assert found == {"stack": [500, 910], "flop_bet": ["33%", "33%, 75%"], "solve.target": [1]}
    cases = reports.grid_cases(found)
    assert len(cases) == 4
    assert cases[1] == {"stack": 500, "flop_bet": "33%, 75%", "solve_target": 1}
    for bad in ("stack", "=1", "stack=1,,2"):
        with pytest.raises(InputError, match="cannot read --grid"):
            reports.read_grid([bad])


def test_ctrl_c_and_resume_lose_nothing(flops: str, tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    spot = tmp_path / "spot.yaml"
    spot.write_text(dump(SPOT), encoding="utf-8")
    command = [sys.executable, "-m", "runout", "report", str(spot), "--flops", flops]
    process = subprocess.Popen([*command, "-o", str(stopped), "--workers", "2"], stderr=subprocess.PIPE, text=True)
    while not list(stopped.glob("flops/*.json")):
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (130, 0)  # 0: all were done before it was heard
    if process.returncode:
        assert "--resume goes on" in said
    (stopped / "flops" / ".0-QsJh2h.npz.0123abcd.new").write_bytes(b"cut")  # as a kill while writing leaves it
    subprocess.run([*command, "-o", str(stopped), "--resume", "--workers", "1"], check=True, stdout=subprocess.DEVNULL)
    reports.run_report(whole, reports.make_plan(SPOT, flops), workers=1)
    assert records(stopped) == records(whole)


def test_named_sets_are_what_a_report_is_over() -> None:
    plan = reports.make_plan(SPOT, "even-23")
    assert [flop.share for flop in plan.flops] == flop_choice("even-23").shares.tolist()
    assert len(plan.tasks()) == 23
