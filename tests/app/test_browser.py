"""The browser explorer in a real Chromium: from a new spot to practice, every kind of solution, themes, phone, keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import runout.app as app_package
from reference.browser import COMPILING, DESK, needs_chromium, new_context, settled
from reference.layout import SIZES, barriers, faults

pytestmark = needs_chromium


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def query(page: Page) -> str:
    settled(page)
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
    page = new_context(browser).new_page()
    set_up(page, address)
    settled(page)
    page.get_by_role("button", name="Solve", exact=True).click()
    look = page.get_by_role("link", name="Look", exact=True).and_(page.locator("a.primary"))
    look.click(timeout=COMPILING)
    page.wait_for_url(re.compile("#/look/"))
    name = re.search(r"#/look/([^?]+)", page.url)
    page.context.close()
    assert name
    return name[1]


def test_a_node_its_address_and_a_lock_that_is_solved_again(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    matrix = page.get_by_role("grid", name="OOP: strategy by class")
    expect(matrix.get_by_role("gridcell")).to_have_count(169)
    expect(matrix.get_by_role("gridcell", name=re.compile("^QQ: .*check"))).to_be_visible()
    page.get_by_role("navigation", name="Line").get_by_role("button", name=re.compile("^bet 50")).click()
    expect(page.get_by_role("grid", name="IP: strategy by class")).to_be_visible()
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
    page.get_by_role("button", name="Re-solve with this lock").click()
    page.locator("a.primary", has_text="Look").click(timeout=COMPILING)
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
    page.get_by_role("button", name="set, not filtered by").click()
    page.get_by_role("tab", name="Hands").click()
    expect(table.first).to_contain_text("set")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Filter hands").fill("QQ+, T")  # a range, and hands with a ten
    expect(page.locator(".table-head")).to_contain_text("19 hands")  # 3 + 6 + 6 pairs, 4 of T9s
    page.get_by_label("Filter hands").fill("QQ+, 7x")
    expect(page.get_by_role("alert")).to_contain_text("7x")
    page.keyboard.press("Escape")
    page.keyboard.press("w")  # keys work again
    assert "view=weight" in query(page)
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


def test_a_page_that_was_left_does_not_come_back(page: Page, address: str) -> None:
    """The spot page writes its address a moment after a change: by then another page may have been asked for."""
    page.goto(f"{address}#/spot")
    settled(page)
    page.evaluate(
        """async () => {
          const box = document.querySelector("[aria-label='Pot']");
          for (const pot of ["101", "102"]) {
            box.value = pot;
            box.dispatchEvent(new Event("input", { bubbles: true }));
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          }
          const until = performance.now() + 300;
          while (performance.now() < until);  // the time to write has come, and nobody could
          location.hash = "#/review";
        }"""
    )
    settled(page)
    assert page.url.endswith("#/review")
    expect(page.get_by_role("heading", name="Review")).to_be_visible()


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


def test_a_pot_with_decimals_is_big_blinds_and_sizes_that_cannot_be_bet_are_named(page: Page, address: str) -> None:
    page.goto(f"{address}#/spot")
    page.get_by_label("Pot", exact=True).fill("5.5")
    expect(page.get_by_label("Big blind")).to_have_value("1")
    page.get_by_label("Stack behind").fill("97.5")
    tree = page.get_by_label("Tree", exact=True)
    expect(tree).to_contain_text("bet 4.13 (75%)")  # 412.5 of 550, rounded up, as it was typed
    expect(tree).not_to_contain_text("Nobody")
    page.get_by_label("Bets and raises a street").fill("1")
    expect(tree).to_contain_text("Nobody can ever make: raises on the flop, raises on the turn, raises on the river.")


@pytest.mark.parametrize("size", [(1440, 900), (1360, 860), (1024, 768), (390, 844)], ids=str)
def test_two_sizes_can_be_read_in_their_box(page: Page, address: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}#/spot")
    kinds = ("bet", "raise") if size[0] > 1300 else ("bet",)
    boxes = [page.get_by_label(f"{who} {street} {kind}", exact=True)
             for who in ("oop", "ip") for street in ("flop", "turn", "river") for kind in kinds]  # fmt: skip
    for box in boxes:
        box.fill("33%, 75%")
    boxes.append(page.get_by_label("Positions"))
    boxes[-1].fill("BB, UTG+1")
    settled(page)
    assert [box.evaluate("box => box.scrollWidth - box.clientWidth") for box in boxes] == [0] * len(boxes)


def test_positions_are_the_names_of_the_players_everywhere(page: Page, address: str) -> None:
    spot = (
        "board=Qs+Jh+2h+3c+7d&pot=100&stack=200&big_blind=10&ranges.oop=QQ%2B,T9s&ranges.ip=JJ-99,AQs"
        "&betting.river.bet=50%25&betting.lines=%5B%22b80%22%5D&positions=BB,+BTN"
    )
    page.goto(f"{address}#/spot?{spot}")
    expect(page.get_by_label("Tree", exact=True)).to_contain_text("bet 80")  # the line that the address has
    page.get_by_label("Positions").fill("BB, BB")
    expect(page.get_by_role("region", name="Pot and stacks").get_by_role("alert")).to_contain_text("give two names")
    page.get_by_label("Positions").fill("BB, BTN")
    expect(page.get_by_role("columnheader", name="IP BTN")).to_be_visible()
    settled(page)
    page.reload()
    expect(page.get_by_label("Positions")).to_have_value("BB, BTN")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator("a.primary", has_text="Look").click(timeout=COMPILING)
    expect(page.get_by_role("grid", name="BB: strategy by class")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("grid", name="BTN: strategy by class")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("BTN · 200 behind")
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\b(OOP|IP)\b"))
    page.get_by_role("link", name="Practice").last.click()
    expect(page.get_by_role("button", name="BTN", exact=True)).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\b(OOP|IP)\b"))


def test_keys(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    expect(page.get_by_role("grid")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("grid", name="IP: strategy by class")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("grid", name="IP: ev by class")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("grid", name="OOP: ev by class")).to_be_visible()
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
    button = page.get_by_role("button", name="Dark or light")
    expect(button).to_have_text("☀")
    page.emulate_media(color_scheme="light")
    expect(button).to_have_text("☾")  # it follows the system
    light = page.evaluate(background)
    assert light != dark
    button.click()
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


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_cut_covered_or_off_screen(
    browser: Browser, address: str, solved: str, size: tuple[int, int]
) -> None:
    look = [f"look/{solved}", *(f"look/{solved}?line=x&tab={tab}" for tab in ("breakdown", "lock", "compare&at="))]
    context = new_context(browser, size, bypass_csp=True)
    page = context.new_page()
    found = []
    for place in (
        "library",
        "spot",
        "solve",
        "review",
        "train",
        *look,
        "look/leduc",
        "look/push-fold",
        f"practice/{solved}",
    ):
        for theme in ("light", "dark") if place in ("spot", look[0]) else ("dark",):
            page.emulate_media(color_scheme=theme)
            page.goto(f"{address}#/{place}")
            settled(page)
            assert fits(page), place
            found += [f"{place}: {fault}" for fault in faults(page)]
            if size == SIZES[0]:
                found += [f"{place}, {theme}: {barrier}" for barrier in barriers(page)]
    assert not found, found
    page.evaluate("document.querySelector('main').append(Object.assign(document.createElement('button'), "
                  "{style: 'position: fixed; left: -20px', textContent: 'x'}))")  # fmt: skip
    assert faults(page), "a button that is off-screen is found"
    context.close()


@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_hovering_moves_nothing_and_the_matrix_is_whole(
    page: Page, address: str, solved: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
    page.goto(f"{address}#/look/{solved}")
    tabs, last = page.get_by_role("tablist"), page.get_by_role("gridcell", name=re.compile("^22"))
    settled(page)
    before = tabs.bounding_box()
    for name in ("AKs", "QQ", "JTs"):
        page.get_by_role("gridcell", name=re.compile(f"^{name}")).hover()
        settled(page)
        assert tabs.bounding_box() == before
    box = last.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size[1]


def test_units_are_switched_everywhere_at_once(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    actions = page.get_by_label("Actions")
    expect(actions).to_contain_text("bet 50 50%")  # chips, and what that is of the pot
    page.get_by_role("group", name="Units").get_by_role("button", name="chips").focus()  # drawn, so that keys are heard
    page.keyboard.press("$")
    expect(actions).to_contain_text("bet 5 50%")  # big blinds
    page.keyboard.press("$")
    expect(actions).to_contain_text("bet 50%")
    expect(page.locator(".facts")).to_contain_text(re.compile(r"EV [\d.]+%"))
    page.reload()
    expect(actions).to_contain_text("bet 50%")
    page.get_by_role("group", name="Units").get_by_role("button", name="chips").click()
    expect(actions).to_contain_text("bet 50 50%")
    expect(actions).to_contain_text(re.compile(r"all bets [\d.]+%"))


def test_a_page_goes_on_when_the_server_is_back(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/look/{solved}")
    expect(page.get_by_role("grid")).to_be_visible()
    down = True
    page.route("**/api/solutions/**", lambda route: route.abort() if down else route.continue_())
    with page.expect_event("requestfailed"):
        page.keyboard.press("1")
    settled(page)
    expect(page.get_by_role("grid")).to_be_visible()  # what was there stays
    message = page.get_by_text("The server does not answer")
    expect(message).to_be_visible()
    down = False
    expect(page.get_by_role("grid", name="IP: strategy by class")).to_be_visible()
    expect(message).to_have_count(0)
    page.unroute_all()


def test_practice_grades_and_deals_on(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/practice/{solved}?seat=oop")
    choices = page.get_by_role("group", name="Your action").get_by_role("button")
    expect(choices.first).to_be_visible()
    page.keyboard.press("1")
    score = page.get_by_label("Score")
    expect(score.locator("dd").nth(1)).to_have_text("1")
    expect(page.locator(".grade")).to_have_text(re.compile("best|correct|inaccuracy|wrong|blunder"))
    over, decisions = page.get_by_role("button", name="Next hand"), 1
    while not over.is_visible():
        choices.first.click()
        decisions += 1
        expect(score.locator("dd").nth(1)).to_have_text(str(decisions))
    page.keyboard.press("Enter")
    expect(choices.first).to_be_visible()
    before = page.locator(".felt-hand").inner_text()
    page.reload()
    expect(page.locator(".felt-hand")).to_have_text(before, use_inner_text=True)


def test_practice_goes_on_at_another_table_when_a_new_server_does_not_know_it(browser: Browser, address: str) -> None:
    page = new_context(browser).new_page()
    page.goto(f"{address}#/practice/ready/3-bet-pot-river?seat=oop")
    choices = page.get_by_role("group", name="Your action").get_by_role("button")
    expect(choices.first).to_be_visible()
    gone = {"status": 404, "json": {"error": "no practice table"}}
    page.route("**/api/practice/*/act", lambda route: route.fulfill(**gone), times=1)
    before = page.url
    choices.first.click()
    expect(page.get_by_role("status").filter(has_text="a new hand is dealt")).to_be_visible()
    expect(choices.first).to_be_enabled()
    assert page.url != before  # another table
    choices.first.click()
    expect(page.get_by_label("Score").locator("dd").nth(1)).to_have_text("1")
    expect(page.get_by_label("History")).to_contain_text("By session")
    page.context.close()


def test_a_finished_solve_is_gone_on_with(page: Page, address: str, solved: str) -> None:
    page.goto(f"{address}#/library")
    page.get_by_role("button", name=f"More about {solved}", exact=True).click()
    page.get_by_label(f"Target of {solved}, % of the pot").fill("99")
    page.keyboard.press("Enter")
    expect(page.get_by_text("give a lower one")).to_be_visible()
    page.get_by_label(f"Target of {solved}, % of the pot").fill("0.01")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#/solve"))
    expect(page.locator(".job .state")).to_have_text("done", timeout=COMPILING)
    expect(page.locator(".job")).to_contain_text("0.01% of the pot")


# A small 4-bet pot, so that its flop is solved in seconds: p2 folds the best hand there is on the river.
FOUR_BET = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [380, 380]
actions = ['d dh p1 ????', 'd dh p2 AhAd', 'p2 cbr 30', 'p1 cbr 80', 'p2 cbr 180', 'p1 cc', 'd db AsAc2d', 'p1 cc', \
'p2 cc', 'd db 7h', 'p1 cc', 'p2 cc', 'd db 9c', 'p1 cbr 200', 'p2 f']
players = ['x', 'hero']
"""


