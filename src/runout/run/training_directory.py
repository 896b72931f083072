"""The directory of a training run.

    config.yaml         what was asked
    metrics.jsonl       one line per measurement
    checkpoint_N/       after N iterations, each a solution; the newest can be resumed
    flops_N/            of an exact game: what was learnt on each flop, beside the newest checkpoint
    latest              a link to the newest
    .lock               says who writes, while somebody does

A run that is killed at any moment leaves the last complete checkpoint: a directory appears under its name only when all
of it is written, the link moves after that, and only then does an older checkpoint lose what resuming it needs.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import yaml

from runout import files
from runout.config import read_yaml
from runout.errors import InputError, RunoutError, SolutionError
from runout.run.train_config import TrainConfig
from runout.solutions.format import (
    CHECKPOINT,
    FLOPS,
    LATEST,
    Bundle,
    checkpoints,
    latest_checkpoint,
    read_bundle,
    strip_state,
    write_bundle,
)

_TAIL = 1 << 16  # bytes at the end of metrics.jsonl
CONFIG, METRICS, LOCK = "config.yaml", "metrics.jsonl", ".lock"


class TrainingDirectory:
    """Where a run writes; `check`, then `open` it."""

    def __init__(self, path: str | Path, keep: int = 5) -> None:
        self.path, self.keep = Path(path), keep
        self._waiting: list[str] = []  # lines that could not be written yet

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs off the directory, which is made where it is missing and goes again where it stays empty."""
        made: list[Path] = []
        try:
            for folder in reversed([self.path, *self.path.parents]):
                if not folder.exists():
                    folder.mkdir()
                    made.append(folder)
            lock = files.FileLock(self.path / LOCK, wait=False)
        except files.Held as held:
            raise InputError(
                f"{self.path} is being written by {held}: wait until that is done, or choose another output_dir"
            ) from None
        except OSError as error:
            raise SolutionError(f"cannot write {self.path}: {error.strerror or error}") from None
        try:
            with lock:
                yield
        finally:
            for folder in reversed(made):
                with suppress(OSError):  # something is in it
                    folder.rmdir()

    def check(self, config: TrainConfig, resume: bool) -> None:
        """Refuse a directory that holds something else than the run to be started or resumed; writes nothing."""
        held = self._held()
        if held is None:
            return
        differs = held.difference(config)
        if differs is not None:
            raise InputError(f"{self.path} holds another run: there {differs} here; choose another output_dir")
        if not resume:
            raise InputError(f"{self.path} holds this run already: give --resume to continue it, or another output_dir")

    def last(self) -> Bundle | None:
        """The last complete checkpoint; None where there is none yet."""
        newest = self.latest()
        return None if newest is None else read_bundle(newest)

    def open(self, config: TrainConfig, iteration: int) -> None:
        """Begin, or continue from an iteration: what was measured after it is forgotten."""
        for stray in self.path.glob(f".{CHECKPOINT}*"):
            if not stray.name.endswith(".old"):  # that may be a solution to be brought back
                shutil.rmtree(stray, ignore_errors=True)
        self._write_config(config)
        self._cut_metrics(iteration)

    def latest(self) -> Path | None:
        """The newest complete checkpoint, the one to continue from."""
        return latest_checkpoint(self.path)

    def save(self, iteration: int, bundle: Bundle) -> Path:
        """Write a checkpoint, make it the latest one, and thin out the others."""
        path = self.path / f"{CHECKPOINT}{iteration}"
        write_bundle(path, bundle)
        link, fresh = self.path / LATEST, self.path / f".{LATEST}.new"
        fresh.unlink(missing_ok=True)
        try:
            fresh.symlink_to(path.name)
            os.replace(fresh, link)
        except OSError:  # Windows allows links to some users only; without a link the newest checkpoint is searched for
            link.unlink(missing_ok=True)
        others = [one for one in checkpoints(self.path) if one != path]
        for old in others[: max(0, len(others) + 1 - self.keep)]:
            gone = old.with_name(f".{old.name}.gone")  # never half a checkpoint under its name
            old.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        for old in others[max(0, len(others) + 1 - self.keep) :]:
            strip_state(old)
        for old in self.path.glob(f"{FLOPS}*"):
            if old.name != f"{FLOPS}{iteration}":
                shutil.rmtree(old, ignore_errors=True)
        return path

    def log(self, row: Mapping[str, Any]) -> None:
        """Append a line to metrics.jsonl; one that the disk does not take is written with the next."""
        self._waiting.append(json.dumps(row) + "\n")
        path = self.path / METRICS
        size = path.stat().st_size if path.exists() else 0
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write("".join(self._waiting))
                files.flush(file)
        except OSError:
            with suppress(OSError):
                os.truncate(path, size)
        else:
            self._waiting.clear()

    def rows(self, most: int | None = None) -> list[dict[str, Any]]:
        """All complete lines of metrics.jsonl; where there are more than `most`, about so many, the last among them."""
        try:
            lines = (self.path / METRICS).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        if most is not None and len(lines) > most:
            step = -(-len(lines) // most)
            lines = lines[(len(lines) - 1) % step :: step]
        return _parsed(lines)

    def last_rows(self) -> list[dict[str, Any]]:
        """The complete lines at the end of metrics.jsonl, a few hundred at most: what a list of runs shows."""
        try:
            with open(self.path / METRICS, "rb") as file:
                start = max(0, file.seek(0, os.SEEK_END) - _TAIL)
                file.seek(start)
                lines = file.read().decode("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return []
        return _parsed(lines[1:] if start else lines)

    def _cut_metrics(self, iteration: int) -> None:
        """Drop lines of iterations that will be done again."""
        kept = [row for row in self.rows() if row["iteration"] <= iteration] if iteration else []
        files.write_text(self.path / METRICS, "".join(json.dumps(row) + "\n" for row in kept))

    def _held(self) -> TrainConfig | None:
        """The run that is here; None where the directory is new or empty. Anything else is refused."""
        if not self.path.exists() or (self.path.is_dir() and not any(one.name != LOCK for one in self.path.iterdir())):
            return None
        refused = f"{self.path} exists and holds no training run: choose another name, nothing was overwritten"
        if not (self.path / CONFIG).is_file() or (self.path / "meta.json").exists():
            raise InputError(refused)
        try:
            return TrainConfig(**read_yaml(self.path / CONFIG))
        except (RunoutError, TypeError):
            raise InputError(refused) from None

    def _write_config(self, config: TrainConfig) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SolutionError(f"cannot write {self.path}: {error.strerror or error}") from None
        text = yaml.safe_dump(config.to_dict(), sort_keys=False, allow_unicode=True)
        files.write_text(self.path / CONFIG, text)


def _parsed(lines: list[str]) -> list[dict[str, Any]]:
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:  # killed in the middle of it
            break
    return found
