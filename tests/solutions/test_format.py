import hashlib
import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from runout import files
from runout.errors import SolutionError
from runout.solutions.format import Bundle, check_writable, meta_text, read_bundle, read_meta, verify, write_bundle
from runout.solutions.stored import CHUNK, FileSums


def bundle(iterations: int = 100) -> Bundle:
    arrays = {"regrets": np.arange(12, dtype=np.float32).reshape(3, 4), "averages": np.full(5, iterations, np.int16)}
    return Bundle("tabular", {"game": "kuhn", "note": "♠"}, {"iterations": iterations, "unit": "mA/g"}, arrays)


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.runout"
    write_bundle(path, bundle())
    return path


def edit_meta(path: Path, **changes: object) -> None:
    """What somebody does who crafts a file: the checksum of meta.json fits afterwards."""
    meta = json.loads((path / "meta.json").read_text())
    (path / "meta.json").write_text(meta_text({k: v for k, v in (meta | changes).items() if v is not None}))


def mend_sums(path: Path, name: str) -> None:
    """Make the checksums of a file fit what it holds now."""
    edit_meta(path, files=read_meta(path)["files"] | {name: FileSums.of(path / name).told()})


def test_what_is_written_reads_back(solution: Path) -> None:
    read = read_bundle(str(solution), "tabular")
    assert (read.kind, read.config, read.reached) == ("tabular", bundle().config, bundle().reached)
    assert read.arrays.keys() == bundle().arrays.keys()
    for name, array in bundle().arrays.items():
        np.testing.assert_array_equal(read.arrays[name], array)
        assert read.arrays[name].dtype == array.dtype
    assert read_meta(solution)["reached"] == {"iterations": 100, "unit": "mA/g"}


def test_a_solution_is_replaced_whole_and_leaves_nothing_beside_it(solution: Path) -> None:
    write_bundle(solution, bundle(200))
    assert read_bundle(solution).reached["iterations"] == 200
    assert os.listdir(solution.parent) == [solution.name]


def test_directories_on_the_way_are_made_and_an_empty_one_is_used(tmp_path: Path) -> None:
    write_bundle(tmp_path / "a" / "b" / "s", bundle())
    (tmp_path / "empty").mkdir()
    write_bundle(tmp_path / "empty", bundle())
    assert read_bundle(tmp_path / "empty").kind == read_bundle(tmp_path / "a" / "b" / "s").kind


@pytest.mark.parametrize("name", ["regrets.npy", "config.yaml"])
def test_a_truncated_file_is_damage(solution: Path, name: str) -> None:
    content = (solution / name).read_bytes()
    (solution / name).write_bytes(content[:-3])
    with pytest.raises(SolutionError, match=f"is damaged: {name} does not match its checksum"):
        read_bundle(solution)


def test_a_changed_byte_is_damage(solution: Path) -> None:
    content = bytearray((solution / "regrets.npy").read_bytes())
    content[-1] ^= 1
    (solution / "regrets.npy").write_bytes(content)
    with pytest.raises(SolutionError, match=r"is damaged: regrets.npy does not match"):
        read_bundle(solution)


def test_a_missing_array_is_named(solution: Path) -> None:
    (solution / "averages.npy").unlink()
    with pytest.raises(SolutionError, match=r"is incomplete: averages.npy is missing"):
        read_bundle(solution)


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"kind": 1}', "\x00"])
def test_an_unreadable_meta_is_damage(solution: Path, content: str) -> None:
    (solution / "meta.json").write_text(content)
    with pytest.raises(SolutionError, match=r"is damaged: meta.json cannot be read"):
        read_bundle(solution)


@pytest.mark.parametrize(
    "changes",
    [
        {"files": ["config.yaml"]},
        {"files": {}},
        {"kind": 3},
        {"reached": []},
        {"files": {"config.yaml": {"bytes": 1, "sha256": []}}},
    ],
)
def test_a_meta_without_its_parts_is_damage(solution: Path, changes: dict[str, object]) -> None:
    edit_meta(solution, **changes)
    with pytest.raises(SolutionError, match=r"is damaged: meta.json lacks"):
        read_bundle(solution)


