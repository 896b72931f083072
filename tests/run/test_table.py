"""A table against the bot: chips, words, grades, luck and the files of hands."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from pokerkit import HandHistory

from runout.cards.cards import cards
from runout.errors import InputError
from runout.evaluation.aivat import luck_of_cards
from runout.games.holdem import NoLimitHoldem
from runout.hands.read import read_hands
from runout.run.depths import find_blueprints, nearest
from runout.run.sitting import Sitting
from runout.run.table import PlayTable
from runout.solvers.bot import BotSettings


@pytest.fixture(scope="module")
def sitting() -> Sitting:
    """The blueprint of 20 bb that comes with Runout, nothing solved anew."""
    places = {20.0: find_blueprints()[20.0]}
    return Sitting(places, BotSettings(mode="blueprint"))


def _played(table: PlayTable, rng: np.random.Generator) -> None:
    """A hand by any words; the chips of the table add up all the way."""
    view = table.deal()
    while view.to_act != "over":
        assert sum(view.behind) + view.pot == pytest.approx(2 * view.stack)
        passive = next(one.token for one in view.choices if one.kind in ("check", "call"))
        view = table.act(str(rng.choice([one.token for one in view.choices])) if rng.random() < 0.4 else passive)
    assert view.choices == ()


@pytest.mark.parametrize(("stack", "keep"), [(20, False), (14.5, True), (31, False)])
def test_hands_are_played_saved_and_read_back(sitting: Sitting, tmp_path: Path, stack: float, keep: bool) -> None:
    table, rng = PlayTable(sitting, stack, seed=4, keep=keep, save=tmp_path), np.random.default_rng(1)
    won = []
    for _ in range(12):
        _played(table, rng)
        won.append(table.view().won_bb)
    assert table.score().won_bb == pytest.approx(sum(won))
    assert table.files is not None
    for file in table.files:
        found = read_hands(file)
        assert not found.failures
        mine = [hand.collected[hand.hero or 0] for hand in found.hands]
        assert len(mine) == 12
        assert {hand.seats[hand.hero or 0].name for hand in found.hands} == {"You"}
    with table.files[0].open("rb") as text:
        results = [list(history)[-1].payoffs for history in HandHistory.load_all(text)]
    own = [payoffs[hand.hero or 0] for payoffs, hand in zip(results, read_hands(table.files[0]).hands, strict=True)]
    assert [float(one) for one in own] == pytest.approx(won)  # pokerkit deals and counts by itself


def test_blinds_move_and_stacks_are_carried(sitting: Sitting) -> None:
    table, rng = PlayTable(sitting, 20, seed=2, keep=True), np.random.default_rng(0)
    seats, before = [], [20.0, 20.0]
    for _ in range(8):
        view = table.deal()
        seats.append(view.seat)
        assert list(view.bankroll) == pytest.approx([20.0 if chips < 1 else chips for chips in before])
        assert view.stack == pytest.approx(min(view.bankroll))
        while view.to_act != "over":
            view = table.act(str(rng.choice([one.token for one in view.choices])))
        before = [view.bankroll[0] + view.won_bb, view.bankroll[1] - view.won_bb]
    assert seats == ["SB", "BB"] * 4


def test_words(sitting: Sitting) -> None:
    table = PlayTable(sitting, 20, seed=5)
    with pytest.raises(InputError, match="no hand was dealt"):
        table.act("c")
    view = table.deal()
    assert (view.seat, view.pot, view.smallest, view.largest) == ("SB", 1.5, 2.0, 20.0)
    assert table.action("2.5").amount == table.action("raise to 2.5bb").amount == 250
    assert table.action("100%").amount == 300  # the pot after a call is 2 bb, on top of 1
    assert table.action("a").amount == table.action("all-in").amount == 2000
    for word, why in (
        ("7x", "unknown action"),
        ("x", "cannot check"),
        ("1.2", "raise to 2 to 20 bb"),
        ("99", "2 to 20 bb"),
        ("-3", "above 0"),
        ("nan", "above 0"),
        ("", "unknown action"),
    ):
        with pytest.raises(InputError, match=why):
            table.act(word)
    assert table.view() == view  # nothing was lost by them
    with pytest.raises(InputError, match="not over"):
        table.deal()
    view = table.act("f")
    assert (view.result, view.won_bb) == ("You fold: -0.5 bb", -0.5)
    with pytest.raises(InputError, match="the hand is over"):
        table.act("c")


@pytest.mark.parametrize("stack", [1, 5000, float("nan")])
def test_stacks_that_nobody_has(sitting: Sitting, stack: float) -> None:
    with pytest.raises(InputError, match="2 to 1000"):
        PlayTable(sitting, stack)


def test_the_nearest_blueprint(sitting: Sitting, tmp_path: Path) -> None:
    places = {20.0: Path("a"), 100.0: Path("b")}
    assert [nearest(places, stack) for stack in (5, 20, 40, 50, 400)] == [20, 20, 20, 100, 100]
    with pytest.raises(InputError, match="no blueprint"):
        nearest({}, 100)
    assert list(find_blueprints()) == sorted(find_blueprints())
    assert find_blueprints([find_blueprints()[20.0].parent], shipped=False) == find_blueprints()
    with pytest.raises(InputError, match="is no blueprint"):
        find_blueprints([tmp_path])
    assert find_blueprints([tmp_path], shipped=False, strict=False) == {}


def test_luck_of_the_board_is_nothing_on_average() -> None:
    game = NoLimitHoldem(stack_depth=20).game()
    known = cards("AsAh KdKc 2c 7d 9h 3s")
    deck = [c for c in range(52) if c not in known]
    rivers = [luck_of_cards(game, [*known, card], [0.0, 0.0, 5.0]) for card in deck]
    assert np.mean(rivers) == pytest.approx(0.0, abs=1e-12)
    assert min(rivers) < -9 < 0 < max(rivers) < 1  # two kings in 44 cards: 10 bb are lost there, a little won elsewhere
    turns = [luck_of_cards(game, [*known[:7], turn], [0.0, 3.0]) for turn in [*deck, known[7]]]
    assert np.mean(turns) == pytest.approx(0.0, abs=1e-12)


def test_a_fold_of_the_best_hand_is_a_blunder_and_named(sitting: Sitting) -> None:
    """Aces before the flop: the chart says what folding them costs."""
    table = PlayTable(sitting, 20, seed=0)
    for seed in range(3000):
        table._rng = np.random.default_rng(seed)
        draw = np.random.default_rng(seed).permutation(52)[:9]
        if {int(draw[2]) // 4, int(draw[3]) // 4} == {12}:  # the button is dealt aces
            break
    view = table.deal()
    assert [name[0] for name in view.hand] == ["A", "A"]
    assert table.act("f").grading
    table.grade()
    view = table.view()
    (grade,) = view.graded
    assert (grade.street, grade.action, grade.grade, grade.exact) == ("preflop", "fold", "blunder", True)
    assert (grade.how, view.graded_hand, view.grading) == ("chart", 1, False)
    assert 1.5 < grade.lost_bb < 10
    assert view.score.grades["blunder"] == 1
    assert view.score.adjusted is not None
    assert view.score.adjusted < view.score.raw  # type: ignore[operator]  # aces were luck that was thrown away


def test_every_street_is_graded_while_the_next_hand_goes_on(sitting: Sitting) -> None:
    table = PlayTable(sitting, 20, seed=8)
    for _ in range(20):
        view = table.deal()
        while view.to_act != "over":
            view = table.act("c")
        if len(view.board) == 5 and view.seat == "BB":
            break
    number, seen = view.number, [move.street for move in view.history if move.who == "you"]
    table._ungraded = deque([table._in_play()])  # the hands before are not what this is about
    table.deal()
    table.grade()
    view = table.view()
    assert (view.number, view.graded_hand, view.grading) == (number + 1, number, False)
    assert [grade.street for grade in view.graded] == seen
    hows = {grade.street: grade.how for grade in view.graded}
    assert hows == {"preflop": "chart", "flop": "blueprint", "turn": "solved", "river": "solved"}
    assert all(grade.lost_bb >= 0 for grade in view.graded)
    assert any(grade.grade == "best" for grade in view.graded)


def test_stacks_that_no_blueprint_is_near_get_no_grades_that_would_be_wrong(sitting: Sitting) -> None:
    table = PlayTable(sitting, 60, seed=8)
    view = table.deal()
    while view.to_act != "over":
        view = table.act("c")
    table.grade()
    assert {(grade.street, grade.exact) for grade in table.view().graded} <= {
        ("preflop", False), ("turn", True), ("river", True)
    }  # fmt: skip
