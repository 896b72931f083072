"""What `runout train` is asked to do: game, deals, training, network, fitting, memory, checkpoints, abstraction."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator, model_validator

from runout.cards.abstraction import AbstractionSettings
from runout.config import Document, Settings
from runout.cursors.network_game_solution import OWN_GAME
from runout.errors import InputError
from runout.games.catalog import GAMES, OPENSPIEL, load_game
from runout.games.deals import DealSettings
from runout.games.holdem import GAME_TYPES, OLD_GAME_TYPES, HoldemSettings, settings_of
from runout.games.holdem_game import HoldemGame
from runout.games.protocol import AnyGame
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings, walks_boards

SOLVERS = ("sd-cfr", "deep-cfr", "mccfr", "blueprint", "exact", "sequence", "gpu")
NEURAL = ("sd-cfr", "deep-cfr")

# What may be changed when a run is resumed: how long it runs and where, not what it computes.
_FREE = {
    "training": ("iterations", "seconds", "target", "lbr_deals", "output_dir", "workers", "device", "measure_every"),
    "exact": ("shards", "shard_gb"),
}


class PoolSettings(DealSettings):
    """Deals that are drawn once and used again and again; without this section every walk draws its own."""

    file: str | None = Field(None, description="a pool saved by `runout deals make`, instead of drawing one")


class TrainingSettings(Settings):
    """Which solver runs, for how long, and where its files are written."""

    solver: Literal["sd-cfr", "deep-cfr", "mccfr", "blueprint", "exact", "sequence", "gpu"] = Field(
        "sd-cfr",
        description="sd-cfr, deep-cfr: networks; mccfr, blueprint: sampled tables; exact: every hand of every board, "
        "over some flops; sequence, gpu: CFR on whole trees",
    )
    algorithm: str = Field(
        "auto",
        description="mccfr in small games: a sampling scheme; sequence, gpu: a variant of CFR, such as dcfr(1.5,0,2)",
    )
    iterations: int = Field(100, ge=0, description="iterations in all, those of an earlier run included")
    traversals_per_iter: int | None = Field(
        None,
        ge=1,
        description="walks per iteration and player, none: 1000; of sd-cfr in hold'em of four streets: boards, none: "
        "16. sequence and gpu walk the whole tree instead",
    )
    seed: int = Field(0, ge=0, lt=2**63, description="seed of all random numbers")
    output_dir: str | None = Field(None, description="directory of the run; none: nothing is written")
    measure_every: int = Field(10, ge=1, description="iterations between measurements; each is a line of metrics.jsonl")
    lbr_deals: int = Field(
        0,
        ge=0,
        description="deals of a local best response at each measurement of hold'em, where no exact figure is at hand: "
        "a lower bound of exploitability; 0: none",
    )
    target: float | None = Field(None, ge=0, description="stop at this exploitability (or bound)")
    seconds: float | None = Field(None, gt=0, description="stop after this many seconds of wall clock")
    workers: int | None = Field(
        None,
        ge=1,
        le=1024,
        description="threads or processes, where the solver has several; none: two. Results do not depend on them",
    )
    device: str = Field("auto", description="torch device: auto, cpu, cuda, mps")

    @field_validator("output_dir")
    @classmethod
    def _named(cls, path: str | None) -> str | None:
        if path is not None and not path.strip():
            raise InputError("give a directory, or leave it out to write nothing")
        return path


class BlueprintSettings(Settings):
    """How the solver `blueprint` draws boards and weighs what it learnt."""

    boards: int = Field(16, ge=1, le=4096, description="boards drawn per iteration and player")
    epoch: int = Field(
        5, ge=1, description="iterations after which earlier ones are weighted, as `training.algorithm` says"
    )
    shards: int = Field(
        1,
        ge=1,
        le=4096,
        description="shards that draw boards of their own and learn by themselves in each iteration, after which what "
        "they learnt is merged; machines of a cluster share them. 1: no shards",
    )
    local: int = Field(1, ge=1, description="iterations that each of several shards does before they are merged")
    measure_flops: int = Field(
        0, ge=0, description="flops of the set on which exploitability is measured; 0: only in small games"
    )
    begin_from: str | None = Field(
        None, min_length=1, description="a run of the same tree with as many or fewer buckets, to begin from"
    )
    keep_preflop: bool = Field(
        False, description="before the flop players play what `begin_from` plays, and learn only what comes after"
    )
    answers: int = Field(
        0,
        ge=0,
        le=2,
        description="last streets, up to 2, on which a player learns against an opponent of its own who sees every "
        "card and answers in the best way; 0: players learn against each other",
    )


class ExactSettings(Settings):
    """What the solver `exact` is run on: flops, and the shards that hold them."""

    flops: str = Field(
        "fitted-23", description="the flops: all, a number, a set such as fitted-49, or a file with a flop a line"
    )
    storage: Literal["float32", "int16"] = Field(
        "float32", description="how numbers are stored; int16 takes half the memory"
    )
    shards: int = Field(
        0,
        ge=0,
        le=4096,
        description="shards that hold the flops, each a process or an actor of a cluster; 0: one for each of "
        "`training.workers` or core of the cluster. Results do not depend on them",
    )
    shard_gb: float | None = Field(
        None, gt=0, description="most memory of a shard, in GB; with shards = 0, as many as that asks for"
    )


class CheckpointSettings(Settings):
    """What is saved during a run."""

    interval: int = Field(10, ge=0, description="iterations between checkpoints; 0: only one, at the end")
    keep: int = Field(5, ge=1, description="how many of the newest checkpoints are kept")


class TrainConfig(Document):
    """A whole training run: everything that `runout.train` needs to know.

    config = TrainConfig(game_type="leduc", training={"solver": "sd-cfr", "iterations": 100})
    """

    game_type: str = Field(
        "no_limit_holdem",
        description="which game: no_limit_holdem, limit_holdem, kuhn, leduc, openspiel:NAME for a small game of "
        "OpenSpiel, or own: rules given in Python",
    )
    game: dict[str, Any] = Field(
        default_factory=dict,
        description="settings of the game: those of NoLimitHoldem or LimitHoldem; none for kuhn, leduc",
    )
    deals: PoolSettings | None = Field(None, description="a fixed pool of deals; none: every walk draws its own")
    training: TrainingSettings = Field(
        TrainingSettings.model_validate({}), description="solver, length of the run and where its files are written"
    )
    network: NetworkSettings = Field(NetworkSettings.model_validate({}), description="shape of the networks")
    sgd: SgdSettings = Field(SgdSettings.model_validate({}), description="how networks are fitted")
    memory: MemorySettings = Field(MemorySettings.model_validate({}), description="what is remembered of the walks")
    checkpoint: CheckpointSettings = Field(
        CheckpointSettings.model_validate({}), description="what is saved during a run"
    )
    abstraction: AbstractionSettings | None = Field(
        None, description="card abstraction of mccfr and blueprint; none: every hand is told apart"
    )
    blueprint: BlueprintSettings | None = Field(None, description="settings of the solver blueprint")
    exact: ExactSettings | None = Field(None, description="settings of the solver exact")

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            game_type: str = ...,
            game: Mapping[str, Any] = ...,
            deals: PoolSettings | Mapping[str, Any] | None = ...,
            training: TrainingSettings | Mapping[str, Any] = ...,
            network: NetworkSettings | Mapping[str, Any] = ...,
            sgd: SgdSettings | Mapping[str, Any] = ...,
            memory: MemorySettings | Mapping[str, Any] = ...,
            checkpoint: CheckpointSettings | Mapping[str, Any] = ...,
            abstraction: AbstractionSettings | Mapping[str, Any] | None = ...,
            blueprint: BlueprintSettings | Mapping[str, Any] | None = ...,
            exact: ExactSettings | Mapping[str, Any] | None = ...,
        ) -> None: ...

    def __repr__(self) -> str:
        return f"TrainConfig({self.title}: {self.training.solver}, {self.training.iterations} iterations)"

    def __str__(self) -> str:
        return repr(self)

    @model_validator(mode="before")
    @classmethod
    def _sections(cls, data: Any) -> Any:
        """A section without keys is one with defaults; game types may have their old names."""
        if not isinstance(data, Mapping):
            return data
        given = {key: value for key, value in data.items() if value is not None}
        if given.get("game_type") in OLD_GAME_TYPES:
            given["game_type"] = OLD_GAME_TYPES[given["game_type"]]
        return given

    @model_validator(mode="after")
    def _consistent(self) -> TrainConfig:
        known = (*GAME_TYPES, *GAMES, OWN_GAME)
        if self.game_type not in known and not self.game_type.startswith(OPENSPIEL):
            raise InputError(f"game_type = {self.game_type!r}: use {', '.join(known)} or {OPENSPIEL}NAME")
        if self.game_type not in GAME_TYPES:
            if self.game:
                raise InputError(f"unknown key 'game.{next(iter(self.game))}': {self.game_type} has no settings")
            for name in ("deals", "abstraction", "blueprint", "exact"):
                if getattr(self, name) is not None:
                    raise InputError(f"{name}: {self.game_type} has none, leave the section out")
        else:
            try:
                settings = settings_of(self.game_type, self.game)
            except InputError as error:
                raise InputError(f"game: {error}") from None
            object.__setattr__(self, "game", settings.model_dump(mode="json", exclude_none=True))
        if self.abstraction is not None and self.training.solver not in ("mccfr", "blueprint"):
            raise InputError(f"abstraction is for mccfr and blueprint: {self.training.solver} tells every hand apart")
        for name in ("blueprint", "exact"):
            if getattr(self, name) is not None and self.training.solver != name:
                raise InputError(f"the section {name} is for solver {name}, not for {self.training.solver}")
        if self.network.num_actions is not None and self.game_type != OWN_GAME:
            require_outputs(self.network.num_actions, self.slots)
        return self

    @cached_property
    def settings(self) -> HoldemSettings | None:
        """The settings of hold'em; None for a small game."""
        return settings_of(self.game_type, self.game) if self.game_type in GAME_TYPES else None

    @cached_property
    def holdem(self) -> HoldemGame | None:
        """The rules of hold'em; None for a small game."""
        return None if self.settings is None else self.settings.game()

    @property
    def traversals(self) -> int:
        """Walks per iteration and player, or boards."""
        given = self.training.traversals_per_iter
        boards = self.settings is not None and walks_boards(self.settings, self.training.solver, self.memory)
        return given if given is not None else 16 if boards else 1000

    def rules(self, own: AnyGame | None = None) -> AnyGame:
        """The rules of a small game; `own` are those that were given in Python."""
        if self.game_type == OWN_GAME:
            if own is None:
                raise InputError("game_type own: give the rules in Python, runout.train(config, game=...)")
            return own
        if own is not None:
            raise InputError(f"game_type = {self.game_type}: use game_type own for rules of your own")
        return load_game(self.game_type)

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """What the outputs of a network mean."""
        if self.holdem is not None:
            return self.holdem.slot_names
        from runout.games.small_encoders import encoder_of

        return encoder_of(self.rules()).slots

    @property
    def title(self) -> str:
        """The game in a few words."""
        return self.game_type if self.holdem is None else self.holdem.name

    def with_training(self, **changes: Any) -> TrainConfig:
        """The same run with some `training` settings changed; None leaves a setting as it is. Settings that only the
        solver before had a use for go with it."""
        given = {name: value for name, value in changes.items() if value is not None}
        data = for_solver(self.to_dict(), given["solver"]) if "solver" in given else self.to_dict()
        return TrainConfig(**(data | {"training": data["training"] | given})) if given else self

    def to_dict(self) -> dict[str, Any]:
        """Plain values that `from_dict` reads back."""
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TrainConfig:
        """The run with these settings, as `to_dict` gives them."""
        return cls(**data)

    def difference(self, other: TrainConfig) -> str | None:
        """The first setting that makes another run compute something else, 'training.seed = 1, not 2'; None if there is
        none.

        Settings that only say how long a run takes, how often it is measured and saved, and on what machine, are free.
        """
        ours, theirs = (_flat(one.to_dict()) for one in (self, other))
        for key in sorted(ours.keys() | theirs.keys(), key=lambda key: (key != "game_type", key)):
            section, _, name = key.partition(".")
            free = section == "checkpoint" or name in _FREE.get(section, ())
            # 0.1.0 wrote its default, 1000, into every config.
            free = free or (name == "traversals_per_iter" and None in (ours.get(key), theirs.get(key)))
            if not free and ours.get(key) != theirs.get(key):
                return f"{key} = {ours.get(key)}, not {theirs.get(key)}"
        return None


