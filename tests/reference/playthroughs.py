"""Hands of hold'em as text a person can follow: every observable of every state."""

from __future__ import annotations

import numpy as np

from runout.cards.cards import cards_text
from runout.games.betting import STREET_NAMES
from runout.games.encoders import HoldemEncoder
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_game import HoldemGame
from runout.games.holdem_state import HoldemState
from runout.games.lines import POSITIONS, action_name

Hand = tuple[str, str]  # nine cards; actions, separated by commas

PLAYTHROUGHS: dict[str, tuple[HoldemSettings, list[Hand]]] = {
    "limit_2_streets": (
        LimitHoldem(stack_depth=10, num_streets=2),
        [
            ("AsKd 7c7h Qs Jh 2h 9c 3d", "raise to 4, raise to 6, raise to 8, call, bet 2, raise to 4, call"),
            ("5c5d AhKh As 5h 2h 5s Qc", "call, check, check, bet 2, raise to 4, raise to 6, fold"),
            ("AcKc AdKd QsJsTs 2h 3h", "call, raise to 4, call, check, check"),
        ],
    ),
    "limit_4_streets": (
        LimitHoldem(stack_depth=6),
        [
            ("Th9h AcAd 8h 7h 2c Ah 6h", "raise to 4, call, check, bet 2, call, check, bet 4, all-in, call"),
            ("2c7d KsKh Kd 9c 4s 4d Jh", "call, raise to 4, call, bet 2, raise to 4, call, check, bet 4, fold"),
            ("JcTc JdTd Js Ts 2h 2c 2d", "call, check, check, check, check, check, bet 4, call"),
        ],
    ),
    "no_limit": (
        NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1), preflop_raises=(2.5,), max_raises_per_street=3),
        [
            ("9s9d AhQh Qs 9c 4h 2d Kh", "raise to 250, call, check, bet 250, raise to 1250, all-in, call"),
            ("AdKc 8c8s 7h 2c 2d Ks Kd", "all-in, call"),
            ("6h5h JcTd Kd 8d 3c Ah 4s", "raise to 250, raise to 625, call, bet 625, fold"),
            ("AsQc AcQd 9h 8h 2d 5c Kh", "call, check, check, bet 100, call, bet 200, call, check, check"),
        ],
    ),
    "no_limit_from_a_flop": (
        NoLimitHoldem(stack_depth=12, bet_sizes=(0.33, 0.75), board="Qs Jh 2h", pot=6, all_in=False),
        [
            ("AhTh QdQc Qs Jh 2h Kh 2s", "check, bet 198, raise to 527, all-in, call"),
            ("KsTd AcAd Qs Jh 2h 9d 3c", "bet 198, call, check, bet 329, all-in, fold"),
        ],
    ),
}


def playthrough(name: str) -> str:
    """The text of a file of tests/golden."""
    settings, hands = PLAYTHROUGHS[name]
    game = settings.game()
    shown = " ".join(f"{key}={value}" for key, value in settings.model_dump().items())
    slots = ", ".join(f"{i} {slot}" for i, slot in enumerate(game.slot_names))
    head = [
        f"game: {game.name}",
        f"settings: {shown}",
        f"slots: {slots}",
        f"numbers: {HoldemEncoder(game).number_size}",
    ]
    return "\n".join([*head, *(line for i, hand in enumerate(hands) for line in _hand(game, i, hand))]) + "\n"


def _hand(game: HoldemGame, index: int, hand: Hand) -> list[str]:
    state = game.deal(hand[0])
    lines = ["", f"=== hand {index}: {cards_text(state.cards)}"]
    for action in hand[1].split(", "):
        lines += [*_state(game, state), f"--> {POSITIONS[state.player]} {action}"]
        state = state.play(action)
    assert state.over, "a playthrough must end"
    return [*lines, *_state(game, state)]


def _state(game: HoldemGame, state: HoldemState) -> list[str]:
    betting = state.betting
    lines = [
        "",
        f"street: {STREET_NAMES[betting.street]}   board: {cards_text(state.board) or '-'}   pot: {betting.pot}",
        f"spent: {betting.spent}   on this street: {betting.bets}   behind: {(betting.behind(0), betting.behind(1))}",
        f"line: {state.line() or '-'}",
    ]
    if state.over:
        return [*lines, f"text: {str(state).splitlines()[-1]}", f"returns: {state.returns()}"]
    menu = ", ".join(f"{slot} {action_name(action)}" for slot, action in state.menu().items())
    features = HoldemEncoder(game).encode(state)
    return [
        *lines,
        f"to act: {POSITIONS[state.player]}   legal: {menu}   mask: {''.join(map(str, features.legal.astype(int)))}",
        f"information set: {state.infoset()}",
        f"cards: {' '.join(map(str, features.cards))}   numbers: {_numbers(game, features.numbers)}",
    ]


def _numbers(game: HoldemGame, numbers: np.ndarray) -> str:
    """Sizes of the actions of each street, '!' at an all-in, then pot, stacks and seat."""
    places = numbers[:-4].reshape(game.rules.streets, -1, 3)
    sizes = [[f"{size:.4g}{'!' * int(all_in)}" for there, size, all_in in street if there] for street in places]
    assert not places[places[:, :, 0] == 0].any()
    return " / ".join(" ".join(street) or "-" for street in sizes) + "   " + " ".join(f"{n:.4g}" for n in numbers[-4:])
