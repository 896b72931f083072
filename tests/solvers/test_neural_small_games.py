"""Deep CFR and Single Deep CFR on Kuhn and Leduc, measured exactly."""

import numpy as np
import pytest

from runout.errors import InputError
from runout.games.catalog import load_game
from runout.solvers.game_response import exploitability, plan
from runout.solvers.neural.fitting import masked_loss
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings
from runout.solvers.neural.small_games import NeuralSmallGame
from runout.solvers.tabular import uniform_strategy

QUICK = {"steps": 20, "learning_rate": 2e-3, "final_learning_rate": 2e-4}


def make(
    game: str = "kuhn", solver: str = "sd-cfr", traversals: int = 200, seed: int = 0, **sections: dict
) -> NeuralSmallGame:
    network = NetworkSettings.model_validate({"hidden_dim": 32, "depth": 2} | sections.get("network", {}))
    sgd = SgdSettings.model_validate(QUICK | sections.get("sgd", {}))
    memory = MemorySettings.model_validate(sections.get("memory", {}))
    return NeuralSmallGame(solver, load_game(game), network, sgd, memory, traversals, seed)


def ante_thousandths(solver: NeuralSmallGame) -> float:
    return exploitability(solver.game, solver.policy()) * 1000


def test_the_first_iteration_is_uniform() -> None:
    solver = make()
    uniform = uniform_strategy(solver.game)
    solver.step(1)
    assert np.allclose(solver.policy(), uniform)
    assert np.allclose(solver.part(0), uniform)


@pytest.mark.parametrize("discount", ["linear", "dcfr", "pdcfr+"])
def test_kuhn_converges_with_a_table(discount: str) -> None:
    solver = make(memory={"discount": discount})
    solver.step(20)
    early = ante_thousandths(solver)
    solver.step(180)
    assert ante_thousandths(solver) < min(5.0, early / 3)


def test_leduc_falls_below_the_best_published_neural_figure() -> None:
    solver = make("leduc", network={"hidden_dim": 64, "depth": 3}, memory={"discount": "dcfr"})
    solver.step(110)
    assert ante_thousandths(solver) < 46


@pytest.mark.parametrize("bootstrap", [False, True])
def test_kuhn_converges_with_raw_samples(bootstrap: bool) -> None:
    solver = make(memory={"kind": "reservoir", "bootstrap": bootstrap}, traversals=400, sgd={"batch_size": 512})
    solver.step(60)
    assert ante_thousandths(solver) < 40
    assert np.isfinite(solver.metrics()["loss"])


def test_the_average_network_plays_what_the_average_is() -> None:
    single, deep = make(), make(solver="deep-cfr", sgd={"average_steps": 1500})
    for solver in (single, deep):
        solver.step(60)
    assert np.abs(single.policy() - deep.policy()).max() < 0.1
    assert ante_thousandths(deep) < ante_thousandths(single) + 20


@pytest.mark.parametrize("discount", ["linear", "dcfr", "uniform"])
def test_drawing_a_network_a_game_plays_the_explicit_average(discount: str) -> None:
    """A mixture of strategies plays the mean of their plans: of each player's own probabilities of whole sequences."""
    solver = make("leduc", memory={"discount": discount}, sgd={"steps": 5})
    solver.step(12)
    average, weights = solver.policy(), solver.part_weights()
    assert weights.sum() == pytest.approx(1)
    for player in range(2):
        mixed = sum(w * plan(solver.game, solver.part(i), player) for i, w in enumerate(weights))
        assert np.abs(mixed - plan(solver.game, average, player)).max() < 1e-6


def test_sampled_play_meets_the_explicit_average() -> None:
    """The same by playing: draw a network for each game, and count the first action of every hand."""
    solver = make(memory={"discount": "linear"})
    solver.step(15)
    random, weights, games = np.random.default_rng(0), solver.part_weights(), 20_000
    drawn = np.bincount(random.choice(len(weights), games, p=weights), minlength=len(weights))
    opening = [infoset for infoset in solver.game.infosets if "check" in infoset.actions and infoset.player == 0]
    for infoset in opening:
        seat = infoset.sequences[1]
        bets = sum(random.binomial(n, solver.part(i)[seat]) for i, n in enumerate(drawn))
        expected = solver.policy()[seat]
        assert abs(bets / games - expected) < 4.5 * np.sqrt(max(expected * (1 - expected), 1e-4) / games) + 1e-9


