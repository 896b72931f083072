"""Flop Hold'em by public chance sampling, against the range engine and by hand."""

import numpy as np
import pytest
import torch

from runout.cards.hands import COMBO_CARDS
from runout.cursors.policy_solution import PolicySolution
from runout.evaluation.evaluate import evaluate
from runout.evaluation.sampled_response import BoardResponse
from runout.games.flop_features import FLOP_SIZE, flop_rows, preflop_rows
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.kernels.flop_networks import store_strategies
from runout.solutions.reached import Reached
from runout.solvers.neural.flop_average import FlopAverage
from runout.solvers.neural.flop_plan import FlopGroup, flop_groups, player_columns
from runout.solvers.neural.flop_shard import FlopProblem
from runout.solvers.neural.holdem_trainee import NeuralHoldem, make_problem
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import weights_of
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.ranges import RangeSolver, range_game
from runout.solvers.schedules import make_schedule

DECK = LimitHoldem(num_streets=2, ranks=4, suits=3, max_raises_early=1, stack_depth=10)
NETWORK = NetworkSettings.model_validate({"hidden_dim": 32, "depth": 2, "precision": "float32"})


def problem(**given: object) -> FlopProblem:
    trainee_settings = {"steps": 5, "batch_size": 256} | given
    sgd = SgdSettings.model_validate(trainee_settings)
    return FlopProblem(FlopHoldem.of_limit(DECK), NETWORK, sgd, MemorySettings.model_validate({}), 0)


def trainee(workers: int = 1, **sgd: object) -> NeuralHoldem:
    chosen = {"steps": 10, "batch_size": 512, "learning_rate": 3e-3, "final_learning_rate": 3e-4} | sgd
    asked = make_problem(
        "sd-cfr", DECK, network=NETWORK, sgd=SgdSettings.model_validate(chosen),
        memory=MemorySettings.model_validate({"discount": "dcfr"}), traversals=1, seed=0, device="cpu", pool=None,
    )  # fmt: skip
    return NeuralHoldem(DECK, asked, NETWORK, workers)


def whole() -> FlopGroup:
    game = range_game(problem().settings, threads=1)
    return FlopGroup(game, np.arange(len(game.boards[1].cards)), 1.0)


def random_advantages(group: FlopGroup, player: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng([seed, player])
    before, on = player_columns(group.solver.game.tree, player)
    shapes = (len(group.preflop.combos), before.count), (len(group.shown[0]), on.count)
    return tuple(random.normal(size=shape).astype(np.float32) for shape in shapes)  # type: ignore[return-value]


def test_regrets_of_the_uniform_strategy_are_those_of_the_engine() -> None:
    group = whole()
    engine = RangeSolver(group.solver.game, make_schedule("cfr"), 1)
    for player in range(2):
        before, on = (np.zeros_like(part) for part in random_advantages(group, player, 0))
        group.play(player, before, on)
    engine.step(1)  # player 0 first, against a uniform player 1
    _, found = group.regrets(0)
    for part in group.part(0):
        assert np.allclose(found[part], engine.regrets[part], atol=1e-4)


def test_matching_into_storage_is_matching() -> None:
    random = np.random.default_rng(0)
    first, stride = np.array([0, 2, 5]), 8
    advantages = random.normal(size=(8, 5)).astype(np.float32)
    advantages[3] = -np.abs(advantages[3])
    advantages[4] = 0
    out = np.zeros(5 * stride, np.float32)
    store_strategies(advantages, np.arange(8), first, stride, np.arange(8), out)
    table = out.reshape(5, stride).T
    for a, b in ((0, 2), (2, 5)):
        wanted = matched(advantages[:, a:b].astype(float), np.ones((8, b - a), bool))
        assert np.allclose(table[:, a:b], wanted, atol=1e-6)


def test_groups_of_flops_are_all_flops_and_their_weights_add_up() -> None:
    game = range_game(problem().settings, threads=1)
    groups = flop_groups(game.boards[1], 3)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(game.boards[1].cards)))
    total = sum(FlopGroup(game, flops, 3.0).solver.boards[1].weight.sum() for flops in groups) / 3
    assert total == pytest.approx(float(game.boards[1].tables.weight.sum()), rel=1e-5)


def test_regrets_of_groups_average_to_those_of_all_flops() -> None:
    """Public chance sampling is unbiased: the mean over all groups that can be drawn is the whole."""
    everything = whole()
    game = everything.solver.game
    place = {row.tobytes(): i for i, row in enumerate(everything.shown[0])}  # what looks alike plays alike

    def rows(group: FlopGroup) -> list[int]:
        return [place[row.tobytes()] for row in group.shown[0]]

    plays = [random_advantages(everything, player, 1) for player in range(2)]
    for player, (before, on) in enumerate(plays):
        everything.play(player, before, np.ascontiguousarray(on[rows(everything)]))
    exact, _ = everything.regrets(1)
    found = []
    for flops in flop_groups(game.boards[1], 3):
        group = FlopGroup(range_game(problem().settings, threads=1), flops, 3.0)
        for player, (before, on) in enumerate(plays):
            group.play(player, before, np.ascontiguousarray(on[rows(group)]))
        found.append(group.regrets(1)[0])
    assert np.allclose(np.mean(found, axis=0), exact, rtol=1e-3, atol=1e-3 * np.abs(exact).max())


