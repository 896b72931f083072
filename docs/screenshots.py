"""Takes the pictures of the browser explorer from a real solve, each dark and light: python docs/screenshots.py
(needs Chromium). `python docs/screenshots.py study` takes only those of charts, library and tree, which need no solve.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from reference.browser import CHROMIUM, new_context, settled  # noqa: E402

DESK = (1360, 860)
PHONE = {"width": 390, "height": 844}
WAIT = 600_000  # ms for the solve
SPOT = (
    "board=Td+9d+6h&pot=200&stack=900&big_blind=10"
    "&ranges.oop=99%2B,AJs%2B,A5s-A4s,KTs%2B,QTs%2B,JTs,T9s,98s,87s:0.5,AJo%2B,KQo"
    "&ranges.ip=JJ-44,AQs-A8s,A5s-A2s,K9s%2B,Q9s%2B,J9s%2B,T8s%2B,98s,87s,76s,65s,AQo-AJo,KJo%2B,QJo"
    "&betting.flop.bet=33%25,+75%25&betting.flop.raise=60%25&betting.turn.bet=66%25&betting.turn.raise=60%25"
    "&betting.river.bet=75%25&betting.river.raise=60%25&betting.force_all_in=0.25&solve.target=0.5"
)


@contextmanager
def server() -> Iterator[str]:
    """The address of a server with an empty library."""
    command = [str(Path(sys.executable).parent / "runout"), "web", "--port", "0", "--no-open", "--library"]
    with tempfile.TemporaryDirectory() as library:
        process = subprocess.Popen([*command, library], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+/", process.stdout.readline())
            assert found, "the server printed no address"
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def take(page: Page, name: str) -> None:
    """A pair of pictures, dark and light."""
    page.mouse.move(0, 0)
    for theme, ending in (("light", "-light"), ("dark", "")):
        page.emulate_media(color_scheme=theme)
        settled(page)
        page.screenshot(path=HERE / f"web-{name}{ending}.png")


def pictures(page: Page, address: str) -> None:
    """Every picture, in the order in which a person meets the pages."""
    page.goto(f"{address}#/spot?{SPOT}")
    take(page, "spot")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(".chart").wait_for()
    page.locator(".job .state.done").wait_for()
    take(page, "solve")
    page.locator("a.primary", has_text="Look").click()
    page.locator(".combos").wait_for()
    name = page.evaluate("location.hash.match(/look\\/([^?]+)/)[1]")
    page.goto(f"{address}#/look/{name}?line=x&tab=breakdown")
    take(page, "look")
    page.goto(f"{address}#/look/{name}?line=x-b66-c")
    page.locator(".run-grid").wait_for()
    take(page, "runouts")
    page.set_viewport_size(PHONE)
    page.goto(f"{address}#/look/{name}")
    take(page, "phone")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    page.goto(f"{address}#/practice/{name}?seat=oop")
    page.locator(".choice").first.click()
    page.locator(".grade").wait_for()
    take(page, "practice")
    page.goto(f"{address}#/play?stack=20")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Your action").wait_for()
    for _ in range(12):  # check and call to the end
        if page.get_by_role("button", name="Next hand").is_visible():
            break
        page.keyboard.press("c")
        settled(page)
    take(page, "play")


def study(page: Page, address: str) -> None:
    """Charts, library and tree."""
    for place, name in (
        ("charts?line=SBr2.5+BBr10&pin=QJs", "charts"),
        ("charts?line=SBr2.5+BBc&board=Qs+Jh+2h", "to-the-flop"),
        ("look/ready/3-bet-pot-river?tab=tree&tree=%2B:50%25", "tree"),
        ("library", "library"),
    ):
        page.goto(f"{address}#/{place}")
        take(page, name)
    page.set_viewport_size(PHONE)
    page.goto(f"{address}#/charts?line=SBr2.5+BBr10")
    take(page, "charts-phone")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


def main() -> None:
    if CHROMIUM is None:
        sys.exit("no Chromium found: apt install chromium")
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = new_context(browser, DESK).new_page()
        page.set_default_timeout(WAIT)
        study(page, address)
        if "study" not in sys.argv[1:]:
            pictures(page, address)
        browser.close()


if __name__ == "__main__":
    main()
