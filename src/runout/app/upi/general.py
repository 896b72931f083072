"""Commands about the engine itself: end strings, settings, scripts, where output goes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import runout
from runout import memory
from runout.app.upi.commands import COMMANDS, Answer, chosen, command
from runout.app.upi.engine import Engine
from runout.errors import InputError
from runout.formats.pio_setup import number, whole
from runout.run.postflop import EVERY
from runout.solvers.auto import AUTO, range_schedule
from runout.solvers.schedules import VARIANTS, make_schedule

MOST_SCRIPTS = 8  # scripts that read scripts
LONGEST_BREAK = 3600.0  # seconds


@command("is_ready")
def is_ready(engine: Engine) -> Answer:
    return None


@command("exit")
def exit_(engine: Engine) -> Answer:
    engine.leaving = True
    return None


@command("set_end_string STRING")
def set_end_string(engine: Engine, text: str) -> Answer:
    engine.channel.end = text
    return None


@command("reset_end_string")
def reset_end_string(engine: Engine) -> Answer:
    engine.channel.end = None
    return None


@command("echo ...")
def echo(engine: Engine, *words: str) -> Answer:
    return [" ".join(words)]


@command("show_version")
def show_version(engine: Engine) -> Answer:
    return [runout.__version__]


@command("show_build_version")
def show_build_version(engine: Engine) -> Answer:
    return [f"Runout {runout.__version__}"]


@command("help")
def help_(engine: Engine) -> Answer:
    return [f"{one.name} {one.usage}".strip() for one in sorted(COMMANDS.values(), key=lambda one: one.name)]


@command("show_settings")
def show_settings(engine: Engine) -> Answer:
    options = engine.options
    return [
        f"accuracy: {options.accuracy:g}",
        f"accuracy mode: {options.accuracy_unit}",
        f"thread_no: {options.threads}",
        f"info_freq: {options.info_freq}",
        f"recalc_accuracy: {' '.join(f'{one:g}' for one in options.recalc)}",
        f"isomorphism: {' '.join(map(str, engine.setup.isomorphism))}",
        f"algorithm: {options.algorithm}",
        f"small_strats: {'on' if options.storage == 'int16' else 'off'}",
    ]


@command("show_memory")
def show_memory(engine: Engine) -> Answer:
    import psutil

    used = psutil.Process().memory_info().rss
    return [f"Free memory: {memory.available() // 10**6} MB", f"Used by this process: {used // 10**6} MB"]


@command("bench")
def bench(engine: Engine) -> Answer:
    from runout.games.spot import Spot, example_spots
    from runout.run.postflop import prepared

    solver = prepared(Spot(**example_spots()["3-bet pot, turn"])).solver
    assert solver is not None
    solver.step(1)
    begun = time.perf_counter()
    solver.step(6)
    return [f"Time taken: {time.perf_counter() - begun:.3f}"]


@command("load_script FILE")
def load_script(engine: Engine, path: str) -> Answer:
    _read_script(engine, path, silent=False)
    return None


@command("load_script_silent FILE")
def load_script_silent(engine: Engine, path: str) -> Answer:
    _read_script(engine, path, silent=True)
    return None


def _read_script(engine: Engine, path: str, silent: bool) -> None:
    """Run every line of a file; silent: errors alone are told, in the answer of the script."""
    from runout.app.upi.session import answer_line

    try:
        place = Path(path).resolve()
        lines = place.read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read script {path!r}: {error}") from None
    if place in engine.scripts or len(engine.scripts) >= MOST_SCRIPTS:
        raise InputError(f"scripts may load others, {MOST_SCRIPTS} deep, but not themselves")
    engine.scripts.append(place)
    failed = []
    try:
        for text in lines:
            answer = answer_line(engine, text)
            if answer is not None and not silent:
                engine.channel.answer(answer)
            engine.answered()
            failed += [one for one in answer or () if silent and one.startswith("ERROR")]
            if engine.leaving:
                break
    finally:
        engine.scripts.pop()
    if failed:
        raise InputError(f"{len(failed)} lines of {path} failed: {failed[0]}")


@command("stdoutredi FILE")
def stdoutredi(engine: Engine, path: str) -> Answer:
    engine.channel.redirect(Path(path))
    return None


@command("stdoutredi_append FILE")
def stdoutredi_append(engine: Engine, path: str) -> Answer:
    engine.channel.redirect(Path(path), append=True)
    return None


@command("stdoutback")
def stdoutback(engine: Engine) -> Answer:
    engine.channel.redirect(None)
    return None


@command("take_a_break SECONDS")
def take_a_break(engine: Engine, seconds: str) -> Answer:
    wanted = number(seconds)
    if not 0 <= wanted <= LONGEST_BREAK:
        raise InputError(f"a break of {seconds} seconds: use 0 to {LONGEST_BREAK:g}")
    time.sleep(wanted)
    return None


@command("set_threads N")
def set_threads(engine: Engine, count: str) -> Answer:
    engine.options.threads = min(whole(count, 1024), os.cpu_count() or 1)  # more would wait for each other
    return None


@command("set_info_freq N")
def set_info_freq(engine: Engine, iterations: str) -> Answer:
    wanted = whole(iterations, 10**9)
    if wanted < 1:
        raise InputError("info_freq is 1 or more")
    engine.options.info_freq = -(-wanted // EVERY) * EVERY  # results are measured every so often
    return None


@command("set_recalc_accuracy FLOP TURN RIVER")
def set_recalc_accuracy(engine: Engine, *shares: str) -> Answer:
    flop, turn, river = (number(share) for share in shares)
    if not (0 < flop <= 1 and 0 < turn <= 1 and 0 < river <= 1):
        raise InputError("accuracies are shares of the pot: use numbers above 0 and up to 1")
    engine.options.recalc = flop, turn, river
    if engine.solving is not None:
        engine.explorer.river_target = river * 100
    return None


@command("set_always_recalc STREET [TIMEOUT_MS]")
def set_always_recalc(engine: Engine, street: str, timeout: str = "0") -> Answer:
    whole(timeout)
    chosen(street, "0", what="street (what is stored is never computed again)")
    return None


@command("ignore_mem_check on|off")
def ignore_mem_check(engine: Engine, wanted: str) -> Answer:
    chosen(wanted, "off", what="setting (a tree that does not fit is always refused)")
    return None


@command("clear_cache", reads=True)
def clear_cache(engine: Engine) -> Answer:
    if engine.solving is not None:
        engine.solution.__dict__.pop("explorer", None)
    return None


@command("list_algorithms")
def list_algorithms(engine: Engine) -> Answer:
    usable = [one for one in VARIANTS.values() if not make_schedule(one.name).at(2).predict]
    return [f"auto,automatic,{AUTO}", *(f"{one.name},{one.name},{one.summary}" for one in usable)]


@command("set_algorithm NAME")
def set_algorithm(engine: Engine, name: str) -> Answer:
    range_schedule(name)
    engine.options.algorithm = name
    return None


@command("small_strats on|off|auto")
def small_strats(engine: Engine, wanted: str) -> Answer:
    chosen(wanted, "on", "off", "auto", what="setting")
    engine.options.storage = "int16" if wanted == "on" else "float32"
    return None


@command("set_first_iteration_player OOP|IP")
def set_first_iteration_player(engine: Engine, player: str) -> Answer:
    chosen(player, "OOP", what="player (OOP always begins)")
    return None
