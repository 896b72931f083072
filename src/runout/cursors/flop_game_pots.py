"""What a solved flop game says of called pots, for the leaf model `flop-game`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from runout.cards.hands import CLASS_NAMES
from runout.cursors.flop_solution import load_flop_holdem
from runout.errors import SolutionError
from runout.games.flop_game import FlopGame
from runout.games.preflop import Preflop
from runout.kept import kept_array
from runout.solutions.format import read_meta, read_settings
from runout.solvers.flop_game_leaf import FlopGameLeaf
from runout.solvers.preflop_game import called_leaves
from runout.solvers.preflop_leaves import LeafModel, StoredLeaf


def load_flop_game(path: str | Path) -> tuple[Preflop, LeafModel]:
    """The preflop game inside a solved flop game (`runout game flop-game -o DIR`), and its values of called pots.

    Working them out takes minutes, so they are kept in the cache directory of the user.
    """
    meta = read_meta(Path(path))
    if meta["kind"] != FlopGame.kind:
        raise SolutionError(f"{path} is a {meta['kind']} solution; a flop-game solution is needed here")
    game = FlopGame(**read_settings(path).config).preflop
    leaves = list(called_leaves(game).values())
    sums = json.dumps(meta.get("files") or meta.get("sha256"), sort_keys=True)
    name = f"flop-game-{hashlib.sha256(sums.encode()).hexdigest()[:24]}"

    def made() -> np.ndarray:
        solution = load_flop_holdem(path)
        model = FlopGameLeaf(solution.solver)
        return np.stack([model.shares(leaf) for leaf in leaves])

    tables = kept_array(name, (len(leaves), len(CLASS_NAMES), len(CLASS_NAMES)), np.float64, None, made)
    chosen = Preflop(**game.model_dump() | {"leaf": "flop-game", "name": "flop game"})
    return chosen, StoredLeaf("flop-game", {leaf.line: table for leaf, table in zip(leaves, tables, strict=True)})
