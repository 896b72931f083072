"""What a spot that is being set up would take: every bad part by its place, tree size, memory; quick, nothing solved.

The boards are listed without run-outs and kept for the ranges that were asked about last, so that a change of sizes
costs the betting tree alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import ValidationError

from runout import memory
from runout.cards.ranges import Range
from runout.config import explain_all
from runout.errors import InputError
from runout.games import tree as trees
from runout.games.betting import RIVER
from runout.games.boards import BoardStreet, board_tree
from runout.games.idle_sizes import idle_sizes
from runout.games.spot import Spot
from runout.solvers.auto import range_schedule
from runout.solvers.range_locks import lock_chances
from runout.solvers.range_memory import estimate
from runout.solvers.ranges import RangeGame, first_street

MOST_NODES = 50_000  # of a tree that is built while somebody waits
MOST_CHIPS = 10**9  # of pot and stack
MOST_LOCKS = 200

_PLACE = re.compile(r"(ranges\.(?:oop|ip))\b")


@dataclass(frozen=True, slots=True)
class SpotProblem:
    """Something in a spot that cannot be used."""

    field: str  # "ranges.oop", "betting.flop.bet"; "" where it is no single key
    message: str


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """What is known of a spot before it is solved; without a spot and sizes where there are problems."""

    problems: tuple[SpotProblem, ...]
    spot: Spot | None = None
    nodes: int = 0  # decisions, all streets together, without cards
    float32: int = 0  # bytes
    int16: int = 0  # bytes
    free: int = 0  # bytes
    actions: tuple[str, ...] = ()  # at the root, as people read them
    idle: tuple[SpotProblem, ...] = ()  # sizes that nobody can ever bet

    @property
    def fits(self) -> bool:
        """Whether the storage that the spot asks for fits in memory."""
        if self.spot is None:
            return False
        return (self.int16 if self.spot.solve.storage == "int16" else self.float32) <= 0.95 * self.free


def check_spot(data: Mapping[str, Any]) -> SpotCheck:
    """The settings of a spot (the keys of a spot file), looked over; never raises for what they hold."""
    try:
        spot = _read(data)
    except ValidationError as error:
        return SpotCheck(tuple(SpotProblem(*_placed(*one)) for one in explain_all(Spot, error)))
    problems = []
    try:
        range_schedule(spot.solve.algorithm)
    except InputError as error:
        problems.append(SpotProblem("solve.algorithm", str(error)))
    for name in ("pot", "stack"):
        if getattr(spot, name) > MOST_CHIPS:
            problems.append(SpotProblem(name, f"{name} is above {MOST_CHIPS:,}: use fewer, larger chips"))
    if len(spot.locks) > MOST_LOCKS:
        problems.append(SpotProblem("locks", f"{len(spot.locks)} locks: use at most {MOST_LOCKS}"))
    if problems:
        return SpotCheck(tuple(problems))
    try:
        tree = spot.game().tree(MOST_NODES)
    except InputError as error:
        return SpotCheck((SpotProblem("betting", str(error)),))
    problems = [SpotProblem(f"locks.{number}", text) for number, text in _bad_locks(spot, tree)]
    if problems:
        return SpotCheck(tuple(problems))
    boards = _boards(tuple(spot.cards), spot.range(0), spot.range(1))
    if spot.solve.leaf == "network":
        first = first_street(spot, RangeGame(tree, boards[:2], spot.game().weights, spot.rake.of))
        needs = estimate(first.tree, first.boards)
    else:
        needs = estimate(tree.with_streets(RIVER - spot.street + 1), boards)
    return SpotCheck(
        (),
        spot,
        tree.nodes,
        needs.bytes("float32"),
        needs.bytes("int16"),
        memory.available(),
        tuple(tree.action_names(0, 0)),
        tuple(SpotProblem(*one) for one in idle_sizes(spot).items()),
    )


def _read(data: Mapping[str, Any]) -> Spot:
    """A spot with all errors kept apart, where `Spot(...)` names one."""
    spot = Spot.__new__(Spot)
    found: Spot = Spot.__pydantic_validator__.validate_python(dict(data), self_instance=spot)
    return found


def _placed(field: str, message: str) -> tuple[str, str]:
    """A message about the spot as a whole, put where it says that it belongs."""
    found = None if field else _PLACE.match(message)
    return (found[1] if found else field), message


def _bad_locks(spot: Spot, tree: trees.BettingTree) -> list[tuple[int, str]]:
    found = []
    for number, lock in enumerate(spot.locks):
        try:
            street, node = tree.node(lock.line)
            lock_chances(tree, street, node, lock)
        except InputError as error:
            found.append((number, str(error)))
    return found


@lru_cache(maxsize=8)
def _boards(cards: Sequence[int], oop: Range, ip: Range) -> list[BoardStreet]:
    """The boards up to suits, without the run-outs that take longest to make."""
    weights = np.stack([oop.weights, ip.weights])
    return board_tree(cards, weights, (1,) * (RIVER + 2 - len(cards)), threads=1)
