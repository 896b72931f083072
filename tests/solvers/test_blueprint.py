"""Blueprints: sampled changes against the full-width engine, exact measurement against it, convergence, determinism."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

import runout
from runout.cards.abstraction import AbstractionSettings
from runout.cards.hands import COMBO_CARDS, COMBO_CLASS
from runout.errors import InputError, MemoryRefused
from runout.games.deals import draw_deals
from runout.games.flop_choice import flop_choice
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame, small_deck
from runout.games.points import BOARD_CARDS
from runout.kernels.lines import UPDATE
from runout.kernels.tables import NODE_VALUE
from runout.run.executors import Processes
from runout.solvers.auto import blueprint_schedule, range_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import BlueprintPolicy, as_blueprint, compact
from runout.solvers.mccfr import HoldemMccfr
from runout.solvers.range_values import range_values
from runout.solvers.ranges import RangeGame, RangeSolver

TWO_STREETS = LimitHoldem(num_streets=2, ranks=4, suits=3).game()
LIMIT = LimitHoldem(num_streets=4, ranks=5, suits=2, max_bets=(1, 1, 1, 1)).game()
ALL_INS = replace(
    NoLimitHoldem(stack_depth=3, bet_sizes=[0.5], preflop_raises=[2], max_bets=1).game(), deck=small_deck(3, 3)
)
GAMES = {"two streets": TWO_STREETS, "limit": LIMIT, "all-ins on every street": ALL_INS}
NAMES = ["two streets", pytest.param("limit", marks=pytest.mark.slow), "all-ins on every street"]


def solver(game: HoldemGame, batch: int = 8, seed: int = 0, threads: int = 1, answers: int = 0) -> BlueprintSolver:
    what = BlueprintGame.of(game, None)
    return BlueprintSolver(what, blueprint_schedule("auto"), batch, 20, seed, threads, answers=answers)


def full_width(game: HoldemGame) -> RangeSolver:
    return RangeSolver(RangeGame.of(game, threads=1), range_schedule("auto"), 1)


def hand_buckets(what: BlueprintGame, board: np.ndarray, combos: np.ndarray, street: int) -> np.ndarray:
    """The buckets of hands on a board, by way of dealt cards."""
    deals = np.zeros((len(combos), 9), np.uint8)
    for row, combo in enumerate(combos):
        own = COMBO_CARDS[combo]
        rest = [card for card in what.game.deck if card not in own and card not in board]
        deals[row] = [*own, *rest[:2], *board, *rest[2 : 7 - len(board)]]
    return what.abstraction.buckets(deals)[:, 0, street]


def copy_to(full: RangeSolver, learnt: BlueprintSolver, name: str) -> None:
    """Make what is learnt by buckets (`regrets` or `averages`) that of every hand of every board."""
    what, buckets = learnt.what, learnt.buckets
    source, target = getattr(buckets, name), getattr(full.storage, name)
    for street, boards in enumerate(full.game.boards):
        tree = full.game.tree.streets[street]
        for board, cards in enumerate(boards.cards):
            found = [hand_buckets(what, cards, full.hands(player, street, board), street) for player in range(2)]
            for node in range(tree.nodes):
                player = int(tree.player[node])
                place, rows, count = full._place(street, board, node)
                table = target[place].reshape(rows.stop - rows.start, -1)
                first_row = (place.start - full.boards[street].store[player, board]) // table.shape[1]
                for k in range(len(table)):
                    at = buckets.first[player, street] + (first_row + k) * buckets.width[street]
                    table[k, :count] = source[at + found[player]]


@pytest.mark.parametrize("name", NAMES)
def test_the_exact_measurement_is_that_of_the_full_width_engine(name: str) -> None:
    game = GAMES[name]
    learnt, full = solver(game), full_width(game)
    learnt.buckets.averages[:] = np.random.default_rng(1).random(len(learnt.buckets.averages)) ** 2
    copy_to(full, learnt, "averages")
    found = measure_flops(learnt.what, learnt.buckets, flop_choice("all", learnt.what.game.deck), 1)
    assert found.exploitability == pytest.approx(full.exploitability(), rel=1e-4)
    assert found.values == pytest.approx(range_values(full), abs=1e-4 * game.rules.stack)
    assert sum(found.values) == pytest.approx(0, abs=1e-5 * game.rules.stack)


@pytest.mark.parametrize("player", range(2))
@pytest.mark.parametrize("name", NAMES)
def test_the_mean_change_over_all_boards_is_that_of_one_full_sweep(name: str, player: int) -> None:
    """At frozen strategies; every board of the deck once, flops as often as they stand for others."""
    game = GAMES[name]
    what = BlueprintGame.of(game, None)
    boards, flops = every_board(what)
    learnt = solver(game, batch=len(boards))
    before = np.random.default_rng(2).normal(size=len(learnt.buckets.regrets)).astype(np.float32)
    learnt.buckets.regrets[:] = before
    full = full_width(game)
    copy_to(full, learnt, "regrets")
    full.sweep(player, player, UPDATE, np.zeros((1, 3), np.float32))
    learnt.learn(player, np.array(boards, np.uint8), np.array(flops))
    changes = {"regrets": learnt.buckets.regrets - before, "averages": learnt.buckets.averages}
    for street in range(what.streets):
        seen = occurrences(what, street, boards, flops)
        for kind, changed in changes.items():
            expected, scale = expected_changes(full, learnt, player, street, kind)
            first, width = learnt.buckets.first[player, street], int(learnt.buckets.width[street])
            got = changed[first : first + expected.shape[0] * width].reshape(-1, width)
            if street:
                expected = expected * seen[: expected.shape[1]]
                scale = scale * max(1, seen.max())
            assert np.abs(got[:, : expected.shape[1]] - expected).max() < 2e-4 * scale


def every_board(what: BlueprintGame) -> tuple[list[list[int]], list[int]]:
    """All boards of a small deck, flops as often as they stand for others, and the numbers of their flops."""
    more = BOARD_CARDS[what.game.rules.last_street] - 3
    boards, flops = [], []
    for number, flop in enumerate(what.abstraction.flops):
        rest = [card for card in what.game.deck if card not in flop]
        for cards in permutations(rest, more):
            for _ in range(int(what.abstraction.flop_copies[number])):
                boards.append([*flop, *cards, *rest[: 2 - more]] if more < 2 else [*flop, *cards])
                flops.append(number)
    return boards, flops


def occurrences(what: BlueprintGame, street: int, boards: list[list[int]], flops: list[int]) -> np.ndarray:
    """How often each bucket of a street is met over the boards."""
    found = np.zeros(what.abstraction.sizes[street])
    if street:
        shown = BOARD_CARDS[street]
        for cards, times in zip(*np.unique(np.array(boards)[:, :shown], axis=0, return_counts=True), strict=True):
            held = np.isin(COMBO_CARDS, what.game.deck).all(axis=1) & ~np.isin(COMBO_CARDS, cards).any(axis=1)
            np.add.at(found, hand_buckets(what, cards, np.flatnonzero(held), street), times)
    return found


def expected_changes(
    full: RangeSolver, learnt: BlueprintSolver, player: int, street: int, kind: str
) -> tuple[np.ndarray, float]:
    """[actions, buckets]: changes of one hand of each bucket (before the flop: of all), and the largest."""
    what = learnt.what
    stored = getattr(full.storage, kind)
    rows = int(what.rows[player, street])
    found = np.zeros((rows, what.abstraction.sizes[street]))
    for board, cards in enumerate(full.game.boards[street].cards):
        combos = full.hands(player, street, board)
        stride = int(full.boards[street].stride[player, board])
        at = int(full.boards[street].store[player, board])
        table = stored[at : at + rows * stride].reshape(rows, stride)[:, : len(combos)]
        if street:
            found[:, hand_buckets(what, cards, combos, street)] = table
        else:
            for row in range(rows):
                found[row] += np.bincount(COMBO_CLASS[combos], table[row], found.shape[1])
    return found, float(np.abs(found).max())


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("buckets", [30, 5000])
def test_buckets_change_by_what_their_hands_would_change_by(buckets: int, player: int) -> None:
    """Against an engine in which every hand has numbers of its own, which are those of its bucket."""
    game = NoLimitHoldem(stack_depth=6, bet_sizes=[0.5], preflop_raises=[[2], []], max_bets=2).game()
    settings = AbstractionSettings(preflop=169, flop=buckets, turn=buckets, river=buckets)
    what, random = BlueprintGame.of(game, settings), np.random.default_rng(1)
    shared, alone = (
        BlueprintSolver(what, blueprint_schedule("auto"), 3, 20, threads=1, own=own) for own in (False, True)
    )
    cards, flops = shared.draw(0)
    learnt, own = shared.buckets, alone.buckets
    learnt.regrets[:] = random.normal(size=len(learnt.regrets))
    learnt.regrets[random.random(len(learnt.regrets)) < 0.3] = 0
    before, rows = learnt.regrets.copy(), what.rows
    places: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # of each street, the buckets of hands here and there
    for street in range(1, 4):
        shown = BOARD_CARDS[street]
        combos = alone.listed_combos(cards, flops)[street - 1]
        held = [hand_buckets(what, board[:shown], some, street) for board, some in zip(cards, combos, strict=True)]
        places[street] = np.concatenate(held), np.concatenate(alone.listed_places(street)).astype(np.int64)
    places[0] = np.arange(169), np.arange(169)
    for side in range(2):
        for street, (bucket, place) in places.items():
            for row in range(rows[side, street]):
                there = own.first[side, street] + row * own.width[street]
                own.regrets[there + place] = before[learnt.first[side, street] + row * learnt.width[street] + bucket]
    hands_before = own.regrets.copy()
    for one in (shared, alone):
        one.learn(player, cards, flops)
    for street, (bucket, place) in places.items():
        for row in range(rows[player, street]):
            here = learnt.first[player, street] + row * learnt.width[street]
            there = own.first[player, street] + row * own.width[street] + place
            size = what.abstraction.sizes[street]
            for found, changed in (
                (learnt.regrets - before, own.regrets - hands_before),
                (learnt.averages, own.averages),
            ):
                expected = np.bincount(bucket, changed[there].astype(np.float64), size)
                noise = 1e-5 * np.abs(expected).max()
                np.testing.assert_allclose(found[here : here + size], expected, rtol=1e-4, atol=noise)


@pytest.mark.parametrize("last", ["lossless", 3])
@pytest.mark.parametrize(
    ("name", "answers"), [("two streets", 1), ("all-ins on every street", 1), ("all-ins on every street", 2)]
)
def test_an_opponent_who_answers_wins_what_a_response_from_that_street_on_wins(
    name: str, answers: int, last: str | int
) -> None:
    """By the measurement, over every board at frozen strategies; and the player loses that against the answers."""
    game = GAMES[name]
    asked = {"flop": "lossless", "turn": "lossless", "river": "lossless"}
    asked |= {"flop" if name == "two streets" else "river": last}
    what = BlueprintGame.of(game, AbstractionSettings.model_validate(asked))
    boards, flops = every_board(what)
    learnt = BlueprintSolver(what, blueprint_schedule("auto"), len(boards), 20, threads=1, answers=answers)
    learnt.buckets.regrets[:] = np.random.default_rng(3).normal(size=len(learnt.buckets.regrets))
    learnt.begin_from(what, learnt.buckets.regrets.copy(), learnt.buckets.regrets.copy(), 0)
    measured = measure_flops(what, learnt.buckets, flop_choice("all", game.deck), 1, by_street=True)
    before, won = learnt.state()["regrets"].copy(), []
    for player in range(2):
        learnt.restore({**learnt.state(), "regrets": before})
        learnt.learn(player, np.array(boards, np.uint8), np.array(flops))
        values = []
        for who, memory in ((player, learnt._scratch), (1 - player, learnt._answering)):
            root, plan = learnt._sweep.boards[0], learnt._sweep.plans[who][0]
            at = int(plan.nodes[0, NODE_VALUE]) * int(root.stride[who, 0])
            rows = memory[0].rows[0].values[at : at + int(root.count[who, 0])]
            values.append(float(rows.astype(np.float64).sum()) / what.range_game().deals)
        assert values[0] == pytest.approx(-values[1], abs=1e-5 * game.rules.stack)
        won.append(values[1])
    assert sum(won) / 2 == pytest.approx(measured.by_street[-answers], abs=1e-5 * game.rules.stack)
    assert measured.by_street[-answers] > 0


def test_answers_make_coarse_buckets_lose_less() -> None:
    """Three buckets on the river: players who learn from each other count on an opponent who sees no more than they."""
    what = BlueprintGame.of(
        ALL_INS, AbstractionSettings.model_validate({"flop": "lossless", "turn": "lossless", "river": 3})
    )
    everywhere, lost = flop_choice("all", ALL_INS.deck), []
    for answers in range(3):
        learnt = BlueprintSolver(what, blueprint_schedule("auto"), 8, 5, 0, 1, answers=answers)
        learnt.step(3000)
        lost.append(measure_flops(what, learnt.buckets, everywhere, 1).exploitability)
    assert 0 < lost[1] < 0.9 * lost[0]
    assert 0 < lost[2] < 0.6 * lost[0]


@pytest.mark.parametrize(("answers", "most"), [(0, 15), (1, 40)])
def test_two_streets_come_to_the_exact_solution(answers: int, most: float) -> None:
    """Uniform play loses 1,482 mbb/hand here, and the small blind wins what the exact solver says."""
    learnt, full = solver(TWO_STREETS, batch=16, answers=answers), full_width(TWO_STREETS)
    full.step(300)
    learnt.step(2000)
    found = measure_flops(learnt.what, learnt.buckets, flop_choice("all", learnt.what.game.deck), 1)
    assert 0 < TWO_STREETS.mbb(found.exploitability) < most
    assert TWO_STREETS.mbb(found.values[1]) == pytest.approx(TWO_STREETS.mbb(range_values(full)[1]), abs=5)


@pytest.mark.slow
def test_four_streets_lose_less_than_a_hundredth_of_uniform_play() -> None:
    learnt = solver(ALL_INS, batch=16, threads=2)
    everywhere = flop_choice("all", learnt.what.game.deck)
    uniform = measure_flops(learnt.what, learnt.buckets, everywhere, 2).exploitability
    learnt.step(60_000)
    assert 0 < measure_flops(learnt.what, learnt.buckets, everywhere, 2).exploitability < uniform / 100


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "value"), [(2, None), (5, 0.056201), (10, -0.045371), (25, None)])
def test_all_in_or_fold_comes_to_the_exact_values(stack: float, value: float | None) -> None:
    """Nothing is drawn there, so it is exact: the linear program's value, or that of the preflop solver."""
    game = NoLimitHoldem(stack_depth=stack, preflop_raises=[[]], limps=False).game()
    learnt = BlueprintSolver(BlueprintGame.of(game, None), blueprint_schedule("auto"), 1, 1)
    learnt.step(400)
    found = measure_flops(learnt.what, learnt.buckets, flop_choice("1", learnt.what.game.deck))
    if value is None:
        raises = runout.Preflop(stack_depth=stack, raise_sizes=[["a"]], limps=False)
        value = runout.solve_preflop(raises, iterations=2000).value
    assert game.mbb(found.values[1]) == pytest.approx(1000 * value, abs=0.1)
    assert 0 <= game.mbb(found.exploitability) < 0.1


