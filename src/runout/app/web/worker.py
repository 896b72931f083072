"""The process of one solve: `python -m runout.app.web.worker`, started by `jobs`.

The first line of standard input is what to solve, {"spot", "kind", "rivers", "output", "lock"}; a further line, or the
end of the input when the server is gone, ends the solve with all saved. Standard output has one JSON object a line:
"start", then the events of the run with what was measured since the last one, or "failed". A solution that is in
`output` already is gone on from.
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
from typing import TYPE_CHECKING, Any

from runout import files
from runout.errors import RunoutError

if TYPE_CHECKING:
    from runout.cursors.cursor import AnySolution
    from runout.protocols import Event
    from runout.solutions.output import Output

_PAUSE = 0.2  # seconds between two words on progress
COMPILING = "loading compiled code; on the first run it is compiled, which takes up to a minute"


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
    from runout.solutions.output import Output

    output = Path(task["output"])
    with Output(output) as held:  # let go before the next process is let in, which asks for it
        resumed = (output / "meta.json").exists()
        solve = _preflop if task["kind"] == "preflop" else _postflop
        solve(task["spot"], output if resumed else None, held, tell, asked)
        if task["kind"] == "postflop" and not task["rivers"] and not asked():
            _drop_rivers(output, held)  # only now: without them it could not have been gone on with


def _drop_rivers(output: Path, held: Output) -> None:
    from runout.cursors.spot_solution import load_postflop
    from runout.solutions.format import write_bundle

    write_bundle(held, load_postflop(output).bundle(rivers=False))


def _postflop(
    settings: dict[str, Any],
    resumed: Path | None,
    held: Output,
    tell: Callable[[dict[str, Any]], None],
    asked: Callable[[], bool],
) -> None:
    from runout.cursors.spot_solution import load_postflop
    from runout.games.spot import Spot
    from runout.run.postflop import solve
    from runout.solvers.range_memory import estimate

    tell({"kind": "phase", "phase": "building the tree and listing the boards"})
    spot = Spot(**settings)
    again = resumed is None or spot.solve.leaf == "network"  # which takes seconds, and is not gone on with
    earlier = None if again or resumed is None else load_postflop(resumed, spot.solve.threads)

    def on_game(game: Any) -> None:
        needs = estimate(game.tree, game.boards).bytes(spot.solve.storage)
        _start(tell, needs, earlier)
        tell({"kind": "phase", "phase": COMPILING})

    solve(spot, resume=earlier, output=held, progress=_Told(tell), on_game=on_game, interrupted=asked)


def _preflop(
    settings: dict[str, Any],
    resumed: Path | None,
    held: Output,
    tell: Callable[[dict[str, Any]], None],
    asked: Callable[[], bool],
) -> None:
    from runout.cursors.preflop_solution import load_preflop
    from runout.games.preflop import Preflop
    from runout.run.preflop import solve_preflop
    from runout.solvers.preflop_game import PreflopGame, needed_bytes

    game = Preflop(**settings)
    earlier = None if resumed is None else load_preflop(resumed)
    _start(tell, needed_bytes(PreflopGame.of(game)), earlier)
    tell({"kind": "phase", "phase": COMPILING})
    solve_preflop(game, resume=earlier, output=held, progress=_Told(tell), interrupted=asked)


def _start(tell: Callable[[dict[str, Any]], None], needs: int, earlier: AnySolution | None) -> None:
    curve = [list(point) for point in earlier.curve] if earlier is not None else []
    tell({"kind": "start", "memory_mb": needs / 1e6, "curve": curve})


class _Told:
    """Hears the events of a run and passes them on, what was measured in between with the next one."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell, self._last = tell, 0.0
        self._points: list[tuple[int, float | None]] = []  # measured since the last word

    def __call__(self, event: Event) -> None:
        if event.kind == "progress":
            self._points.append((event.iteration, event.exploitability))
            if time.monotonic() - self._last < _PAUSE:
                return
        self._last = time.monotonic()
        self._tell(
            {
                "kind": event.kind,
                "iteration": event.iteration,
                "exploitability": event.exploitability,
                "unit": event.unit,
                "elapsed": event.seconds,  # as the library tells it
                "remaining": event.remaining,
                "points": self._points,
                "note": event.note,
            }
        )
        self._points.clear()


if __name__ == "__main__":
    sys.exit(main())
