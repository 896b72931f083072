"""The browser explorer in a real Chromium: from a new spot to practice, every kind of solution, themes, phone, keys."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from typer.testing import CliRunner

import runout.app as app_package
from runout.app.cli.main import app

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found, pages not tested: apt install chromium")

WAIT = 15_000  # ms
COMPILING = 300_000  # the first solve on a fresh machine compiles
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own with a library that holds Leduc poker and push/fold."""
    library = tmp_path_factory.mktemp("library")
    for command in (
        ["game", "leduc", "-n", "50", "-o", str(library / "leduc"), "--quiet"],
        ["preflop", "--stack", "10", "--tree", "push-fold", "--quiet", "-o", str(library / "push-fold")],
    ):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
    start = "import sys; from runout.app.cli.main import main; sys.exit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", start, "web", "--library", str(library), "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found, "the server printed no address"
        yield found[0]
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own that fails the test on anything in the console."""
    context = browser.new_context(viewport=DESK, color_scheme="dark")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    unexpected = [text for text in problems if "status of 422" not in text]  # a range that is being typed
    assert not unexpected, unexpected


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def query(page: Page) -> str:
    return page.evaluate("decodeURIComponent(location.hash)")


def set_up(page: Page, address: str) -> None:
    """A small river spot, filled in as a person would."""
    page.goto(f"{address}#/spot")
    page.get_by_label("OOP range as text").fill("QQ+,AKs,T9s")
    page.get_by_label("IP range as text").fill("JJ-99,AQs,KQs")
    page.get_by_label("Board as text").fill("[Qs Jh 2h 3c 7d]")
    page.get_by_label("Pot", exact=True).fill("100")
    page.get_by_label("Stack behind").fill("200")
    page.get_by_label("oop river bet").fill("50%, a")
    page.get_by_role("button", name="Copy OOP to IP").click()


@pytest.fixture(scope="module")
def solved(address: str, browser: Browser) -> str:
    """The id of a solution made through the pages."""
    page = browser.new_page(viewport=DESK)
    page.set_default_timeout(WAIT)
    set_up(page, address)
    expect(page.get_by_label("Tree", exact=True)).to_contain_text("nodes", timeout=WAIT)
    page.get_by_role("button", name="Solve", exact=True).click()
    look = page.get_by_role("link", name="Look", exact=True).and_(page.locator("a.primary"))
    look.click(timeout=COMPILING)
    page.wait_for_url(re.compile("#/look/"))
    name = re.search(r"#/look/([^?]+)", page.url)
    page.close()
    assert name
    return name[1]


def test_a_node_its_address_and_a_lock_that_is_solved_again(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    matrix = page.get_by_role("grid", name="oop: strategy by class")
    expect(matrix.get_by_role("gridcell")).to_have_count(169)
    expect(matrix.get_by_role("gridcell", name=re.compile("^QQ: .*check"))).to_be_visible()
    page.get_by_role("navigation", name="Line").get_by_role("button", name=re.compile("^bet 50")).click()
    expect(page.get_by_role("grid", name="ip: strategy by class")).to_be_visible()
    assert "line=b50" in query(page)
    view = page.get_by_role("group", name="View").get_by_role("button", name="EV")
    view.click()
    page.get_by_role("gridcell", name=re.compile("^AQs")).click()
    rows = page.get_by_role("tabpanel").locator("tbody tr")
    expect(rows).to_have_count(3)  # one queen is on the board
    before = page.url
    page.reload()
    expect(rows).to_have_count(3)
    assert page.url == before
    expect(view).to_have_attribute("aria-pressed", "true")

    page.goto(f"{address}#/look/{solved}?tab=lock")
    page.get_by_label("Whole range check").fill("100")
    expect(page.get_by_label("Locks").get_by_role("listitem")).to_contain_text("check 100%")
    page.get_by_role("button", name="Re-solve with these locks").click()
    page.locator("a.primary", has_text="Look").click()
    expect(page.get_by_label("Actions")).to_contain_text("100%")
    expect(page.locator(".facts")).to_contain_text("locked")
    locked = re.search(r"#/look/([^?]+)", page.url)
    assert locked
    assert locked[1] != solved
    page.goto(f"{address}#/look/{solved}?tab=compare&with={locked[1]}")
    expect(page.get_by_role("grid", name="The other node")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^check"))).to_contain_text("100%")


def test_tabs_filters_and_csv(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    table = page.get_by_role("tabpanel").locator("tbody tr")
    expect(table.nth(5)).to_be_visible()
    page.get_by_label("Filter hands").fill("AK")
    expect(table).to_have_count(4)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("columnheader", name="EV", exact=True).get_by_role("button").click()
    assert "sort=-ev" in query(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "hand" in Path(download.value.path()).read_text(encoding="utf-8").splitlines()[0]
    page.get_by_role("tab", name="Breakdown").click()
    page.get_by_role("button", name="set", exact=True).click()
    page.get_by_role("tab", name="Hands").click()
    expect(table.first).to_contain_text("set")
    page.get_by_role("tab", name="Graph").click()
    expect(page.get_by_role("img", name=re.compile("Equity of both ranges"))).to_be_visible()


def test_ranges_are_painted_erased_typed_and_kept(page: Page, address: str) -> None:
    page.goto(f"{address}#/spot")
    text = page.get_by_label("OOP range as text")
    cell = page.get_by_role("grid", name="OOP range").get_by_role("gridcell", name=re.compile("^72o"))
    text.fill("AA,AsKh:0.5")
    cell.click()
    expect(text).to_have_value(re.compile("72o"))
    expect(text).to_have_value(re.compile("AsKh:0.5"))
    cell.click()
    expect(text).not_to_have_value(re.compile("72o"))
    page.get_by_label("OOP brush weight").fill("25")
    cell.click()
    expect(text).to_have_value(re.compile("72o:0.25"))
    expect(page).to_have_url(re.compile("72o:0.25"))  # it follows within moments
    page.reload()
    expect(text).to_have_value(re.compile("72o:0.25"))
    page.get_by_label("OOP top percent").fill("15")
    expect(page.get_by_role("region", name="OOP").get_by_text("combos")).to_contain_text("(15.0%)")
    page.get_by_role("button", name="Saved ranges").first.click()
    page.get_by_label("Name to save OOP as").fill("best 15")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Clear", exact=True).first.click()
    page.get_by_role("button", name="best 15", exact=True).click()
    expect(text).to_have_value(re.compile("AKs|AJ|A"))


def test_bad_input_is_marked_where_it_is(page: Page, address: str) -> None:
    page.goto(f"{address}#/spot")
    solve = page.get_by_role("button", name="Solve", exact=True)
    page.get_by_label("OOP range as text").fill("AA,1X")
    expect(page.get_by_role("region", name="OOP").get_by_role("alert")).to_contain_text("1X")
    page.get_by_label("OOP range as text").fill("AA")
    page.get_by_label("Pot", exact=True).fill("-5")
    expect(page.get_by_label("Pot", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(solve).to_be_disabled()
    page.get_by_label("Pot", exact=True).fill("100")
    page.get_by_label("oop turn bet").fill("50p")
    expect(page.get_by_label("Bet sizes").get_by_role("alert")).to_contain_text("50p")
    page.get_by_label("oop turn bet").fill("50%")
    expect(solve).to_be_enabled()


def test_keys(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    expect(page.get_by_role("grid")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("grid", name="ip: strategy by class")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("grid", name="ip: ev by class")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("grid", name="oop: ev by class")).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("status")).to_contain_text("Copied: x")
    assert page.evaluate("navigator.clipboard.readText()") == "x"
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("Line", exact=True).and_(page.locator("input"))).to_have_value("")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
    page.get_by_role("gridcell", name=re.compile("^AA")).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".cell.pinned")).to_have_text(re.compile("^AKs"))


def test_dark_light_and_the_choice_between_them(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    background = "getComputedStyle(document.body).backgroundColor"
    expect(page.get_by_role("link", name="leduc", exact=True)).to_be_visible()
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(background)
    assert light != dark
    page.get_by_role("button", name="Dark or light").click()
    assert page.evaluate(background) == dark
    page.reload()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    assert page.evaluate(background) == dark


def test_other_kinds_of_solutions(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    page.get_by_role("link", name="leduc", exact=True).click()
    hands = page.get_by_label("Hands", exact=True).get_by_role("listitem")
    expect(hands).to_have_count(3)
    page.keyboard.press("1")
    expect(page.get_by_label("Actions")).to_contain_text("player 2")
    page.goto(f"{address}#/look/push-fold")
    expect(page.get_by_role("grid").get_by_role("gridcell", name=re.compile("^AA: .*all-in"))).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_label("Line", exact=True).and_(page.locator("input"))).to_have_value("SBa")
    assert "NaN" not in page.locator("body").inner_text()


def test_nothing_sticks_out_on_a_phone(page: Page, address: str, solved: str) -> None:
    page.set_viewport_size(PHONE)
    places = ("library", "spot", "solve", "train", f"look/{solved}", f"look/{solved}?tab=breakdown", "look/leduc")
    for place in (*places, "look/push-fold", f"look/{solved}?tab=compare&at=x", f"practice/{solved}"):
        page.goto(f"{address}#/{place}")
        page.wait_for_timeout(250)
        expect(page.locator("main")).not_to_contain_text("Loading")
        assert fits(page), place
    page.goto(f"{address}#/look/{solved}")
    box = page.get_by_role("grid").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]


def test_practice_grades_and_deals_on(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/practice/{solved}?seat=oop")
    choices = page.get_by_role("group", name="Your action").get_by_role("button")
    expect(choices.first).to_be_visible()
    page.keyboard.press("1")
    score = page.get_by_label("Score")
    expect(score.locator("dd").nth(1)).to_have_text("1")
    expect(page.locator(".grade")).to_have_text(re.compile("best|correct|inaccuracy|wrong|blunder"))
    over = page.get_by_role("button", name="Next hand")
    for _ in range(6):
        expect(over.or_(choices.first)).to_be_visible()
        if over.is_visible():
            break
        choices.first.click()
        page.wait_for_timeout(150)
    page.keyboard.press("Enter")
    expect(choices.first).to_be_visible()
    before = page.locator(".felt-hand").inner_text()
    page.reload()
    expect(page.locator(".felt-hand")).to_have_text(before, use_inner_text=True)


def test_a_finished_solve_is_gone_on_with(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/library")
    page.get_by_role("button", name=f"Go on solving {solved}", exact=True).click()
    page.get_by_label(f"Target of {solved}, % of the pot").fill("99")
    page.keyboard.press("Enter")
    expect(page.get_by_text("give a lower one")).to_be_visible()
    page.get_by_label(f"Target of {solved}, % of the pot").fill("0.01")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#/solve"))
    expect(page.locator(".job .state")).to_have_text("done", timeout=WAIT)
    expect(page.locator(".job")).to_contain_text("0.01% of the pot")


def test_an_unknown_line_and_an_unknown_solution_say_so(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}?line=b9999")
    expect(page.get_by_role("alert")).to_contain_text("b9999")
    page.get_by_role("link", name="Go to the root").click()
    expect(page.get_by_role("grid")).to_be_visible()


def test_every_module_is_fetched_at_once() -> None:
    static = Path(app_package.__file__).parent / "static"
    page = (static / "index.html").read_text(encoding="utf-8")
    modules = {f"/static/{path.relative_to(static).as_posix()}" for path in static.rglob("*.js")}
    modules.remove("/static/vendor/uplot.js")  # with the first chart
    assert modules == set(re.findall(r'(?:src|modulepreload" href)="(/static/\S+\.js)"', page))
