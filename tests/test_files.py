"""Files that are replaced as a whole, and locks between processes."""

import subprocess
import sys
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


@pytest.mark.skipif(files.fcntl is None, reason="no locks on this system")
@pytest.mark.parametrize("directory", [True, False])
def test_a_lock_keeps_other_processes_off_until_its_holder_ends(tmp_path: Path, directory: bool) -> None:
    path = tmp_path if directory else tmp_path / "lock"
    path.touch()
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    with pytest.raises(BlockingIOError):
        files.FileLock(path, wait=False)
    other.kill()
    other.communicate()
    with files.FileLock(path):
        pass


def test_where_the_system_has_no_locks_nothing_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "fcntl", None)
    with files.FileLock(tmp_path / "lock"), files.FileLock(tmp_path / "lock", wait=False):
        assert list(tmp_path.iterdir()) == []
