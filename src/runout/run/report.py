"""Reports: a spot solved on many flops, and with every combination of a grid of settings.

Every flop of every case is a task of its own; tasks know nothing of each other. What is kept of a flop is small and on
disk before it counts, so a report that was stopped or killed is gone on with and comes to the same numbers.
"""

from __future__ import annotations

import itertools
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from runout import files, memory
from runout.cards.ranges import Range
from runout.cards.suits import SUIT_PERMUTATIONS, symmetries
from runout.errors import InputError, RunoutError
from runout.explorers.flop_record import ClassRecord, FlopRecord, flop_record
from runout.games.betting import FLOP
from runout.games.flop_choice import flop_choice
from runout.games.spot import Spot
from runout.progress import Progress, listener
from runout.protocols import Event, Executor
from runout.run.executors import Processes, Serial
from runout.run.postflop import check_settings, solve
from runout.run.report_directory import ReportDirectory, ReportPlan
from runout.run.report_tables import frame, write_tables
from runout.run.resuming import with_solve
from runout.run.spot_check import check_spot
from runout.run.warming import warm
from runout.solutions.format import Bundle, write_bundle
from runout.solutions.reached import OF_POT

if TYPE_CHECKING:
    import pandas

USUAL = "fitted-49"  # flops of a report
_LOCK = ".lock"
_RAINBOW = "Ks 8h 3d"  # no two of its run-outs are alike but for the fourth suit
Grid = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class FlopTask:
    """A spot to be solved somewhere, on another board and with other settings."""

    spot: Spot
    flop: str
    changes: Mapping[str, Any]
    case: int  # of the grid, by number
    keep: bool  # the solution too
    alone: bool  # in this process, with its threads; Ctrl-C is heard


@dataclass(frozen=True, slots=True)
class FlopResult:
    """What a task gives back."""

    record: FlopRecord
    classes: ClassRecord
    solution: Bundle | None


@dataclass(slots=True)
class ReportRun:
    """How a report went."""

    report: ReportDirectory
    total: int  # flops, every case counted
    done: int  # of them on disk
    solved: int = 0  # of them by this run
    seconds: float = 0.0  # of this run
    stopped: str = ""  # the signal that ended it early
    failures: list[dict[str, Any]] = field(default_factory=list)  # flop, case, why


def report(
    spot: Spot | str | Path | None = None,
    flops: str = USUAL,
    grid: Grid | None = None,
    *,
    target: float | None = None,
    iterations: int | None = None,
    algorithm: str | None = None,
    storage: str | None = None,
    output: str | Path | None = None,
    keep_solutions: bool = False,
    resume: bool = False,
    progress: Progress = None,
    workers: int | None = None,
    executor: Executor | None = None,
) -> pandas.DataFrame:
    """Solve a spot on many flops; a pandas table with a row for each flop (and each combination of the grid).

        table = runout.report(spot, "fitted-23", {"stack": [500, 910]}, target=1)
        table.groupby("suits")["oop_ev"].mean()

    Args:
        spot: the spot, or the name of a YAML file; its board is left aside.
        flops: 'all', a number, a set ('fitted-23', 'fitted-49', 'fitted-95', 'fitted-184', 'even-95') or a file.
        grid: settings, named as in `Spot.replace`, and the values that each is to have.
        target: stop each solve at this exploitability; see `solve`, also for `iterations`, `algorithm`, `storage`.
        output: directory of the report, which `runout explore` and `runout web` show; without it the table is all.
        keep_solutions: keep every solution, without rivers, in `output`.
        resume: go on with the report in `output`.
        progress: True draws one line; a function hears an event whenever a flop is solved.
        workers: processes to solve in, with one thread each; by default as many as cores and memory allow. A script
            that uses more than one has to call this below `if __name__ == "__main__":`.
        executor: where to run instead, such as `runout.run.ray_cluster.RayCluster`.

    Flops that cannot be solved are left out, with a warning that names them.
    """
    _require_pandas()
    chosen = Spot.load(spot) if isinstance(spot, str | Path) else spot or Spot.default()
    chosen = with_solve(chosen, target=target, iterations=iterations, algorithm=algorithm, storage=storage)
    with _directory(output) as place:
        plan = make_plan(chosen, flops, grid)
        run = run_report(place, plan, keep_solutions, resume, progress, workers, executor)
        if run.stopped:
            raise KeyboardInterrupt
        if run.failures:
            import warnings

            warnings.warn(failure_text(run.failures), RuntimeWarning, stacklevel=2)
        return frame(plan, list(run.report.records()))


