"""Metrics of a training run to TensorBoard and Weights & Biases, where they are installed and asked for."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from runout.config import read_yaml
from runout.errors import InputError
from runout.protocols import Event

Note = Callable[[int, dict[str, float]], None]


@contextmanager
def training_logs(names: str, folder: Path) -> Iterator[Callable[[Event], None]]:
    """A listener that passes measurements on to the logs between commas in `names`; files go below `folder`.

    They are opened with the first measurement, so that a run that is refused leaves nothing behind.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        _require(name)
    with ExitStack() as stack:
        notes: list[Note] = []

        def hear(event: Event) -> None:
            if event.kind != "progress":
                return
            if not notes:
                notes.extend(stack.enter_context(LOGS[name](folder)) for name in wanted)
            row = dict(event.metrics)
            if event.exploitability is not None:
                row["exploitability"] = event.exploitability
            for note in notes:
                note(event.iteration, row)

        yield hear


def _require(name: str) -> None:
    if name not in LOGS:
        raise InputError(f"unknown log {name!r}: use {' or '.join(LOGS)}")
    if importlib.util.find_spec(name) is None:
        raise InputError(f"{name} is not installed: pip install 'runout[logging]', or leave out --log")


@contextmanager
def _tensorboard(folder: Path) -> Iterator[Note]:
    from tensorboard.compat.proto.event_pb2 import Event as Record
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(folder / "tensorboard"))

    def note(iteration: int, row: dict[str, float]) -> None:
        values = [Summary.Value(tag=name, simple_value=value) for name, value in row.items()]
        writer.add_event(Record(step=iteration, summary=Summary(value=values)))

    try:
        yield note
    finally:
        writer.close()


@contextmanager
def _wandb(folder: Path) -> Iterator[Note]:
    import wandb

    mode = os.environ.get("WANDB_MODE", "offline")  # W&B's own switch: online, offline or disabled
    settings = wandb.Settings(mode=mode, silent=True, console="off", x_disable_stats=True, x_disable_meta=True)
    asked, name = read_yaml(folder / "config.yaml"), str(folder.resolve())
    run = wandb.init(
        project="runout", name=folder.name, dir=str(folder), settings=settings, config=asked,
        id=hashlib.sha256(name.encode()).hexdigest()[:12], resume="allow",
    )  # fmt: skip
    try:
        yield lambda iteration, row: run.log(row, step=iteration)
    finally:
        run.finish()


LOGS = {"tensorboard": _tensorboard, "wandb": _wandb}
