"""Actions have the same colours in the terminal and in the browser, and text reads well on its background."""

from __future__ import annotations

import math
import re

import pytest

from runout.app.matrix import action_colors
from runout.app.tui.drawing import DARK, LIGHT, Palette
from runout.app.web.server import STATIC
from runout.cursors.colors import hex_color, scale_color

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
    for name, stops in (("BETS", action_colors(["bet"] * 5)), ("GOOD", [scale_color(x) for x in (0.0, 0.5, 1.0)])):
        found = re.search(rf"const {name} = \[(.*?)\];", script, re.S)
        assert found
        assert [tuple(map(int, one)) for one in re.findall(r"\[(\d+), (\d+), (\d+)\]", found[1])] == stops, name


def lab(color: tuple[int, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* of an sRGB colour."""
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (c / 255 for c in color))
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


@pytest.mark.parametrize("sizes", [1, 2, 3, 4])
def test_sizes_can_be_told_apart(sizes: int) -> None:
    colors = [lab(color) for color in action_colors(["fold", "call", *["raise"] * sizes, "all-in"])]
    for place, first in enumerate(colors):
        for second in colors[place + 1 :]:
            assert math.dist(first, second) > 30, (first, second)  # amber and orange of before: 18


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
