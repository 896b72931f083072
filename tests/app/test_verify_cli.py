"""`runout verify`: what it looks at, and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import runout
from runout.app.cli.main import app

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("solved") / "kuhn"
    runout.solve_game("kuhn", iterations=5, output=place)
    return place


def checked(*paths: Path) -> tuple[int, dict[str, dict[str, object]]]:
    done = RUNNER.invoke(app, ["verify", *map(str, paths), "--json"])
    return done.exit_code, json.loads(done.stdout)


def test_a_folder_of_solutions_is_read_four_deep_without_links_and_hidden_ones(solved: Path, tmp_path: Path) -> None:
    near, far = tmp_path / "library" / "a", tmp_path / "library" / "b" / "c" / "d" / "e"
    too_far = tmp_path / "library" / "b" / "c" / "d" / "f" / "g"
    for place in (near, far, too_far, tmp_path / "library" / ".trash" / "h"):
        shutil.copytree(solved, place)
    (tmp_path / "library" / "link").symlink_to(near)
    status, found = checked(tmp_path / "library")
    assert (status, sorted(found)) == (0, [str(near), str(far)])


def test_a_changed_byte_and_what_is_no_solution_end_with_status_2(solved: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    for place in (good, bad):
        shutil.copytree(solved, place)
    array = next(bad.glob("*.npy"))
    content = bytearray(array.read_bytes())
    content[-1] ^= 1
    array.write_bytes(bytes(content))
    status, found = checked(good, bad)
    assert status == 2
    assert found[str(good)]["good"]
    assert "checksum" in str(found[str(bad)]["says"])
    assert checked(tmp_path / "nowhere")[0] == 2
