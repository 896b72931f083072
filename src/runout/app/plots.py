"""Convergence curves: exploitability over iterations, both on logarithmic axes, in a terminal or as PNG or SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, isfinite, log10
from pathlib import Path

from runout.errors import InputError

Curve = Sequence[tuple[int, float]]  # (iteration, exploitability)
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")  # Okabe and Ito's
ANSI = ("bright_blue", "red", "green", "magenta", "yellow", "cyan", "bright_black", "white")
FORMATS = (".png", ".svg")

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # braille dots by row and column
BRAILLE = 0x2800


def check_plot_path(path: Path) -> None:
    """Refuse, before any work is done, a file that a plot could not be written to."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"cannot draw {path.name!r}: use a name that ends in .png or .svg")
    if not path.absolute().parent.is_dir():
        raise InputError(f"no such directory: {path.absolute().parent}")


def save_plot(
    path: Path,
    curves: Mapping[str, Curve],
    title: str,
    unit: str,
    quantity: str = "exploitability",
    along: str = "iterations",
) -> None:
    """Draw `curves` (name -> points) to a PNG or SVG file; along: what the first numbers of points count."""
    check_plot_path(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.5), layout="constrained")
    axes = figure.subplots()
    for number, (name, curve) in enumerate(curves.items()):
        points = _drawable(curve)
        axes.loglog(
            [t for t, _ in points],
            [x for _, x in points],
            color=COLORS[number % len(COLORS)],
            linewidth=1.8,
            label=name,
        )
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
    axes.set_xlabel(along)
    axes.set_ylabel(f"{quantity} ({unit})" if unit else quantity)
    axes.grid(True, which="major", color="#d9d9d9", linewidth=0.8)
    axes.grid(True, which="minor", axis="y", color="#f0f0f0", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    with rc_context({"svg.hashsalt": "runout"}):  # the same curves give the same file
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def terminal_plot(
    curves: Mapping[str, Curve], unit: str, width: int = 72, height: int = 14, color: bool = True
) -> list[str]:
    """Lines of rich markup that draw `curves`; several curves without colour are drawn with a letter each."""
    drawn = {name: _drawable(curve) for name, curve in curves.items()}
    drawn = {name: points for name, points in drawn.items() if points}
    every = [point for points in drawn.values() for point in points]
    if len({t for t, _ in every}) < 2:
        return []
    left, right = log10(min(t for t, _ in every)), log10(max(t for t, _ in every))
    low, high = log10(min(x for _, x in every)), log10(max(x for _, x in every))
    high = max(high, low + 0.5)
    margin = 9
    columns = max(20, width - margin)
    letters = not color and len(drawn) > 1
    across, down = (1, 1) if letters else (2, 4)
    grid: dict[tuple[int, int], tuple[int, int]] = {}  # cell -> dots, curve
    for number, points in enumerate(drawn.values()):
        for x, y in _pixels(points, (left, right), (low, high), columns * across, height * down):
            cell = (y // down, x // across)
            dots = grid.get(cell, (0, number))[0]
            grid[cell] = (dots | (0 if letters else DOTS[y % 4][x % 2]), number)
    lines = []
    for row in range(height):
        value = 10 ** (high - (high - low) * (row + 0.5) / height)
        label = f"{value:>7.1e} " if row % 4 == 1 or height < 6 else " " * 8
        cells = [_cell(grid.get((row, column)), letters, color) for column in range(columns)]
        lines.append(f"{label}│{''.join(cells)}".rstrip())
    lines.append(" " * 8 + "└" + _ticks(left, right, columns))
    names = [_name(number, name, letters, color) for number, name in enumerate(drawn)]
    lines.append(f"{' ' * margin}exploitability ({unit}) by iteration: " + "  ".join(names))
    return lines


def _drawable(curve: Curve) -> list[tuple[int, float]]:
    """Points that logarithmic axes can show; rounding may leave a zero, or a little less, at the end."""
    return [(t, x) for t, x in curve if t > 0 and isfinite(x) and x > 0]


def _pixels(
    points: list[tuple[int, float]], xs: tuple[float, float], ys: tuple[float, float], width: int, height: int
) -> list[tuple[int, int]]:
    """Pixels of the polyline through `points`, from the top left."""

    def place(point: tuple[int, float]) -> tuple[float, float]:
        across = (log10(point[0]) - xs[0]) / (xs[1] - xs[0])
        down = (ys[1] - log10(point[1])) / (ys[1] - ys[0])
        return across * (width - 1), down * (height - 1)

    pixels = []
    ends = [place(point) for point in points]
    for (x0, y0), (x1, y1) in zip(ends, ends[1:] or ends, strict=False):
        steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0))))
        for i in range(steps + 1):
            pixels.append((round(x0 + (x1 - x0) * i / steps), round(y0 + (y1 - y0) * i / steps)))
    return pixels


def _cell(found: tuple[int, int] | None, letters: bool, color: bool) -> str:
    if found is None:
        return " "
    dots, number = found
    sign = chr(ord("a") + number) if letters else chr(BRAILLE + dots)
    return f"[{ANSI[number % len(ANSI)]}]{sign}[/]" if color else sign


def _name(number: int, name: str, letters: bool, color: bool) -> str:
    if letters:
        return f"{chr(ord('a') + number)} = {name}"
    return f"[{ANSI[number % len(ANSI)]}]━ {name}[/]" if color else name


def _ticks(left: float, right: float, columns: int) -> str:
    """The axis, with powers of ten where they fall and the last iteration at the end."""
    axis = ["─"] * columns
    last = f"{round(10**right):,}"
    axis[-len(last) :] = last
    for power in range(floor(left), floor(right) + 1):
        label = f"{10**power:,}"
        at = round((power - left) / (right - left) * (columns - 1))
        if at >= 0 and at + len(label) < columns - len(last):
            axis[at : at + len(label)] = label
    return "".join(axis)