def test_a_newer_format_says_so(solution: Path) -> None:
    edit_meta(solution, format=3)
    with pytest.raises(SolutionError, match="has format 3; this Runout reads up to 2: update Runout"):
        read_bundle(solution)


@pytest.mark.parametrize("name", ["../outside.npy", "/etc/hostname"])
def test_files_outside_the_directory_are_never_opened(solution: Path, name: str) -> None:
    (solution.parent / "outside.npy").write_bytes((solution / "regrets.npy").read_bytes())
    sums = read_meta(solution)["files"]
    edit_meta(solution, files=sums | {name: sums["regrets.npy"]})
    with pytest.raises(SolutionError, match="is incomplete"):
        read_bundle(solution)


def test_pickles_are_refused_even_with_a_checksum_that_fits(solution: Path) -> None:
    np.save(solution / "regrets.npy", np.array([{}], dtype=object), allow_pickle=True)
    mend_sums(solution, "regrets.npy")
    with pytest.raises(SolutionError, match=r"regrets.npy holds no plain array"):
        read_bundle(solution)


def test_settings_that_are_none_are_refused_even_with_a_checksum_that_fits(solution: Path) -> None:
    (solution / "config.yaml").write_text("- a list")
    mend_sums(solution, "config.yaml")
    with pytest.raises(SolutionError, match=r"config.yaml holds no settings"):
        read_bundle(solution)


@pytest.mark.parametrize(
    "content",
    [
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999,), }"
        + b" " * 46
        + b"\n",
        b"PK\x03\x04 an archive",
        b"\x93NUMPY\x01\x00",
        b"",
        b"\x93NUMPY\x01\x00\x0a\x00" + b"(" * 10,
    ],
)
def test_crafted_arrays_are_refused_before_memory_is_taken(solution: Path, content: bytes) -> None:
    (solution / "regrets.npy").write_bytes(content)
    mend_sums(solution, "regrets.npy")
    with pytest.raises(SolutionError, match=r"regrets.npy holds no plain array"):
        read_bundle(solution)


def test_a_changed_figure_in_meta_is_damage(solution: Path) -> None:
    text = (solution / "meta.json").read_text()
    (solution / "meta.json").write_text(text.replace('"iterations": 100', '"iterations": 900'))
    with pytest.raises(SolutionError, match=r"meta.json does not match its checksum"):
        read_meta(solution)


def test_endless_numbers_in_meta_are_damage(solution: Path) -> None:
    text = (solution / "meta.json").read_text()
    for number in ("1e999", "NaN", "-Infinity"):
        (solution / "meta.json").write_text(text.replace('"iterations": 100', f'"iterations": {number}'))
        with pytest.raises(SolutionError, match=r"meta.json cannot be read"):
            read_meta(solution)


