"""Review of played hands: read, solve and grade them, worst first.

1. Hands are read and played again (`hands.read`); those that two players play from the flop on have a spot.
2. Ranges at the flop come from `review_ranges.ranges_for`, the tree from `review_spots`.
3. The spot is solved, and each decision of a player whose cards are known is graded by the EV that it loses against the
   best action. Before the flop, heads-up hands are graded by the solution that ranges come from, where there is one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from runout.cards.cards import cards_text
from runout.cards.hands import combo, combo_name
from runout.cursors.cursor import AnySolution
from runout.cursors.load import load
from runout.cursors.view import Explorer, NodeView, hands_of
from runout.errors import InputError, RunoutError
from runout.explorers.practice import graded
from runout.games.betting import FLOP
from runout.games.lines import POSITIONS
from runout.hands.phh import phh_text
from runout.hands.read import HandsRead, read_hands
from runout.hands.record import HandFailure, PlayedHand
from runout.hands.replay import Replay
from runout.progress import Progress, listener
from runout.protocols import Event
from runout.run.postflop import solve
from runout.run.review_files import ReviewedDecision, ReviewedHand, ReviewFolder
from runout.run.review_ranges import (
    SpotRanges,
    chart_sources,
    in_range,
    nearest_source,
    nearest_steps,
    ranges_for,
    require_source,
)
from runout.run.review_spots import HandSpot, hand_spot, has_spot
from runout.solutions.reached import OF_POT

TARGET = 0.5  # % of the pot
RARE = 1e-3  # of the opponent's range at the flop: fewer hands come to a node by the solution's own play


@dataclass(frozen=True)
class Review:
    """What came of a review."""

    found: int  # hands in the files
    read: int  # read, and played again without a fault
    heads_up: int  # two players from the flop on, or from the blinds
    hands: list[ReviewedHand]  # graded, those that lost most first
    failures: list[HandFailure] = field(default_factory=list)
    left_out: int = 0  # heads-up hands with nothing to grade: no cards or stacks known, or no decision after the flop
    stopped: bool = False  # by Ctrl-C, before all were graded

    @property
    def ev_lost_bb(self) -> float:
        """What all graded decisions lost, in big blinds."""
        return sum(hand.ev_lost_bb for hand in self.hands)

    def record(self) -> dict[str, Any]:
        """What `runout review --json` prints."""
        return {
            "hands": self.found,
            "read": self.read,
            "heads_up": self.heads_up,
            "graded": len(self.hands),
            "left_out": self.left_out,
            "decisions": sum(len(hand.decisions) for hand in self.hands),
            "ev_lost_bb": self.ev_lost_bb,
            "ranges": sorted({hand.ranges for hand in self.hands}),
            "failures": [
                {"file": one.file, "hand": one.number, "line": one.line, "why": one.why} for one in self.failures
            ],
        }


def review(
    paths: str | Path | Iterable[str | Path],
    output: str | Path | None = None,
    *,
    source: AnySolution | str | Path | Sequence[AnySolution | str | Path] = (),
    hero: str | None = None,
    read_only: bool = False,
    target: float = TARGET,
    most: int | None = None,
    threads: int = 0,
    keep: bool = False,
    progress: Progress = None,
    interrupted: Callable[[], bool] | None = None,
) -> Review:
    """Grade played hands: what each decision lost against the best one.

        found = runout.review("hands.txt", "reviewed", source="preflop.runout")
        found.hands[0].worst

    Args:
        paths: files of PokerStars, GG or PHH hands, or folders of them.
        output: directory for the results; one that was begun is taken up: hands that are there are not solved again.
        source: a preflop solution, a blueprint or a trained strategy whose ranges to take, or several of different
            depths; the charts that come with Runout without one.
        hero: the player to grade; by default everybody whose cards are known.
        read_only: read and play hands again, and grade none.
        target: how far to solve each spot, in % of the pot.
        most: grade at most this many hands.
        threads: threads to solve with; 0: one for each core.
        keep: save each solved spot in `output`, without rivers, to look at later.
        progress: True draws one line; a function hears an event after each hand.
        interrupted: asked between hands and iterations whether to stop.
    """
    given = [source] if isinstance(source, AnySolution | str | Path) else list(source)
    sources = [one if isinstance(one, AnySolution) else load(one) for one in given] or list(chart_sources())
    for one, name in zip(sources, given, strict=False):  # charts need no check
        require_source(one, str(name) if isinstance(name, str | Path) else one.title)
    if keep and output is None:
        raise InputError("solved spots are kept in a directory: give an output too")
    read = read_hands(paths)
    with nullcontext() if output is None else ReviewFolder(output) as folder:
        task = _Reviewing(read, sources, hero, target, threads, folder, keep, interrupted)
        found = task.run(0 if read_only else most, progress)
        if folder is not None:
            folder.finish(found.hands, found.record())
    return found


class _Reviewing:
    """A review under way."""

    def __init__(
        self,
        read: HandsRead,
        sources: list[AnySolution],
        hero: str | None,
        target: float,
        threads: int,
        folder: ReviewFolder | None,
        keep: bool,
        interrupted: Callable[[], bool] | None,
    ) -> None:
        self.read, self.sources, self.hero, self.target, self.threads = read, sources, hero, target, threads
        self.folder, self.keep, self.interrupted = folder, keep, interrupted or (lambda: False)
        self.stopped = False

    def run(self, most: int | None, progress: Progress) -> Review:
        pairs = [pair for pair in zip(self.read.hands, self.read.replays, strict=True) if _two(pair[1])]
        can = [pair for pair in pairs if self.gradable(*pair)]
        failures, hands = list(self.read.failures), []
        hear, begun = listener(progress), time.perf_counter()
        chosen = can[:most]
        for number, (hand, again) in enumerate(chosen, 1):
            try:
                found = self.reviewed(hand, again)
            except KeyboardInterrupt:  # while nothing was being solved, which hears of it by itself
                self.stopped = True
                break
            except RunoutError as error:  # too large for this machine, or nothing that the solution knows
                failures.append(HandFailure(hand.number, hand.line, f"not graded: {error}", hand.file))
            else:
                if found is None:  # interrupted
                    break
                hands.append(found)
            if hear is not None:
                elapsed = time.perf_counter() - begun
                kind, left = "done" if number == len(chosen) else "progress", len(chosen) - number
                last = hands[-1].exploitability_pct if hands else None
                rest = elapsed / number * left
                hear(Event(kind, number, last, OF_POT, elapsed, rest, total=len(chosen), counted="hands"))
        hands.sort(key=lambda hand: -hand.ev_lost_bb)
        return Review(self.read.found, len(self.read), len(pairs), hands, failures, len(pairs) - len(can), self.stopped)

    def graded_seats(self, hand: PlayedHand, again: Replay) -> list[int]:
        """Seats of the heads-up part that are graded."""
        assert again.heads_up is not None
        seats = [seat for seat in again.heads_up.seats if len(hand.seats[seat].cards) == 2]
        return [seat for seat in seats if self.hero is None or hand.seats[seat].name == self.hero]

    def gradable(self, hand: PlayedHand, again: Replay) -> bool:
        assert again.heads_up is not None
        seats = self.graded_seats(hand, again)
        preflop = bool(self.sources) and hand.players == 2
        moves = [move for move in again.heads_up.moves if move.seat in seats]
        return (any(move.street >= FLOP for move in moves) and has_spot(hand, again)) or (preflop and bool(moves))

    def reviewed(self, hand: PlayedHand, again: Replay) -> ReviewedHand | None:
        """A hand, graded now or before; None where grading was interrupted."""
        key = self.key(hand)
        if self.folder is not None and (before := self.folder.done.get(key)) is not None:
            return before
        found = None if self.interrupted() else self.grade(hand, again, key)
        if self.stopped:
            return None
        if self.folder is not None and found is not None:
            self.folder.add(key, found)
        return found

    def hear(self, event: Event) -> None:
        """A solve that Ctrl-C ended is not graded, and nothing after it."""
        self.stopped = self.stopped or event.kind == "interrupted"

    def key(self, hand: PlayedHand) -> str:
        """What a result depends on: the hand, where ranges come from, how far it is solved."""
        text = [phh_text(hand) if len(hand.boards) == 1 else hand.id, str(self.target), str(self.hero)]
        text += [f"{one.title} {one.reached.iterations} {one.path}" for one in self.sources]
        return hashlib.sha256("\n".join(text).encode()).hexdigest()[:16]

    def grade(self, hand: PlayedHand, again: Replay, key: str) -> ReviewedHand:
        seats = self.graded_seats(hand, again)
        decisions = self.before_the_flop(hand, seats) if hand.players == 2 else []
        assert again.heads_up is not None
        solution, where, made = None, "", None
        after = any(move.street >= FLOP and move.seat in seats for move in again.heads_up.moves)
        if after and has_spot(hand, again):
            ranges = ranges_for(hand, again, self.sources)
            where, made = ranges.where, hand_spot(hand, again, ranges)
            solution = solve(
                made.spot, target=self.target, threads=self.threads, progress=self.hear, interrupted=self.interrupted
            )
            decisions += after_the_flop(solution.explorer, hand, again, made, ranges, seats)
            if self.keep and self.folder is not None:
                solution.save(self.folder.path / "spots" / f"{key}.runout", rivers=False)
        return ReviewedHand(
            file=hand.file,
            number=hand.number,
            line=hand.line,
            id=hand.id,
            big_blind=hand.currency + hand.text(hand.big_blind),
            board=cards_text(hand.board),
            players=tuple(seat.name for seat in hand.seats),
            pot_bb=hand.big_blinds(again.pot),
            ranges=where,
            spot=None if made is None else made.spot.model_dump(mode="json", by_alias=True, exclude_none=True),
            exploitability_pct=None if solution is None else solution.exploitability,
            seconds=0.0 if solution is None else solution.reached.seconds,
            decisions=tuple(decisions),
        )

    def before_the_flop(self, hand: PlayedHand, seats: list[int]) -> list[ReviewedDecision]:
        """Decisions as far as the nearest line of a solution goes."""
        found = []
        try:
            steps, _ = nearest_steps(nearest_source(self.sources, hand), hand)
        except InputError:  # something was done that the solution does not have
            return []
        for step in steps:
            if step.move.seat in seats:
                held = combo(*hand.seats[step.move.seat].cards)
                seat = POSITIONS[step.move.seat]
                found.append(_decision(hand, step.move.seat, seat, held, step.node.view, step.taken, False, 1.0))
        return found


def after_the_flop(
    explorer: Explorer, hand: PlayedHand, again: Replay, made: HandSpot, ranges: SpotRanges, seats: Sequence[int]
) -> list[ReviewedDecision]:
    """The decisions of these seats, whose cards are known, by a solution of the hand's spot."""
    assert again.heads_up is not None
    held = {seat: hand.seats[seat].cards for seat in seats}
    off = {
        seat: not in_range(one, held[seat])
        for one, seat in zip(ranges[:2], again.heads_up.seats, strict=True)
        if seat in held
    }
    root, found = explorer.at(""), []
    for step in made.steps:
        seat, name, other = step.move.seat, root.players[step.player], root.players[1 - step.player]
        if seat not in held:
            continue
        view = explorer.at(step.line)
        taken = [one.token for one in view.actions].index(step.token)
        one = _decision(hand, seat, name, combo(*held[seat]), view, taken, off[seat], hand.big_blind)
        share = _weight(view, other) / max(_weight(root, other), 1e-12)
        found.append(one if share >= RARE else replace(one, rare=True))
    return found


