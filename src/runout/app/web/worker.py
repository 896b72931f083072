"""The process of one solve: `python -m runout.app.web.worker`, started by `jobs`.

The first line of standard input is what to solve, {"spot", "output", "lock"}; a further line, or the end of the input
when the server is gone, ends the solve with all saved. Standard output has one JSON object a line: "start", then the
events of the run with what was measured since the last one, or "failed". A solution that is in `output` already is
gone on from.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from runout import files
from runout.errors import RunoutError

_PAUSE = 0.2  # seconds between two words on progress


def main() -> int:
    tell = _teller()
    task = json.loads(sys.stdin.readline() or "null")
    if task is None:
        return 0
    asked = threading.Event()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    with suppress(OSError, AttributeError):  # Windows has none
        os.nice(5)  # the server answers while this runs
    try:
        lock = Path(task["lock"])
        with files.FileLock(lock):  # the process of a server that was killed may still be saving
            _solve(task, tell, asked.is_set)
    except RunoutError as error:
        tell({"kind": "failed", "error": str(error)})
    except MemoryError:
        tell({"kind": "failed", "error": "memory ran out: give fewer sizes, narrower ranges or storage int16"})
    except Exception as error:
        traceback.print_exc()
        tell({"kind": "failed", "error": f"the solver broke: {type(error).__name__}: {error}"})
    else:
        return 0
    return 2


def _listen(asked: threading.Event) -> None:
    sys.stdin.readline()
    asked.set()


def _teller() -> Callable[[dict[str, Any]], None]:
    """Writes to what is standard output now; anything else that is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(event: dict[str, Any]) -> None:
        with suppress(BrokenPipeError):  # the server is gone: save and end
            out.write(json.dumps(event) + "\n")
            out.flush()

    return tell


def _solve(task: dict[str, Any], tell: Callable[[dict[str, Any]], None], asked: Callable[[], bool]) -> None:
    from runout.cursors.spot_solution import load_postflop
    from runout.games.spot import Spot
    from runout.protocols import Event
    from runout.run.postflop import solve
    from runout.solutions.output import Output
    from runout.solvers.range_memory import estimate

    output = Path(task["output"])
    spot = Spot(**task["spot"])
    held = Output(output).__enter__()  # until this process ends
    earlier = load_postflop(output, spot.solve.threads) if (output / "meta.json").exists() else None
    before = earlier.seconds if earlier is not None else 0.0

    def on_game(game: Any) -> None:
        needs = estimate(game.tree, game.boards).bytes(spot.solve.storage)
        curve = [list(point) for point in earlier.curve] if earlier is not None else []
        tell({"kind": "start", "memory_mb": needs / 1e6, "curve": curve})

    points: list[tuple[int, float | None]] = []  # measured since the last word
    told = 0.0

    def progress(event: Event) -> None:
        nonlocal told
        if event.kind == "progress":
            points.append((event.iteration, event.exploitability))
            if time.monotonic() - told < _PAUSE:
                return
        told = time.monotonic()
        tell(
            {
                "kind": event.kind,
                "iteration": event.iteration,
                "exploitability": event.exploitability,
                "unit": event.unit,
                "elapsed": before + event.elapsed,
                "remaining": event.remaining,
                "points": points,
                "note": event.note,
            }
        )
        points.clear()

    solve(spot, resume=earlier, output=held, progress=progress, on_game=on_game, interrupted=asked)


if __name__ == "__main__":
    sys.exit(main())
