"""Strategy pictures: 13×13 matrices of stacked bars, in the terminal and as PNG files."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from runout import files
from runout.app.matrix import action_colors
from runout.cards.hands import CLASS_NAMES, MATRIX
from runout.cursors.cells import Cells, cells
from runout.cursors.view import hands_of
from runout.errors import InputError

if TYPE_CHECKING:
    from runout.explorers.pictures import Picture

_NOTHING = 236  # grey of cells, or parts of them, that are not in the range
_CELL, _GAP = 52, 2  # pixels


def require_pictures(solution: Any, folder: Path) -> None:
    """Refuse, before any work is done, a solution that has no pictures or a directory that cannot be written."""
    from runout.cursors.policy_solution import PolicySolution

    if not isinstance(solution, PolicySolution):
        raise InputError("pictures are drawn of trained hold'em strategies: use runout explore for this solution")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists already: choose another name, nothing was overwritten")


def draw_pictures(solution: Any, folder: Path, show: bool = True, color: bool = True) -> list[Path]:
    """Write a PNG for every picture of a solution; with `show` the preflop ones are also printed. The files."""
    from runout.app.cli.node_view import make_console, show_node
    from runout.explorers import open_explorer
    from runout.explorers.pictures import pictures

    require_pictures(solution, folder)
    found = pictures(open_explorer(solution))
    folder.mkdir(parents=True, exist_ok=True)
    drawn, console = [], make_console(quiet=not color)
    for picture in found:
        drawn.append(folder / f"{picture.name}.png")
        save_picture(drawn[-1], picture)
        if show and not picture.name.startswith("flop"):
            console.print(f"\n{picture.title}", markup=False)
            show_node(console, picture.view, place=False)
    if show:
        print(f"drew {len(drawn)} pictures in {folder}")
    return drawn


def save_picture(path: Path, picture: Picture) -> None:
    """Draw a matrix to a PNG file: a cell is filled as far as the class is in the range, its bar split by action."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(7.6, 8.2))
    axes = figure.add_axes((0.02, 0.09, 0.96, 0.86))
    view = picture.view
    found = cells(view, hands_of(view, str(view.player)))
    shades = action_colors([action.kind for action in view.actions])
    axes.imshow(_image(found, np.array(shades, np.uint8)), extent=(0, 13, 0, 13), interpolation="nearest")
    for row in range(13):
        for column in range(13):
            name = CLASS_NAMES[MATRIX[row, column]]
            axes.text(column + 0.5, 12.5 - row, name, ha="center", va="center", fontsize=8)
    labels = [f"{action.name}  {action.frequency:.1%}" for action in view.actions]
    handles = [
        Patch(color=(r / 255, g / 255, b / 255), label=label) for (r, g, b), label in zip(shades, labels, strict=True)
    ]
    axes.set_title(textwrap.fill(picture.title, 88), loc="left", fontsize=9.5, fontweight="bold")
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(handles), frameon=False)
    axes.axis("off")
    with files.replacing(path, binary=True) as file:
        figure.savefig(file, dpi=110, format="png")


def _image(found: Cells, shades: np.ndarray) -> np.ndarray:
    """uint8 [rows, columns, 3]: the matrix as an image; shades uint8 [actions, 3]."""
    image = np.full((13 * _CELL, 13 * _CELL, 3), 255, np.uint8)
    inner = _CELL - _GAP
    for row in range(13):
        for column in range(13):
            index = int(MATRIX[row, column])
            cell = image[row * _CELL : row * _CELL + inner, column * _CELL : column * _CELL + inner]
            cell[:] = _NOTHING
            mix, held = found.strategy[:, index], min(1.0, float(found.weight[index]))
            if held > 0 and not np.isnan(mix).any():
                places = (np.arange(inner) + 0.5) / inner  # across the cell: the action whose share covers it
                owner = np.minimum(np.searchsorted(np.cumsum(mix), places), len(mix) - 1)
                cell[inner - max(1, round(inner * held)) :] = shades[owner]
    return image
