"""A wheel, built from the source archive, works where there is no checkout: solve, export, explore, web, data.

Dependencies come from the environment of the tests, so that nothing is downloaded; Runout itself does not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

import runout

pytestmark = pytest.mark.slow  # everything is compiled anew

ROOT = Path(__file__).parents[1]
# A river, small enough to be solved in no time
SPOT = ["--board", "2c3h4d5s9c", "--pot", "100", "--stack", "200", "--oop", "AA,KQs", "--ip", "QQ-TT", "--quiet"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a source archive and of the wheel that is built from it."""
    if not (ROOT / ".git").exists():
        pytest.skip("git says which files belong to the project, and this is no checkout")
    folder = tmp_path_factory.mktemp("dist")
    source = folder / "source"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Installed:
    """An environment that has the wheel, and the dependencies of this one."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        venv.create(folder / "env", with_pip=False)
        self.python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        site = Path(self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        # A path in a .pth file comes after the environment's own packages and its .pth files are not read: the
        # dependencies are found there, the editable Runout is not.
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel))

    @property
    def environment(self) -> dict[str, str]:
        hidden = ("PYTHON", "NUMBA", "COV", "RUNOUT", "XDG")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        return kept | {"XDG_CACHE_HOME": str(self.folder / "cache"), "PYTHONUNBUFFERED": "1"}

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [self.python, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def runout(self, *arguments: str) -> str:
        return self.run(str(self.python.with_name("runout")), *arguments)


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    (wheel,) = built.glob("*.whl")
    found = Installed(tmp_path_factory.mktemp("fresh"), wheel)
    found.runout("solve", *SPOT, "-o", "river.runout")
    return found


def test_the_wheel_is_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    info = f"runout-{runout.__version__}.dist-info/"
    assert {name.split("/")[0] for name in names} == {"runout", info.strip("/")}
    package = ROOT / "src" / "runout"
    tracked = subprocess.run(["git", "ls-files", "-z", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    shipped = {
        f"runout/{Path(name).relative_to('src/runout').as_posix()}" for name in tracked.stdout.split("\0") if name
    }
    present = {name for name in shipped if (package.parent / name).is_file()}
    assert present == {name for name in names if not name.startswith(info)}


def test_the_source_archive_has_what_tests_and_pages_need(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    for path in ("LICENSE", "DATA.md", "Makefile", "mkdocs.yml", "configs/train/leduc.yaml", "examples/own_game.py"):
        assert path in names
    assert {"tests/test_wheel.py", "tests/golden/no_limit.txt", "tests/data/v0.1.0/river.tar.xz"} <= names


def test_it_runs_from_its_own_files(installed: Installed) -> None:
    place = installed.run("-c", "import runout; print(runout.__file__)").strip()
    assert Path(place).is_relative_to(installed.python.parents[1])
    assert installed.runout("--version").strip() == f"runout {runout.__version__}"


def test_shipped_tables_are_found(installed: Installed) -> None:
    found = json.loads(installed.runout("equity", "AA", "KK", "--json"))
    assert found["equity"] == pytest.approx([0.8194605, 0.1805395], abs=1e-6)


def test_a_solution_is_exported_and_explored(installed: Installed) -> None:
    rows = installed.runout("export", "river.runout", "--format", "csv").splitlines()
    assert rows[0].startswith("line,")
    assert sum(",AsAh," in row or ",AhAs," in row for row in rows) == 1
    code = (
        "import asyncio, runout\n"
        "from runout.app.tui.app import ExplorerApp\n"
        "async def main():\n"
        "    solution = runout.load('river.runout')\n"
        "    app = ExplorerApp(solution.explorer)\n"
        "    async with app.run_test() as pilot:\n"
        "        await pilot.pause()\n"
        "        await pilot.press('1')\n"
        "        await pilot.pause()\n"
        "        print(app.is_running, solution.root.actions[0])\n"
        "asyncio.run(main())\n"
    )
    assert installed.run("-c", code).split() == ["True", "check"]


def test_the_web_server_has_its_pages(installed: Installed) -> None:
    command = [installed.python, installed.python.with_name("runout"), "web", "river.runout"]
    process = subprocess.Popen(
        [*command, "--library", "library", "--port", "0", "--no-open"],
        cwd=installed.folder,
        env=installed.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1].partition("/#")[0]
        page = _get(f"{address}/")
        modules = re.findall(r'(?:href|src)="(/[^"]+\.(?:js|css))"', page)
        assert modules
        for module in modules:
            assert not _get(address + module).startswith("<!doctype html>")
        assert "open/river-runout" in _get(f"{address}/api/library")
        assert json.loads(_get(f"{address}/api/solutions/open/river-runout/node?line="))["actions"]
    finally:
        process.terminate()
        process.wait(300)


def _get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=300) as answer:
        return str(answer.read().decode())
