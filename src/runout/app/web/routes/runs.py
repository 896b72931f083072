"""Training runs of the library."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Response

from runout.app.web import models
from runout.app.web.errors import ApiError
from runout.app.web.plain import Json
from runout.app.web.state import Shared, SolutionId
from runout.config import read_yaml
from runout.errors import RunoutError
from runout.games.holdem import settings_of
from runout.run.training_directory import METRICS, TrainingDirectory
from runout.solutions.format import CHECKPOINT, checkpoints

router = APIRouter(tags=["train"])

MOST_ROWS = 2000  # of metrics that a page draws
_QUIET = 120.0  # seconds without a new line after which a run is taken not to be running


@router.get("/runs", response_model=list[models.Run])
def runs(state: Shared) -> Response:
    """All training runs, with their checkpoints; a checkpoint is a solution."""
    found = []
    for name in state.library.runs():
        try:
            found.append(_described(name, state.library.run(name)))
        except (RunoutError, OSError):
            continue  # deleted or damaged since
    return Json(found)


@router.get("/runs/{id:path}/metrics", response_model=models.Metrics)
def metrics(state: Shared, id: SolutionId) -> Response:
    """The lines of metrics.jsonl."""
    try:
        return Json({"rows": [row for row in state.library.run(id).rows(MOST_ROWS) if isinstance(row, dict)]})
    except OSError as error:
        raise ApiError(409, f"the metrics cannot be read: {error.strerror}") from None


def _described(name: str, run: TrainingDirectory) -> dict[str, Any]:
    config, rows = read_yaml(run.path / "config.yaml"), [row for row in run.last_rows() if isinstance(row, dict)]
    measured = [row["exploitability"] for row in rows if row.get("exploitability") is not None]
    asked = config.get("training")
    asked = asked if isinstance(asked, dict) else {}
    log = run.path / METRICS
    found = checkpoints(run.path)
    saved = int(found[-1].name.removeprefix(CHECKPOINT)) if found else 0
    return {
        "id": name,
        "title": f"{name.rpartition('/')[2]}: {_game(config)}",
        "solver": str(asked.get("solver", "")),
        "iterations": int(rows[-1].get("iteration", saved)) if rows else saved,
        "exploitability": measured[-1] if measured else None,
        "unit": str(next((row["unit"] for row in reversed(rows) if row.get("unit")), "")),
        "running": saved != asked.get("iterations")  # else it is done
        and log.is_file()
        and time.time() - log.stat().st_mtime < _QUIET,
        "checkpoints": [
            {"id": f"{name}/{path.name}", "iteration": int(path.name.removeprefix(CHECKPOINT))} for path in found
        ],
    }


def _game(config: dict[str, Any]) -> str:
    kind = str(config.get("game_type", "training"))
    try:
        return settings_of(kind, config.get("game") or {}).game().name
    except (RunoutError, ValueError, TypeError):  # a small game; or written by hand, or by another Runout
        return kind
