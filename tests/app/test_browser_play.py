"""The Play page in a real Chromium: a hand by keys and clicks, at three sizes, light and dark; and its API."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from reference.browser import COMPILING, needs_chromium, new_context, settled
from reference.layout import SIZES, barriers, faults


def play_out(page: Page) -> None:
    """Check or call by the key until the hand is over."""
    over = page.get_by_role("button", name="Next hand")
    for _ in range(20):  # more than a hand has
        settled(page)  # a key that comes too soon is not heard
        if over.is_visible():
            return
        page.keyboard.press("c")
    expect(over).to_be_visible()


@needs_chromium
def test_sit_down_play_and_be_graded(page: Page, address: str) -> None:
    page.goto(f"{address}#/play?stack=20")
    expect(page.get_by_text(re.compile("blueprints of 20, 100 bb"))).to_be_visible()
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("The bot plays its blueprint of 20 bb")).to_be_visible(timeout=COMPILING)
    expect(page.get_by_label("Your cards").locator(".card")).to_have_count(2)
    expect(page.get_by_label("Runout's cards").get_by_label("a card face down")).to_have_count(2)
    page.keyboard.press("b")  # another size
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.get_by_label("So far")).to_contain_text("raise to 3")
    assert page.evaluate("document.activeElement === document.body"), "keys are heard again"
    play_out(page)
    expect(page.get_by_label("Your decisions")).to_contain_text("raise to 3", timeout=COMPILING)
    expect(page.get_by_label("Your decisions")).to_contain_text("in hand 1")
    expect(page.get_by_label("Score")).to_contain_text("without luck (AIVAT)")
    page.reload()  # the table is in the address
    expect(page.get_by_role("button", name="Next hand")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Hand 2, 20 bb each"))).to_be_visible(timeout=COMPILING)


@needs_chromium
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_and_nobody_shut_out(browser: Browser, address: str, size: tuple[int, int]) -> None:
    for scheme in ("light", "dark"):
        context = new_context(browser, size, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{address}#/play?stack=20")
        page.get_by_role("button", name="Sit down").click()
        expect(page.get_by_text("Your turn")).to_be_visible(timeout=COMPILING)
        assert faults(page) == []
        play_out(page)
        assert faults(page) == []
        assert barriers(page) == []
        context.close()


def test_tables_of_the_api(client: TestClient) -> None:
    assert client.get("/api/play").json()["stacks"] == [20.0, 100.0]
    table = client.post("/api/play", json={"stack": 20, "seed": 3}).json()
    assert (table["seat"], table["stack"], table["blueprint"], table["to_act"]) == ("SB", 20.0, 20.0, "you")
    at = f"/api/play/{table['id']}"
    bad = client.post(f"{at}/act", json={"action": "1.2"})
    assert bad.status_code == 422
    assert "2 to 20 bb" in bad.json()["error"]
    assert client.post(f"{at}/next").status_code == 422  # the hand is not over
    assert client.get(at).json() == table
    over = client.post(f"{at}/act", json={"action": "f"}).json()
    assert (over["to_act"], over["won_bb"], over["score"]["hands"]) == ("over", -0.5, 1)
    assert (over["grading"], over["graded"]) == (True, [])
    assert client.post(f"{at}/next").json()["seat"] == "BB"
    graded = client.post(f"{at}/grade").json()  # of the first hand, beside the second
    assert (graded["number"], graded["graded_hand"], graded["grading"]) == (2, 1, False)
    assert [(one["street"], one["action"], one["how"]) for one in graded["graded"]] == [("preflop", "fold", "chart")]
    assert client.get("/api/play/t000000000000").status_code == 404
    assert client.post("/api/play", json={"stack": 1}).status_code == 422
