"""A solution directory: config.yaml, meta.json, one .npy file an array, and networks in one safetensors file.

meta.json holds the format version, the kind, what was reached and the sha256 of every other file. A directory is
written under a temporary name and renamed, so a crash leaves the old one or the new one; whoever writes holds a lock on
the new one until it has its name, and who reads in between reads the old one. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import yaml

from runout import files
from runout.errors import SolutionError

Found = TypeVar("Found")

FORMAT_VERSION = 1
STATE = "state_"  # prefix of arrays that are needed only to resume
NETWORK = "network_"  # prefix of arrays that are weights of networks
CHECKPOINT, LATEST = "checkpoint_", "latest"  # of a training run: checkpoint_N, and a link to the newest
_NETWORKS = "networks.safetensors"
_TRIES = 5  # to read a solution that is replaced again and again
_MAPPED = 1 << 20  # bytes from which on a file is mapped where that is asked for


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a solution directory holds."""

    kind: str  # "tabular", "postflop", ...
    config: dict[str, Any]  # what was asked
    reached: dict[str, Any]  # iterations, exploitability, unit, ...
    arrays: dict[str, np.ndarray]


def write_bundle(path: str | Path, bundle: Bundle) -> None:
    """Write `bundle` as the directory `path`, replacing a solution that is there and refusing anything else."""
    path = Path(path)
    check_writable(path)
    fresh, old = _sibling(path, "new"), _sibling(path, "old")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
        with files.FileLock(fresh):
            _write_files(fresh, bundle)
            if path.exists():
                shutil.rmtree(old, ignore_errors=True)
                path.rename(old)
            fresh.rename(path)
    except OSError as error:  # no room, no permission
        shutil.rmtree(fresh, ignore_errors=True)
        raise SolutionError(f"cannot write {path}: {error.strerror or error}") from None
    shutil.rmtree(old, ignore_errors=True)


def _write_files(fresh: Path, bundle: Bundle) -> None:
    sums = {}
    networks = {name: array for name, array in bundle.arrays.items() if name.startswith(NETWORK)}
    if networks:
        _write_networks(fresh / _NETWORKS, networks)
        sums[_NETWORKS] = _sha256(fresh / _NETWORKS)
    for name, array in bundle.arrays.items():
        if name in networks:
            continue
        with open(fresh / f"{name}.npy", "wb") as file:
            np.save(file, array, allow_pickle=False)
            files.flush(file)
        sums[f"{name}.npy"] = _sha256(fresh / f"{name}.npy")
    _write_text(fresh / "config.yaml", yaml.safe_dump(bundle.config, sort_keys=False, allow_unicode=True))
    sums["config.yaml"] = _sha256(fresh / "config.yaml")
    meta = {"format": FORMAT_VERSION, "kind": bundle.kind, "reached": bundle.reached, "sha256": sums}
    _write_text(fresh / "meta.json", json.dumps(meta, indent=2) + "\n")


def _write_networks(path: Path, networks: dict[str, np.ndarray]) -> None:
    from safetensors.numpy import save

    with open(path, "wb") as file:
        file.write(save({name: np.ascontiguousarray(array) for name, array in networks.items()}))
        files.flush(file)


def _read_networks(path: Path) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(path.read_bytes())
    except SafetensorError:
        raise SolutionError(f"{path.parent} is damaged: {path.name} holds no networks") from None


def read_solution(path: str | Path, make: Callable[[Bundle], Found], *kinds: str, mapped: bool = False) -> Found:
    """What `make` makes of the solution in `path`, one of `kinds`; refused where it lacks something or does not fit."""
    bundle = read_bundle(path, *kinds, mapped=mapped)
    try:
        return make(bundle)
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(f"{path} is not a complete {bundle.kind} solution: {error}") from None


def read_bundle(path: str | Path, *kinds: str, mapped: bool = False) -> Bundle:
    """The solution in `path`, every checksum verified; one of `kinds` where some are named.

    With `mapped`, large arrays are mapped, read-only, instead of read: for a caller that copies them elsewhere.
    """
    path = Path(path)
    return _steadily(path, lambda place: _read(place, path, kinds, mapped))


def _steadily(path: Path, read: Callable[[Path], Found]) -> Found:
    """What `read` finds where the solution `path` is, asked again where that was moved or replaced meanwhile."""
    for _ in range(_TRIES):
        place, identity = _present(path)
        try:
            return read(place)
        except SolutionError:
            if _present(path) == (place, identity):
                raise
    return read(_present(path)[0])


