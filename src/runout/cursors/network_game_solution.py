"""A small game that networks play: the networks, and the table of what they play."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from runout.config import validated
from runout.cursors.game_solution import GameSolution, chip_unit
from runout.errors import InputError, RunoutError, SolutionError
from runout.games.catalog import load_game
from runout.games.compiled import CompiledGame, compile_game
from runout.games.protocol import AnyGame
from runout.solutions.format import STATE, Bundle, read_solution
from runout.solutions.reached import Reached

KIND = "game-networks"
OWN_GAME = "own"  # in configs: a game whose rules are given in Python


@dataclass(frozen=True, repr=False)
class NetworkGameSolution(GameSolution):
    """A small game that networks play. Its strategy, and so every figure, is that of the networks in the file.

    solution = runout.load("runs/leduc")
    solution.exploitability, solution.policy["Ks"]
    """

    config: dict[str, Any] = field(default_factory=dict)  # of the training run
    networks: dict[str, np.ndarray] = field(default_factory=dict)  # by player, with their odds and iterations

    def bundle(self) -> Bundle:
        """What is saved: the networks, their odds, and the state to continue from."""
        value = self.value * chip_unit(self.game).per_chip
        arrays = {**self.networks, **{STATE + name: array for name, array in self.state.items()}}
        more = {"value": value, "fingerprint": self.game.fingerprint, "networks": len(self.networks["weights"])}
        return self.reached.bundle(KIND, self.config, arrays, **more)

    @classmethod
    def from_bundle(cls, bundle: Bundle, game: AnyGame | CompiledGame | None = None) -> NetworkGameSolution:
        """The solution in a record that `bundle` made; rules of your own have to be given."""
        from runout.solvers.neural.settings import NetworkSettings
        from runout.solvers.neural.small_policies import mixture_in

        config, name = bundle.config, str(bundle.config["game_type"])
        if isinstance(game, CompiledGame):
            raise InputError("networks are shown states: give the rules of the game, not what was compiled of them")
        if game is None:
            try:
                game = load_game(name)
            except RunoutError as error:
                raise SolutionError(f"the networks are of {name!r}: give the game itself ({error})") from None
        compiled = compile_game(game)
        if bundle.reached["fingerprint"] != compiled.fingerprint:
            raise SolutionError(f"the networks are of {name}, whose tree differs from that of {compiled.name} here")
        network = validated(NetworkSettings, config.get("network") or {})
        deep = config["training"]["solver"] == "deep-cfr"
        try:
            strategy = mixture_in(game, compiled, network, bundle.arrays, deep)
        except ValueError as error:
            raise SolutionError(f"the networks do not fit their settings: {error}") from None
        own = {key: array for key, array in bundle.arrays.items() if not key.startswith(STATE)}
        state = {key.removeprefix(STATE): array for key, array in bundle.arrays.items() if key.startswith(STATE)}
        reached = Reached.of(bundle, chip_unit(compiled))
        seed = int(config["training"].get("seed", 0))
        return cls(compiled, reached, strategy, True, seed, state, config, own)


def load_network_game(path: str | Path, game: AnyGame | CompiledGame | None = None) -> NetworkGameSolution:
    """The solution saved in `path`; rules of your own have to be given."""
    return read_solution(path, lambda bundle: NetworkGameSolution.from_bundle(bundle, game), KIND)
