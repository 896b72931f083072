"""`runout.train`: checkpoints, going on, what is refused, and what a run leaves behind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runout
from runout.errors import InputError, SolutionError, TrainingError
from runout.games.deals import DealSettings, make_pool
from runout.games.holdem import LimitHoldem
from runout.run import train as training
from runout.run.train import FACTORIES, train
from runout.run.train_config import TrainConfig
from runout.run.training_directory import TrainingDirectory
from runout.solutions.deals import write_pool
from runout.solutions.format import Bundle, read_bundle

NEURAL = ("sd-cfr", "deep-cfr")
SHORT = {"stack_depth": 6, "bet_sizes": [1.0], "max_raises_per_street": 1}
FLOP = {"num_streets": 2, "ranks": 3, "suits": 3, "max_raises": [1, 1]}


def config(path: Path | None = None, game: str = "kuhn", solver: str = "sequence", **training: Any) -> dict[str, Any]:
    asked = {"solver": solver, "iterations": 40, "measure_every": 10, **training}
    if solver == "mccfr" or (solver in NEURAL and game == "hunl_postflop"):  # others draw no walks
        asked.setdefault("traversals_per_iter", 20)
    small: dict[str, Any] = {"network": {"hidden_dim": 8, "depth": 1}, "sgd": {"steps": 2, "batch_size": 64}}
    if game == "hunl_postflop":  # by walks of dealt hands
        small["network"]["card_dim"], small["memory"] = 4, {"kind": "reservoir"}
    elif solver == "deep-cfr":
        small["sgd"]["average_steps"] = 20
    return {
        **(small if solver in NEURAL else {}),
        "game_type": game,
        "game": {"limit_holdem": FLOP, "hunl_postflop": SHORT}.get(game, {}),
        "training": asked | ({} if path is None else {"output_dir": str(path)}),
        "checkpoint": {"interval": 10, "keep": 3},
    }


def same(first: Path, second: Path) -> None:
    """Two checkpoints hold the same arrays and say the same, time apart."""
    ours, theirs = read_bundle(first), read_bundle(second)
    assert ours.arrays.keys() == theirs.arrays.keys()
    for name, array in ours.arrays.items():
        np.testing.assert_array_equal(array, theirs.arrays[name], err_msg=name)
    assert ours.reached["exploitability"] == theirs.reached["exploitability"]


RUNS = [
    ("kuhn", "sequence"),
    ("kuhn", "gpu"),
    ("kuhn", "mccfr"),
    ("leduc", "mccfr"),
    ("limit_holdem", "mccfr"),
    ("limit_holdem", "sequence"),
    ("limit_holdem", "gpu"),
    ("kuhn", "sd-cfr"),
    ("leduc", "deep-cfr"),
    ("limit_holdem", "sd-cfr"),
    ("hunl_postflop", "sd-cfr"),
    ("hunl_postflop", "deep-cfr"),
]


@pytest.mark.parametrize(("game", "solver"), RUNS)
def test_a_run_in_two_pieces_ends_like_one_in_one_piece(game: str, solver: str, tmp_path: Path) -> None:
    whole = train(config(tmp_path / "whole", game, solver))
    train(config(tmp_path / "pieces", game, solver, iterations=15))
    parts = train(config(tmp_path / "pieces", game, solver), resume=True)
    assert whole.checkpoint is not None
    assert parts.checkpoint is not None
    assert (whole.iterations, whole.reason) == (parts.iterations, parts.reason) == (40, "iterations")
    assert whole.exploitability == parts.exploitability
    ours, theirs = (read_bundle(one.checkpoint) for one in (whole, parts))
    for name, array in ours.arrays.items():
        if name != "curve":  # where it stopped in between is a point more
            np.testing.assert_array_equal(array, theirs.arrays[name], err_msg=name)


@pytest.mark.parametrize(("game", "solver"), RUNS)
def test_every_checkpoint_opens_as_a_solution(game: str, solver: str, tmp_path: Path) -> None:
    result = train(config(tmp_path / "run", game, solver))
    for number in (20, 30, 40):
        runout.load(tmp_path / "run" / f"checkpoint_{number}")
    assert not (tmp_path / "run" / "checkpoint_10").exists()  # keep is 3
    latest = runout.load(tmp_path / "run" / "latest")
    assert (tmp_path / "run" / "latest").is_symlink()
    if game != "limit_holdem" and result.exploitability is not None:
        assert latest.exploitability * 1000 == pytest.approx(result.exploitability)  # type: ignore[union-attr]
    elif solver == "mccfr":
        assert latest.exploitability == pytest.approx(result.exploitability)


def test_only_the_newest_checkpoint_can_be_gone_on_from(tmp_path: Path) -> None:
    train(config(tmp_path / "run"))
    arrays = [set(read_bundle(tmp_path / "run" / f"checkpoint_{n}").arrays) for n in (30, 40)]
    assert not [name for name in arrays[0] if name.startswith("state_")]
    assert "state_regrets" in arrays[1]


def test_metrics_have_a_line_for_each_measurement_and_lose_those_that_are_done_again(tmp_path: Path) -> None:
    where = TrainingDirectory(tmp_path / "run")
    train(config(tmp_path / "run", solver="mccfr", iterations=25))
    assert [row["iteration"] for row in where.rows()] == [10, 20, 25]
    where.log({"iteration": 99, "exploitability": 1.0})
    with open(where.path / "metrics.jsonl", "a", encoding="utf-8") as file:
        file.write('{"iteration": 10')  # torn
    train(config(tmp_path / "run", solver="mccfr"), resume=True)
    rows = where.rows()
    assert [row["iteration"] for row in rows] == [10, 20, 25, 30, 40]
    assert {"samples", "samples_per_second", "exploitability", "unit", "seconds"} <= rows[-1].keys()


def test_of_a_long_list_of_measurements_some_are_read(tmp_path: Path) -> None:
    run, rows = TrainingDirectory(tmp_path), 50_000
    (tmp_path / "metrics.jsonl").write_text("".join(f'{{"iteration": {number}}}\n' for number in range(rows)))
    some = [row["iteration"] for row in run.rows(most=1000)]
    assert some == sorted(set(some))
    assert 500 <= len(some) <= 1000
    assert some[-1] == run.last_rows()[-1]["iteration"] == rows - 1
    assert len(run.last_rows()) < rows / 10
    assert len(run.rows()) == rows


def test_a_checkpoint_is_never_half_removed_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a kill inside the removal of an old checkpoint leaves the directory."""
    run = TrainingDirectory(tmp_path, keep=1)
    bundle = Bundle("tabular", {}, {}, {})
    run.save(1, bundle)
    monkeypatch.setattr("runout.run.training_directory.shutil.rmtree", lambda *_, **__: None)
    run.save(2, bundle)
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith("checkpoint_")] == ["checkpoint_2"]


