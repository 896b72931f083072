"""Train a strategy from start to end: what `runout train` and `runout.train` share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from runout.cards.bucket_cuts import OnBoards, telling
from runout.cursors.cursor import AnySolution
from runout.cursors.kinds import reached_in
from runout.cursors.load import load
from runout.errors import InputError, MemoryRefused, SolutionError, TrainingError
from runout.evaluation.lbr import local_best_response
from runout.games.deals import DealPool
from runout.games.protocol import AnyGame
from runout.progress import Progress, listener
from runout.protocols import Closing, Event, OnEvent, Trainee
from runout.run.idle_settings import require_acting
from runout.run.loop import Job, Stopping, run
from runout.run.solver_factories import CLUSTERED, FACTORIES, training_pool
from runout.run.train_config import TrainConfig
from runout.run.training_directory import TrainingDirectory
from runout.run.training_memory import TrainingMemory, training_memory
from runout.solutions.format import Bundle
from runout.solutions.reached import Reached, Solved
from runout.solvers.neural.settings import walks_boards

OnCheckpoint = Callable[[int, Bundle], None]

# Kinds whose config.yaml is the training config; others have a format of their own and keep it in meta.json.
_TRAINED = ("mccfr", "neural", "game-networks", "blueprint", "exact")


@dataclass(frozen=True, eq=False, repr=False)
class TrainResult(Solved):
    """What a run came to, earlier runs that it continued included."""

    config: TrainConfig
    reached: Reached
    reason: str  # why it stopped: "iterations", "target", "seconds", "interrupted"
    metrics: Mapping[str, float]  # of the last iteration
    bundle: Bundle  # the last checkpoint
    checkpoint: Path | None  # where that is
    game: AnyGame | None = None  # rules of your own, where they were given

    def __repr__(self) -> str:
        far = "not measured" if self.exploitability is None else f"{self.exploitability:.3g} {self.unit}"
        return f"TrainResult({self.config.title}, {self.iterations:,} iterations, {far}, stopped by {self.reason})"

    @property
    def solution(self) -> AnySolution:
        """The trained strategy, as `runout.load` gives it."""
        if self.checkpoint is None:
            raise InputError("the run wrote no files: give it an output_dir to open its solution")
        return load(self.checkpoint, self.game)


def train(
    config: TrainConfig | str | Path | Mapping[str, Any] | None = None,
    target: float | None = None,
    iterations: int | None = None,
    *,
    algorithm: str | None = None,
    resume: bool | str | Path = False,
    output: str | Path | None = None,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
    deals: DealPool | None = None,
    game: AnyGame | None = None,
    on_checkpoint: OnCheckpoint | None = None,
    on_memory: Callable[[TrainingMemory], None] | None = None,
    cluster: str | None = None,
) -> TrainResult:
    """Train a strategy until its iterations, its target or its time limit is reached, or until Ctrl-C.

    Args:
        config: the run: a `TrainConfig`, the name of a YAML file, or a mapping of settings. It can be left out where
            `resume` names a directory.
        target: stop at this exploitability; in place of the config's, as are `iterations` and `algorithm`.
        resume: continue a run from its last complete checkpoint, to the same result as a run in one piece: the name of
            its directory, or True for the output directory.
        output: directory of the run, in place of the config's `output_dir`; without either nothing is written.
        progress: True draws one line; a function hears every event.
        interrupted: asked between iterations whether to stop.
        deals: a pool of deals to train on, in place of the config's.
        game: rules of your own, where the config says `game_type: own`; `runout.load` needs them too.
        on_checkpoint: gets the iteration and the checkpoint, a copy that nothing changes later.
        on_memory: hears how much memory the run will take, before it takes it.
        cluster: address of a Ray cluster ('HOST:PORT' or 'auto') whose machines do the work, for the solvers that can.
    """
    if not isinstance(resume, bool):
        output, resume = output or resume, True
        config = Path(output) / "config.yaml" if config is None else config
    if config is None:
        raise InputError("say what to train: give a config, or the directory of a run to resume")
    config = _config(config, deals).with_training(
        target=target, iterations=iterations, algorithm=algorithm, output_dir=None if output is None else str(output)
    )
    directory = None
    if config.training.output_dir is not None:
        directory = TrainingDirectory(config.training.output_dir, config.checkpoint.keep)
    elif resume:
        raise InputError("there is nothing to resume: name the run's output_dir")
    with nullcontext() if directory is None else directory.held():
        return _train(
            config, directory, deals, game, resume, on_checkpoint, listener(progress), interrupted, on_memory,
            cluster,
        )  # fmt: skip


def _train(
    config: TrainConfig,
    directory: TrainingDirectory | None,
    deals: DealPool | None,
    game: AnyGame | None,
    resume: bool,
    on_checkpoint: OnCheckpoint | None,
    progress: OnEvent | None,
    interrupted: Callable[[], bool] | None,
    on_memory: Callable[[TrainingMemory], None] | None,
    address: str | None,
) -> TrainResult:
    """`train`, in a directory that is held."""
    if directory is not None:
        directory.check(config, resume)
    taken_up = directory.last() if directory is not None and resume else None
    if taken_up is not None:
        _require_same(taken_up, config)
    if not resume:  # what an older Runout took without a word goes on as it began
        require_acting(config)
    if address is not None and (config.training.solver not in CLUSTERED or config.settings is None):
        raise InputError(f"{config.training.solver} on {config.title} runs on one machine: leave --cluster out")
    pool = training_pool(config, deals)  # what is refused is refused before anything is written
    if config.settings is None:
        config.rules(game)
    needed = training_memory(config, game)
    needed = needed if address is None else needed.gathered
    if on_memory is not None:
        on_memory(needed)
    needed.require()
    with _connected(address) as cluster:
        with telling(_preparing(progress)):
            trainee = FACTORIES[config.training.solver](_as_begun(config, taken_up), pool, game, cluster)
        try:
            if config.training.lbr_deals and (trainee.measures or config.holdem is None):
                why = f"{config.title} is measured exactly"
                raise InputError(f"training.lbr_deals does nothing here: {why}; leave it out")
            if config.training.target is not None and not (trainee.measures or config.training.lbr_deals):
                what = f"{config.training.solver} on {config.title}"
                raise InputError(
                    f"training.target = {config.training.target:g}: {what} measures nothing on the way; leave it out "
                    "and stop by iterations or seconds, or give training.lbr_deals"
                )
            if taken_up is not None:
                _take_up(trainee, taken_up)
            if trainee.iteration > config.training.iterations:
                done, asked = trainee.iteration, config.training.iterations
                raise InputError(f"the run has {done} iterations already: ask for more than {asked}")
            if directory is not None:
                directory.open(config, trainee.iteration)
            before = Reached(unit=trainee.unit, algorithm=config.training.solver)
            if taken_up is not None:
                before = reached_in(taken_up).counted(trainee.iteration)
            return _run(config, trainee, directory, game, before, on_checkpoint, progress, interrupted)
        finally:
            if isinstance(trainee, Closing):
                trainee.close()


def _connected(address: str | None) -> AbstractContextManager[Any]:
    """The cluster at an address; nothing where none is given."""
    if address is None:
        return nullcontext()
    from runout.run.ray_cluster import RayCluster

    return RayCluster(address)


def _as_begun(config: TrainConfig, taken_up: Bundle | None) -> TrainConfig:
    """The config to go on with: runs of 0.1.0 walked dealt hands where boards are swept now."""
    if taken_up is None or taken_up.kind != "neural" or "walks" in taken_up.reached or config.settings is None:
        return config
    if not walks_boards(config.settings, config.training.solver, config.memory):
        return config
    data = config.to_dict()
    return TrainConfig(**(data | {"memory": data["memory"] | {"kind": "reservoir"}}))


def _preparing(progress: OnEvent | None) -> OnBoards | None:
    """Passes on how far the tables are that a run needs before it starts."""
    begun = time.perf_counter()

    def tell(done: int, total: int) -> None:
        assert progress is not None
        elapsed = time.perf_counter() - begun
        event = Event(
            "preparing", done, None, "", elapsed, None, note="buckets of hands", total=total, counted="boards"
        )
        progress(event)

    return None if progress is None else tell


def _config(given: TrainConfig | str | Path | Mapping[str, Any], pool: DealPool | None) -> TrainConfig:
    if isinstance(given, str | Path):
        given = TrainConfig.load(given)
    config = given if isinstance(given, TrainConfig) else TrainConfig.from_dict(given)
    if pool is not None and config.settings is not None:  # what is kept of the run says what it walked over
        settings = pool.settings.model_dump(mode="json", exclude_none=True)
        config = TrainConfig(**(config.to_dict() | {"deals": settings}))
    return config


def _require_same(bundle: Bundle, config: TrainConfig) -> None:
    """Refuse a checkpoint of another run, which somebody put in the place of this one's."""
    asked = bundle.config if bundle.kind in _TRAINED else bundle.reached.get("training")
    try:
        made_by = TrainConfig(**(asked or {}))
    except (InputError, TypeError) as error:
        raise SolutionError(f"the checkpoint has no config that can be resumed: {error}") from None
    differs = made_by.difference(config)
    if differs is not None:
        raise InputError(f"the checkpoint is of another run: there {differs} here; choose another output_dir")


