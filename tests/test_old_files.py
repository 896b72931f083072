"""Files and configs of earlier releases open, say what they said then, and resume to the same numbers."""

import json
import math
import shlex
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import runout
from runout.app.cli.main import app
from runout.config import read_yaml
from runout.cursors.view import HandsView
from runout.explorers import open_explorer
from runout.games.flop_game import FlopGame
from runout.games.flop_holdem import FlopHoldem

DATA = Path(__file__).parent / "data" / "v0.1.0"
CONFIGS = Path(__file__).parents[1] / "configs"
SLOW = {"flop-game"}  # its run-outs take half a minute
BFLOAT16 = 2e-3  # networks answer in it where the processor can; the files are from one that could not
CASES = [
    pytest.param(path.stem, marks=pytest.mark.slow if path.stem in SLOW else ()) for path in sorted(DATA.glob("*.json"))
]


def said(name: str) -> dict[str, Any]:
    """What 0.1.0 said."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def unpacked(name: str, folder: Path) -> Path:
    """What 0.1.0 saved."""
    with tarfile.open(DATA / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / name


def same(found: float | None, then: float | None, within: float = 1e-5) -> bool:
    """Equal, relative to what is not small; what was not known then may be known now."""
    if then is None:
        return True
    return found is not None and math.isclose(found, then, rel_tol=within, abs_tol=within)


@pytest.mark.parametrize("name", CASES)
def test_a_solution_of_0_1_0_opens_and_says_the_same(name: str, tmp_path: Path) -> None:
    path, then = unpacked(name, tmp_path), said(name)
    explorer = open_explorer(path)
    within = BFLOAT16 if explorer.summary.kind == "neural" else 1e-6
    for key, value in then["summary"].items():
        found = getattr(explorer.summary, key)
        assert found == pytest.approx(value, rel=1e-8) if isinstance(value, float) else found == value, key
    assert len(explorer.summary.curve) == then["points"] or not then["points"]  # 0.1.0 did not tell some that it kept
    for line, was in then["nodes"].items():
        view = explorer.at(line)
        for key in ("kind", "player", "street", "unit"):
            assert getattr(view, key) == was[key], (line, key)
        assert list(view.board) == was["board"]
        assert same(view.pot, was["pot"]), line
        assert same(view.to_call, was["to_call"]), line
        assert [action.token for action in view.actions] == [action["token"] for action in was["actions"]]
        for action, old in zip(view.actions, was["actions"], strict=True):
            assert same(action.frequency, old["frequency"], within), (line, action.token)
            assert same(action.ev, old["ev"]), (line, action.token)
        for key in ("evs", "equities"):
            for found, value in zip(getattr(view, key) or (), was[key] or (), strict=was[key] is not None):
                assert same(found, value, max(within, 1e-5)), (line, key)
        for hands, old in zip(view.hands, was["hands"], strict=True):
            assert hands.player == old["player"]
            for hand, figures in old["hands"].items():
                check_hand(hands, hand, figures, within)


def check_hand(hands: HandsView, hand: str, then: dict[str, Any], within: float) -> None:
    row = hands.names.index(hand)
    assert same(hands.weight[row], then["weight"], within), hand
    for frequencies, value in zip(hands.strategy, then["strategy"], strict=True):
        assert same(frequencies[row], value, within), hand
    assert then["ev"] is None or same(hands.ev[row], then["ev"]), hand
    assert then["equity"] is None or same(hands.equity[row], then["equity"], max(within, 1e-5)), hand


@pytest.mark.parametrize("name", [case for case in CASES if "resume" in said(case.values[0])])
def test_a_solution_of_0_1_0_resumes_to_what_0_1_0_came_to(name: str, tmp_path: Path) -> None:
    then, path, new = said(name)["resume"], unpacked(name, tmp_path), tmp_path / "new"
    command = then["command"].replace("DIR", str(path)).replace("NEW", str(new))
    done = CliRunner().invoke(app, shlex.split(command))
    assert done.exit_code == 0, done.output + repr(done.exception)
    reached = open_explorer(new if new.exists() else path).summary
    assert reached.iterations == then["iterations"]
    if reached.kind == "game-networks":  # 0.1.0 measured a table of all iterations, where it kept each tenth network
        assert reached.exploitability > then["exploitability"]
        return
    assert same(reached.exploitability, then["exploitability"], 1e-3 if reached.kind == "neural" else 1e-6)


def test_a_solution_without_rivers_is_not_resumed(tmp_path: Path) -> None:
    path = unpacked("flop-without-rivers", tmp_path)
    done = CliRunner().invoke(app, ["solve", "--resume", str(path), "-q"])
    assert "without rivers" in str(done.exception)


def test_every_saved_kind_is_here() -> None:
    kinds = {said(path.stem)["summary"]["kind"] for path in DATA.glob("*.json")}
    assert kinds == {"postflop", "preflop", "tabular", "flop-holdem", "flop-game", "mccfr", "neural"}


READERS: dict[str, Callable[..., Any]] = {
    "spots": runout.Spot,
    "preflop": runout.Preflop,
    "train": runout.TrainConfig,
}


@pytest.mark.parametrize("path", sorted(CONFIGS.rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_config_loads(path: Path) -> None:
    READERS[path.parent.name](**read_yaml(path))


def test_settings_of_0_1_0_are_read() -> None:
    spot = runout.Spot(
        board="Qs Jh 2h 7c",
        pot=100,
        stack=600,
        ranges={"oop": "QQ,AKs", "ip": "JJ,AQs"},
        betting={"turn": {"bet": "50%", "raise": "60%"}, "river": {"bet": "50%", "raise": "60%"}, "max_raises": 1},
    )
    nodes = open_explorer(runout.solve(spot, iterations=1, target=0))
    assert [action.token for action in nodes.at("b50").actions][-1] == "r170"
    assert [action.token for action in nodes.at("b50-r170").actions] == ["f", "c"]  # one raise, the bet not counted
    assert FlopHoldem(max_raises=(1, 2)).rules().caps == (1, 2)  # here the opening bet counts
    assert FlopGame(max_raises=2).rules().caps[1] == 3  # and here it does not
    config = runout.TrainConfig(game_type="limit_holdem", game={"max_raises": [1, 2, 3, 4]})
    assert config.holdem is not None
    assert config.holdem.rules.caps == (1, 2, 3, 4)
    config = runout.TrainConfig(game_type="hunl_postflop", game={"max_raises_per_street": 2, "num_streets": 2})
    assert config.holdem is not None
    assert config.holdem.rules.caps == (2, 2)
