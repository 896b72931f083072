"""The door that type checkers, `help()` and editors see: real signatures, and every setting explained."""

from __future__ import annotations

import ast
import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

import runout
from runout.config import Settings, setting_rows

DOCUMENTS = (
    runout.Spot, runout.Preflop, runout.FlopHoldem, runout.FlopGame, runout.LimitHoldem, runout.NoLimitHoldem,
    runout.TrainConfig,
)  # fmt: skip

CORRECT = """
from runout.games.catalog import load_game
import runout

spot = runout.Spot(board=["Qs", "Jh", "2h"], pot=180, stack=910, ranges={"oop": runout.Range("88+"), "ip": "99-22"})
spot = spot.replace(stack=500, flop_bet="33%, 75%").lock("x", {"x": 1.0})
events: list[runout.Event] = []
solution: runout.SpotSolution = runout.solve(spot, target=0.3, iterations=10, progress=events.append)
again: runout.Solution = runout.solve(resume=solution, iterations=20, progress=True)
both: list[runout.SpotSolution] = runout.solve_many([spot, "spot.yaml"], iterations=10, workers=2)
node: runout.Node = solution.root.play("check").back()
mix: dict[str, float] = node.strategy("AsAh")
ev: float = node.ev("AsAh", "ip")
shape: tuple[int, ...] = node.strategy().shape
weights: dict[str, float] = dict(runout.Range("AK"))
odds: runout.Equity = runout.equity("AA", "KK", board="2c 3d 4h")
preflop: runout.PreflopSolution = runout.solve_preflop(runout.Preflop(stack_depth=10, raise_sizes=[2.5, "a"]))
chart: runout.PreflopSolution = runout.open_chart(100, nearest=True)
reviewed: runout.Review = runout.review("hands.txt", "reviewed", source=chart)
played = runout.read_hands("hands.txt").found
table = runout.report(spot, flops="23", workers=2)
flop: runout.FlopSolution = runout.solve_flop_holdem(runout.FlopHoldem(ranks=4, suits=2), target=5)
flop = runout.solve_flop_holdem(runout.FlopGame(flops=25, flop={"bet": "50%"}))
small: runout.GameSolution = runout.solve_game("kuhn", iterations=100)
result: runout.TrainResult = runout.train({"game_type": "kuhn"}, target=1.0, iterations=5, output="run")
config = runout.TrainConfig(game_type="leduc", training={"iterations": 5})
policy: runout.AnySolution = runout.load("run")
if isinstance(policy, runout.PolicySolution):
    print(policy.policy, policy.title, policy.exploitability, policy.unit)
if isinstance(policy, runout.ExactSolution):
    print(policy.accuracy(), policy.at_hand)
found: runout.Evaluation = runout.evaluate(policy, progress=True)
summary = runout.open_explorer(solution).summary.title.upper()
rules: runout.GameSolution = runout.solve_game(runout.compile_game(load_game("kuhn")))
problems: list[str] = runout.check_game(load_game("leduc"))
game = runout.LimitHoldem(num_streets=2).game(), runout.NoLimitHoldem(bet_sizes=[0.5]).game()
try:
    print(runout.load("kuhn.runout").root.frame().shape, runout.__version__)
except runout.RunoutError as error:
    print(error)
"""

WRONG = {
    "runout.solve(nonsense=1)": 'Unexpected keyword argument "nonsense"',
    "runout.solve(target='low')": 'Argument "target" to "solve" has incompatible type',
    "runout.Spot(board='2c3c4c', pot=1, stack=1, ranges={}, bord='')": 'Unexpected keyword argument "bord"',
    "runout.Preflop(stack_depth='deep', raise_sizes='a')": 'Argument "stack_depth" to "Preflop" has incompatible type',
    "runout.solve().strategy": '"SpotSolution" has no attribute "strategy"',
    "runout.load('x').sped": '"AnySolution" has no attribute "sped"',
    "runout.solv()": 'Module has no attribute "solv"',
}


def checked(code: str, tmp_path: Path) -> str:
    """What mypy's strict mode says of a script that uses Runout."""
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\nfollow_imports = silent\n", encoding="utf-8")
    root = Path(runout.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [*command, str(script)], capture_output=True, text=True, timeout=600, env={"MYPYPATH": str(root), "PATH": ""}
    )
    return done.stdout + done.stderr


@pytest.mark.slow  # mypy reads numpy, pydantic and torch from the start
def test_a_type_checker_sees_real_signatures(tmp_path: Path) -> None:
    assert checked(CORRECT, tmp_path) == "Success: no issues found in 1 source file\n"
    lines = checked("import runout\n\n" + "\n".join(WRONG), tmp_path).splitlines()
    for number, message in enumerate(WRONG.values(), 3):
        assert any(f"script.py:{number}: error: {message}" in line for line in lines), (number, message, lines)