def test_numbers_are_told_apart_and_do_not_depend_on_suits_that_mean_nothing() -> None:
    flop = np.array([48, 21, 2], np.uint8)  # Ac 7d 2h: rainbow
    group = np.flatnonzero(~np.isin(np.arange(52), flop))
    combos = np.array([hi * (hi - 1) // 2 + lo for hi in group for lo in group if lo < hi])
    rows = flop_rows(flop, combos)
    assert rows.shape == (len(combos), FLOP_SIZE)
    assert len(np.unique(preflop_rows(), axis=0)) == 169


def test_the_average_of_one_network_is_what_it_plays_and_of_two_is_between() -> None:
    one = problem()
    nets = [one.network(player, "", seed) for seed in (1, 2) for player in range(2)]
    for net in nets:
        torch.nn.init.normal_(net.on.last.weight, std=0.3)
        torch.nn.init.normal_(net.before.last.weight, std=0.3)
    parts = [tuple(weights_of(net) for net in nets[i : i + 2]) for i in (0, 2)]
    gains = []
    for chosen in ([0], [1], [0, 1]):
        average = FlopAverage(one.settings, NETWORK)
        for part in chosen:
            average.add(parts[part], 1.0 + part)
        gains.append(average.exploitability())
        assert gains[-1] >= 0
    assert gains[2] <= (gains[0] + 2 * gains[1]) / 3 + 1e-6  # a best response to a mixture gains no more than the mean


def test_a_network_policy_plays_what_the_engine_is_told() -> None:
    trained = trainee()
    trained.step(3)
    policy = trained.policy()
    average = FlopAverage(trained.problem.settings, NETWORK)  # type: ignore[attr-defined]
    part = 2
    average.add((trained.buffer[0][part], trained.buffer[1][part]), 1.0)
    solver = average.solver
    combos = solver.hands(1, 0, 0)
    mine = COMBO_CARDS[combos].astype(int)
    deals = []
    for own in mine:
        rest = [card for card in DECK.game().deck if card not in own]
        deals.append([*rest[:2], *own, *rest[2:7]])
    batch = HoldemBatch(DECK.game(), np.array(deals, np.uint8))  # the small blind opens
    found = policy.probabilities(batch, part)
    wanted = solver.strategy(0, 0, 0)
    assert np.allclose(found[:, np.flatnonzero(batch.legal()[0])].T, wanted, atol=1e-4)


def test_exploitability_falls_and_a_second_process_changes_nothing() -> None:
    alone, together = trainee(workers=1), trainee(workers=2)
    try:
        alone.step(4)
        first = alone.measure()
        together.step(4)
        assert [part.tolist() for part in alone.buffer[1]] == [part.tolist() for part in together.buffer[1]]
        alone.step(36)
        last = alone.measure()
        assert first is not None
        assert last is not None
        assert 0 <= last < first / 3
    finally:
        together.close()


def test_a_checkpoint_goes_on_to_the_same_networks() -> None:
    run, broken, resumed = trainee(), trainee(), trainee()
    run.step(5)
    broken.step(2)
    resumed.restore_from(broken.checkpoint(resumable=True))
    resumed.step(3)
    assert resumed.kept == run.kept
    assert resumed.buffer[0][-1].tolist() == run.buffer[0][-1].tolist()
    lines, table = (run.checkpoint(False).arrays[name] for name in ("preflop_lines", "preflop"))
    assert lines[0] == ""
    held = ~np.isnan(table[0]).any(axis=0)
    assert np.allclose(table[0][:, held].sum(axis=0), 1, atol=1e-5)


def test_evaluation_of_networks_is_exact_and_the_last_point_of_its_curve() -> None:
    trained = trainee()
    trained.step(12)
    measured = trained.measure()
    solution = PolicySolution(DECK.game(), {}, trained.policy(), Reached(12), "neural")
    found = evaluate(solution, points=3)
    assert found.method == "exact"
    assert found.exploitability == pytest.approx(measured, rel=1e-3)
    assert [t for t, _ in found.curve] == [4, 8, 12]
    assert found.curve[-1][1] == pytest.approx(found.exploitability, rel=1e-3)
    slow = BoardResponse(DECK.game(), trained.policy(), 0)  # asks the same policy node by node, all parts
    assert slow.measure(slow.whole()).exploitability.mean == pytest.approx(found.exploitability, rel=1e-2)
