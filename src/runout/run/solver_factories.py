"""Solvers of `runout train` by name; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from runout.errors import InputError
from runout.games.catalog import load_game
from runout.games.compiled import compile_game
from runout.games.deals import DealPool, make_pool
from runout.games.holdem import LimitHoldem
from runout.games.holdem_size import describe_size
from runout.protocols import Trainee
from runout.run.train_config import SMALL_GAMES, BlueprintSettings, TrainConfig
from runout.solutions.deals import read_pool, require_same_pool
from runout.solvers.catalog import make_solver, parse_algorithm
from runout.solvers.sampling import Scheme

SolverFactory = Callable[[TrainConfig, DealPool | None], Trainee]


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


def _mccfr(config: TrainConfig, pool: DealPool | None) -> Trainee:
    asked = config.training
    if config.game_type in SMALL_GAMES:
        return _small_game(config, "external-sampling", asked.traversals_per_iter)
    if asked.algorithm not in ("auto", "external-sampling"):
        raise InputError(f"training.algorithm = {asked.algorithm!r}: in hold'em mccfr has external-sampling only")
    from runout.solvers.mccfr import HoldemMccfr

    assert config.holdem is not None
    return HoldemMccfr(config.holdem, asked.traversals_per_iter, asked.seed, pool, config.abstraction)


def _blueprint(config: TrainConfig, pool: DealPool | None) -> Trainee:
    asked, game = config.training, config.holdem
    if game is None:
        raise InputError(f"blueprint is for hold'em: train {config.game_type} with mccfr or sequence")
    if config.deals is not None or pool is not None:
        raise InputError("deals: blueprint draws boards, not deals; leave the section out")
    from runout.run.solver_trainees import BlueprintTrainee

    settings = config.blueprint or BlueprintSettings.model_validate({})
    return BlueprintTrainee(game, asked.algorithm, config.abstraction, settings, asked.seed, asked.workers)


def _sequence(config: TrainConfig, pool: DealPool | None) -> Trainee:
    asked, settings = config.training, config.settings
    if config.game_type in SMALL_GAMES:
        return _small_game(config, "dcfr")
    if isinstance(settings, LimitHoldem) and settings.num_streets == 2:
        from runout.run.solver_trainees import FlopHoldemTrainee

        return FlopHoldemTrainee(settings, asked.algorithm, asked.workers)
    raise InputError(_too_large(config))


def _gpu(config: TrainConfig, pool: DealPool | None) -> Trainee:
    if config.game_type in SMALL_GAMES:
        return _small_game(config, "dcfr", backend="torch")
    raise InputError(_too_large(config))


def _small_game(config: TrainConfig, default: str, traversals: int = 1, backend: str = "numba") -> Trainee:
    from runout.run.solver_trainees import SmallGameTrainee

    asked, game = config.training, compile_game(load_game(config.game_type))
    chosen = parse_algorithm(default if asked.algorithm == "auto" else asked.algorithm)
    samples = asked.solver == "mccfr"
    if isinstance(chosen, Scheme) != samples:
        wanted = "a sampling scheme (external-sampling)" if samples else "a variant of CFR (dcfr)"
        raise InputError(f"training.algorithm = {asked.algorithm!r}: {asked.solver} takes {wanted}")
    solver = make_solver(game, chosen, seed=asked.seed, backend=backend, device=asked.device)
    return SmallGameTrainee(game, solver, str(chosen), asked.seed, traversals)


def _too_large(config: TrainConfig) -> str:
    assert config.holdem is not None
    small = isinstance(config.settings, LimitHoldem) and config.settings.num_streets == 2
    other = "sequence, mccfr or sd-cfr" if small else "mccfr or sd-cfr"
    return f"{config.training.solver} cannot hold this tree: {describe_size(config.holdem)}; use {other}"


def _neural(config: TrainConfig, pool: DealPool | None) -> Trainee:
    asked = config.training
    if config.settings is None:
        from runout.run.solver_trainees import SmallGameTrainee
        from runout.solvers.neural.small_games import NeuralSmallGame
        from runout.solvers.torch_backend import pick_device

        if asked.device != "auto" and pick_device(asked.device).type != "cpu":
            raise InputError(f"training.device = {asked.device!r}: networks of {config.game_type} are for the cpu")
        solver = NeuralSmallGame(
            asked.solver, config.game_type, config.network, config.sgd, config.memory, asked.traversals_per_iter,
            asked.seed,
        )  # fmt: skip
        return SmallGameTrainee(solver.game, solver, asked.solver, asked.seed)
    from runout.solvers.neural.holdem_trainee import make_trainee

    return make_trainee(
        asked.solver,
        config.game_type,
        config.settings,
        network=config.network,
        sgd=config.sgd,
        memory=config.memory,
        traversals=asked.traversals_per_iter,
        seed=asked.seed,
        workers=asked.workers,
        device=asked.device,
        pool=pool,
    )


FACTORIES: dict[str, SolverFactory] = {
    "mccfr": _mccfr,
    "blueprint": _blueprint,
    "sequence": _sequence,
    "gpu": _gpu,
    "sd-cfr": _neural,
    "deep-cfr": _neural,
}
