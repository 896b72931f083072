"""The range solver on the benchmark spots: seconds an iteration, seconds to a target, memory and its traffic.

Beside each figure stands that of postflop-solver (Rust, float32, built for its CPU). It was measured on two machines, a
Zen 4 and an Ice Lake; what is printed is scaled to this machine and hour: multiplied by how long a step of dependent
integer operations takes now (`spin` in the header) over what it took there. From one of the two to the other that is
right within a tenth.
"""

from __future__ import annotations

import signal
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
ALGORITHMS = ("auto", "dcfr(1.3,0.4,4)", "dcfr(1.5,0,2)", "dcfr(1.5,0,3)", "dcfr+(1.5,4)", "lcfr", "cfr+", "hs-dcfr")
START = "import runout; runout.solve(runout.Spot.load({!r}), target=1).root.evs"


@dataclass(frozen=True)
class Peer:
    """postflop-solver on a spot, in seconds, by threads; (threads, target) for the time to a target."""

    spin: float  # ns: of the machine in that hour
    iteration: dict[int, float]
    targets: dict[tuple[int, float], float]


MEMORY = {"river": 0.2, "turn": 11.8, "community": 1284, "ah7h2h": 1645, "ks7h2d": 5825}  # MB, of postflop-solver
ZEN_4 = {
    "river": Peer(1.65, {1: 37e-6}, {(1, 0.3): 0.0023, (1, 0.1): 0.0042}),
    "turn": Peer(1.65, {1: 13.2e-3, 2: 6.5e-3}, {(2, 0.3): 0.77, (2, 0.1): 1.42}),
    "community": Peer(1.65, {1: 1.17, 2: 0.650}, {(2, 0.3): 65.0}),
}


def _ice_lake(one: float, two: float, seconds: dict[int, tuple[float, ...]]) -> Peer:
    """seconds: to each of TARGETS, by threads."""
    found = {(n, target): each for n, row in seconds.items() for target, each in zip(TARGETS, row, strict=False)}
    return Peer(1.90, {1: one, 2: two}, found)


ICE_LAKE = {
    "river": _ice_lake(38e-6, 37e-6, {1: (0.0016, 0.0020, 0.0024, 0.0041)}),
    "turn": _ice_lake(16.0e-3, 8.8e-3, {1: (0.98, 1.68, 2.00, 3.52), 2: (0.58, 0.91, 1.07, 1.94)}),
    "community": _ice_lake(1.46, 0.81, {1: (86, 114, 142, 262), 2: (51, 66, 82, 146)}),
    "ah7h2h": _ice_lake(1.8, 1.04, {2: (118, 149, 196, 477)}),
    "ks7h2d": _ice_lake(6.5, 4.1, {2: (453,)}),
}


def _beside(ours: float, name: str, threads: int, spin: float, target: float | None = None) -> str:
    """The peer's figure at the speed of this machine, and how many times ours it is; the nearer machine's first."""
    for peers in (ZEN_4, ICE_LAKE):
        peer = peers.get(name)
        if peer is not None:
            theirs = peer.iteration.get(threads) if target is None else peer.targets.get((threads, target))
            if theirs is not None:
                scaled = theirs * spin / peer.spin
                return f"; peer, scaled, {scaled:.4g}, ratio {scaled / ours:.1f}"
    return ""


def run(full: bool) -> None:
    """The quick set: river and turn to 0.1%, the community benchmark to 0.3% on all cores; full: everything."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in a run, steps need not listen for Ctrl-C themselves
    speed = machine.calibrate()
    _solve("river", (1,), TARGETS, speed)
    _solve("turn", (1, 2), TARGETS, speed)
    _solve("community", (1, 2) if full else (2,), TARGETS if full else TARGETS[:3], speed)
    if full:
        _solve("ah7h2h", (1, 2), TARGETS, speed)
        _solve("ks7h2d", (2,), TARGETS[:3], speed)
        _storages()
        _algorithms()
    starts("a river to 1% of the pot", START.format(str(SPOTS / "river.yaml")))


def _solve(name: str, threads: tuple[int, ...], targets: tuple[float, ...], speed: tuple[float, float]) -> None:
    spin, copy = speed
    spot = Spot.load(SPOTS / f"{name}.yaml")
    started = time.perf_counter()
    game = RangeGame.of(spot)
    size = estimate(game.tree, game.boards)
    megabytes = size.bytes() / 1e6
    print(f"{name}: {spot.board}, tables in {time.perf_counter() - started:.2f} s", flush=True)
    line("memory as float32 (int16)", f"{megabytes:.1f} MB ({size.bytes('int16') / 1e6:.1f}); peer {MEMORY[name]:g} MB")
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
        # Regrets read twice and written; averages, every second time, read and written.
        traffic = 4 * sum(numbers for _, numbers in size.streets) / 2 * 4 / 1e9
        line(
            f"seconds an iteration, {count} thread{'s' * (count > 1)}",
            f"{paces[count]:.6f}{_beside(paces[count], name, count, spin)}; "
            f"{traffic / paces[count]:.1f} GB/s, {100 * traffic / paces[count] / copy:.0f}% of one thread's copy",
        )
        for target, iterations, took in reached:
            beside = _beside(took, name, count, spin, target)
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