def _take_up(trainee: Trainee, bundle: Bundle) -> None:
    try:
        trainee.restore_from(bundle)
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(f"the checkpoint does not fit its config: {error}") from None


def _run(
    config: TrainConfig,
    trainee: Trainee,
    directory: TrainingDirectory | None,
    game: AnyGame | None,
    before: Reached,
    on_checkpoint: OnCheckpoint | None,
    progress: OnEvent | None,
    interrupted: Callable[[], bool] | None,
) -> TrainResult:
    asked = config.training
    logged = [row["iteration"] for row in directory.rows()][-1:] if directory is not None else []
    last: list[tuple[Bundle, Path | None]] = []  # the newest checkpoint

    def hear(event: Event) -> None:
        if directory is not None and event.kind == "progress" and event.iteration not in logged:
            logged[:] = [event.iteration]
            directory.log(_row(event))
        if progress is not None:
            progress(event)

    def save(bundle: Bundle) -> None:
        last[:] = [(bundle, None)]
        if directory is not None:
            last[:] = [(bundle, directory.save(trainee.iteration, bundle))]
        if on_checkpoint is not None:
            on_checkpoint(trainee.iteration, _copied(bundle))

    measure = RunMeasure(trainee, config)
    job = Job(
        trainee,
        measure,
        before,
        lambda reached: _labelled(trainee.checkpoint(resumable=True), config, reached),
        measure.metrics,
    )
    stopping = Stopping(
        asked.iterations,
        asked.target,
        asked.measure_every,
        save_every=config.checkpoint.interval,
        seconds=asked.seconds,
    )
    try:
        outcome = run(job, stopping, hear, save, interrupted)
    except (TrainingError, MemoryRefused) as error:
        kept = directory.latest() if directory is not None else None
        where = f"the last good checkpoint is {kept}" if kept is not None else "no checkpoint was written before"
        raise type(error)(f"{error}; {where}") from None
    if not last:
        raise SolutionError("nothing could be saved: make room in the directory of the run, and give --resume")
    bundle, path = last[-1]
    saved = outcome.rescued or path
    return TrainResult(config, outcome.reached, outcome.reason, measure.metrics(), bundle, saved, game)


