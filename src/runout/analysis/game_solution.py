"""A solved small game: its strategy, what it is worth, how far it is from equilibrium, and the file it lives in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from runout.analysis.exploitability import Assessment, assess
from runout.analysis.infosets import InfoSetRow, infoset_rows, policy_table
from runout.errors import InputError, RunoutError, SolutionError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.solutions.tabular import TabularRecord, read_tabular, require_same_game, write_tabular


@dataclass(frozen=True)
class GameSolution:
    """What a run on a small game gave, whichever algorithm and backend made it. Chips throughout."""

    game: CompiledGame
    algorithm: str
    alternating: bool
    seed: int
    iterations: int
    seconds: float  # solving alone
    curve: list[tuple[int, float]]  # (iteration, exploitability)
    strategy: np.ndarray  # float64 [sequences], the average
    state: dict[str, np.ndarray]  # of the solver, to go on from

    @cached_property
    def assessment(self) -> Assessment:
        return assess(self.game, self.strategy)

    @property
    def exploitability(self) -> float:
        return self.assessment.exploitability

    @property
    def nash_conv(self) -> float:
        return self.assessment.nash_conv

    @property
    def value(self) -> float:
        """To player 0."""
        return self.assessment.value

    @cached_property
    def policy(self) -> dict[str, dict[str, float]]:
        """{information set: {action: probability}}."""
        return policy_table(self.game, self.strategy)

    def probability(self, infoset: str, action: str) -> float:
        """How often `action` is played at the information set with this key."""
        if infoset not in self.policy:
            raise InputError(f"{self.game.name} has no information set {infoset!r}")
        if action not in self.policy[infoset]:
            raise InputError(f"{infoset!r} has no action {action!r}: use {', '.join(self.policy[infoset])}")
        return self.policy[infoset][action]

    def rows(self) -> list[InfoSetRow]:
        """Strategy, EV and regret of every information set."""
        return infoset_rows(self.game, self.strategy)

    def save(self, path: str | Path) -> None:
        """Write a solution directory that `load_game_solution` and `runout game --resume` read."""
        write_tabular(path, self.record(), self.game)

    def record(self) -> TabularRecord:
        """What is saved."""
        return TabularRecord(
            game=self.game.name,
            fingerprint=self.game.fingerprint,
            algorithm=self.algorithm,
            alternating=self.alternating,
            seed=self.seed,
            iterations=self.iterations,
            exploitability=self.exploitability,
            nash_conv=self.nash_conv,
            value=self.value,
            seconds=self.seconds,
            curve=self.curve,
            policy=self.strategy,
            state=self.state,
        )


def load_game_solution(path: str | Path, game: AnyGame | CompiledGame | None = None) -> GameSolution:
    """The solution saved in `path`. A game that Runout does not know by name has to be given."""
    record = read_tabular(path)
    if game is None:
        try:
            game = load_game(record.game)
        except RunoutError as error:
            raise SolutionError(f"{path} is a solution of {record.game!r}: give the game itself ({error})") from None
    compiled = compile_game(game)
    require_same_game(record, compiled)
    return GameSolution(
        game=compiled,
        algorithm=record.algorithm,
        alternating=record.alternating,
        seed=record.seed,
        iterations=record.iterations,
        seconds=record.seconds,
        curve=record.curve,
        strategy=record.policy,
        state=record.state,
    )
