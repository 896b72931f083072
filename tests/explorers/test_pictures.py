"""Which decisions are pictured, and that their numbers are the policy's."""

from __future__ import annotations

import numpy as np
import pytest

from reference.holdem_policies import RandomTable
from runout.app.pictures import save_picture
from runout.cards.cards import board
from runout.cards.hands import class_index
from runout.cards.textures import texture
from runout.cursors.cells import Cells, cells
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.view import Explorer, NodeView, hands_of
from runout.evaluation.opponents import named_policy
from runout.explorers import open_explorer
from runout.explorers.pictures import FLOPS, Picture, pictures
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_game import HoldemGame
from runout.protocols import HoldemPolicy
from runout.solutions.reached import Reached

LIMIT = LimitHoldem(num_streets=2).game()
NO_LIMIT = NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1)).game()


def test_flops_stand_for_every_texture():
    found = {(t.suits, t.pairing, t.height) for t in (texture(board(flop)) for flop in FLOPS)}
    suits, heights = ("monotone", "two-tone", "rainbow"), ("high", "middle", "low")
    wanted = {(s, "unpaired", h) for s in suits for h in heights}
    assert wanted <= found
    assert {(s, "paired", h) for s in suits[1:] for h in heights} <= found
    assert len(FLOPS) == len(set(FLOPS)) == 25


def solution(game: HoldemGame, policy: HoldemPolicy | None = None) -> PolicySolution:
    return PolicySolution(game, {}, policy or named_policy("uniform"), Reached())


def explorer(game: HoldemGame) -> Explorer:
    return open_explorer(solution(game))


def drawn(view: NodeView) -> Cells:
    return cells(view, hands_of(view, str(view.player)))


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_both_players_are_shown_on_every_flop(game):
    found = pictures(explorer(game), FLOPS[:2])
    names = [one.name for one in found]
    assert names[0] == "open"
    assert "answer" in names
    assert "answer-SBc" in names
    flops = [one for one in found if one.name.startswith("flop")]
    assert [one.view.player for one in flops] == ["BB", "SB", "BB", "SB"]
    assert flops[0].title == "BB on As Ks Qs (A-high, monotone, unpaired, connected), first to act, 4 bb in the pot"
    assert len(set(names)) == len(names)
    for one in found:
        assert sum(action.frequency for action in one.view.actions) == pytest.approx(1.0)
        assert drawn(one.view).strategy[:, class_index("T9s")].sum() == pytest.approx(1.0)


def test_numbers_are_those_of_the_policy():
    found = {one.name: drawn(one.view) for one in pictures(explorer(LIMIT), FLOPS[:1])}
    assert np.allclose(found["open"].strategy, 1 / 3)
    assert np.allclose(found["open"].weight, 1.0)
    assert np.allclose(found["answer"].weight, 1.0)
    flop = found["flop-AsKsQs-BB"]
    assert flop.weight[class_index("22")] == pytest.approx(1 / 3)
    assert flop.combos[class_index("AA")] == pytest.approx(1)  # three of six combos are blocked, a third calls


def test_pictures_are_drawn(tmp_path):
    view = open_explorer(solution(LIMIT, RandomTable((1, 2), seed=3))).at("SBr2")
    save_picture(tmp_path / "one.png", Picture("answer", "BB answers a raise", view))
    assert (tmp_path / "one.png").read_bytes()[:4] == b"\x89PNG"
    assert [path.name for path in tmp_path.iterdir()] == ["one.png"]
