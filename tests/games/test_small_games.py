"""Kuhn and Leduc: closed forms, and every history of both beside OpenSpiel's own."""

from __future__ import annotations

import pytest

from reference.openspiel import beside
from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn, KuhnState
from runout.games.leduc import Leduc, LeducState
from runout.games.protocol import AnyGame

pyspiel = pytest.importorskip("pyspiel")


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
