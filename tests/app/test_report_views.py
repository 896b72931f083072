"""A report in the terminal, through the API and in a real Chromium: figures, filters, averages, what a flop opens."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect, sync_playwright

import runout
from reference.browser import CHROMIUM, DESK, WAIT, needs_chromium, new_context
from reference.layout import SIZES, barriers, faults
from reference.small_reports import SPOT, written_flops
from runout.app.tui.report_app import ReportApp
from runout.app.web.server import make_app
from runout.app.web.state import State
from runout.run.report_directory import ReportDirectory
from runout.run.report_tables import averages


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    flops = written_flops(tmp_path_factory.mktemp("flops"))
    runout.report(SPOT, flops, output=folder / "reports" / "kept", keep_solutions=True, workers=1)
    runout.report(SPOT, flops, {"stack": [150, 90]}, output=folder / "reports" / "grid", workers=1)
    return folder


@pytest.fixture
def report(library: Path) -> ReportDirectory:
    return ReportDirectory(library / "reports" / "kept")


@pytest.mark.asyncio
async def test_the_terminal_orders_filters_and_averages(report: ReportDirectory) -> None:
    app = ReportApp(report)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        head = app.query_one("#head").render()
        mean = averages(list(report.records()))[0]
        assert f"oop_ev {mean.ev[0]:.2f}" in str(head)
        evs = [row["oop_ev"] for row in app.shown]
        assert evs == sorted(evs, reverse=True)
        await pilot.press("r")
        assert [row["oop_ev"] for row in app.shown] == sorted(evs)
        await pilot.press("f")
        assert app.figure == "ip_ev"
        await pilot.press("s", "s")
        assert {row["suits"] for row in app.shown} == {"two-tone"}
        await pilot.press("s", "s", "p")
        assert len(app.shown) == 2  # of three flops one is paired
        await pilot.press("enter")
    assert app.return_value is not None
    assert runout.load(app.return_value).root.evs[1] == pytest.approx(app.shown[0]["ip_ev"], abs=1e-4)


@pytest.mark.asyncio
async def test_the_terminal_fills_while_a_report_runs(library: Path, tmp_path: Path) -> None:
    shutil.copytree(library / "reports" / "kept", tmp_path / "r")
    last = sorted((tmp_path / "r" / "flops").glob("*.json"))[-1]
    away = last.rename(tmp_path / "away.json")
    app = ReportApp(ReportDirectory(tmp_path / "r"))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert len(app.rows) == 2
        away.rename(last)
        app.read_more()
        assert len(app.rows) == 3
        await pilot.press("q")


@pytest.fixture
def client(library: Path) -> Iterator[TestClient]:
    state = State(library, [library / "reports" / "grid"])
    with TestClient(make_app(state), base_url="http://127.0.0.1") as client:
        yield client


def test_the_api_lists_reports_and_gives_their_flops(client: TestClient, report: ReportDirectory) -> None:
    listed = {one["id"]: one for one in client.get("/api/reports").json()}
    assert set(listed) == {"open/grid", "reports/grid", "reports/kept"}
    assert listed["reports/kept"]["done"] == listed["reports/kept"]["total"] == 3
    assert not listed["reports/kept"]["running"]
    table = client.get("/api/reports/reports/kept/table").json()
    row = next(row for row in table["rows"] if row["flop"] == "Qs Jh 2h")
    record = report.record(0, "Qs Jh 2h")
    assert record is not None
    assert row["oop_ev"] == pytest.approx(record.root.ev[0], abs=1e-6)
    assert client.get(f"/api/solutions/{row['solution']}").status_code == 200
    assert client.get("/api/reports/open/grid/table").json()["keys"] == ["stack"]
    for bad in ("reports/none", "kept", "runs/kept"):
        assert client.get(f"/api/reports/{bad}/table").status_code == 404


@needs_chromium
def test_the_page_shows_filters_and_opens_flops(library: Path, report: ReportDirectory) -> None:
    start = "import sys; from runout.app.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "web", "--library", str(library), "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    problems: list[str] = []
    try:
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = new_context(browser, bypass_csp=True).new_page()  # for axe
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
            page.goto(f"{found[0]}#/report/reports/kept")
            rows = page.locator(".report-table tbody tr")
            expect(rows).to_have_count(3, timeout=WAIT)
            expect(page.locator(".report-strip rect")).to_have_count(3)
            mean = averages(list(report.records()))[0]
            expect(page.get_by_label("Averages")).to_contain_text(f"{mean.ev[0]:.2f}")
            for place in ("report", "report/reports/kept", "report/reports/grid"):
                page.goto(f"{found[0]}#/{place}")
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    assert faults(page) == [], place
                assert barriers(page) == [], place
            page.set_viewport_size(DESK)
            page.goto(f"{found[0]}#/report/reports/kept")
            page.get_by_label("suits").select_option("monotone")
            expect(rows).to_have_count(1)
            assert "suits=monotone" in page.url  # the address is the state of the page
            page.get_by_label("Figure").select_option("check")
            expect(page.get_by_role("img", name="check of every flop")).to_be_visible()
            rows.first.get_by_role("link").click()
            page.wait_for_url(re.compile("#/look/reports/kept/solutions/0-Ts9s4s"))
            expect(page.get_by_role("grid", name="OOP: strategy by class")).to_be_visible()
            page.set_viewport_size({"width": 390, "height": 800})
            page.goto(f"{found[0]}#/report/reports/grid")
            expect(rows).to_have_count(6)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            page.goto(f"{found[0]}#/report/reports/grid?stack=90")
            expect(rows).to_have_count(3)
            rows.first.get_by_role("link").click()
            page.wait_for_url(re.compile("#/spot.*stack=90"))
            browser.close()
    finally:
        server.terminate()
        server.wait()
    assert problems == []
