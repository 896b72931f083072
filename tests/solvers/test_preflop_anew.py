"""Raises before the flop that a blueprint does not know: what the bot answers, and what they win from it."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from runout.cards.abstraction import AbstractionSettings
from runout.cards.cards import cards
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, COMBO_CLASS, combo
from runout.cursors.bots import load_bot
from runout.games.betting import ALL_IN, CALL, FLOP, FOLD, RAISE, Action, BettingState, start
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_policy import BlueprintPolicy, as_blueprint
from runout.solvers.bot import Bot, BotSettings, next_state
from runout.solvers.called_pots import preflop_strategy
from runout.solvers.preflop import Sweep
from runout.solvers.preflop_anew import PreflopAnew, SolvedPreflop
from runout.solvers.preflop_game import PreflopGame

SB, BB = 1, 0


@pytest.fixture(scope="module")
def bot() -> Bot:
    found = load_bot("20bb", BotSettings(mode="blueprint", iterations=50)).policy
    assert isinstance(found, Bot)
    return found


@pytest.fixture(scope="module")
def anew(bot: Bot) -> PreflopAnew:
    found = PreflopAnew.of(bot.policy)
    assert found is not None
    return found


def raised(state: BettingState, to: float) -> BettingState:
    return next_state(state, state.verify(Action(RAISE, round(100 * to))))


def often(solved: SolvedPreflop, line: str, name: str) -> float:
    node = solved.tree.node(line)[1]
    index = [one.split()[0] for one in solved.tree.action_names(0, node)].index(name)
    return float(solved.played(line)[index] @ CLASS_COMBOS / CLASS_COMBOS.sum())


def test_larger_raises_are_answered_by_more_folds(anew: PreflopAnew) -> None:
    folds = [often(anew.after(BB, f"SBr{to}", None), f"SBr{to}", "fold") for to in ("2.5", "4", "8")]
    assert folds == sorted(folds)
    assert folds[0] < 0.45
    solved = anew.after(BB, "SBr4", None)
    aces = solved.played("SBr4")[:, CLASS_NAMES.index("AA")]
    assert aces[0] < 1e-3, "the first action is to fold"
    assert aces.sum() == pytest.approx(1)


def test_no_hand_wins_by_the_raise_more_than_is_said(anew: PreflopAnew) -> None:
    """The gain again, hand by hand: the whole game's best response with the raise and without it."""
    solved = anew.after(BB, "SBr4", None)
    game = PreflopGame.of(solved.settings)
    sweep = Sweep(game, once=True)
    lines = [solved.tree.line_after(0, edge) for edge in range(game.edges)]
    strategy = np.stack([solved.shares[line] for line in lines])
    sweep.find_values(strategy, SB, best=True)
    first = {line: sweep.edge_values[edge] for edge, line in enumerate(lines) if " " not in line}
    raise_, others = first.pop("SBr4"), np.max(list(first.values()), axis=0)
    assert solved.gain == pytest.approx(np.maximum(raise_ - others, 0).sum(), abs=1e-12)
    assert 0 <= 1000 * solved.gain < 2
    for line in ("SBr6", "SBr12"):
        assert 1000 * anew.after(BB, line, None).gain < 2


def test_what_is_known_stays_as_it_was(anew: PreflopAnew, bot: Bot) -> None:
    """Everything of the player for whom it is solved, but below the raise; a second raise keeps the first answer."""
    first = anew.after(BB, "SBr2.5", None)
    tree, known = bot.blueprint.tree, preflop_strategy(bot.policy)
    rows = {tree.line_after(0, edge): known[edge] for edge in range(tree.streets[0].edges)}
    for line in ("SBr2 BBc", "SBc BBx", "SBa BBf"):
        assert np.allclose(first.shares[line], rows[line], atol=1e-9)
    second = anew.after(BB, "SBr2.5 BBr6 SBr11", first)
    assert np.allclose(second.shares["SBr2.5 BBr6"], first.shares["SBr2.5 BBr6"], atol=1e-12)
    assert {"SBr2.5 BBr6 SBr11 BBf", "SBr2.5 BBr6 SBr11 BBc"} <= set(second.shares)


