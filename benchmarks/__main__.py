"""python -m benchmarks [--full] [NAME ...]: run the benchmarks in order, or those that are named."""

from __future__ import annotations

import argparse
import importlib

from benchmarks import machine

# Each has run(full: bool) -> None.
MODULES = (
    "evaluator", "tabular", "postflop", "flop_holdem", "preflop", "playouts", "blueprint", "neural", "explorers",
    "study", "upi", "gpu", "threads",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Runout on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which benchmarks: {', '.join(MODULES)} (all)")
    parser.add_argument("--full", action="store_true", help="the long ones too")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in MODULES]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}: use {', '.join(MODULES)}")
    machine.print_header()
    for name in arguments.names or MODULES:
        print(f"\n{name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").run(arguments.full)


if __name__ == "__main__":
    main()