def _require_pandas() -> None:
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise InputError("tables need pandas: pip install 'runout[pandas]'") from None


@contextmanager
def _directory(output: str | Path | None) -> Iterator[Path]:
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="runout-report-") as folder:
        yield Path(folder) / "report"


def make_plan(spot: Spot, flops: str = USUAL, grid: Grid | None = None) -> ReportPlan:
    """What a report is to be over; everything that cannot be solved is refused."""
    if spot.street != FLOP:
        raise InputError(f"board {spot.board!r}: reports are over flops, so give a spot that begins on one")
    choice = flop_choice(flops)
    cases = grid_cases(grid or {})
    plan = ReportPlan.of(spot, cases, choice)
    for case in range(len(cases)):
        one = plan.spot_of(case, spot.board)
        _require_classes(one)
        check_settings(one)
    return plan


def _require_classes(spot: Spot) -> None:
    """Refuse ranges that tell suits apart: flops are taken up to suits."""
    for name, text in (("oop", spot.ranges.oop), ("ip", spot.ranges.ip)):
        if len(symmetries(weights=[Range(text).weights])) < len(SUIT_PERMUTATIONS):
            raise InputError(
                f"ranges.{name} tells suits apart, and a report takes flops that differ by suits for one: use classes "
                "of hands (AKs, 77)"
            )


def grid_cases(grid: Grid) -> list[dict[str, Any]]:
    """Every combination of the values of a grid; one without changes where there is none."""
    for key, values in grid.items():
        if key == "board":
            raise InputError("a grid over 'board': give boards as --flops, in a file")
        if isinstance(values, str) or not len(values):
            raise InputError(f"grid over {key!r}: give a list of values")
    keys = [key.replace(".", "_") for key in grid]
    return [dict(zip(keys, values, strict=True)) for values in itertools.product(*grid.values())]


