"""The small interfaces that layers meet at: solvers, events and executors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a run; every front end draws these and nothing else."""

    # "preparing" (tables are made), "progress" (measured), "step" (some iterations on), "saved", "save failed", "done",
    # "interrupted"
    kind: str
    iteration: int  # how many are done
    exploitability: float | None  # in `unit`; None where it was not measured
    unit: str  # "% of the pot", "mbb/hand", "mA/g"
    elapsed: float  # seconds of solving, measuring included
    remaining: float | None  # seconds, estimated; None where there is nothing to go by
    metrics: Mapping[str, float] = field(default_factory=dict)  # what else the solver says of itself
    seconds: float = 0.0  # of solving alone, earlier runs that this one continues included
    # preparing: what; saved: where; save failed: why; done: "target", "iterations", "seconds"; interrupted: "SIGTERM"
    note: str = ""
    total: int | None = None  # iterations in all, where that is known
    counted: str = "iterations"  # what `iteration` and `total` count


OnEvent = Callable[[Event], None]  # hears what happens in a run


class Solver(Protocol):
    """A solver moves by whole iterations; stopping, measuring and saving belong to `runout.run`."""

    iteration: int  # iterations done

    def step(self, iterations: int) -> None:
        """Do this many more iterations."""

    def policy(self) -> Any:
        """The strategy to be used: the average, in the form of the solver's kind of game."""

    def memory(self) -> int:
        """Bytes of the arrays that it holds."""

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to continue, as arrays."""

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Take up the state of a solver of the same game; later results are the same to the bit."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """What became of one of several tasks."""

    number: int  # of the task, counted from 0
    result: Result | None  # None where it failed
    error: Exception | None  # why it failed


class Executor(Protocol):
    """Runs independent tasks."""

    def completed(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Done[Result]]:
        """Every task as soon as it is done or has failed, in whatever order; closing it drops the rest."""

    def map(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        on_result: Callable[[Result], None] | None = None,
    ) -> list[Result]:
        """The results of all tasks in their order; `on_result` hears of each, in that order too. Raises errors."""


class Shards(Protocol):
    """Objects that keep what they hold: here, in processes of their own, or on the machines of a cluster."""

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        """What a method of each gives, in their order; `errors.ShardLost` where one has gone."""

    def ask_one(self, number: int, method: str, *arguments: Any) -> Any:
        """The same of one of them, by number."""

    def revive(self) -> None:
        """Make those anew that have gone, with nothing learnt."""

    def close(self) -> None:
        """End them all."""


class HoldemPolicy(Protocol):
    """How a player plays dealt hold'em: one of `parts` behaviour strategies, drawn once per hand.

    A table or an average network has one part; Single Deep CFR has one for each network that it keeps.
    """

    weights: np.ndarray  # float64 [parts]: odds of each part, adding up to 1

    def probabilities(self, batch: Any, part: int) -> np.ndarray:
        """float64 [n, slots]: of each slot for the players to act in a `HoldemBatch` without hands that are over."""


class Trainee(Solver, Protocol):
    """A solver that `runout train` runs: it also says how it does and what a checkpoint of it holds."""

    unit: str  # of `measure`

    @property
    def measures(self) -> bool:
        """Whether `measure` gives a figure, so that a target can be reached."""

    def measure(self) -> float | None:
        """Exploitability of the average strategy, exact; None where the game is too large for that."""

    def metrics(self) -> dict[str, float]:
        """Numbers of the last iteration for curves: samples, nodes_per_second, loss, ..."""

    def checkpoint(self, resumable: bool) -> Any:
        """A `solutions.format.Bundle` that opens as a solution; with `resumable`, `restore_from` takes it up."""

    def restore_from(self, bundle: Any) -> None:
        """Take up a checkpoint of the same game and settings; later results are the same."""


@runtime_checkable
class Closing(Protocol):
    """A solver that has processes of its own to end."""

    def close(self) -> None: ...
