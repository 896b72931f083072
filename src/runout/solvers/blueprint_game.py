"""What a blueprint is learnt for: the tree of a game, buckets of hands, and room for what is learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

import numpy as np

from runout import memory
from runout.cards.abstraction import Abstraction, AbstractionSettings
from runout.cards.bucket_cuts import CUTS, Cuts, cuts_from
from runout.errors import InputError
from runout.games.betting import STREET_NAMES
from runout.games.boards import BoardStreet, board_tree
from runout.games.deals import draw_deals
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.tree import RUNOUT, BettingTree
from runout.kernels.board_buckets import list_all_runs
from runout.kernels.tables import IMAGE_COUNT, LANES, MOST_STREETS, Boards, Buckets
from runout.solvers.range_memory import aligned
from runout.solvers.range_plan import storage_rows
from runout.solvers.ranges import RangeGame

_HANDS = 10  # deals for each bucket of the street that has most, when buckets are compared with others
_MOST_DEALS = 2_000_000


@dataclass(frozen=True)
class BlueprintGame:
    """What is solved: the tree of a game, its all-ins dealt out, and the buckets of hands."""

    game: HoldemGame
    tree: BettingTree
    abstraction: Abstraction

    @classmethod
    def of(
        cls, game: HoldemGame, settings: AbstractionSettings | None, arrays: Mapping[str, np.ndarray] | None = None
    ) -> BlueprintGame:
        """Refused where the game does not begin before the flop with all hands; without settings, every hand is told
        apart. arrays: of a checkpoint, which says where its buckets begin."""
        if game.board or game.ranges is not None or game.rules.last_street == 0:
            raise InputError(f"{game.name}: a blueprint is of a game from before the flop on, with all hands")
        if game.board_cards != BOARD_CARDS[game.rules.last_street]:
            raise InputError(f"{game.name}: a blueprint wants betting on every street up to the showdown")
        every = AbstractionSettings.model_validate(dict.fromkeys(("flop", "turn", "river"), "lossless"))
        asked, last = settings or every, game.rules.last_street
        known = f"{CUTS}{Cuts._fields[0]}" in (arrays or {})
        cuts = cuts_from(asked, np.array(game.deck, np.uint8), last, arrays or {}) if known else None
        abstraction = Abstraction(asked, game.deck, last, game.board_cards, cuts=cuts)
        return cls(game, game.tree().dealt_out(), abstraction)

    @property
    def streets(self) -> int:
        return len(self.tree.streets)

    @property
    def rows(self) -> np.ndarray:
        """int64 [2, MOST_STREETS]: actions of each player on each street."""
        found = np.zeros((2, MOST_STREETS), np.int64)
        for street, tree in enumerate(self.tree.streets):
            found[:, street] = storage_rows(tree)
        return found

    @property
    def width(self) -> np.ndarray:
        """int64 [MOST_STREETS]: numbers of an action, one for each bucket, in whole vectors."""
        found = np.zeros(MOST_STREETS, np.int64)
        found[: self.streets] = self.abstraction.sizes
        return -(-found // LANES) * LANES

    @property
    def rivers(self) -> int:
        """Boards of the last street that can follow one of the street before."""
        return len(self.game.deck) - BOARD_CARDS[self.streets - 2]

    @property
    def numbers(self) -> int:
        """Regrets in all; averages are as many."""
        return int((self.rows * self.width).sum())

    def empty_buckets(self) -> Buckets:
        """Where everything that is learnt stands, without room for it."""
        sizes = (self.rows * self.width).ravel()
        return Buckets(aligned(0), aligned(0), (np.cumsum(sizes) - sizes).reshape(2, MOST_STREETS), self.width)

    def new_buckets(self, batch: int | None = None) -> Buckets:
        """Room for everything that is learnt, with nothing in it; with `batch`, for the hands of so many boards, each
        of which is a bucket of its own after the first street."""
        width = self._width(batch)
        sizes = (self.rows * width).ravel()
        first = (np.cumsum(sizes) - sizes).reshape(2, MOST_STREETS)
        return Buckets(aligned(int(sizes.sum())), aligned(int(sizes.sum())), first, width)

    def _width(self, batch: int | None) -> np.ndarray:
        width = self.width
        if batch is not None:
            for street in range(1, self.streets):
                hands = comb(len(self.game.deck) - BOARD_CARDS[street], 2)
                width[street] = batch * -(-hands // LANES) * LANES
        return width

    def sweep_bytes(self, batch: int, threads: int, answers: int = 0) -> int:
        """What the boards of an iteration take at most: where runs are long, most of it is never touched."""
        widest, rows = comb(len(self.game.deck) - 3, 2), self.rows.max(axis=0)[1 : self.streets]
        widest = -(-widest // LANES) * LANES
        if answers > 1:
            rows[-1] *= self.rivers
        twice = int(rows[:-answers].sum()) if answers else 0  # opponents learn too there
        threads = min(threads, batch) if answers else threads
        return 8 * widest * (int(rows.sum()) * (batch + threads * (2 if answers else 1)) + twice * batch)

    def require_memory(self, batch: int, threads: int, own: bool = False, answers: int = 0) -> None:
        """Refuse what does not fit, with the setting to lower; own: as in `new_buckets` with a batch. answers: on how
        many streets opponents answer; on the others they learn too."""
        sweeping = self.sweep_bytes(batch, threads, answers)
        by_street = (self.rows * self._width(batch if own else None)).sum(axis=0)
        by_street[: self.streets - answers if answers else 0] *= 2
        learnt = 8 * int(by_street.sum())
        street = STREET_NAMES[int(by_street.argmax())]
        advice = f"regrets and averages take {memory.size(learnt)}, most of it the {street}: lower abstraction.{street}"
        if sweeping > learnt or own:
            advice = f"the boards of an iteration take {memory.size(sweeping)}: lower blueprint.boards"
            if answers:  # threads keep answers of their own
                advice += ", blueprint.answers or training.workers"
        memory.require(sweeping + learnt, "this blueprint needs", f"{advice}, or give fewer bet sizes")

    def range_game(self) -> RangeGame:
        """Betting, ranges and rake for the range engine, without boards."""
        return RangeGame(self.tree, [], self.game.weights, self.game.rake.of)

    def root(self) -> BoardStreet:
        """The empty board, with what all-ins before the flop come to."""
        all_in = bool((self.tree.streets[0].terminal_kind == RUNOUT).any())
        root = board_tree((), self.game.weights, (3,), (all_in,), deck=self.game.deck)[0]
        table = root.tables.table.copy()
        table[:, IMAGE_COUNT] = 1  # hands that differ by suits share a bucket
        boards = with_buckets(root.tables._replace(table=table))
        for player in range(2):
            first = int(boards.hands[player, 0])
            combos = boards.combos(player, 0)
            boards.bucket[first : first + len(combos)] = self.abstraction.tables.preflop[combos]
        list_all_runs(boards)
        return BoardStreet(root.cards, root.parent, root.copies, boards)


def with_buckets(boards: Boards) -> Boards:
    """The same boards with room for the buckets of their hands."""
    bucket, run_end, run_bucket = (np.zeros(len(boards.card_a), np.int32) for _ in range(3))
    return boards._replace(bucket=bucket, run_end=run_end, run_bucket=run_bucket)


def take_over(own: BlueprintGame, learnt: Buckets, other: BlueprintGame, before: Buckets) -> None:
    """Begin with what was learnt for the same tree with other buckets: each takes what most of its hands had there.

    Regrets and averages add up over hands, so a bucket gets the part of theirs that its hands are.
    """
    if not np.array_equal(own.rows, other.rows) or own.game != other.game:
        raise InputError("what is to begin from was learnt for another game or another tree")
    most = max(own.abstraction.sizes[1:])
    deals = draw_deals(own.game, min(_MOST_DEALS, _HANDS * most), np.zeros(1, np.uint64))
    fine, coarse = (what.abstraction.buckets(deals) for what in (own, other))
    for street in range(own.streets):
        source, part = _most_alike(
            fine[:, :, street].ravel(), coarse[:, :, street].ravel(),
            own.abstraction.sizes[street], other.abstraction.sizes[street],
        )  # fmt: skip
        for player in range(2):
            rows = int(own.rows[player, street])
            for fresh, old in ((learnt.regrets, before.regrets), (learnt.averages, before.averages)):
                found = _rows(old, before, player, street, rows)[:, source] * part.astype(np.float32)
                _rows(fresh, learnt, player, street, rows)[:, : len(source)] = found


def _rows(numbers: np.ndarray, places: Buckets, player: int, street: int, rows: int) -> np.ndarray:
    """The numbers of a player's actions on a street, [rows, width]; a view."""
    first, width = int(places.first[player, street]), int(places.width[street])
    return numbers[first : first + rows * width].reshape(rows, width)


def _most_alike(fine: np.ndarray, coarse: np.ndarray, own: int, other: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each of `own` buckets the bucket among `other` that most of its hands are in, and which part of that one's
    hands it has. fine, coarse int [n]: of hands that were dealt. A bucket that no hand is in begins with nothing."""
    pairs, times = np.unique(fine.astype(np.int64) * other + coarse, return_counts=True)
    order = np.lexsort((times, pairs // other))
    bucket = (pairs // other)[order]
    last = np.append(bucket[1:] != bucket[:-1], True)  # the pair that comes most
    source, part = np.zeros(own, np.int64), np.zeros(own)
    source[bucket[last]] = (pairs % other)[order][last]
    met = np.bincount(coarse, minlength=other)
    held = np.bincount(fine, minlength=own)
    part[:] = np.where(held > 0, held / np.maximum(met[source], 1), 0.0)
    return source, np.minimum(part, 1.0)