def read_grid(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Grids as the command line has them: 'stack=500,910'; ';' between values that have commas of their own."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        parts = [part.strip() for part in values.split(";" if ";" in values else ",")]
        if not equals or not key.strip() or not all(parts):
            raise InputError(f"cannot read --grid {text!r}: use key=a,b (stack=500,910), or 'flop_bet=33%; 33%, 75%'")
        try:
            found[key.strip()] = [yaml.safe_load(part) for part in parts]
        except yaml.YAMLError:
            raise InputError(f"cannot read the values of --grid {text!r}: use numbers or words") from None
    return found


def run_report(
    place: str | Path,
    plan: ReportPlan,
    keep_solutions: bool = False,
    resume: bool = False,
    progress: Progress = None,
    workers: int | None = None,
    executor: Executor | None = None,
) -> ReportRun:
    """Solve what is not on disk yet, keep it, and write the tables; Ctrl-C and SIGTERM end it early, with all kept."""
    directory = ReportDirectory(place)
    _require_free(directory, plan, resume)
    directory.make()
    try:
        lock = files.FileLock(directory.path / _LOCK, wait=False)
    except files.Held as error:
        raise InputError(f"{place} is being written by {error}: wait until that is done, or take another") from None
    except OSError as error:
        raise InputError(f"cannot write {place}: {error.strerror or error}") from None
    with lock:
        directory.begin(plan)
        return _run(directory, plan, keep_solutions, listener(progress), workers, executor)


def _require_free(directory: ReportDirectory, plan: ReportPlan, resume: bool) -> None:
    if not directory.exists:
        if resume:
            raise InputError(f"{directory.path} is no report to go on with: leave --resume out to begin one")
        if directory.path.exists() and (not directory.path.is_dir() or _holds_more(directory.path)):
            raise InputError(f"{directory.path} holds something else: name a new directory")
        return
    if not resume:
        raise InputError(f"{directory.path} holds a report: go on with it by --resume, or name a new directory")
    if _asked(directory.plan) != _asked(plan):
        raise InputError(f"{directory.path} holds a report of another spot or grid: name a new directory")


def _holds_more(folder: Path) -> bool:
    """Whether there is more than a report has that was killed before it began."""
    return any(one.name not in (_LOCK, "flops") for one in folder.iterdir())


def _asked(plan: ReportPlan) -> Any:
    """What has to be the same for records to be of the same report; flops may be added."""
    spot = plan.spot.model_dump(mode="json", by_alias=True, exclude={"board": True, "solve": {"threads"}})
    return spot, [dict(case) for case in plan.cases]


def _run(
    directory: ReportDirectory,
    plan: ReportPlan,
    keep: bool,
    hear: Callable[[Event], None] | None,
    workers: int | None,
    executor: Executor | None,
) -> ReportRun:
    wanted = [(case, flop) for case, flop in plan.tasks() if not directory.has(case, flop.cards, keep)]
    total = len(plan.tasks())
    run = ReportRun(directory, total, total - len(wanted))
    begun = time.perf_counter()

    def tell(kind: str, found: float | None, note: str = "") -> None:
        run.seconds = time.perf_counter() - begun
        tried = run.solved + len(run.failures)
        left = run.seconds / tried * (len(wanted) - tried) if tried else None
        if hear is not None:
            hear(Event(kind, run.done, found, OF_POT, run.seconds, left, note=note, total=total, counted="flops"))

    if executor is None:
        executor = local_executor(plan, workers, len(wanted))
    alone = isinstance(executor, Serial)
    tasks = [FlopTask(plan.spot, flop.cards, plan.cases[case], case, keep, alone) for case, flop in wanted]
    completed = executor.completed(solve_flop, tasks)
    found: float | None = None
    with _stops() as came:
        try:
            for done in completed:
                case, flop = wanted[done.number]
                if done.result is None:
                    run.failures.append({"flop": flop.cards, "case": case, "why": _why(done.error)})
                    tell("progress", None, f"{flop.cards} failed")
                    continue
                _keep(directory, done.result)
                run.solved, run.done, found = run.solved + 1, run.done + 1, done.result.record.exploitability_pct
                tell("progress", found, flop.cards)
        except KeyboardInterrupt:
            run.stopped = came[0] if came else "SIGINT"
        finally:
            close = getattr(completed, "close", None)
            if close is not None:
                close()
    directory.write_failures(run.failures)
    write_tables(directory)
    tell("interrupted" if run.stopped else "done", found, run.stopped or "flops")
    return run


def local_executor(plan: ReportPlan, workers: int | None, tasks: int) -> Executor:
    """Processes of this machine, as many as are asked for, or as cores and memory allow; one solves here."""
    if workers is not None and workers < 1:
        raise InputError(f"workers = {workers}: use 1 or more")
    if workers is None:
        workers = max(1, min(Processes().workers, int(memory.ROOM * memory.available() / max(1, flop_bytes(plan)))))
    return Serial() if min(workers, tasks) <= 1 else Processes(workers)


def flop_bytes(plan: ReportPlan) -> int:
    """What a solve of a rainbow flop takes, which is the most that any takes."""
    needs = 0
    for case in range(len(plan.cases)):
        spot = plan.spot_of(case, plan.spot.board)
        data = spot.model_dump(mode="json", by_alias=True, exclude_none=True)
        found = check_spot({**data, "board": _RAINBOW})
        needs = max(needs, found.int16 if spot.solve.storage == "int16" else found.float32)
    return needs


def solve_flop(task: FlopTask) -> FlopResult:
    """A task for an executor: solve a flop and keep what is small."""
    ended: list[str] = []

    def hear(event: Event) -> None:
        if event.kind == "interrupted":
            ended.append(event.note)

    spot = task.spot.replace(board=task.flop, **task.changes)
    if not task.alone:
        warm(spot.solve.storage)
    solution = solve(spot, threads=None if task.alone else 1, progress=hear)
    if ended:
        raise KeyboardInterrupt
    record, classes = flop_record(solution, task.case)
    return FlopResult(record, classes, solution.bundle(rivers=False) if task.keep else None)


def _keep(directory: ReportDirectory, result: FlopResult) -> None:
    record = result.record
    if result.solution is not None:
        place = directory.solution(record.case, record.flop)
        place.parent.mkdir(exist_ok=True)
        write_bundle(place, result.solution)
    directory.write(record, result.classes)


def _why(error: Exception | None) -> str:
    return str(error) if isinstance(error, RunoutError) else f"{type(error).__name__}: {error}"


def failure_text(failures: Sequence[Mapping[str, Any]], most: int = 3) -> str:
    """'2 flops failed: Qs Jh 2h (why), ...'."""
    named = "; ".join(f"{one['flop']} ({one['why']})" for one in failures[:most])
    more = f" and {len(failures) - most} more" if len(failures) > most else ""
    return f"{len(failures)} flop{'s' if len(failures) > 1 else ''} failed: {named}{more}"


@contextmanager
def _stops() -> Iterator[list[str]]:
    """SIGTERM ends a report as Ctrl-C does; which of them came is in the list."""
    came: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def stop(number: int, _: Any) -> None:
        came.append(signal.Signals(number).name)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