def test_the_correct_script_uses_every_public_name() -> None:
    used = {node.attr for node in ast.walk(ast.parse(CORRECT)) if isinstance(node, ast.Attribute)}
    assert set(runout.__all__) - used == {"load_game_solution"}


def models(model: type[BaseModel]) -> set[type[BaseModel]]:
    """A model and every model inside it."""
    found = {model}
    for field in model.model_fields.values():
        for part in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if inspect.isclass(part) and issubclass(part, BaseModel):
                found |= models(part)
    return found


@pytest.mark.parametrize("model", DOCUMENTS, ids=lambda model: model.__name__)
def test_help_explains_every_setting(model: type[Settings]) -> None:
    shown = " ".join(pydoc.render_doc(model, renderer=pydoc.plaintext).split())
    for inner in models(model):
        for name, field in inner.model_fields.items():
            assert field.description, f"{inner.__name__}.{name} has no description"
    rows = setting_rows(model)
    assert len(rows) >= len(model.model_fields)
    for row in rows:
        assert f"{row.name} " in shown, row.name
        assert " ".join(row.meaning.split()) in shown.replace("| ", ""), row.name


@pytest.mark.parametrize("model", DOCUMENTS, ids=lambda model: model.__name__)
def test_typed_constructors_name_the_fields(model: type[Settings]) -> None:
    tree = ast.parse(inspect.getsource(model).lstrip())
    (init,) = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    assert sorted(one.arg for one in init.args.kwonlyargs) == sorted(model.model_fields)
    required = {
        one.arg for one, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True) if not default
    }
    assert required == {name for name, field in model.model_fields.items() if field.is_required()} - {"stack"}  # or spr


def test_public_functions_share_the_names_of_their_arguments() -> None:
    common = ["target", "iterations", "algorithm", "resume", "output", "progress", "interrupted"]
    for function in (runout.solve, runout.solve_preflop, runout.solve_flop_holdem, runout.solve_game, runout.train):
        assert set(common) <= set(inspect.signature(function).parameters), function.__name__
    for function in (runout.solve_many, runout.evaluate):
        assert "progress" in inspect.signature(function).parameters


@pytest.mark.parametrize("name", [name for name in runout.__all__ if name != "__version__"])
def test_every_public_name_says_what_it_is(name: str) -> None:
    found = getattr(runout, name)
    assert inspect.getdoc(found), name
    if inspect.isclass(found):
        for member, value in vars(found).items():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(getattr(found, member)), f"{name}.{member}"
    else:
        text = inspect.getdoc(found) or ""
        arguments = list(inspect.signature(found).parameters)
        if "Args:" in text:
            assert [one for one in arguments if f"\n    {one}:" not in text and f"`{one}`" not in text] == []


def test_arguments_of_train_replace_settings_and_a_directory_is_resumed(tmp_path: Path) -> None:
    config = {"game_type": "kuhn", "training": {"solver": "sequence", "iterations": 5}}
    events: list[runout.Event] = []
    first = runout.train(config, iterations=10, output=tmp_path / "run", progress=events.append)
    again = runout.train(resume=tmp_path / "run", iterations=20)
    whole = runout.train(config, iterations=20)
    assert (first.iterations, again.iterations, events[-1].kind) == (10, 20, "done")
    assert again.exploitability == whole.exploitability
    assert runout.train(config, target=1e9).reason == "target"
    with pytest.raises(runout.RunoutError, match="say what to train"):
        runout.train()


def test_a_game_is_solved_from_its_file_and_by_the_older_name(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text("ranks: 4\nsuits: 2\nmax_bets: [1, 1]\n", encoding="utf-8")
    found = runout.solve_flop_holdem(file, iterations=2)
    game = runout.FlopHoldem(ranks=4, suits=2, max_bets=(1, 1))
    assert found.settings.replace(iterations=2000) == game
    with pytest.warns(DeprecationWarning, match="solve_flop_holdem"):
        older = runout.solve_flop_holdem(settings=game, iterations=2)
    assert older.exploitability == found.exploitability


def test_evaluations_tell_of_their_steps() -> None:
    solution = runout.solve_game("kuhn", iterations=10)
    with pytest.warns(DeprecationWarning, match="on_step"):
        older = runout.evaluate(solution, on_step=lambda method, done, total: None)
    assert older == runout.evaluate(solution, progress=True)
