"""What `runout train` is asked to do: game, deals, training, network, fitting, memory, checkpoints, abstraction."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from runout.cards.abstraction import AbstractionSettings
from runout.config import Document, Settings
from runout.errors import InputError
from runout.games.deals import DealSettings
from runout.games.holdem import GAME_TYPES, OLD_GAME_TYPES, HoldemSettings, settings_of
from runout.games.holdem_game import HoldemGame
from runout.games.small_encoders import SLOTS
from runout.solvers.neural.settings import MemorySettings, NetworkSettings, SgdSettings

SMALL_GAMES = ("kuhn", "leduc")
SOLVERS = ("sd-cfr", "deep-cfr", "mccfr", "blueprint", "sequence", "gpu")
NEURAL = ("sd-cfr", "deep-cfr")

# What may be changed when a run goes on: how long it runs and where, not what it computes.
_FREE = ("iterations", "seconds", "target", "output_dir", "workers", "device", "measure_every")


class PoolSettings(DealSettings):
    """Deals that are drawn once and walked over and over; without this section every walk draws its own."""

    file: str | None = None  # a pool that `runout deals make` saved, in place of drawing one


class TrainingSettings(Settings):
    """Which solver, for how long, and where to."""

    solver: Literal["sd-cfr", "deep-cfr", "mccfr", "blueprint", "sequence", "gpu"] = "sd-cfr"
    algorithm: str = (
        "auto"  # mccfr in small games: a sampling scheme; sequence and gpu: a variant of CFR, dcfr(1.5,0,2)
    )
    iterations: int = Field(100, ge=0)  # in all, those of an earlier run included
    traversals_per_iter: int = Field(1000, ge=1)  # walks for each player; sequence and gpu walk the whole tree instead
    seed: int = Field(0, ge=0, lt=2**63)
    output_dir: str | None = None  # None: nothing is written
    measure_every: int = Field(10, ge=1)  # iterations between measurements; each is a line of metrics.jsonl
    target: float | None = Field(None, ge=0)  # exploitability at which to stop
    seconds: float | None = Field(None, gt=0)  # of wall clock after which to stop
    workers: int = Field(2, ge=1, le=1024)  # threads or processes; results do not depend on them
    device: str = "auto"  # of torch: auto, cpu, cuda, mps

    @field_validator("output_dir")
    @classmethod
    def _named(cls, path: str | None) -> str | None:
        if path is not None and not path.strip():
            raise InputError("give a directory, or leave it out to write nothing")
        return path


class BlueprintSettings(Settings):
    """How the solver `blueprint` draws boards and weighs what it learnt."""

    boards: int = Field(16, ge=1, le=4096)  # drawn in an iteration for each player
    epoch: int = Field(50, ge=1)  # iterations after which earlier ones are weighed, as training.algorithm says
    measure_flops: int = Field(0, ge=0)  # flops of the set on which exploitability is measured; 0: only small games


class CheckpointSettings(Settings):
    """What is written on the way."""

    interval: int = Field(10, ge=0)  # iterations between checkpoints; 0: only the result, at the end
    keep: int = Field(5, ge=1)  # newest checkpoints that stay


class TrainConfig(Document):
    """A whole training run."""

    game_type: Literal["no_limit_holdem", "limit_holdem", "kuhn", "leduc"] = "no_limit_holdem"
    game: dict[str, Any] = Field(default_factory=dict)  # keys of the game type's own settings
    deals: PoolSettings | None = None
    training: TrainingSettings = TrainingSettings.model_validate({})
    network: NetworkSettings = NetworkSettings.model_validate({})
    sgd: SgdSettings = SgdSettings.model_validate({})
    memory: MemorySettings = MemorySettings.model_validate({})
    checkpoint: CheckpointSettings = CheckpointSettings.model_validate({})
    abstraction: AbstractionSettings | None = None  # of cards, for mccfr and blueprint; None: every hand is told apart
    blueprint: BlueprintSettings | None = None  # for blueprint

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
        if self.game_type in SMALL_GAMES:
            if self.game:
                raise InputError(f"unknown key 'game.{next(iter(self.game))}': {self.game_type} has no settings")
            for name in ("deals", "abstraction", "blueprint"):
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
        if self.blueprint is not None and self.training.solver != "blueprint":
            raise InputError(f"the section blueprint is for solver blueprint, not for {self.training.solver}")
        if self.network.num_actions is not None and self.network.num_actions < len(self.slots):
            raise InputError(
                f"network.num_actions = {self.network.num_actions}: this game has {len(self.slots)} slots "
                f"({', '.join(self.slots)}), so use {len(self.slots)} or more, or leave it out"
            )
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
    def slots(self) -> tuple[str, ...]:
        """What the outputs of a network mean."""
        return SLOTS if self.holdem is None else self.holdem.slot_names

    @property
    def title(self) -> str:
        """The game in a few words."""
        return self.game_type if self.holdem is None else self.holdem.name

    def with_training(self, **changes: Any) -> TrainConfig:
        """The same run with other `training` settings; those that are None are left as they are."""
        given = {name: value for name, value in changes.items() if value is not None}
        data = self.to_dict()
        return TrainConfig(**(data | {"training": data["training"] | given})) if given else self

    def to_dict(self) -> dict[str, Any]:
        """Plain values that `from_dict` reads back."""
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TrainConfig:
        return cls(**data)

    def difference(self, other: TrainConfig) -> str | None:
        """The first setting, 'training.seed = 1, not 2', in which another run computes something else; None: the same.

        How long a run takes, how often it is measured and saved, and on what, does not count.
        """
        ours, theirs = (_flat(one.to_dict()) for one in (self, other))
        for key in sorted(ours.keys() | theirs.keys(), key=lambda key: (key != "game_type", key)):
            section, _, name = key.partition(".")
            free = section == "checkpoint" or (section == "training" and name in _FREE)
            if not free and ours.get(key) != theirs.get(key):
                return f"{key} = {ours.get(key)}, not {theirs.get(key)}"
        return None


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in data.items():
        inner = {f"{key}.{name}": one for name, one in _flat(value).items()} if isinstance(value, Mapping) else None
        found.update({key: value} if inner is None else inner)
    return found