def test_a_response_that_begins_later_gains_less() -> None:
    """From the first street on it is the best response; one that begins later has fewer ways to gain, never a loss."""
    learnt = solver(ALL_INS)
    learnt.step(200)
    everywhere = flop_choice("all", learnt.what.game.deck)
    found = measure_flops(learnt.what, learnt.buckets, everywhere, 2, by_street=True)
    assert found.by_street[0] == pytest.approx(found.exploitability)
    assert len(found.by_street) == learnt.what.streets
    assert all(later < earlier for earlier, later in pairwise(found.by_street))
    assert found.by_street[-1] > 0


def test_processes_measure_what_threads_measure() -> None:
    learnt = solver(ALL_INS)
    learnt.step(50)
    everywhere = flop_choice("all", learnt.what.game.deck)
    steps: list[tuple[int, int]] = []
    here = measure_flops(learnt.what, learnt.buckets, everywhere, 1, by_street=True)
    there = measure_flops(
        learnt.what, learnt.buckets, everywhere, on_done=lambda *at: steps.append(at), by_street=True,
        executor=Processes(2),
    )  # fmt: skip
    assert there == here
    assert steps == [(done + 1, everywhere.of) for done in range(everywhere.of)]


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_threads_and_resuming_change_nothing(answers: int) -> None:
    one, two, pieces, later = (solver(ALL_INS, threads=threads, answers=answers) for threads in (1, 2, 1, 1))
    for learnt in (one, two):
        learnt.step(90)
    pieces.step(43)
    later.restore({name: array.copy() for name, array in pieces.state().items()})
    later.step(47)
    for learnt in (two, later):
        np.testing.assert_array_equal(learnt.buckets.regrets, one.buckets.regrets)
        np.testing.assert_array_equal(learnt.buckets.averages, one.buckets.averages)
        if answers:
            np.testing.assert_array_equal(learnt.state()["opponents"], one.state()["opponents"])
    assert not np.array_equal(solver(ALL_INS, seed=1).draw(0)[0], one.draw(0)[0])


