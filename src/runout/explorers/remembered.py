"""Answers of a method that are worth keeping, the latest of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Generic, TypeVar
from weakref import WeakMethod

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Remembered(Generic[Key, Answer]):
    """A method of one argument with its latest `most` answers.

    It does not hold the object of the method, so that a solution is freed as soon as nobody uses it.
    """

    def __init__(self, method: Callable[[Key], Answer], most: int) -> None:
        own = WeakMethod(method)

        @lru_cache(most)
        def ask(key: Key) -> Answer:
            bound = own()
            assert bound is not None, "the object of the method is gone"
            answer: Answer = bound(key)
            return answer

        self._ask = ask

    def __call__(self, key: Key) -> Answer:
        return self._ask(key)

    def clear(self) -> None:
        """Forget all answers."""
        self._ask.cache_clear()
