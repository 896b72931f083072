"""`python -m torture [--seconds S] [--seed N] [--only NAME]`: run the campaign, print a table; 1 where one failed."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from torture.calls import fuzzed_calls, fuzzed_files, fuzzed_processes, fuzzed_settings
from torture.command_lines import Stock
from torture.examples import ROOT, make_examples
from torture.foreign import make_files
from torture.reading import crafted, damages, warm_up
from torture.saving import full_disks, killed_commands, kills_at_every_event, kills_while_saving, two_writers
from torture.strangers import strangers
from torture.tally import Tally, cpu_seconds, show

USUAL = 900  # seconds for which the counts below are meant


def _count(usual: int, scale: float) -> int:
    return max(1, round(usual * scale))


_Campaign = Callable[[Tally, Stock, random.Random, float], None]
_CAMPAIGNS: dict[str, _Campaign] = {
    "kills while saving": lambda t, s, rng, x: kills_while_saving(t, s.solutions, s.folder, rng, _count(150, x)),
    "kills at every file event": lambda t, s, rng, x: kills_at_every_event(t, s.solutions, s.folder, 90 * x),
    "commands killed": lambda t, s, rng, x: killed_commands(t, s.folder, rng, _count(20, x)),
    "two writers": lambda t, s, rng, x: two_writers(t, s.folder, _count(6, x)),
    "full disks": lambda t, s, rng, x: full_disks(t, s.folder, rng, _count(6, x)),
    "damages": lambda t, s, rng, x: damages(t, s.solutions, s.folder, rng, _count(700, x)),
    "crafted solutions": lambda t, s, rng, x: crafted(t, s.solutions, s.folder, rng, _count(500, x)),
    "fuzzed command lines": lambda t, s, rng, x: fuzzed_calls(t, s, rng, _count(1200, x)),
    "fuzzed settings": lambda t, s, rng, x: fuzzed_settings(t, s.folder, rng, _count(400, x)),
    "fuzzed files of other programs": lambda t, s, rng, x: fuzzed_files(t, s, rng, _count(400, x)),
    "fuzzed processes": lambda t, s, rng, x: fuzzed_processes(t, s, rng, _count(100, x)),
    "strangers at the server": lambda t, s, rng, x: strangers(t, s.folder, rng),
}
_WITHOUT_EXAMPLES = {
    "commands killed", "two writers", "full disks", "fuzzed settings", "fuzzed files of other programs",
    "strangers at the server",
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--seconds", type=float, default=USUAL, help="about how long; counts scale with it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="run what has this in its name")
    asked = parser.parse_args()
    scale, rng, tallies = asked.seconds / USUAL, random.Random(asked.seed), []
    os.chdir(ROOT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup and a shell's & have children ignore them
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    os.environ["OMP_NUM_THREADS"] = "1"  # threads of torch would not survive the forks
    with tempfile.TemporaryDirectory(prefix="runout-torture-") as name:
        folder = Path(name)
        begun, used = time.monotonic(), cpu_seconds()
        known = Tally("kinds of solution")
        wanted = any(asked.only in title for title in _CAMPAIGNS if title not in _WITHOUT_EXAMPLES)
        examples, missing = make_examples(folder / "examples") if wanted else ({}, [])
        for kind in missing:
            known.fail("wrong", f"{kind}: no example; give its row in cursors/kinds.py one")
        warm_up(examples)
        known.tried, known.seconds = len(examples) + len(missing), time.monotonic() - begun
        known.cpu = cpu_seconds() - used
        tallies.append(known)
        files = make_files(folder / "files")
        for title, run in _CAMPAIGNS.items():
            if asked.only not in title:
                continue
            tally, place = Tally(title), folder / title.replace(" ", "-")
            place.mkdir()
            begun, used = time.monotonic(), cpu_seconds()
            print(f"{title} ...", file=sys.stderr, flush=True)
            run(tally, Stock(examples, files, place), rng, scale)
            tally.seconds, tally.cpu = time.monotonic() - begun, cpu_seconds() - used
            tallies.append(tally)
            failed = f"{sum(tally.failed.values())} of {tally.tried:,} failed"
            print(f"{title}: {failed}, {tally.seconds:.0f} s", *tally.notes, sep="\n  ", file=sys.stderr, flush=True)
        return 1 if show(tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
