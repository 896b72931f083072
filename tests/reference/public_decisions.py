"""A public decision under a policy, followed action by action: the slow twin of the explorer of policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runout.cursors.mixtures import first_reach, live_hands, mixed, open_cards, part_probabilities, public_deal
from runout.errors import InputError
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.protocols import HoldemPolicy


@dataclass(frozen=True, eq=False)
class PublicDecision:
    """A decision that a public line leads to, under a policy for both players."""

    batch: HoldemBatch  # one row; its hole cards mean nothing
    player: int  # who is to act
    reach: tuple[np.ndarray, np.ndarray]  # float64 [parts, 1326] of each player, weights of parts included
    strategy: np.ndarray  # float64 [slots, 1326] of the player to act; 0 where the hand does not get here


def follow(game: HoldemGame, policy: HoldemPolicy, board: Sequence[int], slots: Sequence[int]) -> PublicDecision:
    """The decision after the `slots` of a line, on the open cards `board`; refused where the hand is over by then."""
    batch = HoldemBatch(game, public_deal(game, board)[None])
    reach = [first_reach(policy, 1), first_reach(policy, 1)]
    for slot in slots:
        player = int(batch.player[0])
        asked = part_probabilities(policy, batch, reach[player])
        reach[player] *= asked[..., slot]
        batch.act(np.array([slot]))
        if batch.over[0]:
            raise InputError("the line ends the hand: nobody is to act after it")
    shown = int(open_cards(batch)[0])
    if len(board) < shown:
        raise InputError(f"the line goes on with {shown} board cards open: {len(board)} are given")
    player, live = int(batch.player[0]), live_hands(batch)[:, None]
    reach = [side * live for side in reach]
    strategy = mixed(reach[player], part_probabilities(policy, batch, reach[player]))[0].T
    return PublicDecision(batch, player, (reach[0][0], reach[1][0]), strategy)
