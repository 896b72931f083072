"""Kuhn and Leduc: closed forms, and every history of both beside OpenSpiel's own."""

from __future__ import annotations

from typing import Any

import pytest

from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn, KuhnState
from runout.games.leduc import Leduc, LeducState
from runout.games.protocol import CHANCE, TERMINAL, AnyGame

pyspiel = pytest.importorskip("pyspiel")


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


@pytest.mark.parametrize(
    ("game", "name", "histories", "infosets"), [(Kuhn(), "kuhn_poker", 58, 12), (Leduc(), "leduc_poker", 9457, 936)]
)
def test_a_game_is_openspiels_history_by_history(game: AnyGame, name: str, histories: int, infosets: int) -> None:
    keys: dict[str, str] = {}
    beside(game, pyspiel.load_game(name), keys)
    assert len(keys) == len(set(keys.values())) == infosets
    compiled = compile_game(game)
    assert len(compiled.player) == histories
    assert {infoset.key for infoset in compiled.infosets} == set(keys)


def test_kuhn_pays_one_for_a_fold_and_two_for_a_call() -> None:
    game = Kuhn()
    assert game.returns(KuhnState("KJ", "x-x")) == (1, -1)
    assert game.returns(KuhnState("KJ", "x-b-f")) == (-1, 1)
    assert game.returns(KuhnState("JK", "b-f")) == (1, -1)
    assert game.returns(KuhnState("JK", "b-c")) == (-2, 2)


def test_leduc_counts_chips_and_pairs() -> None:
    game = Leduc()
    pair = LeducState(("Js", "Kh", "Jh"), (("x", "b2", "r4", "c"), ("b4", "c")))
    assert game.returns(pair) == (9, -9)
    split = LeducState(("Ks", "Kh", "Jh"), (("x", "x"), ("x", "x")))
    assert game.returns(split) == (0, 0)
    folded = LeducState(("Ks", "Kh"), (("b2", "r4", "f"),))
    assert game.returns(folded) == (-3, 3)
    assert game.actions(LeducState(("Ks", "Kh"), (("b2", "r4"),))) == ("fold", "call")
    assert game.infoset(LeducState(("Js", "Kh", "Jh"), (("x", "b2", "c"), ("x",)))) == "Kh x-b2-c|Jh|x"