def test_a_table_of_mccfr_plays_the_same_as_a_blueprint() -> None:
    buckets = AbstractionSettings(preflop=169, flop=20, turn=20, river=20)
    game = LIMIT
    trained = HoldemMccfr(game, 200, abstraction=buckets)
    trained.step(3)
    policy = trained.policy()
    copied = as_blueprint(policy)
    assert copied is not None
    random = np.random.default_rng(3)
    deals = np.array([random.permutation(game.deck)[:9] for _ in range(200)], np.uint8)
    batch = HoldemBatch(game, deals)
    while len(batch):
        np.testing.assert_allclose(copied.probabilities(batch), policy.probabilities(batch), atol=1e-6)
        legal = batch.legal()
        batch.act(np.array([random.choice(np.flatnonzero(row)) for row in legal]))
        batch = batch.take(np.flatnonzero(~batch.over))


def test_what_does_not_fit_is_refused_with_the_setting_to_lower() -> None:
    with pytest.raises(MemoryRefused, match=r"abstraction\.river"):
        solver(LimitHoldem().game())
    with pytest.raises(InputError, match="before the flop"):
        BlueprintGame.of(NoLimitHoldem(board="Qs Jh 2h").game(), None)
    with pytest.raises(InputError, match="every street"):
        BlueprintGame.of(NoLimitHoldem(num_streets=2).game(), None)