def _read(place: Path, path: Path, kinds: tuple[str, ...], mapped: bool) -> Bundle:
    """What `place` holds of the solution that is called `path`."""
    meta = _meta(place, path)
    if kinds and meta["kind"] not in kinds:
        raise SolutionError(f"{path} is a {meta['kind']} solution; a {' or '.join(kinds)} solution is needed here")
    arrays: dict[str, np.ndarray] = {}
    try:
        for name, expected in meta["sha256"].items():
            file = place / name
            if file.parent != place or not file.is_file():
                raise SolutionError(f"{path} is incomplete: {name} is missing")
            if _sha256(file) != expected:
                raise SolutionError(f"{path} is damaged: {name} does not match its checksum")
            if name == _NETWORKS:
                arrays |= _read_networks(file)
            if name.endswith(".npy"):
                arrays[name.removesuffix(".npy")] = _read_array(file, mapped and file.stat().st_size >= _MAPPED)
        config = yaml.safe_load((place / "config.yaml").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SolutionError(f"{path} is incomplete: {Path(str(error.filename)).name} is missing") from None
    except (UnicodeDecodeError, yaml.YAMLError):
        config = None
    if not isinstance(config, dict):
        raise SolutionError(f"{path} is damaged: config.yaml holds no settings")
    return Bundle(meta["kind"], config, meta["reached"], arrays)


def _read_array(file: Path, mapped: bool) -> np.ndarray:
    try:
        return np.load(file, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (ValueError, EOFError):  # its checksum fits, so it was written like this: not by Runout
        raise SolutionError(f"{file.parent} is damaged: {file.name} holds no plain array") from None


def recover(path: Path) -> None:
    """Bring back the solution that was being replaced in `path` when a crash came between the two renames.

    Does nothing while somebody is about to rename the new one.
    """
    old, fresh = _sibling(path, "old"), _sibling(path, "new")
    if path.exists() or not old.is_dir():
        return
    with suppress(OSError), files.FileLock(fresh, wait=False) if fresh.is_dir() else nullcontext():  # BlockingIOError
        old.rename(path)


def _present(path: Path) -> tuple[Path, tuple[int, int] | None]:
    """Where the solution `path` is now, under its name or set aside by who is about to replace it, and which it is."""
    recover(path)
    old = _sibling(path, "old")
    place = old if not path.exists() and old.is_dir() else path
    try:
        found = (place / "meta.json").stat()
    except OSError:
        return place, None
    return place, (found.st_ino, found.st_mtime_ns)


def read_meta(path: Path) -> dict[str, Any]:
    """The checked contents of meta.json alone: enough to list a folder of solutions."""
    return _steadily(path, lambda place: _meta(place, path))


def _meta(place: Path, path: Path) -> dict[str, Any]:
    try:
        meta = json.loads((place / "meta.json").read_text(encoding="utf-8"))
        version, sums = meta["format"], meta["sha256"]
        complete = isinstance(meta["kind"], str) and isinstance(meta["reached"], dict)
        complete = complete and isinstance(sums, dict) and "config.yaml" in sums
    except (FileNotFoundError, NotADirectoryError):
        if path.is_dir():
            raise SolutionError(f"{path} has no meta.json, so it is not a Runout solution") from None
        raise SolutionError(
            f"{path} is a file, not a Runout solution" if path.exists() else f"{path} does not exist"
        ) from None
    except (ValueError, KeyError, TypeError, OSError):
        raise SolutionError(f"{path} is damaged: meta.json cannot be read") from None
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise SolutionError(f"{path} has format {version}; this Runout reads up to {FORMAT_VERSION}: update Runout")
    if not complete:
        raise SolutionError(f"{path} is damaged: meta.json lacks its kind, what was reached or its checksums")
    return meta


def solution_path(path: str | Path) -> Path:
    """`path` itself, or the newest checkpoint where it is the directory of a training run."""
    path = Path(path)
    return path if (path / "meta.json").exists() else latest_checkpoint(path) or path


def latest_checkpoint(run: Path) -> Path | None:
    """The newest complete checkpoint of a training run; None where there is none."""
    link = run / LATEST
    if (link / "meta.json").exists():
        return link.resolve()
    return next(reversed(checkpoints(run)), None)  # killed before the first link was made


def checkpoints(run: Path) -> list[Path]:
    """The complete checkpoints of a training run, oldest first."""
    found = []
    for path in run.glob(f"{CHECKPOINT}*"):
        try:
            read_meta(path)
            found.append((int(path.name.removeprefix(CHECKPOINT)), path))
        except (SolutionError, ValueError):
            continue
    return [path for _, path in sorted(found)]


def strip_state(path: str | Path) -> None:
    """Drop what is needed only to resume (arrays whose names begin with STATE), so that the solution alone is left."""
    path = Path(path)
    meta = read_meta(path)
    dropped = [name for name in meta["sha256"] if name.startswith(STATE)]
    if not dropped:
        return
    meta["sha256"] = {name: sum_ for name, sum_ in meta["sha256"].items() if name not in dropped}
    files.write_text(path / "meta.json", json.dumps(meta, indent=2) + "\n")
    try:  # from here on the files are not part of the solution
        for name in dropped:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise SolutionError(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Refuse, before any work is done, a path that a solution could not be written to."""
    parent = path.absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise SolutionError(f"cannot write {path}: {parent} is no directory that you may write to")
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    try:
        read_meta(path)
    except SolutionError:
        raise SolutionError(
            f"{path} exists and is not a Runout solution: choose another name, nothing was overwritten"
        ) from None


def _sibling(path: Path, role: str) -> Path:
    return path.absolute().with_name(f".{path.name}.{role}")


def _write_text(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
        files.flush(file)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
