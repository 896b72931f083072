"""Solutions in other processes, arrays that belong to who asked, and Ctrl-C in the middle of a step."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import runout
from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn
from runout.solvers.auto import range_schedule
from runout.solvers.ranges import RangeGame, RangeSolver
from runout.solvers.schedules import make_schedule
from runout.solvers.tabular import TabularSolver
from runout.solvers.whole import in_pieces, uninterrupted

SPOT = runout.Spot(
    board="Qs Jh 2h 8d 3c",
    pot=20,
    stack=60,
    ranges={"oop": "22+,A2+,K9+", "ip": "22+,A2+"},
    solve={"threads": 2, "iterations": 20, "target": 0},
)


@pytest.fixture(scope="module")
def solved() -> runout.Solution:
    return runout.solve(SPOT)


def _in_child(solved: runout.Solution, found: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    more = runout.solve(resume=solved, iterations=30)
    found.put((more.iterations, more.exploitability, float(solved.root.ev("QQ"))))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_solution_works_in_a_forked_child(solved: runout.Solution) -> None:
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(solved, queue))
    child.start()
    try:
        iterations, _, ev = queue.get(timeout=60)
    finally:
        child.kill()
        child.join()
    assert iterations == 30
    assert ev == pytest.approx(float(solved.root.ev("QQ")), rel=0.2)
    assert solved.iterations == 20


def test_solutions_are_pickled_by_their_path(solved: runout.Solution, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="save it first"):
        pickle.dumps(solved)
    for save in (solved.save, runout.solve_game("kuhn", iterations=5).save):
        save(tmp_path / "saved")
        held = pickle.dumps(runout.load(tmp_path / "saved"))
        assert len(held) < 1000
        assert pickle.loads(held).iterations == runout.load(tmp_path / "saved").iterations
    again = runout.solve_game("kuhn", iterations=5, output=tmp_path / "saved")
    assert again.path == tmp_path / "saved"


def test_arrays_that_are_handed_out_are_not_the_solution(solved: runout.Solution) -> None:
    node = solved.root
    for ask in (lambda: node.ev(player="oop"), lambda: node.reach(), lambda: node.strategy(), lambda: node.equity()):
        before = np.array(ask())
        handed = np.asarray(ask())
        if handed.flags.writeable:
            handed -= 1000
        np.testing.assert_array_equal(ask(), before)


@pytest.fixture
def listening() -> Iterator[None]:
    """Ctrl-C raises here, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _interrupt_after(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_leaves_whole_iterations_of_a_spot(threads: int) -> None:
    def solver() -> RangeSolver:
        return RangeSolver(RangeGame.of(SPOT), range_schedule("auto"), threads)

    stopped = solver()
    stopped.step(1)
    threading.Thread(target=_interrupt_after, args=(0.2,)).start()
    with pytest.raises(KeyboardInterrupt):
        stopped.step(10_000_000)
    whole = solver()
    whole.step(stopped.iteration)
    np.testing.assert_array_equal(whole.regrets, stopped.regrets)
    np.testing.assert_array_equal(whole.averages, stopped.averages)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("listening")
def test_ctrl_c_leaves_whole_iterations_of_a_small_game() -> None:
    game = compile_game(Kuhn())
    stopped, whole = (TabularSolver(game, make_schedule("dcfr")) for _ in range(2))
    stopped.step(1)
    threading.Thread(target=_interrupt_after, args=(0.2,)).start()
    with pytest.raises(KeyboardInterrupt):
        stopped.step(1_000_000_000)
    whole.step(stopped.iteration)
    np.testing.assert_array_equal(whole.policy(), stopped.policy())


@pytest.mark.usefixtures("listening")
def test_pieces_add_up_and_other_listeners_are_left_alone() -> None:
    done: list[int] = []
    in_pieces(1000, done.append)
    assert sum(done) == 1000
    assert done[0] == 1
    in_pieces(0, done.append)
    assert done[-1] == 0
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        in_pieces(7, done.append)
        assert done[-1] == 7
    finally:
        signal.signal(signal.SIGINT, before)
