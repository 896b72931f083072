"""A solution directory: config.yaml, meta.json, one .npy file an array, and networks in one safetensors file.

meta.json holds the format version, the kind, what was reached, the checksums of every other file by chunk (`stored`)
and one of itself. `output` says how a directory is written: by one writer at a time, and replaced as a whole. Nothing
is ever unpickled. Format 1, of Runout 0.1.0, has one checksum a file and none of meta.json.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import yaml

from runout import files
from runout.config import check_plain
from runout.errors import InputError, SolutionError
from runout.solutions.output import Output, held, recover, sibling
from runout.solutions.stored import FileSums, StoredArray, StoredFile

Found = TypeVar("Found")

FORMAT_VERSION = 2
STATE = "state_"  # prefix of arrays that are needed only to resume
NETWORK = "network_"  # prefix of arrays that are weights of networks
CHECKPOINT, LATEST = "checkpoint_", "latest"  # of a training run: checkpoint_N, and a link to the newest
FLOPS = "flops_"  # beside checkpoint_N, where its flops have files of their own: flops_N
FLOP_PART = "exact-flop"  # the kind of such a file: a part of a solution, nothing to be opened by itself
_NETWORKS, _CONFIG, _META = "networks.safetensors", "config.yaml", "meta.json"
_TRIES = 5  # to read a solution that is replaced again and again
_MAPPED = 1 << 20  # bytes from which on a file is read by parts where that is asked for
_META_BYTES = 1 << 26  # of a meta.json that is read at all
_MISFITS = (ArithmeticError, LookupError, AttributeError, TypeError, ValueError, RuntimeError, MemoryError)


@dataclass(frozen=True, slots=True, repr=False)
class Bundle:
    """What a solution directory holds."""

    kind: str  # "tabular", "postflop", ...
    config: dict[str, Any]  # what was asked
    reached: dict[str, Any]  # iterations, exploitability, unit, ...
    arrays: dict[str, np.ndarray]  # or, where asked for, `StoredArray`s in place of large ones
    checked: bool = True  # False: meta.json has no checksum, an older Runout wrote it

    def __repr__(self) -> str:
        return (
            f"Bundle({self.kind}, {len(self.arrays)} arrays, {sum(one.nbytes for one in self.arrays.values()):,} bytes)"
        )


_BLUEPRINTS = Path(__file__).parents[1] / "blueprints"


def write_bundle(path: str | Path | Output, bundle: Bundle) -> None:
    """Write `bundle` as the directory `path`, replacing a solution that is there and refusing anything else."""
    with held(path) as output:
        assert output is not None
        check_replaceable(output.place)
        with output.replacing() as fresh:
            _write_files(fresh, bundle)


def _write_files(fresh: Path, bundle: Bundle) -> None:
    networks = {name: array for name, array in bundle.arrays.items() if name.startswith(NETWORK)}
    if networks:
        _write_networks(fresh / _NETWORKS, networks)
    for name, array in bundle.arrays.items():
        if name not in networks:
            with open(fresh / f"{name}.npy", "wb") as file:
                np.save(file, np.asarray(array), allow_pickle=False)
                files.flush(file)
    _write_text(fresh / _CONFIG, yaml.safe_dump(bundle.config, sort_keys=False, allow_unicode=True))
    sums = {file.name: FileSums.of(file).told() for file in sorted(fresh.iterdir())}
    meta = {"format": FORMAT_VERSION, "kind": bundle.kind, "reached": bundle.reached, "files": sums}
    _write_text(fresh / _META, meta_text(meta))


def meta_text(meta: dict[str, Any]) -> str:
    """meta.json, its own checksum with it where its format has one."""
    if meta["format"] < 2:
        return json.dumps(meta, indent=2) + "\n"
    meta = {name: value for name, value in meta.items() if name != "checksum"}
    return json.dumps({**meta, "checksum": _checksum(meta)}, indent=2) + "\n"


def _checksum(meta: dict[str, Any]) -> str:
    text = json.dumps({name: value for name, value in meta.items() if name != "checksum"}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _write_networks(path: Path, networks: dict[str, np.ndarray]) -> None:
    from safetensors.numpy import save

    with open(path, "wb") as file:
        file.write(save({name: np.ascontiguousarray(array) for name, array in networks.items()}))
        files.flush(file)


def _read_networks(file: StoredFile) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(file.read())
    except (SafetensorError, *_MISFITS):
        raise file.damaged("holds no networks") from None


def read_solution(path: str | Path, make: Callable[[Bundle], Found], *kinds: str, mapped: bool = False) -> Found:
    """What `make` makes of the solution in `path`, one of `kinds`; refused where it lacks something or does not fit."""
    bundle = read_bundle(path, *kinds, mapped=mapped)
    try:
        return placed(make(bundle), Path(path))
    except SolutionError:
        raise
    except (InputError, *_MISFITS) as error:
        raise SolutionError(f"{path} is not a complete {bundle.kind} solution: {error}") from None


def placed(solution: Found, path: Path) -> Found:
    """A solution that is in the directory `path` and knows it, so that another process can load it."""
    if hasattr(solution, "__dict__"):
        solution.__dict__["path"] = path.absolute()
    return solution


def read_bundle(path: str | Path, *kinds: str, mapped: bool = False) -> Bundle:
    """The solution in `path`, every checksum verified; one of `kinds` where some are named.

    With `mapped`, large arrays are `StoredArray`s, whose parts are read and verified when they are asked for.
    """
    path = Path(path)
    return _steadily(path, lambda place: _read(place, path, kinds, mapped))


def read_settings(path: str | Path) -> Bundle:
    """A solution without its arrays: kind, settings and what it reached."""
    path = Path(path)

    def read(place: Path) -> Bundle:
        meta = _meta(place, path)
        return Bundle(meta["kind"], _config(_stored(place, path, meta, _CONFIG)), meta["reached"], {}, _signed(meta))

    return _steadily(path, read)


def _steadily(path: Path, read: Callable[[Path], Found]) -> Found:
    """What `read` finds where the solution `path` is, asked again where that was moved or replaced meanwhile."""
    for _ in range(_TRIES):
        place, identity = _present(path)
        try:
            found = read(place)
        except SolutionError:
            if _present(path) == (place, identity):
                raise
        else:
            if _present(path) == (place, identity):  # else files of two solutions may be in it
                return found
    return read(_present(path)[0])


def _read(place: Path, path: Path, kinds: tuple[str, ...], mapped: bool) -> Bundle:
    """What `place` holds of the solution that is called `path`."""
    meta = _meta(place, path)
    if kinds and meta["kind"] not in kinds:
        raise SolutionError(f"{path} is a {meta['kind']} solution; a {' or '.join(kinds)} solution is needed here")
    arrays: dict[str, Any] = {}
    for name in sorted(_listed(meta)):
        file = _stored(place, path, meta, name)
        if name == _NETWORKS:
            arrays |= _read_networks(file)
        elif name.endswith(".npy"):
            array = StoredArray(file)
            arrays[name.removesuffix(".npy")] = array if mapped and file.size >= _MAPPED else _whole(array)
        elif name != _CONFIG:
            file.check()
    return Bundle(meta["kind"], _config(_stored(place, path, meta, _CONFIG)), meta["reached"], arrays, _signed(meta))


def _whole(array: StoredArray) -> np.ndarray:
    found = array.whole()
    found.flags.writeable = True
    return found


def _stored(place: Path, path: Path, meta: dict[str, Any], name: str) -> StoredFile:
    """A file that meta.json lists, opened; its sums are of format 2, those of format 1 are verified at once."""
    file = place / name
    if file.parent != place or not file.is_file():
        raise SolutionError(f"{path} is incomplete: {name} is missing")
    try:
        told = _listed(meta)[name]
        if not isinstance(told, str):
            return StoredFile(file, FileSums.read(told), path)
        if _sha256(file) != told:
            raise SolutionError(f"{path} is damaged: {name} does not match its checksum")
        return StoredFile(file, FileSums.of(file), path)
    except FileNotFoundError:
        raise SolutionError(f"{path} is incomplete: {name} is missing") from None
    except OSError as error:
        raise SolutionError(f"{path} cannot be read: {name}: {error.strerror or error}") from None


def _config(file: StoredFile) -> dict[str, Any]:
    try:
        config = yaml.safe_load(file.read().decode())
        check_plain(config)
    except (yaml.YAMLError, InputError, *_MISFITS):
        config = None
    if not isinstance(config, dict):
        raise file.damaged("holds no settings")
    return config


def _present(path: Path) -> tuple[Path, tuple[int, int] | None]:
    """Where the solution `path` is now, under its name or set aside by who is about to replace it, and which it is."""
    try:
        recover(path)
        old = sibling(path, "old")
        place = old if not path.exists() and old.is_dir() else path
        found = (place / _META).stat()
    except OSError:
        return path, None
    return place, (found.st_ino, found.st_mtime_ns)


def read_meta(path: Path) -> dict[str, Any]:
    """The checked contents of meta.json alone: enough to list a folder of solutions."""
    return _steadily(path, lambda place: _meta(place, path))


def _meta(place: Path, path: Path) -> dict[str, Any]:
    try:
        with open(place / _META, encoding="utf-8") as file:
            text = file.read(_META_BYTES)
        meta: dict[str, Any] = json.loads(text, parse_float=_finite, parse_constant=_finite)
        version = meta["format"]
    except (FileNotFoundError, NotADirectoryError):
        if path.is_dir():
            raise SolutionError(f"{path} has no meta.json, so it is not a Runout solution") from None
        raise SolutionError(
            f"{path} is a file, not a Runout solution" if path.exists() else f"{path} does not exist"
        ) from None
    except (OSError, *_MISFITS):
        raise SolutionError(f"{path} is damaged: meta.json cannot be read") from None
    if type(version) is not int or version > FORMAT_VERSION:
        raise SolutionError(
            f"{path} has format {version!r:.20}; this Runout reads up to {FORMAT_VERSION}: update Runout"
        )
    if version >= 2 and meta.get("checksum") != _checksum(meta):
        raise SolutionError(f"{path} is damaged: meta.json does not match its checksum")
    try:
        complete = isinstance(meta["kind"], str) and isinstance(meta["reached"], dict) and _CONFIG in _listed(meta)
        for one in _listed(meta).values():
            complete = complete and (isinstance(one, str) if version < 2 else FileSums.read(one) is not None)
    except _MISFITS:
        complete = False
    if not complete:
        raise SolutionError(f"{path} is damaged: meta.json lacks its kind, what was reached or its checksums")
    return meta


def _listed(meta: dict[str, Any]) -> dict[str, Any]:
    """The sums of each file by its name: what `FileSums` reads or, in format 1, one sha256."""
    found: dict[str, Any] = meta["sha256" if meta["format"] < 2 else "files"]
    return found


def _signed(meta: dict[str, Any]) -> bool:
    return "checksum" in meta


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number to be stored")
    return number


def verify(path: Path) -> str:
    """Read every byte of a solution against its checksums: a line that says what is there; SolutionError if damaged."""

    def read(place: Path) -> str:
        meta = _meta(place, path)
        total = 0
        for name in sorted(_listed(meta)):
            file = _stored(place, path, meta, name)
            file.check()
            total += file.size
            if name.endswith(".npy"):
                StoredArray(file)
        _read(place, path, (), mapped=True)
        note = (
            "" if _signed(meta) else "; meta.json has no checksum (saved by Runout 0.1): what was reached is unchecked"
        )
        return f"{meta['kind']}, {len(_listed(meta))} files, {total:,} bytes, every checksum fits{note}"

    return _steadily(path, read)


def solution_path(path: str | Path) -> Path:
    """`path` itself, the newest checkpoint where it is the directory of a training run, or, where there is no such
    directory, the blueprint of that name which comes with Runout: `100bb`."""
    path = Path(path)
    if (path / "meta.json").exists():
        return path
    shipped = {found.name: found for found in shipped_blueprints().values()}
    return latest_checkpoint(path) or (path if path.exists() else shipped.get(str(path), path))


def shipped_blueprints() -> dict[float, Path]:
    """The whole games that come with Runout, by stack in big blinds."""
    found = {float(path.name.removesuffix("bb")): path for path in _BLUEPRINTS.glob("*bb")}
    return dict(sorted(found.items()))


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
    dropped = [name for name in _listed(meta) if name.startswith(STATE)]
    if not dropped:
        return
    for name in dropped:
        del _listed(meta)[name]
    files.write_text(path / _META, meta_text(meta))
    try:  # from here on the files are not part of the solution
        for name in dropped:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise SolutionError(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(path: Path) -> None:
    """Refuse, before any work is done, a path that a solution could not be written to, or that somebody writes to."""
    with Output(path) as output:
        check_replaceable(output.place)


def check_replaceable(path: Path) -> None:
    """Refuse to replace what is no solution."""
    try:
        if not path.exists() or (path.is_dir() and not any(path.iterdir())):
            return
        read_meta(path)
    except (SolutionError, OSError):
        raise SolutionError(
            f"{path} exists and is not a Runout solution: choose another name, nothing was overwritten"
        ) from None


def _write_text(path: Path, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
        files.flush(file)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
