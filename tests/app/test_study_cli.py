"""`runout practice` and `runout compare`: what a person sees, and one line for bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from runout.app.cli.main import app
from runout.app.cli.practice import play
from runout.app.practised import PracticeLog
from runout.errors import InputError
from runout.explorers import open_explorer
from runout.explorers.practice import Practice

READY = Path(__file__).parents[2] / "src" / "runout" / "ready" / "3-bet-pot-river"


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of its own for everything that is kept."""
    monkeypatch.setenv("RUNOUT_LIBRARY", str(tmp_path / "library"))
    return tmp_path / "library"


def run(*words: str, said: str = "") -> str:
    done = CliRunner().invoke(app, list(words), input=said)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


def test_hands_are_played_and_graded_until_the_input_ends() -> None:
    said = run("practice", str(READY), "--seat", "OOP", "--seed", "3", "-n", "2", said="nonsense\n1\n1\n1\n1\n1\n1\n")
    assert "OOP with" in said
    assert "unknown action 'nonsense'" in said
    assert any(f"\n{grade}" in said for grade in ("best", "correct", "inaccuracy", "wrong", "blunder"))
    assert "decisions in 2 hands" in said
    again = run("practice", str(READY), "--seat", "OOP", "--seed", "3", "-n", "2", said="nonsense\n1\n1\n1\n1\n1\n1\n")
    assert again == said  # the seed
    assert "0 decisions" in run("practice", str(READY), said="q\n")


def test_what_is_practised_is_kept_with_what_the_browser_keeps(library: Path) -> None:
    assert "nothing was practised" in run("practice", str(READY), "--history")
    run("practice", str(READY), "--seat", "OOP", "--seed", "3", "--single", "-n", "8", said="2\n" * 8)
    log = PracticeLog(library)
    (session,) = log.sums("session", "ready/3-bet-pot-river")  # the id that the browser has
    assert session.decisions == 8
    wrong = log.mistakes("ready/3-bet-pot-river")
    assert wrong, "betting everything is wrong somewhere"
    told = run("practice", str(READY), "--history")
    assert f"{len(wrong)} mistakes to repeat" in told
    assert wrong[0].hand in told
    repeated = run("practice", str(READY), "--mistakes", said="1\n" * 40)
    assert f"OOP with {wrong[0].hand}" in repeated
    assert re.search(rf"in {len(wrong)} hands?\b", repeated)
    assert len(log.sums("session", "ready/3-bet-pot-river")) == 2
    run("practice", str(READY), "--no-keep", "-n", "1", said="1\n" * 9)
    assert len(log.sums("session")) == 2


def test_where_nothing_can_be_kept_it_is_said(library: Path) -> None:
    library.mkdir()
    (library / ".practice.sqlite").mkdir()
    done = CliRunner().invoke(app, ["practice", str(READY), "--history"])
    assert done.exit_code != 0
    assert isinstance(done.exception, InputError)
    assert "cannot keep what is practised" in str(done.exception)


def test_time_that_is_up_folds_or_checks(capsys: pytest.CaptureFixture[str]) -> None:
    practice = Practice(open_explorer(READY), seed=1)
    words = iter(["2", "q"])
    play(practice, seconds=1e-9, read=lambda: next(words))
    said = capsys.readouterr().out
    assert "time is up: check" in said or "time is up: fold" in said


def test_a_node_is_compared_with_itself_and_with_another() -> None:
    same = json.loads(run("compare", str(READY), str(READY), "--json"))
    assert all(one["first"] == one["second"] for one in same["figures"])
    assert same["hands"] == []
    assert "no hand that both have plays differently" in run("compare", str(READY), str(READY))
    other = json.loads(run("compare", str(READY), str(READY), "--line", "x-b165", "--at", "x-b375", "--json"))
    fold = next(one for one in other["figures"] if one["name"] == "fold")
    assert fold["first"] < fold["second"]  # a small bet is folded to less often than a larger one
    assert other["hands"]
    blinds = json.loads(run("compare", str(READY), str(READY), "--units", "bb", "--json"))
    for one, two in zip(same["figures"], blinds["figures"], strict=True):
        assert two["first"] == pytest.approx(one["first"] / (1 if one["share"] else 10))  # 10 chips a big blind


def test_bad_input_is_named() -> None:
    for words, why in (
        (["compare", str(READY), str(READY), "--units", "euros"], "unknown units 'euros'"),
        (["compare", str(READY), str(READY), "--at", "x"], "same player"),
        (["practice", str(READY), "--seat", "UTG"], "UTG"),
        (["practice", str(READY), "--street", "preflop"], "preflop"),
    ):
        with pytest.raises(InputError, match=why):
            run(*words)
