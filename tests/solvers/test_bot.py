"""The bot: the blueprint where nothing is solved anew, legal play anywhere, bets of any size, the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runout.cards.abstraction import AbstractionSettings
from runout.cards.cards import cards
from runout.cards.hands import combo
from runout.cursors.bots import load_bot
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FOLD, RAISE, RIVER, TURN, Action, start
from runout.games.deals import draw_deals
from runout.games.holdem import NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import small_deck
from runout.kernels.holdem import BETTING
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.bot import ENOUGH, LEAST_ITERATIONS, SETTING_UP, Bot, BotSettings, next_state
from runout.solvers.overbets import overbet
from runout.solvers.subgames import Subgame, lean
from runout.solvers.translation import pseudo_harmonic, translated

GAME = replace(
    NoLimitHoldem(stack_depth=6, bet_sizes=[0.5], raise_sizes=[], preflop_raises=[2], max_bets=2).game(),
    deck=small_deck(3, 3),
)


@pytest.fixture(scope="module")
def policy() -> BlueprintPolicy:
    """Any strategy: every bucket of its own."""
    what = BlueprintGame.of(GAME, None)
    buckets = what.new_buckets()
    buckets.averages[:] = np.random.default_rng(7).random(len(buckets.averages)) ** 2
    return BlueprintPolicy(what, buckets)


def positions(seed: int = 3) -> list[HoldemBatch]:
    """Hands at random points, a batch for each number of actions played."""
    generator = np.array([seed], np.uint64)
    batch = HoldemBatch(GAME, draw_deals(GAME, 60, generator))
    found = []
    while True:
        going = np.flatnonzero(batch.hands["status"] == BETTING)
        if not len(going):
            return found
        batch = batch.take(going)
        found.append(batch.take(np.arange(len(going))))
        batch.act_at_random(generator)


def test_buckets_are_found_on_boards_that_nobody_has_met() -> None:
    settings = AbstractionSettings.model_validate({"flop": 6, "turn": 6, "river": 6})
    averages = None
    found = []
    for asked_first in (False, True):
        what = BlueprintGame.of(GAME, settings)  # each has met no board
        buckets = what.new_buckets()
        averages = np.random.default_rng(7).random(len(buckets.averages)) if averages is None else averages
        buckets.averages[:] = averages
        policy = BlueprintPolicy(what, buckets)
        plays = policy if asked_first else Bot(policy, BotSettings(mode="blueprint"))
        found.append([plays.probabilities(batch) for batch in positions()])
    for bot, blueprint in zip(*found, strict=True):
        assert bot == pytest.approx(blueprint, abs=1e-6)


def test_where_nothing_is_solved_anew_it_plays_the_blueprint(policy: BlueprintPolicy) -> None:
    bots = [Bot(policy, BotSettings(mode=mode, iterations=2, threads=1)) for mode in ("blueprint", "river", "turn")]
    first = (RIVER + 1, RIVER, TURN)
    for batch in positions():
        for bot, street in zip(bots, first, strict=True):
            rows = np.flatnonzero(batch.hands["street"] < street)
            if len(rows):
                some = batch.take(rows)
                assert bot.probabilities(some) == pytest.approx(policy.probabilities(some), abs=1e-6)


@pytest.mark.parametrize("mode", ["river", "turn"])
def test_what_is_solved_anew_is_legal_and_adds_up_and_is_the_same_every_time(
    policy: BlueprintPolicy, mode: str
) -> None:
    bots = [Bot(policy, BotSettings(mode=mode, iterations=5, threads=1)) for _ in range(2)]
    differs = False
    for batch in positions()[3:]:
        found = bots[0].probabilities(batch)
        assert found.sum(axis=1) == pytest.approx(1)
        assert not found[~batch.legal()].any()
        assert np.array_equal(found, bots[1].probabilities(batch))
        differs |= not np.allclose(found, policy.probabilities(batch), atol=0.05)
    assert differs


@pytest.mark.parametrize("mode", ["river", "turn"])
@pytest.mark.parametrize("street", ["preflop", "flop", "turn", "river"])
def test_a_bet_of_any_size_has_a_legal_answer(policy: BlueprintPolicy, mode: str, street: str) -> None:
    bot = Bot(policy, BotSettings(mode=mode, iterations=3, threads=1))
    batch = HoldemBatch(GAME, draw_deals(GAME, 4, np.array([5], np.uint64)))
    checks = {"preflop": 0, "flop": 2, "turn": 4, "river": 6}[street]
    for _ in range(checks):
        batch.act(np.full(4, 1))
    batch.act(np.full(4, 2), np.full(4, 317 if street == "preflop" else 123))
    while not batch.over.all():
        found = bot.probabilities(batch)
        assert found.sum(axis=1) == pytest.approx(1)
        assert not found[~batch.legal()].any()
        batch.act(np.full(4, 1))  # call, then check down: every later decision is asked about too


def test_time_that_is_not_there_leaves_the_blueprint(policy: BlueprintPolicy) -> None:
    late = Bot(policy, BotSettings(mode="turn", seconds=0.01, threads=1))
    late._pace = 1.0  # a machine on which nothing can be solved in time
    for batch in positions()[3:6]:
        assert late.probabilities(batch) == pytest.approx(policy.probabilities(batch), abs=1e-6)


WIDE = replace(
    NoLimitHoldem(stack_depth=6, bet_sizes=[0.3, 0.6, 1.0], raise_sizes=[0.5], preflop_raises=[2], max_bets=3).game(),
    deck=small_deck(3, 3),
)


@pytest.fixture(scope="module")
def wide() -> BlueprintPolicy:
    """Any strategy of a game with more bets."""
    what = BlueprintGame.of(WIDE, None)
    buckets = what.new_buckets()
    buckets.averages[:] = np.random.default_rng(7).random(len(buckets.averages)) ** 2
    return BlueprintPolicy(what, buckets)


def test_fewer_bets_where_all_of_them_would_take_too_long(wide: BlueprintPolicy) -> None:
    state = start(WIDE.rules)
    for _ in range(6):
        state = next_state(state, state.verify(Action(CALL if state.to_call else CHECK)))
    board = WIDE.deck[:5]
    few, many = (
        Bot(wide)._numbers(Subgame(WIDE, state, board, WIDE.weights, 0, menu)) for menu in (lean(WIDE.menu), WIDE.menu)
    )
    assert few < many / 2
    chosen = []
    for numbers, iterations in ((2 * many, ENOUGH), (2 * few, LEAST_ITERATIONS), (few / 2, LEAST_ITERATIONS)):
        bot = Bot(wide, BotSettings(mode="river", seconds=10, threads=1, clock=lambda: 0.0))
        bot._pace = 10 / (numbers * (SETTING_UP + iterations))  # so many numbers can be looked at in ten seconds
        answer = bot.answer(state, board)
        chosen.append((answer.how, len(answer.actions)))
    assert chosen == [("river solved anew", 5), ("river solved anew", 3), ("blueprint", 5)]


@pytest.mark.parametrize("mode", ["river", "turn"])
def test_bets_that_the_smaller_tree_does_not_have_are_answered(wide: BlueprintPolicy, mode: str) -> None:
    """All hands at random points of the game with all bets, solved with few: legal, and the same every time."""
    bots = [Bot(wide, BotSettings(mode=mode, iterations=3, threads=1, tree="lean")) for _ in range(2)]
    generator = np.array([4], np.uint64)
    batch = HoldemBatch(WIDE, draw_deals(WIDE, 12, generator))
    solved = 0
    while True:
        going = np.flatnonzero(batch.hands["status"] == BETTING)
        if not len(going):
            break
        batch = batch.take(going)
        found = bots[0].probabilities(batch)
        assert found.sum(axis=1) == pytest.approx(1)
        assert not found[~batch.legal()].any()
        assert np.array_equal(found, bots[1].probabilities(batch))
        solved += int((batch.hands["street"] >= TURN).sum())
        batch.act_at_random(generator)
    assert solved


def test_pseudo_harmonic_odds() -> None:
    assert pseudo_harmonic(0.5, 1.0, 0.5) == 1.0
    assert pseudo_harmonic(0.5, 1.0, 1.0) == 0.0
    assert pseudo_harmonic(0.0, 1.0, 1 / 3) == pytest.approx(0.5)
    assert pseudo_harmonic(0.5, 1.0, 5 / 7) == pytest.approx(0.5)


def test_bets_are_taken_as_those_of_the_tree() -> None:
    state = start(GAME.rules).act(Action(CALL)).act(Action(1)).next_street()  # 200 in the middle
    offered = GAME.menu(state)
    sizes = [action.amount for action in offered]
    assert sizes == [0, 100, 500]
    taken = (1 - 60 / 100) / (1 + 60 / 200)  # smaller than all: as a check with these odds, else as the smallest
    assert translated(state, Action(BET, 60), state, offered, taken - 0.01) == 0
    assert translated(state, Action(BET, 60), state, offered, taken + 0.01) == 1
    assert translated(state, Action(BET, 150), state, offered, 0.0) == 1
    assert translated(state, Action(BET, 490), state, offered, 0.99) == 2
    limped = start(GAME.rules)
    no_limps = [Action(FOLD, 50), Action(RAISE, 250)]
    assert translated(limped, Action(RAISE, 200), limped, no_limps, 0.5) == 1


@pytest.mark.parametrize("checked", [True, False], ids=["after a check", "first to act"])
def test_a_small_bet_taken_as_a_check_is_called_and_play_goes_on_after_checks(
    policy: BlueprintPolicy, checked: bool
) -> None:
    flop = start(GAME.rules).act(Action(RAISE, 200)).act(Action(CALL)).next_street()
    bet = (flop.act(Action(CHECK)) if checked else flop).act(Action(BET, 100))
    called, board = bet.act(Action(CALL)).next_street(), GAME.deck[:4]
    seen = set()
    for seed in range(12):
        bot = Bot(policy, BotSettings(mode="blueprint", seed=seed))
        answer, turn = bot.answer(bet, board[:3]), bot.followed(called.player, called, board)
        assert turn.place is not None
        assert turn.place.street == TURN
        as_check = FOLD not in {action.kind for action in answer.actions}
        assert CALL in {action.kind for action in answer.actions}
        assert turn.there.spent == ((200, 200) if as_check else (400, 400))
        seen.add(as_check)
    assert len(seen) == 2


def test_a_bet_of_a_hundred_pots_is_called_by_few_and_made_by_good_hands() -> None:
    game = NoLimitHoldem().game()
    every = np.ones(1326)
    bets, calls = overbet(game, (), 150, 9950, 9900, every, every)
    aces, tens, trash = (combo(*cards(text)) for text in ("As Ah", "Ts 5h", "7s 2h"))
    assert calls[aces] > 0.99
    assert bets[aces] > 0.99
    assert calls[tens] < 0.05
    assert calls[trash] < 0.01
    assert 0.01 < calls.mean() < 0.12
    small, wide = overbet(game, (), 150, 150, 100, every, every)
    assert wide.mean() > 0.4  # half a pot is called far more often
    assert small.shape == (1326,)


@pytest.mark.parametrize("pots", [0.5, 1, 5, 20, 49])
def test_a_river_bet_of_any_size_is_met_as_often_as_makes_bluffs_worth_nothing(pots: float) -> None:
    """A bluff of s pots gains nothing where 1 / (1 + s) of the range goes on."""
    bot = load_bot("100bb", BotSettings(iterations=100, tree="game", threads=1)).policy
    assert isinstance(bot, Bot)
    state, board = start(bot.game.rules), cards("8h 4s 7c 2c 5c")
    for action in (Action(CALL), *[Action(CHECK)] * 5):
        state = next_state(state, state.verify(action))
    bet = state.act(Action(BET, int(pots * state.pot)))
    answer, held = bot.answer(bet, board), bot.followed(bet.player, bet, board).ranges[bet.player]
    folds = [action.kind for action in answer.actions].index(FOLD)
    goes_on = 1 - float(held @ answer.shares[folds]) / held.sum()
    assert goes_on == pytest.approx(1 / (1 + pots), rel=0.2)


@pytest.mark.parametrize(
    "settings",
    [{"mode": "preflop"}, {"gadget": "safe"}, {"tree": "rich"}, {"seconds": 0.0}, {"iterations": 0}],
    ids=str,
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError, match="use"):
        BotSettings(**settings)  # type: ignore[arg-type]
