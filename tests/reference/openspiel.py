"""A game walked side by side with OpenSpiel's own."""

from __future__ import annotations

from typing import Any

import pytest

from runout.games.protocol import CHANCE, TERMINAL, AnyGame


def beside(game: AnyGame, other: Any, keys: dict[str, str]) -> None:
    """Walk a game and OpenSpiel's together; keys collects what each calls its information sets."""
    stack = [(game.root(), other.new_initial_state())]
    while stack:
        state, theirs = stack.pop()
        player = game.player(state)
        assert (player == TERMINAL) == theirs.is_terminal()
        if player == TERMINAL:
            assert list(game.returns(state)) == theirs.returns()
            continue
        assert (player == CHANCE) == theirs.is_chance_node()
        actions = game.actions(state)
        legal = theirs.legal_actions()
        assert len(actions) == len(legal)
        if player == CHANCE:
            odds = dict(theirs.chance_outcomes())
            assert game.chance(state) == pytest.approx([odds[action] for action in legal], abs=1e-15)
        else:
            assert player == theirs.current_player()
            assert keys.setdefault(game.infoset(state), theirs.information_state_string()) == (
                theirs.information_state_string()
            )
        stack += [(game.next(state, a), theirs.child(b)) for a, b in zip(actions, legal, strict=True)]
