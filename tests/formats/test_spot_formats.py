"""Scripts of PioSOLVER and TexasSolver, settings of WASM Postflop: read, written, and the same tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import runout
from runout import Spot
from runout.app.cli.main import app
from runout.errors import InputError
from runout.formats.convert import convert, format_of, read_spot
from runout.formats.pio_script import read_pio_script, write_pio_script
from runout.formats.postflop_settings import read_postflop_settings, write_postflop_settings
from runout.formats.spot_betting import same_tree
from runout.formats.texas_script import read_texas_script, write_texas_script
from runout.hands.phh import phhs_text

RANGES = {"oop": "AA,KQs:0.5,AsTs:0.25", "ip": "QQ,AKs,76s:0.125"}
PIO = """#TreeBuilding#V2
#Range0#AA,KQs:0.5
#Range1#QQ,AK
#Board#Qh Qc 2c
#Pot#180
#EffectiveStacks#910
#AllinThreshold#100
#AddAllinOnlyIfLessThanThisTimesThePot#300
#MinimumBetsize#0
#CapEnabled#False
#FlopConfig.BetSize#52
#FlopConfig.RaiseSize#45
#FlopConfigIP.BetSize#52
#FlopConfigIP.RaiseSize#45
#TurnConfig.BetSize#55
#TurnConfig.RaiseSize#3x
#TurnConfig.DonkBetSize#
#TurnConfigIP.BetSize#55
#TurnConfigIP.RaiseSize#3x
#RiverConfig.BetSize#70 120
#RiverConfigIP.BetSize#70,120
#Rake.Enabled#True
#Rake.Fraction#0.05
#Rake.Cap#30
"""
TEXAS = """set_pot 50
set_effective_stack 200
set_board Qs,Jh,2h,7c
set_range_ip AA,KQs:0.5
set_range_oop QQ,AK
set_bet_sizes oop,turn,bet,50
set_bet_sizes oop,turn,raise,60
set_bet_sizes oop,turn,allin
set_bet_sizes ip,turn,bet,50,100
set_bet_sizes ip,turn,raise,60
set_bet_sizes oop,river,bet,50
set_bet_sizes oop,river,donk,33
set_bet_sizes ip,river,bet,50
set_allin_threshold 0.67
build_tree
set_thread_num 1
set_accuracy 0.5
set_max_iteration 60
set_use_isomorphism 1
set_nonsense 1
start_solve
set_dump_rounds 2
dump_result result.json
"""

shares = st.sampled_from(["", "33%", "50%, a", "75%, 150%", "100%"])
raises = st.sampled_from(["", "60%", "45%, a", "100%"])
odd_shares, odd_raises = st.sampled_from(["e", "2e", "100c", "50%"]), st.sampled_from(["2.5x", "3x, a", "60%"])


@st.composite
def spots(draw: st.DrawFn, plain: bool) -> Spot:
    betting: dict[str, Any] = {}
    for street in ("flop", "turn", "river"):
        sizes = {
            "bet": draw(shares if plain else shares | odd_shares),
            "raise": draw(raises if plain else raises | odd_raises),
        }
        if draw(st.booleans()):
            sizes["ip"] = {"bet": draw(shares), "raise": draw(raises)}
        if street != "flop" and draw(st.booleans()):
            sizes["donk"] = draw(shares)
        betting[street] = sizes
    if not plain:
        betting |= {"add_all_in": draw(st.sampled_from([0, 1.5])), "force_all_in": draw(st.sampled_from([0, 0.15])),
                    "merge": draw(st.sampled_from([0, 0.1]))}  # fmt: skip
    board = draw(st.sampled_from(["Qs Jh 2h 7c", "Qs Jh 2h 7c 3d"]))
    rake = {"percent": 5, "cap": 12} if not plain and draw(st.booleans()) else {"percent": 0}
    return Spot(board=board, pot=draw(st.integers(10, 400)), stack=draw(st.integers(20, 900)), ranges=RANGES,
                betting=betting, rake=rake)  # fmt: skip


def alike(one: Spot, other: Spot) -> bool:
    """Whether two spots are the same game: cards, chips, ranges, rake and tree."""
    plain = (one.board, one.pot, one.stack, one.rake) == (other.board, other.pot, other.stack, other.rake)
    return plain and all(one.range(p) == other.range(p) for p in (0, 1)) and same_tree(one.tree(), other.tree())


def test_keys_of_a_tree_script_are_sizes_where_sizes_say_the_same() -> None:
    spot = read_pio_script(PIO)
    assert (spot.board, spot.pot, spot.stack, spot.rake.percent, spot.rake.cap) == ("Qh Qc 2c", 180, 910, 5, 30)
    assert spot.betting.lines == ()
    expected = Spot(board="Qh Qc 2c", pot=180, stack=910, ranges={"oop": "AA,KQs:0.5", "ip": "QQ,AK"},
                    rake={"percent": 5, "cap": 30},
                    betting={"flop": {"bet": "52%", "raise": "45%"}, "turn": {"bet": "55%", "raise": "3x", "donk": ""},
                             "river": {"bet": "70%, 120%"}})  # fmt: skip
    assert alike(spot, expected)


def test_a_threshold_of_all_ins_is_said_in_lines() -> None:
    spot = read_pio_script(PIO.replace("Threshold#100", "Threshold#67").replace("#70 120", "#70 120 allin"))
    assert spot.betting.lines
    assert all("b610" not in line and "r610" not in line for line in spot.betting.lines)
    for line in spot.betting.lines:  # nobody leaves less than a third of the stack behind
        for state in spot.game().lines.at(line.replace("|?|", "|5s|", 1).replace("|?|", "|6s|")).path:
            spent = max(state.state.spent)
            assert spent < 0.67 * 910 or spent == 910


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [("#Board#Qh Qc 2c", "#Board#Qh Qc", "2 cards"), ("#Pot#180", "#Pot#many", "no number"),
     ("#CapEnabled#False", "#CapEnabled#True", "CapEnabled"), ("#Range0#AA", "#Range0#XX", "XX"),
     ("#Pot#180\n", "", "set_pot"), ("BetSize#52", "BetSize#52q", "52q"),
     ("#TreeBuilding#V2", "add_line 5 x", "line 1")],
)  # fmt: skip
def test_a_tree_script_that_cannot_be_read_says_where(old: str, new: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        read_pio_script(PIO.replace(old, new))


@settings(max_examples=25, deadline=None)
@given(spots(plain=False))
def test_a_tree_script_builds_the_very_tree(spot: Spot) -> None:
    assert alike(read_pio_script(write_pio_script(spot)), spot)


@settings(max_examples=25, deadline=None)
@given(spots(plain=False))
def test_settings_of_wasm_postflop_go_there_and_back(spot: Spot) -> None:
    others = {"board": spot.board, "ranges": spot.ranges.model_dump()}
    assert alike(read_postflop_settings(json.loads(write_postflop_settings(spot)), others), spot)


@settings(max_examples=25, deadline=None)
@given(spots(plain=True))
def test_a_console_script_builds_the_tree_of_deep_stacks(spot: Spot) -> None:
    deep = spot.replace(stack=spot.pot * 10**5)  # where no size is above the stack
    capped = deep.replace(betting={**deep.betting.model_dump(by_alias=True, exclude_none=True), "max_bets": 2})
    for street in ("flop", "turn", "river"):  # an all-in of one kind is one of every kind there
        sizes = getattr(capped.betting, street)
        if (
            len({"a" in text for text in (sizes.bet, sizes.raise_, sizes.bet if sizes.donk is None else sizes.donk)})
            > 1
        ):
            return
        if sizes.ip and ("a" in sizes.ip.bet) != ("a" in sizes.ip.raise_):
            return
    assert alike(read_texas_script(write_texas_script(capped)).spot(), capped)


def test_the_community_benchmark_as_a_console_script(tmp_path: Path) -> None:
    community = Path(__file__).parents[2] / "configs" / "spots" / "community.yaml"
    said = convert(community, tmp_path / "script.txt", to="texas")
    assert "set_bet_sizes ip,river,bet,70\n" in (tmp_path / "script.txt").read_text(encoding="utf-8")
    assert "194 decisions" in said
    assert "differs: 128 decisions" in said  # bets above the stack are left out there


def test_a_console_script_says_what_it_says(tmp_path: Path) -> None:
    script = read_texas_script(TEXAS)
    assert script.unknown == ["set_nonsense"]
    spot = script.spot()
    assert (spot.pot, spot.stack, spot.solve.iterations, spot.solve.target) == (50, 200, 60, 0.5)
    root = spot.tree()
    assert root.action_names(0, 0) == ["check", "bet 25", "all-in 200"]
    # After a bet of 25 a raise to 85 is 0.67 * 225 = 150 less 25 at most; IP has no all-in
    street, node = root.node("b25")
    assert root.action_names(street, node) == ["fold", "call", "raise to 85"]
    street, node = root.node("x-b25-c|?")
    assert root.action_names(street, node) == ["check", "bet 33"]  # a donk bet of a third of 100


def test_runout_texas_writes_results_of_the_other_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.txt").write_text(TEXAS, encoding="utf-8")
    done = CliRunner().invoke(app, ["texas", "script.txt"])
    assert done.exit_code == 0, done.output
    assert "command not recognized: set_nonsense" in done.output
    root = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert (root["node_type"], root["player"]) == ("action_node", 1)
    assert root["actions"] == ["CHECK", "BET 25.000000", "BET 200.000000"]
    raised = root["childrens"]["BET 25.000000"]
    assert (raised["actions"], raised["player"]) == (["CALL", "RAISE 85.000000", "FOLD"], 0)
    dealt = raised["childrens"]["CALL"]
    assert (dealt["node_type"], dealt["deal_number"], len(dealt["dealcards"])) == ("chance_node", 48, 48)
    assert "childrens" not in root["childrens"]["BET 200.000000"]
    ours = runout.solve(read_texas_script(TEXAS).spot(), isomorphism=True)
    shares = root["strategy"]["strategy"]["AsKh"]
    assert shares == pytest.approx(list(ours.root.strategy("AsKh").values()), abs=1e-6)
    below = dealt["dealcards"]["5d"]["strategy"]["strategy"]["QdQc"]
    assert below == pytest.approx(list(ours.at("b25-c|5d").strategy("QdQc").values()), abs=1e-6)


def test_convert_finds_formats_and_writes_them(tmp_path: Path) -> None:
    (tmp_path / "tree.txt").write_text(PIO, encoding="utf-8")
    (tmp_path / "texas.txt").write_text(TEXAS, encoding="utf-8")
    spot = read_pio_script(PIO)
    for name, to in (("a.yaml", ""), ("b.txt", "pio")):
        assert "wrote" in convert(tmp_path / "tree.txt", tmp_path / name, to=to)
        assert alike(read_spot(tmp_path / name), spot)
    flags = ["--board", "Qh Qc 2c", "--oop", "AA,KQs:0.5", "--ip", "QQ,AK"]
    for arguments in (
        ["tree.txt", "c.json"],
        ["c.json", "d.yaml", *flags],
        ["texas.txt", "e.yaml"],
        ["e.yaml", "f.txt", "--to", "pio"],
    ):
        paths = [str(tmp_path / arguments[0]), str(tmp_path / arguments[1]), *arguments[2:]]
        done = CliRunner().invoke(app, ["convert", *paths])
        assert done.exit_code == 0, done.output
    assert alike(read_spot(tmp_path / "d.yaml"), spot)
    assert alike(read_spot(tmp_path / "f.txt"), read_texas_script(TEXAS).spot())
    formats = [format_of(tmp_path / name) for name in ("tree.txt", "texas.txt", "c.json", "d.yaml")]
    assert formats == ["pio", "texas", "wasm", "yaml"]


def test_hands_go_from_format_to_format(tmp_path: Path) -> None:
    real = Path(__file__).parents[1] / "data" / "hands" / "heads_up.phhs"
    first = runout.read_hands(real)
    hands = [hand for hand in first if all(seat.known for seat in hand.seats)]
    (tmp_path / "a.phhs").write_text("".join(phhs_text(hands)), encoding="utf-8")
    for source, target, to in (("a.phhs", "b.ohh", ""), ("b.ohh", "c.txt", "pokerstars"), ("c.txt", "d.phhs", "")):
        assert format_of(tmp_path / source) == "hands"
        said = convert(tmp_path / source, tmp_path / target, to=to)
        assert said.startswith(f"wrote {len(hands):,} hands"), said
    last = runout.read_hands(tmp_path / "d.phhs")
    assert [[move[:4] for move in hand.moves] for hand in last] == [[move[:4] for move in hand.moves] for hand in hands]


def test_a_solution_is_written_as_its_spot(tmp_path: Path) -> None:
    spot = Spot(
        board="Qs Jh 2h 7c 3d", pot=100, stack=200, ranges=RANGES, betting={"river": {"bet": "50%, a", "raise": "a"}}
    )
    runout.solve(spot, iterations=2, output=tmp_path / "spot.runout")
    convert(tmp_path / "spot.runout", tmp_path / "texas.txt", to="texas")
    assert alike(read_spot(tmp_path / "texas.txt"), spot)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["none.txt", "o.yaml"], "cannot read"), (["tree.txt", "o.txt"], "does not say a format"),
     (["tree.txt", "o.txt", "--to", "cfr"], "unknown format"), (["tree.txt", "none/o.yaml"], "cannot write"),
     (["tree.txt", "o.txt", "--to", "texas"], "rake"), (["settings.json", "o.yaml"], "--board"),
     (["bad.json", "o.yaml"], "no JSON")],
)  # fmt: skip
def test_what_cannot_be_converted_is_said_in_one_line(
    arguments: list[str], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.txt").write_text(PIO, encoding="utf-8")
    (tmp_path / "settings.json").write_text('{"startingPot": 10}', encoding="utf-8")
    (tmp_path / "bad.json").write_text("{nothing", encoding="utf-8")
    with pytest.raises(runout.RunoutError, match=word):
        CliRunner().invoke(app, ["convert", *arguments], catch_exceptions=False, standalone_mode=False)
    assert not (tmp_path / "o.yaml").exists()