class RunMeasure:
    """Exploitability of a trainee: exact where it says so itself, else a local best response where one is asked for."""

    def __init__(self, trainee: Trainee, config: TrainConfig) -> None:
        self._trainee, self._config = trainee, config
        self._bound: dict[str, float] = {}  # ends of the 95% interval

    def __call__(self) -> float | None:
        deals = self._config.training.lbr_deals
        if self._trainee.measures or not deals or not self._trainee.iteration:
            return self._trainee.measure()
        assert self._config.holdem is not None
        found = local_best_response(
            self._config.holdem, self._trainee.policy(), deals, self._config.training.seed
        ).exploitability
        self._bound = {"bound_low": found.low, "bound_high": found.high}
        return found.mean

    def metrics(self) -> dict[str, float]:
        """Of the trainee, with the interval of the last bound."""
        return {**self._trainee.metrics(), **self._bound}


def _row(event: Event) -> dict[str, Any]:
    """A line of metrics.jsonl."""
    return {
        "iteration": event.iteration,
        "exploitability": event.exploitability,
        "unit": event.unit,
        "seconds": round(event.seconds, 6),
        **event.metrics,
    }


def _labelled(bundle: Bundle, config: TrainConfig, reached: Reached) -> Bundle:
    """The checkpoint with what the run reached and what was asked; a solver may count iterations of its own."""
    asked, own, trained = config.to_dict(), bundle.reached, bundle.kind in _TRAINED
    reached = reached.counted(int(own.get("iterations", reached.iterations)))
    reached = replace(reached, algorithm=own.get("algorithm", reached.algorithm))
    more = {**own, "solver": config.training.solver, **({} if trained else {"training": asked})}
    return reached.bundle(bundle.kind, {**asked, **bundle.config} if trained else bundle.config, bundle.arrays, **more)


def _copied(bundle: Bundle) -> Bundle:
    return replace(bundle, arrays={name: np.array(array) for name, array in bundle.arrays.items()})