def test_a_crash_between_checkpoint_and_link_loses_nothing(tmp_path: Path) -> None:
    train(config(tmp_path / "whole"))
    train(config(tmp_path / "run", iterations=20))
    where = TrainingDirectory(tmp_path / "run")
    (where.path / "latest").unlink()
    (where.path / ".checkpoint_30.new").mkdir()
    (where.path / "checkpoint_30").mkdir()  # not complete
    result = train(config(tmp_path / "run"), resume=True)
    assert result.iterations == 40
    same(tmp_path / "whole" / "latest", tmp_path / "run" / "latest")


def test_where_links_are_not_allowed_the_newest_checkpoint_is_found(tmp_path: Path, monkeypatch: Any) -> None:
    def refused(*_: object) -> None:
        raise OSError("a required privilege is not held by the client")  # what Windows says

    train(config(tmp_path / "run", iterations=20))
    monkeypatch.setattr(Path, "symlink_to", refused)
    train(config(tmp_path / "run"), resume=True)
    assert not (tmp_path / "run" / "latest").is_symlink()  # the old link would lead to the old checkpoint
    assert runout.load(tmp_path / "run").iterations == 40


def test_a_run_without_a_directory_writes_nothing_and_cannot_be_resumed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    result = train(config())
    assert result.checkpoint is None
    assert result.bundle.kind == "tabular"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="nothing to resume"):
        train(config(), resume=True)
    with pytest.raises(InputError, match="output_dir"):
        _ = result.solution


def test_interval_zero_leaves_the_result_alone(tmp_path: Path) -> None:
    train(config(tmp_path / "run") | {"checkpoint": {"interval": 0}})
    assert sorted(path.name for path in (tmp_path / "run").glob("checkpoint_*")) == ["checkpoint_40"]


def test_snapshots_do_not_change_later() -> None:
    seen: dict[int, tuple[Bundle, dict[str, np.ndarray]]] = {}

    def keep(iteration: int, bundle: Bundle) -> None:
        seen[iteration] = bundle, {name: array.copy() for name, array in bundle.arrays.items()}

    train(config(game="limit_holdem", solver="sequence"), on_checkpoint=keep)
    assert list(seen) == [10, 20, 30, 40]
    for bundle, copies in seen.values():
        for name, array in bundle.arrays.items():
            np.testing.assert_array_equal(array, copies[name])
    assert not np.array_equal(seen[10][0].arrays["averages"], seen[40][0].arrays["averages"])


def test_it_stops_at_the_target_and_at_the_time_limit() -> None:
    found = train(config(iterations=100_000, target=5.0))
    assert found.reason == "target"
    assert found.exploitability is not None
    assert found.exploitability <= 5.0
    assert train(config(iterations=10**9, seconds=0.05)).reason == "seconds"


def test_a_stop_from_outside_saves(tmp_path: Path) -> None:
    found = train(config(tmp_path / "run", iterations=10**9), interrupted=lambda: True)
    assert found.reason == "interrupted"
    assert found.iterations > 0
    again = train(config(tmp_path / "run", iterations=found.iterations + 5), resume=True)
    assert again.iterations == found.iterations + 5


