"""Review of played hands: losses that a person can work out, ranges, trees, and taking up what was begun."""

from __future__ import annotations

import csv
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import runout
from reference import played_hands as samples
from runout.app.cli.main import app
from runout.cards.cards import cards
from runout.cards.hands import combo
from runout.cards.ranges import Range
from runout.cursors.preflop_solution import PreflopSolution
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.hands.read import read_hands, read_hands_text
from runout.hands.record import PlayedHand
from runout.hands.replay import Replay
from runout.run import review as reviews
from runout.run.preflop import solve_preflop
from runout.run.review_files import COLUMNS
from runout.run.review_ranges import OFF_RANGE, SpotRanges, nearest_steps, ranges_for
from runout.run.review_spots import HandSpot, hand_spot, has_spot

REAL = Path(__file__).parents[1] / "data" / "hands" / "heads_up.phhs"

# Quads on the river: p1 bets 60 into 60, p2 folds the best hand there is. A call would have taken 60 + 60 of the pot.
QUADS = """\
[1]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [500, 400]
actions = ['d dh p1 ????', 'd dh p2 AhAd', 'p2 cbr 30', 'p1 cc', 'd db AsAc2d', 'p1 cc', 'p2 cc', 'd db 7h', 'p1 cc', \
'p2 cc', 'd db 9c', 'p1 cbr 60', 'p2 f']
players = ['x', 'hero']
"""


