"""Actions have the same colours in the terminal and in the browser, and text reads well on its background."""

from __future__ import annotations

import re

import pytest

from runout.app.matrix import action_colors
from runout.app.tui.drawing import DARK, LIGHT, Palette
from runout.app.web.server import STATIC
from runout.cursors.colors import hex_color

READABLE = 4.5  # WCAG's contrast of text


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_on_white_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_terminal_and_browser_agree() -> None:
    script = (STATIC / "app" / "colors.js").read_text(encoding="utf-8")
    fixed = re.search(r"FIXED = \{(.*?)\}", script)
    assert fixed
    for name, color in re.findall(r'"?([a-z-]+)"?: "(#[0-9a-f]{6})"', fixed[1]):
        (own,) = action_colors([name])
        assert hex_color(own) == color, name
    first = re.search(r"\[0\.0, \[(\d+), (\d+), (\d+)\]\]", script)
    assert first
    assert action_colors(["bet", "bet"])[0] == tuple(map(int, first.groups()))


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_the_terminal_reads_well(palette: Palette) -> None:
    for color in (palette.text, palette.dim, palette.accent, *palette.suits.values()):
        assert contrast(color, palette.screen) >= READABLE, color


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_the_pages_read_well(place: int) -> None:
    style = (STATIC / "style.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    colors = {name: pair[place] for name, *pair in pairs}
    for name in ("text", "muted"):
        for ground in ("bg", "panel"):
            assert contrast(colors[name], colors[ground]) >= READABLE, (name, ground)
    assert contrast(colors["cell-text"], colors["cell"]) >= 3.5  # classes that are not in the range
