"""`runout texas`: run a script of TexasSolver's console."""

from __future__ import annotations

from pathlib import Path

import typer


def texas_command(
    script: Path = typer.Argument(metavar="SCRIPT", help="A file of console commands: set_pot 50, set_board Qs,Jh,2h."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
) -> None:
    """Run a console script of TexasSolver: build its tree, solve it, and write its JSON results."""
    from runout import files
    from runout.errors import InputError
    from runout.explorers.ranges import RangeExplorer
    from runout.formats.charts import read_text
    from runout.formats.texas_result import write_texas_result
    from runout.formats.texas_script import read_texas_script
    from runout.protocols import Event
    from runout.run.postflop import solve

    asked = read_texas_script(read_text(script))
    say = (lambda text: None) if quiet else print
    for name in asked.unknown:
        say(f"command not recognized: {name}")
    for step, file in asked.steps:
        if step == "dump_result":
            files.check_place(Path(file))
    solution, told = None, 0

    def hear(event: Event) -> None:
        nonlocal told
        if event.kind == "progress" and event.iteration - told >= asked.every:
            told = event.iteration
            say(f"Iter: {event.iteration}\nTotal exploitability {event.exploitability:.6f} percent")

    spot = asked.spot()
    for step, file in asked.steps:
        if step == "start_solve":
            say("<<<START SOLVING>>>")
            solution = solve(spot, isomorphism=asked.isomorphism, progress=hear)
            say(f"{solution.iterations} iterations, {solution.exploitability:.3f}% of the pot")
        elif solution is None:
            raise InputError("dump_result comes before start_solve")
        else:
            write_texas_result(RangeExplorer(solution), file, asked.dump_rounds)
            say(f"wrote {file}")
    if not asked.steps:
        say(f"{spot.game().name}, {spot.tree().nodes:,} decisions: add start_solve and dump_result FILE to solve it")