def one(text: str) -> tuple[PlayedHand, Replay]:
    read = read_hands_text(text)
    assert read.failures == []
    return read.hands[0], read.replays[0]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A handful of hands, so that a flop is solved in a moment."""

    def few(hand: PlayedHand, again: Replay, sources: object = ()) -> SpotRanges:
        return SpotRanges(Range("KK,99,KQs:0.5"), Range("AA,QQ,88"), "a few hands")

    monkeypatch.setattr(reviews, "ranges_for", few)


@pytest.mark.usefixtures("narrow")
def test_folding_the_best_hand_loses_the_pot(tmp_path: Path) -> None:
    file = tmp_path / "quads.phhs"
    file.write_text(QUADS, encoding="utf-8")
    found = runout.review(file, tmp_path / "out", hero="hero")
    assert (found.found, found.read, found.heads_up, found.failures) == (1, 1, 1, [])
    (hand,) = found.hands
    last = hand.decisions[-1]
    assert (last.street, last.action, last.best, last.hand, last.grade) == ("river", "fold", "call", "AhAd", "blunder")
    assert last.ev_lost_bb == pytest.approx(12.0, abs=1e-3)  # 120 chips at 10 a big blind
    assert last.ev_lost_pct == pytest.approx(100.0, abs=1e-2)  # of the 120 in the middle
    assert last.line == "x-x|7h|x-x|9c|b60"
    assert [one.action for one in hand.decisions] == [
        "raise to 2.25 bb",
        "check",
        "check",
        "fold",
    ]  # the chart of 40 bb
    assert not last.off_range

    with (tmp_path / "out" / "review.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert rows[0]["action"] == "fold"
    assert (rows[0]["file_line"], rows[0]["line"]) == ("1", "x-x|7h|x-x|9c|b60")
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert [float(row["ev_lost_bb"]) for row in rows] == sorted((float(r["ev_lost_bb"]) for r in rows), reverse=True)
    kept = json.loads((tmp_path / "out" / "review.json").read_text(encoding="utf-8"))
    assert kept["list"][0]["spot"]["pot"] == 60
    assert runout.Spot(**kept["list"][0]["spot"]).board == "As Ac 2d"


@pytest.mark.usefixtures("narrow")
def test_what_was_graded_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, out = tmp_path / "quads.phhs", tmp_path / "out"
    file.write_text(QUADS, encoding="utf-8")
    first = runout.review(file, out, target=50)
    (out / "graded.jsonl").open("a").write('{"key": "cut sho')  # a crash in the middle of a line

    def no(*_: object, **__: object) -> None:
        raise AssertionError("solved again")

    monkeypatch.setattr(reviews, "solve", no)
    assert runout.review(file, out, target=50).hands == first.hands
    with pytest.raises(AssertionError, match="solved again"):
        runout.review(file, out, target=40)


def test_hands_without_cards_or_stacks_are_counted_and_left_out(tmp_path: Path) -> None:
    found = runout.review(REAL, read_only=True)
    assert (found.found, found.read, found.heads_up, len(found.hands)) == (12, 12, 12, 0)
    assert found.left_out == 5
    file = tmp_path / "bad.txt"
    file.write_text(samples.RING.replace("Bob: checks", "Bob: folds", 1), encoding="utf-8")
    (failure,) = runout.review(file, read_only=True).failures
    assert failure.number == 1


def test_amounts_are_told_in_big_blinds() -> None:
    assert [reviews._in_blinds(name, 200) for name in ("raise to 6400", "all-in 250", "fold")] == [
        "raise to 32 bb", "all-in 1.25 bb", "fold",
    ]  # fmt: skip


# Spots


def test_the_tree_has_what_was_bet_and_no_size_near_it() -> None:
    hand, again = one(REAL.read_text(encoding="utf-8").split("\n[2]")[0])
    ranges = ranges_for(hand, again)
    made = hand_spot(hand, again, ranges)
    spot = made.spot
    assert (spot.board, spot.pot, spot.stack, spot.big_blind) == ("4s 5d 2d", 6000, 51100, 1000)
    lines = spot.game().lines
    assert [lines.token(lines.at("x"), n) for n in range(2)] == ["x", "b4000"]  # 4000 in place of half the pot
    for step in made.steps:
        at = lines.at(step.line)
        assert step.token in [lines.token(at, number) for number in range(len(at.menu))]
        sizes = [action.amount for action in at.menu if action.amount > at.state.facing]
        assert all(larger / smaller > 1.2 for smaller, larger in pairwise(sizes))


def test_every_real_hand_has_a_spot_that_can_be_followed() -> None:
    read = read_hands(REAL)
    made = [
        hand_spot(hand, again, ranges_for(hand, again))
        for hand, again in zip(read.hands, read.replays, strict=True)
        if has_spot(hand, again)
    ]
    assert len(made) >= 9
    for one in made:
        for step in one.steps:
            one.spot.game().lines.at(step.line)


def test_a_hand_of_three_begins_at_the_flop() -> None:
    hand, again = one(samples.RING)
    made = hand_spot(hand, again, ranges_for(hand, again))
    assert (made.spot.board, made.spot.pot, made.spot.stack) == ("Jd Tc 2c", 700, 9540)
    assert [step.token for step in made.steps] == ["x", "b400", "c", "x", "x", "x", "b1000", "f"]


# Ranges


def test_built_in_ranges_go_by_the_raises_and_hold_what_was_held() -> None:
    hand, again = one(QUADS)
    found = ranges_for(hand, again)
    assert found.where.startswith("built-in, rough: heads-up, single-raised pot: raiser best 80%")
    assert found.ip.weights.sum() > found.oop.weights.sum() > 500
    weak = one(QUADS.replace("AhAd", "7c2h"))
    held = ranges_for(*weak).ip.weights[combo(*cards("7c2h"))]
    assert held == OFF_RANGE
    limped = one(QUADS.replace("'p2 cbr 30', 'p1 cc'", "'p2 cc', 'p1 cc'"))
    assert "limped pot" in ranges_for(*limped).where


@cache
def preflop() -> PreflopSolution:
    return solve_preflop(Preflop(stack_depth=40, raise_sizes=[2.5, 8]), iterations=60)


def test_ranges_of_a_solution_are_those_of_the_nearest_line() -> None:
    hand, again = one(QUADS)  # a raise to 3 bb, called; 40 bb deep
    steps, node = nearest_steps(preflop(), hand)
    assert [step.node.actions[step.taken] for step in steps] == ["raise to 2.5", "call"]
    found = ranges_for(hand, again, [preflop()])
    assert found.where.endswith("at SBr2.5 BBc")
    reach = node.reach("BB")
    same = node.spot("As Ac 2d").ranges.oop
    np.testing.assert_allclose(found.oop.weights, Range(same).weights, atol=1e-6)
    assert reach.sum() > 100
    ring = ranges_for(*one(samples.RING), [preflop()])
    assert "say nothing of larger tables" in ring.where


def test_preflop_decisions_are_graded_by_the_solution(tmp_path: Path) -> None:
    """Folding aces first in loses what the solution says they are worth, and the small blind."""
    file = tmp_path / "fold.phh"
    folds = QUADS.split("]\n", 1)[1].split("actions")[0] + "actions = ['d dh p1 ????', 'd dh p2 AhAd', 'p2 f']\n"
    file.write_text(folds, encoding="utf-8")
    found = runout.review(file, source=preflop())
    (decision,) = found.hands[0].decisions
    assert (decision.street, decision.seat, decision.action, decision.grade) == ("preflop", "SB", "fold", "blunder")
    evs = preflop().root.action_evs("AhAd")
    assert decision.ev_lost_bb == pytest.approx(max(evs.values()) - evs["fold"], abs=1e-6)
    assert decision.ev_lost_bb is not None
    assert decision.ev_lost_bb > 1


def test_a_solution_without_preflop_play_is_refused() -> None:
    spot = runout.solve(runout.Spot.default(board="Td 9d 6h Qc 2h"), iterations=1)
    with pytest.raises(InputError, match="nothing before the flop"):
        runout.review(REAL, source=spot)


# The command


def test_the_command_reads_and_says_what_failed(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(samples.BETWEEN.join([samples.GG, samples.RING.replace("$2.50", "$2")]), encoding="utf-8")
    done = CliRunner().invoke(app, ["review", str(file), "--read-only", "--json"])
    record = json.loads(done.stdout)
    assert {key: record[key] for key in ("hands", "read", "heads_up", "graded")} == {
        "hands": 2, "read": 1, "heads_up": 1, "graded": 0,
    }  # fmt: skip
    assert record["failures"][0]["hand"] == 2
    assert record["failures"][0]["line"] > 30
    shown = CliRunner().invoke(app, ["review", str(file), "--read-only"])
    assert "2 hands, 1 read and played again" in shown.stdout
    assert "hand 2, line" in shown.stdout
    for bad in (["--read-only", "--hero", "x"], ["--keep"]):
        assert isinstance(CliRunner().invoke(app, ["review", str(file), *bad]).exception, InputError)


@pytest.mark.usefixtures("narrow")
def test_ctrl_c_between_solves_keeps_what_was_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, first = tmp_path / "two.phhs", reviews.hand_spot
    file.write_text(QUADS + QUADS.replace("[1]", "[2]").replace("AhAd", "AhQd"), encoding="utf-8")
    calls: list[object] = []

    def then_interrupted(*given: Any) -> HandSpot:
        calls.append(given)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return first(*given)

    monkeypatch.setattr(reviews, "hand_spot", then_interrupted)
    done = CliRunner().invoke(app, ["review", str(file), "-o", str(tmp_path / "out"), "-t", "5"])
    assert done.exit_code == 130
    assert "1 graded" in done.stdout
    assert json.loads((tmp_path / "out" / "review.json").read_text(encoding="utf-8"))["graded"] == 1


@pytest.mark.usefixtures("narrow")
def test_the_command_lists_hands_by_what_they_lost(tmp_path: Path) -> None:
    file = tmp_path / "quads.phhs"
    file.write_text(QUADS, encoding="utf-8")
    done = CliRunner().invoke(app, ["review", str(file), "-o", str(tmp_path / "out"), "--keep", "-t", "5"])
    assert done.exit_code == 0, done.output
    assert "ranges: a few hands" in done.stdout
    assert "blunder" in done.stdout
    (kept,) = (tmp_path / "out" / "spots").iterdir()
    assert runout.load(kept).at("x-x|7h|x-x|9c|b60").player == "SB"
