"""Threads of a team draw every task once and meet at the barrier."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import njit

from runout.kernels.team import TEAM_STATE, barrier, next_task, restart_tasks


@njit(nogil=True)
def work(state, thread, threads, tasks, rounds, drawn, seen):  # type: ignore[no-untyped-def]
    """Each round every task is drawn, then every thread adds up what all of them wrote.

    drawn int64 [rounds, tasks]: how often each was drawn; seen int64 [rounds, threads]: what a thread sees after it.
    """
    for turn in range(rounds):
        if thread == 0:
            restart_tasks(state)
        barrier(state, threads)
        while True:
            task = next_task(state)
            if task >= tasks:
                break
            drawn[turn, task] += task + 1
        barrier(state, threads)
        for task in range(tasks):
            seen[turn, thread] += drawn[turn, task]
        barrier(state, threads)


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("tasks", [0, 1, 49])
def test_every_task_is_drawn_once_and_seen_by_all(threads: int, tasks: int) -> None:
    rounds = 200
    state = np.zeros(TEAM_STATE, np.int64)
    drawn, seen = np.zeros((rounds, tasks), np.int64), np.zeros((rounds, threads), np.int64)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda thread: work(state, thread, threads, tasks, rounds, drawn, seen), range(threads)))
    assert (drawn == np.arange(1, tasks + 1)).all()
    assert (seen == tasks * (tasks + 1) // 2).all()
