"""Hands that another engine played at random, replayed: legal actions, raise bounds, chips and returns.

`make test-oracles ORACLES=DIR` replays another folder of such files.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from reference import playouts, showdown
from runout.cards.evaluator import strengths
from runout.games.betting import FOLDED, NOBODY, start

FOLDER = Path(os.environ.get("ORACLES") or Path(__file__).parent.parent / "data")
FILES = sorted(FOLDER.glob("*playouts*.jsonl*"))


def test_there_are_files_to_replay() -> None:
    assert FILES, f"no *playouts*.jsonl.gz in {FOLDER}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_replays_exactly(path: Path) -> None:
    rules, hands = playouts.read(path)
    assert hands
    for hand in hands:
        end = playouts.replay(start(rules), hand)
        assert end.over, hand["acpc"]
        winner = NOBODY
        if end.status != FOLDED:
            first, second = (showdown.value(cards) for cards in playouts.card_ids(hand))
            winner = NOBODY if first == second else int(second > first)
        assert list(end.returns(winner)) == hand["returns"], hand["acpc"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_showdowns_agree_with_the_evaluator(path: Path) -> None:
    _, hands = playouts.read(path)
    shown = [list(playouts.card_ids(hand)) for hand in hands]
    complete = max(len(pair[0]) for pair in shown)
    pairs = [pair for pair in shown if len(pair[0]) == complete]
    fast = strengths(np.array(pairs, dtype=np.uint8).reshape(2 * len(pairs), -1)).reshape(-1, 2).astype(int)
    slow = [[showdown.value(cards) for cards in pair] for pair in pairs]
    assert [int(a > b) - int(a < b) for a, b in fast] == [int(a > b) - int(a < b) for a, b in slow]
