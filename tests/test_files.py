"""Files that are replaced as a whole, and locks between processes."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from runout import files
from runout.errors import InputError


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "old\n")
    with files.replacing(path) as file:
        file.write("new\n")
        file.flush()
        assert path.read_text() == "old\n"
    assert path.read_text() == "new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_binary_files_and_line_ends_are_written_as_they_are(tmp_path: Path) -> None:
    with files.replacing(tmp_path / "b", binary=True) as file:
        file.write(b"\x00\r\n")
    files.write_text(tmp_path / "c", "é\r\n\n")
    assert (tmp_path / "b").read_bytes() == b"\x00\r\n"
    assert (tmp_path / "c").read_bytes() == "é\r\n\n".encode()


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "old")
    with pytest.raises(TypeError), files.replacing(path) as file:
        file.writelines(["half", 1])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*nowhere/a\.txt: No such file or directory"):
        files.write_text(tmp_path / "nowhere" / "a.txt", "")


HOLD = """
import sys, pathlib
from runout import files
with files.FileLock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_lock_keeps_other_processes_off_until_its_holder_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(files.Held, match=rf"^process {other.pid} on .+, since \d{{4}}-\d\d-\d\d "):
        files.FileLock(path, wait=False)
    other.kill()
    other.communicate()
    with files.FileLock(path), pytest.raises(files.Held, match=f"process {os.getpid()} "):
        files.FileLock(path, wait=False)
    assert list(tmp_path.iterdir()) == []


def test_a_holder_that_has_not_written_its_name_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with files.FileLock(path):
        told = path.read_text()
        path.write_text("")
        threading.Timer(0.1, path.write_text, [told]).start()
        with pytest.raises(files.Held, match=f"process {os.getpid()} "):
            files.FileLock(path, wait=False)


def test_two_directories_are_swapped_in_one_step_or_not_at_all(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    swapped = files.exchange(tmp_path / "a", tmp_path / "b")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b" if swapped else "a"]
    with pytest.raises(FileNotFoundError):
        assert files.exchange(tmp_path / "a", tmp_path / "none") or (tmp_path / "none").rename(tmp_path / "a")


def test_a_place_that_only_looks_writable_is_refused(tmp_path: Path) -> None:
    files.check_place(tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path, tmp_path / "no" / "a.csv", tmp_path / ("x" * 300), Path("/"), Path("/proc/a.csv")):
        with pytest.raises(InputError, match="cannot write"):
            files.check_place(path)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    with files.replacing(pipe) as file:
        file.write("said")
    reader.join(60)
    assert heard == ["said"]
    assert pipe.is_fifo()
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]
