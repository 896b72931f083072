"""Strategy pictures: 13×13 matrices of stacked bars, in the terminal and as PNG files."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runout import files
from runout.app.matrix import action_colors, legend, matrix_lines, plain_lines
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.errors import InputError
from runout.games.lines import action_name

if TYPE_CHECKING:
    from runout.analysis.pictures import Picture

_NOTHING = 236  # grey of cells, or parts of them, that are not in the range
_CELL, _GAP = 52, 2  # pixels


def require_pictures(solution: Any, folder: Path) -> None:
    """Refuse, before any work is done, a solution that has no pictures or a directory that cannot be written."""
    from runout.analysis.policy_solution import PolicySolution

    if not isinstance(solution, PolicySolution):
        raise InputError("pictures are drawn of trained hold'em strategies: use runout explore for this solution")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists already: choose another name, nothing was overwritten")


def draw_pictures(solution: Any, folder: Path, show: bool = True, color: bool = True) -> list[Path]:
    """Write a PNG for every picture of a solution; with `show` the preflop ones are also printed. The files."""
    from runout.analysis.pictures import pictures

    require_pictures(solution, folder)
    found = pictures(solution.game, solution.policy)
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for picture in found:
        drawn.append(folder / f"{picture.name}.png")
        save_picture(drawn[-1], picture)
        if show and not picture.name.startswith("flop"):
            print_picture(picture, color)
    if show:
        print(f"drew {len(drawn)} pictures in {folder}")
    return drawn


def print_picture(picture: Picture, color: bool = True) -> None:
    """The matrix in the terminal: coloured bars, or plain text where there is no terminal."""
    from rich.console import Console

    console = Console(no_color=not color or None, highlight=False)
    console.print(f"\n{picture.title}", markup=False)
    bars = color and sys.stdout.isatty() and not console.no_color
    if bars:
        for line in matrix_lines(picture.menu, picture.strategy, picture.reach, console.width):
            console.print(line)
    else:
        for text in plain_lines(picture.menu, picture.strategy, picture.reach):
            console.print(text, markup=False, soft_wrap=True)
    console.print(legend(picture.menu, picture.frequencies, color=bars, width=console.width))


def save_picture(path: Path, picture: Picture) -> None:
    """Draw a matrix to a PNG file: a cell is filled as far as the class is in the range, its bar split by action."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(7.6, 8.2))
    axes = figure.add_axes((0.02, 0.09, 0.96, 0.86))
    axes.imshow(_cells(picture), extent=(0, 13, 0, 13), interpolation="nearest")
    for row in range(13):
        for column in range(13):
            name = CLASS_NAMES[MATRIX[row, column]]
            axes.text(column + 0.5, 12.5 - row, name, ha="center", va="center", fontsize=8)
    labels = [
        f"{action_name(action)}  {frequency:.1%}"
        for action, frequency in zip(picture.menu, picture.frequencies, strict=True)
    ]
    shades = action_colors(picture.menu)
    handles = [
        Patch(color=(r / 255, g / 255, b / 255), label=label) for (r, g, b), label in zip(shades, labels, strict=True)
    ]
    axes.set_title(textwrap.fill(picture.title, 88), loc="left", fontsize=9.5, fontweight="bold")
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(handles), frameon=False)
    axes.axis("off")
    with files.replacing(path, binary=True) as file:
        figure.savefig(file, dpi=110, format="png")


def _cells(picture: Picture) -> np.ndarray:
    """uint8 [rows, columns, 3]: the matrix as an image."""
    image = np.full((13 * _CELL, 13 * _CELL, 3), 255, np.uint8)
    shades = np.array(action_colors(picture.menu), np.uint8)
    inner = _CELL - _GAP
    for row in range(13):
        for column in range(13):
            index = int(MATRIX[row, column])
            cell = image[row * _CELL : row * _CELL + inner, column * _CELL : column * _CELL + inner]
            cell[:] = _NOTHING
            mix, held = picture.strategy[:, index], min(1.0, float(picture.reach[index]))
            if held > 0 and not np.isnan(mix).any():
                places = (np.arange(inner) + 0.5) / inner  # across the cell: the action whose share covers it
                owner = np.minimum(np.searchsorted(np.cumsum(mix), places), len(mix) - 1)
                cell[inner - max(1, round(inner * held)) :] = shades[owner]
    return image
