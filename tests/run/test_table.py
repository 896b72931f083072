"""A table against the bot: chips, words, grades, luck and the files of hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pokerkit import HandHistory

from reference.holdem_policies import RandomTable
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS, combo
from runout.errors import InputError
from runout.evaluation.aivat import Aivat, luck_of_cards
from runout.games.betting import CLOSED
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
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


def test_values_of_the_last_decision_are_those_over_the_range_that_gets_there() -> None:
    """Fold, or call and show, against every hand that the opponent may hold, weighed by what it did."""
    game = LimitHoldem(stack_depth=8, num_streets=2, max_bets=(1, 1), ranks=4, suits=3).game()
    policies = RandomTable(seed=1), RandomTable(seed=2)
    deal = np.array([game.deck[i] for i in (0, 5, 3, 8, 1, 6, 10, 2, 4)], np.uint8)
    slots = [1, 1, 1, 2, 1]  # limp, check; on the flop player 0 checks, player 1 bets, player 0 calls
    found = Aivat(game, policies, policies[0]).action_values(deal, slots, 0)
    assert [slot for slot, _ in found] == [1, 1, 1]
    taken = {*deal[:2].tolist(), *deal[4:7].tolist()}
    free = [
        c for c in range(1326) if not taken & set(COMBO_CARDS[c].tolist()) and set(COMBO_CARDS[c]) <= set(game.deck)
    ]
    won = mass = 0.0
    for other in free:
        rest = [c for c in game.deck if c not in taken | set(COMBO_CARDS[other].tolist())][:2]
        row = np.array([[*deal[:2], *COMBO_CARDS[other], *deal[4:7], *rest]], np.uint8)
        batch, reach = HoldemBatch(game, row), 1.0
        for slot in slots:
            if batch.player[0] == 1:
                reach *= policies[1].probabilities(batch, 0)[0, slot]
            batch.act(np.array([slot]))
        assert batch.hands["status"][0] == CLOSED
        won, mass = won + reach * batch.returns()[0, 0], mass + reach
    last = found[-1][1]
    assert last[1] == pytest.approx(won / mass, abs=1e-6)
    assert last[0] == pytest.approx(-2.0, abs=1e-6)  # the big blind is what a fold costs
    assert combo(*deal[:2].tolist()) not in free


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
    view = table.act("f")
    (grade,) = view.graded
    assert (grade.street, grade.action, grade.grade, grade.exact) == ("preflop", "fold", "blunder", True)
    assert 1.5 < grade.lost_bb < 10
    assert view.score.grades["blunder"] == 1
    assert view.score.adjusted is not None
    assert view.score.adjusted < view.score.raw  # type: ignore[operator]  # aces were luck that was thrown away
