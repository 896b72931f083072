"""Memory of a training run: said before it is taken, and refused where it cannot fit."""

from __future__ import annotations

from dataclasses import dataclass

from runout import memory
from runout.games.protocol import AnyGame
from runout.run.train_config import NEURAL, TrainConfig

KEPT, COPIES = "model buffer", "copies while saving"  # parts by name


@dataclass(frozen=True, slots=True)
class TrainingMemory:
    """What a run takes at most besides its processes."""

    parts: tuple[tuple[str, int, str], ...]  # name, bytes, the setting that makes it smaller; largest first
    more: str = ""  # what grows without a limit that is known

    @property
    def bytes(self) -> int:
        return sum(size for _, size, _ in self.parts)

    @property
    def spread(self) -> int:
        """Bytes of what the machines of a cluster hold between them: all but the networks that are kept."""
        return sum(size for name, size, _ in self.parts if name != KEPT)

    @property
    def gathered(self) -> TrainingMemory:
        """What is left on the machine that asks, where those of a cluster hold the rest."""
        return TrainingMemory(tuple(part for part in self.parts if part[0] in (KEPT, COPIES)), self.more)

    def require(self, available: int | None = None) -> None:
        """Refuse what does not fit, naming the largest part and what to lower."""
        if self.parts:
            name, size, cut = self.parts[0]
            advice = f"its {name} take {memory.size(size)}; lower {cut}"
            memory.require(self.bytes, "this run needs", advice, available)

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {memory.size(size)}" for name, size, _ in self.parts)
        known = f"up to {memory.size(self.bytes)} ({parts})" if parts else ""
        return "; ".join(text for text in (known, self.more) if text)


def training_memory(config: TrainConfig, game: AnyGame | None = None) -> TrainingMemory:
    """What a run of `config` takes; nothing large is allocated. Full-width solvers ask for theirs themselves."""
    asked = config.training
    if asked.solver == "mccfr" and config.settings is not None:
        return TrainingMemory((), "a table that grows with the information sets met, and asks before it does")
    if asked.solver not in NEURAL:
        return TrainingMemory(())
    from runout.solvers.neural.memory_estimate import holdem_parts, small_parts

    iterations = asked.iterations if asked.seconds is None else None
    settings = (config.network, config.sgd, config.memory, iterations)
    if config.settings is None:
        found = small_parts(config.rules(game), *settings, deep=asked.solver == "deep-cfr")
    else:
        found = holdem_parts(asked.solver, config.settings, *settings)
    more = "" if iterations is not None else "a model buffer that grows until the time is up"
    return TrainingMemory(tuple(sorted(found, key=lambda part: -part[1])), more)
