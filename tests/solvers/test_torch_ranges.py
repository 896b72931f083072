"""The range solver in torch against the one in Numba: values of given strategies, one update, whole solves, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import runout
from runout.errors import InputError
from runout.games.flop_holdem import FlopHoldem
from runout.games.spot import Spot
from runout.kernels.lines import AVERAGE, BEST_RESPONSE
from runout.solvers import torch_backend_ranges
from runout.solvers.auto import range_schedule
from runout.solvers.range_locks import apply_locks
from runout.solvers.ranges import RangeGame, RangeSolver, range_game
from runout.solvers.torch_backend_ranges import TorchRangeSolver

RANGES = {"oop": "QQ-99,AKs,KQs,76s,AdKc", "ip": "JJ-88,AQs:0.5,AKo,87s,7h6h"}
BETTING = {street: {"bet": "50%", "raise": "60%"} for street in ("flop", "turn", "river")}
RIVER = {"board": "Td 9d 6h Qc 2h", "pot": 200, "stack": 900, "ranges": RANGES, "betting": BETTING}
TURN = RIVER | {"board": "Td 9d 6h Qc", "rake": {"percent": 5, "cap": 12}}
LOCKED = TURN | {"locks": [{"line": "x", "strategy": {"x": 0.75, "b100": 0.25}}]}
FLOP = RIVER | {"board": "Ts 9s 6s", "stack": 300, "ranges": {"oop": "QQ,AKs,7c6c", "ip": "JJ,AQs:0.5,KQs"}}
SMALL_DECK = {"ranks": 4, "max_bets": [2, 2]}


SPOTS = {"river": RIVER, "turn, raked": TURN, "turn, locked": LOCKED, "flop of one suit": FLOP}


@pytest.fixture(scope="module", params=[*SPOTS, "Flop Hold'em"])
def pair(request: pytest.FixtureRequest) -> tuple[RangeSolver, TorchRangeSolver]:
    """Both solvers of a game, with what the one in Numba has learnt in five iterations."""
    spot = Spot(**SPOTS[request.param]) if request.param in SPOTS else None
    game = range_game(FlopHoldem.of(SMALL_DECK)) if spot is None else RangeGame.of(spot)
    solvers = RangeSolver(game, range_schedule("auto"), 1), TorchRangeSolver(game, range_schedule("auto"), device="cpu")
    if spot is not None:
        apply_locks(solvers[0], spot)
    solvers[0].step(5)
    solvers[1].restore(solvers[0].state())
    return solvers


@pytest.mark.parametrize("mode", [AVERAGE, BEST_RESPONSE])
def test_values_of_the_same_strategies_agree(pair: tuple[RangeSolver, TorchRangeSolver], mode: int) -> None:
    slow, torch = pair
    unit = slow.game.tree.start.pot
    for player in range(2):
        met = slow.game.weights[1 - player].sum()
        assert np.abs(slow.values(player, mode) - torch.values(player, mode)).max() < 1e-5 * unit * met
    assert torch.exploitability() == pytest.approx(slow.exploitability(), abs=1e-5 * unit)


def test_one_iteration_from_the_same_numbers_agrees(pair: tuple[RangeSolver, TorchRangeSolver]) -> None:
    before = {name: np.copy(array) for name, array in pair[0].state().items()}
    found = []
    for solver in pair:
        solver.restore(before)
        solver.sweep(0, 0, 0, np.array([[0.7, 0.4, 0.9]], np.float32))  # one player: the next would see rounding
        found.append({name: np.copy(getattr(solver, name)) for name in ("regrets", "averages")})
        solver.restore(before)
    met = pair[0].game.weights.sum(axis=1).max()
    assert np.abs(found[0]["regrets"] - found[1]["regrets"]).max() < 1e-5 * pair[0].game.tree.start.pot * met
    assert np.abs(found[0]["averages"] - found[1]["averages"]).max() < 1e-6 * np.abs(found[0]["averages"]).max()
    assert np.abs(found[0]["regrets"] - before["regrets"]).max() > 0


def test_chunks_of_boards_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = TorchRangeSolver(RangeGame.of(Spot(**TURN)), range_schedule("auto"), device="cpu")
    solver.step(2)
    whole = solver.values(0, AVERAGE)
    monkeypatch.setattr(torch_backend_ranges, "WORKING", 1)  # board by board
    assert solver.values(0, AVERAGE) == pytest.approx(whole, rel=1e-5)


def test_a_solve_in_torch_is_saved_continued_and_looked_at(tmp_path: Path) -> None:
    spot = Spot(**TURN)
    ours = runout.solve(spot, target=1)
    theirs = runout.solve(spot, target=1, backend="torch", device="cpu", output=tmp_path / "turn")
    assert theirs.reached.exploitability <= 1
    assert theirs.root.evs == pytest.approx(ours.root.evs, abs=0.04 * spot.pot)
    assert theirs.root.play("check").strategy("AdKc").keys() == ours.root.play("check").strategy("AdKc").keys()
    again = runout.load(tmp_path / "turn")
    assert again.root.evs == pytest.approx(theirs.root.evs, abs=1e-3)
    further = runout.solve(resume=tmp_path / "turn", target=0.5, backend="torch", device="cpu")
    assert further.reached.exploitability <= 0.5
    assert further.reached.iterations > theirs.reached.iterations


def test_what_torch_cannot_do_is_refused() -> None:
    with pytest.raises(InputError, match="torch solves in float32 only"):
        runout.solve(Spot(**RIVER), storage="int16", backend="torch", device="cpu")
    with pytest.raises(InputError, match="unknown backend 'jax'"):
        runout.solve(Spot(**RIVER), backend="jax")
    with pytest.raises(InputError, match="unknown device 'tpu'"):
        runout.solve(Spot(**RIVER), backend="torch", device="tpu")