def test_the_bot_answers_and_goes_on_in_the_pot_that_is_most_alike(bot: Bot) -> None:
    state = raised(start(bot.game.rules), 3.3)
    answer = bot.answer(state, ())
    assert answer.how == "preflop solved anew"
    assert answer.shares.sum(axis=0) == pytest.approx(np.ones(1326))
    more = next(action for action in answer.actions if action.kind == RAISE)
    assert 330 < more.amount < 2000
    reply = bot.answer(next_state(state, more), ())
    assert {action.kind for action in reply.actions} >= {FOLD, CALL}
    called = next_state(state, state.verify(Action(CALL)))
    there = bot.followed(called.player, called, (0, 17, 34))
    assert there.known is bot.blueprint
    assert there.place is not None
    assert there.place.street == FLOP
    assert there.there.spent == (200, 200), "the blueprint's raised pot, not the limped one"
    calls = answer.shares[[action.kind for action in answer.actions].index(CALL)]
    free = ~np.isin(np.arange(1326), np.flatnonzero(there.ranges[BB] == 0))
    assert np.allclose(there.ranges[BB][free], calls[free])
    assert len(np.unique(calls)) <= len(set(COMBO_CLASS))


def test_an_all_in_of_a_hundred_big_blinds_is_called_by_few() -> None:
    policy = as_blueprint(runout.load("100bb").policy)
    assert policy is not None
    deep = Bot(policy, BotSettings(mode="blueprint", iterations=50))
    state = start(deep.game.rules)
    answer = deep.answer(next_state(state, state.verify(Action(ALL_IN))), ())
    assert [action.kind for action in answer.actions] == [FOLD, CALL]
    calls = answer.shares[1]
    assert 0.03 < calls.mean() < 0.15
    assert calls[combo(*cards("As Ah"))] > 0.999
    assert calls[combo(*cards("7s 2h"))] < 0.001
    raises = next_state(state, state.verify(Action(RAISE, 9950)))
    assert {action.kind for action in deep.answer(raises, ()).actions} == {FOLD, CALL, ALL_IN}


def test_there_are_as_many_raises_as_the_game_has_and_all_in_stays_all_in(bot: Bot) -> None:
    third = raised(raised(raised(start(bot.game.rules), 2), 5), 11)
    assert not third.legal().largest
    assert [action.kind for action in bot.answer(third, ()).actions] == [FOLD, CALL]
    state = start(bot.game.rules)
    small = raised(next_state(state, state.verify(Action(CALL))), 2)
    assert ALL_IN in {action.kind for action in bot.answer(small, ()).actions}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"limps": False, "preflop_raises": [[2.5], [3]]}, "c"),
        ({"bet_sizes": [0.33]}, "r4"),
        ({"limps": False, "preflop_raises": [[]]}, "r2 c"),
        ({"limps": False, "preflop_raises": [[2.5]], "big_blind_ante": 1}, "r2"),
        ({"preflop_raises": [[2.5], [3]], "ante": 0.25, "max_bets": 2}, "r2 r4.3"),
    ],
    ids=str,
)
def test_every_tree_has_an_answer_to_every_legal_action(settings: dict[str, object], words: str) -> None:
    game = NoLimitHoldem(**{"stack_depth": 12, "bet_sizes": [0.5], "max_bets": 2, **settings}).game()  # type: ignore[arg-type]
    what = BlueprintGame.of(game, AbstractionSettings(flop=1, turn=1, river=1))
    buckets = what.new_buckets()
    buckets.averages[:] = np.random.default_rng(1).random(len(buckets.averages))
    other = Bot(BlueprintPolicy(what, buckets), BotSettings(mode="blueprint", iterations=50))
    state = start(game.rules)
    for word in words.split():
        asked = Action(CALL) if word == "c" else Action(RAISE, round(100 * float(word[1:])))
        state = next_state(state, state.verify(asked))
    answer = other.answer(state, (0, 17, 34) if state.street else ())
    assert all(state.can(action) for action in answer.actions)
    assert len(set(answer.actions)) == len(answer.actions)
    assert answer.shares.sum(axis=0) == pytest.approx(np.ones(1326))


def test_the_same_bot_plays_the_same(bot: Bot) -> None:
    other = Bot(bot.policy, bot.settings)
    state = raised(raised(start(bot.game.rules), 2.7), 7)
    assert np.array_equal(bot.answer(state, ()).shares, other.answer(state, ()).shares)


def test_the_time_of_a_decision_is_kept(anew: PreflopAnew) -> None:
    asked = []

    def late() -> bool:
        asked.append(1)
        return True

    assert 1000 * anew.after(BB, "SBr4", None, late).gain < 30
    assert len(asked) == 1


def test_without_charts_of_its_pots_a_game_translates() -> None:
    game = LimitHoldem(num_streets=2, ranks=4, suits=3).game()
    policy = BlueprintSolver(BlueprintGame.of(game, None), blueprint_schedule("auto"), 1, 1, threads=1).policy()
    assert PreflopAnew.of(policy) is None
