"""Commands that say what the next tree is, and the one that builds it."""

from __future__ import annotations

from collections.abc import Callable

from runout.app.upi.commands import Answer, command
from runout.app.upi.engine import Engine
from runout.cards.cards import cards_text
from runout.errors import InputError
from runout.formats.pio_setup import BUILDING
from runout.games.spot import Spot
from runout.run.postflop import prepared
from runout.run.spot_check import check_spot


def _saying(say: Callable[..., None]) -> Callable[..., Answer]:
    def answer(engine: Engine, *words: str) -> Answer:
        say(engine.setup, *words)
        return None

    return answer


for name, (usage, said) in BUILDING.items():
    command(f"{name} {usage}".strip())(_saying(said))


@command("estimate_tree")
def estimate_tree(engine: Engine) -> Answer:
    found = check_spot(_spot(engine).model_dump(mode="json", by_alias=True, exclude_none=True))
    if found.problems:
        raise InputError(found.problems[0].message)
    needs = found.int16 if engine.options.storage == "int16" else found.float32
    return [str(needs), str(found.free)]


@command("needed_memory")
def needed_memory(engine: Engine) -> Answer:
    return estimate_tree(engine)


@command("build_tree")
def build_tree(engine: Engine) -> Answer:
    engine.free()
    engine.take(prepared(_spot(engine), any(engine.setup.isomorphism)), list(engine.setup.info))
    return None


def _spot(engine: Engine) -> Spot:
    options = engine.options
    return engine.setup.spot(
        threads=options.threads, storage=options.storage, algorithm=options.algorithm, iterations=10**9
    )


@command("free_tree")
def free_tree(engine: Engine) -> Answer:
    engine.free()
    return None


@command("is_tree_present")
def is_tree_present(engine: Engine) -> Answer:
    return ["false" if engine.solving is None else "true"]


@command("show_tree_params")
def show_tree_params(engine: Engine) -> Answer:
    spot = engine.solution.spot
    return [
        f"board: {spot.board}",
        f"pot: {spot.pot}",
        f"effective stack: {spot.stack}",
        f"rake: {spot.rake.percent / 100:g} {spot.rake.cap or 0:g}",
        f"isomorphism: {'on' if engine.solution.isomorphism else 'off'}",
        f"lines: {len(spot.betting.lines)}",
    ]


@command("show_tree_info")
def show_tree_info(engine: Engine) -> Answer:
    return list(engine.info if engine.solving is not None else engine.setup.info)


@command("show_board_no_iso")
def show_board_no_iso(engine: Engine) -> Answer:
    return [cards_text(engine.solution.spot.cards)]
