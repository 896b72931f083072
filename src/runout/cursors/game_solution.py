"""A solved small game: its strategy, what it is worth, how far it is from equilibrium, and the file it lives in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from runout.cursors.cursor import AnySolution
from runout.cursors.infosets import InfoSetRow, infoset_rows, policy_table
from runout.errors import InputError, RunoutError, SolutionError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.solutions.format import STATE, Bundle, placed, read_solution, write_bundle
from runout.solutions.reached import CHIPS, MILLIANTES, Reached, Unit
from runout.solutions.stored import fitting
from runout.solvers.assessment import Assessment
from runout.solvers.game_response import assess

KIND = "tabular"
_ROUNDING = 1e-9  # by which a stored probability may pass 1


def chip_unit(game: CompiledGame | AnyGame) -> Unit:
    """Thousandths of an ante a game."""
    return Unit(MILLIANTES, 1000 / game.ante)


@dataclass(frozen=True, repr=False)
class GameSolution(AnySolution):
    """A solved small game. Its numbers are in chips, but for `reached`, which is in mA/g.

    solution = runout.solve_game("kuhn")
    solution.value, solution.exploitability, solution.policy["K"]
    """

    game: CompiledGame
    reached: Reached
    strategy: np.ndarray  # float64 [sequences], the average
    alternating: bool = True
    seed: int = 0
    state: dict[str, np.ndarray] = field(default_factory=dict)  # of the solver, to continue from

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def unit(self) -> str:
        """What `exploitability` and `curve` are in: chips."""
        return CHIPS

    @property
    def curve(self) -> list[tuple[int, float]]:
        """(iteration, exploitability in chips)."""
        return [(t, x / chip_unit(self.game).per_chip) for t, x in self.reached.curve]

    @cached_property
    def assessment(self) -> Assessment:
        """What both players win, and what a best response to each would win."""
        return assess(self.game, self.strategy)

    @property
    def exploitability(self) -> float:
        """Exact, in chips: the mean over both players of what a best response gains."""
        return self.assessment.exploitability

    @property
    def nash_conv(self) -> float:
        """In chips: the sum over both players of what a best response gains."""
        return self.assessment.nash_conv

    @property
    def value(self) -> float:
        """What player 0 wins per game when both play this strategy, in chips."""
        return self.assessment.value

    @cached_property
    def policy(self) -> dict[str, dict[str, float]]:
        """The strategy as {information set: {action: probability}}."""
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
        """Save to a directory, which `runout.load` and `runout game --resume` read."""
        write_bundle(path, self.bundle())
        placed(self, Path(path))

    def bundle(self) -> Bundle:
        """What is saved: the strategy with the names that it needs, and the state to continue from.

        Other programs read `infosets` (keys), `actions` (names, separated by newlines), `first` and `stride` (action a
        of set i is at first[i] + a * stride[i]) and `policy` (probabilities).
        """
        game, value = self.game, self.value * chip_unit(self.game).per_chip
        config = {
            "game": game.name,
            "algorithm": self.algorithm,
            "updates": "alternating" if self.alternating else "simultaneous",
            "seed": self.seed,
        }
        sequences = [infoset.sequences for infoset in game.infosets]
        arrays = {
            "infosets": np.array([infoset.key for infoset in game.infosets]),
            "actions": np.array(["\n".join(infoset.actions) for infoset in game.infosets]),
            "first": np.array([s[0] for s in sequences], np.int64),
            "stride": np.array([s[1] - s[0] if len(s) > 1 else 0 for s in sequences], np.int64),
            "policy": self.strategy,
            **{STATE + name: array for name, array in self.state.items()},
        }
        return self.reached.bundle(KIND, config, arrays, value=value, fingerprint=game.fingerprint)

    @classmethod
    def from_bundle(cls, bundle: Bundle, game: AnyGame | CompiledGame | None = None) -> GameSolution:
        """The solution in a record that `bundle` made. A game that Runout does not know by name has to be given."""
        config, arrays, name = bundle.config, bundle.arrays, str(bundle.config["game"])
        if game is None:
            try:
                game = load_game(name)
            except RunoutError as error:
                raise SolutionError(f"the solution is of {name!r}: give the game itself ({error})") from None
        compiled = compile_game(game)
        if bundle.reached["fingerprint"] != compiled.fingerprint:
            raise SolutionError(f"the solution is of {name}, whose tree differs from that of {compiled.name} here")
        state = {name.removeprefix(STATE): array for name, array in arrays.items() if name.startswith(STATE)}
        reached, alternating = Reached.of(bundle, chip_unit(compiled)), config["updates"] == "alternating"
        policy = fitting(arrays, "policy", (compiled.sequences,), np.float64, 0, 1 + _ROUNDING)
        return cls(compiled, reached, policy, alternating, int(config["seed"]), state)


def load_tabular(path: str | Path, game: AnyGame | CompiledGame | None = None) -> GameSolution:
    """The solution saved in `path`. A game that Runout does not know by name has to be given."""
    return read_solution(path, lambda bundle: GameSolution.from_bundle(bundle, game), KIND)
