"""What actions were worth: on the flop against the full-width engine, on the river against what a person works out."""

from __future__ import annotations

import numpy as np
import pytest

from runout.cards.abstraction import AbstractionSettings
from runout.cards.cards import cards
from runout.cards.hands import COMBO_CARDS, combo_index
from runout.cards.suits import card_images
from runout.cursors.bots import load_bot
from runout.evaluation.decision_values import FlopValues, HandStep, Worth, followed, solved_values
from runout.games.betting import BET, CALL, CHECK, FOLD, RAISE, Action, BettingState, Rules, start
from runout.games.holdem import LimitHoldem
from runout.run.depths import find_blueprints
from runout.solvers.auto import blueprint_schedule, range_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import BlueprintMeasure
from runout.solvers.bot import Bot, BotSettings, next_state
from runout.solvers.range_lines import LiveLines
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.subgames import BlueprintKnown, Place, play_as


def test_values_on_the_flop_are_those_of_the_full_width_engine() -> None:
    """Every action of every node, for every hand, on flops as the tables name them and with other suits."""
    game = LimitHoldem(num_streets=4, ranks=3, suits=3, stack_depth=30, max_bets=(1, 2, 1, 1)).game()
    settings = AbstractionSettings.model_validate(
        {"flop": 6, "flop_boards": 1, "turn": 4, "turn_boards": 1, "river": 3, "river_boards": 1}
    )
    solver = BlueprintSolver(BlueprintGame.of(game, settings), blueprint_schedule("auto"), 8, 20, 1, 1)
    solver.step(4)
    policy = solver.policy()
    full = RangeSolver(RangeGame.of(game, threads=1), range_schedule("auto"), 1)
    for player in range(2):
        play_as(full, BlueprintKnown(policy), Place(0, 0), player)
    deck = set(game.deck)
    other = next(g for g in range(1, 24) if set(card_images()[g, list(deck)].tolist()) == deck)
    measure, lines = BlueprintMeasure(policy.what, policy.buckets), LiveLines(full)
    for board in (0, 5, 11):
        shown = full.game.boards[1].cards[board]
        expected = lines.lines(1, board, 0)
        for player, renaming in ((0, 0), (1, 0), (0, other)):
            images = card_images()[renaming]
            found, combos = measure.after_actions(images[shown].tolist(), player)
            order = {combo: place for place, combo in enumerate(combos.tolist())}
            named = images[COMBO_CARDS[full.hands(player, 1, board)]]
            places = [order[one] for one in combo_index(named[:, 0], named[:, 1]).tolist()]
            wanted = expected.after[player]
            assert expected.first_edge == 0
            assert found[: len(wanted), places] == pytest.approx(wanted, abs=2e-4 * float(np.abs(wanted).max()))


@pytest.fixture(scope="module")
def bot() -> Bot:
    """The blueprint of 20 bb that comes with Runout."""
    policy = load_bot(find_blueprints()[20.0], BotSettings(mode="blueprint")).policy
    assert isinstance(policy, Bot)
    return policy


C, X = Action(CALL), Action(CHECK)


def _played(*actions: Action, stack: int = 2000) -> BettingState:
    state = start(Rules.no_limit(stack, 50, 100))
    for action in actions:
        state = next_state(state, state.verify(action))
    return state


def _street(bot: Bot, state: BettingState, deal: str, seat: int, street: int) -> tuple[list[HandStep], list[Worth]]:
    steps = followed(BlueprintKnown(bot.policy), bot.game, state, cards(deal))
    part = [step for step in steps if step.here.street == street]
    return part, solved_values(bot.game, part, cards(deal), seat)


def test_the_nuts_win_the_pot(bot: Bot) -> None:
    """The big blind bets an odd size, the button raises all-in: a call with the best hand wins all that is in."""
    line = (C, X, X, X, X, X, Action(BET, 130), Action(RAISE, 1900), C)
    _, (first, last) = _street(bot, _played(*line), "AsKs 7h2h Qs Js Ts 4d 2c", 0, 3)
    assert first.actions[first.taken] == Action(BET, 130)  # as it was made, beside those of the blueprint
    assert len(first.actions) == 4
    assert [one.kind for one in last.actions] == [FOLD, CALL]
    assert last.values[1] - last.values[0] == pytest.approx(last.step.here.pot, rel=1e-3)


def test_a_hand_that_never_wins_loses_what_it_calls(bot: Bot) -> None:
    line = (C, X, X, X, X, X, X, Action(BET, 500), C)
    _, worths = _street(bot, _played(*line), "3d2h AsKs Qs Js 8h 7c 4c", 0, 3)
    call = worths[-1]
    assert call.values[call.taken] - call.values[0] == pytest.approx(-500, rel=0.02)  # some bluffs are 32 too


def test_a_street_is_solved_at_the_stacks_of_the_table(bot: Bot) -> None:
    line = (C, X, X, X, Action(BET, 100), C, X, X)
    for stack in (1500, 2600):
        _, worths = _street(bot, _played(*line, stack=stack), "9s9d AsKs Qs 9h 2c 4d 3s", 0, 2)
        assert max(one.amount for one in worths[0].actions) == stack - 100


def test_a_hand_is_followed_to_where_tree_and_table_come_apart(bot: Bot) -> None:
    known = BlueprintKnown(bot.policy)
    whole = _played(Action(RAISE, 230), C, X, Action(BET, 210), C, X, X, X, X)
    steps = followed(known, bot.game, whole, cards("9s9d AsKs Qs 9h 2c 4d 3s"))
    assert [step.here.street for step in steps] == [0, 0, 1, 1, 1, 2, 2, 3, 3]
    assert 0 < steps[0].off < 0.3  # 2 bb are the nearest
    assert steps[-1].ranges[0].sum() < steps[0].ranges[0].sum()
    blocked = (cards("3s")[0] == COMBO_CARDS).any(axis=1)
    assert steps[-1].ranges[:, blocked].sum() == 0
    deeper = _played(Action(RAISE, 2500), C, X, X, X, X, X, X, stack=9000)
    assert len(followed(known, bot.game, deeper, cards("9s9d AsKs Qs 9h 2c 4d 3s"))) == 2  # all-in there, not here


def test_fold_on_the_flop_is_worth_what_was_put_in(bot: Bot) -> None:
    deal = cards("9s9d AsKs Qs 9h 2c 4d 3s")
    state = _played(Action(RAISE, 200), C, X, Action(BET, 200), C, X, X, X, X)
    steps = followed(BlueprintKnown(bot.policy), bot.game, state, deal)
    first, second = FlopValues(bot.policy).worths(steps, deal, 0)
    blind = bot.game.big_blind
    assert [one.kind for one in second.actions[:2]] == [FOLD, CALL]
    assert second.values[0] / blind == pytest.approx(-2, abs=1e-3)
    assert second.values[1] / blind > 2  # a set of nines
    assert first.values[0] / blind > 2
