"""Lock-step walks of dealt hold'em against a slow twin, and training by them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from runout.errors import InputError, TrainingError
from runout.games.deals import DealSettings, draw_deals, make_pool
from runout.games.encoders import Features, HoldemEncoder, infoset_keys
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_state import HoldemState
from runout.solvers.neural.holdem_shard import HoldemProblem
from runout.solvers.neural.holdem_trainee import NeuralHoldem, make_problem
from runout.solvers.neural.holdem_walk import walk
from runout.solvers.neural.network_policies import load_policy
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings

GAMES: list[HoldemSettings] = [
    LimitHoldem(num_streets=2, stack_depth=10),
    LimitHoldem(stack_depth=8, max_raises_early=2, max_raises_late=2),
    NoLimitHoldem(stack_depth=12, bet_sizes=(1.0,), max_raises_per_street=2),
]


def whole(numbers: np.ndarray) -> np.ndarray:
    """Numbers as whole thousandths: the two forms round their last bits differently."""
    return np.floor(np.asarray(numbers, np.float64) * 1000 + 0.37).astype(np.int64)


def weights_by_features(features: Features) -> np.ndarray:
    """A fixed strategy that depends on what is seen: far from uniform, legal slots only."""
    seen = features.cards.astype(np.int64).sum(axis=1) + whole(features.numbers).sum(axis=1)
    odds = 1 + (seen[:, None] * 7 + np.arange(features.legal.shape[1]) * 13) % 5
    found = np.where(features.legal, odds, 0).astype(np.float64)
    return found / found.sum(axis=1, keepdims=True)


def pure(features: Features) -> np.ndarray:
    """The same with all weight on one slot, so that nothing is left to chance."""
    found = weights_by_features(features)
    return (np.arange(found.shape[1]) == found.argmax(axis=1)[:, None]).astype(np.float64)


def slow(encoder: HoldemEncoder, state: HoldemState, traverser: int, found: dict[tuple, np.ndarray]) -> float:
    """Value to the traverser by plain recursion over scalar states; advantages by what is seen."""
    if state.over:
        return float(state.returns()[traverser])
    features = encoder.encode(state)
    one = Features(*(np.asarray(part)[None] for part in features))
    if state.player != traverser:
        return slow(encoder, state.play(int(pure(one)[0].argmax())), traverser, found)
    played = weights_by_features(one)[0]
    values = {slot: slow(encoder, state.play(slot), traverser, found) for slot in state.slots()}
    value = sum(played[slot] * worth for slot, worth in values.items())
    gains = np.zeros(len(encoder.slots))
    for slot, worth in values.items():
        gains[slot] = (worth - value) / encoder.game.big_blind
    found[(*features.cards.tolist(), *whole(features.numbers).tolist())] = gains
    return value


@pytest.mark.parametrize("settings", GAMES, ids=lambda one: one.game().name)
@pytest.mark.parametrize("traverser", [0, 1])
def test_walks_in_lock_step_equal_walks_one_by_one(settings: HoldemSettings, traverser: int) -> None:
    game = settings.game()
    encoder = HoldemEncoder(game)
    deals = draw_deals(game, 12, np.array([3], np.uint64))

    def strategy(player: int, features: Features) -> np.ndarray:
        return weights_by_features(features) if player == traverser else pure(features)

    mine, theirs, nodes = walk(encoder, deals, traverser, strategy, np.random.default_rng(0))
    assert nodes > len(deals)
    for number in range(len(deals)):
        wanted: dict[tuple, np.ndarray] = {}
        slow(encoder, game.deal(deals[number].tolist()), traverser, wanted)
        found = {}
        for seen in mine:
            for row in np.flatnonzero(seen.deal == number):
                key = (*seen.features.cards[row].tolist(), *whole(seen.features.numbers[row]).tolist())
                found[key] = seen.values[row]
        assert found.keys() == wanted.keys()
        assert all(np.allclose(found[key], wanted[key], atol=1e-4) for key in wanted)
    assert all(np.allclose(seen.values.sum(axis=1), 1) for seen in theirs)


def make(
    settings: HoldemSettings = GAMES[2],
    solver: str = "sd-cfr",
    workers: int = 1,
    pool: Any = None,
    shards: int = 2,
    **sgd: object,
) -> NeuralHoldem:
    chosen = {"steps": 8, "batch_size": 128} | sgd
    network = NetworkSettings.model_validate({"hidden_dim": 16, "depth": 2, "card_dim": 8})
    memory = {"advantage_cap": 4000, "strategy_cap": 4000, "kind": "reservoir", "shards": shards}
    problem = make_problem(
        solver, settings, sgd=SgdSettings.model_validate(chosen), traversals=60, seed=1, network=network,
        memory=MemorySettings.model_validate(memory), device="cpu", pool=pool,
    )  # fmt: skip
    return NeuralHoldem(settings, problem, network, workers)


@pytest.mark.parametrize("settings", GAMES, ids=lambda one: one.game().name)
@pytest.mark.parametrize("solver", ["sd-cfr", "deep-cfr"])
def test_training_gives_a_policy_that_a_checkpoint_keeps(settings: HoldemSettings, solver: str) -> None:
    trained = make(settings, solver)
    trained.step(3)
    kind = "limit_holdem" if isinstance(settings, LimitHoldem) else "hunl_postflop"
    bundle = trained.checkpoint(resumable=False)
    bundle.config.update(
        game_type=kind, game=settings.model_dump(exclude_none=True), training={"solver": solver},
        network=trained.network.model_dump(), memory={"kind": "reservoir"},
    )  # fmt: skip
    policy, loaded = trained.policy(), load_policy(bundle)
    assert len(policy.weights) == (3 if solver == "sd-cfr" else 1)
    batch = HoldemBatch(settings.game(), draw_deals(settings.game(), 50, np.array([5], np.uint64)))
    if settings.num_streets == 4:
        assert isinstance(policy, type(loaded))
        found = policy.probabilities(batch, len(policy.weights) - 1)
        assert np.allclose(found, loaded.probabilities(batch, len(policy.weights) - 1))
        assert np.allclose(found.sum(axis=1), 1)
        assert (found[~batch.legal()] == 0).all()


def test_two_processes_and_one_come_to_the_same_weights_and_resuming_too() -> None:
    alone, together, broken, resumed = make(), make(workers=2), make(), make()
    try:
        alone.step(4)
        together.step(4)
        broken.step(2)
        resumed.restore_from(broken.checkpoint(resumable=True))
        resumed.step(2)
        for other in (together, resumed):
            assert [part.tolist() for part in other.buffer[0]] == [part.tolist() for part in alone.buffer[0]]
    finally:
        together.close()


def test_five_shards_come_to_the_same_weights_whoever_has_them() -> None:
    """Sums of five gradients depend on their order: in one process, in two with three and two of them, in five."""
    trained = [make(workers=workers, shards=5) for workers in (1, 2, 5)]
    try:
        for one in trained:
            one.step(2)
        states = [one.state() for one in trained]
    finally:
        for one in trained:
            one.close()
    assert {name for name in states[0] if name.startswith("shard4_")}
    for other in states[1:]:
        assert other.keys() == states[0].keys()
        assert [name for name in other if not np.array_equal(other[name], states[0][name])] == []


def test_deals_of_a_stratified_pool_carry_their_weights_into_the_memory() -> None:
    settings = GAMES[2]
    pool = make_pool(settings, DealSettings(count=2000, min_per_class=100, seed=2))
    sections = ({"hidden_dim": 16}, {"held_out": 0.0}, {"kind": "reservoir"})
    kinds = (NetworkSettings, SgdSettings, MemorySettings)
    parts = [kind.model_validate(section) for kind, section in zip(kinds, sections, strict=True)]
    shard = HoldemProblem(settings, *parts, 200, 0, pool).shard(0)  # type: ignore[arg-type]
    networks = [shard.problem.network(player, "advantages", 0) for player in range(2)]
    shard.walk(0, 1, networks)
    found = shard.fitted[0]["weight"]
    assert set(np.round(found, 5)) <= set(np.round(pool.weights.astype(np.float32), 5))
    assert len(set(found.tolist())) > 3


def test_decisions_that_a_player_can_tell_apart_are_rows_of_their_own() -> None:
    game = GAMES[1].game()
    deals = draw_deals(game, 300, np.array([1], np.uint64))
    batch = HoldemBatch(game, deals)
    encoder = HoldemEncoder(game)
    features = encoder.encode_batch(batch)
    rows = np.concatenate([features.cards, features.numbers.astype(np.float16)], axis=1)  # as reservoirs keep them
    assert len(np.unique(rows, axis=0)) == len(np.unique(infoset_keys(batch)))


def test_bad_settings_are_named() -> None:
    network, sgd = NetworkSettings.model_validate({}), SgdSettings.model_validate({})
    for memory, says in (({"kind": "table"}, "small games"), ({"discount": "pdcfr+"}, "discount")):
        with pytest.raises(InputError, match=says):
            HoldemProblem(GAMES[2], network, sgd, MemorySettings.model_validate(memory), 10, 0)


def test_a_loss_that_is_no_number_reaches_the_caller_from_a_worker() -> None:
    pool = make_pool(GAMES[2], DealSettings(count=100, seed=2))
    trained = make(workers=2, pool=replace(pool, weights=np.full(len(pool), np.nan)))
    try:
        with pytest.raises(TrainingError, match="learning_rate"):
            trained.step(1)
    finally:
        trained.close()


def test_a_worker_that_dies_ends_the_run_at_once() -> None:
    trained = make(workers=2)
    try:
        trained._workers._processes[1].kill()
        with pytest.raises(TrainingError, match="worker process died"):
            trained.step(1)
    finally:
        trained.close()