@pytest.mark.parametrize("text", ["1: a key\n", "a: &x [*x]\n", "[" * 3000, "a: &a [1, 1]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)])  # fmt: skip
def test_crafted_settings_are_refused(solution: Path, text: str) -> None:
    (solution / "config.yaml").write_text(text)
    mend_sums(solution, "config.yaml")
    with pytest.raises(SolutionError, match=r"config.yaml holds no settings"):
        read_bundle(solution)


def test_parts_of_a_large_array_are_verified_when_they_are_read(tmp_path: Path) -> None:
    large = np.arange(3 * CHUNK // 8, dtype=np.float64)
    write_bundle(tmp_path / "s", Bundle("tabular", {}, {}, {"large": large}))
    content = bytearray((tmp_path / "s" / "large.npy").read_bytes())
    content[2 * CHUNK + 17] ^= 1
    (tmp_path / "s" / "large.npy").write_bytes(content)
    stored = read_bundle(tmp_path / "s", mapped=True).arrays["large"]
    np.testing.assert_array_equal(stored[1000:2000], large[1000:2000])
    with pytest.raises(SolutionError, match=r"large.npy does not match its checksum \(part 3 of 4\)"):
        stored[2 * CHUNK // 8 : 2 * CHUNK // 8 + 1]
    for read in (lambda: np.asarray(stored), lambda: read_bundle(tmp_path / "s"), lambda: verify(tmp_path / "s")):
        with pytest.raises(SolutionError, match=r"part 3 of 4"):
            read()


def test_verify_says_what_it_read(solution: Path) -> None:
    assert verify(solution).startswith("tabular, 3 files, ")
    sums = {name: hashlib.sha256((solution / name).read_bytes()).hexdigest() for name in read_meta(solution)["files"]}
    edit_meta(solution, format=1, sha256=sums, files=None, checksum=None)  # as 0.1.0 wrote it
    assert "unchecked" in verify(solution)
    assert not read_bundle(solution).checked


def test_what_is_no_solution(tmp_path: Path, solution: Path) -> None:
    with pytest.raises(SolutionError, match="nowhere does not exist"):
        read_bundle(tmp_path / "nowhere")
    with pytest.raises(SolutionError, match=r"has no meta.json, so it is not a Runout solution"):
        read_bundle(tmp_path)
    with pytest.raises(SolutionError, match=r"^/ has no meta.json, so it is not a Runout solution"):
        read_bundle(Path("/"))
    with pytest.raises(SolutionError, match=r"config.yaml is a file, not a Runout solution"):
        read_bundle(solution / "config.yaml")
    with pytest.raises(SolutionError, match="is a tabular solution; a postflop solution is needed here"):
        read_bundle(solution, "postflop")


@pytest.mark.parametrize("name", ["thesis.txt", "meta.json"])
def test_a_foreign_directory_is_never_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("{}")
    with pytest.raises(SolutionError, match="exists and is not a Runout solution: choose another name, nothing was"):
        write_bundle(tmp_path / "mine", bundle())
    assert (tmp_path / "mine" / name).read_text() == "{}"
    assert os.listdir(tmp_path) == ["mine"]


def test_places_that_cannot_be_written_to_are_refused_before_work(tmp_path: Path, solution: Path) -> None:
    with pytest.raises(SolutionError, match=r"config.yaml is no directory that you may write to"):
        check_writable(solution / "config.yaml" / "s")
    check_writable(tmp_path / "not" / "there" / "yet")
    assert not (tmp_path / "not").exists()


def test_a_crash_between_the_renames_leaves_the_old_solution(solution: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    class Crash(BaseException):
        pass

    def crash_on_the_second(self: Path, target: Path) -> Path:
        if self.name.endswith(".new"):
            raise Crash
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(files, "exchange", lambda *_: False)
        patch.setattr(Path, "rename", crash_on_the_second)
        with pytest.raises(Crash):
            write_bundle(solution, bundle(200))
    assert not solution.exists()
    assert read_bundle(solution).reached["iterations"] == 100
    write_bundle(solution, bundle(300))
    assert read_bundle(solution).reached["iterations"] == 300
    assert os.listdir(solution.parent) == [solution.name]


def test_who_reads_between_the_renames_reads_the_old_solution(solution: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename, seen = Path.rename, []

    def read_first(self: Path, target: Path) -> Path:
        if self.name.endswith(".new"):
            assert not solution.exists()
            seen.append((read_meta(solution)["reached"]["iterations"], read_bundle(solution).reached["iterations"]))
            assert not solution.exists(), "brought back under the hands of who writes"
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(files, "exchange", lambda *_: False)
        patch.setattr(Path, "rename", read_first)
        write_bundle(solution, bundle(200))
    assert seen == [(100, 100)]
    assert read_bundle(solution).reached["iterations"] == 200
    assert os.listdir(solution.parent) == [solution.name]


def test_a_solution_can_be_read_while_it_is_replaced_again_and_again(solution: Path) -> None:
    found: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            found.append(read_bundle(solution).reached["iterations"])

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        try:
            for iterations in range(101, 160):
                write_bundle(solution, bundle(iterations))
                time.sleep(0.005)
        finally:
            done.set()
        for reader in readers:
            reader.result()
    assert set(found) <= set(range(100, 160))
    assert read_bundle(solution).reached["iterations"] == 159


def test_a_failure_while_writing_leaves_the_old_solution(solution: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_room)
        with pytest.raises(SolutionError, match=r"cannot write .*: No space left on device"):
            write_bundle(solution, bundle(200))
    assert os.listdir(solution.parent) == [solution.name]
    assert read_bundle(solution).reached["iterations"] == 100
