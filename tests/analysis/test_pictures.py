"""Which decisions are pictured, and that their numbers are the policy's."""

from __future__ import annotations

import numpy as np
import pytest

from reference.holdem_policies import RandomTable
from runout.analysis.pictures import FLOPS, picture, pictures
from runout.analysis.policies import named_policy
from runout.app.pictures import print_picture, save_picture
from runout.cards.cards import board
from runout.cards.hands import class_index
from runout.cards.textures import texture
from runout.games.holdem import LimitHoldem, NoLimitHoldem

LIMIT = LimitHoldem(num_streets=2).game()
NO_LIMIT = NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1)).game()


def test_flops_stand_for_every_texture():
    found = {(t.suits, t.pairing, t.height) for t in (texture(board(flop)) for flop in FLOPS)}
    suits, heights = ("monotone", "two-tone", "rainbow"), ("high", "middle", "low")
    wanted = {(s, "unpaired", h) for s in suits for h in heights}
    assert wanted <= found
    assert {(s, "paired", h) for s in suits[1:] for h in heights} <= found
    assert len(FLOPS) == len(set(FLOPS)) == 25


@pytest.mark.parametrize("game", [LIMIT, NO_LIMIT])
def test_both_players_are_shown_on_every_flop(game):
    found = pictures(game, named_policy("uniform"), FLOPS[:2])
    names = [one.name for one in found]
    assert names[0] == "open"
    assert "answer" in names
    flops = [one for one in found if one.name.startswith("flop")]
    assert [one.player for one in flops] == ["BB", "SB", "BB", "SB"]
    assert len(set(names)) == len(names)
    for one in found:
        assert sum(one.frequencies) == pytest.approx(1.0)
        assert np.nansum(one.strategy, axis=0)[class_index("T9s")] == pytest.approx(1.0)


def test_numbers_are_those_of_the_policy():
    uniform = picture(LIMIT, named_policy("uniform"), (), (), "open", "SB opens")
    assert np.allclose(uniform.strategy, 1 / 3)
    assert np.allclose(uniform.reach, 1.0)
    answer = picture(LIMIT, named_policy("uniform"), (), (2,), "answer", "BB answers")
    assert np.allclose(answer.reach, 1.0)
    flop = picture(LIMIT, named_policy("uniform"), board("As Ks Qs"), (2, 1), "flop", "BB")
    assert flop.reach[class_index("22")] == pytest.approx(1 / 3)
    assert flop.reach[class_index("AA")] == pytest.approx(1 / 6)  # three of six combos are blocked


def test_pictures_are_drawn(tmp_path, capsys):
    one = picture(LIMIT, RandomTable((1, 2), seed=3), (), (2,), "answer", "BB answers a raise")
    save_picture(tmp_path / "one.png", one)
    assert (tmp_path / "one.png").read_bytes()[:4] == b"\x89PNG"
    assert [path.name for path in tmp_path.iterdir()] == ["one.png"]
    print_picture(one)
    printed = capsys.readouterr().out
    assert "BB answers a raise" in printed
    assert "AKs" in printed
