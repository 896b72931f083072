"""Commands that fix strategies."""

from __future__ import annotations

from runout.app.upi.commands import Answer, command
from runout.app.upi.engine import Engine
from runout.cards.hands import COMBOS
from runout.errors import InputError
from runout.explorers import live_locks
from runout.formats.pio_setup import numbers_of


def _at_rest(engine: Engine) -> None:
    """Nothing is locked while it is learnt."""
    if engine.tree.running and not engine.tree.stopping:
        raise InputError("the solver is running: send stop first")
    engine.tree.wait()


@command("set_strategy NODE ...")
def set_strategy(engine: Engine, node: str, *words: str) -> Answer:
    _at_rest(engine)
    point = engine.point(node)
    rows = len(point.menu)
    values = numbers_of(words, rows * COMBOS, f"a strategy of {rows} actions")
    live_locks.set_strategy(engine.explorer, point.line, values.reshape(rows, COMBOS))
    engine.tree.changed()
    return None


@command("lock_node NODE")
def lock_node(engine: Engine, node: str) -> Answer:
    _at_rest(engine)
    live_locks.lock(engine.explorer, engine.point(node).line)
    engine.tree.changed()
    return None


@command("combo_lock_node NODE ...")
def combo_lock_node(engine: Engine, node: str, *words: str) -> Answer:
    _at_rest(engine)
    point = engine.point(node)
    live_locks.lock(engine.explorer, point.line, numbers_of(words, COMBOS, "a choice of hands") > 0)
    engine.tree.changed()
    return None


@command("unlock_node NODE")
def unlock_node(engine: Engine, node: str) -> Answer:
    _at_rest(engine)
    live_locks.unlock(engine.explorer, engine.point(node).line)
    engine.tree.changed()
    return None


@command("show_locked_combos NODE", reads=True)
def show_locked_combos(engine: Engine, node: str) -> Answer:
    found = live_locks.locked(engine.explorer, engine.point(node).line)
    return [" ".join(str(int(one)) for one in found)]
