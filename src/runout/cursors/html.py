"""A node as HTML, for notebooks: where it is, what the range does, and the 13×13 matrix in colour."""

from __future__ import annotations

from html import escape

from runout.cards.matrix_html import MatrixCell, bar, matrix_html
from runout.cursors.cells import Cells, cells
from runout.cursors.colors import action_colors, hex_color
from runout.cursors.view import CHANCE, DECISION, MATRIX, NodeView, hands_of

_NONE = "no hand of this class gets here"
_SWATCH = "display:inline-block;width:.9em;height:.9em;border-radius:3px;margin-right:.35em;vertical-align:-.08em"
_BAR = "display:inline-block;width:12em;height:1em;border-radius:3px;vertical-align:-.1em;margin-left:.6em"


def node_html(view: NodeView) -> str:
    """Everything worth a first look at a node."""
    parts = [f"<div><b>{escape(_who(view))}</b> {escape(_where(view))}</div>"]
    if view.evs is not None and view.evs[0] == view.evs[0]:
        parts.append(f'<div style="opacity:.8">{escape(_worth(view))}</div>')
    if view.kind == DECISION:
        found, colors = (
            cells(view, hands_of(view, str(view.player))),
            [hex_color(c) for c in action_colors([action.kind for action in view.actions])],
        )
        parts.append(_legend(view, colors))
        parts.append(_matrix(view, found, colors) if view.layout == MATRIX else _list(found, colors))
    return f'<div style="font:14px system-ui,sans-serif">{"".join(parts)}</div>'


def _who(view: NodeView) -> str:
    if view.kind == DECISION:
        return f"{_title(str(view.player))} to act"
    return "cards come" if view.kind == CHANCE else f"the end: {view.ending or 'the hand is over'}"


def _title(player: str) -> str:
    return player.upper() if len(player) <= 3 else player


def _where(view: NodeView) -> str:
    words = [" ".join(view.board), f"pot {view.pot:g} {view.unit}", view.line]
    return " · ".join(word for word in words if word)


def _worth(view: NodeView) -> str:
    assert view.evs is not None
    text = "EV " + ", ".join(f"{_title(n)} {x:.4g}" for n, x in zip(view.players, view.evs, strict=True))
    if view.equities is not None:
        text += " · equity " + ", ".join(
            f"{_title(n)} {x:.1%}" for n, x in zip(view.players, view.equities, strict=True)
        )
    return text


def _legend(view: NodeView, colors: list[str]) -> str:
    shown = [
        f'<span style="margin-right:1.2em;white-space:nowrap"><span style="{_SWATCH};background:{color}"></span>'
        f"{escape(action.name)} {action.frequency:.1%}</span>"
        for action, color in zip(view.actions, colors, strict=True)
    ]
    return f'<div style="margin:.3em 0">{"".join(shown)}</div>'


def _fill(mix: list[float], colors: list[str]) -> str:
    """A bar with the largest bet on the left and the fold on the right."""
    return bar([(color, share) for color, share in zip(reversed(colors), reversed(mix), strict=True)])


def _matrix(view: NodeView, found: Cells, colors: list[str]) -> str:
    drawn = []
    for index, name in enumerate(found.names):
        mix = found.strategy[:, index].tolist()
        if not found.weight[index] > 0 or any(x != x for x in mix):
            drawn.append(MatrixCell("", 0.0, _NONE))
            continue
        shares = [f"{action.name} {x:.1%}" for action, x in zip(view.actions, mix, strict=True)]
        ev = [f"EV {found.ev[index]:.4g}"] if found.ev[index] == found.ev[index] else []
        drawn.append(MatrixCell(_fill(mix, colors), float(found.weight[index]), "\n".join([name, *shares, *ev])))
    return matrix_html(drawn)


def _list(found: Cells, colors: list[str]) -> str:
    """Hands one below the other, each with a bar of what it does."""
    rows = []
    for index, name in enumerate(found.names):
        mix = found.strategy[:, index].tolist()
        known = found.weight[index] > 0 and all(x == x for x in mix)
        drawn = f'<span style="{_BAR};background:{_fill(mix, colors)}"></span>' if known else ""
        shares = " ".join(f"{x:.1%}" for x in mix) if known else "–"
        rows.append(
            f'<div style="white-space:nowrap"><span style="display:inline-block;min-width:4em">{escape(name)}</span>'
            f"{drawn} {shares}</div>"
        )
    return "".join(rows)
