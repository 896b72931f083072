"""Hands played through, compared with the texts in tests/golden.

After a change that is meant, write them anew and read the difference before committing it:

    UPDATE_GOLDEN=1 .venv/bin/pytest tests/games/test_golden.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reference.playthroughs import PLAYTHROUGHS, playthrough

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_hands_play_as_they_always_did(name: str) -> None:
    path, now = GOLDEN / f"{name}.txt", playthrough(name)
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8"), f"{path.name} differs: see the head of this test for what to do"


def test_there_is_a_text_for_every_playthrough_and_no_other() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted(PLAYTHROUGHS)
