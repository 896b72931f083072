"""Commands that solve the tree."""

from __future__ import annotations

from functools import partial

from runout.app.upi.commands import Answer, chosen, command
from runout.app.upi.engine import Engine
from runout.app.upi.solving import Limits
from runout.errors import InputError
from runout.formats.pio_setup import number, whole
from runout.run.postflop import prepared

MOST_ITERATIONS = 10**9


@command("go [N] [seconds|steps]")
def go(engine: Engine, amount: str = "", unit: str = "seconds") -> Answer:
    tree = engine.tree
    chosen(unit, "seconds", "steps", what="unit")
    iterations, seconds = MOST_ITERATIONS, None
    if amount and unit == "steps":
        iterations = tree.solution.iterations + max(1, whole(amount, MOST_ITERATIONS // 2))
    elif amount:
        seconds = number(amount)
        if seconds < 0:
            raise InputError(f"{amount} seconds: use 0 or more")
    tree.prepare()
    limits = Limits(engine.options.target(tree.solution.spot.pot), iterations, seconds)
    engine.afterwards = partial(tree.go, limits, engine.options.info_freq)
    return None


@command("stop")
def stop(engine: Engine) -> Answer:
    engine.stop()
    return None


@command("wait_for_solver")
def wait_for_solver(engine: Engine) -> Answer:
    if engine.solving is not None:
        engine.solving.wait()
    return None


@command("set_accuracy X [chips|fraction]")
def set_accuracy(engine: Engine, value: str, unit: str = "chips") -> Answer:
    chosen(unit, "chips", "fraction", what="unit")
    wanted = number(value)
    if wanted < 0:
        raise InputError(f"accuracy {value}: use 0 or more")
    engine.options.accuracy, engine.options.accuracy_unit = wanted, unit
    return None


@command("solver_time")
def solver_time(engine: Engine) -> Answer:
    return [f"{engine.tree.seconds:.3f}"]


@command("show_iters")
def show_iters(engine: Engine) -> Answer:
    solver = engine.solution.solver
    return [str(engine.solution.iterations if solver is None else solver.iteration)]


@command("is_solver_running")
def is_solver_running(engine: Engine) -> Answer:
    return ["true" if engine.solving is not None and engine.solving.running else "false"]


@command("calc_results", reads=True)
def calc_results(engine: Engine) -> Answer:
    return engine.tree.result_lines()


@command("set_equal_strats")
def set_equal_strats(engine: Engine) -> Answer:
    before, info = engine.solution, engine.info
    engine.free()
    engine.take(prepared(before.spot, before.isomorphism), info)
    return None
