"""Damaged and crafted solutions: refused in one line, or read; never believed against a checksum, never a crash."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from runout.cursors.load import load
from runout.errors import RunoutError
from runout.explorers import open_explorer
from runout.solutions.format import meta_text, verify
from runout.solutions.stored import FileSums
from torture.tally import Tally, in_child

BATCH = 20  # trials that a child does before the next one is made


def _used(path: Path) -> str:
    """Look at a solution: 'refused' in a RunoutError, or 'read'."""
    try:
        explorer = open_explorer(load(path))
        explorer.at("")
    except RunoutError as error:
        return "refused" if len(str(error).splitlines()) == 1 else f"wrong: {error}"
    return "read"


def warm_up(examples: dict[str, Path]) -> None:
    """Read and compile once what every child would have to read and load again."""
    for example in examples.values():
        _used(example)


def _batches(tally: Tally, folder: Path, seeds: list[int], trial: Callable[[Path, random.Random], str | None]) -> None:
    """Trials in children, so that one that crashes does not take the others along."""
    for first in range(0, len(seeds), BATCH):
        batch = seeds[first : first + BATCH]

        def run(batch: list[int] = batch) -> list[str | None]:
            return [trial(folder, random.Random(seed)) for seed in batch]

        said, found = in_child(run, 120)
        if said == "done":
            tally.tried += len(batch)
            for one in found:
                if one is not None:
                    kind, _, note = one.partition(": ")
                    tally.fail(kind, note)
            continue
        for seed in batch:  # one by one, to know which
            said, found = in_child(lambda seed=seed: trial(folder, random.Random(seed)))
            tally.tried += 1
            if said != "done":
                tally.fail("traceback" if said == "raised" else said, f"seed {seed}: {found[-600:]}")
            elif found is not None:
                tally.fail(*found.partition(": ")[::2])


def _copied(example: Path, folder: Path) -> Path:
    place = folder / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(example, place)
    return place


def damages(tally: Tally, examples: dict[str, Path], folder: Path, rng: random.Random, count: int) -> None:
    """Bytes changed, cut off, added, files emptied, swapped or gone: `verify` finds every one."""

    def trial(folder: Path, rng: random.Random) -> str | None:
        kind = rng.choice(sorted(examples))
        place = _copied(examples[kind], folder)
        file = rng.choice(sorted(place.iterdir()))
        content, what = (
            bytearray(file.read_bytes()),
            rng.choice(("flip", "cut", "add", "empty", "zero", "gone", "swap")),
        )
        if what == "flip":
            for _ in range(rng.choice((1, 1, 3, 20))):
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        elif what == "cut":
            del content[rng.randrange(len(content)) :]
        elif what == "add":
            content += rng.randbytes(rng.randrange(1, 100))
        elif what == "empty":
            content = bytearray()
        elif what == "zero":
            start = rng.randrange(len(content))
            content[start : start + 64] = bytes(len(content[start : start + 64]))
        elif what == "swap":
            content = bytearray(rng.choice(sorted(place.iterdir())).read_bytes())
        if bytes(content) == file.read_bytes() and what != "gone":
            return None
        if what == "gone":
            os.remove(file)
        else:
            file.write_bytes(content)
        used = _used(place)
        if used.startswith("wrong"):
            return used
        try:
            verify(place)
        except RunoutError:
            return None
        if file.name == "meta.json" and _same_json(content, examples[kind] / "meta.json"):
            return None  # white space
        return f"believed: {kind} {file.name} {what}"

    _batches(tally, folder, [rng.randrange(1 << 48) for _ in range(count)], trial)


def _same_json(content: bytes | bytearray, whole: Path) -> bool:
    try:
        return bool(json.loads(bytes(content)) == json.loads(whole.read_text()))
    except ValueError:
        return False


ODD: list[Any] = [
    -1, 0, 1, 10**30, -(10**30), 0.5, math.pi, 1e308, "", "x", "0", "\x00", "9" * 400, "../..", None, True, [], {},
    [[]], {"a": 1}, ["AA"] * 50, [[1, 2], [3]],
]  # fmt: skip


def crafted(tally: Tally, examples: dict[str, Path], folder: Path, rng: random.Random, count: int) -> None:
    """Files whose checksums fit and whose contents do not: refused in one line, or something to look at."""

    def trial(folder: Path, rng: random.Random) -> str | None:
        place = _copied(examples[rng.choice(sorted(examples))], folder)
        for _ in range(rng.choice((1, 1, 2))):
            arrays = sorted(place.glob("*.npy"))
            if arrays and rng.random() < 0.6:
                with suppress(Exception):  # what was crafted before may not be an array, or not of numbers
                    _craft_array(rng.choice(arrays), rng)
            else:
                _craft_text(place, rng)
        meta = json.loads((place / "meta.json").read_text())
        files = {file.name: FileSums.of(file).told() for file in place.iterdir() if file.name != "meta.json"}
        (place / "meta.json").write_text(meta_text(meta | {"files": files}))
        used = _used(place)
        return used if used.startswith("wrong") else None

    _batches(tally, folder, [rng.randrange(1 << 48) for _ in range(count)], trial)


def _craft_array(file: Path, rng: random.Random) -> None:
    array = np.load(file)
    flat = array.ravel()
    what = rng.randrange(10)
    if what == 0:
        array = array[: len(array) // 2] if array.ndim else array
    elif what == 1:
        array = np.concatenate([flat, flat])
    elif what == 2 and flat.size and array.dtype.kind in "iuf":
        flat = flat.copy()
        low = np.iinfo(array.dtype).min if array.dtype.kind in "iu" else -np.inf
        flat[rng.randrange(flat.size)] = low
        array = flat.reshape(array.shape)
    elif what == 3 and flat.size and array.dtype.kind == "f":
        flat = flat.copy()
        flat[rng.randrange(flat.size)] = np.nan
        array = flat.reshape(array.shape)
    elif what == 4:
        with np.errstate(all="ignore"):
            array = array.astype(rng.choice(["<f2", "<f8", "<i1", "<c8", "<U4", "?"]))
    elif what == 5:
        array = array.reshape(1, *array.shape)
    elif what == 6:
        array = np.zeros(0)
    elif what == 7 and array.dtype.kind in "iuf":
        array = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 1 << 31, array.shape).astype(array.dtype)
    elif what == 8:
        header = repr({"descr": "<f4", "fortran_order": rng.random() < 0.5, "shape": (10 ** rng.randrange(3, 30),)})
        file.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        return
    elif what == 9:
        file.write_bytes(rng.randbytes(rng.randrange(300)))
        return
    np.save(file, array)


def _craft_text(place: Path, rng: random.Random) -> None:
    if rng.random() < 0.5:
        meta = json.loads((place / "meta.json").read_text())
        target = rng.choice([meta, meta["reached"]])
        key = rng.choice(sorted(set(target) - {"files"}))
        if rng.random() < 0.2:
            del target[key]
        else:
            target[key] = rng.choice(ODD)
        meta.setdefault("format", 2)
        meta["format"] = meta["format"] if type(meta["format"]) is int else 2
        (place / "meta.json").write_text(json.dumps(meta))
        if not isinstance(meta.get("reached"), dict):
            (place / "meta.json").write_text(json.dumps(meta | {"reached": {}}))
        return
    import yaml

    config = yaml.safe_load((place / "config.yaml").read_text())
    target = config
    while True:
        key = rng.choice(sorted(target, key=str)) if target else "x"
        if isinstance(target.get(key), dict) and rng.random() < 0.7:
            target = target[key]
            continue
        if rng.random() < 0.2:
            target.pop(key, None)
        else:
            target[key] = rng.choice(ODD)
        break
    (place / "config.yaml").write_text(yaml.safe_dump(config))
