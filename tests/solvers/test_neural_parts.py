"""The parts of the neural solvers, each against something that can be worked out by hand."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.errors import TrainingError
from runout.solvers.neural.fitting import Batch, Fitter, masked_loss
from runout.solvers.neural.matching import matched
from runout.solvers.neural.networks import Network, Shape, new_network, set_weights, statistics, weights_of
from runout.solvers.neural.reservoir import Reservoir, random_state, set_random_state
from runout.solvers.neural.settings import SgdSettings

torch.set_num_threads(1)


def sgd(**given: object) -> SgdSettings:
    return SgdSettings.model_validate(given)


# Regret matching


def test_nothing_known_is_played_uniformly_over_legal_slots() -> None:
    legal = np.array([[True, True, False], [False, True, False]])
    assert matched(np.zeros((2, 3)), legal).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]


def test_without_a_positive_advantage_the_best_is_played_and_exact_ties_share() -> None:
    legal = np.ones((2, 3), bool)
    found = matched(np.array([[-3.0, -1.0, -2.0], [-1.0, -1.0, -2.0]]), legal)
    assert found.tolist() == [[0, 1, 0], [0.5, 0.5, 0]]


@given(st.lists(st.tuples(*[st.floats(-5, 5)] * 3, *[st.booleans()] * 3), min_size=1, max_size=20))
def test_a_strategy_adds_up_to_one_and_never_plays_an_illegal_slot(rows: list[tuple]) -> None:
    table = np.array([row[:3] for row in rows])
    legal = np.array([row[3:] for row in rows], bool)
    legal[~legal.any(axis=1), 0] = True
    found = matched(table, legal)
    assert np.allclose(found.sum(axis=1), 1)
    assert (found[~legal] == 0).all()
    assert (found >= 0).all()


# Reservoirs


def test_a_reservoir_holds_every_item_with_the_same_probability() -> None:
    items, capacity, trials = 60, 20, 3000
    held = np.zeros(items)
    for seed in range(trials):
        reservoir = Reservoir(capacity, {"x": ((), np.int16)}, seed)
        for first in range(0, items, 7):  # in pieces, the last one short
            reservoir.add(x=np.arange(first, min(first + 7, items)))
        assert len(set(reservoir["x"].tolist())) == capacity
        held[reservoir["x"]] += 1
    expected = trials * capacity / items
    spread = np.sqrt(trials * capacity / items * (1 - capacity / items))
    assert np.abs(held - expected).max() < 4.5 * spread
    # Chi-square of a sample without replacement: mean items * (1 - capacity / items), twice that its variance.
    chi = ((held - expected) ** 2 / expected).sum()
    mean = items * (1 - capacity / items)
    assert abs(chi - mean) < 5 * np.sqrt(2 * mean)


def test_a_reservoir_goes_on_from_its_state() -> None:
    whole, broken = (Reservoir(10, {"x": ((2,), np.float32)}, 3) for _ in range(2))
    rows = np.arange(80, dtype=np.float32).reshape(40, 2)
    whole.add(x=rows)
    whole.add(x=rows + 100)
    broken.add(x=rows)
    resumed = Reservoir(10, {"x": ((2,), np.float32)}, 99)
    resumed.restore(broken.state())
    resumed.add(x=rows + 100)
    assert resumed["x"].tolist() == whole["x"].tolist()


def test_a_generator_survives_as_an_array() -> None:
    one, other = np.random.default_rng(5), np.random.default_rng(6)
    one.random(7)
    one.integers(10, size=3, dtype=np.int32)  # leaves half a number behind
    set_random_state(other, random_state(one))
    assert (
        one.integers(2**31, size=9, dtype=np.int32).tolist() == other.integers(2**31, size=9, dtype=np.int32).tolist()
    )


# Networks


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 4), st.integers(1, 3), st.booleans())
def test_weights_travel_as_one_flat_array(slots: int, depth: int, cards: bool) -> None:
    shape = Shape(5, slots, 8, depth, (2, 3, 1, 1) if cards else (), 4)
    one, other = new_network(shape, 1), new_network(shape, 2)
    torch.nn.init.normal_(one.last.weight)
    set_weights(other, weights_of(one))
    numbers = torch.rand(6, 5)
    ids = torch.tensor([[0, 51, 7, 8, 9, -1, -1]] * 6) if cards else None
    assert torch.equal(one(numbers, ids), other(numbers, ids))
    with pytest.raises((ValueError, RuntimeError)):
        set_weights(other, weights_of(one)[:-1])


def test_a_fresh_network_advises_nothing_and_depends_on_its_seed_alone() -> None:
    shape = Shape(4, 3, 8, 2)
    torch.manual_seed(0)
    one = new_network(shape, 7)
    torch.manual_seed(1)
    other = new_network(shape, 7)
    assert weights_of(one).tolist() == weights_of(other).tolist()
    assert one(torch.rand(5, 4)).abs().max() == 0


def test_the_order_of_cards_in_a_group_means_nothing_and_their_group_does() -> None:
    network = new_network(Shape(2, 3, 16, 2, (2, 3, 1, 1), 8), 0)
    torch.nn.init.normal_(network.last.weight)
    numbers = torch.zeros(3, 2)
    ids = torch.tensor([[5, 9, 1, 2, 3, -1, -1], [9, 5, 3, 1, 2, -1, -1], [1, 9, 5, 2, 3, -1, -1]])
    found = network(numbers, ids)
    assert torch.allclose(found[0], found[1], atol=1e-6)
    assert not torch.allclose(found[0], found[2], atol=1e-3)


def test_columns_that_do_not_vary_are_left_as_they_are() -> None:
    mean, scale = statistics(np.array([[1.0, 5.0], [3.0, 5.0]], np.float32))
    assert mean.tolist() == [2, 0]
    assert scale.tolist() == [1, 1]


# Fitting


def batch(count: int = 64, slots: int = 3) -> Batch:
    random = np.random.default_rng(0)
    numbers = random.normal(size=(count, 4)).astype(np.float32)
    targets = np.stack([numbers[:, 0], numbers[:, 1] * numbers[:, 2], np.abs(numbers[:, 3])], axis=1)
    legal = np.ones((count, slots), np.float32)
    parts = (targets, legal, np.ones(count, np.float32))
    return Batch(torch.from_numpy(numbers), None, *(torch.from_numpy(part) for part in parts))


def fitter(**given: object) -> Fitter:
    network = new_network(Shape(4, 3, 32, 2), 0)
    return Fitter(network, sgd(**given), lambda t: new_network(Shape(4, 3, 32, 2), t))


def test_illegal_slots_are_masked_in_the_loss_too() -> None:
    network: Network = new_network(Shape(4, 3, 8, 1), 0)
    rows = batch()
    legal = rows.legal.clone()
    legal[:, 2] = 0
    plain = masked_loss(network, rows._replace(legal=legal))
    wild = rows.targets.clone()
    wild[:, 2] = 1e6
    assert masked_loss(network, rows._replace(legal=legal, targets=wild)) == plain


def test_the_loss_is_a_weighted_mean() -> None:
    network = new_network(Shape(4, 3, 8, 1), 0)  # says 0
    rows = batch(2)
    weighted = rows._replace(weights=torch.tensor([3.0, 1.0]))
    by_row = (rows.targets**2).sum(dim=1)
    assert torch.isclose(masked_loss(network, weighted), (3 * by_row[0] + by_row[1]) / 4)


def test_fitting_finds_a_function_and_goes_on_from_its_state() -> None:
    rows = batch()
    whole, broken, resumed = fitter(), fitter(), fitter()

    def fit(one: Fitter, steps: int) -> float:
        return one.fit([lambda: masked_loss(one.network, rows)], steps)

    first = fit(whole, 50)
    last = fit(whole, 300)
    assert last < 0.15 < first
    fit(broken, 50)
    resumed.restore(broken.state())
    fit(resumed, 300)
    assert weights_of(resumed.network).tolist() == weights_of(whole.network).tolist()


def test_a_fresh_start_forgets_the_last_weights() -> None:
    rows, one = batch(), fitter(reinitialise=True)
    one.fit([lambda: masked_loss(one.network, rows)], 20)
    one.restart(5)
    assert weights_of(one.network).tolist() == weights_of(new_network(Shape(4, 3, 32, 2), 5)).tolist()


def test_a_loss_that_is_no_number_stops_the_run() -> None:
    rows, one = batch(), fitter()
    rows.targets[0, 0] = float("nan")
    with pytest.raises(TrainingError, match="learning_rate"):
        one.fit([lambda: masked_loss(one.network, rows)], 5)