@pytest.mark.parametrize("river", [{}, {"river_by": "opponents"}, {"river_boards": 4, "turn_boards": 3}])
def test_hands_of_a_board_are_in_the_buckets_of_dealt_hands(river: dict[str, Any]) -> None:
    """All hands of a board at once, and one dealt hand after the other, by two ways of counting."""
    game = LimitHoldem(ranks=5, suits=3).game()
    settings = AbstractionSettings.model_validate({"flop": 12, "turn": 9, "river": 40, **river})
    learnt = BlueprintSolver(BlueprintGame.of(game, settings), blueprint_schedule("auto"), 4, 20, threads=1)
    cards, flops = learnt.draw(7)
    learnt.learn(0, cards, flops)
    used = set()
    for street in range(1, 4):
        boards = learnt._sweep.boards[street]
        for board in range(len(cards)):
            first, combos = int(boards.hands[0, board]), boards.combos(0, board)
            expected = hand_buckets(learnt.what, cards[board][: BOARD_CARDS[street]], combos, street)
            np.testing.assert_array_equal(boards.bucket[first : first + len(combos)], expected)
            used.update(expected.tolist() if street == 3 else ())
    assert len(used) > 5


def test_in_a_round_every_flop_comes_as_often_as_it_should() -> None:
    learnt = solver(TWO_STREETS, batch=8)
    flops = learnt.what.abstraction
    rounds = -(-len(flops.flops) // 8)
    for player in range(2):
        drawn = np.concatenate([learnt.draw(2 * i + player)[1] for i in range(rounds)])
        due = flops.flop_copies / flops.flop_copies.sum() * len(drawn)
        assert (np.abs(np.bincount(drawn, minlength=len(due)) - due) < 1).all()
    assert not np.array_equal(learnt.draw(0)[1], learnt.draw(1)[1])


def test_finer_buckets_begin_with_what_coarse_ones_learnt() -> None:
    coarse = BlueprintGame.of(TWO_STREETS, AbstractionSettings.model_validate({"flop": 10}))
    before = BlueprintSolver(coarse, blueprint_schedule("auto"), 8, 20, 0, 1)
    before.step(60)
    choice = flop_choice("all", TWO_STREETS.deck)
    lost = measure_flops(coarse, before.buckets, choice).exploitability
    for flop, least, most in ((10, 1.0, 1.0), (60, 0.8, 1.3), ("lossless", 0.8, 1.3)):
        fine = BlueprintGame.of(TWO_STREETS, AbstractionSettings.model_validate({"flop": flop}))
        after = BlueprintSolver(fine, blueprint_schedule("auto"), 8, 20, 0, 1)
        nothing = measure_flops(fine, after.buckets, choice).exploitability
        after.begin_from(coarse, before.buckets.regrets, before.buckets.averages, 3)
        found = measure_flops(fine, after.buckets, choice).exploitability
        assert least * lost - 1e-6 <= found <= most * lost + 1e-6 < nothing
    with pytest.raises(InputError, match="another game or another tree"):
        solver(ALL_INS).begin_from(coarse, before.buckets.regrets, before.buckets.averages, 3)


@pytest.mark.parametrize("answers", [0, 1])
def test_what_is_played_before_the_flop_can_be_kept(answers: int) -> None:
    before = solver(TWO_STREETS)
    before.step(40)
    after = BlueprintSolver(before.what, blueprint_schedule("auto"), 8, 1, 0, 1, answers=answers, keep_preflop=True)
    after.begin_from(before.what, before.buckets.regrets, before.buckets.averages, 2)
    early = HoldemBatch(TWO_STREETS, draw_deals(TWO_STREETS, 500, np.array([1], np.uint64)))
    later = early.take(np.arange(500))
    for _ in range(2):  # a call and a check: the flop
        later.act(np.ones(500, np.int64))
    kept, changed = ([one.policy().probabilities(batch) for one in (before, after)] for batch in (early, later))
    np.testing.assert_allclose(kept[1], kept[0], atol=1e-6)
    after.step(30)
    np.testing.assert_allclose(after.policy().probabilities(early), kept[0], atol=1e-6)
    assert np.abs(after.policy().probabilities(later) - changed[0]).max() > 0.1


def test_numbers_that_are_taken_over_grow_with_the_boards_of_an_epoch() -> None:
    before, after = solver(TWO_STREETS), solver(TWO_STREETS, answers=1)
    before.step(20)
    after.begin_from(before.what, before.buckets.regrets, before.buckets.averages, 2, [0.5, 3.0])
    places, rows, width = before.buckets.first, before.what.rows, before.what.width
    for player in range(2):
        for street, factor in enumerate([0.5, 3.0]):
            here = slice(places[player, street], places[player, street] + rows[player, street] * width[street])
            for name in ("regrets", "averages"):
                had, has = getattr(before.buckets, name)[here], getattr(after.buckets, name)[here]
                np.testing.assert_allclose(has, factor * had, rtol=1e-6)
    opponents = after.state()["opponents"]  # before the flop those of both seats, as the players have them
    first = [slice(places[player, 0], places[player, 0] + rows[player, 0] * width[0]) for player in range(2)]
    np.testing.assert_array_equal(opponents, np.concatenate([after.buckets.regrets[part] for part in first]))


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_the_boards_of_an_iteration_take_no_more_memory_than_is_asked_for(answers: int) -> None:
    learnt = solver(ALL_INS, batch=3, threads=2, answers=answers)
    before = 8 * sum(int(row) for row in learnt.what.rows[:, 0]) * int(learnt._sweep.boards[0].stride.max())
    taken = 2 * learnt._sweep.storage.regrets.nbytes - before
    assert taken <= learnt.what.sweep_bytes(3, 2, answers)


def test_a_compact_blueprint_plays_the_same_to_half_a_step() -> None:
    learnt = solver(TWO_STREETS)
    learnt.step(20)
    small = compact(learnt.policy())
    assert small.dtype == np.uint8
    places = learnt.what.empty_buckets()._replace(averages=small.astype(np.float32))
    batch = HoldemBatch(TWO_STREETS, draw_deals(TWO_STREETS, 500, np.array([1], np.uint64)))
    exact, rounded = (one.probabilities(batch) for one in (learnt.policy(), BlueprintPolicy(learnt.what, places)))
    np.testing.assert_allclose(rounded, exact, atol=1.2 / 255)
    assert (rounded != exact).any()
