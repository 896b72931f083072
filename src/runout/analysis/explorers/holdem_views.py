"""What views of hands dealt from the start share: equities of ranges, steps of the strip and the node itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runout.analysis.explorers.parts import NOBODY_HERE, action_views, hand_weights, mix_note
from runout.analysis.hand_means import mean
from runout.analysis.showdowns import first_shares
from runout.analysis.view import CHANCE, DECISION, FROM_START, MATRIX, ActionView, HandsView, NodeView, StepView
from runout.cards.cards import DECK, card_name
from runout.cards.equity import run_out_shares
from runout.cards.evaluator import strengths
from runout.cards.hands import COMBO_CARDS
from runout.games.holdem_game import FULL_DECK
from runout.games.lines import POSITIONS
from runout.games.points import HoldemLines, Point

ActorAt = Callable[[Point], HandsView | None]  # the hands of the player to act, None where nobody is


def free_combos(board: tuple[int, ...]) -> np.ndarray:
    """bool [1326]: hands that a board leaves."""
    return np.asarray(~np.isin(COMBO_CARDS, board).any(axis=1))


def equities(
    reach: np.ndarray, met: np.ndarray, board: tuple[int, ...], shown: int, deck: Sequence[int] = FULL_DECK
) -> np.ndarray:
    """float64 [2, 1326]: shares of the pot when the hand is checked down to `shown` board cards; NaN for hands that
    the board blocks or that meet nobody, and before the last street for those that nobody has."""
    free, deals = free_combos(board), 1.0
    if len(board) >= shown:
        share = _shown_down(reach, board, free)
    elif not board:
        share = reach[::-1] @ first_shares(shown, tuple(deck)).T
    else:
        free &= (reach > 0).any(axis=0)
        gone = [card for card in range(DECK) if card not in deck]
        share, count, _ = run_out_shares(reach, np.flatnonzero(free), board, gone)
        deals = float(count)
    return np.divide(share, met * deals, out=np.full(share.shape, np.nan), where=(met > 0) & free)


def _shown_down(reach: np.ndarray, board: tuple[int, ...], free: np.ndarray) -> np.ndarray:
    """float64 [2, 1326]: weight that each hand beats, half of what it ties with."""
    live = np.flatnonzero(free)
    rows = np.hstack([np.tile(np.array(board, np.uint8), (len(live), 1)), COMBO_CARDS[live]])
    power = strengths(rows)
    order = np.argsort(power, kind="stable")
    live, power = live[order], power[order]
    weaker, upto = (np.searchsorted(power, power, side=side) for side in ("left", "right"))
    first, second = COMBO_CARDS[live].T
    held = (COMBO_CARDS[live][:, :, None] == np.arange(52)).any(axis=1)  # bool [h, 52]
    found = np.zeros(reach.shape)
    for side in range(2):
        other = reach[1 - side, live]
        total = np.concatenate([[0.0], np.cumsum(other)])
        by_card = np.concatenate([np.zeros((1, 52)), np.cumsum(held * other[:, None], axis=0)])

        less, most = (total[at] - by_card[at, first] - by_card[at, second] for at in (weaker, upto))
        found[side, live] = less + (most + other - less) / 2  # a hand itself was taken off twice
    return np.maximum(found, 0.0)


def holdem_view(
    lines: HoldemLines,
    point: Point,
    hands: tuple[HandsView, ...],
    actor_at: ActorAt,
    shown: int,
) -> NodeView:
    """Everything about a point, in big blinds; EVs of whole ranges where hands have them."""
    unit, state, ending = lines.big_blind, point.state, point.ending(shown)
    comes = shown - len(point.board) if ending == "run-out" else point.deal_count
    actor = hands[state.player] if point.kind == DECISION and len(hands) == 2 else actor_at(point)
    return NodeView(
        line=point.line,
        kind=point.kind,
        player=point.player,
        players=(POSITIONS[0], POSITIONS[1]),
        street=point.street,
        board=tuple(card_name(c) for c in point.board),
        pot=state.pot / unit,
        stacks=(state.behind(0) / unit, state.behind(1) / unit),
        to_call=state.to_call / unit if point.kind == DECISION else 0.0,
        unit="bb",
        layout=MATRIX,
        actions=_actions(lines, point, actor),
        hands=hands,
        evs=_both(hands, "ev"),
        equities=_both(hands, "equity"),
        strip=strip(lines, point, actor_at),
        ending=ending,
        deals=tuple(card_name(c) for c in lines.deck if c not in point.board) if comes else (),
        deal_count=comes,
        notes=_notes(hands, actor, state.pot / unit),
        ev_from=FROM_START,
        put_in=((state.rules.pot / 2 + state.spent[0]) / unit, (state.rules.pot / 2 + state.spent[1]) / unit),
    )


def _actions(lines: HoldemLines, point: Point, actor: HandsView | None) -> tuple[ActionView, ...]:
    numbers = range(len(point.menu))
    tokens, names = [lines.token(point, n) for n in numbers], [lines.name(point, n) for n in numbers]
    return action_views(point.state, point.menu, tokens, names, actor)


def _both(hands: tuple[HandsView, ...], field: str) -> tuple[float, float] | None:
    if len(hands) != 2:
        return None
    first, second = (float(mean(getattr(one, field), hand_weights(one))) for one in hands)
    return None if np.isnan(first) or np.isnan(second) else (first, second)


def _notes(hands: tuple[HandsView, ...], actor: HandsView | None, pot: float) -> tuple[str, ...]:
    if not all(hand_weights(one).any() for one in hands):
        return (NOBODY_HERE,)
    note = mix_note(actor, pot) if actor is not None else None
    return (note,) if note else ()


def strip(lines: HoldemLines, point: Point, actor_at: ActorAt) -> tuple[StepView, ...]:
    """Every step from the start."""
    path, steps = point.path, []
    for at, after in zip(path, [*path[1:], None], strict=True):
        taken: str | None = None
        cards: tuple[str, ...] = ()
        if after is not None:
            taken = after.dealt[-1] if at.kind == CHANCE else after.words[-1][-1]
        if taken is not None and at.kind == CHANCE:
            cards = tuple(taken.split())
        actions = _actions(lines, at, actor_at(at))
        steps.append(
            StepView(at.line, at.kind, at.player, at.street, at.state.pot / lines.big_blind, actions, taken, cards)
        )
    return tuple(steps)
