"""What tests of pages share: the browser, how long it may take, and when a page is at rest."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found, pages not tested: apt install chromium"
)

WAIT = 120_000  # ms; a first look at anything on a fresh machine compiles
COMPILING = 300_000  # the first solve on a fresh machine compiles
DESK = {"width": 1280, "height": 900}

# Counts what a page still waits for: answers of the server, and timers of less than a second.
_COUNTED = """
(() => {
  const { fetch, setTimeout, clearTimeout } = window;
  const timers = new Set();
  let asked = 0;
  window.fetch = (...request) => {
    asked += 1;
    const answer = fetch(...request);
    const read = () => { asked -= 1; };
    answer.then((found) => found.clone().arrayBuffer()).then(read, read);
    return answer;
  };
  window.setTimeout = (work, wait = 0, ...rest) => {
    const id = setTimeout(() => {
      timers.delete(id);
      work(...rest);
    }, wait);
    if (wait < 1000) timers.add(id);
    return id;
  };
  window.clearTimeout = (id) => {
    timers.delete(id);
    clearTimeout(id);
  };
  window.waitsFor = () => asked + timers.size;
})();
"""
_SETTLED = """
(most) => new Promise((done, fail) => {
  const until = performance.now() + most;
  let still = 0;
  const changes = new MutationObserver(() => { still = 0; });
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    const drawn = document.querySelector("main") && !document.querySelector("main .loading");
    still = drawn && !window.waitsFor() ? still + 1 : 0;
    if (still > 3) done(changes.disconnect());
    else if (performance.now() > until) fail(new Error(`no rest: ${window.waitsFor()} waited for`));
    else requestAnimationFrame(look);
  };
  look();
})
"""


def new_context(browser: Browser, size: tuple[int, int] | None = None, **options: Any) -> BrowserContext:
    """A context whose pages `settled` can wait for."""
    viewport = DESK if size is None else {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
    context.add_init_script(_COUNTED)
    context.set_default_timeout(WAIT)
    expect.set_options(timeout=WAIT)
    return context


def settled(page: Page) -> None:
    """Wait until the page is drawn, waits for nothing and has not changed for some frames."""
    page.evaluate(_SETTLED, COMPILING)
