"""Spots: what they read, what they default to, what they refuse in one line, and that YAML brings them back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runout
from runout import config
from runout.cards.cards import cards_text
from runout.cards.ranges import Range
from runout.errors import InputError
from runout.games.betting import FLOP, IP, OOP, RIVER, TURN
from runout.games.spot import Betting, Rake, Spot

YAML = """
board: Qs Jh 2h
pot: 180
stack: 910
ranges:
  oop: "88+,A8s+,AJo+"
  ip: "99-22,AJs-A2s"
betting:
  flop:  {bet: "52%", raise: "45%"}
  turn:  {bet: "55%", raise: "45%"}
  river: {bet: "70%", raise: "45%", oop: {donk: "50%"}}
  add_all_in: 1.5
  force_all_in: 0.15
  merge: 0.1
rake: {percent: 5, cap: 30}
solve: {target: 0.3, iterations: 1000, threads: 0, storage: float32, algorithm: auto}
"""

PLAIN: dict[str, Any] = {"board": "QsJh2h", "pot": 180, "stack": 910, "ranges": {"oop": "AA", "ip": "KK"}}


def test_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "spot.yaml"
    path.write_text(YAML)
    spot = Spot.load(path, ["pot=200", "betting.river.raise=a", "solve.target=0.1"])
    assert (spot.board, spot.pot, spot.stack, spot.street) == ("Qs Jh 2h", 200, 910, FLOP)
    assert spot.betting.river.raise_ == "a"
    assert spot.betting.river.oop is not None
    assert spot.betting.river.oop.donk == "50%"
    assert (spot.rake.cap, spot.solve.target, spot.solve.iterations) == (30, 0.1, 1000)
    assert runout.Spot is Spot


def test_the_tree_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "spot.yaml"
    path.write_text(YAML)
    tree = Spot.load(path).tree()
    assert tree.action_names(0, 0) == ["check", "bet 94"]
    assert tree.action_names(*tree.node("x-b94-c|7c|x-x|2c")) == ["check", "bet 258"]  # no donk
    # A donk of half the pot, 386, would leave 228 behind for a pot of 1544: less than 0.15 of it.
    assert tree.action_names(*tree.node("x-b94-c|7c|x-b202-c|2c")) == ["check", "all-in 614"]


def test_the_default_spot_and_changes_to_it() -> None:
    assert Spot.default().street == FLOP
    spot = Spot.default(board="2c3h4d", spr=10)
    assert (spot.board, spot.stack) == ("2c 3h 4d", 10 * spot.pot)
    assert Spot.default(board="2c3h4d7s").street == TURN
    assert Spot.default(board=["2c", "3h", "4d", "7s", "8s"]).street == RIVER


def test_ranges_lose_the_hands_that_the_board_blocks() -> None:
    spot = Spot(**PLAIN | {"ranges": {"oop": Range("QQ,AsKs"), "ip": "JJ:0.5"}})
    assert spot.range(OOP).count == 3 + 1
    assert spot.range(IP).combos() == 1.5


def test_chips_from_the_ratio() -> None:
    data = {key: value for key, value in PLAIN.items() if key != "stack"}
    assert Spot(**data, spr=2.5).stack == 450
    assert Spot(**PLAIN, spr=910 / 180).stack == 910


def test_rake_and_targets() -> None:
    assert Rake(percent=5, cap=30).of(400) == 20
    assert Rake(percent=5, cap=30).of(4000) == 30
    assert Rake(percent=5).of(4000) == 200
    spot = Spot.default(pot=200, big_blind=10, solve={"target": 100, "unit": "mbb"})
    assert spot.target_percent == pytest.approx(0.5)  # a tenth of a big blind is one chip of 200
    assert spot.mbb(1) == 100
    assert Spot(**PLAIN).mbb(1) is None


def test_a_street_left_out_has_the_usual_sizes_and_a_size_left_out_is_none() -> None:
    spot = Spot(**PLAIN, betting={"flop": {"bet": "50%"}})
    assert spot.tree().action_names(*spot.tree().node("b90")) == ["fold", "call"]
    turn = spot.tree().node("x-x|3c|b90")
    assert "raise to 306" in spot.tree().action_names(*turn)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "Qs"}, "board 'Qs' has 1 card: use 3 (flop), 4 (turn) or 5 (river)"),
        ({"board": "QsJh"}, "board 'QsJh' has 2 cards"),
        ({"board": "QsJh2h3h4h5h"}, "has 6 cards"),
        ({"board": ""}, "the board is empty"),
        ({"board": "QsQs2h"}, "card Qs is given twice"),
        ({"board": "QsJx2h"}, "unknown card 'Jx'"),
        ({"pot": 0}, "pot = 0: input should be greater than 0"),
        ({"stack": -1}, "stack = -1: input should be greater than 0"),
        ({"spr": 3}, "stack 910 and spr 3 are both given and differ"),
        ({"spr": 0}, "spr = 0: use a number above 0"),
        ({"ranges": {"oop": "QsJh", "ip": "AA"}}, "ranges.oop 'QsJh' has no hand left: all are blocked by Qs Jh"),
        ({"ranges": {"oop": "AsAh", "ip": "AsKs,AhKh"}}, "no two hands can meet"),
        ({"ranges": {"oop": "AA"}}, "missing key 'ranges.ip'"),
        ({"ranges": {"oop": "AA", "ip": "ZZ"}}, "ranges.ip: "),
        ({"bord": "QsJh2h"}, "unknown key 'bord': did you mean 'board'?"),
        ({"betting": {"flop": {"raises": "2x"}}}, "unknown key 'betting.flop.raises': did you mean 'raise'?"),
        ({"betting": {"flop": {"ip": {"donk": "5%"}}}}, "unknown key 'betting.flop.ip.donk': use bet, raise"),
        ({"betting": {"flop": {"bet": "52p"}}}, "betting.flop.bet: unknown bet size '52p': use a percentage (52%)"),
        ({"betting": {"flop": {"bet": 2}}}, "betting.flop.bet: unknown bet size '2'"),
        ({"betting": {"flop": {"bet": "2x"}}}, "betting.flop.bet: bet size '2x' makes no legal bet"),
        ({"betting": {"turn": {"oop": {"donk": "2x"}}}}, "betting.turn.oop.donk: bet size '2x' makes no legal bet"),
        ({"betting": {"turn": {"raise": "0%"}}}, "betting.turn.raise: bet size '0%' makes no legal bet"),
        ({"betting": {"merge": -1}}, "betting.merge = -1"),
        ({"rake": {"percent": 101}}, "rake.percent = 101"),
        ({"solve": {"storage": "float16"}}, "solve.storage = 'float16': input should be 'float32' or 'int16'"),
        ({"solve": {"unit": "mbb"}}, "a target in mbb needs to know the blinds: set big_blind"),
    ],
)
def test_refuses_in_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Spot(**PLAIN | changes)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        config.validated(Spot, PLAIN | changes, "spot.yaml")
    assert str(caught.value).startswith("spot.yaml: ")
    assert message in str(caught.value)


SIZES = st.sampled_from(["", "50%", "33%, 75%, a", "e", "100c, 2e"])
RAISES = st.sampled_from(["", "2.5x", "60%, a"])
PLAYER = st.fixed_dictionaries({}, optional={"bet": SIZES, "raise": RAISES})
STREET = st.fixed_dictionaries({}, optional={"bet": SIZES, "raise": RAISES, "donk": SIZES, "ip": PLAYER, "oop": PLAYER})
SPOTS = st.fixed_dictionaries(
    {
        "board": st.lists(st.integers(0, 51), min_size=3, max_size=5, unique=True).map(cards_text),
        "pot": st.integers(1, 10**6),
        "stack": st.integers(1, 10**6),
        "ranges": st.fixed_dictionaries(
            {name: st.sampled_from(["22+,A2s+", "KJo+:0.25,55-33", "AK,98s:0.5,TT"]) for name in ("oop", "ip")}
        ),
    },
    optional={
        "betting": st.fixed_dictionaries(
            {}, optional={"flop": STREET, "river": STREET, "merge": st.floats(0, 1), "max_raises": st.integers(0, 5)}
        ),
        "rake": st.fixed_dictionaries({"percent": st.floats(0, 100)}, optional={"cap": st.floats(0, 1e6)}),
        "solve": st.fixed_dictionaries({"target": st.floats(0, 10), "storage": st.sampled_from(["float32", "int16"])}),
        "big_blind": st.floats(0.5, 100),
    },
)


@settings(deadline=None)  # a busy machine takes its time
@given(SPOTS)
def test_yaml_brings_a_spot_back(data: dict[str, Any]) -> None:
    import yaml

    spot = Spot(**data)
    text = config.dump(spot)
    assert config.validated(Spot, yaml.safe_load(text)) == spot
    assert config.dump(config.validated(Spot, yaml.safe_load(text))) == text


def test_replace_changes_settings_by_name_wherever_they_are() -> None:
    spot = Spot.default()
    changed = spot.replace(stack=50, flop_bet="33% 75%", turn_oop_donk="20%", target=0.1, betting_river_raise="a")
    assert (changed.stack, changed.solve.target, changed.pot) == (50, 0.1, spot.pot)
    assert changed.betting.flop.bet == "33%, 75%"
    assert changed.betting.flop.raise_ == spot.betting.flop.raise_
    assert changed.betting.river.raise_ == "a"
    assert changed.betting.turn.oop is not None
    assert changed.betting.turn.oop.donk == "20%"
    assert changed.betting.force_all_in == spot.betting.force_all_in
    assert spot == Spot.default()
    assert spot.replace() == spot
    assert spot.replace(spr=2).stack == 2 * spot.pot


def test_replace_merges_mappings_and_takes_whole_groups() -> None:
    spot = Spot.default()
    merged = spot.replace(betting={"flop": {"bet": "10%"}}, ranges={"oop": "AA"})
    assert (merged.betting.flop.bet, merged.betting.flop.raise_) == ("10%", "60%")
    assert (merged.ranges.oop, merged.ranges.ip) == ("AA", spot.ranges.ip)
    whole = spot.replace(betting=Betting(force_all_in=0.5))
    assert whole.betting == Betting(force_all_in=0.5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bet": "50%"}, "'bet' is the name of several settings: use flop_bet, turn_bet, river_bet"),
        ({"flop_bett": "50%"}, "unknown key 'flop_bett': did you mean 'flop_bet'?"),
        ({"stack": -1}, "stack = -1"),
        ({"flop_bet": "x"}, "unknown bet size 'x'"),
    ],
)
def test_replace_refuses_in_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Spot.default().replace(**changes)


def test_decimals_are_big_blinds_and_chips_stay_whole() -> None:
    spot = runout.Spot.default(
        pot=5.5, stack=97.25, big_blind=None, betting={"flop": {"bet": "33 75, 2.5c", "raise": ""}}
    )
    assert (spot.pot, spot.stack, spot.big_blind) == (550, 9725, 100)
    node = spot.game().lines.at("")
    assert [spot.game().lines.name(node, n) for n in range(len(node.menu))] == [
        "check",
        "bet 182",
        "bet 250",
        "bet 413",
    ]
    cents = runout.Spot.default(pot=0.125, stack=2.0, big_blind=0.02, rake={"percent": 5, "cap": 0.5})
    assert (cents.pot, cents.stack, cents.big_blind, cents.rake.cap) == (125, 2000, 20, 500)
    assert runout.Spot.default(pot=60.0).pot == 60
    assert runout.Spot.default(pot=5.5, spr=2.0, big_blind=None).stack == 1100
    with pytest.raises(InputError, match=r"pot = 1.2345: give at most three decimals"):
        runout.Spot.default(pot=1.2345)
    with pytest.raises(InputError, match=r"pot = 5.5 is less than big_blind = 10: both are chips"):
        runout.Spot.default(pot=5.5)
    with pytest.raises(InputError, match="lines name amounts: count in whole chips"):
        runout.Spot.default(pot=5.5, locks=[{"line": "x", "strategy": {"x": 1}}])


def test_players_have_the_names_of_their_positions() -> None:
    assert Spot(**PLAIN).players == ("oop", "ip")
    spot = Spot(**PLAIN, positions="BB, UTG+1")
    assert spot.players == ("BB", "UTG+1")
    assert spot.replace(pot=200).positions == spot.positions
    assert spot.tree().find("x-b90-c").kind == Spot(**PLAIN).tree().find("x-b90-c").kind  # lines stay what they are
    for bad, why in (
        (["BB"], "first, not BB"),
        ("", "first, not none"),
        (["BB", "SB", "CO"], "first, not BB, SB, CO"),
        (["BB", "bb"], "BB and bb"),
        (["IP", "OOP"], "IP and OOP"),
        (["B", "BTN"], "'B'"),
        (["the big blind", "BTN"], "'the big blind'"),
    ):
        with pytest.raises(InputError, match=re.escape(why)):
            Spot(**PLAIN, positions=bad)
