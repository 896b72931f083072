"""Library, tree editing and the tour in a real Chromium; nothing cut, covered or off-screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reference.browser import COMPILING, WAIT, needs_chromium, new_context, settled
from reference.layout import SIZES, barriers, faults

pytestmark = needs_chromium
RIVER = "ready/3-bet-pot-river"


def test_folders_tags_and_one_file(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}#/library")
    page.get_by_label("Choose leduc").check()
    page.get_by_label("Choose push-fold").check()
    bar = page.get_by_label("Chosen solutions")
    expect(bar).to_contain_text("2 chosen")
    bar.get_by_role("button", name="Move to folder").click()
    page.get_by_label("Folder for the chosen solutions").fill("games/small")
    page.keyboard.press("Enter")
    folders = page.get_by_role("navigation", name="Folders")
    folders.get_by_role("button", name=re.compile("^games")).click()
    folders.get_by_role("button", name=re.compile("^small")).click()
    expect(page.locator("table.library tbody tr")).to_have_count(2)
    with page.expect_download() as download:
        bar.get_by_role("link", name="Export in one file").click()
    kept = tmp_path / "two.tar"
    download.value.save_as(kept)
    page.get_by_label("File of solutions to import").set_input_files(kept)
    expect(page.get_by_label("Choose leduc-2")).to_be_visible()
    for name in ("leduc-2", "push-fold-2"):
        page.get_by_role("button", name=f"More about {name}", exact=True).click()
        page.get_by_role("button", name=f"Delete {name}").click()
        page.get_by_role("button", name=f"Really delete {name}").click()
        expect(page.get_by_label(f"Choose {name}")).to_have_count(0)


def test_a_size_is_added_another_removed_and_the_tree_solved_again(page: Page, address: str) -> None:
    page.goto(f"{address}#/look/{RIVER}?tab=tree")
    tree = page.get_by_role("tabpanel")
    first = tree.locator(".tree-sizes li").first
    removed = first.locator("span").first.inner_text().split()[1]
    first.get_by_role("button", name="Remove").click()
    page.get_by_label("Size to add").fill("2x")
    page.keyboard.press("Enter")
    expect(tree.get_by_role("alert")).to_contain_text("no bet yet to multiply")
    page.get_by_role("button", name="Do not add 2x").click()
    page.get_by_label("Size to add").fill("50%")
    page.keyboard.press("Enter")
    expect(tree).to_contain_text("nodes")
    page.get_by_role("button", name="Re-solve with this tree").click()
    page.locator("a.primary", has_text="Look").click(timeout=COMPILING)
    actions = page.get_by_label("Actions")
    expect(actions).to_contain_text("bet 250")
    expect(actions).not_to_contain_text(f"bet {removed} ")


def test_sizes_are_compared_by_ev(page: Page, address: str) -> None:
    page.goto(f"{address}#/look/{RIVER}?line=x&tab=tree")
    page.get_by_label("Sizes to compare").fill("50 150")
    page.get_by_role("button", name="Solve each").click()
    table = page.get_by_role("table", name="EV by size")
    for size in ("50%", "150%"):
        expect(table.get_by_role("link", name=size, exact=True)).to_be_visible(timeout=COMPILING)
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.locator("td[colspan]")).to_have_count(0)  # figures in every row
    evs = [float(cell.inner_text()) for cell in table.locator("tbody tr td:nth-child(2)").all()]
    assert len(evs) == 3
    assert max(evs) - min(evs) < 50  # of a pot of 500: sizes matter little here
    page.reload()
    expect(table.get_by_role("link", name="150%", exact=True)).to_be_visible()  # the address has it


def test_ranges_of_a_chart_and_of_ones_own_fill_the_spot(page: Page, address: str) -> None:
    page.goto(f"{address}#/spot")
    page.get_by_label("Stack of the charts").select_option("40")
    page.get_by_role("button", name="3-bet pot", exact=True).click()
    pot = page.get_by_label("Pot", exact=True)
    expect(page.get_by_label("Big blind")).to_have_value("100")
    expect(page.get_by_label("Tree", exact=True)).to_contain_text("nodes")
    filled = pot.input_value(), page.get_by_label("OOP range as text").input_value()
    page.get_by_role("button", name="Keep these").click()
    page.get_by_label("Name of this pair").fill("mine")
    page.keyboard.press("Enter")
    page.goto(f"{address}#/spot?pot=10&stack=20&ranges.oop=AA&ranges.ip=KK&board=2c+3c+4d")
    expect(pot).to_have_value("10")
    page.get_by_role("button", name="mine", exact=True).click()
    expect(pot).to_have_value(filled[0])
    expect(page.get_by_label("OOP range as text")).to_have_value(filled[1])
    expect(page.get_by_label("Board as text")).to_have_value("2c 3c 4d")
    page.get_by_role("button", name="Forget mine").click()
    expect(page.get_by_role("button", name="mine", exact=True)).to_have_count(0)


def test_the_tour_leads_through_the_pages(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    page.get_by_role("button", name="Take the tour").click()
    tour = page.get_by_role("dialog", name="Tour")
    for place in ("charts", "look", "practice", "spot", "review"):
        expect(page).to_have_url(re.compile(f"#/{place}"))
        expect(page.locator("main")).to_be_visible()
        tour.get_by_role("button", name=re.compile("Next|Done")).click()
    expect(tour).to_have_count(0)


def test_time_that_is_up_decides_in_practice(page: Page, address: str) -> None:
    page.clock.install()
    page.goto(f"{address}#/practice/{RIVER}?clock=20&seat=oop")
    expect(page.get_by_role("timer")).to_contain_text("s")
    page.clock.fast_forward(20_000)
    expect(page.get_by_role("status").filter(has_text="Time is up")).to_be_visible()
    expect(page.locator(".grade")).to_be_visible()  # nobody pressed anything
    page.get_by_role("button", name="no clock").click()
    expect(page.get_by_role("timer")).to_have_count(0)
    page.get_by_label("Game").select_option("charts/100bb")
    page.get_by_label("Situation").select_option(label="SB vs 3-bet")
    expect(page.locator(".felt-top")).to_contain_text("12.5")
    expect(page.locator(".felt-hand")).to_contain_text("SB")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_cut_in_library_tree_and_tour(browser: Browser, address: str, size: tuple[int, int]) -> None:
    context = new_context(browser, size, bypass_csp=True)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    found = []

    def look(what: str) -> None:
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), what
        found.extend(f"{what}: {fault}" for fault in faults(page))
        if size == SIZES[0]:
            found.extend(f"{what}: {barrier}" for barrier in barriers(page))

    page.goto(f"{address}#/library")
    page.get_by_label("Choose leduc").check()
    page.get_by_role("button", name="More about leduc").click()
    look("library")
    page.goto(f"{address}#/look/{RIVER}?tab=tree&tree=%2B:50%25")
    expect(page.get_by_role("tabpanel")).to_contain_text("nodes")
    look("tree")
    page.goto(f"{address}#/practice/{RIVER}?clock=20")
    expect(page.get_by_role("timer")).to_be_visible()
    look("practice")
    page.goto(f"{address}#/library")
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_role("dialog", name="Tour")).to_be_visible()
    expect(page.get_by_role("grid").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert not found, found
    assert not said, said
    context.close()


def test_a_line_of_a_whole_game_becomes_an_exact_spot(page: Page, address: str) -> None:
    page.goto(f"{address}#/library")
    page.get_by_role("link", name="whole game, 20 bb").click()
    expect(page.get_by_label("Actions")).to_contain_text("raise")
    line = page.get_by_role("textbox", name="Line", exact=True)
    line.fill("SBr2 BBc|Qs Jh 2h")
    line.press("Enter")
    expect(page.get_by_role("button", name="Solve this spot exactly")).to_be_enabled(timeout=WAIT)
    found = faults(page)
    assert not found, found
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_label("Pot", exact=True)).to_have_value(re.compile("4"), timeout=WAIT)
    assert "Qs" in page.url
