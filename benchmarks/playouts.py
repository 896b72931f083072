"""Random hands of limit and no-limit hold'em, decisions a second, beside OpenSpiel's `universal_poker` in the same run.

A hand is dealt, played by two players who take every legal action alike, and paid out; dealing and paying count, and
only decisions of players are counted. OpenSpiel is driven in two ways: action by action from Python, as a solver
written in Python drives it, and by its own C++ loop over bots. Rates are per second of CPU time of one
thread, but for the line that says otherwise.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyspiel

from benchmarks.report import line, starts
from runout.games.deals import DealSettings, draw_deals, make_pool
from runout.games.holdem import HoldemSettings, LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.kernels.threads import thread_count

HANDS = 8192  # of a batch
DECK = "numBoardCards=0 3 1 1,numHoleCards=2,numPlayers=2,numRanks=13,numRounds=4,numSuits=4,firstPlayer=2 1 1 1"
GAMES: dict[str, tuple[HoldemSettings, str]] = {
    "limit": (
        LimitHoldem(stack_depth=100),
        f"universal_poker(betting=limit,blind=2 1,maxRaises=3 3 4 4,raiseSize=2 2 4 4,stack=200 200,{DECK})",
    ),
    "no-limit 25 bb": (
        NoLimitHoldem(stack_depth=25, bet_sizes=(1.0,)),  # fold, call, pot, all-in on both sides
        f"universal_poker(betting=nolimit,bettingAbstraction=fcpa,blind=100 50,stack=2500 2500,{DECK})",
    ),
}
START = """
import numpy as np
from runout.games.holdem import NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.deals import draw_deals
game, generator = NoLimitHoldem().game(), np.array([1], np.uint64)
batch = HoldemBatch(game, draw_deals(game, 1000, generator))
batch.play_out_at_random(generator)
batch.returns()
"""


def run(full: bool) -> None:
    """Print every figure; `full` measures for longer."""
    seconds = 6.0 if full else 2.0
    for name, (settings, text) in GAMES.items():
        ours = _rate(_batched(settings), seconds)
        game = pyspiel.load_game(text)
        play = _stepped(game)
        a_hand = sum(play() for _ in range(5000)) / 5000
        stepped, looped = _rate(play, seconds), _rate(_looped(game), seconds) * a_hand
        line(f"{name}: batched, one thread", f"{ours / 1e6:>8.2f} million decisions/s")
        together = _together(settings, seconds / 2)
        line(f"{name}: batched, {thread_count()} threads, by the clock", f"{together / 1e6:>8.2f} million")
        line(f"{name}: OpenSpiel, from Python", f"{stepped / 1e6:>8.3f} million; ours is {ours / stepped:.0f} times it")
        line(f"{name}: OpenSpiel, its C++ loop", f"{looped / 1e6:>8.3f} million; ours is {ours / looped:.0f} times it")
    _pools()
    starts("a thousand random hands", START)


def _batched(settings: HoldemSettings, seed: int = 1) -> Callable[[], int]:
    game, generator = settings.game(), np.array([seed], np.uint64)
    batch = HoldemBatch(game, draw_deals(game, HANDS, generator))

    def play() -> int:
        batch.restart(draw_deals(game, HANDS, generator))
        decisions = batch.play_out_at_random(generator)
        batch.returns()
        return decisions

    return play


def _together(settings: HoldemSettings, seconds: float) -> float:
    """Decisions a second of all cores, each thread with a batch of its own."""
    ends = time.perf_counter() + seconds

    def work(play: Callable[[], int]) -> int:
        decisions = 0
        while time.perf_counter() < ends:
            decisions += play()
        return decisions

    with ThreadPoolExecutor(thread_count()) as pool:
        return sum(pool.map(work, [_batched(settings, seed) for seed in range(thread_count())])) / seconds


def _stepped(game: pyspiel.Game) -> Callable[[], int]:
    choose = random.Random(1).choice

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(choose(state.legal_actions()))
        state.returns()
        return decisions

    return play


def _looped(game: pyspiel.Game) -> Callable[[], int]:
    """Counts hands: asking a state for its history would take as long as the hand."""
    bots, seeds = [pyspiel.make_uniform_random_bot(player, 7) for player in range(2)], iter(range(10**9))

    def play() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 1

    return play


def _rate(play: Callable[[], int], seconds: float) -> float:
    """Decisions per second of CPU time, after one call that warms up; the best of three rounds."""
    play()
    best = 0.0
    for _ in range(3):
        started, decisions = time.process_time(), 0
        while (spent := time.process_time() - started) < seconds / 3:
            decisions += play()
        best = max(best, decisions / spent)
    return best


def _pools() -> None:
    for what, settings in (
        ("uniform", DealSettings()),
        ("500 of every class at least", DealSettings(min_per_class=500)),
    ):
        times = []
        for _ in range(4):  # the first one compiles
            started = time.perf_counter()
            pool = make_pool(NoLimitHoldem(), settings)
            times.append(time.perf_counter() - started)
        line(f"a pool of {len(pool):,} deals, {what}", f"{min(times[1:]):.4f} s")
