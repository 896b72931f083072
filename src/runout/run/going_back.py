"""Iterations that are done again, from the last checkpoint on, where a shard was lost with what it had learnt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from runout.errors import ShardLost, TrainingError

Found = TypeVar("Found")
TIMES = 5  # shards that may be lost in a row without an iteration more than before


class GoingBack:
    """Does what is asked, whatever is lost on the way; `lost` counts it.

    Args:
        iteration: how far it is now.
        step: does one iteration more.
        back: makes lost shards anew, and everything as at the last checkpoint, or at the start.
    """

    def __init__(self, iteration: Callable[[], int], step: Callable[[], None], back: Callable[[], None]) -> None:
        self._iteration, self._step, self._back = iteration, step, back
        self.lost = 0

    def after(self, wanted: int, do: Callable[[], Found]) -> Found:
        """What `do` gives after so many iterations."""
        tried, furthest = 0, self._iteration()
        while True:
            try:
                while self._iteration() < wanted:
                    self._step()
                return do()
            except ShardLost as error:
                self.lost += 1
                tried = 0 if self._iteration() > furthest else tried + 1
                furthest = max(furthest, self._iteration())
                if tried >= TIMES:
                    raise TrainingError(f"{error}, the {tried}th time in a row") from None
                self.go_back()

    def go_back(self) -> None:
        """Also where something is lost while it goes back."""
        for last in reversed(range(TIMES)):
            try:
                self._back()
                return
            except ShardLost:
                if not last:
                    raise