def _two(again: Replay) -> bool:
    return again.heads_up is not None and bool(again.heads_up.moves)


def _weight(view: NodeView, player: str) -> float:
    """How much of a player's range is at a node."""
    return float(np.nansum(hands_of(view, player).weight))


def _decision(
    hand: PlayedHand, seat: int, name: str, held: int, view: NodeView, taken: int, off: bool, unit: float
) -> ReviewedDecision:
    """A decision at a node; `unit` is how many of the view's chips a big blind has."""
    found = graded(view, name, held, taken)
    known = found.ev_lost is not None
    best = max(found.mix, key=lambda one: one.ev if known and one.ev is not None else one.frequency)
    lost = max(found.ev_lost, 0.0) if found.ev_lost is not None else None
    return ReviewedDecision(
        street=view.street,
        player=hand.seats[seat].name,
        seat=name,
        hand=combo_name(held),
        line=view.line,
        action=_in_blinds(found.mix[taken].name, unit),
        best=_in_blinds(best.name, unit),
        frequency=found.mix[taken].frequency,
        ev_lost_bb=None if lost is None else lost / unit,
        ev_lost_pct=None if lost is None else 100 * lost / view.pot,
        grade=found.grade,
        rare=False,
        off_range=off,
    )


def _in_blinds(name: str, unit: float) -> str:
    """An action with its amount in big blinds: 'bet 400' is 'bet 4 bb' where a big blind has 100 chips."""
    *words, last = name.split()
    return f"{' '.join(words)} {float(last) / unit:.4g} bb" if last[0].isdigit() else name
