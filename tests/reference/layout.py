"""What a person would see of a page that is too small for its contents: parts that are cut, covered or off-screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from reference.browser import settled

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"  # axe-core, MPL 2.0: only tests load it
SIZES = [(1440, 900), (1024, 768), (390, 844)]

# Controls and figures of a page are inside the window from left to right unless what they are in scrolls, are not wider
# than their own box, and, where they are on screen, not under something else.
_FAULTS = """
() => {
  const found = [];
  const wide = document.documentElement.clientWidth;
  const scrolls = (box) => /(auto|scroll)/.test(getComputedStyle(box).overflowX + getComputedStyle(box).overflowY);
  const inScroller = (part) => {
    for (let box = part.parentElement; box && box !== document.body; box = box.parentElement)
      if (scrolls(box)) return true;
    return false;
  };
  const said = (part) => (part.textContent || part.ariaLabel || '').trim().slice(0, 40);
  const name = (part) => `${part.tagName.toLowerCase()}.${part.className} ${said(part)}`;
  const parts = 'button, a, input, select, textarea, h1, h2, dd, th, td, .fact, .cell';
  for (const part of document.querySelectorAll(parts)) {
    const box = part.getBoundingClientRect();
    if (!box.width || !box.height || part.closest('.sr') || part.type === 'range') continue;
    if (!inScroller(part) && (box.left < -1 || box.right > wide + 1)) found.push(`off-screen: ${name(part)}`);
    const hides = /(hidden|clip)/.test(getComputedStyle(part).overflowX);
    const wider = part.clientWidth && part.scrollWidth > part.clientWidth + 2;
    if (part.matches('button, a, dd, h1, h2, .fact') && !hides && wider)
      found.push(`cut: ${name(part)}`);
    if (!part.matches('button, a, input, select') || part.disabled || inScroller(part)) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (y < 0 || y > innerHeight || x < 0 || x > wide) continue;
    const top = document.elementFromPoint(x, y);
    const bar = top && top.closest('.topbar, .spot-foot, .toasts');  // stays in its place while the page scrolls
    if (top && !part.contains(top) && !top.contains(part) && !bar) found.push(`covered: ${name(part)} by ${name(top)}`);
  }
  return [...new Set(found)];
}
"""


def faults(page: Page) -> list[str]:
    """Parts that are cut, covered or off-screen, in words, once the page is at rest."""
    settled(page)
    return list(page.evaluate(_FAULTS))


def barriers(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical, once the page is at rest."""
    settled(page)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("() => axe.run().then(({ violations }) => violations)")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0].get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
