"""Executors give the same results in the order of the tasks, wherever those run."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from runout.errors import InputError, RunoutError
from runout.protocols import Executor
from runout.run.executors import Processes, Serial
from runout.run.preflop import push_fold_chart


def draw(seed: int) -> np.ndarray:
    if seed == 0:
        time.sleep(2.0)  # the first is done last
    return np.random.default_rng(seed).random(100)


def refuse(seed: int) -> int:
    if seed == 2:
        raise InputError("no 2 here: use another number")
    return seed


def settings(_: int) -> tuple[int, str | None]:
    return os.getpid(), os.environ.get("NUMBA_NUM_THREADS")


def test_processes_give_what_one_process_gives_in_the_same_order() -> None:
    here, there = Serial().map(draw, range(5)), Processes(2).map(draw, range(5))
    assert all(np.array_equal(one, other) for one, other in zip(here, there, strict=True))


@pytest.mark.parametrize("executor", [Serial(), Processes(2)], ids=["serial", "processes"])
def test_an_error_in_a_task_comes_through(executor: Executor) -> None:
    with pytest.raises(InputError, match=r"^no 2 here: use another number$"):
        executor.map(refuse, range(4))


@pytest.mark.parametrize("make", [Serial, lambda: Processes(3)], ids=["serial", "processes"])
def test_no_tasks_have_no_results(make: Callable[[], Executor]) -> None:
    assert make().map(draw, []) == []


def test_each_process_has_one_thread_and_this_one_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    (process, threads), *_ = Processes(1).map(settings, [0])
    assert process != os.getpid()
    assert threads == "1"
    assert os.environ["NUMBA_NUM_THREADS"] == "7"
    assert "OMP_NUM_THREADS" not in os.environ


def die_once(place: str) -> int:
    """Killed on the first attempt, as by a system that has no memory left; always where the place says so."""
    path = Path(place)
    if path.name == "always" or not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def test_a_process_that_is_killed_is_replaced_and_its_task_tried_again(tmp_path: Path) -> None:
    tasks = [str(tmp_path / name) for name in ("one", "always", "two")]
    found = {done.number: done for done in Processes(2).completed(die_once, tasks)}
    assert (found[0].result, found[2].result) == (7, 7)
    assert isinstance(found[1].error, RunoutError)
    assert "ended before its task was done" in str(found[1].error)


def test_results_come_as_they_are_done() -> None:
    assert [done.number for done in Processes(2).completed(draw, range(2))] == [1, 0]


def test_a_chart_is_the_same_to_the_bit_whoever_solves_it() -> None:
    plain = push_fold_chart([3.0, 10.0])
    for executor in (Serial(), Processes(2)):
        chart = push_fold_chart([10.0, 3.0], executor=executor)
        assert chart.stacks == plain.stacks
        assert np.array_equal(chart.push, plain.push)
        assert np.array_equal(chart.call, plain.call)
        assert [one.value for one in chart.solutions] == [one.value for one in plain.solutions]
