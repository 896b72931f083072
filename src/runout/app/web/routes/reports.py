"""Reports over flops: those of the library, and those that were named on the command line."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Response

from runout.app.web import models
from runout.app.web.plain import Json
from runout.app.web.state import Shared, SolutionId
from runout.errors import RunoutError
from runout.run.report_directory import ReportDirectory
from runout.run.report_tables import flop_rows

router = APIRouter(tags=["reports"])

_QUIET = 120.0  # seconds without a new flop after which a report is taken not to be running


@router.get("/reports", response_model=list[models.Report])
def reports(state: Shared) -> Response:
    """All reports, and how far each is."""
    found = []
    for name in state.library.reports():
        try:
            found.append(_described(name, state.library.report(name)))
        except (RunoutError, OSError):
            continue  # deleted or damaged since
    return Json(found)


@router.get("/reports/{id:path}/table", response_model=models.ReportTable)
def table(state: Shared, id: SolutionId) -> Response:
    """The flops that are solved so far."""
    report = state.library.report(id)
    found = list(report.records())
    rows: list[dict[str, Any]] = flop_rows(report.plan, found)
    for row, (flop, record) in zip(rows, found, strict=True):
        row["case"] = record.case
        kept = report.solution(record.case, flop.cards)
        if not id.startswith("open/") and (kept / "meta.json").is_file():
            row["solution"] = f"{id}/solutions/{kept.name}"
    settings = report.plan.spot.model_dump(mode="json", by_alias=True, exclude_none=True)
    return Json(
        {"keys": list(report.plan.keys), "settings": settings, "rows": rows, "failures": report.failures()}
    )  # fmt: skip


def _described(name: str, report: ReportDirectory) -> dict[str, Any]:
    plan = report.plan
    done, total, failed = report.done(), len(plan.tasks()), len(report.failures())
    fresh = time.time() - (report.path / "flops").stat().st_mtime < _QUIET
    return {
        "id": name,
        "title": f"{name.rpartition('/')[2]}: pot {plan.spot.pot}, stack {plan.spot.stack}",
        "set": plan.set_name,
        "done": done,
        "total": total,
        "failed": failed,
        "running": fresh and done + failed < total,
    }
