"""The import order of the layers, and what stays out of a quick start."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "runout"

# Each layer imports from those before it and from itself, inside functions too.
LAYERS = (
    {"errors", "protocols"},
    {"config", "files", "kept", "memory", "progress"},
    {"kernels"},
    {"cards"},
    {"games"},
    {"hands"},
    {"solutions"},
    {"solvers"},
    {"cursors"},
    {"explorers"},
    {"formats"},
    {"evaluation", "analysis"},  # analysis: addresses of 0.1.0
    {"run"},
    {"app"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# Heavy packages and the only modules that may import them, as prefixes of paths under src/runout.
CONFINED = {
    "torch": ("solvers/neural", "solvers/torch_backend"),
    "ray": ("run/ray",),
    "textual": ("app/",),
    "fastapi": ("app/",),
    "uvicorn": ("app/",),
    "typer": ("app/",),
    "rich": ("app/",),
}


def files() -> list[str]:
    return sorted(
        str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem in LEVEL
    )


def imports(source: str, package: list[str]) -> Iterator[str]:
    """Dotted names of everything that `source`, a module of `package`, imports anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from (arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant))


def test_relative_imports_inside_functions_are_seen() -> None:
    source = (
        "def f():\n    from ..solvers import ranges\n    import torch.nn\n    importlib.import_module('runout.app')"
    )
    found = set(imports(source, ["runout", "cards"]))
    assert found == {"runout.solvers.ranges", "torch.nn", "runout.app"}


@pytest.mark.parametrize("file", files())
def test_a_module_imports_only_from_its_own_layer_and_those_before_it(file: str) -> None:
    parts = Path(file).with_suffix("").parts
    assert parts[0] in LEVEL, f"{file} is in no layer: place it, or add its layer to the design and to this test"
    found = imports((SOURCE / file).read_text(encoding="utf-8"), ["runout", *parts[:-1]])
    for name in found:
        root, *inner = name.split(".")
        if root == "runout" and parts[0] != "app":
            assert {*inner[:1]} & set(LEVEL), f"{file} imports {name}: name the module, not the public surface"
            assert LEVEL[inner[0]] <= LEVEL[parts[0]], f"{file} imports {name} from a later layer"
        if root in CONFINED:
            assert file.startswith(CONFINED[root]), (
                f"{file} imports {root}, which belongs in {', '.join(CONFINED[root])}"
            )


def test_every_top_level_module_is_in_a_layer() -> None:
    names = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names - {"__init__", "__main__"} <= set(LEVEL)


HELP = """
import sys
from runout.app.cli.main import main
sys.argv = ["runout", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
heavy = {"torch", "numba", "numpy", "matplotlib", "ray", "textual", "fastapi"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["equity", "--help"],
        ["solve", "--help"],
        ["report", "--help"],
        ["export", "--help"],
        ["preflop", "--help"],
        ["train", "--help"],
        ["evaluate", "--help"],
        ["match", "--help"],
        ["explore", "--help"],
        ["practice", "--help"],
        ["compare", "--help"],
        ["hands", "--help"],
        ["review", "--help"],
        ["web", "--help"],
        ["upi", "--help"],
        ["play", "--help"],
        ["acpc", "--help"],
        ["slumbot", "--help"],
        ["texas", "--help"],
        ["convert", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", HELP, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "runout" in done.stdout


CHART = """
import sys
import runout
chart = runout.open_chart(100)
node = chart.at("SBr2.5")
assert node.strategy("AA") and node.ev("AA") > 0 and chart.value
from runout.app.cli import prompt
from runout.app.cli.main import main
sys.argv = ["runout", "preflop", "--stack", "20"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
heavy = {"torch", "numba", "scipy", "pandas", "matplotlib", "ray", "textual", "fastapi"} & set(sys.modules)
assert not heavy, heavy
"""


def test_a_chart_is_shown_without_loading_compiled_code() -> None:
    done = subprocess.run([sys.executable, "-c", CHART], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "SB to act" in done.stdout


def test_the_package_itself_loads_nothing_heavy() -> None:
    code = "import sys, runout; assert not {'torch', 'numba', 'numpy'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
