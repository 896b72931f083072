"""A solved postflop spot: cursors into it, what it reached, and the file it lives in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from runout.analysis.cursor import Node
from runout.analysis.places import Place
from runout.analysis.position import Position
from runout.analysis.rivers import Rivers, river_place
from runout.cards.cards import card_name
from runout.errors import InputError, SolutionError
from runout.games.lines import split_line
from runout.games.spot import Spot
from runout.games.tree import TO_NODE
from runout.solutions.postflop import PostflopRecord, read_postflop, write_postflop
from runout.solvers.auto import range_schedule
from runout.solvers.range_lines import LineSource, LiveLines, StoredLines, stored_rows
from runout.solvers.ranges import RangeGame, RangeSolver

AnyPosition = TypeVar("AnyPosition", bound=Position)


@dataclass(eq=False, repr=False)
class Solution:
    """What a solve of a postflop spot gave."""

    spot: Spot
    source: LineSource  # where strategies and values come from
    algorithm: str  # with its parameters
    isomorphism: bool  # whether boards that differ by suits only were solved once
    iterations: int
    exploitability: float  # % of the pot
    seconds: float  # solving alone
    curve: list[tuple[int, float]] = field(default_factory=list)  # (iteration, exploitability)
    solver: RangeSolver | None = None  # None: loaded without rivers

    def __repr__(self) -> str:
        return f"Solution({self.spot.board}, {self.iterations} iterations, {self.exploitability:.3g}% of the pot)"

    @property
    def game(self) -> RangeGame:
        return self.source.game

    @property
    def rivers(self) -> bool:
        """Whether the last street is here, or is solved again when one looks."""
        return self.source.streets == len(self.game.boards)

    @property
    def exploitability_mbb(self) -> float | None:
        """In thousandths of a big blind a hand; None where the spot names no big blind."""
        return self.spot.mbb(self.exploitability / 100 * self.spot.pot)

    @property
    def memory(self) -> int:
        """Bytes of the solver's arrays."""
        return self.solver.memory() if self.solver is not None else 0

    @cached_property
    def root(self) -> Node:
        return Node(self, Place(self.source, 0, 0), self.game.tree.start, self.spot.cards)

    @cached_property
    def _rivers(self) -> Rivers:
        return Rivers(self.spot)

    def at(self, line: str) -> Node:
        """The node with this address, `x-b94-c|Ah|x`; an empty line is the root."""
        streets, cards = split_line(line)
        node = self.root
        for number, words in enumerate(streets):
            if number:
                node = node.deal(cards[number - 1])
            for word in words:
                node = node.play(word)
        return node

    def after_deal(self, node: AnyPosition, card: int) -> AnyPosition:
        """The node after a card comes; `Node.deal` checks that it can."""
        street = len(node.words)
        tree, entry = self.game.tree.streets[street], int(node.tree.child[node.slot])
        first, state = int(tree.entry_node[entry]), node.state.next_street()
        after = replace(
            node, state=state, cards=(*node.cards, card), child_kind=TO_NODE, index=first, slot=-1,
            words=(*node.words, ()), dealt=(*node.dealt, card_name(card)), before=node,
        )  # fmt: skip
        if street < self.source.streets:
            return replace(after, place=node.place.deal(card)[0])
        river = self._rivers.at(after.line, after.cards, state, node.place.on_table(node._reach))
        return replace(after, place=river_place(river, first, int(tree.first_slot[first])))

    def save(self, path: str | Path, river: bool = True) -> None:
        """Write a solution directory. Without `river` it leaves out the last street of a spot that begins before it:
        many times smaller, rivers are solved again when one looks, and it cannot be resumed."""
        write_postflop(path, self._record(river or len(self.game.boards) == 1))

    def _record(self, rivers: bool) -> PostflopRecord:
        if rivers and self.solver is None:
            raise InputError("this solution was loaded without rivers: save it with river=False, or solve again")
        arrays = self.solver.state() if rivers and self.solver is not None else stored_rows(self.source)
        if rivers and isinstance(self.source, LiveLines):
            arrays |= self.source.first_values()  # so that a loaded solution is looked at without a sweep
        return PostflopRecord(
            spot=self.spot,
            algorithm=self.algorithm,
            isomorphism=self.isomorphism,
            rivers=rivers,
            iterations=self.iterations,
            exploitability=self.exploitability,
            seconds=self.seconds,
            curve=self.curve,
            arrays=arrays,
        )


def load_postflop(path: str | Path, threads: int | None = None) -> Solution:
    """The solution saved in `path`; with as many threads as its spot says, unless told otherwise."""
    record = read_postflop(path)
    threads = record.spot.solve.threads if threads is None else threads
    game = RangeGame.of(record.spot, record.isomorphism, threads)
    solver = None
    try:
        if record.rivers:
            solver = RangeSolver(game, range_schedule(record.algorithm), threads, record.spot.solve.storage)
            _require_same_size(solver, record)
            solver.restore(record.arrays)
            live = LiveLines(solver)
            live.take_first_values(record.arrays)
            source: LineSource = live
        else:
            source = StoredLines(game, record.arrays)
    except (KeyError, ValueError, TypeError) as error:
        raise SolutionError(f"{path} does not fit its spot: {error}") from None
    return Solution(
        spot=record.spot,
        source=source,
        algorithm=record.algorithm,
        isomorphism=record.isomorphism,
        iterations=record.iterations,
        exploitability=record.exploitability,
        seconds=record.seconds,
        curve=record.curve,
        solver=solver,
    )


def _require_same_size(solver: RangeSolver, record: PostflopRecord) -> None:
    for name, own in solver.state().items():
        found = record.arrays[name]
        if own.size and (found.shape, found.dtype) != (own.shape, own.dtype):
            raise ValueError(f"{name} has {found.size:,} {found.dtype} where {own.size:,} {own.dtype} belong")
