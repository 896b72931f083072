"""What a policy of hold'em plays before the flop, class by class: the part of a strategy that fits on a page."""

from __future__ import annotations

import numpy as np

from runout.cards.hands import CLASS_NAMES, COMBO_CARDS, COMBO_CLASS
from runout.games.betting import BETTING, PREFLOP
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.protocols import HoldemPolicy

MOST_LINES = 500  # decisions before the flop that are tabulated at most, the shortest lines first


def preflop_table(game: HoldemGame, policy: HoldemPolicy) -> tuple[np.ndarray, np.ndarray]:
    """Lines (text [lines], 'SBr2 BBc': totals in big blinds) and probabilities float32 [lines, slots, 169];
    NaN for classes that are not dealt.

    The mixture of all parts, each by its odds and by how likely it plays the player's own actions so far. A game that
    starts on a flop has none.
    """
    if game.rules.first_street != PREFLOP:
        return np.array([], "U1"), np.zeros((0, len(game.slot_names), len(CLASS_NAMES)), np.float32)
    starts = [HoldemBatch(game, deals) for deals in _deals(game)]
    weights = np.asarray(policy.weights)[:, None]
    reach = np.broadcast_to(weights, (len(weights), len(starts[0])))
    waiting = [("", starts, [reach, reach], game.deal(starts[0].cards[0].tolist()))]
    lines: list[str] = []
    rows: list[np.ndarray] = []
    while waiting and len(lines) < MOST_LINES:
        line, batches, ranges, state = waiting.pop(0)
        player = state.player
        played = np.stack([policy.probabilities(batches[player], part) for part in range(len(weights))])
        total = ranges[player].sum(axis=0)
        share = np.where(total > 0, ranges[player] / np.where(total > 0, total, 1), weights)
        lines.append(line)
        rows.append((share[:, :, None] * played).sum(axis=0).T)
        for slot, action in sorted(state.menu().items()):
            after = state.play_to(action)
            if after.betting.status != BETTING or after.betting.street != PREFLOP:
                continue
            moved = [batch.take(np.arange(len(batch))) for batch in batches]
            for batch in moved:
                batch.act(np.full(len(batch), slot))
            left = list(ranges)
            left[player] = ranges[player] * played[:, :, slot]
            waiting.append((f"{line} {game.wording.token(action, PREFLOP, player)}".strip(), moved, left, after))
    table = np.full((len(lines), len(game.slot_names), len(CLASS_NAMES)), np.nan, np.float32)
    table[:, :, _classes(game)] = np.array(rows)
    return np.array(lines), table


def _classes(game: HoldemGame) -> np.ndarray:
    """int64 [n]: classes that can be dealt."""
    return np.unique(COMBO_CLASS[np.isin(COMBO_CARDS, game.deck).all(axis=1)])


def _deals(game: HoldemGame) -> list[np.ndarray]:
    """For each player uint8 [n, 9]: a deal with a hand of each class for this player, and anything for the other."""
    deck = game.deck
    held = np.flatnonzero(np.isin(COMBO_CARDS, deck).all(axis=1))
    first = held[np.unique(COMBO_CLASS[held], return_index=True)[1]]
    found = []
    for player in range(2):
        rows = []
        for combo in first:
            own = COMBO_CARDS[combo].astype(int).tolist()
            rest = [card for card in deck if card not in own]
            hole = [own, rest[:2]] if player == 0 else [rest[:2], own]
            rows.append([*hole[0], *hole[1], *rest[2:7]])
        found.append(np.array(rows, np.uint8))
    return found
