"""Bots by name, wherever a trained strategy is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import runout
from runout.app.cli.main import app
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError
from runout.solvers.bot import Bot

CONFIG = {
    "game_type": "no_limit_holdem",
    "game": {"stack_depth": 6, "preflop_raises": [[2], []], "bet_sizes": [0.5], "raise_sizes": [], "max_bets": 1},
    "training": {"solver": "blueprint", "iterations": 2},
    "abstraction": {"flop": 1, "turn": 1, "river": 1},
    "blueprint": {"boards": 2},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bots") / "run"
    runout.train(CONFIG, output=place)
    return place


def test_words_after_the_run_say_how_it_plays(run: Path) -> None:
    solution = runout.load(f"bot:{run},0.25,turn,gadget=re-solve,trust=0.2,seed=3")
    assert isinstance(solution, PolicySolution)
    assert isinstance(solution.policy, Bot)
    settings = solution.policy.settings
    assert (settings.seconds, settings.mode, settings.gadget, settings.trust) == (0.25, "turn", "re-solve", 0.2)
    assert settings.seed == 3
    policy = runout.load(f"bot:{run},safe,tree=lean").policy
    assert (policy.settings.gadget, policy.settings.trust, policy.settings.tree) == ("max-margin", 0.0, "lean")


def test_its_nodes_are_those_of_the_blueprint_up_to_the_river(run: Path) -> None:
    bot, blueprint = runout.load(f"bot:{run},iterations=20"), runout.load(run)
    line = "SBc BBx|Qs Jh 2h|x-x|9c|x-x"
    for at in ("", "SBc BBx|Qs Jh 2h|x", line.removesuffix("-x")):
        assert bot.at(at).reach() == pytest.approx(blueprint.at(at).reach(), nan_ok=True)
    river = f"{line}|3d"
    assert bot.at(river).strategy("QdJd") != pytest.approx(blueprint.at(river).strategy("QdJd"), abs=0.01)


def test_the_command_line_takes_it(run: Path) -> None:
    done = CliRunner().invoke(app, ["match", f"bot:{run},iterations=5", str(run), "--hands", "16", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["hands"] == 16
    arguments = ["evaluate", f"bot:{run},iterations=5", "--method", "lbr", "--bets", "pot", "--hands", "4", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["method"] == "local best response"


@pytest.mark.parametrize("words", ["fast", "gadget=safe", "mode=preflop", "seconds=0", "trust=2", "iterations=0"])
def test_words_that_mean_nothing_are_refused(run: Path, words: str) -> None:
    with pytest.raises(InputError, match=r"use|give"):
        runout.load(f"bot:{run},{words}")


def test_a_bot_needs_a_blueprint(tmp_path: Path) -> None:
    runout.solve_game("kuhn", iterations=1).save(tmp_path / "kuhn")
    with pytest.raises(runout.RunoutError, match="kuhn"):
        runout.load(f"bot:{tmp_path / 'kuhn'}")
