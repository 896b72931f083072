"""Hand evaluator, equity and the time that compiling takes."""

from __future__ import annotations

import time
from collections.abc import Callable

import eval7
import numpy as np

from benchmarks.report import line, starts
from runout.cards import equity169
from runout.cards.equity import equity
from runout.cards.evaluator import tables
from runout.kernels.evaluator import hand_strengths
from runout.kernels.threads import thread_count

FLOPS = {"rainbow flop": "Ah Kd 2c", "monotone flop": "Ah Kh 2h"}
START = "import runout; runout.equity('random', 'random', 'Ah Kd 2c')"


def run(full: bool) -> None:
    """Print every figure; `full` takes more hands and more repetitions."""
    _evaluator(10_000_000 if full else 1_000_000, 20 if full else 7)
    for name, board in FLOPS.items():
        args = ("random", "random", board)
        seconds = _best_of(20 if full else 7, lambda args=args: equity(*args))
        alone = _best_of(20 if full else 7, lambda args=args: equity(*args, threads=1))
        line(f"random against random, {name}, exact", f"{seconds:.4f} s, on one thread {alone:.4f} s")
    seconds = _best_of(1, equity169.compute)
    line(f"preflop table (169 × 169, 1326 × 1326), {thread_count()} threads", f"{seconds:.1f} s")
    starts("one equity on a flop", START)


def _evaluator(count: int, repeats: int) -> None:
    hands = np.argsort(np.random.default_rng(1).random((count, 52), np.float32), axis=1)[:, :7].astype(np.uint8)
    out = np.empty(count, np.uint16)
    ours = count / _best_of(repeats, lambda: hand_strengths(hands, tables(), out)) / 1e6
    some = hands[: min(count, 200_000)].tolist()
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    prebuilt = [[deck[c] for c in hand] for hand in some]
    theirs = len(some) / _best_of(repeats, lambda: [eval7.evaluate(hand) for hand in prebuilt]) / 1e6
    line("7-card evaluator, one thread", f"{ours:.1f} million random hands a second")
    line("eval7, one thread, prebuilt cards", f"{theirs:.2f} million; ours is {ours / theirs:.0f} times as fast")


def _best_of(repeats: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest run after one that warms up."""
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)
