"""Which decisions of a trained hold'em strategy to look at first: openings, answers to them, and 25 flops.

The flops stand for every texture there is of suits (monotone, two-tone, rainbow), pairing and height; both players are
shown at their first decision on each, in the pot that most hands get to: an opening raise that is called, or a limp
where the game has no raise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runout.cards.cards import board as parse_board
from runout.cards.textures import texture
from runout.cursors.view import CHANCE, DECISION, PREFLOP, Explorer, NodeView, extended

# Paired and unpaired, high, middle and low, of each number of suits; a pair takes two suits, so no paired monotone.
FLOPS = (
    "As Ks Qs", "Ks 8s 3s", "Js Ts 8s", "9s 6s 3s", "8s 7s 5s", "6s 4s 2s",
    "As Ks 7d", "Qs Js 2d", "Ks 7s 3d", "Js Ts 9d", "9s 7s 2d", "8s 6s 4d",
    "Ad Kh 2s", "Qd Jh Ts", "Kd 8h 3s", "Jd 8h 4s", "9d 8h 6s", "7d 6h 5s", "6d 3h 2s",
    "As Ad Ks", "Qs Qd 5h", "Js Jd 7s", "9s 9d 4h", "5s 5d 3h", "8s 8d 6s",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Picture:
    """One decision to draw as a matrix of classes."""

    name: str  # of its file: "open", "answer", "flop-Ks8s3s-BB"
    title: str  # for people
    view: NodeView


def pictures(explorer: Explorer, flops: Sequence[str] = FLOPS) -> list[Picture]:
    """The opening, the answers to it, and both players on every flop; fewer where the game has fewer."""
    root = explorer.at("")
    if root.street != PREFLOP:
        return list(_flop_pictures(explorer, root, ""))
    found = [Picture("open", f"{root.player} opens", root)]
    answers = [(action, explorer.at(action.token)) for action in root.actions if action.kind != "fold"]
    raises = [action for action, _ in answers if action.kind == "raise"]
    for action, view in answers:
        if view.kind == DECISION:
            name = "answer" if action in raises[:1] else f"answer-{action.token}"
            told = "a limp" if action.kind == "call" else f"{'an' if action.name[0] == 'a' else 'a'} {action.name} bb"
            found.append(Picture(name, f"{view.player} answers {told}", view))
    for action in [*raises, *(action for action, _ in answers if action.kind == "call")]:
        view = explorer.at(action.token)
        called = next((explorer.at(extended(view, one.token)) for one in view.actions if one.kind in _CALLS), view)
        if called.kind == CHANCE:
            for flop in flops:
                dealt = explorer.at(extended(called, flop, cards=True))
                found += _flop_pictures(explorer, dealt, f", {called.pot:g} bb in the pot")
            break
    return found


_CALLS = ("call", "check")


def _flop_pictures(explorer: Explorer, view: NodeView, pot: str) -> Iterator[Picture]:
    """Both players at their first decision on a flop."""
    cards = parse_board(" ".join(view.board))
    for told in ("first to act", "after a check"):
        where = f"{view.player} on {' '.join(view.board)} ({texture(cards)})"
        yield Picture(f"flop-{''.join(view.board)}-{view.player}", f"{where}, {told}{pot}", view)
        checks = [action for action in view.actions if action.kind == "check"]
        if not checks:
            return
        view = explorer.at(extended(view, checks[0].token))