def test_a_pasted_hand_is_graded_in_the_queue_and_leads_to_its_node(page: Page, browser: Browser, address: str) -> None:
    page.goto(f"{address}#/review")
    box = page.get_by_label("Hands of PokerStars, GG, PHH or OHH")
    box.fill("[1]\n" + FOUR_BET + "[2]\n" + FOUR_BET.replace("p1 cbr 80", "p1 cbr 35"))
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_role("status").first).to_contain_text("2 hands, 1 read and played again, 1 can be graded")
    expect(page.get_by_label("Hands that cannot be used")).to_contain_text("hand 2, line 15: x: cannot raise to 35")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page)
        assert faults(page) == []
    page.set_viewport_size(DESK)
    page.get_by_role("button", name="Grade hand 1").click()
    row = page.get_by_role("row").filter(has_text="Hand 1")
    expect(row.locator(".grade")).to_have_text("blunder", timeout=COMPILING)
    expect(row).to_contain_text("56.00")  # the pot of 360 and the bet of 200, at 10 a big blind
    page.reload()
    expect(row.locator(".grade")).to_have_text("blunder")  # what was pasted and solved is still there
    row.get_by_role("button", name="Hand 1").click()
    table = page.get_by_label("Decisions of hand 1")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.get_by_role("row").nth(1)).to_contain_text("hero SB A♥A♦")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page)
        assert faults(page) == []
    page.set_viewport_size(DESK)
    checked = new_context(browser, bypass_csp=True, storage_state=page.context.storage_state())
    again = checked.new_page()
    again.goto(page.url)
    expect(again.get_by_label("Decisions of hand 1")).to_be_visible()
    assert barriers(again) == []
    checked.close()
    table.get_by_role("link", name="river").click()
    page.wait_for_url(re.compile("#/look/"))
    assert "line=x-x|7h|x-x|9c|a" in query(page)


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
