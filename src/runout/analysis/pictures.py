"""Which decisions of a trained hold'em strategy to look at first: openings, answers to them, and 25 flops.

The flops stand for every texture there is of suits (monotone, two-tone, rainbow), pairing and height; both players are
shown at their first decision on each, in the pot that most hands get to: an opening raise that is called, or a limp
where the game has no raise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runout.analysis.hand_means import class_means, compatible, mean
from runout.analysis.mixtures import PublicDecision, follow
from runout.cards.cards import board as parse_board
from runout.cards.cards import cards_text
from runout.cards.hands import CLASS_COMBOS, COMBO_CLASS
from runout.cards.textures import texture
from runout.games.betting import CALL, Action
from runout.games.holdem_game import CALL_SLOT, FIRST_SIZE, FOLD_SLOT, HoldemGame
from runout.games.holdem_state import HoldemState
from runout.games.lines import POSITIONS
from runout.protocols import HoldemPolicy

# Paired and unpaired, high, middle and low, of each number of suits; a pair takes two suits, so no paired monotone.
FLOPS = (
    "As Ks Qs", "Ks 8s 3s", "Js Ts 8s", "9s 6s 3s", "8s 7s 5s", "6s 4s 2s",
    "As Ks 7d", "Qs Js 2d", "Ks 7s 3d", "Js Ts 9d", "9s 7s 2d", "8s 6s 4d",
    "Ad Kh 2s", "Qd Jh Ts", "Kd 8h 3s", "Jd 8h 4s", "9d 8h 6s", "7d 6h 5s", "6d 3h 2s",
    "As Ad Ks", "Qs Qd 5h", "Js Jd 7s", "9s 9d 4h", "5s 5d 3h", "8s 8d 6s",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Picture:
    """One decision as a matrix of classes."""

    name: str  # of its file: "open", "answer", "flop-Ks8s3s-BB"
    title: str  # for people
    player: str  # "BB" or "SB"
    menu: list[Action]
    frequencies: list[float]  # of the whole range that gets here
    strategy: np.ndarray  # float64 [actions, 169]; NaN where no hand of a class gets here
    reach: np.ndarray  # float64 [169]: how much of each class is here, 0 to 1


def pictures(game: HoldemGame, policy: HoldemPolicy, flops: Sequence[str] = FLOPS) -> list[Picture]:
    """The opening, the answer to a raise, and both players on every flop; fewer where the game has fewer."""
    found, lines = [], _first_lines(game)
    for name, title, slots in lines:
        found.append(picture(game, policy, (), slots, name, title))
    if game.rules.last_street == 0:
        return found
    boards = [cards_text(game.board)] if game.board else flops
    before, pot = _way_to_the_flop(game)
    for text in boards:
        cards = parse_board(text)
        for slots, told in ((before, "first to act"), ((*before, CALL_SLOT), "after a check")):
            state = _state(game, cards, slots)
            if state is None:
                continue
            seat = POSITIONS[state.player]
            name = f"flop-{cards_text(cards, '')}-{seat}"
            found.append(picture(game, policy, cards, slots, name, f"{seat} on {text} ({texture(cards)}), {told}{pot}"))
    return found


def picture(
    game: HoldemGame, policy: HoldemPolicy, board: Sequence[int], slots: Sequence[int], name: str, title: str
) -> Picture:
    """What the player to act after `slots` does with every class of hands."""
    spot = follow(game, policy, board, slots)
    state = _state(game, board, slots)
    assert state is not None  # `follow` refuses lines that end the hand
    menu = state.menu()
    strategy = spot.strategy[list(menu)]
    reach = _reach(spot)
    own = reach[spot.player]
    shown = np.where(own > 0, strategy, np.nan)
    weights = own * compatible(reach)[spot.player]
    held = np.bincount(COMBO_CLASS, own, len(CLASS_COMBOS))
    return Picture(
        name=name,
        title=title,
        player=POSITIONS[spot.player],
        menu=list(menu.values()),
        frequencies=[float(x) for x in mean(shown, weights)],
        strategy=class_means(shown, weights),
        reach=held / CLASS_COMBOS,
    )


def _reach(spot: PublicDecision) -> np.ndarray:
    """float64 [2, 1326]: what each player's own actions leave of his hands."""
    return np.stack([side.sum(axis=0) for side in spot.reach])


def _first_lines(game: HoldemGame) -> list[tuple[str, str, tuple[int, ...]]]:
    """Decisions before the flop: the opening, and what the big blind does after each way to open."""
    if game.board:
        return []
    found: list[tuple[str, str, tuple[int, ...]]] = [("open", "SB opens", ())]
    state = _state(game, (), ())
    assert state is not None
    for slot, action in state.menu().items():
        if slot != FOLD_SLOT and _state(game, (), (slot,)) is not None:
            name = "answer" if slot == FIRST_SIZE else f"answer-{slot}"
            found.append((name, f"BB answers {_told(game, action)}", (slot,)))
    return found


def _told(game: HoldemGame, action: Action) -> str:
    """An action with its chips in big blinds: 'a raise to 2 bb'."""
    if action.kind == CALL:
        return "a limp"
    words = f"{game.wording.name(action)} bb"
    return ("an " if words.startswith("all") else "a ") + words


def _way_to_the_flop(game: HoldemGame) -> tuple[tuple[int, ...], str]:
    if game.board:
        return (), ""
    for slot in (FIRST_SIZE, CALL_SLOT):
        state = _state(game, (), (slot, CALL_SLOT))
        if state is not None and state.betting.street == 1:
            return (slot, CALL_SLOT), f", {state.betting.pot / game.big_blind:g} bb in the pot"
    raised = next((s for s in range(FIRST_SIZE, len(game.slot_names)) if _flop_after(game, s)), CALL_SLOT)
    return (raised, CALL_SLOT), ""


def _flop_after(game: HoldemGame, slot: int) -> bool:
    state = _state(game, (), (slot, CALL_SLOT))
    return state is not None and state.betting.street == 1


def _state(game: HoldemGame, board: Sequence[int], slots: Sequence[int]) -> HoldemState | None:
    """The hand after these slots; None where one is not offered or the hand is over."""
    from runout.analysis.mixtures import public_deal

    state = game.deal(public_deal(game, board).tolist())
    for slot in slots:
        if slot not in state.menu():
            return None
        state = state.play(slot)
    return None if state.over else state
