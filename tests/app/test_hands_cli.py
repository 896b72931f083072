"""`runout hands` on the command line."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from runout.app.cli.main import app
from runout.errors import InputError
from runout.hands.read import read_hands_text

ROOT = Path(__file__).parents[2]


def test_the_command_writes_files(tmp_path: Path) -> None:
    run, config = tmp_path / "run", ROOT / "configs" / "train" / "nolimit-25bb.yaml"
    runner = CliRunner()
    settings = ["--solver", "mccfr", "--set", "training.traversals_per_iter=8", "--set", "game.max_bets=2"]
    made = runner.invoke(app, ["train", "-c", str(config), *settings, "-n", "1", "-o", str(run), "--quiet"])
    assert made.exit_code == 0, made.output
    out = tmp_path / "hands.phhs"
    assert runner.invoke(app, ["hands", str(run), "-n", "20", "-o", str(out)]).exit_code == 0
    assert len(read_hands_text(out.read_text(encoding="utf-8"))) == 20
    shown = runner.invoke(app, ["hands", str(run), "-n", "3", "--seed", "7"])
    assert len(read_hands_text(shown.stdout)) == 3
    bad = runner.invoke(app, ["hands", str(run), "--format", "csv"])
    assert isinstance(bad.exception, InputError)
