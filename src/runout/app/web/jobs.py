"""The queue of solves: one runs at a time, in a process of its own, and everything is taken up again after a crash.

A pause is a stop with all saved, so that it costs no memory and outlives the server; a resume continues from there to
the same numbers. The process hears that the server is gone by the end of its input, saves and ends.
"""

from __future__ import annotations

import json
import logging
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

from runout import files
from runout.app.web.errors import ApiError, not_found
from runout.app.web.events import Events
from runout.app.web.job_record import (
    DONE,
    FAILED,
    PAUSED,
    QUEUED,
    RUNNING,
    STOPPED,
    JobRecord,
    SolveJob,
    read_records,
    save_record,
    thinned,
)
from runout.app.web.library import Library
from runout.app.web.logs import JOBS
from runout.cursors.view import Summary
from runout.errors import InputError
from runout.games.preflop import Preflop
from runout.games.spot import Spot
from runout.kernels.threads import thread_count
from runout.run.resuming import with_solve
from runout.solutions.reached import MBB

MOST_QUEUED = 8
MOST_KEPT = 100  # finished jobs in the list
_SAVE_SECONDS = 5.0  # between writes of a running job's file
_CLOSE_SECONDS = 60.0  # that a solve has to save when the server goes down


class Jobs:
    """All jobs of a library. Every method may be called from any thread."""

    def __init__(self, library: Library, events: Events, on_saved: Callable[[str], None] | None = None) -> None:
        self.library, self.events, self.on_saved = library, events, on_saved
        self.folder = library.folder / ".jobs"
        self.folder.mkdir(exist_ok=True)
        self._held = _hold(self.folder / "server.lock")
        self._lock = threading.RLock()
        self._records: dict[str, JobRecord] = {}
        self._process: subprocess.Popen[str] | None = None
        self._watcher: threading.Thread | None = None
        self._closing = False

    def start(self) -> None:
        """Take up what an earlier server left: what ran is first in the queue."""
        with self._lock:
            for record in read_records(self.folder):
                if record.state == RUNNING:
                    record.state = {"pause": PAUSED, "stop": STOPPED}.get(record.asked or "", QUEUED)  # type: ignore[assignment]
                record.asked = None
                self._records[record.id] = record
                self._keep(record)
            self._advance()

    def close(self) -> None:
        """End the running solve with all saved; its file says that it runs, so the next server takes it up."""
        with self._lock:
            self._closing = True
            process, watcher = self._process, self._watcher
            if process is not None:
                self._hang_up(process)
        if watcher is not None:
            watcher.join(_CLOSE_SECONDS)
        if process is not None and process.poll() is None:
            process.kill()
        self._held.release()

    # What pages ask for

    def list(self) -> list[SolveJob]:
        """All jobs, the newest first."""
        with self._lock:
            return [one.seen() for one in sorted(self._records.values(), key=lambda one: -one.number)]

    def get(self, job: str) -> SolveJob:
        with self._lock:
            return self._record(job).seen()

    def of_solution(self, solution: str) -> str | None:
        """The job that is writing a solution, or will."""
        with self._lock:
            active = [one.id for one in self._records.values() if one.output == solution and _active(one)]
        return active[0] if active else None

    def add(self, spot: Spot, name: str | None = None, rivers: bool = True) -> SolveJob:
        """Queue a solve."""
        with self._lock:
            taken = [one.output for one in self._records.values()]
            output = self.library.new_name(name or spot.board.replace(" ", ""), taken)
            title = name or f"{spot.board.replace(' ', '')}, pot {spot.pot}, stack {spot.stack}"
            return self._queue(spot, output, title, rivers=rivers)

    def add_preflop(self, game: Preflop, name: str | None = None) -> SolveJob:
        """Queue a solve of a game before the flop."""
        with self._lock:
            taken = [one.output for one in self._records.values()]
            title = name or f"{game.name}, {game.stack_depth:g} bb"
            return self._queue(game, self.library.new_name(title, taken), title, kind="preflop", unit=MBB)

    def go_on(self, solution: str, spot: Spot, reached: Summary) -> SolveJob:
        """Queue more work on a solution of the library, which is replaced with every save."""
        with self._lock:
            if self.of_solution(solution) is not None:
                raise ApiError(409, f"a job is solving {solution!r} already: resume that one")
            done = {"iteration": reached.iterations, "exploitability": reached.exploitability}
            return self._queue(spot, solution, reached.title, solution=solution, elapsed=reached.seconds, **done)

    def _queue(self, spot: Spot | Preflop, output: str, title: str, **done: Any) -> SolveJob:
        self._room()
        if isinstance(spot, Spot):
            spot = with_solve(spot, threads=min(spot.solve.threads, thread_count()))  # each takes memory of its own
        record = JobRecord(
            id="j" + secrets.token_hex(6),
            title=title,
            target=spot.target_percent if isinstance(spot, Spot) else spot.solve.target,
            output=output,
            spot=spot.model_dump(mode="json", by_alias=True, exclude_none=True),
            number=self._last_number() + 1,
            **done,
        )
        self._records[record.id] = record
        self._prune()
        self._changed(record)
        self._advance()
        return record.seen()

    def pause(self, job: str) -> SolveJob:
        return self._halt(job, "pause")

    def stop(self, job: str) -> SolveJob:
        return self._halt(job, "stop")

    def resume(self, job: str) -> SolveJob:
        """Queue a job again that is paused, stopped or failed; it continues from what was saved."""
        with self._lock:
            record = self._record(job)
            if record.state == DONE:
                raise ApiError(409, "the job is done: there is nothing to resume")
            if record.state in (PAUSED, STOPPED, FAILED):
                self._room()
                record.state, record.error = "queued", None
                record.number = self._last_number() + 1  # behind those that wait already
                self._changed(record)
                self._advance()
            return record.seen()

    def forget(self, solution: str) -> None:
        """Drop the finished jobs of a solution that was deleted; 409 while one writes it."""
        with self._lock:
            for record in [one for one in self._records.values() if one.output == solution]:
                if record.state in (QUEUED, RUNNING):
                    raise ApiError(409, f"a job is solving {solution!r}: stop it first")
                self._drop(record)

    # How they run

    def _halt(self, job: str, asked: Literal["pause", "stop"]) -> SolveJob:
        with self._lock:
            record = self._record(job)
            ended = PAUSED if asked == "pause" else STOPPED
            if record.state in (DONE, FAILED) or (asked == "pause" and record.state == STOPPED):
                raise ApiError(409, f"the job is {record.state}: it cannot be {ended}")
            if record.state == RUNNING:
                record.asked = asked
                if self._process is not None:
                    self._hang_up(self._process)
            else:
                record.state = ended  # type: ignore[assignment]
            self._changed(record)
            return record.seen()

    def _advance(self) -> None:
        """Start the next job where none runs."""
        if self._closing or self._process is not None:
            return
        waiting = [one for one in self._records.values() if one.state == QUEUED]
        if not waiting:
            return
        record = min(waiting, key=lambda one: one.number)
        task = {
            "spot": record.spot,
            "kind": record.kind,
            "rivers": record.rivers,
            "output": str(self.library.folder / record.output),
            "lock": str(self.folder / "worker.lock"),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "runout.app.web.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is the server's, which then hangs up
        )
        with suppress(BrokenPipeError):
            _input(process).write(json.dumps(task) + "\n")
            _input(process).flush()
        self._process = process
        record.state, record.asked, record.error, record.remaining = "running", None, None, None
        record.phase = "starting"
        self._changed(record)
        self._watcher = threading.Thread(target=self._watch, args=(process, record), daemon=True)
        self._watcher.start()

    def _hang_up(self, process: subprocess.Popen[str]) -> None:
        with suppress(OSError, ValueError):
            _input(process).close()

    def _watch(self, process: subprocess.Popen[str], record: JobRecord) -> None:
        """Follow a solve to its end."""
        assert process.stdout is not None
        ending, kept = "", time.monotonic()
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            with self._lock:
                kind = event.get("kind", "")
                ending = kind if kind in ("done", "interrupted", "failed") else ending
                self._take(record, event)
                now = time.monotonic()
                if kind != "progress" or now - kept > _SAVE_SECONDS:
                    self._keep(record)
                    kept = now
            if kind == "saved" and self.on_saved is not None:
                self.on_saved(record.output)
            self.events.tell({"type": "job", "job": record.seen().model_dump()})
            if kind == "saved":
                self.events.tell({"type": "library"})
        code = process.wait()
        with self._lock:
            self._process = None
            self._hang_up(process)
            if not (self._closing and ending != "done"):
                self._end(record, ending, code)
            self._changed(record)
            self._advance()

    def _take(self, record: JobRecord, event: dict[str, Any]) -> None:
        kind = event.get("kind")
        if kind == "start":
            record.memory_mb, record.curve = event["memory_mb"], thinned(event["curve"])
        elif kind == "phase":
            record.phase = str(event["phase"])
        elif kind == "failed":
            record.error = str(event["error"])
        else:
            record.phase = None
            record.iteration, record.exploitability = event["iteration"], event["exploitability"]
            record.unit, record.elapsed, record.remaining = event["unit"], event["elapsed"], event["remaining"]
            record.curve = thinned([*record.curve, *event["points"]])
            if kind == "save failed":
                record.error = str(event["note"])
            if kind == "saved":
                record.solution, record.error = record.output, None

    def _end(self, record: JobRecord, ending: str, code: int) -> None:
        record.remaining, record.phase = None, None
        if ending == "done":
            record.state = "done"
        elif record.asked is not None and ending != "failed":
            record.state = "paused" if record.asked == "pause" else "stopped"
        elif ending == "interrupted":
            record.state = "paused"
        else:
            record.state = "failed"
            record.error = record.error or _died(code)
        record.asked = None

    # Records

    def _record(self, job: str) -> JobRecord:
        if job not in self._records:
            raise not_found(f"no job {job[:100]!r}")
        return self._records[job]

    def _room(self) -> None:
        if sum(one.state == QUEUED for one in self._records.values()) >= MOST_QUEUED:
            raise ApiError(429, f"{MOST_QUEUED} solves wait already: stop one, or try again when one is done")

    def _last_number(self) -> int:
        return max((one.number for one in self._records.values()), default=0)

    def _changed(self, record: JobRecord) -> None:
        reached = "" if record.exploitability is None else f", {record.exploitability:.4g} {record.unit}"
        why = "" if record.error is None else f": {record.error}"
        told = (record.id, record.state, record.output, record.iteration, reached, why)
        logging.getLogger(JOBS).info("%s %s %s, %d iterations%s%s", *told)
        self._keep(record)
        self.events.tell({"type": "job", "job": record.seen().model_dump()})

    def _keep(self, record: JobRecord) -> None:
        with suppress(Exception):  # a full disk must not end a solve that runs
            save_record(self.folder, record)

    def _prune(self) -> None:
        finished = sorted((one for one in self._records.values() if not _active(one)), key=lambda one: one.number)
        for record in finished[: max(0, len(finished) - MOST_KEPT)]:
            self._drop(record)

    def _drop(self, record: JobRecord) -> None:
        del self._records[record.id]
        (self.folder / f"{record.id}.json").unlink(missing_ok=True)


def _active(record: JobRecord) -> bool:
    return record.state in (QUEUED, RUNNING, PAUSED)


def _input(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdin is not None
    return process.stdin


def _died(code: int) -> str:
    if code < 0:
        why = "memory may have run out" if code == -9 else "see the server's output"
        return f"the solver was ended by signal {-code}: {why}; resume goes on from the last save"
    return f"the solver ended with status {code}: see the server's output"


def _hold(path: Path) -> files.FileLock:
    """Keep other servers off the library for as long as this process lives."""
    try:
        return files.FileLock(path, wait=False)
    except files.Held as held:
        raise InputError(
            f"another `runout web` uses the library {path.parents[1]} ({held}): open that one, or give --library"
        ) from None
    except OSError as error:
        raise InputError(f"cannot use {path.parents[1]} as a library: {error.strerror or error}") from None
