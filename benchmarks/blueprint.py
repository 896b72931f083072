"""The blueprint solver: boards a second by buckets of the river, threads, depth and bet sizes; with --full, how good
20 bb get with three abstractions in the same time, beside external sampling.

A board counts once for each player: an update of all hands of one player on all lines of that board.
"""

from __future__ import annotations

import time

from benchmarks.report import line
from runout.cards.abstraction import AbstractionSettings
from runout.errors import MemoryRefused
from runout.games.flop_choice import flop_choice
from runout.games.holdem import NoLimitHoldem
from runout.games.holdem_game import HoldemGame
from runout.solvers.auto import blueprint_schedule
from runout.solvers.blueprint import BlueprintSolver
from runout.solvers.blueprint_game import BlueprintGame
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import as_blueprint
from runout.solvers.mccfr import HoldemMccfr

BATCH, EPOCH = 16, 50
MINUTES = (10, 20)
ABSTRACTIONS = ((200, 200, 200), (1000, 1000, 1000), (2000, 5000, 5000))


def game_of(stack: int, sizes: tuple[float, ...]) -> HoldemGame:
    """The tree of the shipped configs, with one bet size or two."""
    if stack == 20:
        return NoLimitHoldem(
            stack_depth=20, bet_sizes=sizes, preflop_raises=[[2], [2.5]], iso_raises=[3], max_bets=3
        ).game()  # fmt: skip
    raises = [[2.5], [4], [2.4]]
    return NoLimitHoldem(
        stack_depth=stack, bet_sizes=sizes, preflop_raises=raises, iso_raises=[3.5], all_in=2, max_bets=4
    ).game()


def run(full: bool) -> None:
    """Paces; full: exploitability after some minutes on all cores."""
    for stack, sizes in ((20, (0.5,)), (20, (0.33, 1)), (100, (0.66,)), (100, (0.33, 1))):
        _paces(stack, sizes)
    if full:
        _curves()


def _paces(stack: int, sizes: tuple[float, ...]) -> None:
    game = game_of(stack, sizes)
    for river in (500, 5000, 20000):
        settings = AbstractionSettings(preflop=169, flop=500, turn=500, river=river)
        what = BlueprintGame.of(game, settings)
        name = f"{stack} bb, bets {', '.join(map(str, sizes))}, {river:,} river buckets"
        for threads in (1, 2):
            for answers in range(3 if (stack, sizes, river) == (20, (0.5,), 5000) else 1):
                _pace(f"{name}, {threads} thread(s){f', answers {answers}' if answers else ''}", what, threads, answers)


def _pace(name: str, what: BlueprintGame, threads: int, answers: int) -> None:
    """With answers 2, a board counts once for all its rivers."""
    batch = 2 if answers == 2 else BATCH
    try:
        solver = BlueprintSolver(what, blueprint_schedule("auto"), batch, EPOCH, threads=threads, answers=answers)
    except MemoryRefused as refused:
        line(name, str(refused))
        return
    solver.step(2)
    begun, done = time.perf_counter(), 0
    while time.perf_counter() - begun < 5:
        solver.step(2)
        done += 2 * batch
    pace = done / (time.perf_counter() - begun)
    learnt = 8 * what.numbers / 1e6
    line(name, f"{pace:.0f} boards/s; learnt {learnt:.0f} MB, in all {solver.memory() / 1e6:.0f} MB")


def _curves() -> None:
    """20 bb, one size, 95 flops: exploitability over minutes of learning on all cores (external sampling: on one)."""
    game = game_of(20, (0.5,))
    for flop, turn, river in ABSTRACTIONS:
        settings = AbstractionSettings(preflop=169, flop=flop, turn=turn, river=river)
        what = BlueprintGame.of(game, settings)
        name = f"20 bb, {flop} / {turn} / {river} buckets"
        _curve(name, game, BlueprintSolver(what, blueprint_schedule("auto"), BATCH, EPOCH))
        _curve(f"{name}, external sampling", game, HoldemMccfr(game, 5000, abstraction=settings))


def _curve(name: str, game: HoldemGame, solver: BlueprintSolver | HoldemMccfr) -> None:
    seconds = 0.0
    for minutes in MINUTES:
        while seconds < 60 * minutes:
            begun = time.perf_counter()
            solver.step(2)
            seconds += time.perf_counter() - begun
        played = as_blueprint(solver.policy())
        assert played is not None
        found = measure_flops(played.what, played.buckets, flop_choice("95", played.what.game.deck))
        line(f"{name}, {minutes} minutes", f"{game.mbb(found.exploitability):.1f} mbb/hand")
