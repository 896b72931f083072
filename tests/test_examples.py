"""The examples run and say what their text says."""

from __future__ import annotations

import re
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


def lines_of(name: str, capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    """What an example prints."""
    runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"](*arguments)
    return capsys.readouterr().out.splitlines()


def numbers(line: str) -> list[float]:
    return [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", line)]


def line_with(text: str, lines: list[str]) -> str:
    (found,) = [line for line in lines if text in line]
    return found


def test_solve_and_walk(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of("solve_and_walk", capsys)
    assert numbers(line_with("exploitability", lines))[0] <= 0.2
    check, bet = (numbers(line_with(f"  {action} ", lines))[-1] for action in ("check", "bet 66"))
    assert check + bet == pytest.approx(100, abs=0.11)  # each rounded to a tenth
    assert sum(numbers(line_with("EV of the ranges", lines))) == pytest.approx(
        100 + 2 * 66, abs=1
    )  # they share the pot


def test_lock_and_compare(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of("lock_and_compare", capsys)
    evs = {line[:4]: numbers(line)[-1] for line in lines if "->" in line}
    assert evs["AhAd"] == pytest.approx(0.8 * 100 + 0.2 * (100 + 75), abs=0.06)  # wins the pot, or pot and call
    assert evs["Ah5h"] == pytest.approx(0.8 * 100 - 0.2 * 75, abs=0.06)  # wins the pot, or loses the bet
    often, now = numbers(line_with("IP bets", lines))
    assert now == 100  # at worst a bet makes 65 chips, and a check at most the pot times its equity
    assert often < now


def test_train_and_evaluate(capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_of("train_and_evaluate", capsys)
    curve = [numbers(line)[-1] for line in lines if "iteration " in line]
    assert curve[-1] < curve[0] / 5
    saved, exact = (numbers(line_with(text, lines))[0] for text in ("the saved strategy", "the exact solution"))
    assert saved == curve[-1]
    assert exact < 1 < saved


def test_sweep_bet_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "sizes.png"
    lines = lines_of("sweep_bet_sizes", capsys, picture)
    evs = {numbers(line)[0]: numbers(line)[1] for line in lines if line.startswith("bet ")}
    best = numbers(line_with("best of these", lines))[0]
    assert evs[best] == max(evs.values())
    assert min(evs) < best < max(evs)  # as its text says: large, but not the largest
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_every_example_is_listed() -> None:
    listed = re.findall(r"\]\((\w+\.py)\)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.name for path in EXAMPLES.glob("*.py"))
