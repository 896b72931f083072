"""From a played hand to a spot that can be solved, and to the lines of its decisions in it.

The tree is a modest one of usual sizes, in which OOP does not bet into the player who raised before the flop or bet on
the street before. Where the hand has another bet or raise, that one is in it too, in place of a usual size near it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runout.cards.cards import cards_text
from runout.games.betting import BETTING, FLOP, PREFLOP, RAISE, RIVER, Action, BettingState, start
from runout.games.lines import ANY_CARD, IN_CHIPS, join_line, token
from runout.games.points import BOARD_CARDS
from runout.games.spot import Spot
from runout.hands.record import Move, PlayedHand
from runout.hands.replay import Replay
from runout.run.review_ranges import SpotRanges

USUAL: dict[str, Any] = {
    "flop": {"bet": "50%", "raise": "60%"},
    "turn": {"bet": "66%", "donk": ""},
    "river": {"bet": "75%", "donk": ""},
    "force_all_in": 0.25,
}
NO_LEAD = {"flop": {**USUAL["flop"], "oop": {"bet": ""}}}  # where IP raised last before the flop
MOST_BETS = 2  # on a street, where the hand has no more
NEAR = 1.35  # a usual size is left out where the real one is within this factor of it


class SpotStep(NamedTuple):
    """A move after the flop, by its address in the spot."""

    move: Move
    player: int  # OOP or IP
    line: str  # of the node at which it was made
    token: str


class HandSpot(NamedTuple):
    """The spot of a hand and what was played in it."""

    spot: Spot
    steps: tuple[SpotStep, ...]


def has_spot(hand: PlayedHand, again: Replay) -> bool:
    """Whether somebody had a decision after the flop, with two players in and stacks that are told."""
    part = again.heads_up
    return (
        part is not None
        and all(hand.seats[seat].known for seat in part.seats)
        and any(move.street >= FLOP for move in part.moves)
    )


def hand_spot(hand: PlayedHand, again: Replay, ranges: SpotRanges) -> HandSpot:
    """The spot that begins with the flop of a hand for which `has_spot` holds."""
    part = again.heads_up
    assert part is not None
    first = next(i for i, move in enumerate(part.moves) if move.street >= FLOP)
    begin = part.states[first]
    actions = [after.trail.action for after in part.states[first + 1 :] if after.trail is not None]
    moves = part.moves[first:]
    words: list[list[str]] = [[] for _ in range(moves[-1].street - FLOP + 1)]
    dealt = [cards_text(hand.board[BOARD_CARDS[s - 1] : BOARD_CARDS[s]]) for s in range(FLOP + 1, RIVER + 1)]
    steps = []
    for move, action in zip(moves, actions, strict=True):
        street = move.street - FLOP
        line = join_line(words[: street + 1], dealt[:street])
        steps.append(SpotStep(move, part.seats.index(move.seat), line, token(action)))
        words[street].append(token(action))
    settings = _settings(hand, begin, ranges, part.seats)
    whole = join_line(words, [ANY_CARD] * (len(words) - 1))
    settings["betting"] |= {"max_bets": _most_bets(part.states[first:]), "lines": [whole]}
    spot = Spot(**settings)
    settings["betting"]["remove_lines"] = _near_ones(spot, words, actions)
    return HandSpot(Spot(**settings), tuple(steps))


def _raiser(hand: PlayedHand) -> int | None:
    """The seat that raised last before the flop."""
    return next((move.seat for move in reversed(hand.moves) if move.street == PREFLOP and move.kind == RAISE), None)


def _settings(hand: PlayedHand, begin: BettingState, ranges: SpotRanges, seats: Sequence[int]) -> dict[str, Any]:
    return {
        "board": cards_text(hand.board[: BOARD_CARDS[FLOP]]),
        "pot": begin.pot,
        "stack": begin.behind(0),
        "ranges": {"oop": str(ranges.oop), "ip": str(ranges.ip)},
        "betting": USUAL | (NO_LEAD if _raiser(hand) == seats[1] else {}),
        "big_blind": float(hand.big_blind),
        "positions": [hand.position(seat) for seat in seats],
    }


def _most_bets(states: tuple[BettingState, ...]) -> int:
    return max(MOST_BETS, *(state.raises for state in states))


def _near_ones(spot: Spot, words: list[list[str]], actions: list[Action]) -> list[str]:
    """Lines that end with a usual size where the hand has one near it."""
    found, state, at = [], start(spot.rules()), iter(actions)
    for street, tokens in enumerate(words):
        if street:
            state = state.next_street()
        for place in range(len(tokens)):
            taken = state.verify(next(at))
            for other in spot.menu(state):
                sized = other.amount > state.facing and taken.amount > state.facing and other != taken
                own = state.bets[state.player]
                if sized and 1 / NEAR < (other.amount - own) / (taken.amount - own) < NEAR:
                    before = [*words[:street], [*tokens[:place], IN_CHIPS.token(other, state.street, state.player)]]
                    found.append(join_line(before, [ANY_CARD] * street))
            state = state.act(taken)
            if state.status != BETTING:
                break
    return found
