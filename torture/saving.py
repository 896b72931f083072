"""Kills while saving, two writers, full disks: nothing may be lost."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runout.errors import SolutionError
from runout.run.training_directory import TrainingDirectory
from runout.solutions.format import Bundle, latest_checkpoint, read_bundle, verify, write_bundle
from torture.tally import Tally, in_child

RUNOUT = [sys.executable, "-m", "runout"]
EVENTS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "shutil.rmtree", "os.symlink"}


def numbered(bundle: Bundle, number: int) -> Bundle:
    """The same solution, told apart by a number."""
    return Bundle(bundle.kind, bundle.config, bundle.reached | {"number": number}, bundle.arrays)


def _held(path: Path) -> int | None:
    """The number of the solution that is there, every byte of it verified; None where none is."""
    try:
        verify(path)
        return int(read_bundle(path).reached["number"])
    except SolutionError:
        return None


def kills_while_saving(tally: Tally, examples: dict[str, Path], folder: Path, rng: random.Random, count: int) -> None:
    """SIGKILL at a random moment to a process that saves again and again."""
    place = folder / "killed"
    for trial in range(count):
        bundle = read_bundle(rng.choice(list(examples.values())))
        shutil.rmtree(place, ignore_errors=True)
        write_bundle(place, numbered(bundle, 0))
        child = os.fork()
        if child == 0:
            number = 0
            while True:
                number += 1
                write_bundle(place, numbered(bundle, number))
        time.sleep(rng.uniform(0.001, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        tally.tried += 1
        if _held(place) is None:
            tally.fail("lost", f"trial {trial}: {sorted(os.listdir(folder))}")
            continue
        write_bundle(place, numbered(bundle, -1))  # whoever comes next can write
        if _held(place) != -1 or any(one.name.startswith(".killed") for one in folder.iterdir()):
            tally.fail("wrong", f"trial {trial}: left {sorted(os.listdir(folder))}")


def kills_at_every_event(tally: Tally, examples: dict[str, Path], folder: Path, limit: float) -> None:
    """A save that is killed at its first file event, its second, and so on to its last: solutions, checkpoints."""
    ends = time.monotonic() + limit
    for kind, example in examples.items():
        bundle = read_bundle(example)
        for what in ("solution", "checkpoint"):
            event, over = 0, False
            while not over and time.monotonic() < ends:
                event += 1
                place = folder / "events"
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
                run = TrainingDirectory(place, keep=2)
                if what == "checkpoint":
                    for number in (1, 2):
                        run.save(number, numbered(bundle, number))
                else:
                    write_bundle(place / "x", numbered(bundle, 1))

                def save(
                    event: int = event, run: TrainingDirectory = run, what: str = what, bundle: Bundle = bundle
                ) -> None:
                    left = [event]

                    def hook(name: str, _: Any) -> None:
                        if name in EVENTS:
                            left[0] -= 1
                            if left[0] == 0:
                                os.kill(os.getpid(), signal.SIGKILL)

                    sys.addaudithook(hook)
                    if what == "checkpoint":
                        run.save(3, numbered(bundle, 3))
                    else:
                        write_bundle(run.path / "x", numbered(bundle, 3))

                said, _ = in_child(save)
                over = said == "done"
                tally.tried += 1
                newest = latest_checkpoint(place) if what == "checkpoint" else place / "x"
                if newest is None or _held(newest) not in (1, 2, 3):
                    tally.fail("lost", f"{kind} {what} at event {event}")
                elif over and _held(newest) != 3:
                    tally.fail("wrong", f"{kind} {what}: saved, and an older one is there")


def killed_commands(tally: Tally, folder: Path, rng: random.Random, count: int) -> None:
    """Whole commands that are ended by a signal at any moment; what was saved before is there after, and goes on."""
    place = folder / "command"
    common = ["game", "kuhn", "-a", "cfr", "-n", "50000000", "--save-every", "0", "--json", "-q"]
    subprocess.run([*RUNOUT, *common[:4], "-n", "10", "-o", str(place), "-q"], check=True, stdout=subprocess.DEVNULL)
    last = 10
    for _ in range(count):
        how = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        process = subprocess.Popen(
            [*RUNOUT, *common, "--resume", str(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        time.sleep(rng.uniform(0.0, 6.0))
        process.send_signal(how)
        try:
            _, said = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            tally.fail("hang", f"after {how.name}")
            continue
        if "Traceback" in said and f"{os.sep}runout{os.sep}" not in said:
            continue  # Python itself was still starting
        tally.tried += 1
        if "Traceback" in said:
            tally.fail("traceback", said)
        if process.returncode not in (-how, 128 + how):
            tally.fail("wrong", f"{how.name} gives status {process.returncode}: {said}")
        try:
            verify(place)
            now = int(read_bundle(place).reached["iterations"])
        except SolutionError as error:
            tally.fail("lost", str(error))
            continue
        if now < last:
            tally.fail("lost", f"{last} iterations before, {now} after")
        last = now


def two_writers(tally: Tally, folder: Path, count: int) -> None:
    """Two commands and one directory: one writes, the other is told so, in one line and with status 2."""
    kuhn = ["game", "kuhn", "-n", "3000000", "-a", "cfr", "--save-every", "0", "-q"]
    train = ["train", "-c", "configs/train/kuhn.yaml", "--solver", "sequence", "-n", "3000000", "--seconds", "6", "-q"]
    for trial in range(count):
        arguments, place = (kuhn, folder / "both") if trial % 2 else (train, folder / f"run{trial}")
        processes = [
            subprocess.Popen(
                [*RUNOUT, *arguments, "-o", str(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        said = [process.communicate(timeout=120) for process in processes]
        statuses = sorted(process.returncode for process in processes)
        tally.tried += 1
        errors = "".join(error for _, error in said)
        if "Traceback" in errors:
            tally.fail("traceback", errors)
        if statuses != [0, 2] or "is being written by process" not in errors:
            tally.fail("wrong", f"{statuses}: {errors}")
        try:
            newest = latest_checkpoint(place) if trial % 2 == 0 else place
            verify(newest or place)
        except SolutionError as error:
            tally.fail("lost", str(error))


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path | None]:
    """A disk of `size` bytes; None where this user may not mount one."""
    place = folder / "disk"
    place.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=False)


def full_disks(tally: Tally, folder: Path, rng: random.Random, count: int) -> None:
    """A disk that fills up while a command runs: it goes on, says so, prints its result and keeps it elsewhere."""
    for _ in range(count):
        with small_disk(folder, 2_000_000) as disk:
            if disk is None:
                tally.notes.append("left out: this user may not mount a disk")
                return
            command = [
                *RUNOUT,
                "game",
                "leduc",
                "-n",
                "3000",
                "--save-every",
                "0",
                "--json",
                "-q",
                "-o",
                str(disk / "x"),
            ]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(rng.uniform(0.5, 4.0))
            try:
                with open(disk / "filler", "wb") as file:
                    file.write(b"x" * 4_000_000)
            except OSError:
                pass
            out, said = process.communicate(timeout=120)
            tally.tried += 1
            if "Traceback" in said:
                tally.fail("traceback", said)
            refused = process.returncode == 2 and len(said.splitlines()) == 1
            if not refused and '"exploitability"' not in out:
                tally.fail("lost", f"no result, status {process.returncode}: {said}")
            for line in said.splitlines():
                if "saved to " in line:
                    rescued = Path(line.partition("saved to ")[2].removesuffix(" instead"))
                    if rescued.exists():
                        verify(rescued)
                        shutil.rmtree(rescued.parent, ignore_errors=True)


def limited() -> None:
    """Keep a child from taking the machine's memory along."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
