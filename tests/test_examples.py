"""The examples run and say what their text says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import runout

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_game_of_ones_own_has_the_known_solution(capsys: pytest.CaptureFixture[str]) -> None:
    module = runpy.run_path(str(EXAMPLES / "own_game.py"))
    game = module["HalfStreet"]()
    assert runout.check_game(game) == []
    solution = runout.solve_game(game, "pdcfr+", 2000)
    assert solution.value == pytest.approx(1 / 18, abs=1e-9)
    assert solution.probability("Q", "bet") == pytest.approx(1 / 3, abs=1e-6)
    assert solution.probability("K b", "call") == pytest.approx(1 / 3, abs=1e-6)
    module["main"]()
    assert "rules broken: none" in capsys.readouterr().out


def test_the_page_about_it_shows_the_very_game() -> None:
    page = (EXAMPLES.parent / "docs" / "own-game.md").read_text(encoding="utf-8")
    source = (EXAMPLES / "own_game.py").read_text(encoding="utf-8")
    shown = page.split("```python\n")[1].split("```")[0].strip()
    assert shown in source