def test_a_table_is_the_mean_of_all_samples() -> None:
    """Lossless: raw external-sampling walks of a fixed strategy have the table's quotient as their mean."""
    table = make("leduc")
    raw = make("leduc", memory={"kind": "reservoir", "advantage_cap": 3_000_000}, sgd={"held_out": 0.0})
    strategy = uniform_strategy(table.game)
    random = np.random.default_rng(3)
    for infoset in table.game.infosets:
        strategy[infoset.sequences] = random.dirichlet(np.ones(len(infoset.actions)))
    exact, samples = table.memories[0], raw.memories[0]
    exact.walk(strategy, 1, 0, table.players[0])
    samples.walk(strategy, 1, 60_000, raw.players[0])
    rows, values = samples.fitted["row"].astype(int), samples.fitted["advantage"].astype(float)
    count = np.bincount(rows, minlength=len(exact.reach))
    wanted = exact.regrets / exact.reach[:, None]
    often = np.flatnonzero(count > 500)
    assert len(often) > 20
    for row in often:
        own = values[rows == row]
        error = own.std(axis=0) / np.sqrt(len(own)) + 1e-9
        assert (np.abs(own.mean(axis=0) - wanted[row]) < 5 * error + 1e-6).all()


@pytest.mark.parametrize("kind", ["table", "reservoir"])
def test_it_goes_on_from_its_state_to_the_same_numbers(kind: str) -> None:
    def fresh() -> NeuralSmallGame:
        return make(memory={"kind": kind}, sgd={"steps": 5, "batch_size": 64}, network={"polyak": 0.3})

    whole, broken, resumed = fresh(), fresh(), fresh()
    whole.step(9)
    broken.step(4)
    resumed.restore({name: np.array(array) for name, array in broken.state().items()})
    resumed.step(5)
    assert resumed.policy().tolist() == whole.policy().tolist()
    assert [one.tolist() for one in resumed.networks[1]] == [one.tolist() for one in whole.networks[1]]


def test_seeds_tell_runs_apart_and_one_seed_repeats() -> None:
    one, same, other = (make(seed=seed, memory={"kind": "reservoir"}, sgd={"steps": 3}) for seed in (1, 1, 2))
    for solver in (one, same, other):
        solver.step(3)
    assert one.policy().tolist() == same.policy().tolist()
    assert one.players[0].played().tolist() != other.players[0].played().tolist()


def test_floored_sums_need_a_table_or_bootstrapping() -> None:
    with pytest.raises(InputError, match=r"pdcfr\+"):
        make(memory={"kind": "reservoir", "discount": "pdcfr+"})
    with pytest.raises(InputError, match="sd-cfr or deep-cfr"):
        make(solver="deep")


def test_a_baseline_takes_out_noise_and_no_mean() -> None:
    """Samples with a history baseline have the table's quotient as their mean, and far less variance than without."""
    table = make("leduc")
    raw = {"kind": "reservoir", "advantage_cap": 3_000_000}
    plain = make("leduc", memory=raw, sgd={"held_out": 0.0})
    based = make("leduc", memory=raw | {"baseline": "history"}, sgd={"held_out": 0.0})
    strategy = uniform_strategy(table.game)
    exact = table.memories[0]
    exact.walk(strategy, 1, 0, table.players[0])
    wanted = exact.regrets / exact.reach[:, None]
    based.memories[0].walk(strategy, 1, 20_000, based.players[0])  # what histories are worth
    noise = {}
    for name, solver in (("plain", plain), ("based", based)):
        memory = solver.memories[0]
        memory.fitted.clear()
        memory.walk(strategy, 1, 30_000, solver.players[0])
        rows, values = memory.fitted["row"].astype(int), memory.fitted["advantage"].astype(float)
        often = np.flatnonzero(np.bincount(rows, minlength=len(exact.reach)) > 500)
        assert len(often) > 20
        for row in often:
            own = values[rows == row]
            error = own.std(axis=0) / np.sqrt(len(own)) + 1e-9
            assert (np.abs(own.mean(axis=0) - wanted[row]) < 5.5 * error + 1e-6).all()
        noise[name] = np.mean([values[rows == row].var(axis=0).sum() for row in often])
    assert noise["based"] < noise["plain"] / 3


def test_a_batch_with_room_for_all_samples_has_the_loss_of_all_samples() -> None:
    """Rows added up first: the gradient of the loss is that of one batch with every sample in it."""
    solver = make("leduc", memory={"kind": "reservoir"}, sgd={"batch_size": 10_000_000, "held_out": 0.0}, traversals=50)
    solver.step(3)
    memory, player = solver.memories[0], solver.players[0]
    gradients = []
    for batch in (memory.batches(player)(), memory._batch(memory.fitted, slice(None), player)):
        player.network.zero_grad()
        masked_loss(player.network, batch).backward()
        gradients.append(np.concatenate([part.grad.numpy().ravel() for part in player.network.parameters()]))
    assert np.allclose(gradients[0], gradients[1], atol=1e-5)
