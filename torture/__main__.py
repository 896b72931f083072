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

from torture.calls import fuzzed_calls, fuzzed_processes, fuzzed_settings
from torture.examples import ROOT, make_examples
from torture.reading import crafted, damages, warm_up
from torture.saving import full_disks, killed_commands, kills_at_every_event, kills_while_saving, two_writers
from torture.strangers import strangers
from torture.tally import Tally, show

USUAL = 900  # seconds for which the counts below are meant


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
        begun = time.monotonic()
        examples, missing = make_examples(folder / "examples")
        known = Tally("kinds of solution", len(examples) + len(missing), seconds=time.monotonic() - begun)
        for kind in missing:
            known.fail("wrong", f"{kind}: no example; give its row in cursors/kinds.py one")
        tallies.append(known)
        warm_up(examples)

        def count(usual: int) -> int:
            return max(1, round(usual * scale))

        campaigns: dict[str, Callable[[Tally, Path], None]] = {
            "kills while saving": lambda t, f: kills_while_saving(t, examples, f, rng, count(150)),
            "kills at every file event": lambda t, f: kills_at_every_event(t, examples, f, 90 * scale),
            "commands killed": lambda t, f: killed_commands(t, f, rng, count(20)),
            "two writers": lambda t, f: two_writers(t, f, count(6)),
            "full disks": lambda t, f: full_disks(t, f, rng, count(6)),
            "damages": lambda t, f: damages(t, examples, f, rng, count(700)),
            "crafted solutions": lambda t, f: crafted(t, examples, f, rng, count(500)),
            "fuzzed command lines": lambda t, f: fuzzed_calls(t, examples, f, rng, count(1500)),
            "fuzzed settings": lambda t, f: fuzzed_settings(t, f, rng, count(500)),
            "fuzzed processes": lambda t, f: fuzzed_processes(t, examples, f, rng, count(100)),
            "strangers at the server": lambda t, f: strangers(t, f, rng),
        }
        for title, run in campaigns.items():
            if asked.only not in title:
                continue
            tally, place = Tally(title), folder / title.replace(" ", "-")
            place.mkdir()
            begun = time.monotonic()
            print(f"{title} ...", file=sys.stderr, flush=True)
            run(tally, place)
            tally.seconds = time.monotonic() - begun
            tallies.append(tally)
            failed = f"{sum(tally.failed.values())} of {tally.tried:,} failed"
            print(f"{title}: {failed}, {tally.seconds:.0f} s", *tally.notes, sep="\n  ", file=sys.stderr, flush=True)
        return 1 if show(tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
