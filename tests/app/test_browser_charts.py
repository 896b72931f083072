"""The Charts page in a real Chromium: clicks to an answer, to a solve, to a tree of one's own; nothing is cut."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from reference.browser import COMPILING, needs_chromium, new_context, settled
from reference.layout import SIZES, barriers, faults
from runout.run.spot_check import check_spot

pytestmark = needs_chromium

COUNTED = "addEventListener('click', () => { window.clicks = (window.clicks ?? 0) + 1; }, true)"


def clicks(page: Page) -> int:
    return int(page.evaluate("window.clicks ?? 0"))


def test_a_hand_against_a_3_bet_takes_three_clicks(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.evaluate(COUNTED)
    page.get_by_role("link", name="Charts", exact=True).click()
    page.get_by_role("button", name="SB vs 3-bet", exact=True).click()
    page.get_by_role("grid", name="SB: strategy by class").get_by_role("gridcell", name=re.compile("^QJs")).click()
    actions = page.get_by_label("Actions")
    expect(actions).to_contain_text("QJs")
    assert clicks(page) == 3
    expect(actions.get_by_role("button", name=re.compile("call"))).to_contain_text(
        re.compile(r"\d%.*EV -?\d", re.DOTALL)
    )


def test_a_c_bet_on_a_flop_is_being_solved_after_three_clicks(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.evaluate(COUNTED)
    page.get_by_role("link", name="Charts", exact=True).click()
    page.get_by_role("button", name="single-raised pot", exact=True).click()
    flop = page.get_by_role("textbox", name="Flop")
    expect(flop).to_be_focused()
    page.keyboard.type("QsJh2h")
    panel = page.get_by_role("form", name="To the flop")
    expect(panel.get_by_role("button", name="Queen of spades")).to_have_attribute("aria-pressed", "true")
    asked: list[dict[str, Any]] = []

    def queued(route: Route) -> None:  # nothing is really solved: it would take minutes
        asked.append(route.request.post_data_json["spot"])
        route.fulfill(json={"id": "j000000000000"})

    page.route("**/api/jobs", lambda route: queued(route) if route.request.method == "POST" else route.continue_())
    panel.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_url(re.compile("#/solve"))
    assert clicks(page) == 3
    page.unroute_all()
    (spot,) = asked
    assert (spot["board"], spot["pot"], spot["stack"], spot["big_blind"]) == ("Qs Jh 2h", 500, 9750, 100)
    found = check_spot(spot)
    assert not found.problems
    assert found.fits


def test_an_answer_that_comes_late_does_not_replace_what_was_typed_after_it(page: Page, address: str) -> None:
    page.goto(f"{address}#/charts?line=SBr2.5+BBc")
    late: list[Route] = []
    page.route(
        "**/api/cards/parse",
        lambda route: late.append(route) if route.request.post_data_json["text"] == "QsJh" else route.continue_(),
    )
    page.get_by_role("textbox", name="Flop").click()
    page.keyboard.type("QsJh2h")
    panel = page.get_by_role("form", name="To the flop")
    deuce = panel.get_by_role("button", name="2 of hearts")
    expect(deuce).to_have_attribute("aria-pressed", "true")
    (route,) = late
    route.continue_()
    settled(page)
    expect(deuce).to_have_attribute("aria-pressed", "true")
    expect(panel.get_by_role("button", name="Solve", exact=True)).to_be_enabled()
    page.unroute_all()


def test_set_up_takes_ranges_pot_and_stack_of_the_line(page: Page, address: str) -> None:
    page.goto(f"{address}#/charts?line=SBr2.5+BBr10+SBc&board=QsJh2h")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_label("Pot", exact=True)).to_have_value("2000")
    expect(page.get_by_label("Stack behind")).to_have_value("9000")
    expect(page.get_by_label("Board as text")).to_have_value("Qs Jh 2h")
    expect(page.get_by_label("OOP range as text")).to_have_value(re.compile(r"^TT\+|QQ\+|KK\+"))
    expect(page.get_by_label("Tree", exact=True)).to_contain_text("nodes")
    expect(page.get_by_label("Positions")).to_have_value("BB, SB")
    expect(page.get_by_role("region", name="OOP").get_by_role("heading")).to_have_text("OOP BB")


def test_another_stack_keeps_the_situation_and_the_strip_leads_anywhere(page: Page, address: str) -> None:
    page.goto(f"{address}#/charts?line=SBr2.5+BBr10")
    expect(page.get_by_role("grid", name="SB: strategy by class")).to_be_visible()
    page.get_by_role("button", name="40 bb", exact=True).click()
    expect(page).to_have_url(re.compile("stack=40"))
    expect(page.get_by_role("button", name="SB vs 3-bet", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Stack", exact=True).fill("9")
    expect(page).to_have_url(re.compile("stack=200"))
    page.get_by_role("navigation", name="Line").get_by_role("button", name=re.compile("^call")).first.click()
    expect(page.get_by_role("button", name="BB vs limp", exact=True)).to_have_attribute("aria-pressed", "true")
    settled(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="SB first in", exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_tree_of_ones_own_is_solved_and_opens_as_a_chart(page: Page, address: str) -> None:
    page.goto(f"{address}#/charts")
    page.get_by_role("button", name="New tree").click()
    form = page.get_by_role("form", name="New tree")
    form.get_by_label("Stack").fill("0")
    expect(form.get_by_role("alert")).to_contain_text("greater than 0")
    expect(form.get_by_role("button", name="Solve")).to_be_disabled()
    form.get_by_label("Stack").fill("30")
    form.get_by_label("open").fill("2.2 3")
    expect(form).to_contain_text("raise to 2.2 · raise to 3")
    form.get_by_role("button", name="Solve").click()
    page.wait_for_url(re.compile("#/solve"))
    expect(page.locator(".job .state")).to_have_text("done", timeout=COMPILING)
    page.goto(f"{address}#/charts")
    page.get_by_label("Own trees").select_option(label="own, 30 bb")
    expect(page.get_by_role("navigation", name="Line")).to_contain_text("raise to 2.2")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_of_the_charts_is_cut_covered_or_off_screen(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    context = new_context(browser, size, bypass_csp=True)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    found = []
    for place in ("", "?line=SBr2.5+BBr10&pin=QJs", "?line=SBr2.5+BBc&board=Qs+Jh+2h", "?tree=1", "?stack=10&view=ev"):
        for theme in ("light", "dark") if not place else ("dark",):
            page.emulate_media(color_scheme=theme)
            page.goto(f"{address}#/charts{place}")
            expect(page.get_by_role("grid").first).to_be_visible()
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), place
            found += [f"{place}: {fault}" for fault in faults(page)]
            if size == SIZES[0]:
                found += [f"{place}, {theme}: {barrier}" for barrier in barriers(page)]
    assert not found, found
    assert not said, said
    context.close()


def test_every_page_is_reached_from_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}#/library")
    pages = page.get_by_role("navigation", name="Pages")
    expect(pages.get_by_role("link", name="Runs")).to_be_hidden()
    pages.get_by_role("button", name="More").click()
    assert faults(page) == []
    pages.get_by_role("link", name="Runs").click()
    expect(page).to_have_url(re.compile("#/train"))
    expect(pages.get_by_role("link", name="Runs")).to_be_hidden()  # the menu closes
