"""A report on many flops as tables for people, and as one JSON object."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from runout.progress import clock
from runout.run.report_tables import Average, averages, case_name

if TYPE_CHECKING:
    from runout.run.report import ReportRun
    from runout.run.report_directory import ReportPlan
    from runout.run.report_tables import Found


def record(plan: ReportPlan, found: Found, run: ReportRun) -> dict[str, Any]:
    """What `--json` prints."""
    flops = [
        {
            "flop": flop.cards,
            "weight": flop.share,
            **({"case": plan.cases[one.case]} if plan.keys else {}),
            "ev": _numbers(one.root.ev),
            "equity": _numbers(one.root.equity),
            "eqr": _numbers(one.root.eqr),
            "exploitability_pct": one.exploitability_pct,
            "actions": list(one.root.actions),
            "frequencies": _numbers(one.root.frequencies),
        }
        for flop, one in found
    ]
    means = [
        {**({"case": plan.cases[mean.case]} if plan.keys else {}), **_average_record(mean)}
        for mean in averages(found)
        if not mean.line
    ]
    average = means[0] if len(means) == 1 else means
    rest = {"set": plan.set_name, "done": run.done, "total": run.total, "failures": run.failures}
    return {"flops": flops, "average": average, **rest, "stopped": run.stopped, "seconds": run.seconds}


def _average_record(mean: Average) -> dict[str, Any]:
    return {
        "ev": _numbers(mean.ev),
        "equity": _numbers(mean.equity),
        "eqr": _numbers(mean.eqr),
        "actions": list(mean.actions),
        "frequencies": _numbers(mean.frequencies),
    }


def _numbers(values: tuple[float, ...]) -> list[float | None]:
    return [None if value != value else value for value in values]


def show(console: Console, plan: ReportPlan, found: Found, run: ReportRun, rows: int, output: Path | None) -> None:
    """The averages of each case, some flops, and where the rest is."""
    many = len(plan.cases) > 1
    console.print(f"{run.done} of {run.total} solved ({plan.set_name}), {clock(run.seconds)}", markup=False)
    for case in range(len(plan.cases)):
        own = [(flop, one) for flop, one in found if one.case == case]
        if not own:
            continue
        if many:
            console.print(f"\n{case_name(plan, case)}", markup=False, style="bold")
        console.print(_flops(own, rows))
        left = len(own) - rows if rows else 0
        if left > 0:
            console.print(f"and {left} more: --rows 0 shows all", markup=False)
        console.print(_decisions(averages(own)))
    if output is not None:
        console.print(
            f"saved to {output}: flops.csv, flops.parquet, decisions, classes, pio/", markup=False, soft_wrap=True
        )


def _flops(own: Found, rows: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    actions = own[0][1].root.actions
    for name in ("flop", "weight", "EV oop", "EV ip", "equity oop", "EQR oop", *actions):
        table.add_column(name, justify="left" if name == "flop" else "right", no_wrap=True)
    often = sorted(own, key=lambda one: -one[0].share * one[1].pairs)
    for flop, one in often[: rows or None]:
        root = one.root
        table.add_row(
            flop.cards,
            f"{100 * flop.share:.2f}%",
            f"{root.ev[0]:.2f}",
            f"{root.ev[1]:.2f}",
            f"{100 * root.equity[0]:.1f}%",
            f"{100 * root.eqr[0]:.0f}%",
            *(f"{100 * share:.1f}%" for share in root.frequencies),
        )
    mean = averages(own)[0]
    table.add_section()
    table.add_row(
        "average", "", f"{mean.ev[0]:.2f}", f"{mean.ev[1]:.2f}", f"{100 * mean.equity[0]:.1f}%",
        f"{100 * mean.eqr[0]:.0f}%", *(f"{100 * share:.1f}%" for share in mean.frequencies),
    )  # fmt: skip
    return table


def _decisions(means: list[Average]) -> Table:
    """Every first-street decision, averaged over flops."""
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("line", "reached", "EV oop", "EV ip", "plays"):
        table.add_column(name, justify="left" if name in ("line", "plays") else "right")
    for mean in means:
        plays = ", ".join(
            f"{name} {100 * share:.1f}%" for name, share in zip(mean.actions, mean.frequencies, strict=True)
        )
        reached = f"{100 * mean.reach:.1f}%"
        table.add_row(mean.line or "start", reached, f"{mean.ev[0]:.2f}", f"{mean.ev[1]:.2f}", plays)
    return table


def complain(text: str) -> None:
    """A line on standard error."""
    print("runout: " + " ".join(text.split()), file=sys.stderr)
