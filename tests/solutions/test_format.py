import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from runout.errors import SolutionError
from runout.solutions import format as solution_format
from runout.solutions.format import Bundle, check_writable, read_bundle, read_meta, write_bundle


def bundle(iterations: int = 100) -> Bundle:
    arrays = {"regrets": np.arange(12, dtype=np.float32).reshape(3, 4), "averages": np.full(5, iterations, np.int16)}
    return Bundle("tabular", {"game": "kuhn", "note": "♠"}, {"iterations": iterations, "unit": "mA/g"}, arrays)


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.runout"
    write_bundle(path, bundle())
    return path


def edit_meta(path: Path, **changes: object) -> None:
    meta = json.loads((path / "meta.json").read_text())
    (path / "meta.json").write_text(json.dumps({k: v for k, v in (meta | changes).items() if v is not None}))


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


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"format": 1}', "\x00"])
def test_an_unreadable_meta_is_damage(solution: Path, content: str) -> None:
    (solution / "meta.json").write_text(content)
    with pytest.raises(SolutionError, match=r"is damaged: meta.json cannot be read"):
        read_bundle(solution)


@pytest.mark.parametrize("changes", [{"sha256": ["config.yaml"]}, {"sha256": {}}, {"kind": 3}, {"reached": []}])
def test_a_meta_without_its_parts_is_damage(solution: Path, changes: dict[str, object]) -> None:
    edit_meta(solution, **changes)
    with pytest.raises(SolutionError, match=r"is damaged: meta.json lacks"):
        read_bundle(solution)


def test_a_newer_format_says_so(solution: Path) -> None:
    edit_meta(solution, format=2)
    with pytest.raises(SolutionError, match="has format 2; this Runout reads up to 1: update Runout"):
        read_bundle(solution)


@pytest.mark.parametrize("name", ["../outside.npy", "/etc/hostname"])
def test_files_outside_the_directory_are_never_opened(solution: Path, name: str) -> None:
    (solution.parent / "outside.npy").write_bytes((solution / "regrets.npy").read_bytes())
    sums = read_meta(solution)["sha256"]
    edit_meta(solution, sha256=sums | {name: sums["regrets.npy"]})
    with pytest.raises(SolutionError, match="is incomplete"):
        read_bundle(solution)


def test_pickles_are_refused_even_with_a_checksum_that_fits(solution: Path) -> None:
    np.save(solution / "regrets.npy", np.array([{}], dtype=object), allow_pickle=True)
    fits = solution_format._sha256(solution / "regrets.npy")
    edit_meta(solution, sha256=read_meta(solution)["sha256"] | {"regrets.npy": fits})
    with pytest.raises(SolutionError, match=r"regrets.npy holds no plain array"):
        read_bundle(solution)


def test_settings_that_are_none_are_refused_even_with_a_checksum_that_fits(solution: Path) -> None:
    (solution / "config.yaml").write_text("- a list")
    fits = solution_format._sha256(solution / "config.yaml")
    edit_meta(solution, sha256=read_meta(solution)["sha256"] | {"config.yaml": fits})
    with pytest.raises(SolutionError, match=r"config.yaml holds no settings"):
        read_bundle(solution)


def test_what_is_no_solution(tmp_path: Path, solution: Path) -> None:
    with pytest.raises(SolutionError, match="nowhere does not exist"):
        read_bundle(tmp_path / "nowhere")
    with pytest.raises(SolutionError, match=r"has no meta.json, so it is not a Runout solution"):
        read_bundle(tmp_path)
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
