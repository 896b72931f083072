"""How the program ends when something goes wrong below a command: one line and status 2, never a traceback."""

from __future__ import annotations

import sys

import pytest

from runout.app.cli import main as program


def _ended(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> object:
    """The exit status after a command raised."""

    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(program, "app", fails)
    with pytest.raises(SystemExit) as ending:
        program.main()
    return ending.value.code


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "cannot go on: No space left on device"),
        (OSError(30, "Read-only file system", "a.csv"), "cannot go on: Read-only file system (a.csv)"),
        (MemoryError(), "memory ran out"),
    ],
)
def test_failures_of_the_machine_are_told_in_one_line(
    error: BaseException, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _ended(monkeypatch, error) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"runout: {said}")
    assert told.count("\n") == 1


def test_ctrl_c_is_130_and_says_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ended(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_a_file_that_ends_too_soon_is_no_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an empty file of numbers raises inside a command, which typer takes for Ctrl-C."""

    def ends(*_: object, **__: object) -> None:
        raise EOFError("No data left in file")

    monkeypatch.setattr("runout.cards.ranges.Range.__init__", ends)
    monkeypatch.setattr(sys, "argv", ["runout", "equity", "AA", "KK"])
    with pytest.raises(SystemExit) as ending:
        program.main()
    assert ending.value.code == 2
    assert "No data left in file" in capsys.readouterr().err