@pytest.mark.parametrize("change", [{"seed": 1}, {"algorithm": "cfr+"}, {"solver": "mccfr"}])
def test_a_directory_of_another_run_is_refused_and_left_alone(change: dict[str, Any], tmp_path: Path) -> None:
    train(config(tmp_path / "run"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")}
    for resume in (False, True):
        with pytest.raises(InputError, match=f"holds another run: there training.{next(iter(change))} = "):
            train(config(tmp_path / "run", **change), resume=resume)
    with pytest.raises(InputError, match="holds this run already: give --resume"):
        train(config(tmp_path / "run"))
    with pytest.raises(InputError, match="has 40 iterations already: ask for more than 39"):
        train(config(tmp_path / "run", iterations=39), resume=True)
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*")}


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("mine")
    runout.solve_game("kuhn", iterations=10, output=tmp_path / "solution")
    for name in ("notes", "solution"):
        for resume in (False, True):
            with pytest.raises(InputError, match="holds no training run: choose another name, nothing was overwritten"):
                train(config(tmp_path / name), resume=resume)
    (tmp_path / "file").write_text("x")
    with pytest.raises((InputError, SolutionError), match="file"):
        train(config(tmp_path / "file"))


def test_a_pool_of_another_game_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    other = make_pool(LimitHoldem(num_streets=2), DealSettings(count=10))
    write_pool(tmp_path / "pool", other)
    asked = config(tmp_path / "run", "limit_holdem", "mccfr")
    with pytest.raises(SolutionError, match="holds deals of another game"):
        train(asked, deals=other)
    with pytest.raises(SolutionError, match="holds deals of another game"):
        train(asked | {"deals": {"file": str(tmp_path / "pool")}})
    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match="kuhn has no deals"):
        train(config(), deals=other)


def test_a_pool_is_walked_over_and_kept_in_the_config(tmp_path: Path) -> None:
    pool = make_pool(TrainConfig(**config(game="limit_holdem")).settings, DealSettings(count=50, seed=3))  # type: ignore[arg-type]
    asked = config(tmp_path / "run", "limit_holdem", "mccfr")
    given = train(asked, deals=pool)
    drawn = train(asked | {"training": asked["training"] | {"output_dir": None}, "deals": {"count": 50, "seed": 3}})
    np.testing.assert_array_equal(given.bundle.arrays["keys"], drawn.bundle.arrays["keys"])
    assert given.config.deals is not None
    assert given.config.deals.seed == 3


@pytest.mark.parametrize(
    ("game", "settings", "solver", "message"),
    [
        ("limit_holdem", {}, "sequence", r"limit hold'em, 100 bb has about 1e\+13 decision points"),
        ("hunl_postflop", {"stack_depth": 25}, "sequence", r"no-limit hold'em, 25 bb has about 1e\+13"),
        ("hunl_postflop", {}, "gpu", "use mccfr or sd-cfr"),
    ],
)
def test_trees_that_do_not_fit_are_refused_with_their_size(
    game: str, settings: Mapping[str, Any], solver: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        train({"game_type": game, "game": settings, "training": {"solver": solver}})


@pytest.mark.parametrize(
    ("solver", "algorithm", "message"),
    [
        ("mccfr", "dcfr", "mccfr takes a sampling scheme"),
        ("sequence", "external-sampling", "sequence takes a variant of CFR"),
        ("gpu", "dcfrr", "unknown algorithm"),
    ],
)
def test_an_algorithm_of_another_solver_is_refused(solver: str, algorithm: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        train(config(solver=solver, algorithm=algorithm))


def test_a_loss_that_is_no_number_stops_the_run_and_names_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fragile(asked: TrainConfig, pool: Any, own: Any, cluster: Any) -> Any:
        trainee = real(asked, pool, own, cluster)
        step = trainee.step

        def until_it_breaks(iterations: int) -> None:
            step(iterations)
            if trainee.iteration > 25:
                raise TrainingError("the loss is not a number")

        trainee.step = until_it_breaks  # type: ignore[method-assign]
        return trainee

    real = FACTORIES["sequence"]
    monkeypatch.setitem(training.FACTORIES, "sequence", fragile)
    with pytest.raises(TrainingError, match=r"not a number; the last good checkpoint is .*checkpoint_20"):
        train(config(tmp_path / "run"))
    monkeypatch.setitem(training.FACTORIES, "sequence", real)
    assert train(config(tmp_path / "run"), resume=True).iterations == 40


def test_the_config_is_kept_with_the_run_and_with_its_checkpoints(tmp_path: Path) -> None:
    asked = config(tmp_path / "run", "limit_holdem", "mccfr")
    train(asked)
    kept = TrainConfig.load(tmp_path / "run" / "config.yaml")
    assert kept == TrainConfig(**asked)
    assert TrainConfig.load(tmp_path / "run" / "latest" / "config.yaml") == kept
    train(config(tmp_path / "small"))
    meta = json.loads((tmp_path / "small" / "latest" / "meta.json").read_text())
    assert TrainConfig(**meta["reached"]["training"]) == TrainConfig(**config(tmp_path / "small"))
