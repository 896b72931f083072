"""Clicks and seconds of three tasks in the browser explorer, in a real Chromium with a server of its own.

1. What QJs does against a 3-bet at 100 big blinds, from the library to frequencies and EVs.
2. A c-bet on QsJh2h in a single-raised pot of 100 big blinds, from the library until its solve is queued.
3. A hand that was played (a 4-bet pot), from the text to its grades, the solve of its spot included.

A click is counted where the page gets one; typing the flop and pasting the hand are not clicks.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.report import line

START = "from runout.app.cli.main import main; main()"
WAIT = 600_000  # ms
COUNTED = "addEventListener('click', () => { window.clicks = (window.clicks ?? 0) + 1; }, true)"
STOPPED = """async () => {
  const jobs = (await (await fetch("/api/jobs")).json()).filter(({ state }) => ["running", "queued"].includes(state));
  const ask = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  await Promise.all(jobs.map(({ id }) => fetch(`/api/jobs/${id}/stop`, ask)));
}"""  # so that nothing waits for what was started
HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [380, 380]
actions = ['d dh p1 ????', 'd dh p2 AhAd', 'p2 cbr 30', 'p1 cbr 80', 'p2 cbr 180', 'p1 cc', 'd db AsAc2d', 'p1 cc', \
'p2 cc', 'd db 7h', 'p1 cc', 'p2 cc', 'd db 9c', 'p1 cbr 200', 'p2 f']
players = ['x', 'hero']
"""


def run(full: bool) -> None:
    """All three; `full` makes no difference."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        line("no Chromium found", "not measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", START, "web", "--library", folder, "--port", "0", "--no-open"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.set_default_timeout(WAIT)
                expect.set_options(timeout=WAIT)
                for what, task in TASKS.items():
                    for turn in ("first", "again") if task is not review else ("first",):
                        line(f"{what}, {turn}", _measured(page, address, task))
                browser.close()
        finally:
            server.terminate()
            server.wait()


def _measured(page: Page, address: str, task: Callable[[Page], None]) -> str:
    page.goto(f"{address}#/library")
    page.reload()
    expect(page.locator(".start li").first).to_be_visible()
    page.evaluate(COUNTED)
    started = time.perf_counter()
    task(page)
    took = time.perf_counter() - started
    page.evaluate(STOPPED)
    return f"{page.evaluate('window.clicks')} clicks, {took:.2f} s"


def three_bet(page: Page) -> None:
    page.get_by_role("link", name="Charts", exact=True).click()
    page.get_by_role("button", name="SB vs 3-bet", exact=True).click()
    page.get_by_role("grid", name="SB: strategy by class").get_by_role("gridcell", name=re.compile("^QJs")).click()
    expect(page.get_by_label("Actions")).to_contain_text(re.compile(r"QJs.*call\s*[\d.]+%\s*EV -?\d", re.DOTALL))


def c_bet(page: Page) -> None:
    page.get_by_role("link", name="Charts", exact=True).click()
    page.get_by_role("button", name="single-raised pot", exact=True).click()
    page.get_by_role("textbox", name="Flop").fill("QsJh2h")
    page.get_by_role("form", name="To the flop").get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".job .state")).to_have_text(re.compile("running|queued"))


def review(page: Page) -> None:
    page.get_by_role("link", name="Review", exact=True).click()
    page.get_by_label("Hands of").fill(HAND)
    page.get_by_role("button", name="Read").click()
    page.get_by_role("button", name="Grade hand 1").click()
    expect(page.locator(".grade").first).to_be_visible()


TASKS = {
    "QJs against a 3-bet at 100 bb": three_bet,
    "c-bet on QsJh2h, single-raised pot of 100 bb": c_bet,
    "one pasted hand, solved and graded": review,
}
