"""The directory that a run saves to: one writer, links and odd places, and what a second writer is told."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from runout import files
from runout.errors import SolutionError
from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solutions.output import Output


def bundle(number: int) -> Bundle:
    return Bundle("tabular", {"game": "kuhn", "number": number}, {}, {"a": np.full(9, number), "b": np.full(9, number)})


WRITES = """
import sys
import numpy as np
from runout.errors import SolutionError
from runout.solutions.format import Bundle, write_bundle
for number in range(40):
    arrays = {"a": np.full(50_000, number), "b": np.full(50_000, number)}
    try:
        write_bundle(sys.argv[1], Bundle("tabular", {"number": number}, {}, arrays))
    except SolutionError as error:
        # "another process" where the one that has just got the lock has not written its name yet
        assert "is being written by" in str(error), error
"""


def test_two_processes_that_save_to_one_path_leave_a_whole_solution(tmp_path: Path) -> None:
    write_bundle(tmp_path / "x", bundle(0))
    writers = [subprocess.Popen([sys.executable, "-c", WRITES, str(tmp_path / "x")]) for _ in range(2)]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        found = read_bundle(tmp_path / "x")
        assert found.arrays["a"][0] == found.arrays["b"][0] == found.config["number"]
        seen += 1
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen > 5
    assert os.listdir(tmp_path) == ["x"]


def test_a_second_writer_is_told_who_has_it(tmp_path: Path) -> None:
    with (
        Output(tmp_path / "x") as first,
        pytest.raises(
            SolutionError, match=rf"x is being written by process {os.getpid()} on .*, since .*choose another"
        ),
    ):
        write_bundle(tmp_path / "x", bundle(1))
    write_bundle(first.path, bundle(2))
    assert read_bundle(tmp_path / "x").config["number"] == 2


def test_a_run_holds_its_directory_and_saves_to_it(tmp_path: Path) -> None:
    with Output(tmp_path / "deep" / "x") as output:
        write_bundle(output, bundle(1))
        write_bundle(output, bundle(2))
    assert read_bundle(tmp_path / "deep" / "x").config["number"] == 2
    assert sorted(os.listdir(tmp_path / "deep")) == ["x"]


def test_links_are_followed_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "big" / "x")
    for number in range(3):
        write_bundle(tmp_path / "link", bundle(number))
    assert (tmp_path / "link").is_symlink()
    assert read_bundle(tmp_path / "link").config["number"] == read_bundle(tmp_path / "big" / "x").config["number"] == 2
    with Output(tmp_path / "link"), pytest.raises(SolutionError, match="is being written"):
        write_bundle(tmp_path / "big" / "x", bundle(3))


def test_the_own_directory_and_mount_points_are_refused_before_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for path in (".", "..", "/", tmp_path / "here", "../here/."):
        with pytest.raises(SolutionError, match="the directory you are in, or holds it"), Output(path):
            pass
    monkeypatch.setattr(files, "is_mount_point", lambda path: path == tmp_path / "volume")
    with pytest.raises(SolutionError, match=r"mount point.*name a new directory in it, as in .*volume/solution"):
        Output(tmp_path / "volume").__enter__()
    with pytest.raises(SolutionError, match=r"cannot write .*: File name too long"):
        Output(tmp_path / ("x" * 300)).__enter__()


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="no /proc here")
def test_mount_points_are_known() -> None:
    assert files.is_mount_point(Path("/proc"))
    assert not files.is_mount_point(Path("/proc/self"))


def test_a_save_that_the_disk_has_no_room_for_is_refused(tmp_path: Path) -> None:
    with Output(tmp_path / "x") as output:
        output.require_room(1000)
        with pytest.raises(SolutionError, match=r"a save takes 1,?000,?000,?000.* GB and .* are free on its disk"):
            output.require_room(10**18)


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    write_bundle(tmp_path / "x", bundle(1))
    for role in ("new", "old", "try"):
        (tmp_path / f".x.{role}").mkdir()
    (tmp_path / ".x.lock").write_text("{}")
    write_bundle(tmp_path / "x", bundle(2))
    assert os.listdir(tmp_path) == ["x"]


def test_threads_of_one_process_keep_each_other_off(tmp_path: Path) -> None:
    def write(number: int) -> bool:
        try:
            write_bundle(tmp_path / "x", bundle(number))
        except SolutionError as error:
            if "is being written" not in str(error):
                raise
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert any(pool.map(write, range(60)))
    found = read_bundle(tmp_path / "x")
    assert found.arrays["a"][0] == found.config["number"]
