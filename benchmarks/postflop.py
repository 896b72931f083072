"""The range solver on the benchmark spots: seconds an iteration, seconds to a target, memory and its traffic.

Beside each figure stands that of postflop-solver (Rust, float32, built for its CPU), measured on a two-core Ice Lake at
2.8 GHz where `machine` printed spin 1.90 ns and copy 12.6 GB/s: compare those with the header's before the ratios.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine
from benchmarks.report import line, starts
from runout.games.spot import Spot
from runout.solvers.auto import range_schedule
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, RangeSolver

SPOTS = Path(__file__).parent.parent / "configs" / "spots"
TARGETS = (1.0, 0.5, 0.3, 0.1)  # % of the pot
ALGORITHMS = ("auto", "dcfr(1.5,0,2)", "dcfr(1.5,0,3)", "dcfr+(1.5,4)", "lcfr", "cfr+", "hs-dcfr")
START = "import runout; runout.solve(runout.Spot.load({!r}), target=1).root.evs"


@dataclass(frozen=True)
class Peer:
    """postflop-solver on a spot; by threads 1 and 2."""

    iteration: tuple[float, float]  # seconds
    targets: dict[int, tuple[float, ...]]  # threads -> seconds to each of TARGETS
    memory: float  # MB


PEERS = {
    "river": Peer((38e-6, 37e-6), {1: (0.0016, 0.0020, 0.0024, 0.0041)}, 0.2),
    "turn": Peer((16.0e-3, 8.8e-3), {1: (0.98, 1.68, 2.00, 3.52), 2: (0.58, 0.91, 1.07, 1.94)}, 11.8),
    "community": Peer((1.46, 0.81), {1: (86, 114, 142, 262), 2: (51, 66, 82, 146)}, 1284),
    "ah7h2h": Peer((1.8, 1.04), {2: (118, 149, 196, 477)}, 1645),
    "ks7h2d": Peer((6.5, 4.1), {2: (453,)}, 5825),
}


def run(full: bool) -> None:
    """The quick set: river and turn to 0.1%, the community benchmark to 0.3% on all cores; full: everything."""
    _, copy = machine.calibrate()
    _solve("river", (1,), TARGETS, copy)
    _solve("turn", (1, 2), TARGETS, copy)
    _solve("community", (1, 2) if full else (2,), TARGETS if full else TARGETS[:3], copy)
    if full:
        _solve("ah7h2h", (1, 2), TARGETS, copy)
        _solve("ks7h2d", (2,), TARGETS[:3], copy)
        _storages()
        _algorithms()
    starts("a river to 1% of the pot", START.format(str(SPOTS / "river.yaml")))


def _solve(name: str, threads: tuple[int, ...], targets: tuple[float, ...], copy: float) -> None:
    spot = Spot.load(SPOTS / f"{name}.yaml")
    started = time.perf_counter()
    game = RangeGame.of(spot)
    size = estimate(game.tree, game.boards)
    peer, megabytes = PEERS[name], size.bytes() / 1e6
    print(f"{name}: {spot.board}, tables in {time.perf_counter() - started:.2f} s", flush=True)
    line("memory as float32 (int16)", f"{megabytes:.1f} MB ({size.bytes('int16') / 1e6:.1f}); peer {peer.memory:g} MB")
    paces = {}
    for count in threads:
        solver = RangeSolver(game, range_schedule("auto"), count)
        _measured(solver, spot, 1e9)  # compiles
        seconds, reached = 0.0, []
        for target in targets:
            while True:
                if _measured(solver, spot, target):
                    break
                begun = time.perf_counter()
                solver.step(10)
                seconds += time.perf_counter() - begun
            reached.append((target, solver.iteration, seconds))
        paces[count] = seconds / solver.iteration
        theirs = peer.iteration[count - 1]
        traffic = (
            5 * sum(numbers for _, numbers in size.streets) / 2 * 4 / 1e9
        )  # regrets read twice, averages once; written
        line(
            f"seconds an iteration, {count} thread{'s' * (count > 1)}",
            f"{paces[count]:.6f}; peer {theirs:.6f}, ratio {theirs / paces[count]:.1f}; "
            f"{traffic / paces[count]:.1f} GB/s, {100 * traffic / paces[count] / copy:.0f}% of one thread's copy",
        )
        for index, (target, iterations, took) in enumerate(reached):
            known = peer.targets.get(count, ())
            beside = f"; peer {known[index]:g}, ratio {known[index] / took:.1f}" if index < len(known) else ""
            line(f"  to {target:g}% of the pot", f"{took:.4f} s, {iterations} iterations{beside}")
    if len(paces) == 2:
        line("two threads over one", f"{paces[1] / paces[2]:.2f} times")


def _measured(solver: RangeSolver, spot: Spot, target: float) -> bool:
    return 100 * solver.exploitability() / spot.pot <= target


def _storages() -> None:
    """int16 beside float32 on the community benchmark."""
    spot = Spot.load(SPOTS / "community.yaml")
    game = RangeGame.of(spot)
    for storage in ("float32", "int16"):
        solver = RangeSolver(game, range_schedule("auto"), 2, storage)
        solver.step(1)
        begun = time.perf_counter()
        solver.step(20)
        line(f"community, {storage}, seconds an iteration, 2 threads", f"{(time.perf_counter() - begun) / 20:.4f}")


def _algorithms() -> None:
    """Iterations to each target by algorithm, on the river and the turns."""
    for name in ("river", "turn", "turn-donk"):
        spot = Spot.load(SPOTS / f"{name}.yaml")
        game = RangeGame.of(spot)
        for algorithm in ALGORITHMS:
            solver = RangeSolver(game, range_schedule(algorithm), 2)
            found: list[str] = []
            for target in TARGETS:
                while solver.iteration < 500 and not _measured(solver, spot, target):
                    solver.step(10)
                found.append(str(solver.iteration) if solver.iteration < 500 else "> 500")
            line(f"{name}, {algorithm}: iterations to 1 / 0.5 / 0.3 / 0.1%", " / ".join(found))
