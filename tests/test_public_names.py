"""What `import runout` offers. A name added or removed here is a change that users notice: say so in the changelog."""

import ast
import importlib
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import runout

PUBLIC = [
    "AnySolution",
    "Equity",
    "Evaluation",
    "Event",
    "ExactSolution",
    "FlopGame",
    "FlopHoldem",
    "FlopSolution",
    "GameSolution",
    "LimitHoldem",
    "NoLimitHoldem",
    "Node",
    "PolicySolution",
    "Preflop",
    "PreflopSolution",
    "Range",
    "Review",
    "RunoutError",
    "Solution",
    "Spot",
    "SpotSolution",
    "TrainConfig",
    "TrainResult",
    "__version__",
    "check_game",
    "compile_game",
    "equity",
    "evaluate",
    "load",
    "load_game_solution",
    "open_chart",
    "open_explorer",
    "read_hands",
    "review",
    "report",
    "solve",
    "solve_flop_holdem",
    "solve_game",
    "solve_many",
    "solve_preflop",
    "train",
]


def test_the_public_surface_is_what_it_is_meant_to_be() -> None:
    assert sorted(runout.__all__) == sorted(PUBLIC)
    assert sorted(dir(runout)) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(runout, name) is not None


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(runout.__file__).read_text(encoding="utf-8"))
    typed = next(one for one in tree.body if isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING")
    found = {
        alias.asname or alias.name: (one.module, alias.name)
        for one in typed.body
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    assert sorted([*found, "__version__"]) == sorted(PUBLIC)
    for name, (module, own) in found.items():
        assert getattr(runout, name) is getattr(importlib.import_module(str(module)), own)


def test_other_names_are_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'runout' has no attribute 'Rnage'"):
        _ = runout.Rnage


def test_no_public_class_name_has_two_owners() -> None:
    source, owners = Path(runout.__file__).parent, defaultdict(list)
    for path in sorted(source.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                owners[node.name].append(str(path.relative_to(source)))
    assert {name: files for name, files in owners.items() if len(files) > 1} == {}


def test_addresses_of_the_first_version_still_lead_to_the_same_things() -> None:
    code = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from runout.analysis.explorers import open_explorer
    from runout.analysis.node_reports import breakdown, common_lines, compare, equity_curve, runouts
assert [one.category for one in told if "runout.analysis" in str(one.message)] == [DeprecationWarning], told
import runout.explorers, runout.explorers.node_reports as now
assert open_explorer is runout.explorers.open_explorer and runouts is now.runouts
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
