"""Solvers of `runout train` by name; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from runout.errors import InputError
from runout.games.compiled import compile_game
from runout.games.deals import DealPool, make_pool
from runout.games.holdem import LimitHoldem
from runout.games.holdem_size import describe_size
from runout.games.protocol import AnyGame
from runout.protocols import Trainee
from runout.run.train_config import NEURAL, BlueprintSettings, ExactSettings, TrainConfig
from runout.run.training_memory import training_memory
from runout.solutions.deals import read_pool, require_same_pool
from runout.solvers.catalog import make_solver, parse_algorithm
from runout.solvers.sampling import Scheme

if TYPE_CHECKING:
    from runout.run.ray_cluster import RayCluster

WORKERS = 2  # threads or processes where a config does not say

SolverFactory = Callable[..., Trainee]  # of a config, deals, own rules and a cluster, each or None


def training_pool(config: TrainConfig, given: DealPool | None = None) -> DealPool | None:
    """The deals to walk over; None where every walk draws its own."""
    if config.settings is None:
        if given is not None:
            raise InputError(f"{config.game_type} has no deals to be given")
        return None
    if given is not None:
        require_same_pool("the pool", given, config.settings)
        return given
    if config.deals is None or config.training.solver in ("sequence", "gpu"):
        return None
    if config.deals.file is not None:
        return read_pool(config.deals.file, config.settings)
    return make_pool(config.settings, config.deals)


def _mccfr(
    config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None
) -> Trainee:
    asked = config.training
    if config.settings is None:
        return _small_game(config, own, "external-sampling", config.traversals)
    if asked.algorithm not in ("auto", "external-sampling"):
        raise InputError(f"training.algorithm = {asked.algorithm!r}: in hold'em mccfr has external-sampling only")
    from runout.solvers.mccfr import HoldemMccfr

    assert config.holdem is not None
    return HoldemMccfr(config.holdem, config.traversals, asked.seed, pool, config.abstraction)


def _blueprint(
    config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None
) -> Trainee:
    asked, game = config.training, config.holdem
    if game is None:
        raise InputError(f"blueprint is for hold'em: train {config.game_type} with mccfr or sequence")
    if config.deals is not None or pool is not None:
        raise InputError("deals: blueprint draws boards, not deals; leave the section out")
    from runout.run.solver_trainees import BlueprintTrainee

    settings = config.blueprint or BlueprintSettings.model_validate({})
    return BlueprintTrainee(
        game, asked.algorithm, config.abstraction, settings, asked.seed, asked.workers or WORKERS, cluster
    )


def _exact(
    config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None
) -> Trainee:
    asked, game = config.training, config.holdem
    if game is None:
        raise InputError(f"exact is for hold'em: train {config.game_type} with sequence")
    if config.deals is not None or pool is not None:
        raise InputError("deals: exact walks every deal of its flops; leave the section out")
    from runout.run.exact import ExactTrainee

    settings = config.exact or ExactSettings.model_validate({})
    return ExactTrainee(game, asked.algorithm, settings, asked.workers or WORKERS, asked.output_dir, cluster)


def _sequence(
    config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None
) -> Trainee:
    asked, settings = config.training, config.settings
    if config.settings is None:
        return _small_game(config, own, "dcfr")
    if isinstance(settings, LimitHoldem) and settings.num_streets == 2:
        from runout.run.solver_trainees import FlopHoldemTrainee

        backend = "torch" if asked.solver == "gpu" else "numba"
        return FlopHoldemTrainee(settings, asked.algorithm, asked.workers or WORKERS, backend, asked.device)
    raise InputError(_too_large(config))


def _gpu(config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None) -> Trainee:
    if config.settings is None:
        return _small_game(config, own, "dcfr", backend="torch")
    return _sequence(config, pool, own, cluster)


def _small_game(
    config: TrainConfig, own: AnyGame | None, default: str, traversals: int = 1, backend: str = "numba"
) -> Trainee:
    from runout.run.solver_trainees import SmallGameTrainee

    asked, game = config.training, compile_game(config.rules(own))
    chosen = parse_algorithm(default if asked.algorithm == "auto" else asked.algorithm)
    samples = asked.solver == "mccfr"
    if isinstance(chosen, Scheme) != samples:
        wanted = "a sampling scheme (external-sampling)" if samples else "a variant of CFR (dcfr)"
        raise InputError(f"training.algorithm = {asked.algorithm!r}: {asked.solver} takes {wanted}")
    solver = make_solver(game, chosen, seed=asked.seed, backend=backend, device=asked.device)
    return SmallGameTrainee(game, solver, str(chosen), asked.seed, traversals)


def _too_large(config: TrainConfig) -> str:
    assert config.holdem is not None
    return f"{config.training.solver} cannot hold this tree: {describe_size(config.holdem)}; use mccfr or sd-cfr"


def _neural(
    config: TrainConfig, pool: DealPool | None, own: AnyGame | None, cluster: RayCluster | None = None
) -> Trainee:
    asked = config.training
    if config.settings is None:
        from runout.run.solver_trainees import NetworkGameTrainee
        from runout.solvers.neural.small_games import NeuralSmallGame
        from runout.solvers.torch_backend import pick_device

        if asked.device != "auto" and pick_device(asked.device).type != "cpu":
            raise InputError(f"training.device = {asked.device!r}: networks of {config.game_type} are for the cpu")
        solver = NeuralSmallGame(
            asked.solver, config.rules(own), config.network, config.sgd, config.memory, config.traversals,
            asked.seed,
        )  # fmt: skip
        return NetworkGameTrainee(solver, asked.seed, config.to_dict())
    from runout.solvers.neural.holdem_trainee import NeuralHoldem, make_problem

    if cluster is not None and asked.device not in ("auto", "cpu"):
        raise InputError(f"training.device = {asked.device!r}: the machines of a cluster fit networks on their cpu")
    problem = make_problem(
        asked.solver,
        config.settings,
        network=config.network,
        sgd=config.sgd,
        memory=config.memory,
        traversals=config.traversals,
        seed=asked.seed,
        device=asked.device if cluster is None else "cpu",
        pool=pool,
    )
    if cluster is None:
        return NeuralHoldem(config.settings, problem, config.network, asked.workers or WORKERS)
    from runout.run.ray_networks import ClusterNetworks

    needs = training_memory(config).spread
    return ClusterNetworks(config.settings, problem, config.network, cluster, needs, asked.output_dir)


FACTORIES: dict[str, SolverFactory] = {
    "mccfr": _mccfr,
    "blueprint": _blueprint,
    "exact": _exact,
    "sequence": _sequence,
    "gpu": _gpu,
    "sd-cfr": _neural,
    "deep-cfr": _neural,
}

CLUSTERED = ("exact", "blueprint", *NEURAL)  # solvers whose work can be spread over the machines of a cluster
