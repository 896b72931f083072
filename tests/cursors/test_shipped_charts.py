"""The charts that come with Runout: what a player would check first, and that their numbers belong together."""

from __future__ import annotations

import pytest

import runout
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES
from runout.cursors.preflop_solution import WHOLE_GAME, load_preflop
from runout.errors import InputError
from runout.explorers.practice import Practice
from runout.explorers.preflop import PreflopExplorer
from runout.games.preflop import Preflop
from runout.run.preflop import solve_preflop
from runout.solutions.format import shipped_blueprints
from runout.solvers.solved_leaf import shipped_charts

STACKS = (10, 15, 20, 25, 40, 50, 75, 100, 150, 200)
CHARTS = {stack: load_preflop(path) for stack, path in shipped_charts().items()}
WEIGHTS = CLASS_COMBOS / CLASS_COMBOS.sum()


def test_there_is_a_chart_for_every_depth() -> None:
    assert tuple(CHARTS) == STACKS
    assert all(chart.is_chart and chart.settings.stack_depth == stack for stack, chart in CHARTS.items())
    assert all(CHARTS[stack].leaf == WHOLE_GAME for stack in shipped_blueprints())
    assert runout.open_chart(60, nearest=True).settings.stack_depth == 50
    assert runout.open_chart(1000, nearest=True).settings.stack_depth == 200
    with pytest.raises(InputError, match="no chart of 60 bb: there are 10, 15"):
        runout.open_chart(60)
    size = sum(file.stat().st_size for path in shipped_charts().values() for file in path.iterdir())
    assert size < 20e6


@pytest.mark.parametrize("stack", STACKS)
def test_what_is_played_is_worth_what_the_actions_are_worth(stack: float) -> None:
    """Every action that is played first in is as good as the best one with every class, to a tenth of a big blind, and
    in the mean of all hands at the next decisions too. A best response before the flop gains little."""
    chart = CHARTS[stack]
    evs, played = chart.root.action_evs(by="class"), chart.root.strategy(by="class")
    lost = 1000 * (evs.max(axis=0) - (evs * played).sum(axis=0))  # mbb
    assert lost.max() < min(100, chart.exploitability), CLASS_NAMES[lost.argmax()]
    assert 1000 * chart.assessment.exploitability < 40
    for line in ("", "SBc", chart.root.play(chart.root.actions[2]).line):
        node = chart.at(line)
        evs, played = node.action_evs(by="class"), node.strategy(by="class")
        lost = 1000 * (evs.max(axis=0) - (evs * played).sum(axis=0))  # mbb
        assert 0 <= WEIGHTS @ lost < 35


@pytest.mark.parametrize("stack", STACKS)
def test_evs_add_up_and_suited_hands_are_worth_more(stack: float) -> None:
    chart = CHARTS[stack]
    assert sum(chart.root.evs) == pytest.approx(0, abs=1e-9)
    evs = chart.root.ev(by="class")
    for name in CLASS_NAMES:
        if name.endswith("s"):
            suited, offsuit = (float(evs[CLASS_NAMES.index(one)]) for one in (name, f"{name[:2]}o"))
            assert suited > offsuit, name
    pairs = evs[:13]
    assert (pairs[:-1] > pairs[1:]).all()
    order = [float(evs[CLASS_NAMES.index(name)]) for name in ("AKo", "KQo", "QJo", "Q6o", "72o")]
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("stack", [stack for stack in STACKS if stack >= 50])
def test_aces_and_kings_raise(stack: float) -> None:
    played = CHARTS[stack].root.strategy(by="class")
    both = [CLASS_NAMES.index(name) for name in ("AA", "KK")]
    assert played[2:, both].sum(axis=0).mean() > 0.5  # fold, call, then raises


def test_a_hundred_big_blinds_are_played_as_players_do() -> None:
    chart = CHARTS[100]
    assert 1 - WEIGHTS @ chart.root.strategy(by="class")[0] > 0.75
    folds = WEIGHTS @ chart.at("SBr2.5").strategy(by="class")[0]
    assert 0.15 < folds < 0.40


def test_other_depths_are_valued_from_the_charts() -> None:
    """A game with the sizes of a chart, valued by the charts: what is solved plays much as the chart does."""
    chart = CHARTS[100]
    game = Preflop(**chart.settings.model_dump() | {"leaf": "solved", "name": "same sizes"})
    solved = solve_preflop(game, target=1.0)
    assert solved.leaf == "solved"
    assert solved.value == pytest.approx(chart.value, abs=0.05)
    first, second = (one.root.strategy(by="class")[0] @ WEIGHTS for one in (solved, chart))
    assert first == pytest.approx(second, abs=0.1)


def test_nobody_is_graded_where_pots_are_checked_down() -> None:
    checked = solve_preflop(Preflop(stack_depth=20, raise_sizes=[2.5], leaf="equity"), target=5.0)
    explorer = PreflopExplorer(checked)
    assert any("no advice" in note for note in explorer.at("").notes)
    with pytest.raises(InputError, match="checked down"):
        Practice(explorer)
    Practice(PreflopExplorer(CHARTS[20])).deal()
