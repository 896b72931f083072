"""Settings of a training run that would do nothing are refused, by name and with the reason.

A setting is idle where the solver, the game or another setting leaves it nothing to do. One that stands at its default,
or says what is so anyway, is not asked about. `tests/run/test_idle_settings.py` sweeps every setting of the config for
every solver and game: it acts, or it is refused here or where it is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from runout.config import Settings
from runout.errors import InputError
from runout.games.betting import FLOP, STREET_NAMES
from runout.games.holdem import NoLimitHoldem
from runout.games.holdem_game import FULL_DECK
from runout.games.idle_sizes import idle_sizes
from runout.run.train_config import NEURAL, TrainConfig
from runout.solvers.neural.settings import walks_boards, walks_ranges

_WHOLE = ("sequence", "gpu", "exact")  # CFR on whole trees
_SAMPLED = ("mccfr", "blueprint", *NEURAL)


def require_acting(config: TrainConfig) -> None:
    """Refuse the first setting that would do nothing."""
    for key, why in _idle(config):
        raise InputError(f"{key} does nothing here: {why}; leave it out")


def _idle(config: TrainConfig) -> Iterator[tuple[str, str]]:
    solver, asked = config.training.solver, config.training
    if asked.algorithm != "auto" and solver in NEURAL:
        yield f"training.algorithm = {asked.algorithm!r}", f"{solver} weighs iterations by memory.discount"
    if asked.seed and solver in _WHOLE:
        yield f"training.seed = {asked.seed}", f"{solver} draws nothing at random"
    if _changed(asked, "traversals_per_iter") and not _samples(config):
        yield "training.traversals_per_iter", f"{_walk(config)}, so there are no walks to count"
    if isinstance(config.settings, NoLimitHoldem):
        yield from ((f"game.{name}", why) for name, why in idle_sizes(config.settings).items())
    yield from _idle_workers(config)
    if asked.device not in ("auto", "cpu") and solver not in (*NEURAL, "gpu"):
        yield f"training.device = {asked.device!r}", f"{solver} runs on the processor"
    dealt = _samples(config) and solver != "blueprint" and not _over_boards(config)
    if config.deals is not None and config.settings is not None and not dealt:
        yield "deals", f"{_walk(config)}"
    yield from _idle_networks(config) if solver in NEURAL else _without_networks(config)
    yield from _idle_abstraction(config)
    if config.blueprint is not None and config.blueprint.measure_flops and measured_whole(config):
        yield "blueprint.measure_flops", "this game is measured on all flops"
    if config.blueprint is not None and config.blueprint.keep_preflop and config.blueprint.begin_from is None:
        yield "blueprint.keep_preflop", "without blueprint.begin_from nothing is known that could be kept"
    if config.blueprint is not None and config.blueprint.local > 1 and config.blueprint.shards == 1:
        yield "blueprint.local", "without shards (blueprint.shards) nothing is merged"


def _idle_workers(config: TrainConfig) -> Iterator[tuple[str, str]]:
    workers, solver = config.training.workers, config.training.solver
    if workers is None:
        return
    shared = solver == "blueprint" or (config.settings is not None and solver in (*NEURAL, "sequence", "exact"))
    if not shared and workers > 1:
        yield f"training.workers = {workers}", f"{solver} on {config.title} is one process with one thread"
    if shared and solver in NEURAL and workers > (most := config.memory.shards):
        yield f"training.workers = {workers}", f"networks are trained by at most {most} processes (memory.shards)"


def _idle_networks(config: TrainConfig) -> Iterator[tuple[str, str]]:
    """Of sd-cfr and deep-cfr."""
    solver, network, sgd, memory = config.training.solver, config.network, config.sgd, config.memory
    deep, ranges, small = solver == "deep-cfr", _over_ranges(config), config.settings is None
    samples = memory.kind == "reservoir" if small else not ranges
    boards = _over_boards(config)
    if network.precision != "auto" and boards:
        yield "network.precision", "networks of boards are played in float32"
    ranges = ranges or boards
    if network.kind == "cards" and (small or ranges):
        yield "network.kind = cards", "these networks are shown numbers, no card ids"
    if _changed(network, "card_dim") and (small or ranges or network.kind == "mlp"):
        yield "network.card_dim", "these networks have no card embeddings"
    if network.num_actions is not None and ranges:
        yield "network.num_actions", "these networks have an output for every action of every betting node"
    if network.precision != "auto" and small:
        yield "network.precision", "small games are played in float32"
    if network.keep_every != 1 and deep:
        yield "network.keep_every", "deep-cfr plays its average networks and keeps no others"
    if _changed(sgd, "average_steps") and not (deep and small):
        why = "hold'em's average networks take sgd.steps" if deep else "sd-cfr fits no average network"
        yield "sgd.average_steps", why
    if _changed(sgd, "held_out") and not samples:
        yield "sgd.held_out", "a table of sums has no samples to hold out"
    if _changed(memory, "advantage_cap") and not samples:
        yield "memory.advantage_cap", "a table of sums keeps no samples"
    if _changed(memory, "strategy_cap") and not (deep and samples):
        yield "memory.strategy_cap", "only deep-cfr with a reservoir keeps samples of strategies"
    if _changed(memory, "shards") and small:
        yield "memory.shards", "networks of small games are trained by one process"
    if memory.baseline != "none" and not (small and samples):
        yield "memory.baseline", "it is for sampled walks of small games (memory.kind: reservoir)"
    if memory.bootstrap and not (small and samples):
        yield "memory.bootstrap", "it is for raw samples of small games (memory.kind: reservoir)"
    if memory.discount == "pdcfr+" and ranges:
        yield "memory.discount = pdcfr+", "hold'em predicts nothing (use dcfr, linear or uniform)"


def _without_networks(config: TrainConfig) -> Iterator[tuple[str, str]]:
    """Of solvers that have no networks."""
    for section in ("network", "sgd", "memory"):
        given: Settings = getattr(config, section)
        for name in type(given).model_fields:
            if _changed(given, name):
                yield f"{section}.{name}", f"{config.training.solver} has no networks"


def _idle_abstraction(config: TrainConfig) -> Iterator[tuple[str, str]]:
    if config.abstraction is None or config.holdem is None:
        return
    for street in STREET_NAMES[config.holdem.rules.last_street + 1 :]:
        for name in type(config.abstraction).model_fields:
            if name.partition("_")[0] == street and _changed(config.abstraction, name):
                yield f"abstraction.{name}", f"{config.title} has no {street}"


def measured_whole(config: TrainConfig) -> bool:
    """Whether a blueprint of the game is measured on all flops."""
    game = config.holdem
    return game is not None and (len(game.deck) < len(FULL_DECK) or game.rules.last_street == FLOP)


def _over_ranges(config: TrainConfig) -> bool:
    return config.settings is not None and walks_ranges(config.settings, config.training.solver, config.memory)


def _over_boards(config: TrainConfig) -> bool:
    return config.settings is not None and walks_boards(config.settings, config.training.solver, config.memory)


def _samples(config: TrainConfig) -> bool:
    """Whether walks are drawn, and so counted."""
    solver = config.training.solver
    if solver in NEURAL:
        return config.memory.kind == "reservoir" if config.settings is None else not _over_ranges(config)
    return solver == "mccfr"


def _walk(config: TrainConfig) -> str:
    solver = config.training.solver
    if solver == "blueprint":
        return "blueprint draws boards (blueprint.boards)"
    if _over_boards(config):
        return "boards are drawn, and all hands of each are swept (memory.kind: reservoir walks dealt hands)"
    if _over_ranges(config):
        return "every iteration sweeps a group of flops, all hands of each"
    return f"{solver} walks the whole tree" if solver in _WHOLE else "a table is filled by walks of the whole tree"


def _changed(settings: Settings, name: str) -> bool:
    return bool(getattr(settings, name) != type(settings).model_fields[name].default)