def for_solver(data: Mapping[str, Any], solver: str) -> dict[str, Any]:
    """The settings of a config that was made for another solver, without those that `solver` has no use for."""
    found = {name: dict(part) if isinstance(part, Mapping) else part for name, part in data.items()}
    held = found.get("training")
    training: dict[str, Any] = held if isinstance(held, dict) else {}
    before = str(training.get("solver", TrainingSettings.model_fields["solver"].default))
    if before == solver:
        return found
    unused = [] if solver in NEURAL else ["network", "sgd", "memory"]
    unused += [] if solver in ("mccfr", "blueprint") else ["abstraction"]
    unused += [name for name in ("blueprint", "exact") if name != solver]
    unused += [] if solver in ("mccfr", *NEURAL) else ["deals"]
    for section in unused:
        found.pop(section, None)
    for name in ("algorithm", "traversals_per_iter"):  # what is a walk for one solver is a board for another
        training.pop(name, None)
    if solver == "deep-cfr" and isinstance(found.get("network"), dict):
        found["network"].pop("keep_every", None)
    return found


def require_outputs(asked: int, slots: tuple[str, ...]) -> None:
    """Refuse networks with fewer outputs than a game has slots."""
    if asked < len(slots):
        raise InputError(
            f"network.num_actions = {asked}: this game has {len(slots)} slots ({', '.join(slots)}), so use "
            f"{len(slots)} or more, or leave it out"
        )


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in data.items():
        inner = {f"{key}.{name}": one for name, one in _flat(value).items()} if isinstance(value, Mapping) else None
        found.update({key: value} if inner is None else inner)
    return found
