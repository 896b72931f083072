"""Solutions in one file: a plain tar whose folders are the directories of solutions, so that `tar xf` opens it too.

`packed` gives the bytes as they are sent; `unpacked` reads a file that may come from anywhere: only the files of
solutions, one folder deep, are taken, each solution is checked against its checksums, and nothing is overwritten.
"""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from runout.errors import SolutionError
from runout.solutions.format import verify

NAME = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}"
MOST_FILES = 10_000
_CHUNK = 1 << 20
_BLOCK = tarfile.BLOCKSIZE


def packed(solutions: Mapping[str, Path], extra: Mapping[str, bytes] | None = None) -> Iterator[bytes]:
    """A tar of solutions by name, in pieces; `extra`: small files beside them."""
    for name, path in solutions.items():
        for file in sorted(one for one in path.iterdir() if one.is_file()):
            yield from _file(f"{name}/{file.name}", file)
    for name, body in (extra or {}).items():
        yield _header(name, len(body))
        yield body + _padding(len(body))
    yield bytes(2 * _BLOCK)


def _file(name: str, file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        size = file.stat().st_size
        yield _header(name, size)
        left = size
        while left and (chunk := opened.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
        if left:
            raise SolutionError(f"{file} became shorter while it was read: it is being replaced, try again")
        yield _padding(size)


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o644
    return info.tobuf(tarfile.GNU_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)


def unpacked(file: Path, into: Path) -> tuple[list[Path], dict[str, bytes]]:
    """The solutions of a tar as directories under `into`, all of them checked, and the small files beside them.

    A SolutionError names what is wrong with a file that is no such tar, or with the first solution that is damaged.
    """
    extra: dict[str, bytes] = {}
    try:
        with tarfile.open(file, "r:") as tar:
            for number, member in enumerate(tar):
                if number >= MOST_FILES:
                    raise SolutionError(f"the file holds more than {MOST_FILES:,} files: pack fewer solutions at once")
                _take(tar, member, into, extra)
    except (tarfile.TarError, EOFError) as error:
        raise SolutionError(f"the file is no archive of solutions: {error}") from None
    found = sorted(path for path in into.iterdir() if path.is_dir())
    if not found:
        raise SolutionError("the file holds no solutions")
    for path in found:
        if not (path / "meta.json").is_file():
            raise SolutionError(f"{path.name} in the file is no solution: it has no meta.json")
        try:
            verify(path)
        except SolutionError as error:
            raise SolutionError(str(error).replace(str(path), path.name)) from None
    return found, extra


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, into: Path, extra: dict[str, bytes]) -> None:
    if member.isdir():
        return
    source = tar.extractfile(member) if member.isreg() else None
    if source is None:
        raise SolutionError(f"{member.name[:100]!r} in the file is no plain file")
    if re.fullmatch(NAME, member.name) and member.size <= _CHUNK:
        extra[member.name] = source.read()
        return
    if not re.fullmatch(f"{NAME}/{NAME}", member.name):
        raise SolutionError(f"{member.name[:100]!r} in the file is no file of a solution")
    place = into / member.name
    place.parent.mkdir(exist_ok=True)
    with place.open("xb") as out:
        shutil.copyfileobj(source, out, _CHUNK)
