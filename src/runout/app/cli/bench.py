"""`runout bench`: the benchmarks of a source checkout, as `make bench` runs them."""

from __future__ import annotations

import typer


def bench_command(
    names: list[str] = typer.Argument(None, metavar="[NAME]...", help="Which benchmarks; all of them without a name."),
    full: bool = typer.Option(False, "--full", help="The long ones too."),
) -> None:
    """Measure Runout on this machine; needs a source checkout."""
    import subprocess
    import sys
    from pathlib import Path

    import runout
    from runout.errors import InputError

    root = Path(runout.__file__).parents[2]
    if not (root / "benchmarks" / "__main__.py").is_file():
        raise InputError("the benchmarks come with the source: clone the project and run make bench there")
    command = [sys.executable, "-m", "benchmarks", *(names or ()), *(["--full"] if full else [])]
    raise typer.Exit(subprocess.run(command, cwd=root, check=False).returncode)
