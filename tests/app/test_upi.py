"""`runout upi`: a session as a client of PioSOLVER holds it, its numbers against `runout.solve`, and interruptions."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import runout
from reference.upi import END, Client, run_lines
from runout.app.upi.commands import COMMANDS, MISSING
from runout.app.upi.session import banner
from runout.cards.hands import combo_name
from runout.formats.pio_nodes import line_numbers, tree_numbers
from runout.formats.pio_script import write_pio_script

RIVER = {
    "board": "Qs Jh 2h 7c 3d",
    "pot": 180,
    "stack": 910,
    "ranges": {"oop": "88+,AJs+,KQs:0.5,T9s", "ip": "99-22,AJs-A2s,KQs,QJs"},
    "betting": {"river": {"bet": "52%, a", "raise": "45%, a"}},
}
TURN = {**RIVER, "board": "Qs Jh 2h 7c", "betting": {"turn": {"bet": "52%", "raise": "45%"}, "river": {"bet": "70%"}}}


def building(spot: runout.Spot) -> list[str]:
    """Commands that set a spot up, its tree by lines."""
    game = spot.game()
    return [
        f"set_board {spot.board.replace(' ', '')}",
        f"set_pot 0 0 {spot.pot}",
        f"set_eff_stack {spot.stack}",
        *(
            f"set_range {name} " + " ".join(repr(float(w)) for w in runout.Range(text).weights)
            for name, text in (("OOP", spot.ranges.oop), ("IP", spot.ranges.ip))
        ),
        "clear_lines",
        *("add_line " + " ".join(map(str, numbers)) for numbers in tree_numbers(game.start(), game.menu)),
        "build_tree",
    ]


def vector(text: str) -> np.ndarray:
    values = np.array(text.split(), np.float64)
    assert values.shape == (1326,)
    return values


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    found = Client()
    yield found
    found.close()


def test_a_session_from_setting_up_to_results(client: Client, tmp_path: Path) -> None:
    assert client.banner == banner()
    client.ok("is_ready")
    assert client.ask("show_version") == [runout.__version__]
    order = client.ask("show_hand_order")[0].split()
    assert order[:7] == ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c"]
    assert (len(order), order[-1]) == (1326, "AsAh")
    assert client.ask("is_tree_present") == ["false"]
    assert client.ask("show_node r:0")[0].startswith("ERROR")

    client.ok("set_threads 1")
    client.ok("set_board QsJh2h7c3d")
    client.ok("set_pot 0 0 180")
    client.ok("set_eff_stack 910")
    client.ok("set_range OOP 88+,AJs+,KQs:0.5,T9s")
    client.ok("set_range IP 99-22,AJs-A2s,KQs,QJs")
    client.ok("set_isomorphism 1 0")
    client.ok("set_rake 0 0")
    client.ok("reset_tree_info")
    client.ok("add_info_line #Board#Qs Jh 2h 7c 3d")
    client.ok("add_line 0 94 300 910")
    client.ok("add_line 94 910")
    needed, free = client.ask("estimate_tree")
    assert 0 < int(needed) < int(free)
    client.ok("build_tree")
    assert client.ask("is_tree_present") == ["true"]
    assert client.ask("show_tree_info") == ["#Board#Qs Jh 2h 7c 3d"]
    assert client.ask("show_effective_stack") == ["910"]

    assert client.ask("show_node r") == [
        "r", "ROOT", "Qs Jh 2h 7c 3d", "0 0 180", "1 children", "flags: ISOMORPHISM_ON",
    ]  # fmt: skip
    assert client.ask("show_children r:0:c:b94") == [
        "child 0:", "r:0:c:b94:f", "END_NODE", "Qs Jh 2h 7c 3d", "0 94 180", "0 children", "flags: ISOMORPHISM_ON", "",
        "child 1:", "r:0:c:b94:c", "END_NODE", "Qs Jh 2h 7c 3d", "94 94 180", "0 children", "flags: ISOMORPHISM_ON",
        "", "child 2:", "r:0:c:b94:b300", "IP_DEC", "Qs Jh 2h 7c 3d", "300 94 180", "3 children",
        "flags: ISOMORPHISM_ON",
    ]  # fmt: skip
    lines = client.ask("show_all_lines")
    assert lines[0] == "r:0"
    assert "r:0:c:b94:b300:b910:c" in lines

    client.ok("set_accuracy 0.002 fraction")
    client.ok("set_info_freq 10")
    client.ok("go")
    client.ok("wait_for_solver")
    assert client.reports[0] == ["SOLVER: started"]
    assert client.reports[-1] == ["SOLVER: stopped (required accuracy reached)"]
    block = client.reports[-2]
    assert [re.sub(r" -?[\d.]+$", "", line) for line in block] == [
        "SOLVER:", "running time:", "EV OOP:", "EV IP:", "OOP's MES:", "IP's MES:", "Exploitable for:", END,
    ]  # fmt: skip
    results = {line.rpartition(": ")[0]: float(line.rpartition(": ")[2]) for line in client.ask("calc_results")}
    assert results["EV OOP"] + results["EV IP"] == pytest.approx(180, abs=1e-3)
    assert results["OOP's MES"] + results["IP's MES"] - 180 == pytest.approx(2 * results["Exploitable for"], abs=1e-3)
    assert 0 <= results["Exploitable for"] <= 0.36

    shares = np.stack([vector(line) for line in client.ask("show_strategy r:0")])
    held = vector(client.ask("show_range OOP r:0")[0])
    assert shares.shape[0] == int(client.ask("show_node r:0")[4].split()[0])
    assert np.allclose(shares.sum(axis=0)[held > 0], 1)
    assert not shares[:, held == 0].any()
    assert held[order.index("KcQc")] == 0.5
    evs, matchups = (vector(line) for line in client.ask("calc_ev OOP r:0"))
    weights = held * matchups
    mean = float((np.nan_to_num(evs) * weights).sum() / weights.sum())
    assert mean == pytest.approx(results["EV OOP"], abs=1e-3)
    assert float(client.ask("calc_ev_pp OOP r:0")[-1].removeprefix("EV: ")) == pytest.approx(mean, abs=1e-5)
    assert np.isnan(evs[order.index("7d2c")])
    equity, _, total = client.ask("calc_eq_node OOP r:0")
    assert 0 < float(total) < 1
    assert np.allclose(np.nan_to_num(vector(equity)), np.nan_to_num(vector(client.ask("calc_eq OOP")[0])))
    frequency = float(client.ask("calc_global_freq r:0:c")[0])
    assert frequency == pytest.approx(float((shares[0] * weights).sum() / weights.sum()))
    assert float(client.ask("calc_line_freq r:0:c")[0]) == pytest.approx(frequency)

    made, draws = (np.array(line.split(), int) for line in client.ask("show_categories Qs Jh 2h"))
    names = [line.split() for line in client.ask("show_category_names")]
    said = {hand: (names[0][made[order.index(hand)]], names[1][draws[order.index(hand)]]) for hand in ("QdQc", "Ah9h")}
    assert said == {"QdQc": ("set", "no_draw"), "Ah9h": ("ace_high", "nut_flush_draw")}
    assert (made[order.index("QsQd")], len(made), len(draws)) == (-1, 1326, 1326)

    saved = tmp_path / "a tree.cfr"
    client.ok(f'dump_tree "{saved}"')
    assert client.ask(f'show_metadata "{saved}"')[-1] == "#Board#Qs Jh 2h 7c 3d"
    client.ok("free_tree")
    assert client.ask("is_tree_present") == ["false"]
    client.ok(f'load_tree "{saved}" full')
    assert client.ask("show_tree_info") == ["#Board#Qs Jh 2h 7c 3d"]
    again = np.stack([vector(line) for line in client.ask("show_strategy r:0")])
    assert np.array_equal(again, shares)
    assert runout.load(saved).iterations > 0
    assert client.ask("show_node r:0:c:b95")[0].startswith("ERROR: no node")
    assert client.ask("no_such_thing") == ["ERROR: unknown command 'no_such_thing'"]
    assert client.ask("solve_partial r:0")[0].startswith("ERROR: solve_partial is not supported")
    client.ok("free_tree")


def test_stop_and_questions_are_heard_at_once(client: Client) -> None:
    for line in building(runout.Spot(**TURN)):
        client.ok(line)
    client.ok("set_accuracy 0 chips")
    client.reports.clear()
    client.ok("go")
    time.sleep(0.5)
    for question in ("is_ready", "show_iters", "show_strategy r:0", "calc_ev IP r:0:c", "calc_results"):
        assert not client.ask(question)[0].startswith("ERROR")  # the solve itself would never end
    assert client.ask("go")[0] == "ERROR: the solver is running: send stop first"
    assert client.ask("free_tree")[0].startswith("ERROR")
    before = int(client.ask("show_iters")[0])
    client.ok("stop")
    client.ok("wait_for_solver")
    assert client.reports[-1] == ["SOLVER: stopped (requested)"]
    after = int(client.ask("show_iters")[0])
    assert before <= after
    client.ok("go 10 steps")
    client.ok("wait_for_solver")
    assert int(client.ask("show_iters")[0]) == after + 10
    client.ok("go 0.2 seconds")
    client.send("wait_for_solver")  # answers come in order when commands are sent ahead
    client.send("echo a  b")
    assert client.answer() == ["wait_for_solver ok!"]
    assert client.answer() == ["a b"]
    assert client.reports[-1] == ["SOLVER: stopped (time limit reached)"]
    client.ok("go")
    client.send("wait_for_solver")
    heard, sent = threading.Thread(target=lambda: answers.append(client.answer())), 0
    answers: list[list[str]] = []
    heard.start()
    while heard.is_alive():  # a stop that comes too soon after the question belongs behind it
        heard.join(0.6)
        if heard.is_alive():
            client.send("stop")
            sent += 1
    assert answers == [["wait_for_solver ok!"]]  # a stop ends the wait that is going on
    assert sent > 0
    assert [client.answer() for _ in range(sent)] == [["stop ok!"]] * sent
    client.ok("free_tree")


def test_numbers_are_those_of_solve_to_the_bit() -> None:
    spot = runout.Spot(**TURN)
    ours = runout.solve(spot, target=0.5)
    client = Client()
    for line in building(spot):
        client.ok(line)
    client.ok("set_accuracy 0.005 fraction")
    client.ok("go")
    client.ok("wait_for_solver")
    assert int(client.ask("show_iters")[0]) == ours.iterations
    for node, line in (
        ("r:0", ""),
        ("r:0:c:b94", "x-b94"),
        ("r:0:c:c:8h", "x-x|8h"),
        ("r:0:c:c:Ad:b126", "x-x|Ad|b126"),
    ):
        view = ours.at(line).view
        actor = view.players.index(view.player or "")
        hands = view.hands[actor]
        theirs = np.stack([vector(text) for text in client.ask(f"show_strategy {node}")])
        assert np.array_equal(theirs[:, hands.combo], hands.strategy)
        for side, name in enumerate(("OOP", "IP")):
            evs, met = (vector(text) for text in client.ask(f"calc_ev {name} {node}"))
            assert np.array_equal(evs[view.hands[side].combo], view.hands[side].ev, equal_nan=True)
            assert np.array_equal(met[view.hands[side].combo], view.hands[side].met)
            reach = vector(client.ask(f"show_range {name} {node}")[0])
            assert np.array_equal(reach[view.hands[side].combo], view.hands[side].weight)
    client.close()


def test_frequencies_add_up_over_cards_and_actions() -> None:
    lines = building(runout.Spot(**TURN))
    lines += ["go 20 steps", "wait_for_solver", "show_all_freqs global", "show_all_freqs local"]
    cards = [f"calc_global_freq r:0:c:c:{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    answers = run_lines([*lines, *cards, "calc_line_freq r:0:c:c:4s:c", "calc_line_freq r:0:c:c"])
    taken, local = (
        dict(line.split(" - ") for line in answer.splitlines()) for answer in answers if answer.startswith("r:0 - ")
    )
    for name, share in taken.items():
        below = [float(value) for line, value in taken.items() if line.rpartition(":")[0] == name]
        if below:
            assert sum(below) == pytest.approx(float(share), rel=1e-5, abs=1e-9)
    by_node: dict[str, float] = {}
    for name, share in local.items():
        node = name.rpartition(":")[0]
        by_node[node] = by_node.get(node, 0.0) + float(share)
    assert all(total == pytest.approx(1, abs=1e-5) or total == 0 for total in by_node.values())
    dealt = [float(line) for line in answers[-54:-2] if not line.startswith("ERROR")]
    assert len(dealt) == 48
    assert sum(dealt) == pytest.approx(float(answers[-1]), rel=1e-6)
    assert float(answers[-1]) == pytest.approx(float(taken["r:0:c:c"]), rel=1e-6)
    assert float(answers[-2]) == pytest.approx(float(taken["r:0:c:c:c"]), rel=1e-6)


def test_locks_hold_and_are_told() -> None:
    spot = runout.Spot(**RIVER)
    lines = building(spot)
    fold = "1 " * 1326 + "0 " * 1326 * 3
    answers = run_lines(
        [
            *lines,
            f"set_strategy r:0:b94 {fold}",
            "lock_node r:0:b94",
            "show_locked_combos r:0:b94",
            "go 40 steps",
            "wait_for_solver",
            "show_strategy r:0:b94",
            "unlock_node r:0:b94",
            "show_locked_combos r:0:b94",
            "go 400 steps",
            "wait_for_solver",
            "show_strategy r:0:b94",
        ]
    )
    assert not [answer for answer in answers if answer.startswith("ERROR")]
    rows = [[vector(line) for line in answer.splitlines()] for answer in answers if len(answer) > 2000]
    (before,), locked, (after,), free = rows
    held = locked[0] > 0
    assert before.sum() == after.sum() + held.sum() > 0
    assert (locked[0][held] == 1).all()
    assert not np.concatenate(locked[1:]).any()
    assert free[1][held].max() > 0.5  # somebody calls again
    expected = runout.solve(spot.lock("b94", {"f": 1.0}), iterations=40)
    view = expected.root.view.hands[0]
    again = run_lines([*lines, f"set_strategy r:0:b94 {fold}", "lock_node r:0:b94", "go 40 steps", "wait_for_solver",
                       "show_strategy r:0"])  # fmt: skip
    shares = np.stack([vector(line) for line in again[-1].splitlines()])
    assert np.allclose(shares[:, view.combo], view.strategy, atol=1e-6)


def test_a_lock_that_tells_suits_apart_needs_a_tree_without_isomorphism() -> None:
    spot = runout.Spot(**TURN)
    lines = building(spot)
    choice = " ".join("1" if combo_name(index) == "8s8h" else "0" for index in range(1326))
    turn_lock = "lock_node r:0:c:c:8s"
    answers = run_lines([*lines, turn_lock, "set_isomorphism 0 0", "build_tree", turn_lock,
                         f"combo_lock_node r:0 {choice}", "show_locked_combos r:0"])  # fmt: skip
    locked = vector(answers[-1])
    assert (locked.sum(), locked[[combo_name(i) for i in range(1326)].index("8s8h")]) == (1, 1)
    assert answers[-3:-1] == ["lock_node ok!\n", "combo_lock_node ok!\n"]


def test_force_line_leaves_one_way() -> None:
    lines = [line for line in building(runout.Spot(**RIVER)) if line != "build_tree"]
    answers = run_lines([*lines, "force_line 94 300", "build_tree", "go 20 steps", "wait_for_solver",
                         "show_children r:0", "show_strategy r:0", "show_children r:0:b94"])  # fmt: skip
    names = re.findall(r"^r:0:\S+$", answers[-3], re.MULTILINE)
    assert names == ["r:0:c", "r:0:b94"]  # the all-in is gone
    check, bet = (vector(line) for line in answers[-2].splitlines())
    assert bet.sum() > 0
    assert check.sum() == 0
    assert re.findall(r"^r:0:\S+$", answers[-1], re.MULTILINE) == ["r:0:b94:f", "r:0:b94:c", "r:0:b94:b300"]


def test_lines_are_removed_by_numbers_and_by_name() -> None:
    lines = [line for line in building(runout.Spot(**RIVER)) if line != "build_tree"]
    removed = "remove_line " + " ".join(map(str, line_numbers("r:0:b910")))
    answers = run_lines(
        [*lines, removed, "cut_line r:0:c:b910", "build_tree", "show_all_lines", "remove_line 0", "build_tree"]
    )
    found = answers[-3].split()
    assert not [name for name in found if name.startswith(("r:0:b910", "r:0:c:b910"))]
    assert "r:0:b94:b910" in found


def test_scripts_and_redirection(tmp_path: Path) -> None:
    script, answers = tmp_path / "setup.txt", tmp_path / "out.txt"
    script.write_text("# comment\n\nset_board QsJh2h7c3d\nset_pot 0 0 100\nnonsense\n", encoding="utf-8")
    told = run_lines([f"load_script {script}", f"load_script_silent {script}", f"stdoutredi {answers}", "echo away",
                      "stdoutback", "echo back", f"load_script {tmp_path}/none.txt"])  # fmt: skip
    assert told[1:5] == ["set_board ok!\n", "set_pot ok!\n", "ERROR: unknown command 'nonsense'\n", "load_script ok!\n"]
    assert told[5].startswith("ERROR: 1 lines of")
    assert "away" in answers.read_text(encoding="utf-8")
    assert "away\n" not in told
    assert "back\n" in told
    assert told[-1].startswith("ERROR: cannot read script")


def test_a_report_over_a_set_of_flops() -> None:
    lines = ["set_pot 0 0 100", "set_eff_stack 200", "set_range OOP AA,KQs", "set_range IP QQ,AKs", "add_line 0 50",
             "set_accuracy 5 fraction", "add_to_subset 3 As 7d 2c", "add_to_subset 1 Kh 8h 8c", "show_subset",
             "report_subset", "reset_subset", "report_subset"]  # fmt: skip
    answers = run_lines(lines)
    assert answers[-4] == "3 As 7d 2c\n1 Kh 8h 8c\n"
    head, first, second = answers[-3].splitlines()
    assert head == "Flop,Global %,OOP Equity,OOP EV,OOP EQR,IP Equity,IP EV,IP EQR,CHECK freq"
    assert (first.split(",")[:2], second.split(",")[1]) == (["As 7d 2c", "75.0000"], "25.0000")
    assert float(first.split(",")[3]) + float(first.split(",")[6]) == pytest.approx(100, abs=0.01)
    assert answers[-1].startswith("ERROR")


def test_there_are_commands_enough_and_none_is_both() -> None:
    assert len(COMMANDS) >= 60
    assert not set(COMMANDS) & set(MISSING)


@pytest.mark.slow
def test_the_community_benchmark_is_what_solve_says_to_the_bit() -> None:
    """A flop of three streets: half a gigabyte, a minute."""
    spot = runout.Spot.load(Path(__file__).parents[2] / "configs" / "spots" / "community.yaml")
    ours = runout.solve(spot, target=0, iterations=20)
    client = Client()
    for line in [*building(spot), "set_accuracy 0", "go 20 steps", "wait_for_solver"]:
        client.ok(line)
    for node, line in {
        "r:0": "",
        "r:0:c": "x",
        "r:0:b94:c:7c": "b94-c|7c",
        "r:0:c:c:Th:c:c:9s": "x-x|Th|x-x|9s",
    }.items():
        view = ours.at(line).view
        hands = view.hands[view.players.index(view.player or "")]
        theirs = np.stack([vector(text) for text in client.ask(f"show_strategy {node}")])
        assert np.array_equal(theirs[:, hands.combo], hands.strategy)
        for side, name in enumerate(("OOP", "IP")):
            evs, _ = (vector(text) for text in client.ask(f"calc_ev {name} {node}"))
            assert np.array_equal(evs[view.hands[side].combo], view.hands[side].ev, equal_nan=True)
    client.close()


def test_printed_lines_sent_back_build_the_same_tree() -> None:
    spot = runout.Spot(**TURN)
    printed = run_lines([*building(spot), "show_all_lines"])[-1].split()
    again = run_lines(
        [
            *building(spot)[:5],
            "clear_lines",
            *(f"add_line {name}" for name in printed[1:]),
            "build_tree",
            "show_all_lines",
        ]
    )
    assert again[-1].split() == printed
    assert len(printed) > 50


def test_a_tree_script_is_loaded_as_it_was_written(tmp_path: Path) -> None:
    spot = runout.Spot(**TURN)
    (tmp_path / "tree.txt").write_text(write_pio_script(spot), encoding="utf-8")
    answers = run_lines([f"load_script_silent {tmp_path}/tree.txt", "show_all_lines", "show_range OOP"])
    assert answers[-3] == "load_script_silent ok!\n"
    assert answers[-2] == run_lines([*building(spot), "show_all_lines"])[-1]
    assert np.array_equal(vector(answers[-1]), spot.range(0).weights)


def test_equities_before_the_flop_are_those_of_the_calculator() -> None:
    answers = run_lines(["set_range OOP AA,AKs", "set_range IP KK", "calc_eq_preflop OOP", "show_preflop_order"])
    order = answers[-1].split()
    equities, _ = (np.array(line.split(), np.float64) for line in answers[-2].splitlines())
    assert equities[order.index("AA")] == pytest.approx(runout.equity("AA", "KK").equity[0], abs=1e-9)
    assert equities[order.index("AKs")] == pytest.approx(runout.equity("AKs", "KK").equity[0], abs=1e-9)
    assert np.isnan(equities[order.index("QQ")])


def test_the_page_lists_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "interop.md").read_text(encoding="utf-8")
    table = page.partition("### Commands")[2].partition("### What differs")[0]
    assert set(re.findall(r"`(\w+)[^`]*`", table)) - {"full", "no_rivers", "ERROR", "runout"} - set(MISSING) == set(
        COMMANDS
    )
